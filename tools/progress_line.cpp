// Writing progress, at most a few times a second on a terminal and every ten seconds elsewhere.
#include "tools/progress_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "experiments/quantity.hpp"

namespace nowsim {

using namespace std::chrono_literals;

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), next_(start_ + 1s) {
  if (!terminal_) next_ = start_ + 10s;
}

ProgressLine::~ProgressLine() {
  if (shown_ && terminal_) std::fputs("\r\033[K", stderr);
}

void ProgressLine::show(const Progress& p) {
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? Clock::duration(200ms) : Clock::duration(10s));
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(p.replications_done) / seconds;
  const double left = static_cast<double>(p.replications_expected - p.replications_done - p.replications_stored) / std::max(rate, 1e-9);
  std::fprintf(stderr, "%s%zu/%zu points, %s replications/s, at most %s left%s", terminal_ ? "\r\033[K" : "",
               p.points_done, p.points, format_quantity(rate, Dimension::number).c_str(),
               format_quantity(left, Dimension::time).c_str(), terminal_ ? "" : "\n");
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace nowsim
