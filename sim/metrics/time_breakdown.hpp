// How the machines' time divides into the job's, the owners' and overhead, over the replications of a point.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/engines/batch_record.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/observations.hpp"

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
  static std::array<double, kSums> only(Sum which, double factor = 1) { return factors<kSums>(which, factor); }
  static std::array<double, kParts> only(Part which, double factor = 1) { return factors<kParts>(which, factor); }

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

  template <std::size_t Size>
  static std::array<double, Size> factors(std::size_t which, double factor) {
    std::array<double, Size> out{};
    out[which] = factor;
    return out;
  }
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

}  // namespace nowsim
