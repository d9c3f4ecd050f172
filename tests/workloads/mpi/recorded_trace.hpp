// Traces of tests: lines of each rank written into a folder of their own.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "tests/cache_fixture.hpp"
#include "workloads/mpi/compiled_mpi_trace.hpp"

namespace nowsim::test {

/// Writes a file of each rank's lines, as SMPI writes them, and their list. Gives the list's path.
inline std::string write_ranks(const Folder& folder, const std::vector<std::string>& lines_of_ranks) {
  std::string list;
  for (std::size_t rank = 0; rank < lines_of_ranks.size(); ++rank) {
    const std::string name = "rank-" + std::to_string(rank) + ".txt";
    folder.file(name, lines_of_ranks[rank]);
    list += name + "\n";
  }
  return folder.file("trace.txt", list);
}

/// A list and its ranks' files, in a folder that is the user's cache too.
class RecordedTrace {
 public:
  explicit RecordedTrace(const std::vector<std::string>& lines) : list_(write_ranks(folder_, lines)) {}
  [[nodiscard]] std::shared_ptr<const MpiTrace> open() const { return MpiTrace::open(list_); }
  [[nodiscard]] const std::string& list() const { return list_; }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }
  /// What the cache has of one kind (.nowsim, .stamp).
  [[nodiscard]] std::vector<std::string> cached(const std::string& ending) const {
    std::vector<std::string> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(cache(), none))
      if (entry.path().string().ends_with(ending)) files.push_back(entry.path().string());
    return files;
  }
  [[nodiscard]] std::string cache() const { return folder() + "/nowsim/mpi-traces"; }
  /// The only compiled trace there; "" where there is none.
  [[nodiscard]] std::string binary() const {
    const auto files = cached(".nowsim");
    return files.size() == 1 ? files.front() : "";
  }
  void write(const std::string& name, const std::string& text) const { folder_.file(name, text); }

 private:
  CacheFolder folder_;
  std::string list_;
};

/// A rank's lines: these words behind its number, between `init` and `finalize`.
inline std::string rank_lines(int rank, const std::vector<std::string>& actions) {
  const std::string number = std::to_string(rank);
  std::string lines = number + " init\n";
  for (const std::string& action : actions) lines.append(number).append(" ").append(action).append("\n");
  return lines + number + " finalize\n";
}

/// What each rank does between `init` and `finalize`: lines without its number.
using MpiProgram = std::vector<std::vector<std::string>>;

/// A whole trace of it.
inline std::vector<std::string> trace_of(const MpiProgram& actions_of_ranks) {
  std::vector<std::string> lines;
  for (const auto& actions : actions_of_ranks) lines.push_back(rank_lines(static_cast<int>(lines.size()), actions));
  return lines;
}

}  // namespace nowsim::test
