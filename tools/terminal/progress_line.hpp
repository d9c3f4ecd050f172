// Progress on the error stream: a line that renews itself on a terminal, plain lines now and then elsewhere.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "experiments/driver/running/runner.hpp"
#include "tools/terminal/overall_progress.hpp"

namespace nowsim {

/// Where a line of progress is seen.
struct LineOutput {
  bool renews;                                    ///< a new text takes the place of the one before
  std::function<void(const std::string&)> write;  ///< without control characters
  std::function<void()> wipe;
};
/// The error stream, on which lines renew themselves where it is a terminal. There they are cut to its width, with room
/// left for the ^C of whoever stops it, so that they never go on in the next line.
LineOutput error_stream_output();

/// What time it is; a test has a clock of its own.
using LineClock = std::function<std::chrono::steady_clock::time_point()>;

/// Says nothing in the first second, so that short runs stay quiet, and then something every second on a terminal, every
/// ten elsewhere.
class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;
  /// With a whole, which must outlive it, it tells how far that is, and what it is shown is the progress of a part.
  explicit ProgressLine(OverallProgress* whole = nullptr, LineOutput output = error_stream_output(),
                        LineClock now = &std::chrono::steady_clock::now);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Wipes the line on a terminal: before anything else is said.
  void clear();
  /// Another process shows lines from now on: clear() wipes what it leaves.
  void lend() { shown_ = true; }
  void show(const Progress& progress);
  void show(const SplitProgress& progress);
  void show(const SizeProgress& progress);
  /// When another line is due, at the earliest; and that it is not before, since another process has shown one.
  [[nodiscard]] Clock::time_point next() const { return next_; }
  void wait_until(Clock::time_point next) { next_ = next; }

 private:
  /// Whether it is time for another line; the next one is due a while later.
  bool is_due(std::chrono::steady_clock::time_point now);
  void write(const std::string& text);
  void tell_whole(const Progress& progress);
  [[nodiscard]] double elapsed_s() const;
  std::string points_text(const Progress& progress);
  /// ", about 20 s left" of a search that is so far, of which so much was simulated since it began; "" while that
  /// tells nothing.
  std::string search_left(Search search, double share, double simulated);
  OverallProgress* whole_;
  LineOutput output_;
  LineClock now_;
  bool shown_ = false;
  Clock::time_point start_, next_;
  std::optional<Search> search_;     // that is underway
  Clock::time_point search_start_;
  std::uint64_t told_ = 0;           // replications done when the time left was last reckoned, when, and what came of it
  Clock::time_point told_at_;
  double told_left_s_ = 0;
};

/// What is being done, on a terminal: says nothing in the first second, nor where nobody looks on.
class StageLine {
 public:
  explicit StageLine(bool quiet, LineOutput output = error_stream_output(),
                     LineClock now = &std::chrono::steady_clock::now);
  ~StageLine() { clear(); }
  void show(const std::string& what);
  /// The same of a part of several, which are about alike: "fitting: trace 3 of 10, about 20 s left" for the third one,
  /// number 2.
  void show(const std::string& what, std::size_t part, std::size_t parts);
  /// Wipes the line.
  void clear();

 private:
  LineOutput output_;
  LineClock now_;
  std::chrono::steady_clock::time_point start_, next_;
  bool silent_;
  bool shown_ = false;
};

}  // namespace nowsim
