// The paths that CMake hands in.
#include "tests/paths.hpp"

#include <cstdlib>

namespace nowsim::test {

std::string source_folder() { return NOWSIM_SOURCE_DIR; }
std::string program_file() { return NOWSIM_BINARY; }
std::string print_route_file() { return NOWSIM_PRINT_ROUTE; }

bool is_long_run() { return std::getenv("NOWSIM_LONG") != nullptr; }

}  // namespace nowsim::test
