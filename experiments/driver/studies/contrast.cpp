// Sentences about cells and how they were compared, and the answer's tables.
#include "experiments/driver/studies/contrast.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/study_pictures.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/told_times.hpp"

namespace nowsim {
namespace {

// ---- sentences -------------------------------------------------------------------------------------------------

/// "1 cell", "3 cells".
std::string cells_text(std::size_t n) { return std::to_string(n) + (n == 1 ? " cell" : " cells"); }

Words values_with(const ComparedCell& cell, RowStanding standing) {
  Words out;
  for (const auto& row : cell.rows)
    if (row.standing == standing) out.push_back(row.value);
  return out;
}

std::size_t compared_cells(const MetricComparison& by) {
  return static_cast<std::size_t>(std::ranges::count(by.cells, "", &ComparedCell::nothing));
}

/// "AF in 3, SS in 1", the most frequent first.
std::string counts_text(const std::map<std::string, std::size_t>& counts) {
  std::vector<std::pair<std::string, std::size_t>> all(counts.begin(), counts.end());
  std::ranges::stable_sort(all, [](const auto& a, const auto& b) { return a.second > b.second; });
  Words words;
  for (const auto& [name, n] : all) words.push_back(name + " in " + std::to_string(n));
  return joined(words);
}

std::string sentence_of_one(const ComparedCell& cell) {
  const Words best = values_with(cell, RowStanding::best);
  const Words may_be = values_with(cell, RowStanding::may_be_best);
  const std::string worse = values_with(cell, RowStanding::worse).empty() ? "." : "; all others are worse.";
  if (best.empty()) return "Any of these may be best: " + joined(may_be) + worse;
  return (best.size() == 1 ? "Best is " : "Best are, all the same, ") + joined(best) + worse;
}

std::string sentence_on_best(const MetricComparison& by) {
  if (by.cells.size() == 1) return sentence_of_one(by.cells.front());
  std::map<std::string, std::size_t> told;
  std::size_t cells = 0;
  for (const auto& cell : by.cells) {
    const Words best = values_with(cell, RowStanding::best);
    cells += best.empty() ? 0 : 1;
    for (const auto& value : best) ++told[value];
  }
  return "The best is told in " + std::to_string(cells) + " of " + cells_text(compared_cells(by)) +
         (told.empty() ? "." : ": " + counts_text(told) + ".");
}

/// "Beside SS: 6 better, 1 worse, 2 not told apart."
std::string sentence_on_one(const std::string& one, const MetricComparison& by) {
  std::map<RowStanding, std::size_t> counts;
  for (const auto& cell : by.cells)
    for (const auto& row : cell.rows)
      if (cell.nothing.empty() && row.standing != RowStanding::compared_with) ++counts[row.standing];
  std::string told;
  for (const auto& [standing, n] : counts)
    told += (told.empty() ? "" : ", ") + std::to_string(n) + " " + standing_text(standing);
  return "Beside " + one + ": " + told + ".";
}

/// "replications", "groups of 4 replications", "none" (nothing is known of their correlation), "exact".
std::string pairing_word(const ComparedCell& cell) {
  if (cell.is_exact) return "exact";
  if (cell.pairing.by == Pairing::By::nothing) return "none";
  if (cell.pairing.by == Pairing::By::replications) return "replications";
  return "groups of " + std::to_string(cell.pairing.replications) + " replications";
}

std::string sentence_on_pairing(const std::string& word) {
  if (word == "exact") return "as they are: they follow from the description";
  if (word == "none")
    return "as if correlated in an unknown way, but not negatively: what replications contribute is not known";
  const std::string by = word == "replications" ? "replication by replication" : "by " + word;
  return by + " on the same random numbers";
}

// ---- for people ------------------------------------------------------------------------------------------------

/// A value's columns; the first of a cell names it.
Fields table_fields(const ContrastReport& report, const MetricComparison& by, const ColumnUnit& unit,
                    const ComparedCell& cell, const ComparedRow& row) {
  const bool is_first = &row == cell.rows.data();
  Fields fields;
  for (const auto& [key, at] : cell.at) fields.push_back({short_key(key), is_first ? at : std::string(), kInTable});
  if (by.metric->per_workstation)
    fields.push_back({"workstation", is_first ? cell.workstation : std::string(), kInTable});
  const std::string from = "from " + shortened(compared_name(report), 20);
  const bool is_one = row.standing == RowStanding::compared_with;
  const auto told = [&](const Estimate& e) { return is_one ? Value() : Value(e); };
  append(fields, {{short_key(report.request.key), row.value, kInTable},
                  {by.metric->name, row.estimate, kInTable, unit.name, unit.seconds},
                  {from, told(row.difference), kInTable, difference_unit(unit), unit.seconds},
                  {"that is", told(row.percent), kInTable, "%"},
                  {"told", std::string(cell.nothing.empty() ? standing_text(row.standing) : ""), kInTable}});
  return fields;
}

void show_cells(const ContrastReport& report, const MetricComparison& by, Answer& answer) {
  const ColumnUnit unit = contrast_unit(by);
  std::vector<std::pair<const ComparedCell*, const ComparedRow*>> rows;
  for (const auto& cell : by.cells)
    for (const auto& row : cell.rows) rows.emplace_back(&cell, &row);
  if (rows.empty()) return;
  const auto fields = [&](const auto& at) { return table_fields(report, by, unit, *at.first, *at.second); };
  answer.show(table_of(rows, fields), fields(rows.front()).size() - 4);
}

/// Cells in which nothing is compared, and points without results: the first of them.
Words lines_on_left_out(const ContrastReport& report) {
  constexpr std::size_t kMost = 5;
  Words lines;
  for (const auto& by : report.metrics)
    for (const auto& cell : by.cells)
      if (!cell.nothing.empty())
        lines.push_back("not compared by " + by.metric->name + ": " + cell_text(cell) +
                        (cell_text(cell).empty() ? "" : ": ") + cell.nothing);
  for (const auto& [r, reason] : report.left_out) {
    const ResultRow& row = report.summary.rows[r];
    lines.push_back((row.has_results() ? "left out" : status_name(row.told_status())) + std::string(": ") +
                    point_text(report.summary, row) + (reason.empty() ? "" : ": ") + reason);
  }
  if (lines.size() > kMost) {
    const std::string more = "and " + std::to_string(lines.size() - kMost) + " more (--format csv gives every reason)";
    lines.resize(kMost);
    lines.push_back(more);
  }
  return lines;
}

void say_all(const ContrastReport& report, Answer& answer) {
  for (const auto& by : report.metrics) {
    const bool is_first = &by == report.metrics.data();
    answer.say({(is_first ? report.summary.title + ": " : "") + question_of(report, by)});
    show_cells(report, by, answer);
    answer.say(contrast_sentences(report, by));
  }
  answer.say(lines_on_left_out(report));
  if (!has_run(report.summary)) return;
  Words end{run_line(report.summary, joint_text(report))};
  if (has_decisions(report.summary)) end.insert(end.begin(), kIntervalsAfterStopping);
  answer.say(std::move(end));
}

// ---- for programs ----------------------------------------------------------------------------------------------

/// One row for programs; of a point that is compared nowhere without a cell.
struct ContrastEntry {
  const MetricComparison* by;
  const ComparedCell* cell;
  const ComparedRow* compared;
  const ResultRow* row;
  std::string reason;
};

std::vector<ContrastEntry> entries_of(const ContrastReport& report) {
  const auto& rows = report.summary.rows;
  std::vector<ContrastEntry> out;
  for (const auto& by : report.metrics)
    for (const auto& cell : by.cells)
      for (const auto& row : cell.rows) out.push_back({&by, &cell, &row, &rows[row.row], cell.nothing});
  for (const auto& by : report.metrics)
    for (const auto& [row, reason] : report.left_out) out.push_back({&by, nullptr, nullptr, &rows[row], reason});
  return out;
}

std::string against_text(const ContrastReport& report) {
  return report.request.against.empty() ? "best" : report.request.against;
}

/// What CSV and JSON say of a value.
Fields value_fields(const ContrastReport& report, const ContrastEntry& entry) {
  const ComparedRow unknown{"", 0, kUnknownEstimate, kUnknownEstimate, kUnknownEstimate, RowStanding::not_told};
  const ComparedRow& compared = entry.compared != nullptr ? *entry.compared : unknown;
  const bool is_compared = entry.compared != nullptr && entry.cell->nothing.empty();
  Fields fields{{"value", compared.estimate},
                {"against", against_text(report), kInCsv},
                {"difference", compared.difference},
                {"percent", compared.percent},
                {"told", std::string(is_compared ? standing_text(compared.standing) : "")},
                {"paired", is_compared ? pairing_word(*entry.cell) : "", kInCsv},
                {"together", std::uint64_t{is_compared ? entry.cell->rows.size() - 1 : 0}, kInCsv},
                {"confidence", entry.row->confidence}};
  Fields run = run_fields(*entry.row);
  if (has_decisions(report.summary))
    run.insert(run.begin() + 1, {"intervals", std::string(entry.row->decided ? kAfterStopping : "")});
  append(fields, run);
  append(fields, {{"status", std::string(status_name(entry.row->status))}, {"reason", entry.reason}});
  return fields;
}

Fields row_fields_of(const ContrastReport& report, const ContrastEntry& entry) {
  Fields fields{{"metric", entry.by->metric->name}, {"unit", entry.by->metric->unit}};
  append(fields, axis_fields(report.summary, *entry.row));
  if (std::ranges::any_of(report.metrics, [](const auto& by) { return by.metric->per_workstation; }))
    fields.push_back({"workstation", entry.cell != nullptr ? entry.cell->workstation : std::string()});
  append(fields, value_fields(report, entry));
  return fields;
}

Object cell_object(const ContrastReport& report, const MetricComparison& by, const ComparedCell& cell) {
  Object where;
  for (const auto& [key, value] : cell.at) where.fields.push_back({key, value});
  if (!cell.workstation.empty()) where.fields.push_back({"workstation", cell.workstation});
  const auto value = [&](const ComparedRow& one) {
    const ResultRow& row = report.summary.rows[one.row];
    Fields fields{{"at", Object{axis_fields(report.summary, row)}}};
    append(fields, value_fields(report, {&by, &cell, &one, &row, ""}));
    return Object{fields};
  };
  return {{{"where", where},
           {"paired", pairing_word(cell)},
           {"together", std::uint64_t{cell.rows.empty() ? 0 : cell.rows.size() - 1}},
           {"not_compared", cell.nothing},
           {"values", list_of(cell.rows, value)}}};
}

Object metric_object(const ContrastReport& report, const MetricComparison& by) {
  constexpr const char* kBetterNames[] = {"unknown", "lower", "higher"};
  const auto cell = [&](const ComparedCell& one) { return cell_object(report, by, one); };
  return {{{"metric", by.metric->name},
           {"unit", by.metric->unit},
           {"better", std::string(kBetterNames[static_cast<std::size_t>(by.better)])},
           {"says", texts(contrast_sentences(report, by))},
           {"cells", list_of(by.cells, cell)}}};
}

Object whole_of(const ContrastReport& report) {
  const auto metric = [&](const MetricComparison& one) { return metric_object(report, one); };
  const auto left = [&](const RowLeftOut& one) {
    return Object{{{"at", Object{axis_fields(report.summary, report.summary.rows[one.row])}}, {"reason", one.reason}}};
  };
  return {{{"title", report.summary.title},
           {"version", std::string(version())},
           {"key", report.request.key},
           {"against", against_text(report)},
           {"metrics", list_of(report.metrics, metric)},
           {"left_out", list_of(report.left_out, left)}}};
}

}  // namespace

std::string question_of(const RowComparisons& compared, const MetricComparison& by) {
  const auto& [key, against, metrics, best] = compared.request;
  if (!against.empty()) return by.metric->name + " of each " + key + ", beside " + against;
  return "which " + key + " has the " + (by.better == Better::lower ? "lowest " : "highest ") + by.metric->name + "?";
}

std::string compared_name(const RowComparisons& compared) {
  return compared.request.against.empty() ? "the best" : compared.request.against;
}

std::string cell_text(const ComparedCell& cell) {
  std::string out;
  for (const auto& [key, value] : cell.at) out += (out.empty() ? "" : ", ") + short_key(key) + " " + value;
  return out + (out.empty() || cell.workstation.empty() ? "" : ", ") + cell.workstation;
}

ColumnUnit contrast_unit(const MetricComparison& by) {
  if (by.metric->unit != "s") return {by.metric->unit.c_str(), 1};
  TimeRange times;
  for (const auto& cell : by.cells)
    for (const auto& row : cell.rows) times.add(row.estimate.value);
  return unit_of_times(times);
}

std::string difference_unit(const ColumnUnit& unit) {
  return std::string_view(unit.name) == "%" ? "points" : unit.name;
}

std::vector<std::string> contrast_sentences(const RowComparisons& compared, const MetricComparison& by) {
  if (compared_cells(by) == 0) return {"Nothing can be compared."};
  const std::string& against = compared.request.against;
  std::map<std::string, std::size_t> ways;
  for (const auto& cell : by.cells)
    if (cell.nothing.empty()) ++ways[pairing_word(cell)];
  std::string how;
  for (const auto& [word, cells] : ways)
    how += (how.empty() ? "" : "; ") + sentence_on_pairing(word) + (ways.size() == 1 ? "" : " in " + cells_text(cells));
  return {against.empty() ? sentence_on_best(by) : sentence_on_one(against, by), "Compared " + how + "."};
}

std::string joint_text(const RowComparisons& compared) {
  const std::size_t most = compared.most_together();
  if (most <= 2) return "differences too";
  return "differences: all " + std::to_string(most - 1) + " of a cell hold together";
}

ContrastReport contrast_report(const ContrastRequest& request, const ResultTable& summary) {
  ComparisonRequest by_all = request;
  by_all.metrics.clear();  // the experiment has those that are asked for
  return {compare_rows(summary, by_all), summary};
}

Answer contrast_answer(ContrastReport given) {
  struct Kept {
    ContrastReport report;
    std::vector<ContrastEntry> entries;
  };
  const auto kept = std::make_shared<Kept>();
  kept->report = std::move(given);
  const ContrastReport& report = kept->report;
  kept->entries = entries_of(report);
  const auto fields = [&report](const ContrastEntry& entry) { return Object{row_fields_of(report, entry)}; };
  const ContrastEntry first{report.metrics.data(), nullptr, nullptr, report.summary.rows.data(), ""};
  Answer answer;
  say_all(report, answer);
  answer.tables.push_back({".csv", row_fields_of(report, first), list_of(kept->entries, fields)});
  answer.whole = whole_of(report);
  answer.script = [&report](PictureFormat format) { return contrast_script(report, format); };
  answer.has_failures = report.summary.has_failures();
  answer.made_of = kept;
  return answer;
}

}  // namespace nowsim
