// Flags written into the experiment's document; along which key its system grows, which points make a curve, and what
// was found of each.
#include "experiments/driver/studies/isoefficiency.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

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
  YamlNode root = document_of(request.file, request.options);
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

// ---- the family of systems ------------------------------------------------------------------------------------------

namespace {

constexpr double kRoundingOfPower = 1e-12;

/// p and p_T of a point, its size not known; NaN where it has no scenario.
GrowthPoint system_of(const Point& point, bosque::Power power) {
  const auto scenario = point.scenario();
  if (!scenario) return {kNotKnown, kNotKnown, exactly(kNotKnown)};
  return {bosque::processors(*scenario), bosque::total_power_flops(*scenario, power), exactly(kNotKnown)};
}

bool is_same_system(const GrowthPoint& a, const GrowthPoint& b) {
  return a.processors == b.processors &&
         std::abs(a.power_flops - b.power_flops) <= kRoundingOfPower * std::abs(a.power_flops);
}

bool grows(const IsoefficiencyCurve& curve) {
  const GrowthPoint* first = nullptr;
  for (const auto& point : curve.points) {
    if (std::isnan(point.system.power_flops)) continue;
    if (first == nullptr) first = &point.system;
    if (!is_same_system(*first, point.system)) return true;
  }
  return false;
}

class FamilyFinder {
 public:
  FamilyFinder(const Experiment& experiment, bosque::Power power)
      : experiment_(experiment), axes_(experiment.source->document.sweep.axes), power_(power) {}

  [[nodiscard]] IsoefficiencyFamily along(const std::vector<std::string>& keys) const {
    std::vector<std::size_t> others, shown;  // of a point's values: those that tell curves apart, those that are said
    std::size_t column = 0;
    for (const Axis& axis : axes_) {
      const bool is_along = std::ranges::any_of(axis.keys, [&](const auto& key) { return contains(keys, key); });
      for (std::size_t k = 0; k < axis.keys.size(); ++k, ++column) {
        if (!is_along) others.push_back(column);
        if (!is_along && is_shown(axis, k)) shown.push_back(column);
      }
    }
    IsoefficiencyFamily family{keys, power_, {}};
    std::map<Words, std::size_t> known;
    for (std::size_t p = 0; p < experiment_.points.size(); ++p) {
      const Words& values = experiment_.points[p].values;
      Words at;
      for (const std::size_t k : others) at.push_back(values[k]);
      const auto [it, is_new] = known.emplace(at, family.curves.size());
      if (is_new) {
        family.curves.push_back({.target = values.front(), .others = {}, .points = {}, .fits = {}});
        for (const std::size_t k : shown) family.curves.back().others.emplace_back(experiment_.axes[k], values[k]);
      }
      family.curves[it->second].points.push_back({p, system_of(experiment_.points[p], power_)});
    }
    return family;
  }

  /// Keys of axes, that of the number of machines first, but for that of the efficiencies.
  [[nodiscard]] std::vector<std::string> candidates() const {
    std::vector<std::string> out;
    for (const Axis& axis : axes_) {
      if (axis.keys.front() == kTargetKey) continue;
      const bool is_first = contains(axis.keys, kCount);
      out.insert(is_first ? out.begin() : out.end(), is_first ? kCount : axis.keys.front());
    }
    return out;
  }

 private:
  static constexpr const char* kCount = "platform.workstations";

  /// Of an axis' keys the first that tells its steps apart, or all.
  static bool is_telling(const Axis& axis, std::size_t k) {
    std::set<std::string> seen;
    for (const auto& step : axis.values) seen.insert(step[k]);
    return axis.values.size() > 1 && seen.size() == axis.values.size() && !axis.keys[k].starts_with("solve.");
  }
  static std::optional<std::size_t> telling_key(const Axis& axis) {
    for (std::size_t k = 0; k < axis.keys.size(); ++k)
      if (is_telling(axis, k)) return k;
    return std::nullopt;
  }

  static bool is_shown(const Axis& axis, std::size_t k) {
    if (axis.keys[k] == kTargetKey || axis.values.size() < 2) return false;
    return telling_key(axis).value_or(k) == k;
  }

