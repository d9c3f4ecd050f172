// Gathering moments over a batch and merging them; gathering each machine's times from batches.
#include "sim/metrics/point_statistics.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/platform/platform.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

/// Of each replication with a makespan above 0.
PerShare<std::vector<double>> shares_of(const BatchRecord& batch) {
  PerShare<std::vector<double>> out;
  const double m = static_cast<double>(batch.workstations);
  const auto& owners_s = batch.totals[Quantity::owner_s];
  for (std::size_t k = 0; k < batch.makespan_s.size(); ++k) {
    const double makespan = batch.makespan_s[k], effective = batch.effective_s[k], owner = owners_s[k];
    if (makespan <= 0) continue;
    out[kDedication].push_back(effective / makespan);
    out[kOwnerShare].push_back(owner / m / makespan);
    out[kOverheadShare].push_back(1 - (owner + effective) / m / makespan);
  }
  return out;
}

/// Every `of`-th value from this one on.
std::vector<double> column_of(const std::vector<double>& values, std::size_t which, std::size_t of) {
  std::vector<double> out;
  for (std::size_t k = which; k < values.size(); k += of) out.push_back(values[k]);
  return out;
}

}  // namespace

BatchStatistics statistics_of(const BatchRecord& batch, const Scenario& scenario, double deadline_s,
                              const Gathering& gathering) {
  BatchStatistics out;
  out.makespan_s = Moments::of(batch.makespan_s);
  if (needs_record(scenario, gathering)) {
    out.record = batch;
    return out;
  }
  out.late = static_cast<std::uint64_t>(std::ranges::count_if(batch.makespan_s, [&](double t) { return t > deadline_s; }));
  if (gathering.shares) {
    auto values = shares_of(batch);
    std::ranges::transform(values, out.shares.begin(), Moments::of);
    const bool has_all = values[0].size() == batch.makespan_s.size();  // else entries would be of other replications
    if (gathering.span > 0 && has_all) out.shares_of_runs = std::move(values);
  }
  if (gathering.finish) out.finish_s = batch.moments(Quantity::finish_s);
  if (gathering.finish && gathering.span > 0 && gathering.machines) out.finish_times_s = batch.of(Quantity::finish_s).values;
  if (gathering.makespans || gathering.span > 0) out.makespans_s = batch.makespan_s;
  for (const Quantity q : kAllQuantities)
    if (quantity_kind(q).is_recorded != nullptr) out.totals[q] = batch.totals[q];
  return out;
}

PointStatistics::PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering,
                                 bool observes_steps)
    : deadline_s_(deadline_s), gathering_(gathering) {
  const auto unit = static_cast<std::size_t>(scenario.variance_reduction->unit());
  Sampling sampling{unit, scenario.controls ? scenario.controls->count() : 0, gathering.span};
  makespan_s = Sample(sampling);
  if (gathering.shares) shares.fill(Sample(sampling));
  sampling.controls = 0;
  lateness = Sample(sampling);
  if (gathering.span > 0 && deadline_s > 0) late_runs = Observations(1, 1);
  if (!gathering.machines) sampling.span = 0;
  if (scenario.size() - first_worker(scenario) > kMostWithValues) sampling.span *= 2;  // batches are kept, not values
  finish_s.assign(gathering.finish ? scenario.size() : 0, Sample(sampling));
  if (gathering.times) times = TimeBreakdown(scenario, gathering.span > 0, gathering.machines);
  if (gathering.span > 0) slowdown_and_jobs.keep(1);
  if (observes_steps && gathering.span > 0 && replications_per_draw(scenario) > 0) observe_steps(scenario);
}

void PointStatistics::observe_steps(const Scenario& scenario) {
  Gathering gathering = gathering_;
  gathering.makespans = false;
  gathering.span = 1;
  for (auto* s : {&first_, &stepped_}) *s = std::make_shared<PointStatistics>(scenario, deadline_s_, gathering, false);
  const auto measured = std::make_shared<const std::vector<Measurement>>(measurements(scenario));
  const auto refer = [&](auto& to, const auto& first, const auto& stepped) {
    to.set_stepped(stepped_observations(measured, first_, first, stepped_, stepped));
  };
  refer(makespan_s, first_->makespan_s, stepped_->makespan_s);
  for (std::size_t i = 0; i < finish_s.size(); ++i) refer(finish_s[i], first_->finish_s[i], stepped_->finish_s[i]);
  for (std::size_t k = 0; k < shares.size(); ++k) refer(shares[k], first_->shares[k], stepped_->shares[k]);
  refer(slowdown_and_jobs, first_->slowdown_and_jobs, stepped_->slowdown_and_jobs);
  times.set_stepped(measured, {first_, &first_->times}, {stepped_, &stepped_->times});
}

