// A list is a text of paths; lines are cut from a buffer, which grows for a line that is longer.
#include "workloads/mpi/mpi_trace_files.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "workloads/mpi/file_bytes.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// What is said of a file of a trace that is a pipe, a folder or the like.
constexpr const char* kTraceIsRegular = "a trace is read more than once: this has to be a regular file.";

/// An alltoallv of a million ranks has a quarter of it.
constexpr std::size_t kMostMpiLineBytes = std::size_t{64} << 20U;
[[noreturn]] void refuse_long_line(const std::string& path) {
  throw InputError({path, 0, ""}, "this is no trace: it has a line of more than 64 MiB.");
}

}  // namespace

MpiTraceFiles find_mpi_trace_files(const std::string& path) {
  std::error_code none;
  MpiTraceFiles files{.list = fs::is_directory(path, none) ? (fs::path(path) / "trace.txt").string() : path};
  if (files.list != path && !fs::exists(files.list, none))
    throw InputError({path, 0, ""},
                     "this folder holds no trace.txt; name the list of the ranks' files, as smpirun -trace-file does.");
  const std::string text = read_user_file(files.list, kMostDescriptionBytes);
  int line = 0;
  for (const std::string_view name : TextLines(text, files.list)) {
    ++line;
    if (trimmed(name).empty()) continue;
    const fs::path named(name), beside = fs::path(files.list).parent_path() / named;  // of an absolute name, that one
    const fs::path& found = fs::exists(beside, none) ? beside : named;
    if (!fs::exists(found, none))
      throw InputError({files.list, line, ""}, "there is no file " + quoted(name) +
                                                   ", which this list of the ranks' "
                                                   "files names, neither beside the list nor in the current folder.");
    files.paths.push_back(found.string());
  }
  if (files.paths.empty())
    throw InputError({files.list, 0, ""}, "a list of the ranks' files names at least one; this one is empty.");
  return files;
}

MpiTraceStamp stamp_of(const MpiTraceFiles& files) {
  constexpr std::int64_t kCoarsestTick_s = 2;  // FAT's
  const std::int64_t now_s = std::time(nullptr);
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
      if (line_bytes > kMostMpiLineBytes) refuse_long_line(path);
    }
    hash.add("\n" + std::to_string(bytes) + "\n");  // where it ends
  }
  hash.add(std::to_string(files.paths.size()));
  return hash.text();
}

void UnpackedBound::take(std::uint64_t unpacked, const std::string& path) {
  constexpr std::uint64_t kTimes = 1000, kAlways = std::uint64_t{16} << 20U;
  unpacked_ += unpacked;
  const std::uint64_t most = most_ > 0 ? most_ : std::max(kAlways, kTimes * packed_);
  if (unpacked_ <= most) return;
  const std::string rule = most_ > 0 ? "" : ": 16 MiB, or 1000 times what is packed if that is more";
  throw InputError({path, 0, ""}, "the packed files of this trace, " + std::to_string(packed_) +
                                      " bytes up to this one, come to more than " + std::to_string(most) +
                                      " bytes, which is as much as may be unpacked" + rule +
                                      ". If so much is meant, say how much: job.unpacked, or --unpacked of a plan.");
}

MpiTextLines::MpiTextLines(const std::string& path, UnpackedBound& bound)
    : path_(path), file_(open_user_file(path, kTraceIsRegular)), bound_(bound), buffer_(std::size_t{1} << 18U) {
  bound_.add_packed(file_.packed_bytes);
}

bool MpiTextLines::next(std::string_view& line) {
  for (std::size_t looked = 0;;) {
    const std::string_view there(buffer_.data() + begin_, end_ - begin_);
    const std::size_t end = there.find('\n', looked);
    looked = there.size();
    if (end == there.npos && read_on()) continue;
    if (begin_ == end_) return false;
    line = {buffer_.data() + begin_, std::min(end, end_ - begin_)};
    begin_ = std::min(end_, begin_ + line.size() + 1);
    if (number_ == std::numeric_limits<std::uint32_t>::max())
      throw InputError({path_, 0, ""}, "a trace's file may have 4294967295 lines, and this one has more.");
    ++number_;
    return true;
  }
}

/// More bytes behind those that are there; false at the end.
bool MpiTextLines::read_on() {
  std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
            buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  if (end_ > kMostMpiLineBytes) refuse_long_line(path_);
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t n = file_.bytes->read(buffer_.data() + end_, buffer_.size() - end_);
  if (file_.packed_bytes > 0) bound_.take(n, path_);
  end_ += n;
  return n > 0;
}

}  // namespace nowsim
