// Formulas: compiled, and evaluated where each variable has a value.
#include "sim/base/formula.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_formula(std::string_view input) {
  const Formula formula{std::string(input)};
  std::map<std::string, double> values;
  for (const auto& name : formula.variables()) values[name] = 1.5 + static_cast<double>(values.size());
  if (!std::isfinite(formula.evaluate(values))) throw std::logic_error("a value that is not finite");
}

}  // namespace nowsim::test
