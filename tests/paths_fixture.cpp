// The paths that CMake hands in.
#include "tests/paths.hpp"

#include <cstdlib>
#include <string_view>

namespace nowsim::test {

std::string source_folder() { return NOWSIM_SOURCE_DIR; }
std::string program_file() { return NOWSIM_BINARY; }
std::string print_route_file() { return NOWSIM_PRINT_ROUTE; }
std::string end_at_call_file() { return NOWSIM_END_AT_CALL; }

bool is_long_run() {
  const char* set = std::getenv("NOWSIM_LONG");
  return set != nullptr && std::string_view(set) != "" && std::string_view(set) != "0";
}

}  // namespace nowsim::test
