// Gathering moments over a batch, and merging them.
#include "sim/point_statistics.hpp"

namespace nowsim {
namespace {

void gather_shares(const BatchRecord& batch, BatchStatistics& to) {
  const double m = static_cast<double>(batch.workstations);
  for (std::size_t k = 0; k < batch.makespan_s.size(); ++k) {
    const double makespan = batch.makespan_s[k], effective = batch.effective_s[k], owner = batch.owner_s[k];
    if (makespan <= 0) continue;
    to.dedication.add(effective / makespan);
    to.owner_share.add(owner / m / makespan);
    to.overhead_share.add(1 - (owner + effective) / m / makespan);
  }
}

}  // namespace

BatchStatistics statistics_of(const BatchRecord& batch, double deadline_s, const Gathering& gathering) {
  BatchStatistics out;
  for (const double makespan : batch.makespan_s) {
    out.makespan_s.add(makespan);
    if (makespan > deadline_s) ++out.late;
  }
  if (gathering.shares) gather_shares(batch, out);
  if (gathering.finish) out.finish_s = batch.moments(Quantity::finish_s);
  out.owner_jobs = batch.owner_jobs;
  out.owner_slowdown = batch.owner_slowdown;
  return out;
}

PointStatistics::PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering)
    : finish_s(gathering.finish ? scenario.size() : 0), deadline_s_(deadline_s), gathering_(gathering) {}

void PointStatistics::add(const BatchStatistics& batch) {
  late += batch.late;
  for (const double jobs : batch.owner_jobs) owner_jobs.add(jobs);
  for (const double slowdown : batch.owner_slowdown) owner_slowdown.add(slowdown);
  makespan_s.merge(batch.makespan_s);
  dedication.merge(batch.dedication);
  owner_share.merge(batch.owner_share);
  overhead_share.merge(batch.overhead_share);
  for (std::size_t i = 0; i < batch.finish_s.size(); ++i) finish_s[i].merge(batch.finish_s[i]);
}

}  // namespace nowsim
