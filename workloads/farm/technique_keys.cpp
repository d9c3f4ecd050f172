// All techniques' keys in one table, and reading those of one.
#include "workloads/farm/technique_keys.hpp"

#include <algorithm>

#include "workloads/farm/technique_variables.hpp"

namespace nowsim {
namespace {

constexpr const char* kAs = "as";
const Key kMinChunk{"min_chunk", KeyType::count, "",
                    "the least handed out while there is as much; by default 1, as DLS4LB half of mFSC's size", {1}};

/// Of all techniques that have versions; the first of each counts where none is named.
Key key_of_versions(const Registry<Technique>& techniques) {
  Key key{kAs, KeyType::word, "", "whose version, where sources differ ('nowsim help techniques': which by default)"};
  for (const auto& technique : techniques)
    for (const auto& version : technique.versions)
      if (std::ranges::count(key.words, version.name) == 0) key.words.push_back(version.name);
  return key;
}

}  // namespace

KeyTable keys_of_techniques(const Registry<Technique>& techniques) {
  KeyTable keys;
  const auto add = [&keys](Key key, const std::string& of) {
    const auto is_same = [&key](const Key& known) { return known.name == key.name && known.type == key.type; };
    if (std::ranges::any_of(keys, is_same)) return;
    key.of = of;
    keys.push_back(std::move(key));
  };
  for (const auto& technique : techniques) {
    for (const auto& key : technique.keys) add(key, technique.name);
    if (!technique.versions.empty()) add(key_of_versions(techniques), "");
    if (technique.has_least) add(kMinChunk, "");
  }
  return keys;
}

TechniqueParameters read_for(Technique& technique, KeyReader& read) {
  TechniqueParameters p;
  double usual_least = 1;
  if (!technique.versions.empty()) {
    const std::vector<std::string> names = words_in(technique.versions);
    const Technique::Version version = technique.versions[read.word_at({kAs, KeyType::word, names.front(), "", {}, names})];
    p.as = version.name;
    usual_least = static_cast<double>(version.usual_least);
    technique.become(version);
  }
  if (technique.has_least) p.min_chunk = read.whole_at(kMinChunk, kMinChunk.bounds, usual_least);
  static_cast<Values&>(p) = read_values(technique.keys, read, words_in(technique_variables()));
  if (technique.check) technique.check(p);
  for (const auto& [key, formula] : p.formulas) add_needs(variables_of(formula), technique);
  return p;
}

}  // namespace nowsim
