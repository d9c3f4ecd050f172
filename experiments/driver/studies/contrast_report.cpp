// Sorting rows into cells, and comparing those of each.
#include "experiments/driver/studies/contrast_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "experiments/driver/reading/axis_scale.hpp"
#include "experiments/driver/studies/contrast_comparisons.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/statistics/influence.hpp"

namespace nowsim {
namespace {

constexpr const char* kStandings[] = {"", "best", "may be best", "better", "worse", "higher", "lower", "the same",
                                      "not told apart"};

// ---- cells -----------------------------------------------------------------------------------------------------

/// Rows of a cell, one per value of the key: of several the first.
struct CellRows {
  Words at;
  std::vector<std::size_t> rows;
};

std::vector<CellRows> cells_of(const ResultTable& summary, std::size_t key, const std::vector<std::size_t>& axes) {
  std::vector<CellRows> cells;
  std::map<Words, std::size_t> known;
  for (std::size_t r = 0; r < summary.rows.size(); ++r) {
    const Words at = values_of(summary.rows[r], axes);
    const auto [place, is_new] = known.try_emplace(at, cells.size());
    if (is_new) cells.push_back({at, {}});
    auto& rows = cells[place->second].rows;
    const auto is_same = [&](std::size_t other) {
      return summary.rows[other].values[key] == summary.rows[r].values[key];
    };
    if (std::ranges::none_of(rows, is_same)) rows.push_back(r);
  }
  return cells;
}

// ---- one cell --------------------------------------------------------------------------------------------------

ContrastStanding standing_of(const Estimate& d, Better better, bool from_best) {
  const bool is_nothing = d.low == 0 && d.high == 0;
  if (from_best) {
    const double far = better == Better::lower ? d.high : -d.low, near = better == Better::lower ? d.low : -d.high;
    return far == 0 ? ContrastStanding::best : near > 0 ? ContrastStanding::worse : ContrastStanding::may_be_best;
  }
  if (is_nothing) return ContrastStanding::same;
  const bool is_higher = d.low > 0;
  if (!is_higher && !(d.high < 0)) return ContrastStanding::not_told;
  if (better == Better::unknown) return is_higher ? ContrastStanding::higher : ContrastStanding::lower;
  return is_higher == (better == Better::higher) ? ContrastStanding::better : ContrastStanding::worse;
}

/// Compares one metric's estimates in all cells.
class Comparer {
 public:
  Comparer(const ContrastReport& report, const MetricContrasts& contrasts)
      : report_(report), summary_(report.summary), contrasts_(contrasts), key_(summary_.axis_index(report.key)) {}

  /// Of a machine, or without a name of the run.
  [[nodiscard]] ContrastCell compare(const CellRows& rows, const std::string& workstation) const {
    ContrastCell cell;
    cell.workstation = workstation;
    std::vector<MeasuredPoint> points = points_of(rows, workstation);
    const auto before = [&](const MeasuredPoint& a, const MeasuredPoint& b) {
      return contrasts_.better == Better::higher ? a.estimate.value > b.estimate.value
                                                 : a.estimate.value < b.estimate.value;
    };
    std::ranges::stable_sort(points, before);
    for (const auto& point : points)
      cell.values.push_back({point.value, static_cast<std::size_t>(point.row - summary_.rows.data()), point.estimate,
                             kUnknownEstimate, kUnknownEstimate, ContrastStanding::not_told});
    if (points.size() < 2) cell.nothing = "fewer than two values have results";
    else if (report_.against.empty()) compare_with_best(points, cell);
    else compare_with_one(points, cell);
    note_pairing(points, cell);
    return cell;
  }

  /// The machines of a cell's rows, each once.
  [[nodiscard]] Words workstations_of(const CellRows& rows) const {
    Words names;
    for (const std::size_t r : rows.rows)
      for (const auto& name : summary_.rows[r].workstations)
        if (!contains(names, name)) names.push_back(name);
    return names;
  }

 private:
  [[nodiscard]] Estimate estimate_of(const ResultRow& row, const std::string& workstation) const {
    if (!row.has_results()) return kUnknownEstimate;
    const auto& estimates = row.estimates[contrasts_.column];
    if (workstation.empty()) return estimates.front();
    const auto found = std::ranges::find(row.workstations, workstation);
    const auto place = static_cast<std::size_t>(found - row.workstations.begin());
    return place < estimates.size() ? estimates[place] : kUnknownEstimate;
  }

