// Sorting rows into cells, and comparing those of each: differences and ratios of pairs at a joint level, and their
// hull over those that may be best.
#include "experiments/driver/studies/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "sim/statistics/multiple_comparisons.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

constexpr const char* kStandings[] = {"", "best", "may be best", "better", "worse", "higher", "lower", "the same",
                                      "not told apart"};

// ---- differences -----------------------------------------------------------------------------------------------

constexpr double kHundred = 100;

/// Whether what replications contribute to it tells how it varies: not of a proportion that is 0 in the sample, say.
bool is_told_by_contributions(const Estimate& e) {
  if (is_exact(e)) return true;
  if (!can_be_paired(e)) return false;
  const auto contributions = e.influence->contributions(e.influence->span);
  return std::ranges::any_of(contributions, [](double d) { return d != 0; });
}

/// Whether both are of this kind, of which ratios have an interval of their own.
bool are_both(Influence::Of kind, const Estimate& a, const Estimate& b) {
  return a.influence && b.influence && a.influence->of == kind && b.influence->of == kind &&
         a.influence->span == b.influence->span;
}

Estimate ratio_of(const MeasuredPoint& a, const MeasuredPoint& b, double confidence) {
  const auto &of_a = a.estimate.influence, &of_b = b.estimate.influence;
  if (are_both(Influence::Of::proportion, a.estimate, b.estimate))
    return paired_late_ratio(zeros_and_ones(*of_a), zeros_and_ones(*of_b), 0.5, confidence,
                             std::max(of_a->span, of_a->per_fit));
  if (are_both(Influence::Of::quantile, a.estimate, b.estimate))
    return paired_quantile_ratio(*of_a->values, *of_b->values, of_a->factor, confidence,
                                 std::max<std::uint64_t>(1, of_a->per_fit));
  if (is_told_by_contributions(a.estimate) && is_told_by_contributions(b.estimate))
    return combined_with_fits(paired_ratio(a.estimate, b.estimate, confidence), confidence);
  const double each = confidence_of_each_of_two(confidence).level;
  const auto at = [&](const MeasuredPoint& p) {
    return at_confidence(p.estimate, p.row->observations(), p.row->confidence, each);
  };
  const Estimate over = at(a), under = at(b);
  if (over.low < 0) return {over.value / under.value, kNotKnown, kNotKnown};
  return ratio_of_intervals(over, under);
}

