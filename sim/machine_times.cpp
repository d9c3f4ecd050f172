// Gathering each machine's times from batches.
#include "sim/machine_times.hpp"

#include "sim/power_weights.hpp"

namespace nowsim {

MachineTimes::MachineTimes(const Scenario& scenario)
    : unit_(static_cast<std::size_t>(scenario.variance_reduction->unit())), weight_(power_weights(*scenario.platform)),
      each_(scenario.size(), JointMoments(kParts)) {
  for (const auto& w : scenario.platform->workstations) speed_flops_.push_back(w.speed_flops);
}

void MachineTimes::add(const BatchRecord& batch) {
  if (batch.makespan_s.empty()) return;
  if (!batch.of(Quantity::work_flop).values.empty()) add_values(batch);
  else if (!batch.of(Quantity::work_flop).moments.empty()) add_means(batch);
}

void MachineTimes::add_values(const BatchRecord& batch) {
  for (std::size_t first = 0; first < batch.makespan_s.size(); first += unit_) {
    const std::vector<Parts> machines = unit_of(batch, first);
    sums_.add(sums_of(machines));
    for (std::size_t i = 0; i < machines.size(); ++i) each_[i].add(machines[i]);
  }
}

/// The means over replications first .. first + unit - 1.
std::vector<MachineTimes::Parts> MachineTimes::unit_of(const BatchRecord& batch, std::size_t first) const {
  const auto &work_flop = batch.of(Quantity::work_flop).values, &owner_s = batch.of(Quantity::owner_s).values;
  const std::size_t m = each_.size();
  std::vector<Parts> machines(m, Parts{});
  for (std::size_t k = first; k < first + unit_; ++k) {
    for (std::size_t i = 0; i < m; ++i) {
      const double total = batch.makespan_s[k], job = work_flop[k * m + i] / speed_flops_[i],
                   owner = owner_s[k * m + i];
      const Parts times{total, job, owner, total - owner - job};
      for (std::size_t p = 0; p < kParts; ++p) machines[i][p] += times[p] / static_cast<double>(unit_);
    }
  }
  return machines;
}

void MachineTimes::add_means(const BatchRecord& batch) {
  const auto &work_flop = batch.of(Quantity::work_flop).moments, &owner_s = batch.of(Quantity::owner_s).moments;
  const std::uint64_t units = batch.makespan_s.size() / unit_;
  double total = 0;
  for (const double makespan : batch.makespan_s) total += makespan / static_cast<double>(batch.makespan_s.size());
  std::vector<Parts> machines;
  for (std::size_t i = 0; i < each_.size(); ++i) {
    const double job = work_flop[i].mean() / speed_flops_[i], owner = owner_s[i].mean();
    machines.push_back({total, job, owner, total - owner - job});
    each_[i].merge(JointMoments::of_means(units, machines.back()));
  }
  sums_.merge(JointMoments::of_means(units, sums_of(machines)));
}

std::array<double, MachineTimes::kSums> MachineTimes::sums_of(const std::vector<Parts>& machines) const {
  std::array<double, kSums> sums{};
  sums[kMakespan] = machines.front()[kTotal];
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const Parts& machine = machines[i];
    sums[kWeightedEffective] += weight_[i] * machine[kEffective];
    sums[kWeightedAvailable] += weight_[i] * (machine[kTotal] - machine[kOwner]);
    sums[kSumEffective] += machine[kEffective];
    sums[kWeightedOverhead] += weight_[i] * machine[kOverhead];
  }
  return sums;
}

}  // namespace nowsim
