// What a split is judged by, as functions of a sample of makespans: values, slopes, and intervals of differences.
#pragma once

#include <span>
#include <vector>

#include "sim/splitting/split_task.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// The objective of a sample: the mean, the share that is longer than the deadline, or the k-th smallest of n for the
/// quantile, k = ceil(level·n). NaN for an empty sample.
double objective_value(const SplitObjective& objective, std::span<const double> makespan_s);

/// A function near the objective that changes smoothly with the makespans, for a search to follow.
/// tau is its own. RF of a sample is a count: it stays the same while a split moves a little, and jumps then, so that
/// its slope says nothing. Each replication's step at the deadline is therefore a normal distribution function of
/// standard deviation `width_s`. (So the smooth value is RF at a deadline blurred by as much.) The quantile of a sample
/// follows one replication alone; the smooth one is the mean of those around it, weighted by a normal density over
/// their ranks.
struct SmoothObjective {
  SplitObjective objective;
  double width_s = 0;  ///< risk: of the step

  /// For splits near one that gave this sample: the width follows from the sample's spread (Silverman 1986, (3.28):
  /// 1.06·sd·n^(-1/5)), but reaches to the deadline where that is beyond the sample, or there would be no slope.
  static SmoothObjective near(const SplitObjective& objective, std::span<const double> makespan_s);
  [[nodiscard]] double value(std::span<const double> makespan_s) const;
  /// d value/d T_k of each replication k.
  [[nodiscard]] std::vector<double> slopes(std::span<const double> makespan_s) const;
};

/// The objective with its interval: Student's t for tau, Clopper-Pearson for RF, quantile_estimate()'s for a quantile.
Estimate objective_estimate(const SplitObjective& objective, std::span<const double> makespan_s, double confidence);

/// The objective of `a` less that of `b`, two samples of the same replications: Student's t of the replications'
/// differences for tau, Tango's interval for RF (series_estimates.hpp), that of paired_quantile_difference() for a
/// quantile, with ends that are NaN where the samples are too small to bound it. Width 0 where all replications agree, but for RF.
Estimate paired_difference(const SplitObjective& objective, std::span<const double> a, std::span<const double> b,
                           double confidence);

}  // namespace nowsim
