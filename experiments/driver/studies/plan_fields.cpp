// Units and formats of a plan's fields.
#include "experiments/driver/studies/plan_fields.hpp"

namespace nowsim {

Field time_field(const std::string& name, const Estimate& s, const ColumnUnit& unit) {
  return {name, s, kInTable, unit.name, unit.seconds};
}
Field share_field(const std::string& name, const Estimate& share) { return {name, share, kInTable, "%", 0.01}; }
Field points_field(const std::string& name, const Estimate& difference) {
  return {name, difference, kInTable, "points", 0.01};
}

void add_estimates_of_time(const PolicyPlan& p, Fields& fields) {
  const auto add = [&](const std::string& name, const Estimate& e, bool is_known) {
    fields.push_back({name, e, is_known ? kForPrograms : kInCsv});
  };
  for (const auto& column : plan_columns()) add(column.name, p.*column.estimate, p.is_complete());
  add("safe_deadline", p.safe_deadline.value_or(kUnknownEstimate), p.safe_deadline.has_value());
}

void add_origin(const ResultRow& row, unsigned in, Fields& fields) {
  fields.push_back({"replications", row.replications, in});
  fields.push_back({"seed", row.seed, in});
  fields.push_back({"engine", row.engine, in});
  fields.push_back({"version", row.version, in});
}

}  // namespace nowsim
