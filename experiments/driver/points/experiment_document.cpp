#include "experiments/driver/points/experiment_document.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>
#include <utility>

#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/reading/platform_config.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/formula.hpp"
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

/// Without any those of HL's figures.
void read_metrics(Reader& read, const Registry<Metric>& known, Experiment& experiment) {
  auto names = read.texts("metrics");
  if (names.empty()) names = {"tau", "sigma_T", "sigma_T/tau"};
  for (const auto& name : names) {
    if (const Metric* metric = find_metric(name, known)) {
      if (std::ranges::count(experiment.metrics, metric) == 0) experiment.metrics.push_back(metric);
      else read.problem("metrics", "the metric '" + name + "' is given twice");
      continue;
    }
    read.problem("metrics", no_metric(name, words_in(known)));
  }
}

// ---- keys that are not known: blocks that are none, and keys that no point asked for --------------------------------

/// Block -> key -> what the key belongs to ("model intervals").
using Vocabulary = std::map<std::string, std::map<std::string, std::string>>;
using Owners = std::map<std::string, std::string>;

void add_word(Owners& keys, const std::string& word, const std::string& owner) {
  std::string& owners = keys[word];
  owners += (owners.empty() ? "" : ", ") + owner;
}

/// A name that stands there twice, with values of two types, is one word.
void add_keys(Owners& keys, const KeyTable& table, const std::string& owner) {
  std::set<std::string> names;
  for (const auto& key : table)
    if (names.insert(key.name).second) add_word(keys, key.name, owner);
}

Vocabulary make_vocabulary(const Registries& known) {
  Vocabulary out;
  for (const auto& model : known.owners) {
    add_keys(out["owner"], model.keys, model.name);
    if (model.of_links) add_keys(out["bandwidth"], model.keys, model.name);
  }
  for (const auto& pattern : owner_patterns())
    for (const char* block : {"owner", "bandwidth"}) add_keys(out[block], pattern.keys, pattern.name);
  for (const auto& workload : known.workloads) add_keys(out["job"], workload.keys, workload.name);
  for (const auto& policy : known.policies) add_keys(out["split"], policy.keys, policy.name);
  for (const auto& key : platform_keys())
    if (!key.of.empty()) add_word(out["platform"], key.name, key.of);
  return out;
}

std::string block_of(const std::string& key) { return key.substr(0, key.find('.')); }

/// The key of the platform's block that stands for names of the user's own, or "": links of platform.links.NAME.latency.
std::string open_ended(const std::string& key) {
  if (key.starts_with("platform.sets.")) return "sets";
  const bool is_figure = key.ends_with(".bandwidth") || key.ends_with(".latency");
  return key.starts_with("platform.links.") && is_figure ? "links" : "";
}

/// What a key belongs to, or "". A workstation's own block (owner.hosts.NAME.key) knows the owners' keys.
std::string belongs_to(const Vocabulary& vocabulary, const std::string& key) {
  const auto block = vocabulary.find(block_of(key));
  if (block == vocabulary.end() || key.find('.') == std::string::npos) return "";
  if (const std::string open = open_ended(key); !open.empty()) return block->second.at(open);
  const bool by_host = key.rfind("owner.hosts.", 0) == 0 || key.rfind("bandwidth.hosts.", 0) == 0;
  const auto name = key.substr((by_host ? key.rfind('.') : key.find('.')) + 1);
  const auto found = block->second.find(name);
  return found == block->second.end() ? "" : found->second;
}

/// The keys of a block that choose among its other keys.
const std::vector<std::string>& choosing_keys(const std::string& block) {
  static const std::map<std::string, std::vector<std::string>> table{
      {"job", {"technique", "law", "dispatcher"}},
      {"owner", {"value", "length", "discipline"}},
      {"bandwidth", {"value", "length"}},
      {"split", {"objective"}}};
  static const std::vector<std::string> none;
  const auto found = table.find(block);
  return found == table.end() ? none : found->second;
}