Estimate percent_of(const MeasuredPoint& a, const MeasuredPoint& b, double confidence) {
  if (!(b.estimate.value > 0)) return kUnknownEstimate;
  const Estimate r = ratio_of(a, b, confidence);
  return {kHundred * (r.value - 1), kHundred * (r.low - 1), kHundred * (r.high - 1)};
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// The level of each of these differences, so that all hold together.
double level_of_each(std::span<const MeasuredPoint> values, const Pairs& pairs, double confidence) {
  if (!std::ranges::all_of(values, is_told_by_contributions, &MeasuredPoint::estimate))
    return bonferroni(pairs.size(), confidence);
  std::vector<const Estimate*> estimates;
  for (const auto& value : values) estimates.push_back(&value.estimate);
  const std::vector<std::vector<double>> of_value = joint_contributions(estimates).of_each;
  std::vector<std::vector<double>> of_pair;
  for (const auto& [one, other] : pairs) {
    std::vector<double>& contributions = of_pair.emplace_back(of_value[one]);
    contributions.resize(std::max(contributions.size(), of_value[other].size()));
    for (std::size_t k = 0; k < of_value[other].size(); ++k) contributions[k] -= of_value[other][k];
  }
  return confidence_of_each(of_pair, confidence);
}

/// All others beside one.
Pairs pairs_with(std::size_t one, std::size_t values) {
  Pairs out;
  for (std::size_t i = 0; i < values; ++i)
    if (i != one) out.emplace_back(i, one);
  return out;
}

bool is_surely_better(const Estimate& difference, Better better) {
  return better == Better::lower ? difference.high < 0 : difference.low > 0;
}

/// Nothing is better than the best.
double cut(double end, Better better) {
  if (std::isnan(end)) return end;
  return better == Better::lower ? std::max(0.0, end) : std::min(0.0, end);
}

/// Ends that are not known keep the hull's from being known.
void join(Estimate& hull, const Estimate& more, Better better) {
  const double low = cut(more.low, better), high = cut(more.high, better);
  hull.low = std::isnan(low) || low < hull.low ? low : hull.low;
  hull.high = std::isnan(high) || high > hull.high ? high : hull.high;
}

// ---- cells -----------------------------------------------------------------------------------------------------

/// With one row per value of the key: of several the first.
std::vector<RowCell> cells_of(const ResultTable& table, std::size_t key, const std::vector<std::size_t>& axes,
                              const ResultRows& rows) {
  std::vector<RowCell> cells = table.cells(axes, rows);
  for (auto& cell : cells) {
    std::set<std::string> known;
    std::erase_if(cell.rows, [&](const ResultRow* row) { return !known.insert(row->values[key]).second; });
  }
  return cells;
}

// ---- one cell --------------------------------------------------------------------------------------------------

RowStanding standing_of(const Estimate& d, Better better, bool from_best) {
  const bool is_nothing = d.low == 0 && d.high == 0;
  if (from_best) {
    const double far = better == Better::lower ? d.high : -d.low, near = better == Better::lower ? d.low : -d.high;
    return far == 0 ? RowStanding::best : near > 0 ? RowStanding::worse : RowStanding::may_be_best;
  }
  if (is_nothing) return RowStanding::same;
  const bool is_higher = d.low > 0;
  if (!is_higher && !(d.high < 0)) return RowStanding::not_told;
  if (better == Better::unknown) return is_higher ? RowStanding::higher : RowStanding::lower;
  return is_higher == (better == Better::higher) ? RowStanding::better : RowStanding::worse;
}

/// Compares one metric's estimates in all cells.
class Comparer {
 public:
  Comparer(const ResultTable& table, const ComparisonRequest& request, const Metric& metric)
      : table_(table), request_(request), metric_(metric), better_(request.better(metric)),
        key_(table.axis_index(request.key)), column_(table.metric_index(metric.name)) {}

  /// Of a machine, or without a name of the run.
  [[nodiscard]] ComparedCell compare(const RowCell& rows, const std::string& workstation) const {
    ComparedCell cell;
    cell.workstation = workstation;
    std::vector<MeasuredPoint> points = points_of(rows, workstation);
    std::ranges::stable_sort(points, [&](const MeasuredPoint& a, const MeasuredPoint& b) {
      return better_ == Better::higher ? a.estimate.value > b.estimate.value : a.estimate.value < b.estimate.value;
    });
    for (const auto& point : points)
      cell.rows.push_back({point.value, static_cast<std::size_t>(point.row - table_.rows.data()), point.estimate,
                           kUnknownEstimate, kUnknownEstimate, RowStanding::not_told});
    if (points.size() < 2) cell.nothing = "fewer than two values have results";
    else if (request_.against.empty())
      fill(differences_from_best(points, better_, points.front().row->confidence), true, cell);
    else compare_with_one(points, cell);
    note_pairing(points, cell);
    return cell;
  }

  /// The machines of a cell's rows, each once; of a metric of the whole run one without a name.
  [[nodiscard]] Words workstations_of(const RowCell& rows) const {
    if (!metric_.per_workstation) return {""};
    Words names;
    for (const ResultRow* row : rows.rows)
      for (const auto& name : row->workstations)
        if (!contains(names, name)) names.push_back(name);
    return names;
  }

  /// Whether a row has results, and none of them is known.
  [[nodiscard]] bool is_left_out(const ResultRow& row) const {
    return row.has_results() &&
           std::ranges::none_of(row.estimates[column_], [](const Estimate& e) { return std::isfinite(e.value); });
  }

 private:
  [[nodiscard]] Estimate estimate_of(const ResultRow& row, const std::string& workstation) const {
    if (!row.has_results()) return kUnknownEstimate;
    const auto& estimates = row.estimates[column_];
    if (workstation.empty()) return estimates.front();
    const auto found = std::ranges::find(row.workstations, workstation);
    const auto place = static_cast<std::size_t>(found - row.workstations.begin());
    return place < estimates.size() ? estimates[place] : kUnknownEstimate;
  }

  [[nodiscard]] std::vector<MeasuredPoint> points_of(const RowCell& rows, const std::string& workstation) const {
    std::vector<MeasuredPoint> points;
    for (const ResultRow* row : rows.rows) {
      const Estimate e = estimate_of(*row, workstation);
      if (std::isfinite(e.value)) points.push_back({0, row->values[key_], row->values[key_], e, row});
    }
    return points;
  }

  void fill(const Differences& differences, bool from_best, ComparedCell& cell) const {
    for (std::size_t i = 0; i < cell.rows.size(); ++i) {
      ComparedRow& row = cell.rows[i];
      row.difference = differences.of[i];
      row.percent = differences.percent[i];
      row.standing = standing_of(row.difference, better_, from_best);
    }
  }

  void compare_with_one(const std::vector<MeasuredPoint>& points, ComparedCell& cell) const {
    const auto one = std::ranges::find_if(
        points, [&](const MeasuredPoint& p) { return same_axis_value(p.value, request_.against); });
    if (one == points.end()) {
      cell.nothing = request_.against + " has no results";
      return;
    }
    const auto from = static_cast<std::size_t>(one - points.begin());
    fill(differences_from(points, from, one->row->confidence), false, cell);
    cell.rows[from].standing = RowStanding::compared_with;
  }

  /// Of all differences: whatever one of them lacks, they lack together.
  static void note_pairing(const std::vector<MeasuredPoint>& points, ComparedCell& cell) {
    cell.is_exact = std::ranges::all_of(points, is_exact, &MeasuredPoint::estimate);
    for (std::size_t i = 1; i < points.size(); ++i) {
      const Pairing one = difference(points[0], points[i]).pairing();
      if (i == 1 || one.by == Pairing::By::nothing) cell.pairing = one;
      if (cell.pairing.by == Pairing::By::nothing) return;
      cell.pairing.replications = std::lcm(cell.pairing.replications, one.replications);
      if (one.by == Pairing::By::groups) cell.pairing.by = one.by;
    }
  }

  const ResultTable& table_;
  const ComparisonRequest& request_;
  const Metric& metric_;
  Better better_;
  std::size_t key_, column_;
};

// ---- all of it -------------------------------------------------------------------------------------------------

/// By one metric, in all cells.
MetricComparison compared_by(const Comparer& comparer, const Metric& metric, Better better,
                             const std::vector<RowCell>& cells, const Words& axes) {
  MetricComparison out{&metric, better, {}};
  for (const RowCell& rows : cells)
    for (const auto& workstation : comparer.workstations_of(rows)) {
      ComparedCell cell = comparer.compare(rows, workstation);
      if (!workstation.empty() && cell.rows.empty()) continue;  // of a server there is nothing to know
      for (std::size_t a = 0; a < axes.size(); ++a) cell.at.emplace_back(axes[a], rows.at[a]);
      out.cells.push_back(std::move(cell));
    }
  return out;
}

}  // namespace

