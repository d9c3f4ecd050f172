// The keys of a block of a description: what stands at each, within which bounds, what counts without it, and what it is.
#pragma once

#include <cstdint>
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
  std::vector<std::string> words = {};
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

/// Hands out the values of a table's keys by name: checked, numbers in SI. What is missing, malformed or out of bounds is
/// noted with its place, and a harmless value handed out, so that reading can go on. @throws std::logic_error for a name
/// that the table does not have.
class KeyReader {
 public:
  virtual ~KeyReader() = default;
  /// Whether it is given.
  virtual bool has(const std::string& name) = 0;
  virtual double value(const std::string& name) = 0;
  /// Of a list; empty after a problem.
  virtual std::vector<double> values(const std::string& name) = 0;
  /// Within bounds that depend on other values, in place of the table's.
  virtual double value_within(const std::string& name, const Bounds& bounds) = 0;
  virtual std::int64_t whole(const std::string& name) = 0;
  /// The position of one of the key's words.
  virtual std::size_t word(const std::string& name) = 0;
  virtual std::string text(const std::string& name) = 0;
  virtual WrittenFormula formula(const std::string& name) = 0;
  /// A file or folder as this process finds it; "" after a problem.
  virtual std::string path(const std::string& name) = 0;
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

}  // namespace nowsim
