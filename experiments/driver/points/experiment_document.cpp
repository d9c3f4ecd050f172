// Taking an experiment's file apart, and applying flags to it.
#include "experiments/driver/points/experiment_document.hpp"

#include <utility>

#include "experiments/driver/points/unknown_blocks.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

void forget_solving(ExperimentDocument& document) {
  std::erase_if(document.settings, [](const auto& entry) { return entry.first.starts_with("solve."); });
  for (const auto& key : document.sweep.keys())
    if (key.starts_with("solve.")) document.sweep.drop(key);
}

/// Why a key cannot be sought, or "".
std::string obstacle(const ExperimentDocument& document, const std::string& key) {
  const std::string block = key.substr(0, key.find('.'));
  if (contains(document.sweep.keys(), key)) return "'" + key + "' is swept; what is solved for is not";
  if (block == key || !contains({"platform", "job", "owner", "bandwidth", "split", "let"}, block))
    return "'" + key + "' cannot be solved for; a key such as job.size is wanted: of the blocks platform, job, owner, "
           "bandwidth, split or let";
  return "";
}

/// A key that is sought, or why there is none.
struct Sought {
  Place place;
  std::string key;
  std::string problem;
};

/// `first` is a setting of the block.
Sought read_sought(const ExperimentDocument& document, const Setting& first) {
  const auto found = document.settings.find("solve.key");
  if (found == document.settings.end())
    return {{first.place.file, first.place.line, "solve.key"}, "", "this key is missing; it is the one that is sought"};
  const Setting& setting = found->second;
  if (setting.is_list || setting.broken) return {setting.place, "", "one key is wanted here, such as job.size"};
  return {setting.place, setting.texts.front(), obstacle(document, setting.texts.front())};
}

/// Which key is sought. What the file gives for it goes: it gets its values when points are built. A flag that gives
/// one leaves nothing to be solved.
void find_sought(ExperimentDocument& document, Problems& problems) {
  const auto first = document.settings.lower_bound("solve.");
  if (first == document.settings.end() || !first->first.starts_with("solve.")) return;
  const auto [place, key, problem] = read_sought(document, first->second);
  const auto given = document.settings.find(key);
  const bool is_given = given != document.settings.end() && given->second.place.file == kOverridePlace;
  if (!problem.empty() || is_given) forget_solving(document);
  document.lacks_sought = !problem.empty() && given == document.settings.end();
  if (!problem.empty()) return problems.add(place, problem);
  if (is_given) {
    constexpr const char* kSentence = "this is the key that is solved for: with a value given, nothing is solved for";
    document.remarks.emplace_back(InputError(given->second.place, kSentence).what());
    document.reshaped = true;
    return;
  }
  document.settings[key] = Setting{{""}, false, false, {place.file, place.line, key}};
  document.sought = key;
}

}  // namespace

ExperimentDocument read_document(YamlNode root, const std::string& file, const LoadOptions& options,
                                 const Registries& registries, Problems& problems) {
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
  settle_unknown_blocks(root, file, registries, problems);
  ExperimentDocument document;
  document.files = options.files;
  std::vector<std::string> found;
  for (const auto& [key, node] : root.entries) {
    if (key == "sweep") document.sweep = read_sweep(node, file, found);
    else if (key == "claims") document.claims = read_claims(node, file, registries.checks, found);
    else if (key == "figure") document.figure = read_figure(node, file, registries.figures, found);
    else
      for (auto& problem : flatten(node, file, key, document.settings)) found.push_back(std::move(problem));
  }
  for (const auto& problem : found) problems.add(problem);
  for (const auto& setting : document.sweep.broken) document.settings[setting.place.key] = setting;
  // A flag fixes what the file sweeps; one that gives a whole block fixes every key in it.
  const std::size_t swept = document.sweep.keys().size();
  for (const auto& override : overrides) {
    Settings fixed;
    if (override.key.rfind("sweep", 0) != 0) flatten(override.value, file, override.key, fixed);
    for (const auto& [key, setting] : fixed) document.sweep.fix(key, setting.texts.empty() ? "" : setting.texts.front());
    document.sweep.drop(override.key);
    document.reshaped |= override.key.rfind("sweep", 0) == 0 || override.key == "metrics";
  }
  document.reshaped |= document.sweep.keys().size() < swept;
  find_sought(document, problems);
  return document;
}

}  // namespace nowsim
