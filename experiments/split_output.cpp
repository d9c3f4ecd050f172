// Reports as text.
#include "experiments/split_output.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <vector>

#include "experiments/escapes.hpp"
#include "experiments/text_table.hpp"
#include "sim/paired.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostListed = 16;  // workstations

std::string percent(double value, double of) {
  if (!(std::abs(of) > 0)) return "";
  return " (" + short_number(std::round(1e4 * value / of) / 100) + " %)";
}

std::string with_unit(const Estimate& e, const SplitReport& report) {
  const std::string unit = objective_unit(report.objective);
  return estimate_text(e) + (unit.empty() ? "" : " " + unit);
}

std::string number_with_unit(double value, const SplitReport& report) {
  const std::string unit = objective_unit(report.objective);
  return short_number(value) + (unit.empty() ? "" : " " + unit);
}

// ---- one split -----------------------------------------------------------------------------------------------------

/// "name   text", names in a column.
void write_line(std::ostream& out, const std::string& name, const std::string& text) {
  constexpr std::size_t kColumn = 24;
  out << "  " << name << std::string(kColumn - std::min(kColumn - 1, name.size()), ' ') << text << '\n';
}

void write_shares(const SummaryRow& row, const SplitReport& report, std::ostream& out) {
  TextTable table({"workstation", "X_i by step 1 [flop]", "Delta X_i [flop]", "X_i [flop]"});
  const auto moved = report.moved_flop();
  for (std::size_t i = 0; i < report.share_flop.size(); ++i)
    table.add({row.workstations[i], short_number(report.step1_flop[i]), short_number(moved[i]),
               short_number(report.share_flop[i])});
  table.write(out, 1);
  out << '\n';
}

std::string slope_text(const Estimate& slope_s) {
  if (std::isnan(slope_s.value)) return "not known";
  const std::string text = estimate_text(slope_s) + " s when lambda times Delta X is moved: ";
  if (!is_apart_from_zero(slope_s)) return text + "no way that can be told";
  return text + (slope_s.value < 0 ? "the right way" : "the wrong way");
}

void write_second_step(const SplitReport& report, std::ostream& out) {
  const SecondStep& step = *report.second_step;
  write_line(out, "d tau/d lambda, step 1", slope_text(step.slope_s));
  if (!step.is_kept_out) return;
  double moved = 0;
  for (std::size_t i = 0; i < step.share_flop.size(); ++i) moved += std::abs(step.share_flop[i] - report.step1_flop[i]);
  write_line(out, "step 1 is kept", "step 2, which moves " + short_number(moved / 2) + " flop, would not shorten tau");
}

void write_search(const SplitReport& report, std::ostream& out) {
  const SearchRecord& search = *report.search;
  write_line(out, "best other policy", search.best_other + ": " + with_unit(search.other, report) + "; the optimum is below by " +
                                           with_unit(search.improvement, report));
  if (search.gap)
    write_line(out, "to the best split", "at most " + number_with_unit(*search.gap, report) +
                                             percent(*search.gap, report.after.value) + ", with " +
                                             short_number(100 * report.confidence) + " % confidence");
  write_line(out, "search", std::to_string(search.evaluations) + " splits, " + search_end_text(search.end));
}

void write_block(const SummaryRow& row, const SplitReport& report, std::ostream& out) {
  const bool is_search = report.search.has_value();
  out << "split: " << report.policy << (is_search ? ", minimising " + objective_text(report.objective) : "") << "\n\n";
  if (report.share_flop.size() <= kMostListed) write_shares(row, report, out);
  if (!report.sigma_s.empty()) write_line(out, "sigma_Ti", "from a pilot of " + std::to_string(kSigmaPilot) + " replications");
  if (report.replications == 0) return;
  const std::string what = is_search ? objective_text(report.objective) : "tau";
  write_line(out, what + " by step 1", with_unit(report.before, report));
  write_line(out, is_search ? what + " by the optimum" : what + " by step 2", with_unit(report.after, report));
  write_line(out, "reduction", with_unit(report.reduction, report) + percent(report.reduction.value, report.before.value));
  if (report.second_step) write_second_step(report, out);
  if (is_search) write_search(report, out);
  write_line(out, "by simulation", std::to_string(report.replications) + " replications" +
                                       (is_search ? " that the search has not seen" : "") + ", engine " +
                                       engine_name(report.engine));
}

// ---- several -------------------------------------------------------------------------------------------------------

std::string remark(const SplitReport& report) {
  if (report.second_step && report.second_step->is_kept_out) return "step 1 kept";
  if (report.search) return "best other: " + report.search->best_other;
  return "";
}

void write_rows(const Summary& s, std::ostream& out) {
  std::vector<std::string> head = s.axes;
  for (const char* name : {"split", "by step 1", "after", "reduction", "gap", ""}) head.emplace_back(name);
  TextTable table(head);
  for (const auto& row : s.rows) {
    if (!row.split) continue;
    const SplitReport& r = *row.split;
    std::vector<std::string> cells = row.values;
    const bool compared = r.replications > 0;
    cells.push_back(r.policy);
    for (const Estimate& e : {r.before, r.after, r.reduction}) cells.push_back(compared ? with_unit(e, r) : "");
    cells.push_back(r.search && r.search->gap ? "< " + number_with_unit(*r.search->gap, r) : "");
    cells.push_back(remark(r));
    table.add(std::move(cells));
  }
  out << "splits found by simulation\n\n";
  table.write(out, s.axes.size() + 1);
}

