// Outcomes turned into rows of estimates, and the rows written as a table for people, as CSV or as JSON.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/runner.hpp"

namespace nowsim {

/// A point's estimates: one entry per metric of the experiment, each with one estimate or one per workstation.
struct SummaryRow {
  std::vector<std::string> values;               ///< of the axes
  std::vector<std::vector<Estimate>> estimates;  ///< empty for a point without results
  std::vector<std::string> workstations;
  std::uint64_t replications = 0;
  std::uint64_t seed = 1;
  double confidence = 0.95;
  std::string engine;
  std::string status = "ok";                     ///< ok, infeasible, failed, or pending in a store
  std::string reason;                            ///< of infeasible and failed points; of others what their precision missed
  bool is_unsolved = false;                      ///< Point's: infeasible, and yet claims miss it
  std::string version = nowsim::version();       ///< of the program that simulated it; several are joined by +
  const VarianceReduction* variance_reduction = &kNoVarianceReduction;
  std::shared_ptr<const SplitReport> split;      ///< how its split was found; null where it needed no simulation, and
                                                 ///< for rows that are read back from a store

  [[nodiscard]] bool has_results() const { return !estimates.empty(); }
  /// Independent observations behind the intervals: replications, or pairs.
  [[nodiscard]] std::uint64_t observations() const { return replications / variance_reduction->unit(); }
};

struct Summary {
  std::string title;
  std::string file;
  std::vector<std::string> axes;
  std::vector<const Metric*> metrics;
  std::vector<SummaryRow> rows;

  [[nodiscard]] bool has_failures() const;
};

/// A point's estimates; with a memo, those of many points cost less.
SummaryRow summarise_point(const Experiment& experiment, const Point& point, const PointOutcome& outcome,
                           QuantileMemo* quantiles = nullptr);
/// A point's place in the sweep: "owner.TH=0.28 job.work=600f"; "" where nothing is swept.
std::string point_text(const Summary& summary, const SummaryRow& row);
/// The estimates of every point.
Summary summarise(const Experiment& experiment, const std::vector<PointOutcome>& outcomes);

/// A metric's name with its unit, as a column's head.
std::string metric_heading(const Metric& metric);
/// An estimate for people: `value ± half-width`, or `value [low, high]` where the interval is lopsided, with as many
/// digits as the interval supports; `value ± ?` where there is none.
std::string estimate_text(const Estimate& e);

/// How the results came about, as texts: "1000" or "100 to 300", "95 %"; "several" where rows differ, "-" without results.
struct Provenance {
  std::string replications;
  std::string confidence;
  std::string seed;
  std::string engine;
  std::string version;
  std::string variance_reduction;  ///< "" where there is none

  /// For a table's end or a figure's: "seed 1, engine direct, nowsim 0.1.0", and what reduced the variance.
  [[nodiscard]] std::string origin() const;
};
Provenance provenance_of(const Summary& summary);

enum class Format { table, csv, json };
/// Writes all rows. The table is for people, at most 100 columns wide where the experiment allows it; a `±` column is
/// the half-width of the confidence interval, `[low, high]` its ends where it is lopsided. CSV: axes, then per metric
/// its value, `_hw`, `_low` and `_high` (per workstation: metric_1, metric_1_hw, ...), replications, seed, engine,
/// version, status, reason; and variance_reduction where some row has one.
void write_summary(const Summary& summary, Format format, std::ostream& out);

}  // namespace nowsim
