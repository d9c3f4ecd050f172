// Gathering moments over a batch, and merging them.
#include "sim/metrics/point_statistics.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

/// Of each replication with a makespan above 0: dedication, the owners' share, the overhead's.
std::array<std::vector<double>, 3> shares_of(const BatchRecord& batch) {
  std::array<std::vector<double>, 3> out;
  const double m = static_cast<double>(batch.workstations);
  const auto& owners_s = batch.totals[Quantity::owner_s];
  for (std::size_t k = 0; k < batch.makespan_s.size(); ++k) {
    const double makespan = batch.makespan_s[k], effective = batch.effective_s[k], owner = owners_s[k];
    if (makespan <= 0) continue;
    out[0].push_back(effective / makespan);
    out[1].push_back(owner / m / makespan);
    out[2].push_back(1 - (owner + effective) / m / makespan);
  }
  return out;
}

BatchStatistics gather(const BatchRecord& batch, double deadline_s, const Gathering& gathering) {
  BatchStatistics out;
  for (const double makespan : batch.makespan_s) {
    out.makespan_s.add(makespan);
    if (makespan > deadline_s) ++out.late;
  }
  if (gathering.shares) {
    out.shares = shares_of(batch);
    out.dedication = Moments::of(out.shares[0]);
    out.owner_share = Moments::of(out.shares[1]);
    out.overhead_share = Moments::of(out.shares[2]);
    const bool has_all = out.shares[0].size() == batch.makespan_s.size();  // else entries would be of other replications
    if (gathering.span == 0 || !has_all) out.shares = {};
  }
  if (gathering.finish) out.finish_s = batch.moments(Quantity::finish_s);
  if (gathering.finish && gathering.span > 0 && gathering.machines) out.finish_times_s = batch.of(Quantity::finish_s).values;
  if (gathering.makespans || gathering.span > 0) out.makespans_s = batch.makespan_s;
  for (const Quantity q : kAllQuantities)
    if (quantity_kind(q).is_recorded != nullptr) out.totals[q] = batch.totals[q];
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
  if (!needs_record(scenario, gathering)) return gather(batch, deadline_s, gathering);
  BatchStatistics out;
  out.makespan_s = Moments::of(batch.makespan_s);
  out.record = batch;
  return out;
}

Sampling sampling_of(const Scenario& scenario) {
  return {static_cast<std::size_t>(scenario.variance_reduction->unit()), scenario.controls ? scenario.controls->count() : 0};
}

PointStatistics::PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering)
    : PointStatistics(scenario, deadline_s, gathering, ForSteps{}) {
  if (gathering.span > 0 && replications_per_draw(scenario) > 0) observe_steps(scenario);
}

PointStatistics::PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering, ForSteps)
    : deadline_s_(deadline_s), gathering_(gathering) {
  Sampling sampling = sampling_of(scenario);
  sampling.span = gathering.span;
  makespan_s = Sample(sampling);
  if (gathering.shares)
    for (auto* sample : shares()) *sample = Sample(sampling);
  sampling.controls = 0;
  lateness = Sample(sampling);
  if (gathering.span > 0 && deadline_s > 0) late_runs = Observations(1, 1);
  if (!gathering.machines) sampling.span = 0;
  if (scenario.size() - first_worker(scenario) > kMostWithValues) sampling.span *= 2;  // batches are kept, not values
  finish_s.assign(gathering.finish ? scenario.size() : 0, Sample(sampling));
  if (gathering.times) times = TimeBreakdown(scenario, gathering.span > 0, gathering.machines);
  if (gathering.span > 0) slowdown_and_jobs.keep(1);
}

