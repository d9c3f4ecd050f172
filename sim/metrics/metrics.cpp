// The list of tables of metrics, joined, and looking up in it; quantiles of T by name; intervals of replayed series.
#include "sim/metrics/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <regex>

#include "sim/base/infinity.hpp"
#include "sim/base/registry.hpp"
#include "sim/base/text.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/input_uncertainty.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {

using MetricTable = std::span<const Metric>();

// clang-format off
NOWSIM_LISTED(MetricTable, kMetricTables,
              huang_lee_metrics,
              own_metrics,
              zhang_yan_metrics,
              bazterra_metrics,
              bosque_metrics);
// clang-format on

namespace {

std::optional<double> percent_in(const std::string& name) {
  static const std::regex pattern(R"(T_((?:0|[1-9][0-9]?)(?:\.[0-9]*[1-9])?))");
  std::smatch match;
  if (!std::regex_match(name, match, pattern)) return std::nullopt;
  const std::optional<double> percent = to_number(match[1].str());
  return percent && *percent > 0 && *percent < 100 ? percent : std::nullopt;
}

/// A time that something takes, which is above 0: not the difference of two.
bool is_duration(const Metric& metric) {
  return metric.unit == "s" && !metric.needs_reference && !metric.needs_rivals && !metric.needs_step1;
}

}  // namespace

Estimates exactly_each(std::span<const double> values) {
  Estimates out;
  for (const double x : values) out.push_back(exactly(x));
  return out;
}

const Registry<Metric>& builtin_metrics() {
  static const Registry<Metric> all([] {
    std::vector<Metric> joined;
    for (const auto table : kMetricTables) joined.insert(joined.end(), table().begin(), table().end());
    return joined;
  }());
  return all;
}

const Metric* find_metric(const std::string& name, const Registry<Metric>& known) {
  static std::map<std::string, Metric> made;  // what is there does not show: each name has one metric
  if (const Metric* found = known.find(name)) return found;
  if (!percent_in(name)) return nullptr;
  if (!made.contains(name)) made.emplace(name, quantile_metric(name, name.substr(2) + " % quantile of T"));
  return &made.at(name);
}

Estimates metric_estimates(const Metric& metric, const MetricContext& context, const PointStatistics& statistics) {
  Estimates out = metric.estimate(context, statistics);
  const std::uint64_t replications = statistics.makespan_s.count();
  const double stretches =
      context.is_of_series ? kInfinity : independent_stretches(*context.scenario, statistics.makespan_s);
  for (Estimate& e : out) e = of_stretches(e, stretches, replications, is_duration(metric), context.confidence);
  const std::uint64_t per_draw = replications_per_draw(*context.scenario);
  if (per_draw == 0) return out;
  Estimate makespans = mean_estimate(statistics.makespan_s, context.confidence);
  if (makespans.influence) makespans = with_influence(makespans, makespans.influence->seeing(per_draw, FitPart::in_interval));
  const FitPart part = metric.of_spread ? FitPart::in_value : FitPart::in_interval;
  for (Estimate& e : out) e = with_fits(e, per_draw, part, is_duration(metric), makespans, context.confidence);
  return out;
}

Estimates total_speedup(const MetricContext& context, const PointStatistics& statistics) {
  if (context.baseline_s == nullptr) return {exactly(kNotKnown)};
  return {ratio_estimate(*context.baseline_s, statistics.makespan_s, context.confidence)};
}

Estimates behind_server(const Scenario& scenario, double of_server, const Estimates& workers) {
  Estimates out(first_worker(scenario), exactly(of_server));
  out.insert(out.end(), workers.begin(), workers.end());
  return out;
}

Metric quantile_metric(const std::string& name, const std::string& summary) {
  const double p = percent_in(name).value() / 100;
  return {.name = name, .unit = "s", .summary = summary,
          .estimate = [p](const MetricContext& c, const PointStatistics& s) -> Estimates {
            const Estimate e = quantile_estimate(s.makespans_s, p, c.confidence, s.makespan_s.sampling().unit);
            const Observations& kept = s.makespan_s.observed();
            if (!kept.is_kept() || kept.span() > 1) return {e};
            return {with_influence(e, Influence{kept.column(0), 1, kept.replications(), 0, p, Influence::Of::quantile})};
          },
          .gathers = {.makespans = true},
          .better = Better::lower};
}

std::string quantile_name_problem(const std::string& name) {
  static const std::regex meant(R"(T_[-+]?\.?[0-9].*)");
  if (percent_in(name) || !std::regex_match(name, meant)) return "";
  return "in T_q, q is a percentage above 0 and below 100 without needless zeros, such as T_95 or T_99.9";
}

double independent_stretches(const Scenario& scenario, const Moments& makespan_s) {
  double shortest_s = kInfinity, days = kInfinity;
  bool is_replayed = false;
  for (const auto* models : {&scenario.owners, &scenario.bandwidth})
    for (const auto& model : *models) {
      is_replayed = is_replayed || model->replayed_after_s() < kInfinity;
      days = std::min(days, model->moments_to_begin());
      if (model->begins_at_random()) shortest_s = std::min(shortest_s, model->replayed_after_s());
    }
  // All alike may be one beginning; but on many days it is what these days have shown.
  const bool are_alike = makespan_s.count() > 1 && makespan_s.min() == makespan_s.max();
  if (is_replayed && are_alike && days == kInfinity) return 1;
  return makespan_s.mean() > 0 ? std::max(1.0, std::min(days, shortest_s / makespan_s.mean())) : kInfinity;
}

Estimate of_stretches(const Estimate& e, double stretches, std::uint64_t replications, bool is_positive,
                      const Confidence& confidence) {
  if (!(stretches < static_cast<double>(replications)) || (!e.influence && e.low == e.high)) return e;
  if (e.influence && e.influence->of == Influence::Of::proportion) {
    const Estimate fewer = proportion_interval(e.value, stretches, confidence.level);
    constexpr double kLeastSeen = 0.5;  // of so many stretches less than half a one is none
    const double low = e.value * stretches < kLeastSeen ? 0 : fewer.low;
    const double high = (1 - e.value) * stretches < kLeastSeen ? 1 : fewer.high;
    return {e.value, std::min(e.low, low), std::max(e.high, high)};
  }
  if (stretches < 2) return {e.value, kNotKnown, kNotKnown};
  const double shrunk = std::sqrt(static_cast<double>(replications) / stretches);
  const double wider = shrunk * student_quantile(static_cast<std::uint64_t>(stretches), confidence) /
                       student_quantile(replications, confidence);
  const bool is_relative = is_positive && e.low > 0;
  const Estimate out{
      e.value, is_relative ? e.value * portable::pow(e.low / e.value, wider) : e.value - wider * (e.value - e.low),
      e.value + wider * (e.high - e.value)};
  if (!e.influence || !e.influence->is_linear()) return out;
  return with_influence(out, e.influence->times(shrunk).with_freedom(std::floor(stretches) - 1));
}

}  // namespace nowsim
