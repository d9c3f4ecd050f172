// Rows with what can be promised of them, their differences, the fields and words of answers, and their picture.
#include "experiments/driver/studies/alternatives.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "experiments/driver/pictures/clock_axis.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/comparison.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/text_table.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {

namespace {

std::size_t unit_of(const Scenario& scenario) { return static_cast<std::size_t>(dependent_replications(scenario)); }

MeasuredPoint measured(const Alternative& one, Estimate estimate) {
  MeasuredPoint point;
  point.estimate = std::move(estimate);
  point.row = &one.row;
  return point;
}

/// RF, replication by replication.
Estimate late_by_replication(const Alternative& one, double deadline_s) {
  const auto late = std::make_shared<std::vector<double>>();
  for (const double t : one.makespans_s()) late->push_back(t > deadline_s ? 1 : 0);
  Influence influence{late, 1, late->size(), one.late().value, 1, Influence::Of::proportion};
  if (const std::size_t unit = unit_of(*one.scenario); unit > 1) influence.per_fit = unit;
  return with_influence(one.late(), std::move(influence));
}

/// RF, replication by replication, and tau, each alternative beside the best.
RowComparisons compared_with_best(const std::vector<Alternative>& all, std::optional<double> deadline_s) {
  const std::string key = "alternative";
  ResultTable table;
  table.axes = {key};
  table.metrics = {find_metric("tau")};
  if (deadline_s) table.metrics.push_back(find_metric("RF"));
  for (const auto& one : all) {
    table.rows.push_back(one.row);
    table.rows.back().estimates.clear();
    if (!one.is_complete()) continue;
    table.rows.back().estimates.push_back({one.tau()});
    if (deadline_s) table.rows.back().estimates.push_back({late_by_replication(one, *deadline_s)});
  }
  return compare_rows(table, {.key = key});
}

}  // namespace

Estimate Alternative::estimate(PlanMetric metric) const {
  const auto column = static_cast<std::size_t>(metric);
  return column < row.estimates.size() ? row.estimates[column].front() : kUnknownEstimate;
}

double promise_confidence(std::size_t alternatives, double confidence) {
  return bonferroni(alternatives, confidence);
}

Alternative alternative(ResultRow row, const Point& point, const PointOutcome& outcome, const PlanRequest& request,
                        double safe_deadline_confidence) {
  Alternative out{std::move(row), point.scenario(), point.plan, outcome.statistics, {}, {}};
  if (out.is_complete() && request.risk)
    out.safe_deadline =
        of_stretches(quantile_estimate(out.makespans_s(), 1 - *request.risk, safe_deadline_confidence,
                                       unit_of(*out.scenario)),
                     independent_stretches(*out.scenario, out.statistics->makespan_s), out.makespans_s().size(), true,
                     safe_deadline_confidence);
  return out;
}

std::vector<Alternative> alternatives(const ResultTable& table, const Experiment& experiment,
                                      const std::vector<PointOutcome>& outcomes, const PlanRequest& request) {
  std::vector<Alternative> out;
  for (std::size_t p = 0; p < table.rows.size(); ++p) {
    const Point& point = experiment.points[p];
    const double promised = promise_confidence(table.rows.size(), point.plan.confidence);
    out.push_back(alternative(table.rows[p], point, outcomes[p], request, promised));
  }
  return out;
}

ReadyPoint ready_point(Scenario scenario) {
  return {{std::make_shared<const Scenario>(std::move(scenario)), nullptr, nullptr}};
}

std::vector<PointOutcome> run_with_makespans(std::vector<Point> points, const StudyManner& manner) {
  Experiment experiment;
  experiment.metrics = {find_metric("tau"), find_metric("T_50")};
  experiment.points = std::move(points);
  RunOptions options{manner.context()};
  options.here = manner.here;
  return execute(experiment, plan_execution(experiment), options);
}

