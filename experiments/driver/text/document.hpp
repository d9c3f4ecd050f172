// A result that can be written in every format, and the formats.
#pragma once

#include <functional>
#include <iosfwd>
#include <iterator>
#include <span>
#include <string>

#include "experiments/driver/text/fields.hpp"
#include "experiments/driver/text/text_table.hpp"

namespace nowsim {

enum class Format { table, csv, json };

/// A result as writers take it. It refers to what it was made of.
struct Document {
  std::function<void(std::ostream&)> text;  ///< for people: tables and sentences
  Fields head;                              ///< a row's fields without values
  List rows;                                ///< flat: objects, each with the fields of the head
  Value whole;                              ///< all of it, nested
};

/// A format: its name on the command line, and its writer.
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
