// Archives, as `nowsim bundle --check` looks into them.
#include "experiments/driver/bundles/bundle.hpp"

#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_bundle(std::string_view input) {
  const InputFile file(input);
  check_bundle(file.path());
}

}  // namespace nowsim::test
