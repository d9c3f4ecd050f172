// What the replications of a point leave behind for its metrics, gathered batch by batch, where a batch was computed.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/engines/batch_record.hpp"
#include "sim/metrics/time_breakdown.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/sample.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

struct BatchStatistics {
  /// Where needs_record(), the batch itself; of what follows the makespans are then all there is.
  std::optional<BatchRecord> record;
  Moments makespan_s;
  Moments dedication, owner_share, overhead_share;  ///< as in PointStatistics; empty where not gathered
  std::vector<Moments> finish_s;                    ///< one per workstation; none where not gathered or not kept
  PerQuantity<std::vector<double>> totals;          ///< of each replication: what only some scenarios have
  std::vector<double> makespans_s;                  ///< of each replication; none where not gathered
  /// Of each replication: dedication, owners' and overhead's shares; and the finish times, a replication's side by side.
  /// None where neither gathered nor wanted for influences.
  std::array<std::vector<double>, 3> shares;
  std::vector<double> finish_times_s;
  std::uint64_t late = 0;

  /// For serialization.hpp; without the record, which is packed in its own way.
  template <class All>
  void fields(All& all) {
    all(makespan_s, dedication, owner_share, overhead_share, finish_s, makespans_s, finish_times_s, late);
    for (auto& column : totals) all(column);
    for (auto& column : shares) all(column);
  }
};

Sampling sampling_of(const Scenario& scenario);
/// Gathers from a batch of the scenario; the deadline [s] is what late runs are late by.
BatchStatistics statistics_of(const BatchRecord& batch, const Scenario& scenario, double deadline_s,
                              const Gathering& gathering);

/// The replications of one point, in memory that does not grow with their number unless makespans are gathered.
class PointStatistics {
 public:
  explicit PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering = kGatherAll);
  /// Adds a batch; to be called in the order of replications, since sums depend on it.
  void add(const BatchStatistics& batch);
  void add(const BatchRecord& batch);

  Sample makespan_s;
  std::vector<double> makespans_s;   ///< T of each replication, in their order; empty where not gathered
  std::vector<Sample> finish_s;      ///< T_i per workstation; empty moments beyond kMostWithMoments workstations
  Sample dedication;                 ///< P_deg of each run: sum of effective times / T
  Sample owner_share;                ///< mean owner time / T
  Sample overhead_share;             ///< mean (T - owner - effective) / T
  PerQuantity<Moments> totals;       ///< of each run, over all workstations: what only some scenarios have
  JointMoments slowdown_and_jobs{2};  ///< of these, owner jobs' slowdowns and their number
  std::uint64_t late = 0;            ///< replications with T > deadline
  Observations late_runs;            ///< of each replication 1 if it is late, else 0; where kept, and there is a deadline
  Sample lateness;                   ///< of each replication 1 if it is late, else 0; of pairs only
  TimeBreakdown times;                ///< nothing where not gathered

 private:
  struct ForSteps {};
  /// Without what is gathered beside it.
  PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering, ForSteps);
  void observe_steps(const Scenario& scenario);
  void add_stepped(const BatchRecord& batch);
  void add_record(const BatchRecord& batch);
  void add_plain(const BatchStatistics& batch);
  void add_units(const BatchRecord& batch);
  void add_totals(const PerQuantity<std::vector<double>>& of_runs);
  void add_shares(const BatchRecord& batch);
  void add_finish_times(const BatchRecord& batch);
  void keep_late(std::span<const double> makespans);
  std::array<Sample*, 3> shares() { return {&dedication, &owner_share, &overhead_share}; }

  double deadline_s_;
  Gathering gathering_;
  /// Where parameters were measured: of the first replications, and of those that were run again (parameter_steps.hpp),
  /// which the observations above refer to. Copies share them.
  std::shared_ptr<PointStatistics> first_, stepped_;
};

}  // namespace nowsim
