// Where there are no processes nobody's Python can be run.
#include "experiments/driver/labs/confined_technique.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

ConfinedTechnique confined_technique(const std::string&, const std::string&, const std::string&, const CodeLimits&) {
  throw RunError("Python code cannot be run here; 'nowsim lab check' and 'nowsim lab serve' run it");
}

std::string Confinement::text() const { return "Students' Python code is not run here."; }

}  // namespace nowsim
