// A list is a text of paths.
#include "workloads/mpi/mpi_trace_files.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"
#include "workloads/mpi/content_hash.hpp"
#include "workloads/mpi/unpacked_stream.hpp"

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
  MpiTraceFiles files{.list = list_of(path), .named = {}, .paths = {}};
  const std::string text = read_user_file(files.list, kMostDescriptionBytes);
  int line = 0;
  for (const std::string_view name : text_lines(text, files.list)) {
    ++line;
    if (trimmed(name).empty()) continue;
    files.named.emplace_back(name);
    files.paths.push_back(found_file(files.list, files.named.back()));
    if (files.paths.back().empty())
      throw InputError({files.list, line, ""}, "there is no file " + quoted(name) +
                                                   ", which this list of the ranks' "
                                                   "files names, neither beside the list nor in the current folder.");
  }
  if (files.paths.empty())
    throw InputError({files.list, 0, ""}, "a list of the ranks' files names at least one; this one is empty.");
  return files;
}

FileStamp file_stamp(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw InputError({path, 0, ""}, errno == ENOENT
                                        ? std::string(kNoSuchFile)
                                        : std::string("this file cannot be read: ") + std::strerror(errno) + ".");
  constexpr std::int64_t kNanosecondsPerSecond = 1000000000;
  return {status.st_size, status.st_mtim.tv_sec * kNanosecondsPerSecond + status.st_mtim.tv_nsec};
}

std::string file_hash(const std::string& path) {
  const auto stream = open_stream(path);
  std::vector<char> block(std::size_t{1} << 18U);
  ContentHash hash;
  while (const std::size_t n = stream->read(block.data(), block.size())) hash.add({block.data(), n});
  return hash.text();
}

}  // namespace nowsim
