// Metrics in place of the experiment's, and what cannot be compared.
#include "experiments/driver/studies/contrast.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/studies/asked_experiment.hpp"
#include "experiments/driver/text/name_lists.hpp"

namespace nowsim {
namespace {

/// Keys of which a comparison makes its own, or none.
constexpr std::pair<const char*, const char*> kKeysOfContrasts[] = {
    {"metrics", "that is said by --metric here"},
    {"figure", "this command has no such key"},
    {"claims", "this command has no such key"}};

void check_contrast_overrides(const LoadOptions& options) {
  for (const auto& text : options.overrides) {
    const std::string key = parse_override(text).key;
    for (const auto& [own, sentence] : kKeysOfContrasts)
      if (is_within(key, own)) throw InputError(Place{kOverridePlace, 0, key}, sentence);
  }
}

/// Those that are asked for, else the experiment's first.
Words metrics_of(const YamlNode& root, const ContrastRequest& request) {
  if (!request.metrics.empty()) return request.metrics;
  const YamlNode* own = yaml_at(root, "metrics");
  if (own == nullptr) return {"tau"};
  return {own->items.empty() ? own->text : own->items.front().text};
}

void check_metrics(const Words& names, const Registry<Metric>& known) {
  for (const auto& name : names)
    if (find_metric(name, known) == nullptr) throw InputError("--metric: " + no_metric(name, words_in(known)));
}

/// The key's values, each once.
Words values_of(const Experiment& experiment, const std::string& key) {
  const auto axis = static_cast<std::size_t>(std::ranges::find(experiment.axes, key) - experiment.axes.begin());
  if (axis == experiment.axes.size())
    throw InputError(key + " is not swept by " + experiment.file + did_you_mean(key, experiment.axes) +
                     "; swept are: " + (experiment.axes.empty() ? "none" : joined(experiment.axes)) + " (--sweep " +
                     key + "=V1,V2 adds one)");
  Words values;
  for (const Point& point : experiment.points)
    if (!contains(values, point.values[axis])) values.push_back(point.values[axis]);
  if (values.size() < 2)
    throw InputError(key + " has one value, '" + values.front() + "': there is nothing to compare it with");
  return values;
}

void check_against(const ContrastRequest& request, const Words& values) {
  const auto is_it = [&](const std::string& value) { return same_axis_value(value, request.against); };
  if (request.against.empty() || std::ranges::any_of(values, is_it)) return;
  throw InputError("--against " + request.against + ": " + request.key + " has no such value" +
                   did_you_mean(request.against, values) + "; it has: " + joined(values));
}

void check_directions(const ContrastRequest& request, const Experiment& experiment) {
  for (const Metric* metric : experiment.metrics)
    if (request.against.empty() && request.better(*metric) == Better::unknown)
      throw InputError("--metric " + metric->name + ": whether low or high values are better is not known of '" +
                       metric->name + "'; say --best lowest or --best highest, or compare with one value by --against");
}

}  // namespace

std::string question_text(const ContrastRequest& request) {
  std::string out = std::filesystem::weakly_canonical(request.file).string() + '\n' + request.key + '\n' +
                    request.against + '\n' + std::to_string(static_cast<int>(request.best));
  for (const auto* list : {&request.metrics, &request.options.overrides}) {
    out += '\n';
    for (const auto& item : *list) out += '\t' + item;
  }
  return out;
}

Experiment contrast_experiment(const ContrastRequest& request, const Registries& registries) {
  check_contrast_overrides(request.options);
  YamlNode root = read_yaml(request.file);
  if (root.kind == YamlNode::Kind::map && !root.entries.empty()) {
    for (const char* key : {"figure", "claims"}) yaml_erase(root, key);
    const Words names = metrics_of(root, request);
    check_metrics(names, registries.metrics);
    apply_override(root, {"metrics", yaml_list(names)});
  }
  Experiment experiment =
      load_asked(std::move(root), request.file, request.options, registries, {{"metrics", "--metric"}});
  std::erase_if(experiment.remarks, [](const std::string& remark) {  // the figure and the claims may use it
    return remark.find("no formula uses this variable") != std::string::npos;
  });
  check_against(request, values_of(experiment, request.key));
  check_directions(request, experiment);
  return experiment;
}

}  // namespace nowsim
