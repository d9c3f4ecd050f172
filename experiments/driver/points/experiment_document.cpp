#include "experiments/driver/points/experiment_document.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

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

/// In a picture's footer, its axes or its look.
bool is_seen_elsewhere(std::string_view key) {
  constexpr std::string_view kElsewhere[] = {"run.replications", "run.seed", "run.engine", "run.confidence",
                                             "run.variance_reduction", "metrics", "title"};
  return std::ranges::count(kElsewhere, key) > 0 || key == "figure" || key.starts_with("figure.") ||
         key == "claims" || key.starts_with("sweep");
}

struct FlagChange {
  std::string key, text;
};

constexpr int kFormat = 1;  // of the YAML: its first key

/// Sections, each with an example of what it holds.
const std::map<std::string, std::string>& sections() {
  static const std::map<std::string, std::string> table{
      {"platform", "{workstations: 4}"}, {"job", "{workload: base-task, work: 100f}"}, {"split", "{policy: equal}"},
      {"owner", "{model: dedicated}"},   {"owner.hosts", "{ws1: {model: dedicated}}"}, {"run", "{replications: 100}"},
      {"bandwidth", "{model: dedicated}"}, {"bandwidth.hosts", "{ws1: {model: dedicated}}"},
      {"platform.links", "{ethernet: {bandwidth: 500kBps}}"}, {"platform.sets", "{fast: [ws1, ws2]}"},
      {"platform.failures", "{rate: 0.001, repair: 5min}"},
      {"let", "{x: 3}"}, {"solve", "{key: job.work, metric: tau, equals: 200s, from: 1f, to: 1Gf}"}};
  return table;
}

void check_given_sections(const ExperimentDocument& document, Problems& problems, std::set<std::string>& asked) {
  for (const auto& [section, example] : sections()) {
    const auto found = document.settings.find(section);
    if (found == document.settings.end()) continue;
    asked.insert(section);
    if (!found->second.broken)
      problems.add(found->second.place, "this section is a map of keys and values, such as " + example);
  }
}

/// Without any those of HL's figures.
void read_metrics(Reader& read, const Registry<Metric>& known, Experiment& experiment) {
  auto names = read.texts("metrics");
  if (names.empty()) names = {"tau", "sigma_T", "sigma_T/tau"};
  for (const auto& name : names) {
    if (const Metric* metric = find_metric(name, known)) {
      auto& all = experiment.metrics;
      if (std::find(all.begin(), all.end(), metric) == all.end()) all.push_back(metric);
      else read.problem("metrics", "the metric '" + name + "' is given twice");
      continue;
    }
    read.problem("metrics", no_metric(name, words_in(known)));
  }
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
  for (const auto& [key, node] : root.entries) {
    if (key == "sweep") document.sweep = read_sweep(node, file, problems);
    else if (key == "claims") document.claims = read_claims(node, file, registries.checks, problems);
    else if (key == "figure") document.figure = read_figure(node, file, registries.figures, problems);
    else flatten(node, file, key, document.settings, problems);
  }
  for (const auto& setting : document.sweep.broken) document.settings[setting.place.key] = setting;
  // A flag fixes what the file sweeps; one that gives a whole block fixes every key in it.
  const std::size_t swept = document.sweep.keys().size();
  for (const auto& override : overrides) {
    Settings fixed;
    Problems known;  // since the flag was applied
    if (!override.key.starts_with("sweep")) flatten(override.value, file, override.key, fixed, known);
    for (const auto& [key, setting] : fixed) document.sweep.fix(key, setting.texts.empty() ? "" : setting.texts.front());
    document.sweep.drop(override.key);
    document.reshaped |= override.key.starts_with("sweep") || override.key == "metrics";
  }
  document.reshaped |= document.sweep.keys().size() < swept;
  find_sought(document, problems);
  return document;
}

std::vector<std::string> flag_changes(const LoadOptions& options) {
  std::vector<FlagChange> changes;
  for (const auto& text : options.overrides) try {
      const std::string key = parse_override(text).key;
      if (is_seen_elsewhere(key)) continue;
      std::erase_if(changes, [&](const FlagChange& c) { return c.key == key; });
      changes.push_back({key, key + " = " + std::string(trimmed(text.substr(text.find('=') + 1)))});
    } catch (const InputError&) {
      continue;
    }
  std::vector<std::string> out;
  for (const auto& change : changes) out.push_back(change.text);
  return out;
}

bool holds_for_all_points(const std::string& key) {
  static const Words keys{"nowsim",     "title",         "description",      "metrics",   "run.infeasible",
                          "run.decide", "run.decide_by", "run.indifference", "solve.key", "solve.metric", "solve.goal"};
  return contains(keys, key);
}

void check_sections(const ExperimentDocument& document, Problems& problems, std::set<std::string>& asked) {
  check_given_sections(document, problems, asked);
  for (const auto& axis : document.sweep.axes)
    for (const auto& key : axis.keys) {
      const Place place{axis.place.file, axis.place.line, "sweep." + key};
      if (sections().contains(key)) {
        problems.add(place, "a section cannot be swept, but each of its keys can");
        asked.insert(key);
      }
      if (holds_for_all_points(key))
        problems.add(place, "this key holds for the whole experiment and cannot be swept");
    }
}

void read_experiment(Reading& reading, const Registry<Metric>& known, Experiment& experiment) {
  Reader read(reading, {""}, experiment_keys());
  if (read.whole_or("nowsim", kFormat) != kFormat)
    read.problem("nowsim", "this program reads format 1 of experiments; a newer program may be needed");
  experiment.title = read.text("title", experiment.file);
  read.text("description");
  read_metrics(read, known, experiment);
}

const KeyTable& experiment_keys() {
  const auto block = [](const char* name, const char* help) { return Key{name, KeyType::block, "", help}; };
  static const KeyTable keys{
      {"nowsim", KeyType::count, kMustBeGiven, "1, the format's version, the first key"},
      {"title", KeyType::text, "", "a line; the file's name where it is not given"},
      {"description", KeyType::text, "", "what it is about"},
      block("platform", "the machines: a SimGrid file, or generated"),
      block("job", "the parallel program"),
      block("owner", "what owners leave of the machines; where it is not given what the platform says"),
      block("bandwidth", "what is left of each workstation's own link"),
      block("split", "how the work is split"),
      block("let", "variables of one's own"),
      block("run", "how often and how precisely"),
      block("solve", "a key whose value is to be found"),
      {"metrics", KeyType::text, "[tau, sigma_T, sigma_T/tau]", "what is measured (nowsim list metrics)", {}, {}, true},
      block("sweep", "axes: keys and their values; the last one runs fastest"),
      block("figure", "a picture of the results"),
      block("claims", "statements about the results, to be checked")};
  return keys;
}

}  // namespace nowsim