std::shared_ptr<const Scenario> begun_scenario(const PlanRequest& request, const Scenario& scenario,
                                               const Registries& registries) {
  PlanRequest plain = about_policy(request, *registries.policies.find("proportional"));
  plain.is_exact = true;
  plain.options.overrides.push_back("run.variance_reduction=none");
  Scenario begun = scenario;
  begun.owners = plan_experiment(plain, registries).points.front().scenario()->owners;
  return std::make_shared<const Scenario>(std::move(begun));
}

double by_metric_confidence(std::optional<double> deadline_s, double confidence) {
  return deadline_s ? promise_confidence(2, confidence) : confidence;
}

PairwiseDifferences::PairwiseDifferences(const std::vector<Alternative>& all, std::optional<double> deadline_s,
                                         double confidence) {
  std::vector<MeasuredPoint> tau, late;
  for (const auto& one : all) {
    const bool is_complete = one.is_complete();
    tau_.push_back(is_complete ? measured(one, one.tau()) : MeasuredPoint());
    late_.push_back(is_complete && deadline_s ? measured(one, late_by_replication(one, *deadline_s)) : MeasuredPoint());
    if (is_complete) tau.push_back(tau_.back()), late.push_back(late_.back());
  }
  tau_level_ = level_of_pairs(tau, confidence);
  late_level_ = deadline_s ? level_of_pairs(late, confidence) : 0;
}

Estimate PairwiseDifferences::takes_more(std::size_t one, std::size_t than) const {
  return difference(tau_[one], tau_[than]).interval(tau_level_);
}

Estimate PairwiseDifferences::late_more(std::size_t one, std::size_t than) const {
  return late_level_ > 0 ? difference(late_[one], late_[than]).interval(late_level_) : kUnknownEstimate;
}

bool PairwiseDifferences::is_slower(std::size_t one, std::size_t than) const {
  constexpr double kRounding = 1e-9;
  return takes_more(one, than).low > kRounding * tau_[than].estimate.value;
}

Advice advise(const std::vector<Alternative>& all, const PlanRequest& request) {
  Advice advice;
  const auto safest = safest_rows(compared_with_best(all, request.deadline_s));
  if (safest.empty()) return advice;
  const auto promised_s = [&](std::size_t p) { return all[p].safe_deadline->value; };
  const bool is_by_promise = request.risk && !request.deadline_s;
  const std::size_t best = is_by_promise ? *std::ranges::min_element(safest, {}, promised_s) : safest.front();
  advice.best = best;
  advice.confidence = all[best].plan.confidence;
  const PairwiseDifferences compared(all, request.deadline_s,
                                     by_metric_confidence(request.deadline_s, advice.confidence));
  advice.of_each = compared.level_of_each();
  for (std::size_t p = 0; p < all.size(); ++p)
    if (p != best && all[p].is_complete())
      advice.rivals.push_back({p, compared.late_more(p, best), compared.takes_more(p, best),
                               compared.is_riskier(p, best), compared.is_slower(p, best)});
  return advice;
}

std::string kept_text(const Estimate& late) {
  return percent_text(Estimate{1 - late.value, 1 - late.high, 1 - late.low});
}

Estimate size_of(const Estimate& e) { return e.value < 0 ? Estimate{-e.value, -e.high, -e.low} : e; }

std::string time_text(const Estimate& s, const ColumnUnit& unit) {
  return estimate_text(in_unit(s, unit.seconds)) + " " + unit.name;
}

std::string kept_risk_text(const Alternative& one, double risk) {
  const Estimate late = one.late();
  return "The risk of " + percent_text(risk) +
         (late.high <= risk ? " is kept" : late.low > risk ? " is exceeded" : " may be kept or not");
}

