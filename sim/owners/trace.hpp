// A measured load series, as an availability over time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/owners/trace_stamp.hpp"

namespace nowsim {

/// What to do where the step to the next sample is longer than 1.5 times the median step.
enum class GapRule {
  hold,  ///< the last value holds through the gap
  drop,  ///< the gap is cut out of the time line: the last value lasts one median step
  fail,  ///< an InputError that names the line and the gap's length
};

/// A series of steps that wraps at its end. Immutable.
struct Trace {
  std::vector<double> duration_s;    ///< how long each value lasts, > 0; the last sample lasts one median step
  std::vector<double> availability;  ///< in [0, 1], same length
  std::vector<double> start_s;       ///< when each step starts, start_s[0] = 0: for looking a moment up
  double total_s = 0;                ///< the sum of the durations
  StampKind stamps = StampKind::seconds;
  std::int64_t first_s = 0;          ///< the first stamp: whole seconds since 1970, or of plain seconds
  double first_rest_s = 0;           ///< and what is to be added to them

  /// Time-weighted mean and standard deviation of the availability.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double sd() const;
};

/// A sample, and the line that it stands on.
struct TraceSample {
  int line;
  Stamp stamp;
  double availability;
};
/// The steps of samples, two at least, in the order of time. @throws InputError of that file under GapRule::fail.
Trace trace_of_samples(const std::vector<TraceSample>& samples, GapRule gaps, const std::string& file);

/// The median step between samples [s], and how many steps are gaps: longer than 1.5 times that (of a trace that was
/// read with GapRule::hold).
double median_step_s(const Trace& trace);
std::size_t count_gaps(const Trace& trace);

/// The name of a gap's rule in YAML and in flags, in order of GapRule.
const std::vector<std::string>& gap_rule_names();

}  // namespace nowsim
