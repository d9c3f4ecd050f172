// The papers' metrics: what is gathered from each replication, and the estimates with intervals that come of it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/batch_record.hpp"
#include "sim/sample.hpp"
#include "sim/scenario.hpp"
#include "sim/statistics.hpp"

namespace nowsim {

/// What metrics need to know besides the replications.
struct MetricContext {
  const Scenario* scenario = nullptr;
  double deadline_s = 0;                  ///< tau_d, of the risk factor
  double confidence = 0.95;
  const Sample* baseline_s = nullptr;     ///< T of the same work on one workstation, for the speedup
};

/// What the replications of one point leave behind, in memory that does not grow with their number.
class PointStatistics {
 public:
  PointStatistics(const Scenario& scenario, double deadline_s);
  /// Adds a batch; to be called in the order of replications, since sums depend on it.
  void add(const BatchRecord& batch);

  Sample makespan_s;
  std::vector<Sample> finish_s;      ///< T_i per workstation; empty beyond kMostWithMoments workstations
  Sample dedication;                 ///< P_deg of each run: sum of effective times / T
  Sample owner_share;                ///< mean owner time / T
  Sample overhead_share;             ///< mean (T - owner - effective) / T
  Moments owner_jobs;                ///< owner jobs completed in each run, and the sum of their slowdowns
  Moments owner_slowdown;
  std::uint64_t late = 0;            ///< replications with T > deadline
  Sample lateness;                   ///< of each replication 1 if it is late, else 0; of pairs only

 private:
  void add_finish_times(const BatchRecord& batch);

  double deadline_s_;
};

/// A metric: a line of `nowsim list metrics`.
struct Metric {
  std::string name;
  std::string unit;
  std::string summary;
  bool per_workstation = false;
  bool needs_baseline = false;
  bool needs_deadline = false;
  /// One estimate, or one per workstation. An exact quantity has an interval of width 0.
  std::vector<Estimate> (*estimate)(const MetricContext&, const PointStatistics&);
  bool exact = false;  ///< it follows from the description, whatever the replications were
};

/// HL's metrics, the per-workstation ones, and the theory beside them.
std::span<const Metric> metrics();
/// Null where there is none of that name.
const Metric* find_metric(const std::string& name);

/// TH = mean_i TH_i and SH = max_i TH_i - mean_i TH_i of a scenario's owners (HL 7, 8).
double temporal_heterogeneity(const Scenario& scenario);
double spatial_heterogeneity(const Scenario& scenario);

}  // namespace nowsim
