// `nowsim plan --mpi`: on which machines the ranks of a recorded program hold a deadline.
#pragma once

#include <optional>

#include "experiments/driver/studies/plan_request.hpp"
#include "tools/command.hpp"

namespace nowsim {

/// The flags --mpi, --scale, --per-machine, --unpacked.
void add_mpi_flags(Flags& flags);
/// What they say; nothing where the job is no recorded program. @throws UsageError, also for flags that say of other
/// jobs what a trace says itself.
std::optional<MpiJob> mpi_job(const GivenFlags& flags);

/// Searches, measures and tells. `flags` for the manner: --at-most, --jobs, --format, --picture. Returns the exit status.
int answer_mpi_plan(const PlanRequest& request, const GivenFlags& flags, const Registries& registries);

}  // namespace nowsim
