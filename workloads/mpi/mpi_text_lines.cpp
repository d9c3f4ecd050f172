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

MpiTextLines::MpiTextLines(const std::string& path, UnpackedBound& bound)
    : path_(path), bytes_(open_unpacked(path, bound)), buffer_(std::size_t{1} << 18U) {}

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
  const std::size_t n = bytes_->read(buffer_.data() + end_, buffer_.size() - end_);
  end_ += n;
  return n > 0;
}

}  // namespace nowsim
