// Values as JSON. A library's writer would give other digits (3.0 for 3), and one line or a line for everything.
#include <ostream>

#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/formats.hpp"

namespace nowsim {
namespace {

class JsonWriter {
 public:
  explicit JsonWriter(std::ostream& out) : out_(out) {}

  void operator()(std::monostate) { put("null"); }
  void operator()(bool value) { put(value ? "true" : "false"); }
  void operator()(std::uint64_t value) { put(std::to_string(value)); }
  void operator()(double value) { put(json_number(value)); }
  void operator()(const std::string& value) { put(json_text(value)); }
  void operator()(const Estimate& e) {
    (*this)(Object{{{"value", e.value}, {"low", e.low}, {"high", e.high}, {"half_width", e.half_width()}}});
  }
  void operator()(const List& list) {
    const Inside inside = open('[', list.lines);
    for (std::size_t i = 0; i < list.size; ++i) {
      separate(inside, i == 0, true);
      std::visit(*this, list.item(i));
    }
    close(']', inside);
  }
  void operator()(const Object& object) {
    const Inside inside = open('{', object.lines);
    bool is_first = true;
    for (const Field& field : object.fields) {
      if ((field.in & kInJson) == 0) continue;
      separate(inside, is_first, field.begins_line);
      put(json_text(field.name) + ": ");
      std::visit(*this, field.value);
      is_first = false;
    }
    close('}', inside);
  }

 private:
  /// What items are in: where its line and theirs begin.
  struct Inside {
    Lines lines;
    std::size_t outer, inner;
  };

  Inside open(char bracket, Lines lines) {
    put(std::string(1, bracket));
    return {lines, indent_, lines == Lines::under_first ? column_ : indent_ + 2};
  }
  void separate(const Inside& inside, bool is_first, bool begins_line) {
    const bool breaks = inside.lines == Lines::each || (!is_first && begins_line && inside.lines != Lines::none);
    if (!is_first) put(breaks ? "," : ", ");
    if (breaks) begin_line(inside.inner);
  }
  void close(char bracket, const Inside& inside) {
    if (inside.lines == Lines::each) begin_line(inside.outer);
    indent_ = inside.outer;
    put(std::string(1, bracket));
  }
  void begin_line(std::size_t indent) {
    out_ << '\n' << std::string(indent, ' ');
    indent_ = column_ = indent;
  }
  void put(const std::string& text) {
    out_ << text;
    column_ += text.size();
  }

  std::ostream& out_;
  std::size_t indent_ = 0;  // of the line
  std::size_t column_ = 0;
};

}  // namespace

void write_json(const Value& value, std::ostream& out) {
  std::visit(JsonWriter(out), value);
  out << '\n';
}

}  // namespace nowsim
