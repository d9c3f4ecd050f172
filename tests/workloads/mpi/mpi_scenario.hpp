// Recorded programs as jobs, for tests that run them.
#pragma once

#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/mpi/recorded_trace.hpp"

namespace nowsim::test {

/// The trace on a platform under owners; `words` are its keys that choose, `numbers` the others, in SI.
inline Scenario mpi_scenario(const std::string& trace, std::shared_ptr<const Platform> platform,
                             std::map<std::string, std::string> words = {},
                             const std::map<std::string, double>& numbers = {},
                             const std::vector<std::string>& placement = {}, OwnerPtr owner = dedicated_owner()) {
  words["trace"] = trace;
  FixedParameters read(numbers, words);
  read.list = placement;
  Scenario s = scenario(std::move(platform), {}, std::move(owner));
  s.workload = made("mpi-trace", read);
  return s;
}

}  // namespace nowsim::test
