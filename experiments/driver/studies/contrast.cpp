// The question as an experiment; sentences about cells and how they were compared; tables and the picture.
#include "experiments/driver/studies/contrast.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "sim/base/error.hpp"

namespace nowsim {

namespace {

/// Keys of which a comparison makes its own, or none.
constexpr std::pair<const char*, const char*> kKeysOfContrasts[] = {
    {"metrics", "that is said by --metric here"},
    {"figure", "this command has no such key"},
    {"claims", "this command has no such key"}};

void check_contrast_overrides(const LoadOptions& options) {
  for (const auto& text : options.overrides) {
    const std::string key = parse_override(text).key;
    for (const auto& [own, sentence] : kKeysOfContrasts)
      if (is_within(key, own)) throw InputError(Place{kOverridePlace, 0, key}, sentence);
  }
}

/// Those that are asked for, else the experiment's first.
Words metrics_of(const YamlNode& root, const ContrastRequest& request) {
  if (!request.metrics.empty()) return request.metrics;
  const YamlNode* own = yaml_at(root, "metrics");
  if (own == nullptr) return {"tau"};
  return {own->items.empty() ? own->text : own->items.front().text};
}

void check_metrics(const Words& names, const Registry<Metric>& known) {
  for (const auto& name : names)
    if (find_metric(name, known) == nullptr) throw InputError("--metric: " + no_metric(name, words_in(known)));
}

/// The key's values, each once.
Words values_of(const Experiment& experiment, const std::string& key) {
  const auto axis = static_cast<std::size_t>(std::ranges::find(experiment.axes, key) - experiment.axes.begin());
  if (axis == experiment.axes.size())
    throw InputError(key + " is not swept by " + experiment.file + did_you_mean(key, experiment.axes) +
                     "; swept are: " + (experiment.axes.empty() ? "none" : joined(experiment.axes)) + " (--sweep " +
                     key + "=V1,V2 adds one)");
  Words values;
  for (const Point& point : experiment.points)
    if (!contains(values, point.values[axis])) values.push_back(point.values[axis]);
  if (values.size() < 2)
    throw InputError(key + " has one value, '" + values.front() + "': there is nothing to compare it with");
  return values;
}

void check_against(const ContrastRequest& request, const Words& values) {
  const auto is_it = [&](const std::string& value) { return same_axis_value(value, request.against); };
  if (request.against.empty() || std::ranges::any_of(values, is_it)) return;
  throw InputError("--against " + request.against + ": " + request.key + " has no such value" +
                   did_you_mean(request.against, values) + "; it has: " + joined(values));
}

void check_directions(const ContrastRequest& request, const Experiment& experiment) {
  for (const Metric* metric : experiment.metrics)
    if (request.against.empty() && request.better(*metric) == Better::unknown)
      throw InputError("--metric " + metric->name + ": whether low or high values are better is not known of '" +
                       metric->name + "'; say --best lowest or --best highest, or compare with one value by --against");
}

}  // namespace

std::string question_text(const ContrastRequest& request) {
  std::string out = std::filesystem::weakly_canonical(request.file).string() + '\n' + request.key + '\n' +
                    request.against + '\n' + std::to_string(static_cast<int>(request.best));
  for (const auto* list : {&request.metrics, &request.options.overrides}) {
    out += '\n';
    for (const auto& item : *list) out += '\t' + item;
  }
  return out;
}

Experiment contrast_experiment(const ContrastRequest& request, const Registries& registries) {
  check_contrast_overrides(request.options);
  YamlNode root = document_of(request.file, request.options);
  if (root.kind == YamlNode::Kind::map && !root.entries.empty()) {
    for (const char* key : {"figure", "claims"}) yaml_erase(root, key);
    const Words names = metrics_of(root, request);
    check_metrics(names, registries.metrics);
    apply_override(root, {"metrics", yaml_list(names)});
  }
  Experiment experiment =
      load_asked(std::move(root), request.file, request.options, registries, {{"metrics", "--metric"}});
  std::erase_if(experiment.remarks, [](const std::string& remark) {  // the figure and the claims may use it
    return remark.find("no formula uses this variable") != std::string::npos;
  });
  check_against(request, values_of(experiment, request.key));
  check_directions(request, experiment);
  return experiment;
}

// ---- the answer -----------------------------------------------------------------------------------------------------

namespace {

// ---- sentences -------------------------------------------------------------------------------------------------

/// What values are compared with: "the best", or as in --against.
std::string compared_name(const RowComparisons& compared) {
  return compared.request.against.empty() ? "the best" : compared.request.against;
}

/// "let.part 0.1, ws3"; "" where there is one cell.
std::string cell_text(const ComparedCell& cell) {
  std::string out;
  for (const auto& [key, value] : cell.at) out += (out.empty() ? "" : ", ") + short_key(key) + " " + value;
  return out + (out.empty() || cell.workstation.empty() ? "" : ", ") + cell.workstation;
}

/// The unit in which a metric's values and their differences are told: its own, of times the one that suits the values.
ColumnUnit contrast_unit(const MetricComparison& by) {
  if (by.metric->unit != "s") return {by.metric->unit.c_str(), 1};
  TimeRange times;
  for (const auto& cell : by.cells)
    for (const auto& row : cell.rows) times.add(row.estimate.value);
  return unit_of_times(times);
}

/// What differences of values in this unit are called: of what is told in per cent they are points.
std::string difference_unit(const ColumnUnit& unit) {
  return std::string_view(unit.name) == "%" ? "points" : unit.name;
}

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

namespace {

// ---- comparisons: a panel per cell ----

constexpr std::size_t kMostContrastPanels = 12, kMostContrastColumns = 3, kLongestValue = 24;
/// Pixels: of panels, beside them, a value's line, and letters of values and of the footer.
constexpr double kContrastWidth = 300, kContrastAlone = 460, kContrastBeside = 22, kContrastLine = 21,
                 kContrastLetter = 7.6, kContrastFooterLetter = 6.1;

/// How standings are drawn: told from each other on a grey print, too.
struct ContrastMark {
  const char* name;
  int point_type;
  const char* colour;
  std::vector<RowStanding> of;
};
const std::vector<ContrastMark>& contrast_marks() {
  static const std::vector<ContrastMark> all{
      {"best", 7, "#117733", {RowStanding::best}},
      {"may be best", 6, "#332288", {RowStanding::may_be_best}},
      {"better", 7, "#117733", {RowStanding::better}},
      {"lower", 11, "#332288", {RowStanding::lower}},
      {"not told apart", 6, "#606060", {RowStanding::not_told, RowStanding::same}},
      {"worse", 9, "#cc6677", {RowStanding::worse}},
      {"higher", 9, "#cc6677", {RowStanding::higher}},
      {"what the others are compared with", 5, "#000000", {RowStanding::compared_with}}};
  return all;
}

/// A cell that is drawn, of which metric.
struct DrawnCell {
  const MetricComparison* contrasts;
  const ComparedCell* cell;
};

std::string value_name(const ComparedRow& value) { return shortened(short_name(value.value), kLongestValue); }

/// In the unit of differences; where its interval is not known, or has no end, a value alone is drawn.
ResolvedPoint difference_point(const DrawnCell& drawn, std::size_t i) {
  const double unit = contrast_unit(*drawn.contrasts).seconds;
  const Estimate& e = drawn.cell->rows[i].difference;
  const auto y = static_cast<double>(drawn.cell->rows.size() - i);
  if (!std::isfinite(e.low) || !std::isfinite(e.high)) return {e.value / unit, y};
  return {e.value / unit, y, e.low / unit, e.high / unit};
}

/// From the least difference to the most, 0 among them.
ResolvedAxis difference_axis(const ContrastReport& report, const DrawnCell& drawn) {
  double low = 0, high = 0;
  for (std::size_t i = 0; i < drawn.cell->rows.size(); ++i) {
    const ResolvedPoint point = difference_point(drawn, i);
    low = std::min({low, point.x, std::isnan(point.low) ? point.x : point.low});
    high = std::max({high, point.x, std::isnan(point.high) ? point.x : point.high});
  }
  const double edge = high > low ? 0.06 * (high - low) : 1;
  const std::string unit = difference_unit(contrast_unit(*drawn.contrasts));
  ResolvedAxis out = axis_from(low - edge, high + edge,
                               drawn.contrasts->metric->name + " less that of " +
                                   shortened(short_name(compared_name(report)), kLongestValue) +
                                   (unit.empty() ? "" : " [" + unit + "]"));
  add_round_tics(out);
  return out;
}

ResolvedPanel difference_panel(const ContrastReport& report, const DrawnCell& drawn, double width,
                               std::vector<ResolvedSeries>& legend) {
  ResolvedPanel out;
  const auto& values = drawn.cell->rows;
  const std::string cell = cell_text(*drawn.cell);
  const std::string metric =
      report.metrics.size() == 1 ? "" : drawn.contrasts->metric->name + (cell.empty() ? "" : ": ");
  out.caption = shortened(short_name(metric + cell), static_cast<std::size_t>(width / kPageLetter));
  out.x = difference_axis(report, drawn);
  out.value = axis_from(0.4, static_cast<double>(values.size()) + 0.6, {});
  for (std::size_t i = 0; i < values.size(); ++i)
    out.value.tics.push_back({static_cast<double>(values.size() - i), value_name(values[i])});
  out.rules.push_back({true, 0, "", "linewidth 1.4 linecolor rgb '#202020'"});
  std::vector<ResolvedCurve> curves;
  for (const ContrastMark& mark : contrast_marks()) {
    std::vector<ResolvedPoint> points;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::ranges::count(mark.of, values[i].standing) > 0) points.push_back(difference_point(drawn, i));
    if (points.empty()) continue;
    const auto known = std::ranges::find(legend, std::string(mark.name), &ResolvedSeries::value);
    const auto series = static_cast<std::size_t>(known - legend.begin());
    if (known == legend.end())
      legend.push_back({mark.name, mark.name, false, {}, SeriesStyle{mark.colour, "1", mark.point_type, false, "0.9"}});
    curves.push_back(curve_of(series, Shape::bars, std::move(points)));
  }
  out.content = std::move(curves);
  return out;
}

/// Of the one metric that there is, or of all.
std::string drawn_question(const ContrastReport& report, const std::vector<DrawnCell>& drawn) {
  const MetricComparison* first = drawn.front().contrasts;
  const bool is_one = std::ranges::all_of(drawn, [&](const DrawnCell& d) { return d.contrasts == first; });
  return is_one ? question_of(report, *first) : "each " + report.request.key + " beside " + compared_name(report);
}

}  // namespace

std::string contrast_script(const ContrastReport& report, PictureFormat format) {
  std::vector<DrawnCell> drawn;
  std::size_t cells = 0, longest = 0, most = 3;
  for (const auto& contrasts : report.metrics)
    for (const auto& cell : contrasts.cells)
      if (cell.nothing.empty() && ++cells <= kMostContrastPanels) drawn.push_back({&contrasts, &cell});
  if (drawn.empty()) throw RunError("there is nothing to draw: nothing could be compared");
  for (const auto& one : drawn) {
    most = std::max(most, one.cell->rows.size());
    for (const auto& value : one.cell->rows) longest = std::max(longest, shown_width(value_name(value)));
  }
  const Provenance p = provenance_of(report.summary);
  const std::string some =
      cells == drawn.size() ? ""
                            : "the first " + std::to_string(drawn.size()) + " of " + std::to_string(cells) + " cells; ";
  ResolvedFigure out = picture_of("contrast", report.summary.title + ": " + drawn_question(report, drawn),
                                  some + counts_with_bars(p) + " (" + joint_text(report) + "), " + p.origin(), format);
  LayoutNeeds needs{.most_columns = kMostContrastColumns,
                    .plot_width = drawn.size() == 1 ? kContrastAlone : kContrastWidth,
                    .plot_height = kContrastLine * static_cast<double>(most),
                    .left = 26 + kContrastLetter * static_cast<double>(longest),
                    .right = kContrastBeside,
                    .legend_options = "samplen 1 spacing 1.25",
                    .has_legend_below = true};
  // As wide as the footer.
  const double footer = kContrastFooterLetter * static_cast<double>(shown_width(out.footer)) + 24;
  const auto columns = static_cast<double>(std::min(kMostContrastColumns, drawn.size()));
  needs.plot_width = std::max(needs.plot_width, footer / columns - needs.left - needs.right);
  for (const auto& one : drawn) out.panels.push_back(difference_panel(report, one, needs.plot_width, out.series));
  out.has_captions = std::ranges::any_of(out.panels, [](const ResolvedPanel& panel) { return !panel.caption.empty(); });
  return layered_script(out, needs);
}

}  // namespace nowsim
