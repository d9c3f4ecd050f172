// A list is a text of paths.
#include "workloads/mpi/mpi_trace_files.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "workloads/mpi/mpi_text_lines.hpp"
#include "workloads/mpi/text_hash.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

std::string list_of(const std::string& path) {
  std::error_code none;
  if (!fs::is_directory(path, none)) return path;
  const std::string list = (fs::path(path) / "trace.txt").string();
  if (!fs::exists(list, none))
    throw InputError({path, 0, ""},
                     "this folder holds no trace.txt; name the list of the ranks' files, as smpirun -trace-file does.");
  return list;
}

/// "" where there is none.
std::string found_file(const std::string& list, const std::string& named) {
  std::error_code none;
  const fs::path beside = fs::path(list).parent_path() / named;  // of an absolute name, that one
  if (fs::exists(beside, none)) return beside.string();
  return fs::exists(named, none) ? named : "";
}

}  // namespace

MpiTraceFiles find_mpi_trace_files(const std::string& path) {
  MpiTraceFiles files{.list = list_of(path), .paths = {}};
  const std::string text = read_user_file(files.list, kMostDescriptionBytes);
  int line = 0;
  for (const std::string_view name : text_lines(text, files.list)) {
    ++line;
    if (trimmed(name).empty()) continue;
    files.paths.push_back(found_file(files.list, std::string(name)));
    if (files.paths.back().empty())
      throw InputError({files.list, line, ""}, "there is no file " + quoted(name) +
                                                   ", which this list of the ranks' "
                                                   "files names, neither beside the list nor in the current folder.");
  }
  if (files.paths.empty())
    throw InputError({files.list, 0, ""}, "a list of the ranks' files names at least one; this one is empty.");
  return files;
}

MpiTraceStamp stamp_of(const MpiTraceFiles& files) {
  constexpr std::int64_t kCoarsestTick_s = 2;  // FAT's
  const std::int64_t now_s =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  MpiTraceStamp stamp{.text = {}, .is_settled = true};
  for (const std::string& path : files.paths) {
    const UserFile file(path, kTraceIsRegular);  // not asked for by name: a network's file system then asks its server
    const struct stat& status = file.status();
    stamp.is_settled = stamp.is_settled && status.st_ctim.tv_sec < now_s - kCoarsestTick_s;
    for (const std::int64_t value : {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
                                     std::int64_t{status.st_size}, std::int64_t{status.st_mtim.tv_sec},
                                     std::int64_t{status.st_mtim.tv_nsec}, std::int64_t{status.st_ctim.tv_sec}})
      stamp.text += std::to_string(value) + ' ';
    stamp.text += std::to_string(status.st_ctim.tv_nsec) + '\n';
  }
  return stamp;
}

std::string content_key(const MpiTraceFiles& files) {
  std::vector<char> block(std::size_t{1} << 18U);
  TextHash hash;
  for (const std::string& path : files.paths) {
    UserFile file(path, kTraceIsRegular);
    std::uint64_t bytes = 0, line_bytes = 0;
    for (; const std::size_t n = file.read(block.data(), block.size()); bytes += n) {
      const std::string_view read(block.data(), n);
      hash.add(read);
      // Terabytes of which nothing is stored would be read for hours. (What is packed has line feeds too.)
      const std::size_t line_end = read.rfind('\n');
      line_bytes = line_end == read.npos ? line_bytes + n : n - line_end - 1;
      if (line_bytes > kMostMpiLineBytes) refuse_long_mpi_line(path);
    }
    hash.add("\n" + std::to_string(bytes) + "\n");  // where it ends
  }
  hash.add(std::to_string(files.paths.size()));
  return hash.text();
}

}  // namespace nowsim
