// What the replications of a point leave behind for its metrics, gathered batch by batch, where a batch was computed; and
// how the machines' time divides into the job's, the owners' and overhead over them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "sim/engines/batch_record.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/sample.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// Times of a replication as jointly observed variables [s]; of antithetic pairs the pair's means are one observation.
/// T_eff_i = work done/S_i; overhead_i = T - T_owner_i - T_eff_i (ZY 3.2); busy is a machine that computes for the job,
/// and busiest, of the workers (first_worker()), the one that does so longest in a replication (BZ 2). Where values are
/// not kept (batch_record.hpp) only means are known (JointMoments::of_means), of the busiest where no replication
/// differs from another, else NaN; on more than kMostWithMoments workstations nothing: no observations.
class TimeBreakdown {
 public:
  /// Variables over all machines: T, sum W_i T_eff_i, sum W_i (T - T_owner_i), sum T_eff_i, sum W_i overhead_i;
  /// over the workers: the sum of their busy times, the greatest.
  enum Sum : std::size_t {
    kMakespan, kWeightedEffective, kWeightedAvailable, kSumEffective, kWeightedOverhead, kSumBusy, kBusiest, kSums
  };
  /// Variables of one machine: T, T_eff_i, T_owner_i, overhead_i, its busy time; and the work of all workers [flop].
  enum Part : std::size_t { kTotal, kEffective, kOwner, kOverhead, kBusy, kAllWork, kParts };

  /// Factors of such variables that are all 0 but one.
  template <class Which>
  static auto only(Which which, double factor = 1) {
    std::array<double, std::is_same_v<Which, Sum> ? std::size_t{kSums} : std::size_t{kParts}> out{};
    out[which] = factor;
    return out;
  }

  TimeBreakdown() = default;
  /// `keeps`: each replication's sums, for influences; `each_too`: each machine's as well.
  explicit TimeBreakdown(const Scenario& scenario, bool keeps = false, bool each_too = false);
  void add(const BatchRecord& batch);

  [[nodiscard]] const JointMoments& sums() const { return sums_; }
  [[nodiscard]] const std::vector<JointMoments>& each() const { return each_; }
  /// Of each replication's sums and each machine's: what steps of measured parameters do to them.
  void set_stepped(const std::shared_ptr<const std::vector<Measurement>>& measured,
                   const std::shared_ptr<const TimeBreakdown>& values,
                   const std::shared_ptr<const TimeBreakdown>& stepped);

 private:
  using Parts = std::array<double, kParts>;
  /// An observation: of each machine, and the busiest worker's time.
  struct Observed {
    std::vector<Parts> machines;
    double busiest_s = 0;
  };

  void add_values(const BatchRecord& batch);
  void add_means(const BatchRecord& batch);
  [[nodiscard]] Observed unit_of(const BatchRecord& batch, std::size_t first) const;
  [[nodiscard]] double busiest_mean(const std::vector<Moments>& busy_s) const;
  [[nodiscard]] std::array<double, kSums> sums_of(const Observed& observed) const;

  std::size_t unit_ = 1, first_worker_ = 0;
  std::vector<double> speed_flops_, weight_;
  JointMoments sums_{kSums};
  std::vector<JointMoments> each_;
};

/// Shares of a replication's T: P_deg, the sum of effective times over it; the owners' time over that of all machines;
/// what is left of that, (T - owner - effective) over it.
enum Share : std::size_t { kDedication, kOwnerShare, kOverheadShare };
template <class T>
using PerShare = std::array<T, kOverheadShare + 1>;

struct BatchStatistics {
  /// Where needs_record(), the batch itself; of what follows the makespans are then all there is.
  std::optional<BatchRecord> record;
  Moments makespan_s;
  PerShare<Moments> shares;                 ///< empty where not gathered
  std::vector<Moments> finish_s;            ///< one per workstation; none where not gathered or not kept
  PerQuantity<std::vector<double>> totals;  ///< of each replication: what only some scenarios have
  std::vector<double> makespans_s;          ///< of each replication; none where not gathered
  /// Of each replication its shares; and the finish times, a replication's side by side. None where neither gathered nor
  /// wanted for influences.
  PerShare<std::vector<double>> shares_of_runs;
  std::vector<double> finish_times_s;
  std::uint64_t late = 0;

  /// For serialization.hpp; without the record, which is packed in its own way.
  template <class All>
  void fields(All& all) {
    all(makespan_s, shares, finish_s, makespans_s, finish_times_s, late);
    for (auto& column : totals) all(column);
    for (auto& column : shares_of_runs) all(column);
  }
};

/// Gathers from a batch of the scenario; the deadline [s] is what late runs are late by.
BatchStatistics statistics_of(const BatchRecord& batch, const Scenario& scenario, double deadline_s,
                              const Gathering& gathering);

/// The replications of one point, in memory that does not grow with their number unless makespans are gathered.
class PointStatistics {
 public:
  /// `observes_steps`: of measured parameters too, where the gathering has a span.
  explicit PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering = kGatherAll,
                           bool observes_steps = true);
  /// Adds a batch; to be called in the order of replications, since sums depend on it.
  void add(const BatchStatistics& batch);
  void add(const BatchRecord& batch);

  Sample makespan_s;
  std::vector<double> makespans_s;   ///< T of each replication, in their order; empty where not gathered
  std::vector<Sample> finish_s;      ///< T_i per workstation; empty moments beyond kMostWithMoments workstations
  PerShare<Sample> shares;
  PerQuantity<Moments> totals;       ///< of each run, over all workstations: what only some scenarios have
  JointMoments slowdown_and_jobs{2};  ///< of these, owner jobs' slowdowns and their number
  std::uint64_t late = 0;            ///< replications with T > deadline
  Observations late_runs;            ///< of each replication 1 if it is late, else 0; where kept, and there is a deadline
  Sample lateness;                   ///< of each replication 1 if it is late, else 0; of pairs only
  TimeBreakdown times;                ///< nothing where not gathered

 private:
  void observe_steps(const Scenario& scenario);
  void add_record(const BatchRecord& batch);
  void add_totals(const PerQuantity<std::vector<double>>& of_runs);
  void add_finish_times(const BatchRecord& batch);
  void keep_late(std::span<const double> makespans);

  double deadline_s_;
  Gathering gathering_;
  /// Where parameters were measured: of the first replications, and of those that were run again (parameter_steps.hpp),
  /// which the observations above refer to. Copies share them.
  std::shared_ptr<PointStatistics> first_, stepped_;
};

}  // namespace nowsim
