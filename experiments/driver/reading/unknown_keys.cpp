// Judging keys by the tables of what every owner model, workload and policy knows.
#include "experiments/driver/reading/unknown_keys.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "experiments/driver/reading/platform_config.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/formula.hpp"

namespace nowsim {
namespace {

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

/// What can be said of the link that a key is about: platform.links.NAME.key.
Words link_keys(const std::string& key) {
  const std::string link = key.substr(0, key.rfind('.') + 1);
  return {link + "bandwidth", link + "latency"};
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

/// What is asked of an experiment for one key after another, of which there may be very many: looked up once.
class Judgement {
 public:
  Judgement(const KeyUse& use, const Registries& known) : use_(use), vocabulary_(make_vocabulary(known)) {
    for (const auto& [key, setting] : use.settings) {
      if (setting.place.file == kOverridePlace) changed_.insert(block_of(key));
      note_names(setting);
    }
    for (const auto& axis : use.sweep.axes)
      if (axis.place.file == kOverridePlace)
        for (const auto& key : axis.keys) changed_.insert(block_of(key));
  }

  std::vector<KeyRemark> remarks() && {
    for (const auto& [key, setting] : use_.settings) judge(key, setting.place, false);
    for (const auto& axis : use_.sweep.axes)
      for (const auto& key : axis.keys) judge(key, {axis.place.file, axis.place.line, "sweep." + key}, true);
    judge_policy();
    return std::move(out_);
  }

 private:
  void judge(const std::string& key, const Place& place, bool swept) {
    static const std::set<std::string> readable{"platform", "job", "owner", "bandwidth", "split"};
    const std::string block = block_of(key);
    // A problem may have kept a block from being read: then nothing can be said of its keys.
    if (use_.asked.contains(key) || (readable.contains(block) && !use_.complete.contains(block))) return;
    const bool by_flag = place.file == kOverridePlace;
    if (block == "let") {  // in a file only idle: what used it may have been set by a flag
      const bool is_error = by_flag || (swept && changed_.empty()), is_idle = is_named(key);
      if (is_error || !is_idle)
        out_.push_back({place, "no formula uses this variable" + (is_idle ? " here" : suggestion(key)), is_error});
      return;
    }
    const std::string choice = belongs_to(vocabulary_, key);
    if (choice.empty()) {
      out_.push_back({place, "this key is not known" + suggestion(key)});
      return;
    }
    const bool left_over = !swept && !by_flag && changed_.contains(block);
    out_.push_back({place, no_effect(key, choice), !left_over});
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
    if (key.starts_with("platform.links.")) return did_you_mean(key, link_keys(key));
    constexpr std::size_t kMostCompared = 300'000;
    compared_ += use_.asked.size() + use_.known.size();
    if (compared_ > kMostCompared) return "";
    const auto is_by_host = [](const std::string& name) { return name.find(".hosts.") != std::string::npos; };
    Words asked;
    for (const auto& name : use_.asked)
      if ((block_of(key) != "let" || block_of(name) == "let") && (is_by_host(key) || !is_by_host(name)))
        asked.push_back(name);
    const std::string near = did_you_mean(key, asked);
    return near.empty() && block_of(key) != "let" ? did_you_mean(key, use_.known) : near;
  }

  /// All values that a key has at some point.
  const std::set<std::string>& values_of(const std::string& key) {
    const auto [known, is_new] = values_.try_emplace(key);
    std::set<std::string>& out = known->second;
    if (!is_new) return out;
    if (const auto found = use_.settings.find(key); found != use_.settings.end())
      out.insert(found->second.texts.begin(), found->second.texts.end());
    for (const auto& axis : use_.sweep.axes)
      for (std::size_t k = 0; k < axis.keys.size(); ++k)
        if (axis.keys[k] == key)
          for (const auto& step : axis.values) out.insert(step[k]);
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
        if (use_.asked.contains(block + "." + name)) others += (others.empty() ? "" : " or ") + block + "." + name;
    return text + (others.empty() ? "belongs to " + owners : "is for other values of " + others);
  }

  /// Policies other than the usual one, where they decide nothing.
  void judge_policy() {
    const std::string key = "split.policy";
    auto policies = values_of(key);
    policies.erase("equal");
    if (!use_.shares_are_idle || policies.empty()) return;
    const auto add = [&](const Place& place) {
      out_.push_back({place,
                      "this key has no effect here: the job hands its work out in a way of its own, not by shares",
                      place.file == kOverridePlace});
    };
    if (const auto found = use_.settings.find(key); found != use_.settings.end()) add(found->second.place);
    for (const auto& axis : use_.sweep.axes)
      if (std::find(axis.keys.begin(), axis.keys.end(), key) != axis.keys.end())
        add({axis.place.file, axis.place.line, "sweep." + key});
  }

  const KeyUse& use_;
  const Vocabulary vocabulary_;
  std::set<std::string> changed_;  ///< blocks of which a flag set or swept a key
  std::set<std::string> named_;    ///< variables of formulas
  std::map<std::string, std::set<std::string>> values_;
  std::size_t compared_ = 0;  ///< names with others
  std::vector<KeyRemark> out_;
};

}  // namespace

std::vector<KeyRemark> judge_unasked_keys(const KeyUse& use, const Registries& known) {
  return Judgement(use, known).remarks();
}

}  // namespace nowsim
