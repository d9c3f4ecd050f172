// Values as JSON. A library's writer would give other digits (3.0 for 3), and one line or a line for everything.
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/formats.hpp"

namespace nowsim {
namespace {

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
    Fields items;
    for (std::size_t i = 0; i < list.size; ++i) items.push_back({"", list.item(i)});
    write_items(items, '[', ']');
  }
  void operator()(const Object& object) { write_items(object.fields, '{', '}'); }

 private:
  /// On one line where all are scalars, else on a line each, two deeper.
  void write_items(const Fields& items, char opening, char closing) {
    const auto is_left_out = [](const Field& field) { return (field.in & kInJson) == 0; };
    const bool breaks = !std::ranges::all_of(
        items, [&](const Field& field) { return is_left_out(field) || is_scalar(field.value); });
    const std::size_t outer = indent_;
    bool is_first = true;
    out_ << opening;
    for (const Field& field : items) {
      if (is_left_out(field)) continue;
      if (!is_first) out_ << ',';
      if (breaks) begin_line(outer + 2);
      else if (!is_first) out_ << ' ';
      if (opening == '{') out_ << json_text(field.name) << ": ";
      std::visit(*this, field.value);
      is_first = false;
    }
    if (breaks) begin_line(outer);
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

void write_json(const Value& value, std::ostream& out) {
  std::visit(JsonWriter(out), value);
  out << '\n';
}

}  // namespace nowsim
