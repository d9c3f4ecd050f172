// Both documents' keys side by side; and, of another file whose keys differ, both experiments' points.
#include "experiments/driver/points/changed_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// Whether a key has a part in what claims are about.
bool is_claimed_about(const std::string& key) {
  static const Words kTold{"nowsim", "title", "description", "metrics"};
  static const Words kOfRuns{"run.deadline", "run.start", "run.baseline", "run.reference"};  // the others say how it is measured
  if (key.starts_with("run.")) return contains(kOfRuns, key);
  return !contains(kTold, key);
}

/// What a file gives for a key.
struct GivenValues {
  Words texts;
  bool is_swept = false;
  Words together;  ///< the keys of its axis that count
};

GivenValues given_along(const Axis& axis, std::size_t k) {
  GivenValues given{{}, true, axis.keys};
  std::erase_if(given.together, [](const std::string& key) { return !is_claimed_about(key); });
  for (const auto& step : axis.values) given.texts.push_back(step[k]);
  return given;
}

/// A file with flags, as far as its keys and claims go.
struct WrittenExperiment {
  WrittenExperiment(const std::string& file, LoadOptions options, const Registries& registries)
      : folder(fs::path(file).parent_path()) {
    options.files.noted = nullptr;
    files = options.files;
    YamlNode root = read_yaml(file);
    Problems ignored;  // whoever loads the experiment is told
    const ExperimentDocument document = read_document(root, file, options, registries, ignored);
    for (const auto& text : options.overrides) apply_override(root, parse_override(text));
    if (const YamlNode* found = root.find("claims")) claims = *found;
    for (const auto& [key, setting] : document.settings)
      if (is_claimed_about(key)) values[key] = {setting.texts, false, {}};
    for (const Axis& axis : document.sweep.axes)
      for (std::size_t k = 0; k < axis.keys.size(); ++k)
        if (is_claimed_about(axis.keys[k])) values[axis.keys[k]] = given_along(axis, k);
  }
  /// What a text that names a file or folder leads to; "" of any other.
  [[nodiscard]] std::string file_named(const std::string& text) const {
    std::error_code ignored;
    const fs::path file = folder / text;
    if (!text.empty() && fs::exists(file, ignored)) return file.string();
    return files.shipped_platform(text, file.string());
  }

  std::map<std::string, GivenValues> values;
  YamlNode claims;
  fs::path folder;
  NamedFiles files;
};

bool is_same_value(const WrittenExperiment& a, const std::string& of_a, const WrittenExperiment& b,
                   const std::string& of_b) {
  if (same_axis_value(of_a, of_b)) return true;
  const std::string file_a = a.file_named(of_a), file_b = b.file_named(of_b);
  std::error_code ignored;
  return !file_a.empty() && !file_b.empty() && fs::equivalent(file_a, file_b, ignored);
}

bool is_same(const WrittenExperiment& a, const GivenValues& of_a, const WrittenExperiment& b, const GivenValues& of_b) {
  return of_a.is_swept == of_b.is_swept && of_a.together == of_b.together &&
         std::ranges::equal(of_a.texts, of_b.texts, [&](const std::string& x, const std::string& y) {
           return is_same_value(a, x, b, y);
         });
}

std::vector<std::string> changed_keys(const WrittenExperiment& now, const WrittenExperiment& before) {
  std::vector<std::string> changes;
  for (const auto& [key, given] : now.values) {
    const auto known = before.values.find(key);
    if (known == before.values.end() || !is_same(now, given, before, known->second))
      changes.push_back(key + " = " + some_names(given.texts));
  }
  for (const auto& [key, given] : before.values)
    if (!now.values.contains(key)) changes.push_back(key + " not given");
  return changes;
}

// ---- claims ----------------------------------------------------------------------------------------------------------

