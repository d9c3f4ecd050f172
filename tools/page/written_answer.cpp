// A scenario with its keys set, as a text: to be copied into a file, and back.
#include <algorithm>
#include <optional>
#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "tools/page/page_scenario.hpp"

namespace nowsim {
namespace {

/// The kind of figures that name none.
constexpr const char* kCurves = "curves";

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
      if (YamlNode* values = swept_values(*block, key)) *values = yaml_list(*steps);
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
  none.files = scenario.options.files;
  return sweep_of(desk, root, scenario, none);
}

/// What a key of a figure stands at; its entry goes where that is "".
void set_entry(YamlNode& map, const std::string& key, const std::string& text) {
  YamlNode* known = map.find(key);
  if (text.empty())
    yaml_erase(map, key);
  else if (known == nullptr)
    map.entries.emplace_back(key, yaml_scalar(text, true));
  else if (known->text != text)
    *known = yaml_scalar(text, true);
}

/// A figure's block as what flags leave of it: fewer axes, no series, and panels that are still there.
void reduce_figure(YamlNode& block, const Figure& left) {
  const YamlNode* kind = block.find("kind");
  if (kind != nullptr || left.kind->name != kCurves) set_entry(block, "kind", left.kind->name);
  if (left.series.key.empty())
    for (const char* key : {"series", "series_label", "labels"}) yaml_erase(block, key);
  if (!left.y && block.find("y") != nullptr) {
    set_entry(block, "x", left.x.key);
    set_entry(block, "x_label", left.x.label);
    set_entry(block, "x_scale", left.x.log ? "log" : "");
    for (const char* key : {"y", "y_label", "y_scale", "y_labels"}) yaml_erase(block, key);
  }
  if (YamlNode* labels = block.find("labels"))
    std::erase_if(labels->entries, [&](const auto& label) { return !left.series.labels.contains(label.first); });
  YamlNode* panels = block.find("panels");
  if (panels == nullptr) return;
  const auto is_gone = [&](const YamlNode& panel) {
    return std::ranges::none_of(left.panels, [&](const FigurePanel& kept) { return kept.place.line == panel.line; });
  };
  std::erase_if(panels->items, is_gone);
}

/// What is wrong with it as a file; "" where nothing is.
std::string why_not_read(const PageDesk& desk, const YamlNode& root, const PageScenario& scenario) {
  LoadOptions none;
  none.files = scenario.options.files;
  try {
    load_experiment(parse_yaml(yaml_text(root), scenario.file), scenario.file, none, desk.registries);
    return "";
  } catch (const InputError& e) {
    return e.what();
  }
}

/// A file may not have keys that another model, say, leaves idle; a flag that chose that model is only remarked on.
void erase_idle_keys(YamlNode& root, const Experiment& described) {
  for (const std::string& key : described.idle_keys)
    if (!key.starts_with("sweep.")) yaml_erase(root, key);
}

}  // namespace

PageJson page_written(PageDesk& desk, const PageRequest& request) {
  const PageScenario scenario = page_scenario(desk, request);
  if (scenario.options.overrides.empty()) return {{"yaml", scenario.yaml}};
  const Experiment described = described_scenario(desk, scenario);  // says what is wrong with it
  const YamlNode file = parse_yaml(scenario.yaml, scenario.file);
  YamlNode root = file;
  for (const std::string& text : scenario.options.overrides) apply_override(root, parse_override(text));
  fix_sweep(root, sweep_before(desk, root, scenario), sweep_of(desk, file, scenario, scenario.options));
  yaml_erase(root, "claims");  // they are about the file as it was
  YamlNode* figure = root.find("figure");
  if (figure != nullptr && described.figure) reduce_figure(*figure, *described.figure);
  if (!described.figure) yaml_erase(root, "figure");
  if (!why_not_read(desk, root, scenario).empty()) erase_idle_keys(root, described);
  if (!why_not_read(desk, root, scenario).empty()) yaml_erase(root, "figure");
  if (const std::string why = why_not_read(desk, root, scenario); !why.empty())
    throw InputError("a file cannot say what these keys do: " + why);
  const auto rewritten = rewritten_yaml(scenario.yaml, root, scenario.file);
  return {{"yaml", rewritten ? *rewritten : yaml_text(root)}};
}

}  // namespace nowsim
