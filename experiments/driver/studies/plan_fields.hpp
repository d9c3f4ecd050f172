// The fields of a plan's estimates: columns of its tables, and names for programs.
#pragma once

#include <string>

#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/plan_results.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/fields.hpp"

namespace nowsim {

/// A time, a share and a difference of shares, as tables have them.
Field time_field(const std::string& name, const Estimate& s, const ColumnUnit& unit);
Field share_field(const std::string& name, const Estimate& share);
Field points_field(const std::string& name, const Estimate& difference);

/// plan_columns() and the safe deadline, for programs. JSON leaves out what is not known.
void add_estimates_of_time(const PolicyPlan& plan, Fields& fields);

/// What made a row, in these formats.
void add_origin(const ResultRow& row, unsigned in, Fields& fields);

}  // namespace nowsim