std::string text_of(const YamlNode& node) {
  std::string text = node.text;
  for (const auto& item : node.items) text += (text.empty() ? "" : ", ") + text_of(item);
  for (const auto& [key, value] : node.entries) text += (text.empty() ? "" : ", ") + key + ": " + text_of(value);
  return text;
}

const YamlNode* claim_named(const YamlNode& claims, const std::string& id) {
  for (const YamlNode& claim : claims.items)
    if (const YamlNode* name = claim.find("id"); name != nullptr && name->text == id) return &claim;
  return nullptr;
}

/// What a claim checks, beside what is told of it.
std::vector<std::string> changed_checks(const YamlNode& now, const YamlNode& before) {
  static const Words kTold{"id", "says", "source", "paper", "words", "differs", "calibrated", "chosen", "variant_of"};
  std::vector<std::string> changes;
  for (const auto& [key, value] : now.entries) {
    const YamlNode* known = before.find(key);
    if (!contains(kTold, key) && (known == nullptr || !same_axis_value(text_of(value), text_of(*known))))
      changes.push_back(key + " = " + text_of(value));
  }
  for (const auto& [key, value] : before.entries)
    if (!contains(kTold, key) && now.find(key) == nullptr) changes.push_back(key + " not given");
  return changes;
}

// ---- points ----------------------------------------------------------------------------------------------------------

/// Whether both are the same scenarios but for the seed; not known of what is still to be found.
bool are_same(const Point& a, const Point& b, ScenarioKeys& keys) {
  const auto key = [&](const Scenario* scenario) {
    Scenario any = *scenario;
    any.seed = 1;
    return keys.key(any, "");
  };
  if (!std::ranges::equal(a.values, b.values, same_axis_value) || a.plan.deadline_s != b.plan.deadline_s ||
      a.reference != b.reference || a.state.index() != b.state.index())
    return false;
  if (a.as<InfeasiblePoint>() != nullptr) return true;
  if (a.as<ReadyPoint>() == nullptr) return false;
  return std::ranges::equal(a.simulated()->all(), b.simulated()->all(), {}, key, key);
}

bool are_same_points(const Experiment& a, const Experiment& b) {
  ScenarioKeys keys;
  return a.axes == b.axes && std::ranges::equal(a.points, b.points, [&](const Point& p, const Point& q) {
           return are_same(p, q, keys);
         });
}

/// Where the original cannot be read any more, nothing is the same.
bool have_the_same_points(const Experiment& experiment, const std::string& original, LoadOptions options,
                   const Registries& registries) {
  options.overrides.clear();
  options.files.noted = nullptr;
  try {
    return are_same_points(experiment, load_experiment(original, options, registries));
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace

std::string ExperimentChanges::text(const std::string& claim) const {
  std::vector<std::string> all = keys;
  if (const auto own = of_claims.find(claim); own != of_claims.end())
    for (const auto& change : own->second) all.push_back("claims." + claim + "." + change);
  return some_names(all);
}

ExperimentChanges changes_beside(const std::string& original, const Experiment& experiment, const LoadOptions& options,
                                 const Registries& registries) {
  std::error_code ignored;
  const bool is_other = !fs::equivalent(original, experiment.file, ignored);
  if (!is_other && options.overrides.empty()) return {};
  const WrittenExperiment now(experiment.file, options, registries),
      before(original, LoadOptions{{}, options.files}, registries);
  ExperimentChanges changes{changed_keys(now, before), {}};
  if (is_other && !changes.keys.empty() && have_the_same_points(experiment, original, options, registries))
    changes.keys.clear();
  for (const auto& claim : experiment.claims) {
    const YamlNode *mine = claim_named(now.claims, claim.id), *theirs = claim_named(before.claims, claim.id);
    if (mine == nullptr || theirs == nullptr) continue;
    if (auto checks = changed_checks(*mine, *theirs); !checks.empty()) changes.of_claims[claim.id] = std::move(checks);
  }
  return changes;
}

}  // namespace nowsim
