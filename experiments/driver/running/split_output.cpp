// Splits that were found by simulation, as a block or a table for people, and as fields for programs.
#include "experiments/driver/running/result_output.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "experiments/driver/text/document.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostListed = 16;  // workstations

bool is_risk(const SplitReport& report) { return report.objective.kind == SplitObjective::Kind::risk; }

/// What a difference is of the value; of RF nothing, whose differences are points of a percentage themselves.
std::string share_text(double value, double of, const SplitReport& report) {
  if (!(std::abs(of) > 0) || is_risk(report)) return "";
  return " (" + short_number(std::round(1e4 * value / of) / 100) + " %)";
}

/// Whether a difference is no more than the rounding of what is compared: times of events are sums of many.
bool is_rounding(double difference, const Estimate& compared) {
  constexpr double kRounding = 1e-10;
  return std::abs(difference) <= kRounding * std::abs(compared.value);
}

/// The difference; 0 where it is rounding, and nothing to tell.
Estimate without_rounding(const Estimate& difference, const Estimate& compared) {
  if (!is_rounding(difference.value, compared)) return difference;
  const bool is_exact = is_rounding(difference.low, compared) && is_rounding(difference.high, compared);
  return is_exact ? Estimate{0, 0, 0} : Estimate{0, difference.low, difference.high};
}

std::string with_unit(const Estimate& e, const SplitReport& report) {
  return is_risk(report) ? percent_text(e) : estimate_text(e) + " s";
}
std::string difference_text(const Estimate& e, const SplitReport& report) {
  return is_risk(report) ? points_text(e) : estimate_text(e) + " s";
}

std::string size_text(double value, const SplitReport& report) {
  return is_risk(report) ? rough_text(100 * value) + " points" : rough_text(value) + " s";
}
std::string value_text(double value, const SplitReport& report) {
  return is_risk(report) ? rough_text(100 * value) + " %" : short_number(value) + " s";
}

// ---- one split -----------------------------------------------------------------------------------------------------

/// Delta X is what the policy wants, though step (1) may have been kept.
void write_shares(const ResultRow& row, const SplitReport& report, std::ostream& out) {
  const auto& wanted = report.second_step ? report.second_step->share_flop : report.share_flop;
  TextTable table({"workstation", "X_i by step 1 [flop]", "Delta X_i [flop]", "X_i [flop]"});
  for (std::size_t i = 0; i < wanted.size(); ++i)
    table.add({row.workstations[i], short_number(report.step1_flop[i]), short_number(wanted[i] - report.step1_flop[i]),
               short_number(report.share_flop[i])});
  table.write(out, 1);
  out << '\n';
}

std::string slope_text(const Estimate& slope_s) {
  if (std::isnan(slope_s.value)) return "not known";
  const std::string text = estimate_text(slope_s) + " s at step 1, where lambda times Delta X is moved: ";
  if (!is_apart_from_zero(slope_s)) return text + "neither way for certain";
  return text + (slope_s.value < 0 ? "the right way" : "the wrong way");
}

void add_second_step(const SplitReport& report, DefinitionList& lines) {
  const SecondStep& step = *report.second_step;
  lines.add("d tau/d lambda", slope_text(without_rounding(step.slope_s, report.before)));
  const bool is_longer = without_rounding(report.reduction, report.before).value < 0;
  if (step.is_kept_out)
    lines.add("decision", std::string("step 1 is kept, since step 2 ") + (is_longer ? "lengthens tau" : "changes nothing"));
}

/// Where the optimum lies, `improvement` being how far it is below.
std::string improvement_text(const Estimate& improvement, const SplitReport& report) {
  if (improvement.low == 0 && improvement.high == 0) return "the optimum is the same";
  if (improvement.low > 0) return "the optimum is below by " + difference_text(improvement, report);
  if (improvement.high < 0) {
    const Estimate above{-improvement.value, -improvement.high, -improvement.low};
    return "the optimum is above by " + difference_text(above, report);
  }
  return "the optimum cannot be told from it (below by " + difference_text(improvement, report) + ")";
}

