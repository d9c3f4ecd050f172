// What plans, jobs under way and placements say alike: words, fields and columns of their alternatives.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/fields.hpp"

namespace nowsim {

// ---- words -----------------------------------------------------------------------------------------------------------

/// "97.3 [96.1, 98.2] %" of the deadline's being kept.
std::string kept_text(const Estimate& late);
/// A difference without its sign.
Estimate size_of(const Estimate& difference);
/// "3.1 ± 0.2 min".
std::string time_text(const Estimate& s, const ColumnUnit& unit);
/// "T at 95 %".
std::string promised_name(const PlanRequest& request);
/// ", deadline 2 h", or nothing.
std::string deadline_text(const PlanRequest& request);

// ---- for people ------------------------------------------------------------------------------------------------------

/// For all times of an answer.
ColumnUnit unit_of_times(const PlanRequest& request, const std::vector<const Alternative*>& all);
std::vector<const Alternative*> pointers_to(const std::vector<Alternative>& all);

Field text_field(const std::string& name, const std::string& text);
/// A time, a share and a difference of shares, as tables have them.
Field time_field(const std::string& name, const Estimate& s, const ColumnUnit& unit);
Field share_field(const std::string& name, const Estimate& share);
Field points_field(const std::string& name, const Estimate& difference);
/// An estimate of its metric.
Field estimate_field(const Alternative& one, PlanMetric metric, const ColumnUnit& unit);
/// The time that can be promised at the request's risk.
Field promised_field(const std::string& name, const Alternative& one, const ColumnUnit& unit);

/// Beyond, only programs have a table's machines.
inline constexpr std::size_t kMostListed = 50;
/// Their numbers, in tables' order.
std::vector<std::size_t> listed(std::size_t machines);
/// "  and 7 more (--format csv names all)" of so many where that is more than a table has; else nothing.
std::vector<std::string> and_more(std::size_t machines, const std::string& where);

// ---- for programs ----------------------------------------------------------------------------------------------------

/// plan_metrics() and the safe deadline. JSON leaves out what is not known.
void add_estimates(const Alternative& one, Fields& fields);
/// What was asked: "deadline" and "risk" of CSV's rows.
void add_asked(const PlanRequest& request, Fields& fields);
/// Its work by machine: X_NAME for CSV.
void add_work(const Alternative& one, const std::vector<Workstation>& machines, Fields& fields);
/// What an answer's whole begins with.
Fields whole_head(const std::string& title, const PlanRequest& request);

}  // namespace nowsim
