// Progress on the error stream: a line that renews itself on a terminal, plain lines now and then elsewhere.
#pragma once

#include <chrono>

#include "experiments/runner.hpp"

namespace nowsim {

/// Says nothing in the first second, so that short runs stay quiet.
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  ///< wipes the line on a terminal
  void show(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_, next_;
};

}  // namespace nowsim
