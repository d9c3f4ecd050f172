// Fields as a table's columns.
#include "experiments/driver/text/fields.hpp"

#include <cmath>
#include <utility>

#include "experiments/driver/text/estimate_text.hpp"
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
    return estimate_text({e.value / scale, e.low / scale, e.high / scale});
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

}  // namespace nowsim
