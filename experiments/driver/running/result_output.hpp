// A table of results written: for people, as CSV or as JSON; in which units, and why some estimates have no interval;
// what was decided, and splits that were found.
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

/// A row's values of the axes.
Fields axis_fields(const ResultTable& table, const ResultRow& row, unsigned in = kForPrograms);
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

/// What intervals are of, where replications decided when to stop: for programs, and below tables.
inline constexpr const char* kAfterStopping = "after stopping";
inline constexpr const char* kIntervalsAfterStopping = "intervals are of replications that also decided when to stop";
/// Whether something has been decided about some row.
bool has_decisions(const ResultTable& summary);

/// Writes all rows. The table is for people, at most 100 columns wide where the experiment allows it; a `±` column is
/// the half-width of the confidence interval, `[low, high]` its ends where it is lopsided. CSV: axes, then per metric
/// its value, `_hw`, `_low` and `_high` (per workstation: metric_1, metric_1_hw, ...), replications, seed, engine,
/// version, status, reason; and variance_reduction where some row has one, decided, decided_by,
/// indifference and intervals ("after stopping") where something is decided. Table and JSON then also have each cell's
/// best value, those measured within the indifference of it or not told apart, how many replications its points got, and
/// how many of as many for each were saved.
void write_summary(const ResultTable& summary, Format format, std::ostream& out);

// ---- splits that were found by simulation, and what they are worth (split_output.cpp)

/// Whether some row has such a split.
bool has_found_splits(const ResultTable& summary);

/// For people: of one such row a block with every workstation's share (of up to 16), of several a table.
void write_split_table(const ResultTable& summary, std::ostream& out);
/// Below a table: nothing where no split was found, else a blank line and that, or a line that says how to see it.
void write_found_splits(const ResultTable& summary, bool is_asked_for, std::ostream& out);
/// A row per row that has one: axes, policy, objective, its value by step (1), afterwards, and the reduction, each with
/// its interval; what is known of second steps and of searches, blank where it does not apply; and of each workstation
/// its share by step (1) and as decided.
void write_split_csv(const ResultTable& summary, std::ostream& out);
/// What JSON has of a row's split: the same, with the shares by the workstations' names.
Object split_object(const ResultRow& row);

}  // namespace nowsim
