// The word behind --set, put into an experiment.
#include "experiments/driver/reading/settings.hpp"
#include "tests/fuzz/targets.hpp"

namespace nowsim::test {

void fuzz_set(std::string_view input) {
  YamlNode document = parse_yaml(
      "platform: {workstations: 4}\nowner: {TH: 0.2, hosts: {ws1: {TH: 0}}}\nlet: {a.b: 3}\nsweep: {owner.TH: [0, "
      "1]}\n",
      "e.yaml");
  apply_override(document, parse_override(std::string(input)));
  Settings settings;
  Problems problems;
  flatten(document, "e.yaml", "", settings, problems);
}

}  // namespace nowsim::test
