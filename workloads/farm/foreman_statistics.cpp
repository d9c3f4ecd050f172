// Noting a report, and what follows from it for those who have not reported.
#include "workloads/farm/foreman_statistics.hpp"

#include <any>

namespace nowsim {

void ForemanStatistics::note(std::size_t worker, std::int64_t count, const ForemanReport& report) {
  if (counts_[worker] == 0) ++reported_;
  counts_[worker] = count;
  reports_[worker] = report;
  if (reported_ == counts_.size()) return;
  std::size_t fastest = worker;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] > 0 && reports_[i].mean_s < reports_[fastest].mean_s) fastest = i;
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (counts_[i] == 0) reports_[i] = reports_[fastest];
}

const ForemanStatistics& foreman_statistics(LoopState& state, std::size_t worker,
                                            ForemanReport (*report)(const WorkerRecord&)) {
  if (!state.memory.has_value()) state.memory = ForemanStatistics(state.records.size());
  auto& statistics = *std::any_cast<ForemanStatistics>(&state.memory);
  const WorkerRecord& record = state.records[worker];
  if (record.chunks > statistics.noted(worker)) statistics.note(worker, record.chunks, report(record));
  return statistics;
}

std::int64_t rounded_as_dls4lb(double tasks) { return static_cast<std::int64_t>(tasks + 0.55); }

}  // namespace nowsim