  [[nodiscard]] std::vector<MeasuredPoint> points_of(const CellRows& rows, const std::string& workstation) const {
    std::vector<MeasuredPoint> points;
    for (const std::size_t r : rows.rows) {
      const ResultRow& row = summary_.rows[r];
      const Estimate e = estimate_of(row, workstation);
      if (std::isfinite(e.value)) points.push_back({0, row.values[key_], row.values[key_], e, &row});
    }
    return points;
  }

  void fill(const Differences& differences, bool from_best, ContrastCell& cell) const {
    for (std::size_t i = 0; i < cell.values.size(); ++i) {
      ContrastValue& value = cell.values[i];
      value.difference = differences.of[i];
      value.percent = differences.percent[i];
      value.standing = standing_of(value.difference, contrasts_.better, from_best);
    }
  }

  void compare_with_best(const std::vector<MeasuredPoint>& points, ContrastCell& cell) const {
    fill(differences_from_best(points, contrasts_.better, points.front().row->confidence), true, cell);
  }

  void compare_with_one(const std::vector<MeasuredPoint>& points, ContrastCell& cell) const {
    const auto one = std::ranges::find_if(
        points, [&](const MeasuredPoint& p) { return same_axis_value(p.value, report_.against); });
    if (one == points.end()) {
      cell.nothing = report_.against + " has no results";
      return;
    }
    const auto from = static_cast<std::size_t>(one - points.begin());
    fill(differences_from(points, from, one->row->confidence), false, cell);
    cell.values[from].standing = ContrastStanding::compared_with;
  }

  /// Of all differences: whatever one of them lacks, they lack together.
  static void note_pairing(const std::vector<MeasuredPoint>& points, ContrastCell& cell) {
    cell.is_exact = std::ranges::all_of(points, is_exact, &MeasuredPoint::estimate);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Pairing one = Contrast().add(1, points[0]).add(-1, points[i]).pairing();
      if (i == 1 || one.by == Pairing::By::nothing) cell.pairing = one;
      if (cell.pairing.by == Pairing::By::nothing) return;
      cell.pairing.replications = std::lcm(cell.pairing.replications, one.replications);
      if (one.by == Pairing::By::groups) cell.pairing.by = one.by;
    }
  }

  const ContrastReport& report_;
  const ResultTable& summary_;
  const MetricContrasts& contrasts_;
  std::size_t key_;
};

// ---- all of it -------------------------------------------------------------------------------------------------

void name_cell(ContrastCell& cell, const ResultTable& summary, const std::vector<std::size_t>& axes, const CellRows& rows) {
  for (std::size_t a = 0; a < axes.size(); ++a) cell.at.emplace_back(summary.axes[axes[a]], rows.at[a]);
}

void leave_out(ContrastReport& report, const MetricContrasts& contrasts) {
  for (std::size_t r = 0; r < report.summary.rows.size(); ++r) {
    const ResultRow& row = report.summary.rows[r];
    const bool is_known = !row.has_results() || std::ranges::any_of(row.estimates[contrasts.column], [](const auto& e) {
      return std::isfinite(e.value);
    });
    if (!is_known) report.left_out.push_back({r, "its " + contrasts.metric->name + " is not known"});
  }
}

}  // namespace

const char* standing_text(ContrastStanding standing) { return kStandings[static_cast<std::size_t>(standing)]; }

ContrastReport contrast_report(const ContrastRequest& request, const ResultTable& summary) {
  ContrastReport report{summary, request.key, request.against, {}, {}};
  for (std::size_t r = 0; r < summary.rows.size(); ++r)
    if (const ResultRow& row = summary.rows[r]; !row.has_results())
      report.left_out.push_back({r, row.reason});
  const std::size_t key = summary.axis_index(request.key);
  std::vector<const ResultRow*> rows;
  for (const auto& row : summary.rows) rows.push_back(&row);
  const auto axes = summary.axes_beside({key}, rows);
  for (std::size_t m = 0; m < summary.metrics.size(); ++m) {
    MetricContrasts contrasts{summary.metrics[m], m, better_of(request, *summary.metrics[m]), {}};
    const Comparer comparer(report, contrasts);
    std::vector<ContrastCell> cells;
    for (const CellRows& of_cell : cells_of(report.summary, key, axes))
      for (const auto& name : contrasts.metric->per_workstation ? comparer.workstations_of(of_cell) : Words{""}) {
        ContrastCell cell = comparer.compare(of_cell, name);
        if (!name.empty() && cell.values.empty()) continue;  // of a server there is nothing to know
        name_cell(cell, report.summary, axes, of_cell);
        cells.push_back(std::move(cell));
      }
    contrasts.cells = std::move(cells);
    leave_out(report, contrasts);
    report.metrics.push_back(std::move(contrasts));
  }
  return report;
}

}  // namespace nowsim
