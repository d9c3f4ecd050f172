// The papers' metrics: estimates with intervals, from what the replications of a point leave behind.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/registry.hpp"
#include "sim/metrics/point_statistics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/sample.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// The efficiencies by which problem sizes are compared: ZY (10), BO (1), and the latter of what owners leave.
enum class Efficiency { E, eps, eps_a };

/// The efficiency that was asked for, and is at all sizes of the interval.
struct SolvedEfficiency {
  Efficiency which;
  double value;
};

/// A problem size that was solved for, or another key's value, and what it means for scalability.
struct SolvedSize {
  Estimate size;
  Estimate work_per_power_s;  ///< |A|/(max S·sum W): at the size, and the least and most at the interval's ends
  std::optional<SolvedEfficiency> efficiency;  ///< none where it was another metric, or the best of a range

  /// The value of this one; nothing where it was not what was asked for.
  [[nodiscard]] std::optional<double> value_of(Efficiency wanted) const {
    return efficiency && efficiency->which == wanted ? std::optional(efficiency->value) : std::nullopt;
  }
};

struct ReferencePoint {
  const Scenario* scenario = nullptr;
  const PointStatistics* statistics = nullptr;
  const SolvedSize* solved = nullptr;  ///< null where nothing was solved for
};

struct MetricContext {
  const Scenario* scenario = nullptr;
  double deadline_s = 0;                  ///< tau_d, of the risk factor
  Confidence confidence = 0.95;
  const Sample* baseline_s = nullptr;    ///< T of the same work on one workstation, for the speedup
  const PointStatistics* step1 = nullptr;  ///< of the same work split in proportion to available speeds
  const SolvedSize* solved = nullptr;       ///< where the experiment solves for a size
  std::optional<ReferencePoint> reference;  ///< where the experiment names one
  /// Of all points that share this one's reference, itself and the reference too; where a metric needs them.
  std::span<const std::shared_ptr<const PointStatistics>> rivals = {};
  /// What follows from recorded series themselves is asked for, as in a lab, not from the owners that they are samples of:
  /// intervals do not count how many stretches there are.
  bool is_of_series = false;
};

using Estimates = std::vector<Estimate>;
/// exactly() of each of these.
Estimates exactly_each(std::span<const double> values);

/// Which values of a metric are better: of a share of time, say, nobody knows.
enum class Better { unknown, lower, higher };

/// A metric: a line of `nowsim list metrics`.
struct Metric {
  std::string name;
  std::string unit = "";
  std::string summary;
  bool per_workstation = false;
  bool needs_baseline = false;
  bool needs_deadline = false;
  /// One estimate, or one per workstation. An exact quantity has an interval of width 0.
  std::function<Estimates(const MetricContext&, const PointStatistics&)> estimate;
  bool exact = false;  ///< it follows from the description, whatever the replications were
  Gathering gathers{};  ///< what it reads of the statistics besides makespans, late runs and owner jobs
  bool needs_step1 = false;  ///< it compares with HL's step (1), the split in proportion to available speeds
  bool needs_solved = false;     ///< it is about a size that is solved for
  bool needs_reference = false;  ///< it compares with another point
  bool needs_rivals = false;     ///< it compares with all that share its reference, which it needs as well
  std::optional<Efficiency> efficiency = {};  ///< which one it is, if any
  Better better = Better::unknown;
  bool of_spread = false;  ///< it is of how replications differ, which draws of measured parameters have part in
};

/// Huang & Lee's metrics, shares of time, theory, Zhang & Yan's metrics, Bazterra et al.'s and Bosque et al.'s, in the
/// order in which they are listed.
const Registry<Metric>& builtin_metrics();
/// One of `known`, or a quantile T_q, the same object for ever: q is a decimal above 0 and below 100, without needless
/// zeros, so that no quantile has two names. Null where there is none of that name.
const Metric* find_metric(const std::string& name, const Registry<Metric>& known = builtin_metrics());

/// A metric's estimates; where owners' parameters were measured, with intervals that hold for what these may truly be
/// (with_fits()).
Estimates metric_estimates(const Metric& metric, const MetricContext& context, const PointStatistics& statistics);

/// The metric `speedup`: the baseline's tau over the point's. NaN without a baseline.
Estimates total_speedup(const MetricContext& context, const PointStatistics& statistics);

/// One estimate per workstation: this value of a server, if there is one (first_worker()), about which there is nothing
/// to estimate, and behind it the workers' estimates.
Estimates behind_server(const Scenario& scenario, double of_server, const Estimates& workers);

/// The metric T_q of this name, which has to be one.
Metric quantile_metric(const std::string& name, const std::string& summary);

/// What is wrong with a name that was meant as a T_q; "" where it is one, or was not meant so.
std::string quantile_name_problem(const std::string& name);

/// How many independent observations replications are at most, by a scenario's recorded series. One where such a series
/// is replayed and all replications are the same, since they cannot differ; where it is seen from random moments on, as
/// many stretches of the mean makespan as do not overlap in the shortest; infinite where all is drawn.
double independent_stretches(const Scenario& scenario, const Moments& makespan_s);

/// The estimate with an interval of so many observations, where these are fewer than its replications: a proportion's
/// of as many, else as much wider as Student's interval of their mean were, and without ends where there are fewer than
/// two. What nothing varies in by itself stays as it is.
/// @param is_positive whatever the replications were: then the lower end is above 0.
Estimate of_stretches(const Estimate& e, double stretches, std::uint64_t replications, bool is_positive,
                      const Confidence& confidence);

}  // namespace nowsim
