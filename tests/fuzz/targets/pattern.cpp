// Host patterns.
#include <stdexcept>

#include "sim/base/host_patterns.hpp"
#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_pattern(std::string_view input) {
  if (expand_host_pattern(std::string(input)).size() > kMostPatternNames) throw std::logic_error("too many names");
}

}  // namespace nowsim::test
