// Where there are no processes: work that is to be done apart is done here.
#include "sim/platform/child_outcome.hpp"

namespace nowsim {

ChildOutcome apart(const std::function<std::string()>& work, double) { return outcome_of(work); }

}  // namespace nowsim
