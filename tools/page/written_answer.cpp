// A scenario with its keys set, as a text: to be copied into a file, and back.
#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/reading/yaml_rewriting.hpp"
#include "tools/page/page_scenario.hpp"

namespace nowsim {
namespace {

/// The steps of a swept key; nothing where it is not swept.
std::optional<std::vector<std::string>> steps_of(const Sweep& sweep, const std::string& key) {
  for (const Axis& axis : sweep.axes)
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      if (axis.keys[k] == key) {
        std::vector<std::string> steps;
        for (const auto& step : axis.values) steps.push_back(step[k]);
        return steps;
      }
  return std::nullopt;
}

/// Takes what flags have fixed out of the sweep, as reading does: whole axes, and the steps of zips.
void fix_sweep(YamlNode& root, const Sweep& before, const Sweep& after) {
  YamlNode* block = root.find("sweep");
  if (block == nullptr) return;
  for (const std::string& key : before.keys()) {
    const auto steps = steps_of(after, key);
    if (!steps) {
      sweep_erase(*block, key);
    } else if (*steps != steps_of(before, key)) {
      if (const YamlNode* values = swept_values(*block, key)) *const_cast<YamlNode*>(values) = yaml_list(*steps);
    }
  }
  if (after.axes.empty()) yaml_erase(root, "sweep");
}

/// What reading without flags makes of the file, and with them: problems were told when the scenario was read.
Sweep sweep_of(const PageDesk& desk, const YamlNode& root, const PageScenario& scenario, const LoadOptions& options) {
  Problems ignored;
  return read_document(root, scenario.file, options, desk.registries, ignored).sweep;
}

/// A sweep's axes that are set are as they are set before anything is fixed.
Sweep sweep_before(const PageDesk& desk, const YamlNode& root, const PageScenario& scenario) {
  LoadOptions none;
  none.files_within = scenario.options.files_within;
  return sweep_of(desk, root, scenario, none);
}

bool is_read(const PageDesk& desk, const YamlNode& root, const PageScenario& scenario) {
  LoadOptions none;
  none.files_within = scenario.options.files_within;
  try {
    load_experiment(root, scenario.file, none, desk.registries);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

PageJson page_written(PageDesk& desk, const PageRequest& request) {
  const PageScenario scenario = page_scenario(desk, request);
  if (scenario.options.overrides.empty()) return {{"yaml", scenario.yaml}};
  described_scenario(desk, scenario);  // says what is wrong with it
  const YamlNode file = parse_yaml(scenario.yaml, scenario.file);
  YamlNode root = file;
  for (const std::string& text : scenario.options.overrides) apply_override(root, parse_override(text));
  fix_sweep(root, sweep_before(desk, root, scenario), sweep_of(desk, file, scenario, scenario.options));
  yaml_erase(root, "claims");  // they are about the file as it was
  if (!is_read(desk, root, scenario)) yaml_erase(root, "figure");
  const auto rewritten = rewritten_yaml(scenario.yaml, root, scenario.file);
  return {{"yaml", rewritten ? *rewritten : yaml_text(root)}};
}

}  // namespace nowsim
