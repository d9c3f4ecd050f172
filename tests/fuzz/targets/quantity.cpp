// Quantities with units: what is read is finite, and what is printed of it can be read again.
#include "experiments/driver/text/units.hpp"

#include <cmath>
#include <stdexcept>

#include "sim/base/error.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"

namespace nowsim::test {
namespace {

void read_as(Dimension dimension, const std::string& text) {
  const double value = parse_quantity(text, dimension);
  if (!std::isfinite(value)) throw std::logic_error("a quantity that is not finite");
  try {
    parse_quantity(format_quantity(value, dimension), dimension);
  } catch (const InputError& e) {
    throw std::logic_error("what is printed cannot be read: " + std::string(e.what()));
  }
}

}  // namespace

void fuzz_quantity(std::string_view input) {
  const std::string text(input);
  for (int d = 0; d <= static_cast<int>(Dimension::bandwidth); ++d) {
    const std::string fault = fault_of([&] { read_as(static_cast<Dimension>(d), text); }, input);
    if (!fault.empty()) throw std::logic_error(fault);
  }
}

}  // namespace nowsim::test
