// Taking an experiment's file apart, and applying flags to it.
#include "experiments/experiment_document.hpp"

#include <utility>

namespace nowsim {

ExperimentDocument read_document(YamlNode root, const std::string& file, const LoadOptions& options, Problems& problems) {
  if (root.kind == YamlNode::Kind::null) throw InputError(Place{file, 0, ""}, "the file is empty");
  if (root.kind != YamlNode::Kind::map)
    throw InputError(Place{file, root.line, ""}, "an experiment is a map of keys and values, beginning with 'nowsim: 1'");
  if (root.entries.empty() || root.entries.front().first != "nowsim")
    throw InputError(Place{file, root.line, ""}, "the first key must be 'nowsim: 1', the version of the format");
  std::vector<Override> overrides;
  for (const auto& text : options.overrides) {
    try {
      overrides.push_back(parse_override(text));
    } catch (const InputError& e) {
      problems.add(e.what());
    }
  }
  for (const auto& override : overrides) apply_override(root, override);
  ExperimentDocument document;
  std::vector<std::string> found;
  for (const auto& [key, node] : root.entries) {
    if (key == "sweep") document.sweep = read_sweep(node, file, found);
    else if (key == "claims") document.claims = read_claims(node, file, found);
    else if (key == "figure") document.figure = read_figure(node, file, found);
    else
      for (auto& problem : flatten(node, file, key, document.settings)) found.push_back(std::move(problem));
  }
  for (const auto& problem : found) problems.add(problem);
  for (const auto& setting : document.sweep.broken) document.settings[setting.place.key] = setting;
  // A flag fixes what the file sweeps; one that gives a whole block fixes every key in it.
  const std::size_t swept = document.sweep.keys().size();
  for (const auto& override : overrides) {
    document.sweep.drop(override.key);
    Settings fixed;
    if (override.key.rfind("sweep", 0) != 0) flatten(override.value, file, override.key, fixed);
    for (const auto& [key, setting] : fixed) document.sweep.drop(key);
    document.reshaped |= override.key.rfind("sweep", 0) == 0 || override.key == "metrics";
  }
  document.reshaped |= document.sweep.keys().size() < swept;
  return document;
}

}  // namespace nowsim