/// What bounds any split, and why.
std::string bound_text(const SplitBound& bound, const SplitReport& report) {
  const char* why = bound.by == SplitBound::By::together ? "all machines together have not done the work before"
                                                         : "some machine alone is no better, however work is split";
  return "none is below " + value_text(bound.low, report) + ", with " + short_number(100 * report.confidence) +
         " % confidence: " + why;
}

std::string gap_text(const SplitBound& bound, const SplitReport& report) {
  if (std::isnan(bound.gap)) return "cannot be told with as few replications";
  if (is_rounding(bound.gap, report.after)) return "by nothing but rounding";
  const std::string text = "by at most " + size_text(bound.gap, report) +
                           share_text(bound.gap, report.after.value, report) + ", with " +
                           short_number(100 * report.confidence) + " % confidence";
  constexpr double kWide = 0.02;
  const bool is_wide = bound.gap > kWide * report.after.value;
  return text + (is_wide ? "; chance keeps the bound low, so that the split may be much nearer" : "");
}

void add_search(const SplitReport& report, DefinitionList& lines) {
  const SearchRecord& search = *report.search;
  lines.add("best other policy", search.best_other + ": " + with_unit(search.other, report) +
                                     "; " +
                                     improvement_text(without_rounding(search.improvement, search.other), report));
  if (search.bound) {
    lines.add("of all splits", bound_text(*search.bound, report));
    lines.add("above the best split", gap_text(*search.bound, report));
  } else if (search.is_bounded) {
    lines.add("above the best split", "nobody knows how far: nothing is known that bounds all splits of this program");
  }
  lines.add("search", std::to_string(search.evaluations) + " splits, " + search_end_text(search.end));
}

void write_block(const ResultRow& row, const SplitReport& report, std::ostream& out) {
  const bool is_search = report.search.has_value();
  out << "split: " << report.policy << (is_search ? ", minimising " + objective_text(report.objective) : "") << "\n\n";
  if (report.share_flop.size() <= kMostListed) write_shares(row, report, out);
  DefinitionList lines;
  if (!report.sigma_s.empty())
    lines.add("sigma_Ti", "by a pilot simulation of " + std::to_string(kSigmaPilot) + " replications");
  if (report.replications > 0) {
    const std::string what = is_search ? objective_text(report.objective) : "tau";
    lines.add(what + " by step 1", with_unit(report.before, report));
    lines.add(what + (is_search ? " by the optimum" : " by step 2"), with_unit(report.after, report));
    const Estimate reduction = without_rounding(report.reduction, report.before);
    lines.add("reduction",
              difference_text(reduction, report) + share_text(reduction.value, report.before.value, report));
    if (report.second_step) add_second_step(report, lines);
    if (is_search) add_search(report, lines);
    lines.add("simulated", std::to_string(report.replications) + " replications each" +
                               (is_search ? ", which the search has not seen" : "") + ", engine " +
                               engine_name(report.engine));
  }
  lines.write(out);
}

// ---- several -------------------------------------------------------------------------------------------------------

std::string remark(const SplitReport& report) {
  if (report.second_step && report.second_step->is_kept_out) return "step 1 kept";
  if (report.search) return "against " + report.search->best_other;
  return "";
}

void write_rows(const ResultTable& s, const ResultRows& rows, std::ostream& out) {
  const bool is_axis = s.axis_index("split.policy") < s.axes.size();
  const auto fields = [&](const ResultRow* row) {
    const SplitReport& r = *row->split;
    const double gap = r.search && r.search->bound ? r.search->bound->gap : kNotKnown;
    const auto told = [&](const std::string& text) { return r.replications > 0 ? text : ""; };
    Fields of_row = axis_fields(s, *row, kInTable);
    append(of_row, {{"policy", r.policy, is_axis ? 0 : kInTable},
                    {"by step 1", told(with_unit(r.before, r)), kInTable},
                    {"after", told(with_unit(r.after, r)), kInTable},
                    {"reduction", told(difference_text(without_rounding(r.reduction, r.before), r)), kInTable},
                    {"above best", std::isnan(gap) ? "" : is_rounding(gap, r.after) ? "0" : "< " + size_text(gap, r),
                     kInTable},
                    {"remark", remark(r), kInTable}});
    return of_row;
  };
  out << "splits found by simulation\n\n";
  table_of(rows, fields).write(out, s.axes.size() + (is_axis ? 0 : 1));
}