/// Variables that figures and claims tell points apart by: those have a use, even if no formula does.
std::set<std::string> variables_in_use(const ExperimentDocument& document) {
  std::set<std::string> keys;
  if (const auto& figure = document.figure) {
    for (const auto* axis : figure->axes()) keys.insert(axis->key);
    for (const auto& panel : figure->panels)
      for (const auto& condition : panel.where) keys.insert(condition.key);
  }
  for (const auto& claim : document.claims) {
    for (const auto& named : claim.names)
      if (named.what == Named::axis) keys.insert(named.name);
    for (const auto& [key, values] : claim.where) keys.insert(key);
  }
  std::erase_if(keys, [](const std::string& key) { return key.rfind("let.", 0) != 0; });
  return keys;
}

/// What is asked of an experiment for one key after another, of which there may be very many: looked up once.
class Judgement {
 public:
  Judgement(const ExperimentDocument& document, const Registries& known, const PointsRead& points, Problems& problems,
            Experiment& experiment)
      : settings_(document.settings), sweep_(document.sweep), points_(points), vocabulary_(make_vocabulary(known)),
        known_(all_keys(known)), asked_(variables_in_use(document)), problems_(problems), experiment_(experiment) {
    asked_.insert(points.asked.begin(), points.asked.end());
    for (const auto& [key, setting] : settings_) {
      if (setting.place.file == kOverridePlace) changed_.insert(block_of(key));
      note_names(setting);
    }
    for (const auto& axis : sweep_.axes)
      if (axis.place.file == kOverridePlace)
        for (const auto& key : axis.keys) changed_.insert(block_of(key));
  }

  void judge_all() {
    for (const auto& [key, setting] : settings_) judge(key, setting.place, false);
    for (const auto& axis : sweep_.axes)
      for (const auto& key : axis.keys) judge(key, axis.place_of_key(key), true);
    judge_policy();
  }

 private:
  /// A problem; or only worth a remark.
  void note(const Place& place, const std::string& sentence, bool is_error = true) {
    if (is_error) return problems_.add(place, sentence);
    experiment_.remarks.emplace_back(InputError(place, sentence).what());
    experiment_.idle_keys.push_back(place.key);
  }

  void judge(const std::string& key, const Place& place, bool swept) {
    static const std::set<std::string> readable{"platform", "job", "owner", "bandwidth", "split"};
    const std::string block = block_of(key);
    // A problem may have kept a block from being read: then nothing can be said of its keys.
    if (asked_.contains(key) || (readable.contains(block) && !points_.complete.contains(block))) return;
    const bool by_flag = place.file == kOverridePlace;
    if (block == "let") {  // in a file only idle: what used it may have been set by a flag
      const bool is_error = by_flag || (swept && changed_.empty()), is_idle = is_named(key);
      if (is_error || !is_idle)
        note(place, "no formula uses this variable" + (is_idle ? " here" : suggestion(key)), is_error);
      return;
    }
    const std::string choice = belongs_to(vocabulary_, key);
    if (choice.empty()) {
      const bool is_of_decisions = key == "run.decide_by" || key == "run.indifference";
      return note(place, is_of_decisions ? "nothing is decided here: it says how, and run.decide which swept key"
                                         : "this key is not known" + suggestion(key));
    }
    const bool left_over = !swept && !by_flag && changed_.contains(block);
    note(place, no_effect(key, choice), !left_over);
  }

  void note_names(const Setting& setting) {
    if (!is_formula(setting)) return;
    try {
      const Formula formula(setting.texts.front().substr(1));
      named_.insert(formula.variables().begin(), formula.variables().end());
    } catch (const InputError&) {  // reported where it is evaluated
    }
  }
  /// Whether a formula names a variable let.NAME, by whichever of its two names. It may do so in vain: for machines
  /// that do not take part, or have a block of their own.
  [[nodiscard]] bool is_named(const std::string& key) const {
    return named_.contains(key) || named_.contains(key.substr(key.find('.') + 1));
  }