const char* standing_text(RowStanding standing) { return kStandings[static_cast<std::size_t>(standing)]; }

const MetricComparison* RowComparisons::by(const std::string& metric) const {
  const auto found = std::ranges::find_if(metrics, [&](const MetricComparison& m) { return m.metric->name == metric; });
  return found == metrics.end() ? nullptr : &*found;
}

const ComparedRow* RowComparisons::row(const std::string& metric, std::size_t row) const {
  if (const MetricComparison* compared = by(metric))
    for (const auto& cell : compared->cells)
      if (const auto found = std::ranges::find(cell.rows, row, &ComparedRow::row); found != cell.rows.end())
        return &*found;
  return nullptr;
}

std::size_t RowComparisons::most_together() const {
  std::size_t most = 0;
  for (const auto& compared : metrics)
    for (const auto& cell : compared.cells) most = std::max(most, cell.rows.size());
  return most;
}

RowComparisons compare_rows(const ResultTable& table, const ComparisonRequest& request) {
  RowComparisons out{request, {}, {}};
  ResultRows rows;
  for (const auto& row : table.rows) {
    if (!row.has_results()) out.left_out.push_back({rows.size(), row.reason});
    rows.push_back(&row);
  }
  const std::size_t key = table.axis_index(request.key);
  const auto axes = table.axes_beside({key}, rows);
  const auto cells = cells_of(table, key, axes, rows);
  Words names;
  for (const std::size_t axis : axes) names.push_back(table.axes[axis]);
  std::vector<const Metric*> metrics;
  for (const auto& name : request.metrics)
    if (const std::size_t m = table.metric_index(name); m < table.metrics.size()) metrics.push_back(table.metrics[m]);
  for (const Metric* metric : request.metrics.empty() ? table.metrics : metrics) {
    const Comparer comparer(table, out.request, *metric);
    out.metrics.push_back(compared_by(comparer, *metric, request.better(*metric), cells, names));
    for (std::size_t r = 0; r < table.rows.size(); ++r)
      if (comparer.is_left_out(table.rows[r])) out.left_out.push_back({r, "its " + metric->name + " is not known"});
  }
  return out;
}

