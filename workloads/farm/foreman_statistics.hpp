// What DLS4LB's foreman knows of its workers: of each the numbers of its latest report, or those of the fastest.
#pragma once

#include <cstddef>
#include <vector>

#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// A worker's time per task, as it reports it, and how its tasks' times vary [s].
struct ForemanReport {
  double mean_s = 0;
  double deviation_s = 0;
};

/// All workers' reports. Who has not reported has the numbers of the fastest of the others, until everybody has reported.
class ForemanStatistics {
 public:
  explicit ForemanStatistics(std::size_t workers) : reports_(workers), counts_(workers) {}
  /// DLS4LB, lines 764-788; `count` is how many chunks the worker has done.
  void note(std::size_t worker, std::int64_t count, const ForemanReport& report);
  [[nodiscard]] bool has_reported(std::size_t worker) const { return counts_[worker] > 0; }
  [[nodiscard]] std::int64_t noted(std::size_t worker) const { return counts_[worker]; }
  /// What counts for each; only once somebody has reported.
  [[nodiscard]] const std::vector<ForemanReport>& all() const { return reports_; }

 private:
  std::vector<ForemanReport> reports_;
  std::vector<std::int64_t> counts_;
  std::size_t reported_ = 0;  ///< workers
};

/// The foreman's, with what a worker that asks now has reported since it last asked, as `report` makes it of the records.
/// It is kept in the state's memory.
const ForemanStatistics& foreman_statistics(LoopState& state, std::size_t worker,
                                            ForemanReport (*report)(const WorkerRecord&));

/// A part of a task is dropped once 0.55 has been added (DLS4LB, lines 300, 322 and 341).
std::int64_t rounded_as_dls4lb(double tasks);

}  // namespace nowsim
