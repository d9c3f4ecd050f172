// Gathering each machine's times from batches.
#include "sim/metrics/time_breakdown.hpp"

#include <algorithm>

#include "sim/platform/platform.hpp"

namespace nowsim {

TimeBreakdown::TimeBreakdown(const Scenario& scenario, bool keeps, bool each_too)
    : unit_(static_cast<std::size_t>(scenario.variance_reduction->unit())),
      first_worker_(nowsim::first_worker(scenario)), weight_(power_weights(*scenario.platform)),
      each_(scenario.size(), JointMoments(kParts)) {
  for (const auto& w : scenario.platform->workstations) speed_flops_.push_back(w.speed_flops);
  if (!keeps) return;
  sums_.keep(unit_);
  if (!each_too) return;
  for (JointMoments& machine : each_) machine.keep(unit_);
}

void TimeBreakdown::set_stepped(const std::shared_ptr<const std::vector<Measurement>>& measured,
                                const std::shared_ptr<const TimeBreakdown>& values,
                                const std::shared_ptr<const TimeBreakdown>& stepped) {
  sums_.set_stepped(stepped_observations(measured, values, values->sums_, stepped, stepped->sums_));
  for (std::size_t i = 0; i < each_.size(); ++i)
    each_[i].set_stepped(stepped_observations(measured, values, values->each_[i], stepped, stepped->each_[i]));
}

void TimeBreakdown::add(const BatchRecord& batch) {
  if (batch.makespan_s.empty()) return;
  if (!batch.of(Quantity::work_flop).values.empty()) add_values(batch);
  else if (!batch.of(Quantity::work_flop).moments.empty()) add_means(batch);
}

void TimeBreakdown::add_values(const BatchRecord& batch) {
  for (std::size_t first = 0; first < batch.makespan_s.size(); first += unit_) {
    const Observed unit = unit_of(batch, first);
    sums_.add(sums_of(unit));
    for (std::size_t i = 0; i < each_.size(); ++i) each_[i].add(unit.machines[i]);
  }
}

TimeBreakdown::Observed TimeBreakdown::unit_of(const BatchRecord& batch, std::size_t first) const {
  const auto &work_flop = batch.of(Quantity::work_flop).values, &owner_s = batch.of(Quantity::owner_s).values,
             &active_s = batch.of(Quantity::active_s).values;
  const std::size_t m = each_.size();
  Observed unit{std::vector<Parts>(m, Parts{}), 0};
  for (std::size_t k = first; k < first + unit_; ++k) {
    double all_work = 0, busiest = 0;
    for (std::size_t i = first_worker_; i < m; ++i) {
      all_work += work_flop[k * m + i];
      busiest = std::max(busiest, active_s[k * m + i]);
    }
    unit.busiest_s += busiest / static_cast<double>(unit_);
    for (std::size_t i = 0; i < m; ++i) {
      const double total = batch.makespan_s[k], job = work_flop[k * m + i] / speed_flops_[i],
                   owner = owner_s[k * m + i];
      const Parts parts{total, job, owner, total - owner - job, active_s[k * m + i], all_work};
      for (std::size_t p = 0; p < kParts; ++p) unit.machines[i][p] += parts[p] / static_cast<double>(unit_);
    }
  }
  return unit;
}

void TimeBreakdown::add_means(const BatchRecord& batch) {
  const auto &work_flop = batch.of(Quantity::work_flop).moments, &owner_s = batch.of(Quantity::owner_s).moments,
             &active_s = batch.of(Quantity::active_s).moments;
  const std::uint64_t units = batch.makespan_s.size() / unit_;
  double total = 0, all_work = 0;
  for (const double makespan : batch.makespan_s) total += makespan / static_cast<double>(batch.makespan_s.size());
  for (std::size_t i = first_worker_; i < each_.size(); ++i) all_work += work_flop[i].mean();
  Observed observed{{}, busiest_mean(active_s)};
  for (std::size_t i = 0; i < each_.size(); ++i) {
    const double job = work_flop[i].mean() / speed_flops_[i], owner = owner_s[i].mean();
    observed.machines.push_back({total, job, owner, total - owner - job, active_s[i].mean(), all_work});
    each_[i].merge(JointMoments::of_means(units, observed.machines.back()));
  }
  sums_.merge(JointMoments::of_means(units, sums_of(observed)));
}

/// The mean of maxima is the maximum of means where nothing varies.
double TimeBreakdown::busiest_mean(const std::vector<Moments>& busy_s) const {
  double busiest = 0;
  for (std::size_t i = first_worker_; i < busy_s.size(); ++i) {
    if (busy_s[i].min() < busy_s[i].max()) return kNotKnown;
    busiest = std::max(busiest, busy_s[i].mean());
  }
  return busiest;
}

std::array<double, TimeBreakdown::kSums> TimeBreakdown::sums_of(const Observed& observed) const {
  std::array<double, kSums> sums{};
  sums[kMakespan] = observed.machines.front()[kTotal];
  sums[kBusiest] = observed.busiest_s;
  for (std::size_t i = 0; i < observed.machines.size(); ++i) {
    const Parts& machine = observed.machines[i];
    sums[kWeightedEffective] += weight_[i] * machine[kEffective];
    sums[kWeightedAvailable] += weight_[i] * (machine[kTotal] - machine[kOwner]);
    sums[kSumEffective] += machine[kEffective];
    sums[kWeightedOverhead] += weight_[i] * machine[kOverhead];
    if (i >= first_worker_) sums[kSumBusy] += machine[kBusy];
  }
  return sums;
}

}  // namespace nowsim
