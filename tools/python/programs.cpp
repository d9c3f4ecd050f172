// Programs written as Python generators.
#include "tools/python/bindings.hpp"

namespace nowsim {

void bind_programs(pybind11::module_&) {}

}  // namespace nowsim
