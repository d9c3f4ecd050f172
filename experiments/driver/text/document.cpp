// A library's JSON would have other digits (3.0 for 3), and one line or a line for everything.
#include "experiments/driver/text/document.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ostream>
#include <ranges>
#include <utility>

#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/formats.hpp"
#include "experiments/driver/text/latex.hpp"
#include "experiments/driver/text/stream_manner.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// A value as people read it.
struct CellText {
  double scale;
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "yes" : "no"; }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return std::isnan(value) ? "-" : short_number(value / scale); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const Estimate& e) const {
    return estimate_text(in_unit(e, scale));
  }
  std::string operator()(const auto&) const { return ""; }
};

}  // namespace

List texts(std::vector<std::string> all) {
  const std::size_t size = all.size();
  return {size, [all = std::move(all)](std::size_t i) -> Value { return all[i]; }};
}

void append(Fields& to, const Fields& more) { to.insert(to.end(), more.begin(), more.end()); }

void add_numbers(Fields& fields, const std::string& name, const Estimate& e) {
  fields.push_back({name, e.value});
  fields.push_back({name + "_low", e.low});
  fields.push_back({name + "_high", e.high});
}

std::vector<std::string> table_head(const Fields& fields) {
  std::vector<std::string> head;
  for (const Field& field : fields)
    if ((field.in & kInTable) != 0) head.push_back(field.name + (field.unit.empty() ? "" : " [" + field.unit + "]"));
  return head;
}

std::vector<std::string> table_cells(const Fields& fields) {
  std::vector<std::string> cells;
  for (const Field& field : fields)
    if ((field.in & kInTable) != 0) cells.push_back(std::visit(CellText{field.scale}, field.value));
  return cells;
}

namespace {

constexpr FormatInfo kFormats[] = {
    {Format::table, "table", [](const Document& d, std::ostream& out) { d.text(out); }},
    {Format::csv, "csv", [](const Document& d, std::ostream& out) { write_csv(d.head, d.rows, out); }},
    {Format::json, "json", [](const Document& d, std::ostream& out) { write_json(d.whole, out); }},
    {Format::latex, "latex", [](const Document& d, std::ostream& out) { write_latex(d.text, out); }},
};

// ---- CSV -----------------------------------------------------------------------------------------------------------

/// A value that takes one column.
struct CsvText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return csv_number(value); }
  std::string operator()(const std::string& value) const { return csv_field(value); }
  std::string operator()(const auto&) const { return ""; }
};

/// The names of a line's columns, or what stands in them.
void write_csv_line(const Fields& fields, bool is_head, std::ostream& out) {
  const char* separator = "";
  const auto add = [&](const std::string& name, const Value& value) {
    out << std::exchange(separator, ",") << (is_head ? csv_field(name) : std::visit(CsvText{}, value));
  };
  for (const Field& field : fields) {
    if ((field.in & kInCsv) == 0) continue;
    const auto* estimate = std::get_if<Estimate>(&field.value);
    if (estimate == nullptr) {
      add(field.name, field.value);
      continue;
    }
    add(field.name, estimate->value);
    if (field.half_width) add(field.name + "_hw", estimate->half_width());
    add(field.name + "_low", estimate->low);
    add(field.name + "_high", estimate->high);
  }
  out << '\n';
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

/// Whether it has no items of its own (an estimate's four numbers are one value).
bool is_scalar(const Value& value) {
  return !std::holds_alternative<List>(value) && !std::holds_alternative<Object>(value);
}

class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  void operator()(std::monostate) { out_ << "null"; }
  void operator()(bool value) { out_ << (value ? "true" : "false"); }
  void operator()(std::uint64_t value) { out_ << std::to_string(value); }
  void operator()(double value) { out_ << json_number(value); }
  void operator()(const std::string& value) { out_ << json_text(value); }
  void operator()(const Estimate& e) {
    (*this)(Object{{{"value", e.value}, {"low", e.low}, {"high", e.high}, {"half_width", e.half_width()}}});
  }
  void operator()(const List& list) {
    const auto all = std::views::iota(std::size_t{0}, list.size);
    write_items(all, '[', ']', std::ranges::all_of(all, [&](std::size_t i) { return is_scalar(list.item(i)); }),
                [&](std::size_t i) { std::visit(*this, list.item(i)); });
  }
  void operator()(const Object& object) {
    auto all = object.fields | std::views::filter([](const Field& f) { return (f.in & kInJson) != 0; });
    write_items(all, '{', '}', std::ranges::all_of(all, is_scalar, &Field::value), [&](const Field& field) {
      out_ << json_text(field.name) << ": ";
      std::visit(*this, field.value);
    });
  }

 private:
  /// On one line, or on a line each, two deeper.
  void write_items(auto&& items, char opening, char closing, bool on_one_line, auto write) {
    const std::size_t outer = indent_;
    bool is_first = true;
    out_ << opening;
    for (const auto& item : items) {
      if (!is_first) out_ << ',';
      if (!on_one_line) begin_line(outer + 2);
      else if (!is_first) out_ << ' ';
      write(item);
      is_first = false;
    }
    if (!on_one_line) begin_line(outer);
    out_ << closing;
  }
  void begin_line(std::size_t indent) {
    out_ << '\n' << std::string(indent, ' ');
    indent_ = indent;
  }

  std::ostream& out_;
  std::size_t indent_ = 0;  // of the line
};

}  // namespace

std::span<const FormatInfo> formats() { return kFormats; }

void write_document(const Document& document, Format format, std::ostream& out) {
  const auto* info = std::ranges::find(kFormats, format, &FormatInfo::format);
  assert(info != std::end(kFormats));
  std::optional<ForPrograms> for_programs;
  if (format != Format::table) for_programs.emplace(out);
  info->write(document, out);
}

void write_csv(const Fields& head, const List& rows, std::ostream& out) {
  write_csv_line(head, true, out);
  for (std::size_t i = 0; i < rows.size; ++i) write_csv_line(std::get<Object>(rows.item(i)).fields, false, out);
}

void write_json(const Value& value, std::ostream& out) {
  std::visit(JsonWriter(out), value);
  out << '\n';
}

}  // namespace nowsim
