// Experiments for Python, and what they came to.
#include "tools/python/bindings.hpp"

namespace nowsim {

void bind_results(pybind11::module_&) {}

}  // namespace nowsim
