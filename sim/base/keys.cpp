// Reading what stands at all keys of a plug-in, each by its type.
#include "sim/base/keys.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace nowsim {
namespace {

/// None where it may be left out, so that nothing counts: a positive number then.
void read_count(const Key& key, KeyReader& read, KeyValues& values) {
  const bool is_optional = key.fallback && key.fallback->empty();
  const std::int64_t value = read.whole_at(key, key.bounds, is_optional ? std::optional(0.0) : read.usual(key));
  if (value > 0 || !is_optional) values.numbers[key.name] = static_cast<double>(value);
}

void read_formula(Key key, KeyReader& read, KeyValues& values, const std::vector<std::string>& variables) {
  if (key.fallback && key.fallback->empty() && !read.has(key.name)) return;
  key.words = variables;
  WrittenFormula written = read.formula_at(key);
  if (!written.formula) written = {"1", std::make_shared<const Formula>("1")};
  values.formulas[key.name] = std::move(written);
}

}  // namespace

std::optional<std::size_t> usual_word(const Key& key) {
  if (!key.fallback) return std::nullopt;
  const auto found = std::ranges::find(key.words, *key.fallback);
  return found == key.words.end() ? 0 : static_cast<std::size_t>(found - key.words.begin());
}

KeyValues read_values(const KeyTable& keys, KeyReader& read, const std::vector<std::string>& variables) {
  KeyValues values;
  for (const Key& key : keys) {
    if (key.type == KeyType::count) read_count(key, read, values);
    else if (key.type == KeyType::formula) read_formula(key, read, values, variables);
    else if (key.type == KeyType::word) values.numbers[key.name] = static_cast<double>(read.word_at(key));
    else if (key.type < KeyType::word) values.numbers[key.name] = read.value_of(key);
    else throw std::logic_error("no value is read at the type of the key '" + key.name + "'");
  }
  return values;
}

}  // namespace nowsim
