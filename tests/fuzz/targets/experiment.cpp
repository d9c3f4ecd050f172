// Experiments: all that `nowsim check` reads, and the points built of it.
#include "experiments/driver/points/experiment.hpp"

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "tests/fuzz/targets.hpp"
#include "workloads/built_in.hpp"

namespace nowsim::test {

void fuzz_experiment(std::string_view input) {
  static const Registries registries({}, builtin_checks(), builtin_figures());
  load_experiment(parse_yaml(std::string(input), "experiments/labs/e.yaml"), "experiments/labs/e.yaml", {}, registries);
}

}  // namespace nowsim::test
