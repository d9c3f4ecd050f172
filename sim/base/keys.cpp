// Reading what stands at all keys of a plug-in, each by its type.
#include "sim/base/keys.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace nowsim {

std::optional<std::size_t> usual_word(const Key& key) {
  if (!key.fallback) return std::nullopt;
  const auto found = std::ranges::find(key.words, *key.fallback);
  return found == key.words.end() ? 0 : static_cast<std::size_t>(found - key.words.begin());
}

KeyValues read_values(const KeyTable& keys, KeyReader& read, const std::vector<std::string>& variables) {
  KeyValues values;
  for (const Key& key : keys) {
    const bool is_optional = key.fallback && key.fallback->empty();
    if (key.type == KeyType::count) {  // positive where it may be left out, so that nothing counts
      const std::int64_t value = read.whole_at(key, key.bounds, is_optional ? std::optional(0.0) : read.usual(key));
      if (value > 0 || !is_optional) values.numbers[key.name] = static_cast<double>(value);
    } else if (key.type == KeyType::formula) {
      if (is_optional && !read.has(key.name)) continue;
      Key in_variables = key;
      in_variables.words = variables;
      const WrittenFormula written = read.formula_at(in_variables);
      values.formulas[key.name] = written.formula ? written : WrittenFormula{"1", std::make_shared<const Formula>("1")};
    } else if (key.type == KeyType::word) {
      values.numbers[key.name] = static_cast<double>(read.word_at(key));
    } else if (key.type < KeyType::word) {
      values.numbers[key.name] = read.value_of(key);
    } else {
      throw std::logic_error("no value is read at the type of the key '" + key.name + "'");
    }
  }
  return values;
}

}  // namespace nowsim