std::vector<std::size_t> safest_rows(const RowComparisons& comparisons) {
  std::vector<std::size_t> out;
  const MetricComparison* by_tau = comparisons.by("tau");
  if (by_tau == nullptr || by_tau->cells.empty()) return out;
  for (const ComparedRow& row : by_tau->cells.front().rows) {
    const ComparedRow* late = comparisons.row("RF", row.row);
    if (late == nullptr || late->standing != RowStanding::worse) out.push_back(row.row);
  }
  return out;
}

std::optional<std::size_t> best_row(const RowComparisons& comparisons) {
  const auto safest = safest_rows(comparisons);
  return safest.empty() ? std::nullopt : std::optional(safest.front());
}

double level_of_pairs(std::span<const MeasuredPoint> values, double confidence) {
  Pairs all;
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) all.emplace_back(i, j);
  return level_of_each(values, all, confidence);
}

Differences differences_from(std::span<const MeasuredPoint> values, std::size_t from, double confidence) {
  const double each = level_of_each(values, pairs_with(from, values.size()), confidence);
  Differences out;
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.of.push_back(i == from ? exactly(0) : difference(values[i], values[from]).interval(each));
    out.percent.push_back(i == from ? exactly(0) : percent_of(values[i], values[from], each));
  }
  return out;
}

Differences differences_from_best(std::span<const MeasuredPoint> values, Better better, double confidence) {
  const auto by_value = [](const MeasuredPoint& p) { return p.estimate.value; };
  const auto best = better == Better::lower ? std::ranges::min_element(values, {}, by_value)
                                            : std::ranges::max_element(values, {}, by_value);
  const auto first = static_cast<std::size_t>(best - values.begin());
  Differences out = differences_from(values, first, confidence);
  for (auto* ends : {&out.of, &out.percent})
    for (auto& e : *ends) e.low = cut(e.low, better), e.high = cut(e.high, better);
  const double widest = bonferroni(values.size() - 1, confidence);
  for (std::size_t b = 0; b < values.size(); ++b) {
    // The level of each is never above Bonferroni's: what differs at that differs at theirs, which take long to find.
    if (b == first || is_surely_better(difference(*best, values[b]).interval(widest), better)) continue;
    const Differences from = differences_from(values, b, confidence);
    if (std::ranges::any_of(from.of, [&](const Estimate& e) { return is_surely_better(e, better); })) continue;
    for (std::size_t i = 0; i < values.size(); ++i) {
      join(out.of[i], from.of[i], better);
      join(out.percent[i], from.percent[i], better);
    }
  }
  return out;
}

}  // namespace nowsim
