// Estimates of outcomes, point by point; rows sorted into cells and curves.
#include "experiments/driver/running/result_table.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/running/run_bounds.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/input_uncertainty.hpp"

namespace nowsim {
namespace {

/// What to say of a point that is less precise than was asked for; "" where nothing was, or it is as precise (though it
/// may have had fewer replications than the least that a stopping rule wants).
std::string missed_precision(const RunPlan& plan, const MetricContext& context, const PointStatistics& statistics) {
  if (plan.precision <= 0) return "";
  const Estimate e = plan.watched(context, statistics);
  StoppingRule rule = plan.rule();
  rule.min_replications = 2;
  if (rule.satisfied(e, statistics.makespan_s.count())) return "";
  const std::string reached = e.value != 0 && std::isfinite(e.half_width())
                                  ? fmt::format("± {:.2g} %", 100 * e.half_width() / std::abs(e.value))
                                  : "not known";
  return fmt::format("the interval of {} is {}, not ± {:.4g} %, after the most replications", plan.precision_of->name,
                     reached, 100 * plan.precision);
}

/// The size that a point was solved for; null where none was.
const SolvedSize* solved_size(const Point& point) {
  const auto* ready = point.as<ReadyPoint>();
  return ready != nullptr ? ready->solved.get() : nullptr;
}

std::optional<ReferencePoint> reference_of(const Experiment& experiment, const Point& point,
                                           const PointOutcome& outcome) {
  if (!point.reference || !outcome.reference) return std::nullopt;
  const Point& reference = experiment.points[*point.reference];
  return ReferencePoint{reference.scenario().get(), outcome.reference.get(), solved_size(reference)};
}

/// Less is not worth a word: a share of the value.
constexpr double kLeastLean = 0.005;

/// How much of the first such metric's variance comes from measured parameters; "" where none were.
std::string measured_remark(const ResultTable& s) {
  for (std::size_t m = 0; m < s.metrics.size(); ++m) {
    double least = 1, most = -1, lean = 0;
    for (const auto& row : s.rows)
      if (row.has_results())
        for (const Estimate& e : row.estimates[m])
          if (const auto variance = fit_variance(e)) {
            least = std::min(least, variance->share_of_fit());
            most = std::max(most, variance->share_of_fit());
            lean = std::max(lean, variance->lean / std::abs(e.value));
          }
    if (most < 0) continue;
    const auto percent = [](double share) { return fmt::format("{:.0f}", 100 * share); };
    const std::string to = percent(least) == percent(most) ? "" : percent(least) + " to ";
    const std::string& name = s.metrics[m]->name;
    std::string text = fmt::format(
        "owners were measured, and the interval of {2} holds for what they may truly be: {0}{1} % of its "
        "variance comes from that, which a longer measurement lowers; the rest from the replications (as many again, {3} "
        "at most, were run to tell)",
        to, percent(most), name, kMostStepped);
    if (lean > kLeastLean)
      text += fmt::format("; errors of the measurements make {} too high, by {:.1f} % or more, which its interval allows for",
                          name, 100 * lean);
    return text;
  }
  return "";
}

/// Up to which moment of the intervals' lengths is finite at most, where sigma_T's interval holds too seldom
/// (coverage.md).
constexpr double kHeavyTail = 3;

bool has_heavy_tail(const Scenario& scenario) {
  const auto is_heavy = [](const OwnerPtr& model) {
    const auto intervals = model->renewal();
    return intervals && intervals->th > 0 && intervals->moment_limit <= kHeavyTail;
  };
  return std::ranges::any_of(scenario.owners, is_heavy) || std::ranges::any_of(scenario.bandwidth, is_heavy);
}

/// What is known of intervals of sigma_T; "" where they hold.
std::string spread_remark(const Experiment& experiment, const std::vector<PointOutcome>& outcomes) {
  const auto is_of_sigma = [](const Metric* m) { return m->name == "sigma_T" || m->name == "sigma_T/tau"; };
  const auto named = std::ranges::find_if(experiment.metrics, is_of_sigma);
  if (named == experiment.metrics.end()) return "";
  for (std::size_t p = 0; p < outcomes.size(); ++p)
    if (outcomes[p].statistics && experiment.points[p].simulated() != nullptr &&
        has_heavy_tail(*experiment.points[p].scenario()))
      return "intervals of " + (*named)->name +
             " are too narrow where lengths have tails as heavy as Pareto's of shape 3 or "
             "less: at 95 % they hold in 87 to 94 % of experiments, as rare long intervals, which make the standard "
             "deviation, are in few samples ('nowsim help coverage')";
  return "";
}

void append_remark(std::string& to, const std::string& remark) {
  if (!remark.empty()) to += (to.empty() ? "" : "; ") + remark;
}

}  // namespace

ResultRow summarise_point(const Experiment& experiment, const Point& point, const PointOutcome& outcome,
                           QuantileMemo* quantiles) {
  ResultRow row;
  row.values = point.values;
  row.engine = engine_name(outcome.engine);
  row.version = outcome.version;
  row.seed = point.plan.seed;
  row.confidence = point.plan.confidence;
  row.status = point.status();
  row.reason = point.reason();
  if (row.status != PointStatus::pending || point.simulated() == nullptr) {  // nothing ran, by no method
    row.engine.clear();
    row.version.clear();
    return row;
  }
  row.variance_reduction = point.plan.variance_reduction;
  if (const auto* ready = point.as<ReadyPoint>()) row.split = ready->split_report;
  const auto scenario = point.scenario();
  for (const auto& w : scenario->platform->workstations) row.workstations.push_back(w.name);
  if (!outcome.statistics) return row;
  if (!outcome.failure.empty()) {
    row.status = PointStatus::failed;
    row.reason = outcome.failure;
    return row;
  }
  row.status = PointStatus::ok;
  row.decided = outcome.decided;
  row.deadline_s = point.plan.deadline_s;
  if (experiment.shows_times())  // which live as long as the statistics
    row.makespans_s = {outcome.statistics, &outcome.statistics->makespans_s};
  row.replications = outcome.statistics->makespan_s.count();
  const MetricContext context{scenario.get(), point.plan.deadline_s, {point.plan.confidence, quantiles},
                              outcome.baseline_s ? &*outcome.baseline_s : nullptr, outcome.step1.get(),
                              solved_size(point), reference_of(experiment, point, outcome), outcome.rivals,
                              point.plan.is_of_series};
  for (const Metric* metric : experiment.metrics)
    row.estimates.push_back(metric_estimates(*metric, context, *outcome.statistics));
  row.reason = missed_precision(point.plan, context, *outcome.statistics);
  return row;
}

std::string point_text(const std::vector<std::string>& axes, const std::vector<std::string>& values) {
  std::string text;
  for (std::size_t a = 0; a < axes.size(); ++a) text += (a > 0 ? " " : "") + axes[a] + "=" + values[a];
  return text;
}

std::size_t ResultTable::axis_index(const std::string& key) const {
  return static_cast<std::size_t>(std::ranges::find(axes, key) - axes.begin());
}

std::size_t ResultTable::metric_index(const std::string& name) const {
  return static_cast<std::size_t>(std::ranges::find(metrics, name, &Metric::name) - metrics.begin());
}

bool ResultTable::has(const ResultRow& row, const std::string& key, const std::string& value) const {
  const std::size_t a = axis_index(key);
  return a < row.values.size() && same_axis_value(row.values[a], value);
}

std::vector<std::string> values_of(const ResultRow& row, const std::vector<std::size_t>& axes) {
  std::vector<std::string> out;
  for (const std::size_t axis : axes) out.push_back(row.values.at(axis));
  return out;
}

std::vector<std::size_t> ResultTable::axes_beside(const std::vector<std::size_t>& given, const ResultRows& of) const {
  std::vector<std::size_t> known = given;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    if (std::ranges::count(given, axis) > 0) continue;
    std::map<std::vector<std::string>, std::string> first;
    const bool tells_apart = std::ranges::any_of(of, [&](const ResultRow* row) {
      return first.try_emplace(values_of(*row, known), row->values[axis]).first->second != row->values[axis];
    });
    if (tells_apart) known.push_back(axis);
  }
  return {known.begin() + static_cast<std::ptrdiff_t>(given.size()), known.end()};
}