namespace {

std::string about_promise(const PlanRequest& request, const Alternative& plan, double confidence) {
  const double risk = *request.risk;
  const Estimate& t = *plan.safe_deadline;
  if (!std::isfinite(t.high)) {
    const double beyond = 0.5 * (1 - confidence);
    // Replications of one draw of measured owners may be all late, or none.
    const double wanted = std::ceil(portable::log(beyond) / portable::log1p(-risk)) *
                          std::max(1.0, static_cast<double>(replications_per_draw(*plan.scenario)));
    return "No time can be promised at a risk of " + percent_text(risk) + " after so few replications: it takes " +
           (replications_per_draw(*plan.scenario) > 0 ? "up to " : "") + format_quantity(wanted, Dimension::count) + ".";
  }
  return "At a risk of " + percent_text(risk) + " promise " + when_text(request, t.high) + ": the job is done within " +
         duration_text(t.value) + " [" + duration_text(t.low) + ", " + duration_text(t.high) + "] with probability " +
         percent_text(1 - risk) + ".";
}

}  // namespace

std::vector<std::string> promise_sentences(const PlanRequest& request, const Alternative& advised, double confidence) {
  std::vector<std::string> out;
  if (request.risk && request.deadline_s) {
    const Estimate late = advised.late();
    const bool is_told = late.high <= *request.risk || late.low > *request.risk;
    out.push_back(
        kept_risk_text(advised, *request.risk) +
        (is_told ? "." : ": RF is " + percent_text(late) + "; more replications, or longer recordings, would tell."));
  }
  if (request.risk) out.push_back(about_promise(request, advised, confidence));
  return out;
}

std::string promised_name(const PlanRequest& r) { return "T at " + percent_text(1 - *r.risk); }

std::string deadline_text(const PlanRequest& r) {
  if (!r.clock) return r.deadline_s ? ", deadline " + duration_text(*r.deadline_s) : "";
  const std::string from = ", from " + r.clock->full_text();
  return r.deadline_s ? from + " to " + r.clock->text(*r.deadline_s) + " at the latest (" + duration_text(*r.deadline_s) + ")" : from;
}

std::vector<std::string> clock_change_sentences(const PlanRequest& r, const std::vector<const Alternative*>& all) {
  if (!r.clock) return {};
  double most_s = r.deadline_s.value_or(0);
  for (const auto* one : all)
    if (one->is_complete()) most_s = std::max(most_s, std::ranges::max(one->makespans_s()));
  const std::string change = r.clock->change_text(most_s);
  if (change.empty()) return {};
  return {"Within that time " + change +
          ": durations are hours that pass, and moments are told by the clock as it is then; owners are taken to go on by the "
          "clock of the start, so that behind the change their hours are off by that."};
}

std::vector<const Alternative*> pointers_to(const std::vector<Alternative>& all) {
  std::vector<const Alternative*> out;
  for (const auto& one : all) out.push_back(&one);
  return out;
}

ColumnUnit unit_of_times(const PlanRequest& request, const std::vector<const Alternative*>& all) {
  double most_s = request.deadline_s.value_or(0);
  for (const auto* one : all)
    if (const double tau_s = one->tau().value; tau_s > most_s) most_s = tau_s;
  return column_unit(most_s);
}

Field text_field(const std::string& name, const std::string& text) { return {name, text, kInTable}; }
Field time_field(const std::string& name, const Estimate& s, const ColumnUnit& unit) {
  return {name, s, kInTable, unit.name, unit.seconds};
}
Field points_field(const std::string& name, const Estimate& difference) {
  return {name, difference, kInTable, "points", 0.01};
}

Field estimate_field(const Alternative& one, PlanMetric metric, const ColumnUnit& unit) {
  const std::string& name = plan_metrics(true)[static_cast<std::size_t>(metric)]->name;
  const Estimate e = one.estimate(metric);
  return metric == PlanMetric::late ? Field{name, e, kInTable, "%", 0.01} : time_field(name, e, unit);
}

Field promised_field(const std::string& name, const Alternative& one, const ColumnUnit& unit) {
  return time_field(name, one.safe_deadline.value_or(kUnknownEstimate), unit);
}

std::vector<std::string> machine_names(const Scenario& scenario) {
  std::vector<std::string> names;
  for (const auto& w : scenario.platform->workstations) names.push_back(w.name);
  return names;
}