// ---- for programs --------------------------------------------------------------------------------------------------

Fields report_fields(const SplitReport& r) {
  const std::optional<SearchRecord>& search = r.search;
  const auto of_search = [&](auto part) { return search ? Value(part(*search)) : Value(); };
  const auto bound = search ? search->bound : std::nullopt;
  Fields fields{{"policy", r.policy}, {"objective", objective_text(r.objective)}};
  for (const auto& [name, e] : {std::pair{"before", &r.before}, {"after", &r.after}, {"reduction", &r.reduction}})
    add_numbers(fields, name, r.replications > 0 ? *e : kUnknownEstimate);
  add_numbers(fields, "slope", r.second_step ? r.second_step->slope_s : kUnknownEstimate);
  append(fields, {{"step1_kept", r.second_step ? Value(r.second_step->is_kept_out) : Value()},
                  {"best_other", of_search([](const auto& s) { return s.best_other; })}});
  add_numbers(fields, "other", search ? search->other : kUnknownEstimate);
  add_numbers(fields, "improvement", search ? search->improvement : kUnknownEstimate);
  append(fields, {{"bound", bound ? bound->low : kNotKnown},
                  {"gap", bound ? bound->gap : kNotKnown},
                  {"gap_mean", bound ? bound->gap_mean : kNotKnown},
                  {"evaluations", of_search([](const auto& s) { return s.evaluations; })},
                  {"search_end", of_search([](const auto& s) { return std::string(search_end_text(s.end)); })},
                  {"replications", r.replications},
                  {"confidence", r.confidence},
                  {"engine", std::string(engine_name(r.engine))}});
  return fields;
}

Object by_workstation(const ResultRow& row, const std::vector<double>& flop) {
  Object object;
  for (std::size_t i = 0; i < flop.size(); ++i) object.fields.push_back({row.workstations[i], flop[i]});
  return object;
}

/// CSV has as many workstations as the largest row.
Fields split_fields(const ResultTable& s, const ResultRow& row, std::size_t workstations) {
  Fields fields = axis_fields(s, row, kInCsv);
  append(fields, report_fields(*row.split));
  const auto of = [](const std::vector<double>& flop, std::size_t i) { return i < flop.size() ? flop[i] : kNotKnown; };
  for (std::size_t i = 0; i < workstations; ++i) {
    fields.push_back({"step1_" + std::to_string(i + 1), of(row.split->step1_flop, i), kInCsv});
    fields.push_back({"X_" + std::to_string(i + 1), of(row.split->share_flop, i), kInCsv});
  }
  return fields;
}

ResultRows split_rows(const ResultTable& s) {
  return s.rows_that([](const ResultRow& row) { return row.split != nullptr; });
}

}  // namespace

bool has_found_splits(const ResultTable& summary) { return !split_rows(summary).empty(); }

void write_split_table(const ResultTable& summary, std::ostream& out) {
  const auto rows = split_rows(summary);
  if (rows.size() > 1) return write_rows(summary, rows, out);
  for (const ResultRow* row : rows) write_block(*row, *row->split, out);
}

void write_found_splits(const ResultTable& summary, bool is_asked_for, std::ostream& out) {
  if (!has_found_splits(summary)) return;
  if (is_asked_for) return write_split_table(summary, out << '\n');
  out << "splits were found by simulation (--show-splits shows them)\n";
}

void write_split_csv(const ResultTable& s, std::ostream& out) {
  const auto rows = split_rows(s);
  std::size_t most = 0;
  for (const ResultRow* row : rows) most = std::max(most, row->split->share_flop.size());
  ResultRow blank;  // of which the head has the names
  blank.values.resize(s.axes.size());
  blank.split = std::make_shared<const SplitReport>();
  const auto fields = [&](const ResultRow* row) { return Object{split_fields(s, *row, most)}; };
  write_csv(split_fields(s, blank, most), list_of(rows, fields), out);
}

Object split_object(const ResultRow& row) {
  Fields fields = report_fields(*row.split);
  append(fields, {{"step1_flop", by_workstation(row, row.split->step1_flop)},
                  {"share_flop", by_workstation(row, row.split->share_flop)}});
  return {fields};
}

}  // namespace nowsim
