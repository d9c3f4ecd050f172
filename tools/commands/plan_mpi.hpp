// `nowsim plan --mpi`: on which machines the ranks of a recorded program hold a deadline.
#pragma once

#include <optional>

#include "experiments/driver/studies/plan_request.hpp"
#include "tools/command.hpp"

namespace nowsim {

/// The flags --mpi, --scale, --per-machine.
void add_mpi_flags(boost::program_options::options_description& description);
/// What they say; nothing where the job is no recorded program. @throws UsageError, also for flags that say of other
/// jobs what a trace says itself.
std::optional<MpiJob> mpi_job(const boost::program_options::variables_map& flags);

/// Searches, measures and tells. `flags` for the manner: --at-most, --jobs, --format, --picture. Returns the exit status.
int answer_mpi_plan(const PlanRequest& request, const boost::program_options::variables_map& flags,
                    const Registries& registries);

}  // namespace nowsim
