// The keys of a block of a description: what stands at each, within which bounds, what counts without it, and what it is.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/formula.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {

/// Bounds of a quantity; the limits themselves are allowed unless open.
struct Bounds {
  double least = 0;
  double most = kInfinity;
  bool open = false;  ///< `least` itself is not allowed
};
inline constexpr Bounds kPositive{0, kInfinity, true};
inline constexpr Bounds kAnyNumber{-kInfinity};

/// What stands at a key: a number of some dimension, which decides the units that it may carry, or a text.
enum class KeyType {
  number,
  share,  ///< 0.28 or 28%
  count,
  time,
  work,
  speed,
  bytes,
  bandwidth,
  quantity,  ///< a number of whatever dimension its unit says
  word,      ///< one of Key::words
  text,
  formula,
  path,
  block,  ///< keys of its own
};

/// A line of a block's table.
struct Key {
  std::string name;
  KeyType type;
  std::optional<std::string> fallback;  ///< what counts without it, as one writes it; "": nothing. None: it must be given
  std::string help;                     ///< a line for people
  Bounds bounds = {};
  std::vector<std::string> words = {};  ///< to choose from
  bool is_list = false;
  std::string of = {};  ///< what in the block it belongs to, such as "generated workstations"; "": the whole
};
using KeyTable = std::vector<Key>;

/// The words of a key that says yes or no.
inline std::vector<std::string> flag_words() { return {"false", "true"}; }

/// Says in a table that a key must be given.
inline constexpr std::nullopt_t kMustBeGiven = std::nullopt;

/// The names of a table's entries, as the words of a key.
template <class Table>
std::vector<std::string> words_in(const Table& table) {
  std::vector<std::string> words;
  for (const auto& entry : table) words.emplace_back(entry.name);
  return words;
}

/// A key of one of these words, the first of which counts without it.
inline Key word_key(std::string name, std::vector<std::string> words, std::string help) {
  const std::string usual = words.front();
  return {std::move(name), KeyType::word, usual, std::move(help), {}, std::move(words)};
}

/// Where among a key's words the one stands that counts without it; none where it must be given.
std::optional<std::size_t> usual_word(const Key& key);

/// Hands out the values of keys: checked, numbers in SI. What is missing, malformed or out of bounds is noted with its
/// place, and a harmless value handed out, so that reading can go on. By name they are those of a table's rows, some with
/// other bounds, or another fallback, where these depend on other values. @throws std::logic_error for a name that the
/// table does not have.
class KeyReader {
 public:
  virtual ~KeyReader() = default;
  double value(const std::string& name) { return value_of(row(name)); }
  double value_within(const std::string& name, const Bounds& bounds) {
    const Key& key = row(name);
    return number_at(key, bounds, usual(key));
  }
  double value_or(const std::string& name, double fallback) { return number_at(row(name), row(name).bounds, fallback); }
  std::int64_t whole(const std::string& name) { return whole_within(name, row(name).bounds); }
  std::int64_t whole_within(const std::string& name, const Bounds& bounds) {
    const Key& key = row(name);
    return whole_at(key, bounds, usual(key));
  }
  std::int64_t whole_or(const std::string& name, std::int64_t fallback) {
    return whole_at(row(name), row(name).bounds, static_cast<double>(fallback));
  }
  /// The position of one of the key's words.
  std::size_t word(const std::string& name) { return word_at(row(name)); }
  WrittenFormula formula(const std::string& name) { return formula_at(row(name)); }
  /// Of a key that is in no table, too.
  double value_of(const Key& key) { return number_at(key, key.bounds, usual(key)); }

  virtual const Key& row(const std::string& name) const = 0;
  /// What counts without a key, in SI; none where it must be given, or nothing counts.
  virtual std::optional<double> usual(const Key& key) const = 0;
  /// Whether it is given.
  virtual bool has(const std::string& name) = 0;
  /// Of a key's type. Without a fallback it must be given.
  virtual double number_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) = 0;
  virtual std::int64_t whole_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) = 0;
  virtual std::size_t word_at(const Key& key) = 0;
  /// In the variables that are its words, if it has any, and in full keys, whose values it brings.
  virtual WrittenFormula formula_at(const Key& key) = 0;
  /// Of a list; empty after a problem.
  virtual std::vector<double> values(const std::string& name) = 0;
  virtual std::string text(const std::string& name) = 0;
  /// Of a list of texts; empty where it is left out.
  virtual std::vector<std::string> texts(const std::string& name) = 0;
  /// A file or folder as this process finds it; "" after a problem.
  virtual std::string path(const std::string& name) = 0;
  /// The numbers of a text file, 0 or more each and one at least, as many in a line as there are; '#' begins a comment.
  virtual std::vector<double> numbers_of_file(const std::string& name) = 0;
  /// The file that such a text came to; "" after the problem that it may not be read.
  virtual std::string checked_file(const std::string& /*name*/, const std::string& file) { return file; }
  /// Where a key stands, or would stand.
  virtual Place place(const std::string& name) = 0;
  /// Notes what is wrong with a key.
  virtual void problem(const std::string& name, const std::string& sentence) = 0;

  /// What `make` gives. An infeasible point is not a mistake in the file: it gets the key's place and is passed on.
  template <class Make>
  auto feasible(const std::string& name, const Make& make) {
    try {
      return make();
    } catch (const InfeasibleError& e) {
      if (!e.place().file.empty()) throw;
      throw InfeasibleError(place(name), e.what());
    }
  }
};

/// What was read at a plug-in's own keys, by name.
struct KeyValues {
  std::map<std::string, double, std::less<>> numbers = {};  ///< in SI; of a word its position
  std::map<std::string, WrittenFormula, std::less<>> formulas = {};

  [[nodiscard]] double number_or(const char* key, double fallback) const {
    const auto found = numbers.find(key);
    return found == numbers.end() ? fallback : found->second;
  }
  [[nodiscard]] std::int64_t whole_or(const char* key, std::int64_t fallback) const {
    return static_cast<std::int64_t>(number_or(key, static_cast<double>(fallback)));
  }
  /// Null where it was left out.
  [[nodiscard]] const WrittenFormula* formula(const char* key) const {
    const auto found = formulas.find(key);
    return found == formulas.end() ? nullptr : &found->second;
  }
};
/// What stands at keys of numbers, words and formulas. Counts and formulas that may be left out are then none of the
/// values. Formulas may name these variables, or, where there are none, what whoever evaluates them knows; after a problem
/// they are 1. @throws std::logic_error for a key of another type.
KeyValues read_values(const KeyTable& keys, KeyReader& read, const std::vector<std::string>& variables = {});

}  // namespace nowsim
