// Fields as CSV.
#include <array>
#include <ostream>
#include <utility>

#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/formats.hpp"

namespace nowsim {
namespace {

/// The columns of an estimate: what is behind its name, and its number.
std::vector<std::pair<const char*, double>> columns_of(const Estimate& e, bool with_half_width) {
  if (with_half_width) return {{"", e.value}, {"_hw", e.half_width()}, {"_low", e.low}, {"_high", e.high}};
  return {{"", e.value}, {"_low", e.low}, {"_high", e.high}};
}

/// A value that takes one column.
struct CsvText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return csv_number(value); }
  std::string operator()(const std::string& value) const { return csv_field(value); }
  std::string operator()(const auto&) const { return ""; }
};

/// Writes a line, a column at a time.
class CsvLine {
 public:
  explicit CsvLine(std::ostream& out) : out_(out) {}
  ~CsvLine() { out_ << '\n'; }
  CsvLine(const CsvLine&) = delete;
  CsvLine& operator=(const CsvLine&) = delete;
  void add(const std::string& text) {
    if (!is_first_) out_ << ',';
    out_ << text;
    is_first_ = false;
  }

 private:
  std::ostream& out_;
  bool is_first_ = true;
};

void write_names(const Fields& fields, std::ostream& out) {
  CsvLine line(out);
  for (const Field& field : fields) {
    if ((field.in & kInCsv) == 0) continue;
    const auto* estimate = std::get_if<Estimate>(&field.value);
    if (estimate == nullptr)
      line.add(csv_field(field.name));
    else
      for (const auto& [ending, number] : columns_of(*estimate, field.half_width))
        line.add(csv_field(field.name + ending));
  }
}

void write_values(const Fields& fields, std::ostream& out) {
  CsvLine line(out);
  for (const Field& field : fields) {
    if ((field.in & kInCsv) == 0) continue;
    const auto* estimate = std::get_if<Estimate>(&field.value);
    if (estimate == nullptr)
      line.add(std::visit(CsvText{}, field.value));
    else
      for (const auto& [ending, number] : columns_of(*estimate, field.half_width)) line.add(csv_number(number));
  }
}

}  // namespace

void write_csv(const Fields& head, const List& rows, std::ostream& out) {
  write_names(head, out);
  for (std::size_t i = 0; i < rows.size; ++i) write_values(std::get<Object>(rows.item(i)).fields, out);
}

}  // namespace nowsim
