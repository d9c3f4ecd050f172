// Claims by their ids, across experiments: what is shipped, and whether what a claim reads otherwise is anywhere.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

/// A claim as its file has it.
struct ListedClaim {
  std::string id, says, source;
  std::string experiment;  ///< huang-lee-2007/fig05
};

/// Of all shipped experiments, in their order.
std::vector<ListedClaim> shipped_claims();

/// The file whose claims an experiment has: of a copy of a shipped experiment that one's, by most of its claims' ids or of
/// what they say; of any other its own.
std::string file_of_claims(const Experiment& experiment);

/// Other readings name the claim that they read otherwise, which another experiment may have: one of the same folder,
/// or one that is shipped. A problem for each that no experiment has.
std::vector<InputProblem> lost_variants(const Experiment& experiment);

}  // namespace nowsim
