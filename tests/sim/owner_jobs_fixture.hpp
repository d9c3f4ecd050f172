// Owner jobs for tests: of constant laws, for times derived by hand, and in Poisson streams.
#pragma once

#include <memory>

#include "sim/base/text.hpp"
#include "sim/owners/owner_jobs.hpp"

namespace nowsim::test {

inline constexpr Discipline kDisciplines[] = {Discipline::processor_sharing, Discipline::preemptive_priority};

/// A job every `interval_s`, the first at that time, each needing `demand_s`.
inline OwnerPtr regular_jobs(double interval_s, double demand_s, Discipline discipline, int cores = 1) {
  return jobs_owner(constant(interval_s), constant(demand_s), discipline, cores, "regular jobs");
}

/// A Poisson stream of jobs that ask for the share u of all cores.
inline OwnerPtr poisson_jobs(double u, DistributionPtr demand_s, Discipline discipline, int cores = 1) {
  const double interval_s = demand_s->mean() / cores / u;
  return jobs_owner(exponential(interval_s), std::move(demand_s), discipline, cores, "Poisson jobs u=" + number_text(u));
}

}  // namespace nowsim::test
