// Writing over the line.
#include "tools/stage_line.hpp"

#include <unistd.h>

#include <cstdio>

#include "sim/base/utf8.hpp"

namespace nowsim {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

StageLine::StageLine(bool quiet) : next_(Clock::now() + 1s), silent_(quiet || isatty(STDERR_FILENO) == 0) {}

void StageLine::show(const std::string& what) {
  if (silent_ || Clock::now() < next_) return;
  next_ = Clock::now() + 200ms;
  std::fprintf(stderr, "\r\033[K%s", shown_line(what).c_str());
  std::fflush(stderr);
  shown_ = true;
}

void StageLine::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace nowsim
