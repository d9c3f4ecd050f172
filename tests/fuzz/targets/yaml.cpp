// YAML, as a tree and as settings.
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_yaml(std::string_view input) {
  Settings settings;
  Problems problems;
  flatten(parse_yaml(std::string(input), "e.yaml"), "e.yaml", "", settings, problems);
}

}  // namespace nowsim::test
