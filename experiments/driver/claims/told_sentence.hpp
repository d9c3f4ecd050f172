// A claim's sentence with the results that it names.
#pragma once

#include <string>

#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// The sentence, each of its values as it was measured, with interval and unit. A value is told of the points that its
/// own axes and, for all other axes, the claim's `where` select: of several the smallest and the largest; "no result"
/// of none.
std::string told(const ToldSentence& sentence, const Claim& claim, const ResultTable& summary);

}  // namespace nowsim
