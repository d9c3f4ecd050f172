// Writing what flags ask into the experiment's document, and telling problems by the flags.
#include "experiments/driver/studies/isoefficiency.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/studies/asked_experiment.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"

namespace nowsim {
namespace {

using Kind = YamlNode::Kind;

/// Keys that flags of this command stand for.
const std::vector<AskedKey>& solve_keys() {
  static const std::vector<AskedKey> keys{{"solve.key", "--size"},          {"solve.metric", "--metric"},
                                          {"solve.equals", "--efficiency"}, {"sweep.solve.equals", "--efficiency"},
                                          {"solve.goal", "--efficiency"},   {"solve.from", "--from"},
                                          {"solve.to", "--to"},             {"solve.tolerance", "--tolerance"}};
  return keys;
}
/// Keys that this command has of its own.
constexpr const char* kKeysOfIsoefficiency[] = {"nowsim", "metrics", "figure", "claims", "run.reference"};
constexpr const char* kMetrics[] = {"solved", "eps", "tau", "p_T", "p_T_log_p", "p_log_p", "T_o", "n_BO"};
/// Metrics whose values lie between 0 and 1.
constexpr const char* kShares[] = {"eps", "eps_a", "E", "e", "e_tot"};

/// Parameters of workloads that are their problem's size, and where it is sought.
struct SizeParameter {
  const char* name;
  const char *from, *to;
  bool whole;
};
constexpr SizeParameter kSizeParameters[] = {{"size", "1", "1e9", true}, {"work", "1", "1e18", false}};

bool is_about(const std::string& key, const std::string& block) {
  return is_within(key, block) || is_within(block, key);
}

/// Flags that would say otherwise what this command says itself.
void check_override(const Override& override) {
  const auto fail = [&](const std::string& sentence) {
    throw InputError(Place{kOverridePlace, 0, override.key}, sentence);
  };
  for (const auto& [key, flag] : solve_keys())
    if (is_about(override.key, key) && override.key != "sweep") fail("that is said by " + flag + " here");
  for (const char* own : kKeysOfIsoefficiency)
    if (is_about(override.key, own) && override.key != "run") fail("this command has no such key, or its own");
}

/// The document with the flags in it; what replaces the whole sweep is not to be applied again.
YamlNode with_overrides(YamlNode root, LoadOptions& options) {
  for (const auto& text : options.overrides) {
    const Override override = parse_override(text);
    check_override(override);
    apply_override(root, override);
  }
  std::erase_if(options.overrides, [](const std::string& text) { return parse_override(text).key == "sweep"; });
  return root;
}

std::string text_at(const YamlNode& root, const std::string& key) {
  const YamlNode* node = yaml_at(root, key);
  return node != nullptr && node->kind == Kind::scalar ? node->text : "";
}

// ---- what is sought ---------------------------------------------------------------------------------------------

Words workloads_of(const YamlNode& root) {
  const YamlNode* sweep = root.find("sweep");
  const YamlNode* swept = sweep == nullptr ? nullptr : swept_values(*sweep, "job.workload");
  if (swept == nullptr) return {text_at(root, "job.workload")};
  Words names;
  for (const auto& item : swept->items) names.push_back(item.text);
  return names;
}

/// The workloads, if there are such, that have no parameter of this name.
Words lacking(const std::string& parameter, const Words& names, const WorkloadRegistry& workloads) {
  Words out;
  for (const auto& name : names) {
    const WorkloadInfo* info = workloads.find(name);
    if (info == nullptr || contains(out, name)) continue;
    if (!contains(words_in(info->keys), parameter)) out.push_back(name);
  }
  return out;
}

const SizeParameter& size_parameter(const YamlNode& root, const WorkloadRegistry& workloads) {
  const Words names = workloads_of(root);
  for (const auto& parameter : kSizeParameters)
    if (lacking(parameter.name, names, workloads).empty()) return parameter;
  throw InputError("--size KEY is needed: " + joined(lacking("size", names, workloads)) +
                   " has no parameter 'size' or 'work'; say which key is the problem's size, such as --size job.bytes "
                   "('nowsim list workloads' names parameters)");
}

/// What is known of a key that is the size of this experiment's programs; null of others.
const SizeParameter* known_size(const std::string& key) {
  for (const auto& parameter : kSizeParameters)
    if (key == std::string("job.") + parameter.name) return &parameter;
  return nullptr;
}

// ---- the document -----------------------------------------------------------------------------------------------

void erase(YamlNode& root, const std::string& key) {
  yaml_erase(root, key);
  if (YamlNode* sweep = root.find("sweep")) sweep_erase(*sweep, key);
}
bool is_said(const YamlNode& root, const std::string& key) {
  const YamlNode* sweep = root.find("sweep");
  return yaml_at(root, key) != nullptr || (sweep != nullptr && swept_values(*sweep, key) != nullptr);
}

void forget_solving(YamlNode& root) {
  for (const char* key : {"from", "to", "whole", "tolerance", "crossing", "equals", "goal", "metric"})
    erase(root, std::string("solve.") + key);
}

/// The key that is sought. A solve block about another one has nothing to say.
std::string choose_key(YamlNode& root, const IsoefficiencyRequest& request, const Registries& registries) {
  const std::string own = text_at(root, "solve.key");
  const std::string key = request.key ? *request.key
                          : own.empty() ? std::string("job.") + size_parameter(root, registries.workloads).name
                                        : own;
  if (key != own) forget_solving(root);
  return key;
}

void set_range(YamlNode& root, const IsoefficiencyRequest& request, const std::string& key) {
  const SizeParameter* known = known_size(key);
  const auto say = [&](const char* name, const std::optional<std::string>& flag, const char* fallback) {
    const std::string full = std::string("solve.") + name;
    if (flag) erase(root, full);
    if (flag || !is_said(root, full)) set_text(root, full, flag ? *flag : std::string(fallback));
  };
  say("from", request.from, known != nullptr ? known->from : "1");
  say("to", request.to, known != nullptr ? known->to : "1e9");
  say("tolerance", request.tolerance, "0.1%");
  say("whole", {}, known == nullptr || known->whole ? "true" : "false");
  say("crossing", {}, "rising");
}

/// The flag's, or else what the solve block says.
std::vector<std::string> targets_of(const YamlNode& root, const IsoefficiencyRequest& request) {
  if (!request.targets.empty()) return request.targets;
  const YamlNode* sweep = root.find("sweep");
  const YamlNode* swept = sweep == nullptr ? nullptr : swept_values(*sweep, kTargetKey);
  std::vector<std::string> out;
  if (swept != nullptr)
    for (const auto& item : swept->items) out.push_back(item.text);
  else if (const std::string own = text_at(root, kTargetKey); !own.empty())
    out.push_back(own);
  if (out.empty())
    throw InputError("--efficiency is missing: the efficiencies to be kept, such as --efficiency 0.5,0.7");
  return out;
}

void check_targets(const std::vector<std::string>& targets, const std::string& metric) {
  if (std::ranges::none_of(kShares, [&](const char* share) { return metric == share; })) return;
  for (const auto& text : targets) {
    const std::string place = "--efficiency " + text + ": ";
    double value = 0;
    try {
      value = parse_quantity(text, Dimension::fraction);
    } catch (const InputError& e) {
      throw InputError(place + e.what());
    }
    if (!(value > 0 && value < 1))
      throw InputError(place + "'" + metric + "' lies between 0 and 1, such as 0.5 or 50%");
  }
}

void set_metrics(YamlNode& root, const std::string& metric) {
  Words names(std::begin(kMetrics), std::end(kMetrics));
  std::erase_if(names, [](const std::string& name) { return find_metric(name) == nullptr; });
  if (!contains(names, metric) && find_metric(metric) != nullptr) names.insert(names.begin() + 1, metric);
  apply_override(root, {"metrics", yaml_list(names)});
}

/// The experiment's document made a question about sizes.
void ask(YamlNode& root, const IsoefficiencyRequest& request, const Registries& registries) {
  for (const char* key : {"figure", "claims", "metrics", "run.reference"}) yaml_erase(root, key);
  const std::string key = choose_key(root, request, registries);
  const std::string own = text_at(root, "solve.metric"), metric = request.metric.value_or(own.empty() ? "eps" : own);
  const auto targets = targets_of(root, request);
  check_targets(targets, metric);
  set_range(root, request, key);
  for (const char* said : {"solve.goal", kTargetKey}) erase(root, said);
  erase(root, key);
  set_text(root, "solve.key", key);
  set_text(root, "solve.metric", metric);
  set_metrics(root, metric);
  YamlNode* sweep = root.find("sweep");
  if (sweep == nullptr) sweep = &root.entries.emplace_back("sweep", YamlNode{}).second;
  sweep_first(*sweep, kTargetKey, yaml_list(targets));
}

bool is_document(const YamlNode& root) {
  return root.kind == Kind::map && !root.entries.empty() && root.entries.front().first == "nowsim";
}

/// A size that a flag gives is not to be found.
void refuse_given_size(const std::string& sought, const LoadOptions& options) {
  for (const auto& text : options.overrides)
    if (!sought.empty() && text.starts_with(sought + "="))
      throw InputError("--set: " + sought +
                       ": this is the size that is sought; leave it out, or name another key by --size");
}

}  // namespace

std::string sweep_override(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError("--sweep '" + text + "': a key and its values are wanted, such as platform.workstations=2,4,8");
  const std::string values = text.substr(equals + 1);
  const bool is_axis = values.front() == '[' || values.front() == '{';
  return "sweep." + text.substr(0, equals + 1) + (is_axis ? values : "[" + values + "]");
}

std::string question_text(const IsoefficiencyRequest& request) {
  std::string out = std::filesystem::weakly_canonical(request.file).string();
  for (const auto* list : {&request.targets, &request.along, &request.options.overrides}) {
    out += '\n';
    for (const auto& item : *list) out += '\t' + item;
  }
  for (const auto* text : {&request.metric, &request.key, &request.from, &request.to, &request.tolerance})
    out += '\n' + text->value_or("");
  return out;
}

Experiment isoefficiency_experiment(const IsoefficiencyRequest& request, const Registries& registries) {
  YamlNode root = read_yaml(request.file);
  LoadOptions options = request.options;
  if (is_document(root)) {
    root = with_overrides(std::move(root), options);
    ask(root, request, registries);
  }
  const std::string sought = text_at(root, "solve.key");
  refuse_given_size(sought, request.options);
  std::vector<AskedKey> keys = solve_keys();
  if (!sought.empty()) keys.push_back({sought, "--size " + sought});
  return load_asked(std::move(root), request.file, options, registries, keys);
}

}  // namespace nowsim
