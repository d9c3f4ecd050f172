// Progress on the error stream: a line that renews itself on a terminal, plain lines now and then elsewhere.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/sweeps/resolve_splits.hpp"
#include "experiments/driver/sweeps/solve_sizes.hpp"
#include "tools/overall_progress.hpp"

namespace nowsim {

/// Where a line of progress is seen.
struct LineOutput {
  bool renews;                                    ///< a new text takes the place of the one before
  std::function<void(const std::string&)> write;  ///< without control characters
  std::function<void()> wipe;
};
/// The error stream, on which lines renew themselves where it is a terminal.
LineOutput error_stream_output();

/// Says nothing in the first second, so that short runs stay quiet.
class ProgressLine {
 public:
  /// With a whole, which must outlive it, it tells how far that is, and what it is shown is the progress of a part.
  explicit ProgressLine(OverallProgress* whole = nullptr, LineOutput output = error_stream_output());
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Wipes the line on a terminal: before anything else is said.
  void clear();
  void show(const Progress& progress);
  void show(const SplitProgress& progress);
  void show(const SizeProgress& progress);

 private:
  /// Whether it is time for another line; the next one is due a while later.
  bool is_due(std::chrono::steady_clock::time_point now);
  void write(const std::string& text);
  void tell_whole(const Progress& progress);
  [[nodiscard]] double elapsed_s() const;
  using Clock = std::chrono::steady_clock;
  OverallProgress* whole_;
  LineOutput output_;
  bool shown_ = false;
  Clock::time_point start_, next_;
};

/// What is being done, on a terminal: says nothing in the first second, nor where nobody looks on.
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
