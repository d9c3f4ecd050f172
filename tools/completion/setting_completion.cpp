// Keys by their tables, values by what the tables say of them.
#include "tools/completion/setting_completion.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/points/key_reference.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "tools/shipped/catalogue.hpp"

namespace nowsim {
namespace {

constexpr std::string_view kSweep = "sweep.";
constexpr const char* kLet = "let";

bool can_be_swept(const std::string& key) {
  return !holds_for_all_points(key) && !key.starts_with("figure.") && !key.starts_with("solve.");
}

/// A key by its full name.
struct KnownKey {
  std::string name;
  Key key;
};

/// What blocks of lists hold cannot be reached by a dotted key.
const Words kNotReached{"sweep", "figure.panels", "claims"};

/// The key by which a block chooses among sections such as "workload: gauss".
std::string choosing_key(const std::string& block, const std::string& kind) { return block + "." + kind; }

/// Whether keys of a section count: they belong to all choices, to the one that is made, or none is made.
bool counts(const KeyBlock& block, const KeySection& section, const DescribedExperiment& described) {
  const auto colon = section.title.find(": ");
  if (colon == section.title.npos) return true;
  const Words chosen = described.values_of(choosing_key(block.name, section.title.substr(0, colon)));
  const std::string names = ", " + section.title.substr(colon + 2) + ", ";
  return chosen.empty() || std::ranges::any_of(chosen, [&](const std::string& name) {
           return names.find(", " + name + ", ") != names.npos;
         });
}

std::vector<KnownKey> known_keys(const DescribedExperiment& described, const Registries& registries) {
  std::vector<KnownKey> known;
  std::set<std::string> seen;
  for (const KeyBlock& block : key_blocks(registries)) {
    if (contains(kNotReached, block.name)) continue;
    const std::string prefix = block.name == "experiment" ? "" : block.name + ".";
    for (const KeySection& section : block.sections)
      if (counts(block, section, described))
        for (const Key& key : section.keys)
          if (key.type != KeyType::block && seen.insert(prefix + key.name).second)
            known.push_back({prefix + key.name, key});
  }
  for (const auto& [name, setting] : described.settings)
    if (name.starts_with(std::string(kLet) + "."))
      known.push_back({name, {"", KeyType::quantity, "", "a variable of this experiment's own"}});
  return known;
}

/// Blocks, as long as no dot is written, and keys at the file's top.
Candidates first_parts(const std::string& begin, const std::vector<KnownKey>& known, const Registries& registries) {
  Candidates candidates;
  std::set<std::string> blocks;
  for (const KnownKey& k : known)
    if (const auto dot = k.name.find('.'); !k.name.starts_with(begin))
      continue;
    else if (dot == k.name.npos)
      candidates.push_back({k.name + "=", k.key.help});
    else
      blocks.insert(k.name.substr(0, dot));
  for (const KeyBlock& block : key_blocks(registries))
    if (blocks.erase(block.name) > 0) candidates.push_back({block.name + ".", block.summary});
  for (const std::string& own : blocks) candidates.push_back({own + ".", "variables of this experiment's own"});
  return candidates;
}

Candidates key_candidates(const std::string& begin, const DescribedExperiment& described,
                          const Registries& registries) {
  const bool of_axes = begin.starts_with(kSweep);
  const std::string above = of_axes ? std::string(kSweep) : "", inner = begin.substr(above.size());
  auto known = known_keys(described, registries);
  if (of_axes) std::erase_if(known, [](const KnownKey& k) { return !can_be_swept(k.name); });
  Candidates candidates;
  if (inner.find('.') == inner.npos) {
    candidates = first_parts(inner, known, registries);
    if (!of_axes && kSweep.starts_with(begin))
      candidates.push_back({std::string(kSweep), "axes: keys and their values"});
  } else {
    for (const KnownKey& k : known)
      if (k.name.starts_with(inner)) candidates.push_back({k.name + "=", k.key.help});
  }
  for (Candidate& c : candidates) c.word = above + c.word;
  return candidates;
}

// ---- values

/// Keys whose values are names from a list of `nowsim list`.
struct ListOfKey {
  const char* key;
  const char* list;
};
constexpr ListOfKey kLists[] = {{"job.workload", "workloads"},   {"owner.model", "owners"},
                                {"bandwidth.model", "owners"},   {"split.policy", "policies"},
                                {"job.technique", "techniques"}, {"figure.kind", "figures"},
                                {"run.precision_of", "metrics"}, {"solve.metric", "metrics"},
                                {"metrics", "metrics"},          {"run.variance_reduction", "variance-reductions"}};
/// Those whose value is a swept key.
const Words kOfSweptKeys{"run.decide", "run.reference", "figure.x", "figure.y", "figure.series"};

/// Words that keys take besides texts or numbers.
struct WordsOfKey {
  const char* key;
  Words words;
};
const WordsOfKey kWordsAmongOthers[] = {{"figure.size", {"single", "double"}}, {"figure.title", {"none"}}};

/// Single values that begin like this.
Candidates value_candidates(const KnownKey& k, const std::string& begin, const DescribedExperiment& described,
                            const Registries& registries) {
  const auto* const listed = std::ranges::find(kLists, k.name, &ListOfKey::key);
  if (listed == std::end(kLists))
    return contains(kOfSweptKeys, k.name) ? swept_keys(begin, described) : words_of(k.key.words, begin);
  Candidates candidates = listed_names(listed->list, begin, registries);
  std::erase_if(candidates, [&](const Candidate& c) { return !k.key.words.empty() && !contains(k.key.words, c.word); });
  return candidates;
}

/// What stands between any of these characters.
Words words_between(const std::string& text, const char* separators) {
  Words words{""};
  for (const char c : text)
    if (std::string_view(separators).find(c) != std::string_view::npos)
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

/// Of a list in brackets: what can stand at its end.
Candidates in_brackets(const KnownKey& k, const std::string& value, const DescribedExperiment& described,
                       const Registries& registries) {
  const auto cut = value.find_last_of("[, ");
  const std::string before = cut == value.npos ? "[" : value.substr(0, cut + 1);
  Candidates candidates = value_candidates(k, cut == value.npos ? value : value.substr(cut + 1), described, registries);
  std::erase_if(candidates, [&](const Candidate& c) { return contains(words_between(before, "[, "), c.word); });
  for (Candidate& c : candidates) c.word = before + c.word;
  return candidates;
}

WantedFiles files_of(const std::string& key) {
  if (key == "platform.file") return {{".xml"}};
  return {{}, key.ends_with("folder")};
}

Completion value_completion(const KnownKey& k, bool is_axis, const std::string& value,
                            const DescribedExperiment& described, const Registries& registries) {
  if (k.key.type == KeyType::path && !is_axis) return {{}, files_of(k.name)};
  if (const auto* const some = std::ranges::find(kWordsAmongOthers, k.name, &WordsOfKey::key);
      some != std::end(kWordsAmongOthers))
    return {words_of(some->words, value), {}};
  if (is_axis || k.key.is_list) return {in_brackets(k, value, described, registries), {}, true};
  Completion completion{value_candidates(k, value, described, registries), {}};
  const Words now = described.values_of(k.name);
  if (completion.candidates.empty() && value.empty() && now.size() == 1 && now.front().find(' ') == std::string::npos)
    completion.candidates.push_back({now.front(), "as it is now: " + k.key.help});
  return completion;
}

}  // namespace

Completion complete_setting(const std::string& word, const DescribedExperiment& described,
                            const Registries& registries) {
  const auto equals = word.find('=');
  if (equals == word.npos) return {key_candidates(word, described, registries), {}};
  Completion completion = complete_value(word.substr(0, equals), word.substr(equals + 1), described, registries);
  for (Candidate& c : completion.candidates) c.word = word.substr(0, equals + 1) + c.word;
  return completion;
}

Completion complete_value(const std::string& key, const std::string& word, const DescribedExperiment& described,
                          const Registries& registries) {
  const bool is_axis = key.starts_with(kSweep);
  const auto known = known_keys(described, registries);
  const auto found = std::ranges::find(known, is_axis ? key.substr(kSweep.size()) : key, &KnownKey::name);
  return found == known.end() ? Completion{} : value_completion(*found, is_axis, word, described, registries);
}

Candidates listed_names(const std::string& list, const std::string& begin, const Registries& registries) {
  Candidates candidates;
  for (const CatalogueList& some : catalogue())
    if (some.name == list)
      for (const CatalogueEntry& entry : some.entries(registries))
        if (entry.name.starts_with(begin)) candidates.push_back({entry.name, entry.summary});
  return candidates;
}

Candidates words_of(const std::vector<std::string>& words, const std::string& begin) {
  Candidates candidates;
  for (const std::string& word : words)
    if (word.starts_with(begin)) candidates.push_back({word, ""});
  return candidates;
}

Candidates swept_keys(const std::string& begin, const DescribedExperiment& described) {
  Candidates candidates;
  for (const std::string& key : described.swept())
    if (key.starts_with(begin)) candidates.push_back({key, joined(described.values_of(key))});
  return candidates;
}

Candidates behind_commas(const std::string& word, const Candidates& choices) {
  const auto comma = word.rfind(',');
  const std::string before = comma == word.npos ? "" : word.substr(0, comma + 1), last = word.substr(before.size());
  Candidates candidates;
  for (const Candidate& c : choices)
    if (c.word.starts_with(last) && ("," + before).find("," + c.word + ",") == std::string::npos)
      candidates.push_back({before + c.word, c.about});
  return candidates;
}

}  // namespace nowsim
