// A table of results written: for people, as CSV or as JSON; in which units, and why some estimates have no interval.
#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/text_table.hpp"

namespace nowsim {

/// The unit of each metric's columns: its own, of times the one that suits the columns together (units_of_times()). It
/// refers to the summary's metrics.
std::vector<ColumnUnit> metric_units(const ResultTable& summary);

/// Whether there is a value of which it is not known how sure it is.
bool lacks_interval(const Estimate& estimate);

/// How the results came about, as texts: "1000" or "100 to 300", "95 %"; "several" where rows differ, "-" without results.
struct Provenance {
  std::string replications;
  std::string confidence;
  std::string seed;
  std::string engine;
  std::string version;
  std::string variance_reduction;  ///< "" where there is none

  bool has_single = false;         ///< some estimates lack intervals, since one replication has none

  /// For a table's end: "1000 replications, ± 95 % confidence", and what `± ?` means where that is of one replication.
  [[nodiscard]] std::string counts() const;
  /// For a table's end or a figure's: "seed 1, engine direct, nowsim 0.1.0", and what reduced the variance.
  [[nodiscard]] std::string origin() const;
};
Provenance provenance_of(const ResultTable& summary);
/// What rows with results have of something (their engine, seed, ...): each value once, in their order, with the number of
/// rows that have it.
std::vector<std::pair<std::string, std::size_t>> values_that_ran(const ResultTable& summary,
                                                                 const std::function<std::string(const ResultRow&)>& of);

/// What made a row: its replications, seed, engine and version.
Fields run_fields(const ResultRow& row, unsigned in = kForPrograms);
/// Whether some row has results, so that somebody ran it.
bool has_run(const ResultTable& table);
/// Who ran an answer's table: counts, with what is to be said of intervals, and origin.
std::string run_line(const ResultTable& table, const std::string& of_intervals = "");
/// That, and of rows that are no whole results a line each: "imprecise: optimal: the interval of tau is ...", with their
/// first axis for a name; and the remark.
std::vector<std::string> run_lines(const ResultTable& table);

/// The estimates of points (`with_all`: also of those without results), and those of workstations; without a head and
/// rows where no metric is so.
TextTable point_table(const ResultTable& summary, bool with_all);
TextTable workstation_table(const ResultTable& summary);

/// Writes all rows. The table is for people, at most 100 columns wide where the experiment allows it; a `±` column is
/// the half-width of the confidence interval, `[low, high]` its ends where it is lopsided. CSV: axes, then per metric
/// its value, `_hw`, `_low` and `_high` (per workstation: metric_1, metric_1_hw, ...), replications, seed, engine,
/// version, status, reason; and variance_reduction where some row has one, decided, decided_by,
/// indifference and intervals ("after stopping") where something is decided.
void write_summary(const ResultTable& summary, Format format, std::ostream& out);

}  // namespace nowsim