  const Experiment& experiment_;
  const std::vector<Axis>& axes_;
  bosque::Power power_;
};

/// Along which axis systems grow; none where along none.
std::optional<IsoefficiencyFamily> growing_family(const FamilyFinder& finder) {
  for (const auto& key : finder.candidates())
    if (IsoefficiencyFamily family = finder.along({key}); std::ranges::any_of(family.curves, grows)) return family;
  return std::nullopt;
}

constexpr const char* kExample = "add one along which it grows, such as --sweep platform.workstations=2,4,8";

void check_along(const Experiment& experiment, const std::vector<std::string>& along) {
  Words known;
  for (const auto& key : experiment.axes)
    if (key != kTargetKey) known.push_back(key);
  for (const auto& key : along)
    if (!contains(known, key))
      throw InputError("--along " + key + ": this key is not swept" + did_you_mean(key, known) + "; swept are: " +
                       (known.empty() ? "none" : joined(known)));
}

[[noreturn]] void nothing_grows(const Experiment& experiment, const std::string& place) {
  if (experiment.axes.size() < 2)
    throw InputError(experiment.file + " sweeps nothing: its sweep is the family of systems; " + kExample);
  const auto known = std::ranges::find_if(experiment.points, [](const Point& p) { return p.simulated() != nullptr; });
  std::string system;
  if (known != experiment.points.end()) {
    const GrowthPoint one = system_of(*known, bosque::Power::dedicated);
    system = " (" + format_quantity(one.processors, Dimension::count) + " workstations, p_T = " +
             format_quantity(one.power_flops, Dimension::speed) + ")";
  }
  throw InputError(place + "no system grows along the sweep of " + experiment.file + ": points are of one size" +
                   system + "; " + kExample);
}

// ---- what was found ------------------------------------------------------------------------------------------------

/// Flags instead of the keys that they stand for.
std::string with_flags(std::string text) {
  for (const auto& [key, flag] : {std::pair{"solve.from", "--from"}, std::pair{"solve.to", "--to"}})
    for (std::size_t at; (at = text.find(key)) != std::string::npos;) text.replace(at, std::string(key).size(), flag);
  return text;
}

/// Why a point has no size: "eps = 0.7 cannot be reached with 2 workstations: it is at most 0.61 (at job.size = 4e7)".
/// `task` may be null: the reason as it is.
std::string reason_text(const std::string& reason, const std::string& target, const IsoefficiencyPoint& point,
                        const SizeTask* task) {
  if (task == nullptr) return with_flags(reason);
  const double p = point.system.processors;
  const std::string who =
      std::isnan(p) ? "" : " with " + short_number(p) + (p == 1 ? " workstation" : " workstations");
  const std::string goal = task->metric->name + " = " + target, none = task->none_text() + ": ";
  if (reason.starts_with(none + "at "))
    return with_flags(goal + " cannot be reached" + who + " (" + task->range_text() + "): it is " +
                      reason.substr(none.size()));
  return with_flags(goal + who + ": " + reason);
}

/// What was found of a point.
void complete(IsoefficiencyPoint& point, bosque::Power power, const Point& solved, const ResultTable& summary) {
  const ResultRow& row = summary.rows[point.row];
  const auto* ready = solved.as<ReadyPoint>();
  point.has_size = row.status == PointStatus::ok && ready != nullptr && ready->solved != nullptr;
  if (!point.has_size) return;
  point.system = system_of(solved, power);  // which may depend on the size: its machine alone may page
  point.system.size = ready->solved->size;
  point.work_flop = zhang_yan::work_flop(*ready->scenarios.scenario);
  const auto estimate = [&](const std::string& metric) {
    return summary.metric_index(metric) < summary.metrics.size() ? summary.estimate(row, metric) : kUnknownEstimate;
  };
  point.tau_s = estimate("tau");
  point.formula_size = estimate("n_BO").value;
}

}  // namespace

IsoefficiencyFamily family_of(const Experiment& experiment, const std::vector<std::string>& along) {
  const auto is_open = [](const Point& p) { return p.as<OpenSize>() != nullptr; };
  const auto first = std::ranges::find_if(experiment.points, is_open);
  const bool is_of_left = first != experiment.points.end() && first->as<OpenSize>()->task->metric->name == "eps_a";
  const FamilyFinder finder(experiment, is_of_left ? bosque::Power::left : bosque::Power::dedicated);
  check_along(experiment, along);
  if (along.empty()) {
    if (auto family = growing_family(finder)) return *family;
    nothing_grows(experiment, "");
  }
  IsoefficiencyFamily family = finder.along(along);
  if (std::ranges::none_of(family.curves, grows)) nothing_grows(experiment, "--along " + joined(along) + ": ");
  return family;
}

std::vector<const GrowthFit*> IsoefficiencyCurve::best() const {
  const Growth growth = growth_of(fits);
  return growth.is_told() ? growth.nearest : std::vector<const GrowthFit*>{};
}

IsoefficiencyReport isoefficiency_report(IsoefficiencyFamily family, const Experiment& described,
                                         const Experiment& solved, const ResultTable& summary) {
  IsoefficiencyReport report{summary, "", "", std::move(family)};
  for (auto& curve : report.family.curves) {
    std::vector<GrowthPoint> systems;
    for (auto& point : curve.points) {
      complete(point, report.family.power, solved.points[point.row], summary);
      systems.push_back(point.system);
      const auto* open = described.points[point.row].as<OpenSize>();
      const SizeTask* task = open != nullptr ? open->task.get() : nullptr;
      if (task != nullptr) report.key = task->key, report.metric = task->metric->name;
      if (!point.has_size) point.reason = reason_text(summary.rows[point.row].reason, curve.target, point, task);
    }
    curve.fits = growth_fits(systems);
  }
  return report;
}

}  // namespace nowsim
