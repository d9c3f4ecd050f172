// What a result says, as named fields with typed values: the one list from which every format is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

struct Field;
struct Value;
using Fields = std::vector<Field>;

/// A list of values that are made as they are needed: what they are made of has to live as long.
struct List {
  std::size_t size = 0;
  std::function<Value(std::size_t)> item;
};

/// Named values in one.
struct Object {
  Fields fields;
};

/// What a field may hold; std::monostate: nothing is known.
struct Value : std::variant<std::monostate, bool, std::uint64_t, double, std::string, Estimate, List, Object> {
  using variant::variant;
};

/// The formats that have a field.
inline constexpr unsigned kInTable = 1, kInCsv = 2, kInJson = 4, kForPrograms = kInCsv | kInJson,
                          kEverywhere = kForPrograms | kInTable;

struct Field {
  std::string name;
  Value value;
  unsigned in = kForPrograms;
  std::string unit = {};    ///< in a table's head
  double scale = 1;         ///< of that unit: a table shows an estimate divided by it
  bool half_width = false;  ///< CSV has an estimate's half-width too, behind its value
};

/// A list of what a function makes of each element of a sequence, which has to live as long.
template <class Sequence, class Make>
List list_of(const Sequence& sequence, Make make) {
  return {sequence.size(), [&sequence, make](std::size_t i) -> Value { return make(sequence[i]); }};
}

/// A list of texts, which it keeps.
List texts(std::vector<std::string> all);

/// A value that may be unknown.
template <class T>
Value known(const std::optional<T>& value) {
  return value ? Value(*value) : Value();
}

void append(Fields& to, const Fields& more);
/// An estimate as three numbers, in JSON too: NAME, NAME_low, NAME_high.
void add_numbers(Fields& fields, const std::string& name, const Estimate& e);

/// A table's columns, headed "tau [s]", and a row's cells: of the fields that tables have.
std::vector<std::string> table_head(const Fields& fields);
std::vector<std::string> table_cells(const Fields& fields);

}  // namespace nowsim
