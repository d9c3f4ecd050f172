// What is being done, on the error stream of a terminal: a line that renews itself.
#pragma once

#include <chrono>
#include <string>

namespace nowsim {

/// Says nothing in the first second, nor where nobody looks on.
class StageLine {
 public:
  explicit StageLine(bool quiet);
  ~StageLine() { clear(); }
  void show(const std::string& what);
  /// Wipes the line.
  void clear();

 private:
  std::chrono::steady_clock::time_point next_;
  bool silent_;
  bool shown_ = false;
};

}  // namespace nowsim