std::vector<std::size_t> first_numbers(std::size_t n) {
  std::vector<std::size_t> out(n);
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

std::vector<std::string> and_more(std::size_t machines, const std::string& where) {
  if (machines <= kMostListed) return {};
  return {"  and " + std::to_string(machines - kMostListed) + " more (" + where + ")"};
}

void add_estimates(const PlanRequest& r, const Alternative& one, Fields& fields) {
  const auto metrics = plan_metrics(true);
  for (std::size_t m = 0; m < metrics.size(); ++m)
    fields.push_back({metrics[m]->name, one.estimate(static_cast<PlanMetric>(m)),
                      one.is_complete() ? kForPrograms : kInCsv});
  fields.push_back({"safe_deadline", one.safe_deadline.value_or(kUnknownEstimate),
                    one.safe_deadline ? kForPrograms : kInCsv});
  const bool is_promised = r.clock && one.safe_deadline && std::isfinite(one.safe_deadline->high);
  if (r.clock)
    fields.push_back({"promised_at", is_promised ? Value(r.clock->iso(one.safe_deadline->high)) : Value(),
                      is_promised ? kForPrograms : kInCsv});
}

namespace {

Value deadline_at(const PlanRequest& r) { return r.deadline_s ? Value(r.clock->iso(*r.deadline_s)) : Value(); }

}  // namespace

void add_asked(const PlanRequest& r, Fields& fields) {
  fields.push_back({"deadline", known(r.deadline_s), kInCsv});
  fields.push_back({"risk", known(r.risk), kInCsv});
  if (r.clock) append(fields, {{"start", r.clock->iso(), kInCsv}, {"deadline_at", deadline_at(r), kInCsv}});
}

void add_run(const ResultRow& row, Fields& fields) {
  append(fields, run_fields(row));
  append(fields, {{"status", std::string(status_name(row.status))}, {"reason", row.reason}});
}

void add_work(const Alternative& one, const std::vector<Workstation>& machines, Fields& fields) {
  for (std::size_t i = 0; i < machines.size(); ++i)
    fields.push_back({"X_" + machines[i].name, one.scenario ? one.scenario->share_flop[i] : kNotKnown, kInCsv});
}

Fields whole_head(const std::string& title, const PlanRequest& r) {
  Fields head{{"title", title},
              {"version", std::string(version())},
              {"platform", machines_text(r)},
              {"work_flop", r.work_flop, r.mpi ? 0 : kInJson},
              {"deadline_s", known(r.deadline_s), kInJson},
              {"risk", known(r.risk), kInJson}};
  if (r.clock)
    append(head, {{"start", r.clock->iso(), kInJson},
                  {"zone", r.clock->zone.name(), kInJson},
                  {"deadline_at", deadline_at(r), kInJson}});
  return head;
}

namespace {

// ---- a picture: how likely each takes longer than a time ----

/// P[T > t] in %, which drops at each replication's T.
ResolvedCurve risk_curve(std::size_t series, const std::vector<double>& times_s, const ResolvedAxis& t) {
  std::vector<ResolvedPoint> points{{t.least, 100}};
  for (const auto& [t_s, longer] : survival_steps(times_s))
    points.push_back({t_s / t.unit, 100 * static_cast<double>(longer) / static_cast<double>(times_s.size())});
  points.push_back({t.most, 0});
  return curve_of(series, Shape::steps, std::move(points));
}

/// Over all times and moments, and a little more.
ResolvedAxis time_axis(const std::vector<const Alternative*>& plans, std::initializer_list<std::optional<double>> moments_s) {
  double least_s = plans.front()->makespans_s().front(), most_s = least_s;
  for (const auto& moment_s : moments_s)
    if (moment_s) least_s = std::min(least_s, *moment_s), most_s = std::max(most_s, *moment_s);
  for (const auto* plan : plans) {
    const auto [least, most] = std::ranges::minmax(plan->makespans_s());
    least_s = std::min(least_s, least);
    most_s = std::max(most_s, most);
  }
  const double edge_s = most_s > least_s ? 0.03 * (most_s - least_s) : 0.1 * most_s;
  const ColumnUnit unit = column_unit(most_s + edge_s);
  ResolvedAxis out = axis_from(std::max(0.0, least_s - edge_s) / unit.seconds, (most_s + edge_s) / unit.seconds,
                               std::string("t [") + unit.name + "]");
  out.unit = unit.seconds;
  return out;
}

/// What is promised at the request's risk.
std::optional<double> promised_time(const PlanRequest& request, const Alternative* advised) {
  if (!request.risk || advised == nullptr || !advised->safe_deadline || !std::isfinite(advised->safe_deadline->high)) return std::nullopt;
  return advised->safe_deadline->high;
}

/// An axis of times since the beginning as moments by the clock.
void tell_by_clock(const WallClock& clock, ResolvedAxis& t) {
  constexpr std::size_t kMostTics = 7;
  t.tics = clock_tics({clock}, t.least * t.unit, t.most * t.unit, t.unit, kMostTics);
  t.label = clock_label(clock, t.least * t.unit);
}

}  // namespace

std::string risk_script(const PlanRequest& request, const ResultTable& table, const std::vector<Alternative>& all,
                        PictureFormat format, const Alternative* advised, std::optional<double> now_s) {
  std::vector<const Alternative*> plans;
  for (const auto& plan : all)
    if (plan.is_complete()) plans.push_back(&plan);
  if (plans.empty()) throw RunError("there is nothing to draw: no policy could be simulated");
  const Provenance p = provenance_of(table);
  const auto deadline_s = request.deadline_s;
  ResolvedFigure out = picture_of(
      "distribution", table.title + ": how likely is it to take longer?",
      p.replications + " replications, " + (deadline_s ? "bars: " + p.confidence + " confidence, " : "") + p.origin(),
      format);
  const auto promised_s = promised_time(request, advised);
  out.x = time_axis(plans, {deadline_s, now_s, promised_s});
  if (request.clock) tell_by_clock(*request.clock, out.x);
  ResolvedPanel panel;
  panel.value = axis_from(0, 104, "probability of taking longer than t [%]");
  panel.deadline_s = deadline_s;
  if (deadline_s) panel.deadline_text = request.clock ? request.clock->text(*deadline_s) : "";
  if (const auto risk = request.risk)
    panel.rules.push_back({false, 100 * *risk, "risk " + percent_text(*risk),
                           std::string("linewidth 1.2 dashtype (6,4) linecolor rgb '") + kDeadlineColour + "'"});
  if (now_s)
    panel.rules.push_back({true, *now_s / out.x.unit, "now" + (request.clock ? " " + request.clock->text(*now_s) : ""),
                           std::string("linewidth 1.2 dashtype (2,3) linecolor rgb '") + kDeadlineColour + "'"});
  if (promised_s) {
    const bool is_drawn = std::ranges::any_of(plans, [&](const Alternative* plan) { return plan->name() == advised->name(); });
    panel.rules.push_back({true, *promised_s / out.x.unit,
                           "promise: " + (request.clock ? request.clock->text(*promised_s) : duration_text(*promised_s)) +
                               (is_drawn ? "" : ", " + short_name(advised->name())),
                           std::string("linewidth 1.2 dashtype (6,4) linecolor rgb '") + kDeadlineColour + "'", true});
  }
  std::vector<ResolvedCurve> curves;
  for (std::size_t s = 0; s < plans.size(); ++s) {
    const std::string& name = plans[s]->name();
    out.series.push_back(
        {name, Label(short_name(deadline_s ? name + ": RF " + percent_text(plans[s]->late()) : name))});
    curves.push_back(risk_curve(s, plans[s]->makespans_s(), out.x));
  }
  for (std::size_t s = 0; s < plans.size() && deadline_s; ++s) {
    const Estimate late = plans[s]->late();
    curves.push_back(curve_of(s, Shape::marks, {{*deadline_s / out.x.unit, 100 * late.value, 100 * late.low, 100 * late.high}}));
  }
  panel.content = std::move(curves);
  out.panels.push_back(std::move(panel));
  return layered_script(out, {.plot_width = 640, .plot_height = 380, .over = 20});
}

}  // namespace nowsim
