// Gathering moments over a batch, and merging them.
#include "sim/metrics/point_statistics.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/program/control_variates.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
namespace {

void gather_shares(const BatchRecord& batch, BatchStatistics& to) {
  const double m = static_cast<double>(batch.workstations);
  const auto& owners_s = batch.totals[Quantity::owner_s];
  for (std::size_t k = 0; k < batch.makespan_s.size(); ++k) {
    const double makespan = batch.makespan_s[k], effective = batch.effective_s[k], owner = owners_s[k];
    if (makespan <= 0) continue;
    to.dedication.add(effective / makespan);
    to.owner_share.add(owner / m / makespan);
    to.overhead_share.add(1 - (owner + effective) / m / makespan);
  }
}

/// Of plain observations.
BatchStatistics gather(const BatchRecord& batch, double deadline_s, const Gathering& gathering) {
  BatchStatistics out;
  for (const double makespan : batch.makespan_s) {
    out.makespan_s.add(makespan);
    if (makespan > deadline_s) ++out.late;
  }
  if (gathering.shares) gather_shares(batch, out);
  if (gathering.finish) out.finish_s = batch.moments(Quantity::finish_s);
  if (gathering.makespans) out.makespans_s = batch.makespan_s;
  for (const Quantity q : kAllQuantities)
    if (quantity_kind(q).is_recorded != nullptr) out.totals[q] = batch.totals[q];
  return out;
}

}  // namespace

BatchStatistics statistics_of(const BatchRecord& batch, const Scenario& scenario, double deadline_s,
                              const Gathering& gathering) {
  if (!needs_record(scenario, gathering)) return gather(batch, deadline_s, gathering);
  BatchStatistics out;
  for (const double makespan : batch.makespan_s) out.makespan_s.add(makespan);
  out.record = batch;
  return out;
}

Sampling sampling_of(const Scenario& scenario) {
  return {scenario.variance_reduction->unit(), scenario.controls ? scenario.controls->count() : 0};
}

bool needs_record(const Scenario& scenario, const Gathering& gathering) {
  return gathering.times || !sampling_of(scenario).is_plain();
}

RecordedColumns columns_for(const Scenario& scenario, const Gathering& gathering) {
  RecordedColumns columns{gathering.shares || needs_record(scenario, gathering), {}};
  columns.per_workstation[Quantity::finish_s] = gathering.finish;
  for (const Quantity q : {Quantity::work_flop, Quantity::active_s, Quantity::owner_s})
    columns.per_workstation[q] = gathering.times;
  return columns;
}

PointStatistics::PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering)
    : deadline_s_(deadline_s), gathering_(gathering) {
  const Sampling sampling = sampling_of(scenario), without_controls{sampling.unit, 0};
  for (auto* sample : {&makespan_s, &dedication, &owner_share, &overhead_share}) *sample = Sample(sampling);
  lateness = Sample(without_controls);
  finish_s.assign(gathering.finish ? scenario.size() : 0, Sample(without_controls));
  if (gathering.times) times = TimeBreakdown(scenario);
}

void PointStatistics::add(const BatchRecord& batch) {
  if (makespan_s.sampling().is_plain() && !gathering_.times) add_plain(gather(batch, deadline_s_, gathering_));
  else add_units(batch);
}

void PointStatistics::add(const BatchStatistics& batch) {
  if (batch.record) add_units(*batch.record);
  else add_plain(batch);
}

void PointStatistics::add_plain(const BatchStatistics& batch) {
  late += batch.late;
  add_totals(batch.totals);
  makespan_s.merge(batch.makespan_s);
  makespans_s.insert(makespans_s.end(), batch.makespans_s.begin(), batch.makespans_s.end());
  dedication.merge(batch.dedication);
  owner_share.merge(batch.owner_share);
  overhead_share.merge(batch.overhead_share);
  for (std::size_t i = 0; i < batch.finish_s.size(); ++i) finish_s[i].merge(batch.finish_s[i]);
}

void PointStatistics::add_units(const BatchRecord& batch) {
  std::vector<double> lates;
  for (const double makespan : batch.makespan_s) lates.push_back(makespan > deadline_s_ ? 1 : 0);
  for (const double is_late : lates) late += is_late > 0;
  add_totals(batch.totals);
  makespan_s.add_batch(batch.makespan_s, batch.controls);
  if (lateness.sampling().unit > 1) lateness.add_batch(lates, {});
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
  if (std::ranges::any_of(batch.makespan_s, [](double makespan) { return makespan <= 0; })) {
    BatchStatistics shares;
    gather_shares(batch, shares);
    dedication.merge(shares.dedication);
    owner_share.merge(shares.owner_share);
    overhead_share.merge(shares.overhead_share);
    return;
  }
  const double m = static_cast<double>(batch.workstations);
  const auto& owners_s = batch.totals[Quantity::owner_s];
  std::vector<double> dedications, owners, overheads;
  for (std::size_t k = 0; k < batch.makespan_s.size(); ++k) {
    const double makespan = batch.makespan_s[k], effective = batch.effective_s[k], owner = owners_s[k];
    dedications.push_back(effective / makespan);
    owners.push_back(owner / m / makespan);
    overheads.push_back(1 - (owner + effective) / m / makespan);
  }
  dedication.add_batch(dedications, batch.controls);
  owner_share.add_batch(owners, batch.controls);
  overhead_share.add_batch(overheads, batch.controls);
}

/// Values where they are kept, else moments: units are then not known.
void PointStatistics::add_finish_times(const BatchRecord& batch) {
  const std::vector<double>& values = batch.of(Quantity::finish_s).values;
  if (makespan_s.sampling().unit == 1 || values.empty()) {
    const auto finish = batch.moments(Quantity::finish_s);
    for (std::size_t i = 0; i < finish.size(); ++i) finish_s[i].merge(finish[i]);
    return;
  }
  std::vector<double> column(batch.makespan_s.size());
  for (std::size_t i = 0; i < finish_s.size(); ++i) {
    for (std::size_t k = 0; k < column.size(); ++k) column[k] = values[k * finish_s.size() + i];
    finish_s[i].add_batch(column, {});
  }
}

}  // namespace nowsim
