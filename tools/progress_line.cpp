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

bool ProgressLine::is_due(Clock::time_point now) {
  if (now < next_) return false;
  next_ = now + (terminal_ ? Clock::duration(200ms) : Clock::duration(10s));
  return true;
}

void ProgressLine::write(const std::string& text) {
  std::fprintf(stderr, "%s%s%s", terminal_ ? "\r\033[K" : "", text.c_str(), terminal_ ? "" : "\n");
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::show(const SplitProgress& p) {
  if (!is_due(Clock::now())) return;
  write("finding splits by simulation: " + std::to_string(p.found) + "/" + std::to_string(p.wanted) + " in " +
        format_quantity(p.seconds, Dimension::time));
}

void ProgressLine::show(const SizeProgress& p) {
  if (!is_due(Clock::now())) return;
  write("finding sizes by simulation: " + std::to_string(p.found) + "/" + std::to_string(p.wanted) + ", round " +
        std::to_string(p.round));
}

void ProgressLine::show(const Progress& p) {
  const auto now = Clock::now();
  if (!is_due(now)) return;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(p.replications_done) / seconds;
  const double left = static_cast<double>(p.replications_expected - p.replications_done - p.replications_stored) / std::max(rate, 1e-9);
  write(std::to_string(p.points_done) + "/" + std::to_string(p.points) + " points, " +
        format_quantity(rate, Dimension::number) + " replications/s, at most " +
        format_quantity(left, Dimension::time) + " left");
}

}  // namespace nowsim
