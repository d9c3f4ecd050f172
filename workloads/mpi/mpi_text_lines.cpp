// A buffer that lines are cut from, grown for a line that is longer.
#include "workloads/mpi/mpi_text_lines.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "sim/base/error.hpp"

namespace nowsim {

void refuse_long_mpi_line(const std::string& path) {
  throw InputError({path, 0, ""}, "this is no trace: it has a line of more than 64 MiB.");
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
    const char* const begin = buffer_.data() + begin_;
    const std::size_t size = end_ - begin_;
    const void* const found = size > looked ? std::memchr(begin + looked, '\n', size - looked) : nullptr;
    looked = size;
    const bool is_end = found == nullptr && !read_on();
    if (is_end && begin_ == end_) return false;
    if (found == nullptr && !is_end) continue;
    line = {buffer_.data() + begin_,
            is_end ? end_ - begin_ : static_cast<std::size_t>(static_cast<const char*>(found) - begin)};
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
  if (end_ > kMostMpiLineBytes) refuse_long_mpi_line(path_);
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t n = file_.bytes->read(buffer_.data() + end_, buffer_.size() - end_);
  if (file_.packed_bytes > 0) bound_.take(n, path_);
  end_ += n;
  return n > 0;
}

}  // namespace nowsim
