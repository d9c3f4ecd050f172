// The scenarios that `nowsim verify` compares: its own, those of a specification, random programs, and platforms of a folder.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "sim/engines/engine_agreement.hpp"

namespace nowsim {

struct Registries;

/// A scenario to be compared, and what it is called.
struct VerifyCase {
  std::string name;
  std::function<Agreement()> compare;
};

/// All points of an experiment that are simulated.
std::vector<VerifyCase> cases_of(const Experiment& experiment);
/// Every job with every owner, what meets on links of every kind of network, and all on the shipped platforms.
std::vector<VerifyCase> standard_cases(const LoadOptions& options, const Registries& registries, std::uint64_t seed);
/// So many random programs (rounded up to whole networks), a case for each kind of network; of other seeds others.
std::vector<VerifyCase> random_cases(std::uint64_t programs, std::uint64_t seed);
/// Random programs on the first machines of every platform file in a folder. Files that cannot be read, or have no ways
/// between these machines, are obstacles. @throws InputError where there is no such folder, or no such file in it.
std::vector<VerifyCase> platform_cases(const std::string& folder, std::uint64_t seed);

}  // namespace nowsim