std::vector<std::string> ResultTable::values(const std::string& key) const {
  std::vector<std::string> out;
  for (const auto& row : rows)
    if (const auto& text = value(row, key); std::ranges::find(out, text) == out.end()) out.push_back(text);
  return out;
}

ResultRows ResultTable::rows_that(const std::function<bool(const ResultRow&)>& are_wanted) const {
  ResultRows out;
  for (const auto& row : rows)
    if (are_wanted(row)) out.push_back(&row);
  return out;
}

std::vector<RowCell> ResultTable::cells(const std::vector<std::size_t>& by, const ResultRows& of) const {
  std::vector<RowCell> out;
  std::map<std::vector<std::string>, std::size_t> known;
  for (const ResultRow* row : of) {
    const auto [place, is_new] = known.try_emplace(values_of(*row, by), out.size());
    if (is_new) out.push_back({place->first, {}});
    out[place->second].rows.push_back(row);
  }
  return out;
}

std::vector<std::vector<RowCurve>> ResultTable::curves(const std::string& along, const std::string& across,
                                                       const ResultRows& among,
                                                       const std::function<bool(const ResultRow&)>& counts) const {
  std::vector<std::size_t> named{axis_index(along)}, second;
  if (const std::size_t axis = axis_index(across); axis < axes.size()) second.push_back(axis);
  named.insert(named.end(), second.begin(), second.end());
  const auto others = axes_beside(named, among);
  const auto words = values(along);
  const bool are_numbers = std::ranges::all_of(words, [](const auto& text) { return axis_number(text).has_value(); });
  const auto place = [&](const ResultRow& row) {
    const std::string& text = row.values[named.front()];
    return are_numbers ? axis_number(text).value()
                       : static_cast<double>(std::ranges::find(words, text) - words.begin());
  };
  ResultRows counted;
  std::ranges::copy_if(among, std::back_inserter(counted), [&](const ResultRow* row) { return counts(*row); });
  std::vector<std::vector<RowCurve>> out;
  for (const auto& in_group : cells(others, counted)) {
    auto& group = out.emplace_back();
    for (const auto& cell : cells(second, in_group.rows)) {
      RowCurve& curve = group.emplace_back();
      const auto name = [&](std::size_t axis) {
        curve.label += (curve.label.empty() ? "" : ", ") + axes[axis] + " = " + cell.rows.front()->values[axis];
      };
      if (!cell.at.empty()) curve.across = cell.at.front();
      if (!curve.across.empty()) name(second.front());
      std::ranges::for_each(others, name);
      std::set<double> places;
      for (const ResultRow* row : cell.rows)
        if (const double x = place(*row); places.insert(x).second) curve.rows.push_back({x, row});
    }
    std::ranges::stable_sort(group, {}, [](const RowCurve& c) { return axis_number(c.across).value_or(0); });
  }
  return out;
}

std::size_t ResultTable::count(PointStatus status) const {
  return static_cast<std::size_t>(std::ranges::count(rows, status, &ResultRow::told_status));
}

ResultTable summarise(const Experiment& experiment, const std::vector<PointOutcome>& outcomes) {
  ResultTable summary{experiment.title, experiment.file, experiment.axes, experiment.metrics, {}};
  QuantileMemo quantiles;
  for (std::size_t p = 0; p < experiment.points.size(); ++p)
    summary.rows.push_back(summarise_point(experiment, experiment.points[p], outcomes[p], &quantiles));
  summary.remark = replaying_met(experiment, outcomes);
  append_remark(summary.remark, measured_remark(summary));
  append_remark(summary.remark, spread_remark(experiment, outcomes));
  return summary;
}

}  // namespace nowsim
