// Platform files.
#include "sim/platform/read_platform.hpp"
#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_platform(std::string_view input) {
  const InputFile file(input);
  load_platform(file.path());
}

}  // namespace nowsim::test
