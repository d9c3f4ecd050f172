// A problem that is fit to be given: it can be solved, and no wrong way comes near the right answer.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/labs/facts.hpp"

namespace nowsim {

/// The first attempt that nothing speaks against. @throws InputError naming the lab where 200 gave none, with the last
/// one's reason; RunError.
Problem make_problem(const Lab& lab, const LabOwner& owner, const Registries& registries, const FactOptions& options = {});

/// The attempt that has this signature, as an answers file tells it; nothing where none has. It simulates nothing, so a
/// file that was changed may name one that is not the first that is fit.
std::optional<Problem> signed_problem(const Lab& lab, const LabOwner& owner, const std::string& signature);

/// Why a problem is not to be given: a formula of `accept` is not above 0; a misconception's answer is less than five
/// half-widths of the right one from it, or within both tolerances, or not told from another's (of lists in every item). "" where it may be.
/// @throws InputError, RunError where facts cannot be computed.
std::string why_not(Facts& facts);

}  // namespace nowsim
