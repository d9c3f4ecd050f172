// The papers' metrics: estimates with intervals, from what the replications of a point leave behind.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/point_statistics.hpp"
#include "sim/scenario.hpp"
#include "sim/statistics.hpp"

namespace nowsim {

/// What metrics need to know besides the replications.
struct MetricContext {
  const Scenario* scenario = nullptr;
  double deadline_s = 0;                  ///< tau_d, of the risk factor
  Confidence confidence = 0.95;
  const Sample* baseline_s = nullptr;    ///< T of the same work on one workstation, for the speedup
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
  Gathering gathers{};  ///< what it reads of the statistics besides makespans, late runs and owner jobs
};

/// HL's metrics, the per-workstation ones, and the theory beside them.
std::span<const Metric> metrics();
/// Null where there is none of that name.
const Metric* find_metric(const std::string& name);

/// TH = mean_i TH_i and SH = max_i TH_i - mean_i TH_i of a scenario's owners, or of its links (HL 7, 8). 0 without any.
double temporal_heterogeneity(const std::vector<OwnerPtr>& models);
double spatial_heterogeneity(const std::vector<OwnerPtr>& models);

}  // namespace nowsim
