// Outcomes turned into rows of estimates.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// A point's estimates: one entry per metric of the experiment, each with one estimate or one per workstation.
struct ResultRow {
  std::vector<std::string> values;               ///< of the axes
  std::vector<std::vector<Estimate>> estimates;  ///< empty for a point without results
  std::vector<std::string> workstations;
  std::uint64_t replications = 0;
  std::uint64_t seed = 1;
  double confidence = 0.95;
  std::string engine;
  PointStatus status = PointStatus::ok;          ///< pending where it has not been run yet
  std::string reason;                            ///< of points without results; of others what their precision missed
  std::string version = nowsim::version();       ///< of the program that simulated it; several are joined by +
  const VarianceReduction* variance_reduction = &kNoVarianceReduction;
  std::shared_ptr<const std::vector<double>> makespans_s;  ///< T of each replication, where the figure shows times
  double deadline_s = 0;                         ///< of the risk factor; 0: none, or not known
  std::int64_t stored_scenario = 0;              ///< whose replications these are, in the store that has them; 0: none
  std::optional<Decided> decided;                ///< of points with results, where something is decided
  std::shared_ptr<const SplitReport> split;      ///< how its split was found; null where it needed no simulation, and
                                                 ///< for rows that are read back from a store

  /// The status that people are told: an unsolved point is infeasible.
  [[nodiscard]] PointStatus told_status() const {
    return status == PointStatus::unsolved ? PointStatus::infeasible : status;
  }
  [[nodiscard]] bool has_results() const { return !estimates.empty(); }
  /// Independent observations behind the intervals: replications, or pairs.
  [[nodiscard]] std::uint64_t observations() const { return replications / variance_reduction->unit(); }
};

/// Some rows of a table, in its order.
using ResultRows = std::vector<const ResultRow*>;

/// Rows that have the same values of some axes.
struct RowCell {
  std::vector<std::string> at;  ///< these values
  ResultRows rows;
};

/// A row and where it lies on an axis.
struct PlacedRow {
  double at;  ///< the number that the axis' value is; where not all of its values are numbers, which it is, from 0
  const ResultRow* row;
};

/// Rows that differ in one axis, each at another place, and in those that go together with it.
struct RowCurve {
  std::string across;  ///< their value of a second axis; "" without one
  std::string label;   ///< "platform.workstations = 8, let.growth = 2"; "" where there is one curve only
  std::vector<PlacedRow> rows;
};

struct ResultTable {
  std::string title;
  std::string file;
  std::vector<std::string> axes;
  std::vector<const Metric*> metrics;
  std::vector<ResultRow> rows;
  std::string remark = {};  ///< worth saying of what replications did, no problem; "" where nothing is

  /// How many rows people are told to have this status.
  [[nodiscard]] std::size_t count(PointStatus status) const;
  [[nodiscard]] bool has_failures() const { return count(PointStatus::failed) > 0; }

  // What figures, claims, comparisons and labs ask of it.

  /// Where an axis stands; axes.size() for a key that is not swept.
  [[nodiscard]] std::size_t axis_index(const std::string& key) const;
  /// Where a metric stands; metrics.size() for one that was not asked for.
  [[nodiscard]] std::size_t metric_index(const std::string& name) const;
  /// One that was.
  [[nodiscard]] const Metric& metric(const std::string& name) const { return *metrics.at(metric_index(name)); }
  /// A row's value of a swept key, as written.
  [[nodiscard]] const std::string& value(const ResultRow& row, const std::string& key) const {
    return row.values.at(axis_index(key));
  }
  /// Whether a row has this value of a swept key (same_axis_value).
  [[nodiscard]] bool has(const ResultRow& row, const std::string& key, const std::string& value) const;
  /// A row's estimates of a metric, one per element. The row has to have results.
  [[nodiscard]] const std::vector<Estimate>& estimates(const ResultRow& row, const std::string& metric) const {
    return row.estimates.at(metric_index(metric));
  }
  /// A row's estimate of a metric, kNotKnown where the point has no results.
  [[nodiscard]] Estimate estimate(const ResultRow& row, const std::string& metric) const {
    return row.has_results() ? estimates(row, metric).front() : exactly(kNotKnown);
  }
  /// The axes that tell some rows apart besides the given ones: those that take several values where those, and the ones before,
  /// have one each. Others go together with them, in a zip.
  [[nodiscard]] std::vector<std::size_t> axes_beside(const std::vector<std::size_t>& given, const ResultRows& of) const;
  /// The different values of a swept key, as written, in the order of their first rows.
  [[nodiscard]] std::vector<std::string> values(const std::string& key) const;
  /// The rows that are as they are wanted.
  [[nodiscard]] ResultRows rows_that(const std::function<bool(const ResultRow&)>& are_wanted) const;
  /// Rows by their values of some axes: cells in the order of their first rows.
  [[nodiscard]] std::vector<RowCell> cells(const std::vector<std::size_t>& by, const ResultRows& of) const;
  /// The curves of rows along an axis, those that differ in the axis `across` alone in groups, by its rising value;
  /// without such an axis ("") each is a group. Axes that go together with these in a zip do not tell curves apart; of
  /// others that go together, the first names the curve. Of rows at one place the first counts.
  /// @param among by which axes are told apart. @param counts of these the rows that lie on curves.
  [[nodiscard]] std::vector<std::vector<RowCurve>> curves(const std::string& along, const std::string& across,
                                                          const ResultRows& among,
                                                          const std::function<bool(const ResultRow&)>& counts) const;
};
/// A row's values of some axes.
std::vector<std::string> values_of(const ResultRow& row, const std::vector<std::size_t>& axes);

/// A point's estimates; with a memo, those of many points cost less.
ResultRow summarise_point(const Experiment& experiment, const Point& point, const PointOutcome& outcome,
                           QuantileMemo* quantiles = nullptr);
/// A point's place in the sweep: "owner.TH=0.28 job.work=600f"; "" where nothing is swept.
std::string point_text(const std::vector<std::string>& axes, const std::vector<std::string>& values);
inline std::string point_text(const ResultTable& summary, const ResultRow& row) {
  return point_text(summary.axes, row.values);
}
/// The estimates of every point.
ResultTable summarise(const Experiment& experiment, const std::vector<PointOutcome>& outcomes);

}  // namespace nowsim