// ---- for programs --------------------------------------------------------------------------------------------------

/// A field's name and its JSON; CSV has the same without quotes.
struct Field {
  std::string name, json;
};

std::string json_number(double value) { return std::isfinite(value) ? number_text(value) : "null"; }

void add(std::vector<Field>& fields, const std::string& name, const std::optional<Estimate>& e) {
  const auto part = [&](double Estimate::*which) { return e ? json_number((*e).*which) : "null"; };
  fields.push_back({name, part(&Estimate::value)});
  fields.push_back({name + "_low", part(&Estimate::low)});
  fields.push_back({name + "_high", part(&Estimate::high)});
}

std::vector<Field> fields_of(const SplitReport& r) {
  const std::optional<SearchRecord>& search = r.search;
  std::vector<Field> fields{{"policy", json_text(r.policy)}, {"objective", json_text(objective_text(r.objective))}};
  const bool compared = r.replications > 0;
  for (const auto& [name, e] : {std::pair{"before", &r.before}, {"after", &r.after}, {"reduction", &r.reduction}})
    add(fields, name, compared ? std::optional(*e) : std::nullopt);
  add(fields, "slope", r.second_step ? std::optional(r.second_step->slope_s) : std::nullopt);
  fields.push_back({"step1_kept", !r.second_step ? "null" : r.second_step->is_kept_out ? "true" : "false"});
  fields.push_back({"best_other", search ? json_text(search->best_other) : "null"});
  add(fields, "other", search ? std::optional(search->other) : std::nullopt);
  add(fields, "improvement", search ? std::optional(search->improvement) : std::nullopt);
  fields.push_back({"gap", search && search->gap ? json_number(*search->gap) : "null"});
  fields.push_back({"evaluations", search ? std::to_string(search->evaluations) : "null"});
  fields.push_back({"search_end", search ? json_text(search_end_text(search->end)) : "null"});
  fields.push_back({"replications", std::to_string(r.replications)});
  fields.push_back({"confidence", json_number(r.confidence)});
  fields.push_back({"engine", json_text(engine_name(r.engine))});
  return fields;
}

std::string csv_of(const std::string& json) {
  if (json == "null") return "";
  return json.front() == '"' ? csv_field(json.substr(1, json.size() - 2)) : json;  // texts hold nothing that is escaped
}

std::size_t most_workstations(const Summary& s) {
  std::size_t most = 0;
  for (const auto& row : s.rows)
    if (row.split) most = std::max(most, row.split->share_flop.size());
  return most;
}

}  // namespace

bool has_found_splits(const Summary& summary) {
  return std::ranges::any_of(summary.rows, [](const SummaryRow& row) { return row.split != nullptr; });
}

void write_split_table(const Summary& summary, std::ostream& out) {
  const auto count = std::ranges::count_if(summary.rows, [](const SummaryRow& row) { return row.split != nullptr; });
  if (count == 0) return;
  if (count > 1) return write_rows(summary, out);
  for (const auto& row : summary.rows)
    if (row.split) write_block(row, *row.split, out);
}

void write_split_csv(const Summary& s, std::ostream& out) {
  for (const auto& axis : s.axes) out << csv_field(axis) << ',';
  const std::size_t n = most_workstations(s);
  for (const Field& field : fields_of(SplitReport{})) out << field.name << ',';
  for (std::size_t i = 1; i <= n; ++i) out << "step1_" << i << ",X_" << i << (i < n ? "," : "\n");
  for (const auto& row : s.rows) {
    if (!row.split) continue;
    for (const auto& value : row.values) out << csv_field(value) << ',';
    for (const Field& field : fields_of(*row.split)) out << csv_of(field.json) << ',';
    for (std::size_t i = 0; i < n; ++i) {
      const bool known = i < row.split->share_flop.size();
      out << (known ? number_text(row.split->step1_flop[i]) : "") << ','
          << (known ? number_text(row.split->share_flop[i]) : "") << (i + 1 < n ? "," : "\n");
    }
  }
}

std::string split_json(const SummaryRow& row) {
  std::string out = "{";
  for (const Field& field : fields_of(*row.split)) out += json_text(field.name) + ": " + field.json + ", ";
  const auto list = [&](const char* name, const std::vector<double>& values) {
    std::string text = json_text(name) + ": {";
    for (std::size_t i = 0; i < values.size(); ++i)
      text += (i > 0 ? ", " : "") + json_text(row.workstations[i]) + ": " + json_number(values[i]);
    return text + "}";
  };
  return out + list("step1_flop", row.split->step1_flop) + ", " + list("share_flop", row.split->share_flop) + "}";
}

}  // namespace nowsim
