// A measured load series, as an availability over time from a stamp on.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/owners/recordings.hpp"

namespace nowsim {

/// What to do where the step to the next sample is longer than it should be. The value before it holds through gaps of
/// up to kHeldSteps median steps; a longer one is time in which the machine was off, or not measured.
enum class GapRule {
  left_out,  ///< a long gap is no part of the series: the last value lasts one median step, then the next stretch begins
  off,       ///< nothing is available in a long gap, after one median step of the last value
  hold,      ///< the last value holds through any gap
  drop,      ///< every gap is cut out, short ones too, and the clock with it: what comes behind is earlier by that
  fail,      ///< an InputError that names the line and the gap's length
};

/// A step longer than this many median steps is a gap; one longer than kHeldSteps is a long one.
inline constexpr double kGapSteps = 1.5, kHeldSteps = 5;

/// A long gap that is left out: before this step of the series, and how much of the clock it takes.
struct LoadCut {
  std::size_t step;
  double length_s;
};

/// What the samples say of the time between them, whatever became of it. The time without data is what a gap has beyond
/// one median step.
struct LoadGaps {
  std::size_t count = 0;   ///< steps longer than kGapSteps median ones
  double span_s = 0;       ///< from the first sample to a median step behind the last
  double missing_s = 0;    ///< the time without data; the parts below are of it
  double left_out_s = 0;   ///< is no part of the series
  double off_s = 0;        ///< counts as switched off
  std::size_t off_steps = 0;  ///< the steps of the series that stand for that, which are no samples
  double restart_s = 0;    ///< of that, because the file tells of a restart at its end
};

/// A series of steps that wraps at its end. Immutable.
struct LoadSeries {
  std::vector<double> duration_s;    ///< how long each value lasts, > 0; the last sample lasts one median step
  std::vector<double> availability;  ///< in [0, 1], same length
  std::vector<double> start_s;       ///< when each step starts, start_s[0] = 0: for looking a moment up
  double total_s = 0;                ///< the sum of the durations
  Stamp first = {};                  ///< when it begins
  std::vector<LoadCut> cuts = {};    ///< in the order of time: the series is closed up there, the clock is not
  LoadGaps gaps = {};                ///< none of a series that is not made of samples

  /// A step behind the others.
  void add(double seconds, double value);
  /// Time-weighted mean and standard deviation of the availability.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double sd() const;
  /// When each step starts by the clock, since the first sample: start_s, and what is left out before it.
  [[nodiscard]] std::vector<double> clock_s() const;
  /// When it ends by the clock.
  [[nodiscard]] double clock_end_s() const;
};

/// A sample, and the line that it stands on.
struct LoadSample {
  int line;
  bool after_restart;  ///< what is before it is known to be time in which the machine was switched off
  Stamp stamp;
  double availability;
};
/// The steps of samples, two at least, in the order of time. Behind a gap before a sample that comes after a restart the
/// machine was off, also where others of that length are held or left out. @throws InputError of that file under
/// GapRule::fail.
LoadSeries series_of_samples(const std::vector<LoadSample>& samples, GapRule gaps, const std::string& file);

/// When there are samples, since the first one.
ClockSpans spans_of(const LoadSeries& series);
/// What it has in such spans, which are within its own, one behind the other.
LoadSeries in_spans(const LoadSeries& series, const ClockSpans& spans);
double median_step_s(const LoadSeries& series);
/// Its values at n moments, each no earlier than the one before: `moment_s` of 0, 1, ... [s].
template <class Moment>
std::vector<double> values_at(const LoadSeries& series, std::size_t n, const Moment& moment_s) {
  std::vector<double> values;
  std::size_t i = 0;
  for (std::size_t k = 0; k < n; ++k) {
    while (i + 1 < series.start_s.size() && series.start_s[i + 1] <= moment_s(k)) ++i;
    values.push_back(series.availability[i]);
  }
  return values;
}

/// How many gaps there are, which part of the span has no data, and what becomes of it; "" where there is no gap.
std::string gaps_text(const LoadGaps& gaps);

/// In YAML and in flags, in order of GapRule.
inline std::vector<std::string> gap_rule_names() { return {"left-out", "off", "hold", "drop", "fail"}; }

}  // namespace nowsim
