// What a result says, as named fields with typed values, and the formats in which it can be written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "experiments/driver/text/text_table.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

// ---- named, typed values: the one list from which every format is written ------------------------------------------

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

// ---- formats -------------------------------------------------------------------------------------------------------

enum class Format { table, csv, json, latex };

/// A result as writers take it. It refers to what it was made of.
struct Document {
  std::function<void(std::ostream&)> text;  ///< for people: tables and sentences
  Fields head;                              ///< a row's fields without values
  List rows;                                ///< flat: objects, each with the fields of the head
  Value whole;                              ///< all of it, nested
};

struct FormatInfo {
  Format format;
  const char* name;
  void (*write)(const Document&, std::ostream&);
};
std::span<const FormatInfo> formats();

void write_document(const Document& document, Format format, std::ostream& out);

/// A table of a row for each element of a sequence, by its fields; without elements it has no head.
template <class Sequence, class MakeFields>
TextTable table_of(const Sequence& all, MakeFields fields, TableLook look = TableLook::figures) {
  if (std::empty(all)) return TextTable({}, look);
  TextTable table(table_head(fields(*std::begin(all))), look);
  for (const auto& one : all) table.add(table_cells(fields(one)));
  return table;
}

/// CSV: a head and the rows. An estimate is NAME, NAME_low and NAME_high; lists and objects have no place in it.
void write_csv(const Fields& head, const List& rows, std::ostream& out);
/// JSON, and a line's end. An estimate is an object: value, low, high, half_width. Objects and lists of nothing but
/// scalars and estimates take one line, others a line for each of their items, two deeper.
void write_json(const Value& value, std::ostream& out);

}  // namespace nowsim
