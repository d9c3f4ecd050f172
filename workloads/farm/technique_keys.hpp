// The keys that techniques alone read, each for itself.
#pragma once

#include "sim/base/keys.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// Those of all techniques, each with the first technique of which it is; of one name there are several where they are
/// not of one type.
KeyTable keys_of_techniques(const Registry<Technique>& techniques);
/// What stands at a technique's keys; it learns from then on, and uses, what formulas there need. @throws InputError
/// where they do not go together, std::logic_error for a type of key that techniques do not have.
TechniqueParameters read_for(Technique& technique, KeyReader& read);

}  // namespace nowsim
