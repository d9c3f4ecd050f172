// Estimates of outcomes, point by point.
#include "experiments/driver/running/summary.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/text.hpp"

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

std::optional<ReferencePoint> reference_of(const Experiment& experiment, const Point& point,
                                           const PointOutcome& outcome) {
  if (!point.reference || !outcome.reference) return std::nullopt;
  const Point& reference = experiment.points[*point.reference];
  return ReferencePoint{reference.scenario.get(), outcome.reference.get(), reference.solved.get()};
}

}  // namespace

SummaryRow summarise_point(const Experiment& experiment, const Point& point, const PointOutcome& outcome,
                           QuantileMemo* quantiles) {
  SummaryRow row;
  row.values = point.values;
  row.engine = engine_name(outcome.engine);
  row.version = outcome.version;
  row.seed = point.plan.seed;
  row.confidence = point.plan.confidence;
  if (!point.scenario) {  // nothing ran, by no method
    const bool failed = !point.failure.empty();
    row.status = failed ? "failed" : "infeasible";
    row.reason = failed ? point.failure : point.infeasible;
    row.is_unsolved = point.is_unsolved;
    row.engine.clear();
    row.version.clear();
    return row;
  }
  row.variance_reduction = point.plan.variance_reduction;
  row.split = point.split_report;
  for (const auto& w : point.scenario->platform->workstations) row.workstations.push_back(w.name);
  if (!outcome.statistics) {
    row.status = "pending";
    return row;
  }
  if (!outcome.failure.empty()) {
    row.status = "failed";
    row.reason = outcome.failure;
    return row;
  }
  row.replications = outcome.statistics->makespan_s.count();
  const MetricContext context{point.scenario.get(), point.plan.deadline_s, {point.plan.confidence, quantiles},
                              outcome.baseline_s ? &*outcome.baseline_s : nullptr, outcome.step1.get(),
                              point.solved.get(), reference_of(experiment, point, outcome),
                              outcome.baseline_makespans_s};
  for (const Metric* metric : experiment.metrics)
    row.estimates.push_back(metric->estimate(context, *outcome.statistics));
  row.reason = missed_precision(point.plan, context, *outcome.statistics);
  return row;
}

std::string point_text(const Summary& s, const SummaryRow& row) {
  std::string text;
  for (std::size_t a = 0; a < s.axes.size(); ++a) text += (a > 0 ? " " : "") + s.axes[a] + "=" + row.values[a];
  return text;
}

bool Summary::has_failures() const {
  return std::any_of(rows.begin(), rows.end(), [](const SummaryRow& row) { return row.status == "failed"; });
}

Summary summarise(const Experiment& experiment, const std::vector<PointOutcome>& outcomes) {
  Summary summary{experiment.title, experiment.file, experiment.axes, experiment.metrics, {}};
  QuantileMemo quantiles;
  for (std::size_t p = 0; p < experiment.points.size(); ++p)
    summary.rows.push_back(summarise_point(experiment, experiment.points[p], outcomes[p], &quantiles));
  return summary;
}

}  // namespace nowsim
