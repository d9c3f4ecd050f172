// A table of types, and how what is of each is read.
#include "workloads/farm/technique_keys.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sim/base/text.hpp"
#include "workloads/farm/technique_formula.hpp"

namespace nowsim {
namespace {

std::optional<double> fallback_of(const Key& key) { return key.fallback ? to_number(*key.fallback) : std::nullopt; }

/// None where it may be left out, so that nothing counts: a positive number then.
void read_whole(const Key& key, ParameterReader& read, TechniqueParameters& p) {
  const bool is_optional = key.fallback && key.fallback->empty();
  std::optional<std::int64_t> fallback;
  if (is_optional) fallback = 0;
  else if (const auto number = fallback_of(key)) fallback = std::llround(*number);
  const std::int64_t value = read.count(key.name, fallback, std::llround(key.bounds.least));
  if (value > 0 || !is_optional) p.own[key.name] = static_cast<double>(value);
}

void read_number(const Key& key, ParameterReader& read, TechniqueParameters& p) {
  p.own[key.name] = read.number(key.name, fallback_of(key), key.bounds.least, key.bounds.most);
}

/// @tparam quantity the reader's function for quantities of a dimension.
template <double (ParameterReader::*quantity)(const std::string&, std::optional<double>)>
void read_quantity(const Key& key, ParameterReader& read, TechniqueParameters& p) {
  p.own[key.name] = (read.*quantity)(key.name, fallback_of(key));
}

/// The position of the word; the first unless one has to be given.
void read_word(const Key& key, ParameterReader& read, TechniqueParameters& p) {
  const auto fallback = key.fallback ? std::optional<std::size_t>(0) : std::nullopt;
  p.own[key.name] = static_cast<double>(read.choice(key.name, key.words, fallback));
}

/// None where it may be left out.
void read_formula(const Key& key, ParameterReader& read, TechniqueParameters& p) {
  const WrittenFormula written = read.formula(key.name, words_in(technique_variables()), !key.fallback);
  if (written.formula) p.formulas[key.name] = std::make_shared<const TechniqueFormula>(key.name, written);
}

struct ReadableType {
  KeyType type;
  void (*read)(const Key&, ParameterReader&, TechniqueParameters&);
};
constexpr ReadableType kTypes[] = {{KeyType::count, read_whole},
                                   {KeyType::number, read_number},
                                   {KeyType::share, read_number},
                                   {KeyType::time, read_quantity<&ParameterReader::time>},
                                   {KeyType::work, read_quantity<&ParameterReader::work>},
                                   {KeyType::bytes, read_quantity<&ParameterReader::bytes>},
                                   {KeyType::word, read_word},
                                   {KeyType::formula, read_formula}};

void read_key(const Key& key, ParameterReader& read, TechniqueParameters& p) {
  const auto* const found = std::ranges::find(kTypes, key.type, &ReadableType::type);
  if (found == std::end(kTypes)) throw std::logic_error("techniques have no keys of the type of '" + key.name + "'");
  found->read(key, read, p);
}

constexpr const char* kAs = "as";

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
    if (technique.has_least)
      add({"min_chunk", KeyType::count, "",
           "the least handed out while there is as much; by default 1, as DLS4LB half of mFSC's size", {1}},
          "");
  }
  return keys;
}

TechniqueParameters read_for(Technique& technique, ParameterReader& read) {
  TechniqueParameters p;
  std::int64_t usual_least = 1;
  if (!technique.versions.empty()) {
    const Technique::Version version = technique.versions[read.choice(kAs, words_in(technique.versions), 0)];
    p.as = version.name;
    usual_least = version.usual_least;
    technique.become(version);
  }
  if (technique.has_least) p.min_chunk = read.count("min_chunk", usual_least, 1);
  for (const auto& key : technique.keys) read_key(key, read, p);
  if (technique.check) technique.check(p);
  for (const auto& [key, formula] : p.formulas) add_needs(formula->variables(), technique);
  return p;
}

}  // namespace nowsim
