// Progress of an experiment, or of several, on the error stream: a line that renews itself on a terminal, plain lines
// now and then elsewhere.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// A time left for people, no more precise than it is: tens of seconds, minutes, tens of minutes.
std::string time_left_text(double seconds);

/// How long several experiments take that are run one after the other: as was estimated, times what those that are over
/// took beside their estimates.
class OverallProgress {
 public:
  struct Part {
    std::string name;
    double estimated_s = 0;  ///< on one core, of what is not stored
  };
  OverallProgress(std::vector<Part> parts, int jobs);
  void begin(std::size_t part) { part_ = part; }
  /// The part is over, and took so long.
  void end(double took_s);
  /// "experiment 12 of 47, about 4 min left: huang-lee-2007/fig09, ", after so long a time in that part. `left_s`: of
  /// the part, where that is known; if not it is what was estimated, but at least `least_s`.
  [[nodiscard]] std::string text(double passed_s, double least_s, std::optional<double> left_s = {}) const;

 private:
  std::vector<Part> parts_;
  std::size_t part_ = 0;
  double estimated_s_, took_s_;  // of those that are over, and before them of some seconds estimated rightly
};

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
  /// With a whole, which must outlive it, its lines begin with that one's.
  explicit ProgressLine(OverallProgress* whole = nullptr, LineOutput output = error_stream_output(),
                        LineClock now = &std::chrono::steady_clock::now);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Wipes the line on a terminal: before anything else is said.
  void clear();
  /// Another process shows lines from now on: clear() wipes what it leaves.
  void lend() { shown_ = true; }
  /// What it is shown from now on is of this part of the whole, which is shown by a process of its own; and that it is
  /// over, which tells how fast the others are.
  void begin(std::size_t part);
  void end();
  void show(const Progress& progress);
  void show(const SplitProgress& progress);
  void show(const SizeProgress& progress);
  /// When another line is due, at the earliest; and that it is not before, since another process has shown one.
  [[nodiscard]] Clock::time_point next() const { return next_; }
  void wait_until(Clock::time_point next) { next_ = next; }

 private:
  /// Whether it is time for another line; the next one is due a while later.
  bool is_due(std::chrono::steady_clock::time_point now);
  /// `least_s` and `left_s` as of the whole's text().
  void write(const std::string& text, double least_s, std::optional<double> left_s = {});
  [[nodiscard]] double elapsed_s() const;
  /// Of all points; nothing while that cannot be told.
  std::optional<double> points_left_s(const Progress& progress);
  /// A search that is so far, of which so much was simulated since it began. Of sizes the points are among the trials.
  enum class Sought { splits, sizes };
  void show_search(Sought sought, const std::string& found, double share, double simulated);
  OverallProgress* whole_;
  LineOutput output_;
  LineClock now_;
  bool shown_ = false;
  Clock::time_point start_, next_;   // start_: of the part, where there is a whole
  std::optional<Sought> search_;     // that is underway
  Clock::time_point search_start_;
  std::uint64_t told_ = 0;           // replications done when the time left was last reckoned, when, and what came of it
  Clock::time_point told_at_;
  double told_left_s_ = 0;
};

/// What is being done: as often as a ProgressLine.
class StageLine {
 public:
  explicit StageLine(bool quiet, LineOutput output = error_stream_output(),
                     LineClock now = &std::chrono::steady_clock::now);
  ~StageLine() { clear(); }
  void show(const std::string& what);
  /// The same of a part of several, which are about alike: "fitting: trace 3 of 10, about 20 s left" for the third one,
  /// number 2.
  void show(const std::string& what, std::size_t part, std::size_t parts);
  /// That is still being done: tells it again when it is time.
  void go_on();
  /// Wipes the line.
  void clear();

 private:
  LineOutput output_;
  LineClock now_;
  std::chrono::steady_clock::time_point start_, next_;
  bool quiet_;
  std::string what_;  // is being done
  bool shown_ = false;
};

}  // namespace nowsim
