// Values as JSON. A library's writer would give other digits (3.0 for 3), and one line or a line for everything.
#include <algorithm>
#include <ostream>
#include <ranges>
#include <string>

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

void write_json(const Value& value, std::ostream& out) {
  std::visit(JsonWriter(out), value);
  out << '\n';
}

}  // namespace nowsim
