// How far a job under way would have been expected to be by now, by its plan.
#pragma once

#include <optional>
#include <vector>

#include "experiments/driver/studies/job_progress.hpp"

namespace nowsim {

/// Shares of a part that were done by now, in simulated beginnings of the job.
struct ExpectedShare {
  double low = 0, mean = 0, high = 0;  ///< the quantiles of 5 and 95 %
  double least = 0, most = 0;          ///< of all
};

/// Of a job whose machines do not wait for one another.
struct ExpectedProgress {
  std::size_t replications = 0;
  std::optional<ExpectedShare> whole;                 ///< none where some machine's owner cannot tell
  std::vector<std::optional<ExpectedShare>> machines; ///< by workstation; none without a part, and beside owner jobs
};

/// By the scenario as it was planned and the parts that machines really have; none where machines wait for one another,
/// or begin later. Owners whose parameters were measured are as far apart as they may be.
std::optional<ExpectedProgress> expected_progress(const Scenario& planned, const JobProgress& progress);

}  // namespace nowsim