void PointStatistics::observe_steps(const Scenario& scenario) {
  Gathering gathering = gathering_;
  gathering.makespans = false;
  gathering.span = 1;
  for (auto* s : {&first_, &stepped_}) s->reset(new PointStatistics(scenario, deadline_s_, gathering, ForSteps{}));
  const auto measured = std::make_shared<const std::vector<Measurement>>(measurements(scenario));
  const auto refer = [&](auto& to, const auto& first, const auto& stepped) {
    to.set_stepped(stepped_observations(measured, first_, first, stepped_, stepped));
  };
  refer(makespan_s, first_->makespan_s, stepped_->makespan_s);
  for (std::size_t i = 0; i < finish_s.size(); ++i) refer(finish_s[i], first_->finish_s[i], stepped_->finish_s[i]);
  for (std::size_t k = 0; k < shares().size(); ++k) refer(*shares()[k], *first_->shares()[k], *stepped_->shares()[k]);
  refer(slowdown_and_jobs, first_->slowdown_and_jobs, stepped_->slowdown_and_jobs);
  times.set_stepped(measured, {first_, &first_->times}, {stepped_, &stepped_->times});
}

/// Whole batches from the first on: of a later one places would be another's.
void PointStatistics::add_stepped(const BatchRecord& batch) {
  if (!stepped_ || batch.stepped.empty() || stepped_->makespan_s.count() != batch.range.first) return;
  first_->add_record(batch);
  stepped_->add_record(batch.stepped.front());
}

void PointStatistics::add(const BatchRecord& batch) {
  add_record(batch);
  add_stepped(batch);
}

void PointStatistics::add_record(const BatchRecord& batch) {
  if (makespan_s.sampling().is_plain() && !gathering_.times) add_plain(gather(batch, deadline_s_, gathering_));
  else add_units(batch);
}

void PointStatistics::add(const BatchStatistics& batch) {
  if (batch.record)
    add(*batch.record);
  else add_plain(batch);
}

void PointStatistics::add_plain(const BatchStatistics& batch) {
  late += batch.late;
  add_totals(batch.totals);
  makespan_s.add_batch(batch.makespan_s, batch.makespans_s);
  keep_late(batch.makespans_s);
  if (gathering_.makespans)
    makespans_s.insert(makespans_s.end(), batch.makespans_s.begin(), batch.makespans_s.end());
  dedication.add_batch(batch.dedication, batch.shares[0]);
  owner_share.add_batch(batch.owner_share, batch.shares[1]);
  overhead_share.add_batch(batch.overhead_share, batch.shares[2]);
  for (std::size_t i = 0; i < batch.finish_s.size(); ++i) {
    if (batch.finish_times_s.empty()) finish_s[i].add_batch(batch.finish_s[i]);
    else finish_s[i].add_batch(batch.finish_s[i], column_of(batch.finish_times_s, i, batch.finish_s.size()));
  }
}

void PointStatistics::keep_late(std::span<const double> makespans) {
  for (std::size_t k = 0; late_runs.is_kept() && k < makespans.size(); ++k)
    late_runs.add(std::array{makespans[k] > deadline_s_ ? 1.0 : 0.0});
}

void PointStatistics::add_units(const BatchRecord& batch) {
  std::vector<double> lates;
  for (const double makespan : batch.makespan_s) lates.push_back(makespan > deadline_s_ ? 1 : 0);
  for (const double is_late : lates) late += is_late > 0;
  add_totals(batch.totals);
  makespan_s.add_batch(batch.makespan_s, batch.controls);
  if (lateness.sampling().unit > 1) lateness.add_batch(lates, {});
  else keep_late(batch.makespan_s);
  if (gathering_.makespans) makespans_s.insert(makespans_s.end(), batch.makespan_s.begin(), batch.makespan_s.end());
  if (gathering_.shares) add_shares(batch);
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

/// Where a makespan is 0 there are no shares of it, and so no units.
void PointStatistics::add_shares(const BatchRecord& batch) {
  const auto values = shares_of(batch);
  for (std::size_t which = 0; which < values.size(); ++which) {
    if (values[which].size() == batch.makespan_s.size()) shares()[which]->add_batch(values[which], batch.controls);
    else shares()[which]->merge(Moments::of(values[which]));
  }
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

}  // namespace nowsim