/// Steps of whole batches from the first on: of a later one places would be another's.
void PointStatistics::add(const BatchRecord& batch) {
  add_record(batch);
  if (!stepped_ || batch.stepped.empty() || stepped_->makespan_s.count() != batch.range.first) return;
  first_->add_record(batch);
  stepped_->add_record(batch.stepped.front());
}

void PointStatistics::add(const BatchStatistics& batch) {
  if (batch.record) return add(*batch.record);
  late += batch.late;
  add_totals(batch.totals);
  makespan_s.add_batch(batch.makespan_s, batch.makespans_s);
  keep_late(batch.makespans_s);
  if (gathering_.makespans)
    makespans_s.insert(makespans_s.end(), batch.makespans_s.begin(), batch.makespans_s.end());
  for (std::size_t k = 0; k < shares.size(); ++k) shares[k].add_batch(batch.shares[k], batch.shares_of_runs[k]);
  for (std::size_t i = 0; i < batch.finish_s.size(); ++i) {
    if (batch.finish_times_s.empty()) finish_s[i].add_batch(batch.finish_s[i]);
    else finish_s[i].add_batch(batch.finish_s[i], column_of(batch.finish_times_s, i, batch.finish_s.size()));
  }
}

void PointStatistics::keep_late(std::span<const double> makespans) {
  for (std::size_t k = 0; late_runs.is_kept() && k < makespans.size(); ++k)
    late_runs.add(std::array{makespans[k] > deadline_s_ ? 1.0 : 0.0});
}

/// Of plain samples the same as their statistics.
void PointStatistics::add_record(const BatchRecord& batch) {
  std::vector<double> lates;
  for (const double makespan : batch.makespan_s) lates.push_back(makespan > deadline_s_ ? 1 : 0);
  late += static_cast<std::uint64_t>(std::ranges::count(lates, 1.0));
  add_totals(batch.totals);
  makespan_s.add_batch(batch.makespan_s, batch.controls);
  if (lateness.sampling().unit > 1) lateness.add_batch(lates, {});
  else keep_late(batch.makespan_s);
  if (gathering_.makespans) makespans_s.insert(makespans_s.end(), batch.makespan_s.begin(), batch.makespan_s.end());
  const auto of_runs = gathering_.shares ? shares_of(batch) : PerShare<std::vector<double>>{};
  for (std::size_t k = 0; gathering_.shares && k < shares.size(); ++k) {
    if (of_runs[k].size() == batch.makespan_s.size()) shares[k].add_batch(of_runs[k], batch.controls);
    else shares[k].merge(Moments::of(of_runs[k]));  // a makespan of 0 has no shares, and so there are no units
  }
  if (gathering_.finish) add_finish_times(batch);
  if (gathering_.times) times.add(batch);
}

void PointStatistics::add_totals(const PerQuantity<std::vector<double>>& of_runs) {
  for (const Quantity q : kAllQuantities)
    if (quantity_kind(q).is_recorded != nullptr)
      for (const double total : of_runs[q]) totals[q].add(total);
  const auto &jobs = of_runs[Quantity::owner_jobs], &slowdown = of_runs[Quantity::owner_slowdown];
  for (std::size_t k = 0; k < jobs.size(); ++k) slowdown_and_jobs.add(std::array{slowdown[k], jobs[k]});
}

/// Values where they are kept, else moments: units are then not known.
void PointStatistics::add_finish_times(const BatchRecord& batch) {
  const std::vector<double>& values = batch.of(Quantity::finish_s).values;
  if (values.empty()) {
    const auto finish = batch.moments(Quantity::finish_s);
    for (std::size_t i = 0; i < finish.size(); ++i) {
      if (makespan_s.sampling().unit == 1) finish_s[i].add_batch(finish[i]);
      else finish_s[i].merge(finish[i]);
    }
    return;
  }
  for (std::size_t i = 0; i < finish_s.size(); ++i) finish_s[i].add_batch(column_of(values, i, finish_s.size()), {});
}

// ---- how the machines' time divides --------------------------------------------------------------------------------

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
