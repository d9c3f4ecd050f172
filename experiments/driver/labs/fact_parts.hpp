// What a lab's facts are built of: the simulated ones, through all formulas between.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/labs/lab.hpp"

namespace nowsim {

/// The fact that a name in a formula is of: T of `T`, `T_hw` and `T_3`; null for numbers of the problem. A question's own
/// facts are known besides the lab's where one is given.
const LabFact* fact_of_name(const Lab& lab, const Question* question, const std::string& name);

/// The facts that are no formulas, each once, of which a fact or a formula ('=') is built; of a best one also those that
/// it compares. @throws InputError for a formula that is none.
std::vector<const LabFact*> simulated_parts(const Lab& lab, const Question* question, const std::string& name_or_formula);

}  // namespace nowsim
