// Words, YAML and experiments: what is read is finite or built, and what is printed of it can be read again.
#include <cmath>
#include <stdexcept>

#include "experiments/driver/claims/verdicts.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/yaml_tree.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/host_patterns.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/verdict.hpp"
#include "workloads/built_in.hpp"

namespace nowsim::test {
namespace {

void read_as(Dimension dimension, const std::string& text) {
  const double value = parse_quantity(text, dimension);
  if (!std::isfinite(value)) throw std::logic_error("a quantity that is not finite");
  try {
    parse_quantity(format_quantity(value, dimension), dimension);
  } catch (const InputError& e) {
    throw std::logic_error("what is printed cannot be read: " + std::string(e.what()));
  }
}

}  // namespace

/// Quantities with units: what is read is finite, and what is printed of it can be read again.
void fuzz_quantity(std::string_view input) {
  const std::string text(input);
  for (int d = 0; d <= static_cast<int>(Dimension::bandwidth); ++d) {
    const std::string fault = fault_of([&] { read_as(static_cast<Dimension>(d), text); }, input);
    if (!fault.empty()) throw std::logic_error(fault);
  }
}

/// Formulas: compiled, and evaluated where each variable has a value.
void fuzz_formula(std::string_view input) {
  const Formula formula{std::string(input)};
  std::map<std::string, double> values;
  for (const auto& name : formula.variables()) values[name] = 1.5 + static_cast<double>(values.size());
  if (!std::isfinite(formula.evaluate(values))) throw std::logic_error("a value that is not finite");
}

/// Host patterns.
void fuzz_pattern(std::string_view input) {
  if (expand_host_pattern(std::string(input)).size() > kMostPatternNames) throw std::logic_error("too many names");
}

/// The word behind --set, put into an experiment.
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

/// YAML, as a tree and as settings.
void fuzz_yaml(std::string_view input) {
  Settings settings;
  Problems problems;
  flatten(parse_yaml(std::string(input), "e.yaml"), "e.yaml", "", settings, problems);
}

/// Experiments: all that `nowsim check` reads, and the points built of it.
void fuzz_experiment(std::string_view input) {
  static const Registries registries({}, builtin_checks(), builtin_figures());
  load_experiment(parse_yaml(std::string(input), "experiments/labs/e.yaml"), "experiments/labs/e.yaml", {}, registries);
}

}  // namespace nowsim::test
