// A measured load series from a CSV file, as an availability over time.
#pragma once

#include <cstdint>
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

/// What a file's stamps are: seconds from whatever moment, or a date and time, said to be UTC or not.
enum class StampKind { seconds, civil, utc };

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

/// Reads a CSV with a header line; the first column holds stamps ("YYYY-MM-DD HH:MM[:SS]", with 'T' too, or plain
/// seconds), `column` names the values. Civil stamps may have fractional seconds and end in 'Z'; all stamps of a file
/// are of one kind. Stamps are taken relative to the first. Quoted fields (within a line), CR LF, blank lines and a
/// byte order mark are understood.
/// @throws InputError naming file and line: file missing, column unknown (known ones listed), fewer than two samples,
/// rows that do not have the header's number of fields, a stamp that cannot be read or is of another kind, unsorted or
/// repeated stamps, values that are missing, NaN or out of range, gaps under GapRule::fail.
Trace read_trace(const std::string& file, const std::string& column, TraceMeasure measure, GapRule gaps);
/// The same of a text; `file` stands in errors.
Trace parse_trace(const std::string& text, const std::string& file, const std::string& column, TraceMeasure measure,
                  GapRule gaps);

/// The names in the header line but the first, which holds the stamps; none of a file without a header.
std::vector<std::string> trace_columns(const std::string& text, const std::string& file);
/// A moment as a stamp of that kind that parse_trace reads: "2014-02-14 14:30:00[.25]", "2014-02-14T14:30:00[.25]Z",
/// or seconds.
std::string stamp_text(StampKind kind, std::int64_t whole_s, double rest_s);
/// The median step between samples [s], and how many steps are gaps: longer than 1.5 times that (of a trace that was
/// read with GapRule::hold).
double median_step_s(const Trace& trace);
std::size_t count_gaps(const Trace& trace);

/// The name of a measure in YAML and in flags, in order of TraceMeasure; of a gap's rule, in order of GapRule.
const std::vector<std::string>& trace_measure_names();
const std::vector<std::string>& gap_rule_names();

}  // namespace nowsim
