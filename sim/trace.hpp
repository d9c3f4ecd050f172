// A measured load series from a CSV file, as an availability over time.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// What a trace's column holds.
enum class TraceMeasure {
  utilisation_percent,  ///< the owner's share in per cent: availability = 1 - u/100
  utilisation,          ///< the owner's share in [0, 1]
  availability,         ///< what is left, in [0, 1]
};
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

  /// Time-weighted mean and standard deviation of the availability.
  [[nodiscard]] double mean() const;
  [[nodiscard]] double sd() const;
};

/// Reads a CSV with a header line; the first column holds stamps ("YYYY-MM-DD HH:MM[:SS]", with 'T' too, or plain
/// seconds), `column` names the values. Civil stamps may have fractional seconds and end in 'Z'; all stamps of a file
/// are of one kind. Stamps are taken relative to the first. Quoted fields (within a line), CR LF, blank lines and a
/// byte order mark are understood.
/// @throws InputError naming file and line: file missing, column unknown (known ones listed), fewer than two samples,
/// rows that do not have the header's number of fields, a stamp that cannot be read or is of another kind, unsorted or
/// repeated stamps, values that are missing, NaN or out of range, gaps under GapRule::fail.
Trace read_trace(const std::string& file, const std::string& column, TraceMeasure measure, GapRule gaps);

}  // namespace nowsim
