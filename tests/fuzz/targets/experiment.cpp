// Experiments: all that `nowsim check` reads, and the points built of it.
#include "experiments/experiment.hpp"

#include "experiments/yaml_tree.hpp"
#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_experiment(std::string_view input) {
  static const WorkloadRegistry workloads = builtin_workloads();
  load_experiment(parse_yaml(std::string(input), "experiments/labs/e.yaml"), "experiments/labs/e.yaml", {}, workloads);
}

}  // namespace nowsim::test