  /// Among the keys that were asked for, else among all. Variables are one's own; blocks by workstation hold the same
  /// keys. Of hundreds of keys that nobody knows the last ones get none.
  std::string suggestion(const std::string& key) {
    const std::string link = key.substr(0, key.rfind('.') + 1);
    if (key.starts_with("platform.links.")) return did_you_mean(key, {link + "bandwidth", link + "latency"});
    constexpr std::size_t kMostCompared = 300'000;
    compared_ += asked_.size() + known_.size();
    if (compared_ > kMostCompared) return "";
    const auto is_by_host = [](const std::string& name) { return name.find(".hosts.") != std::string::npos; };
    Words asked;
    for (const auto& name : asked_)
      if ((block_of(key) != "let" || block_of(name) == "let") && (is_by_host(key) || !is_by_host(name)))
        asked.push_back(name);
    const std::string near = did_you_mean(key, asked);
    return near.empty() && block_of(key) != "let" ? did_you_mean(key, known_) : near;
  }

  /// All values that a key has at some point.
  const std::set<std::string>& values_of(const std::string& key) {
    const auto [known, is_new] = values_.try_emplace(key);
    std::set<std::string>& out = known->second;
    if (!is_new) return out;
    if (const auto found = settings_.find(key); found != settings_.end())
      out.insert(found->second.texts.begin(), found->second.texts.end());
    for (const auto& value : sweep_.values_of(key)) out.insert(value);
    return out;
  }

  /// Why a key that is known to `owners` has no effect: another workload, model or policy is in use, or other values of
  /// keys that choose.
  std::string no_effect(const std::string& key, const std::string& owners) {
    const std::string block = block_of(key), text = "this key has no effect here: it ";
    const char* kind = block == "job" ? ".workload" : block == "split" ? ".policy" : ".model";
    const auto& in_use = values_of(block + kind);
    std::istringstream list(owners);
    bool is_in_use = false;
    for (std::string owner; std::getline(list >> std::ws, owner, ',');) is_in_use |= in_use.contains(owner);
    std::string others;
    if (is_in_use)
      for (const auto& name : choosing_keys(block))
        if (asked_.contains(block + "." + name)) others += (others.empty() ? "" : " or ") + block + "." + name;
    return text + (others.empty() ? "belongs to " + owners : "is for other values of " + others);
  }

  /// Policies other than the usual one, where they decide nothing.
  void judge_policy() {
    const std::string key = "split.policy";
    auto policies = values_of(key);
    policies.erase("equal");
    if (!points_.shares_are_idle || policies.empty()) return;
    const auto add = [&](const Place& place) {
      note(place, "this key has no effect here: the job hands its work out in a way of its own, not by shares",
           place.file == kOverridePlace);
    };
    if (const auto found = settings_.find(key); found != settings_.end()) add(found->second.place);
    if (const Axis* axis = sweep_.axis_of(key)) add(axis->place_of_key(key));
  }

  const Settings& settings_;
  const Sweep& sweep_;
  const PointsRead& points_;
  const Vocabulary vocabulary_;
  const Words known_;              ///< the full names of all keys that there are
  std::set<std::string> asked_;    ///< for at some point, or by figures and claims
  Problems& problems_;
  Experiment& experiment_;
  std::set<std::string> changed_;  ///< blocks of which a flag set or swept a key
  std::set<std::string> named_;    ///< variables of formulas
  std::map<std::string, std::set<std::string>> values_;
  std::size_t compared_ = 0;  ///< names with others
};

using Entry = std::pair<std::string, YamlNode>;

/// The dotted key of the only value that stands there; where there are several, or lists, that of them all.
std::pair<std::string, const YamlNode*> only_key(const Entry& entry) {
  std::pair<std::string, const YamlNode*> only{entry.first, &entry.second};
  while (only.second->kind == YamlNode::Kind::map && only.second->entries.size() == 1) {
    const auto& [name, node] = only.second->entries.front();
    only = {only.first + "." + name, &node};
  }
  return only;
}

bool has_block(const YamlNode& root, const std::string& block) {
  return std::ranges::any_of(root.entries, [&](const Entry& entry) { return block_of(entry.first) == block; });
}

