// Read as for a run, but for whatever cannot be.
#include "tools/completion/described_experiment.hpp"

#include "experiments/driver/reading/yaml_tree.hpp"
#include "sim/base/error.hpp"
#include "tools/shipped/shipped_experiments.hpp"

namespace nowsim {
namespace {

YamlNode document_of(const std::string& name) {
  if (name.empty()) return {};
  try {
    return read_yaml(find_experiment(name));
  } catch (const InputError&) {
    return {};
  }
}

void try_override(YamlNode& document, const std::string& text) {
  try {
    apply_override(document, parse_override(text));
  } catch (const InputError&) {  // half a word still
  }
}

}  // namespace

std::vector<std::string> DescribedExperiment::values_of(const std::string& key) const {
  std::vector<std::string> values;
  for (const Axis& axis : sweep.axes)
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      for (const auto& step : axis.values)
        if (axis.keys[k] == key) values.push_back(step[k]);
  if (const auto setting = settings.find(key); values.empty() && setting != settings.end()) return setting->second.texts;
  return values;
}

DescribedExperiment described_experiment(const std::string& name, const std::vector<std::string>& overrides) {
  YamlNode document = document_of(name);
  document.kind = YamlNode::Kind::map;
  for (const std::string& text : overrides) try_override(document, text);
  DescribedExperiment described;
  Problems problems;
  if (const YamlNode* sweep = document.find("sweep")) described.sweep = read_sweep(*sweep, name, problems);
  std::erase_if(document.entries, [](const auto& entry) { return entry.first == "sweep"; });
  flatten(document, name, "", described.settings, problems);
  for (const auto& [key, setting] : described.settings)
    if (setting.place.file == kOverridePlace && !setting.texts.empty()) described.sweep.fix(key, setting.texts.front());
  return described;
}

}  // namespace nowsim