/// The keys of blocks that the document has, or all if it has none of them.
Words keys_at_hand(const YamlNode& root, const Words& all, const std::string& key) {
  Words at_hand;
  for (const auto& name : near_names(key, all))
    if (has_block(root, block_of(name))) at_hand.push_back(name);
  return at_hand.empty() ? all : at_hand;
}

/// Takes away what the document has already below this key.
void drop_known(YamlNode& node, const std::string& key, const Settings& known) {
  std::erase_if(node.entries, [&](Entry& entry) {
    const std::string below = key + "." + entry.first;
    drop_known(entry.second, below, known);
    return known.contains(below);
  });
}

/// `block` is the one that is meant, or "".
void note_unknown(const YamlNode& root, const std::string& file, const Entry& entry, const std::string& block,
                  const Registries& registries, Problems& problems) {
  const auto [key, node] = only_key(entry);
  std::string hint = "; did you mean " + quoted(block + key.substr(block_of(key).size())) + "?";
  if (block.empty()) hint = did_you_mean(key, keys_at_hand(root, all_keys(registries), key));
  if (hint.empty()) hint = "; there are: " + joined(words_in(experiment_keys()));
  problems.add(place_of(*node, file, key), "this key is not known" + hint);
}

/// Notes each key at the top of the document that is none, before anything that follows from it. One that is a misspelt
/// block's name is then read as that block, or as what is missing in the one that there is; any other goes: nothing else
/// is wrong because of it.
void settle_unknown_blocks(YamlNode& root, const std::string& file, const Registries& registries, Problems& problems) {
  const Words blocks = words_in(experiment_keys());
  const Words whole{"sweep", "figure", "claims"};  // which do not come in parts
  const YamlNode written = root;
  Settings known;
  Problems later;  // those are told when the blocks are read
  for (const auto& [key, node] : written.entries) flatten(node, file, key, known, later);
  std::erase_if(root.entries, [&](Entry& entry) {
    const std::string name = block_of(entry.first);
    if (contains(blocks, name)) return false;
    const Words near = near_names(name, blocks);
    const std::string block = near.size() == 1 ? near.front() : "";  // the one that is meant
    note_unknown(written, file, entry, block, registries, problems);
    entry.first = block + entry.first.substr(name.size());
    if (block.empty() || (contains(whole, block) && has_block(written, block))) return true;
    drop_known(entry.second, entry.first, known);
    return known.contains(entry.first);
  });
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
      problems.add(e);
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
  std::vector<std::string> changes;
  for (const auto& text : options.overrides) try {
      const std::string key = parse_override(text).key;
      if (is_seen_elsewhere(key)) continue;
      std::erase_if(changes, [&](const auto& change) { return change.starts_with(key + " = "); });
      changes.push_back(key + " = " + std::string(trimmed(text.substr(text.find('=') + 1))));
    } catch (const InputError&) {
      continue;
    }
  return changes;
}

bool holds_for_all_points(const std::string& key) {
  static const Words keys{"nowsim",     "title",         "description",      "metrics",   "run.infeasible",
                          "run.decide", "run.decide_by", "run.indifference", "solve.key", "solve.metric", "solve.goal"};
  return contains(keys, key);
}

void check_sections(const ExperimentDocument& document, Problems& problems, std::set<std::string>& asked) {
  for (const auto& [section, example] : sections()) {
    const auto found = document.settings.find(section);
    if (found == document.settings.end()) continue;
    asked.insert(section);
    if (!found->second.broken)
      problems.add(found->second.place, "this section is a map of keys and values, such as " + example);
  }
  for (const auto& axis : document.sweep.axes)
    for (const auto& key : axis.keys) {
      const Place place = axis.place_of_key(key);
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

void report_unknown_keys(const ExperimentDocument& document, const Registries& known, const PointsRead& points,
                         Problems& problems, Experiment& experiment) {
  Judgement(document, known, points, problems, experiment).judge_all();
}

}  // namespace nowsim
