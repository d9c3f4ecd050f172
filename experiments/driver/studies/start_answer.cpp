// What is said of when to begin: sentences, a table of beginnings, the split then and at the earliest; rows and a picture.
#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/driver/pictures/clock_axis.hpp"
#include "experiments/driver/studies/start_choice.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {

namespace {

constexpr double kHourToWait_s = 3600;

/// "Tue 19:30"; with the date where the weekday alone leaves it open.
std::string start_text(const StartReport& r, std::size_t s) {
  constexpr double kSixDays_s = 6 * 86400.0;
  const std::string full = r.starts[s].request.clock->full_text();  // "Tue 2026-12-01 19:30"
  return r.starts.back().after_s < kSixDays_s ? full.substr(0, 3) + full.substr(14) : full;
}

std::string deadline_moment(const StartReport& r) { return r.request.clock->text(*r.request.deadline_s); }

double promised_s(const TriedStart& start) { return start.plan().safe_deadline->high; }

/// The first beginning an hour or more behind another that could be simulated.
std::optional<std::size_t> hour_later(const StartReport& r, std::size_t than) {
  for (std::size_t s = than + 1; s < r.starts.size(); ++s)
    if (r.starts[s].best && r.starts[s].after_s >= r.starts[than].after_s + kHourToWait_s - 1) return s;
  return std::nullopt;
}

/// "An hour later, Tue 20:30,".
std::string later_text(const StartReport& r, std::size_t s, std::size_t than) {
  const double by_s = r.starts[s].after_s - r.starts[than].after_s;
  return (std::abs(by_s - kHourToWait_s) < 1 ? "An hour" : duration_text(by_s)) + " later, " + start_text(r, s) + ",";
}

std::string at_risk(const StartReport& r) { return "at a risk of " + percent_text(*r.request.risk); }

/// "promise Wed 01:10, 5 h 40 min after"; of too few replications what is expected.
std::string promise_text(const TriedStart& start) {
  const Estimate& t = *start.plan().safe_deadline;
  if (std::isfinite(t.high)) return "promise " + start.request.clock->text(t.high) + ", " + duration_text(t.high) + " after";
  return "expect " + start.request.clock->text(t.value) + ", " + duration_text(t.value) +
         " after (nothing can be promised after so few replications or days that were recorded)";
}

/// A difference of times "2 h longer", "12 min less".
std::string longer_text(double more_s) {
  constexpr double kNothing_s = 1;
  if (std::abs(more_s) < kNothing_s) return "as long";
  return duration_text(std::abs(more_s)) + (more_s > 0 ? " longer" : " less");
}

/// Whether starts are compared by what is promised, where all that is near to the quantile; else by that, which promises
/// would drown.
bool compares_promises(const StartReport& r) {
  constexpr double kNear = 1.1;
  return std::ranges::all_of(r.starts, [](const TriedStart& start) {
    return !start.best || promised_s(start) <= kNear * start.plan().safe_deadline->value;
  });
}
double compared_s(const StartReport& r, std::size_t s) {
  return compares_promises(r) ? promised_s(r.starts[s]) : r.starts[s].plan().safe_deadline->value;
}

// ---- the shortest ----------------------------------------------------------------------------------------------------

/// Beside the first beginning.
std::vector<std::string> about_waiting(const StartReport& r) {
  const std::size_t chosen = *r.choice.chosen;
  if (chosen == 0 || !r.starts.front().best) return {};
  const TriedStart &first = r.starts.front(), &then = r.chosen();
  const double waited_s = then.after_s - first.after_s, saved_s = compared_s(r, 0) - compared_s(r, chosen);
  const double end_later_s = waited_s - saved_s;
  std::string out = (compares_promises(r) ? "Started" : "By the estimates, with nothing to spare for chance: started") +
                    std::string(" at the earliest, ") + start_text(r, 0) + ", it would be " + first.request.clock->text(compared_s(r, 0)) +
                    ", " + duration_text(compared_s(r, 0)) + " after: waiting makes the job " + duration_text(saved_s) + " shorter";
  constexpr double kNothing_s = 60;
  if (std::abs(end_later_s) < kNothing_s) return {out + ", and it is done at the same time."};
  if (end_later_s < 0) return {out + ", and it is done " + duration_text(-end_later_s) + " earlier."};
  out += ", and it is done " + duration_text(end_later_s) + " later";
  return {out + (waited_s > 1.5 * kHourToWait_s ? ", " + duration_text(end_later_s / waited_s * kHourToWait_s) + " for each hour of waiting." : ".")};
}

std::vector<std::string> about_later(const StartReport& r) {
  const std::size_t chosen = *r.choice.chosen;
  const auto later = hour_later(r, chosen);
  if (!later) return {};
  const std::string how = longer_text(compared_s(r, *later) - compared_s(r, chosen));
  return {later_text(r, *later, chosen) + " it takes " + how + "."};
}

std::string range_text(const StartReport& r, const StartRange& range) {
  return range.first == range.last ? start_text(r, range.first) : start_text(r, range.first) + " to " + start_text(r, range.last);
}

std::vector<std::string> about_alike(const StartReport& r) {
  const auto& alike = r.choice.alike;
  if (alike.size() == 1 && alike.front().first == alike.front().last) return {};
  constexpr std::size_t kMost = 4;
  Words ranges;
  for (std::size_t k = 0; k < std::min(kMost, alike.size()); ++k) ranges.push_back(range_text(r, alike[k]));
  if (alike.size() > kMost) ranges.push_back("others");
  const bool are_all = alike.size() == 1 && alike.front().first == 0 && alike.front().last + 1 == r.starts.size();
  return {(are_all ? "All starts that were tried" : "Starts at " + joined(ranges)) +
          " are as good, as far as can be told or to one per cent."};
}

std::vector<std::string> about_worst(const StartReport& r) {
  std::size_t worst = *r.choice.chosen;
  for (std::size_t s = 0; s < r.starts.size(); ++s)
    if (r.starts[s].best && compared_s(r, s) > compared_s(r, worst)) worst = s;
  if (worst == *r.choice.chosen || worst == 0) return {};
  return {"The worst start is " + start_text(r, worst) + ": " + duration_text(compared_s(r, worst)) + "."};
}

/// Of a deadline that is a duration: from when to when it is kept.
std::vector<std::string> about_duration(const StartReport& r) {
  if (!r.request.deadline_s) return {};
  const double risk = *r.request.risk;
  std::string out = "The deadline of " + duration_text(*r.request.deadline_s) + " then holds with probability " +
                    kept_text(r.chosen().plan().late()) + ". " + kept_risk_text(r.chosen().plan(), risk);
  std::size_t first = *r.choice.chosen, last = first;
  const auto keeps = [&](std::size_t s) { return r.starts[s].best && r.starts[s].plan().late().high <= risk; };
  if (!keeps(first)) return {out + "."};
  while (first > 0 && keeps(first - 1)) --first;
  while (last + 1 < r.starts.size() && keeps(last + 1)) ++last;
  return {out + (first == last ? "." : ", as it is from " + start_text(r, first) + " to " + start_text(r, last) + ".")};
}

std::vector<std::string> about_shortest(const StartReport& r) {
  const std::size_t chosen = *r.choice.chosen;
  const std::string when = (chosen == 0 ? "at the earliest, " : "at ") + start_text(r, chosen);
  std::vector<std::string> out;
  if (!r.is_by_clock)
    out.push_back("When it starts makes no difference to how long the job takes: nobody here goes by the clock; owners that do have "
                  "hours ('nowsim help diurnal').");
  out.push_back("Start " + when + ": " + at_risk(r) + " " + promise_text(r.chosen()) + ".");
  const auto add = [&out](std::vector<std::string> more) { std::ranges::move(more, std::back_inserter(out)); };
  if (r.is_by_clock) {
    add(about_waiting(r));
    add(about_later(r));
    add(about_alike(r));
    add(about_worst(r));
  }
  add(about_duration(r));
  return out;
}

// ---- the latest ------------------------------------------------------------------------------------------------------

/// "8.1 [6.5, 9.9] %" from a beginning.
std::string late_text(const StartReport& r, std::size_t s) { return percent_text(r.starts[s].plan().late()); }

std::vector<std::string> about_none(const StartReport& r) {
  const std::size_t least = *r.choice.least;
  const TriedStart& start = r.starts[least];
  const std::string holds = deadline_moment(r) + " " + at_risk(r);
  const std::string none = r.choice.may_hold
                               ? "By the estimates no start holds " + holds + ", though one at " + start_text(r, *r.choice.may_hold) + " may"
                               : "No start holds " + holds;
  return {none + ": even from " + start_text(r, least) +
              (least == 0 ? ", at the earliest," : "") + " it is missed with probability " + late_text(r, least) + ".",
          "From then, " + at_risk(r) + " " + promise_text(start) + "."};
}

std::string about_held(const StartReport& r) {
  const std::size_t chosen = *r.choice.chosen;
  const bool is_last = chosen + 1 == r.starts.size();
  const std::string holds = " holds " + deadline_moment(r) + " " + at_risk(r);
  const std::string then = start_text(r, chosen) + ": it is missed with probability " + late_text(r, chosen);
  if (r.choice.is_sure)
    return (is_last ? "Every start up to the last one that was tried" + holds + ", that is " : "The latest start that still" + holds + " is ") + then +
           "; an earlier one never hurts.";
  return "Of no start can it be told, by so few replications or days that were recorded, that it" + holds +
         "; by the estimates the latest one is " + then + ", and an earlier one never hurts.";
}

std::vector<std::string> about_latest(const StartReport& r) {
  if (!r.choice.chosen) return about_none(r);
  const std::size_t chosen = *r.choice.chosen;
  std::vector<std::string> out{about_held(r)};
  std::string others;
  if (const auto later = hour_later(r, chosen)) others = later_text(r, *later, chosen) + " that is " + late_text(r, *later);
  if (chosen > 0 && r.starts.front().best)
    others += (others.empty() ? "A" : "; a") + std::string("t the earliest, ") + start_text(r, 0) + ", it is " + late_text(r, 0);
  if (!others.empty()) out.push_back(others + ".");
  if (const auto may = r.choice.may_hold; may && *may > chosen)
    out.push_back("It may hold until " + start_text(r, *may) + ", from when it is missed with probability " + late_text(r, *may) + ".");
  out.push_back("Started at " + start_text(r, chosen) + ", half of such jobs are done by " +
                r.chosen().request.clock->text(r.chosen().plan().estimate(PlanMetric::median).value) + ".");
  return out;
}

}  // namespace

std::vector<std::string> start_sentences(const StartReport& r) {
  if (!r.choice.least) return {"No start could be simulated."};
  std::vector<std::string> out = r.is_latest() ? about_latest(r) : about_shortest(r);
  if (!r.choice.chosen) return out;
  const TriedStart& then = r.chosen();
  if (then.plans.size() > 1)
    out.push_back("Split the work by '" + then.plan().name() + "'; a plan of this start, --start '" +
                  clock_moment_text(then.request.clock->moment()) + "', compares all policies.");
  if (!r.is_risk_given) out.push_back("A risk of " + percent_text(kStartRisk) + " is taken to be bearable, since --risk says none.");
  for (auto& sentence : clock_change_sentences(then.request, {&then.plan()})) out.push_back(std::move(sentence));
  return out;
}

namespace {

// ---- for people ------------------------------------------------------------------------------------------------------

ColumnUnit unit_of(const StartReport& r) {
  std::vector<const Alternative*> all;
  for (const auto& start : r.starts)
    if (start.best) all.push_back(&start.plan());
  PlanRequest times = r.request;
  if (r.is_latest()) times.deadline_s.reset();
  return unit_of_times(times, all);
}

/// Some of many beginnings: each so many of them, and those that are spoken of.
std::vector<std::size_t> told_starts(const StartReport& r) {
  constexpr std::size_t kMost = 16;
  const std::size_t n = r.starts.size(), step = (n + kMost - 1) / kMost;
  std::vector<std::size_t> out;
  for (std::size_t s = 0; s < n; s += step) out.push_back(s);
  const StartChoice& c = r.choice;
  for (const auto& also : {c.chosen, c.least, c.may_hold, c.chosen ? hour_later(r, *c.chosen) : std::nullopt})
    if (also) out.push_back(*also);
  std::ranges::sort(out);
  const auto same = std::ranges::unique(out);
  out.erase(same.begin(), same.end());
  return out;
}

void show_starts(const StartReport& r, Answer& answer) {
  const ColumnUnit unit = unit_of(r);
  const bool has_policies = r.starts.front().plans.size() > 1;
  const auto row = [&](std::size_t s) {
    const TriedStart& start = r.starts[s];
    const Alternative& plan = start.plans[start.best.value_or(0)];
    Fields fields{text_field("start", (r.choice.chosen == s ? "* " : "") + start_text(r, s))};
    if (has_policies) fields.push_back(text_field("policy", start.best ? plan.name() : "-"));
    fields.push_back(estimate_field(plan, PlanMetric::median, unit));
    fields.push_back(promised_field(promised_name(r.request), plan, unit));
    const bool is_promised = start.best && std::isfinite(promised_s(start));
    if (!r.is_latest()) fields.push_back(text_field("promise", is_promised ? start.request.clock->text(promised_s(start)) : "-"));
    if (r.request.deadline_s) fields.push_back(estimate_field(plan, PlanMetric::late, unit));
    return fields;
  };
  const auto told = told_starts(r);
  std::vector<std::string> notes;
  if (told.size() < r.starts.size())
    notes.push_back("  (" + std::to_string(told.size()) + " of " + std::to_string(r.starts.size()) + " starts that were tried; --format csv has all)");
  if (has_policies)
    notes.push_back("  (" + promised_name(r.request) + ": intervals of " +
                    percent_text(promise_confidence(r.starts.front().plans.size(), r.confidence)) +
                    " each, so that those of a start's policies hold together)");
  answer.show(table_of(told, row), 1, std::move(notes));
}

/// Of the chosen beginning, and where that is another one of the earliest.
void show_split(const StartReport& r, Answer& answer) {
  if (!r.choice.chosen || !r.then) return;
  struct Column {
    std::string start;
    const Alternative* plan;
    std::vector<MachineView> views;
  };
  std::vector<Column> columns;
  if (r.first && *r.choice.chosen > 0 && r.is_by_clock)
    columns.push_back({start_text(r, 0), &r.starts.front().plan(), machine_views(*r.first)});
  columns.push_back({start_text(r, *r.choice.chosen), &r.chosen().plan(), machine_views(*r.then)});
  const auto& machines = r.then->platform->workstations;
  const auto number = [](double value) { return format_quantity(value, Dimension::number); };
  const auto row = [&](std::size_t i) {
    Fields fields{text_field("machine", machines[i].name), text_field("speed", format_quantity(machines[i].speed_flops, Dimension::speed))};
    for (const auto& column : columns) {
      fields.push_back(text_field(column.start + ": a", number(column.views[i].mean_availability)));
      fields.push_back(text_field("%", number(100 * column.plan->scenario->share_flop[i] / r.request.work_flop)));
    }
    return fields;
  };
  answer.say({"the split, in % of the work, of a job that starts then (a: what owners are expected to leave during the run):"});
  answer.show(table_of(listed(machines.size()), row), 1, and_more(machines.size(), "--format csv names all"));
}

std::string title_of(const StartReport& r) {
  const std::string last = start_text(r, r.starts.size() - 1);
  return r.summary.title + ", started from " + r.request.clock->full_text() + " to " + last +
         (r.request.deadline_s ? r.is_latest() ? ", done by " + deadline_moment(r) : ", deadline " + duration_text(*r.request.deadline_s) : "");
}

// ---- for programs ----------------------------------------------------------------------------------------------------

std::vector<Workstation> machines_of(const StartReport& r) {
  for (const auto& start : r.starts)
    for (const auto& plan : start.plans)
      if (plan.scenario) return plan.scenario->platform->workstations;
  return {};
}

Fields plan_fields(const StartReport& r, std::size_t s, std::size_t p) {
  const TriedStart& start = r.starts[s];
  const Alternative& plan = start.plans[p];
  const auto& deadline_s = start.request.deadline_s;
  Fields fields{{"start", start.request.clock->iso()},
                {"after", start.after_s},
                {"policy", plan.name()},
                {"work", r.request.work_flop, kInCsv},
                {"deadline", known(deadline_s)},
                {"deadline_at", deadline_s ? Value(start.request.clock->iso(*deadline_s)) : Value(), kInCsv},
                {"risk", known(r.request.risk), kInCsv}};
  add_estimates(start.request, plan, fields);
  fields.push_back({"best_policy", std::uint64_t{start.best == p ? 1U : 0U}});
  fields.push_back({"chosen", std::uint64_t{r.choice.chosen == s && start.best == p ? 1U : 0U}});
  add_run(plan.row, fields);
  add_work(plan, machines_of(r), fields);
  return fields;
}

Value when(const StartReport& r, const std::optional<std::size_t>& s) {
  return s ? Value(r.starts[*s].request.clock->iso()) : Value();
}

Object machine_object(const StartReport& r, std::size_t i) {
  const auto& machine = r.then->platform->workstations[i];
  return {{{"name", machine.name},
           {"speed_flops", machine.speed_flops},
           {"availability", machine_views(*r.then)[i].mean_availability},
           {"work_flop", r.chosen().plan().scenario->share_flop[i]}}};
}

Object range_object(const StartReport& r, const StartRange& range) {
  return {{{"first", when(r, range.first)}, {"last", when(r, range.last)}}};
}

Object whole_of(const StartReport& r, const List& rows) {
  Object whole{whole_head(title_of(r), r.request)};
  append(whole.fields, {{"confidence", r.confidence},
                        {"confidence_of_limits", promise_confidence(r.starts.front().plans.size(), r.confidence)},
                        {"by_clock", r.is_by_clock},
                        {"chosen", when(r, r.choice.chosen)},
                        {"recommended", r.choice.chosen ? Value(r.chosen().plan().name()) : Value()}});
  if (r.choice.chosen) {
    Fields promised;
    add_estimates(r.chosen().request, r.chosen().plan(), promised);
    whole.fields.push_back({"promise", Object{promised}});
  }
  if (r.is_latest())
    append(whole.fields, {{"is_sure", r.choice.is_sure}, {"may_hold_until", when(r, r.choice.may_hold)}});
  else
    whole.fields.push_back({"alike", list_of(r.choice.alike, [&r](const StartRange& range) { return range_object(r, range); })});
  const auto machine = [&r](std::size_t i) -> Value { return machine_object(r, i); };
  append(whole.fields, {{"split", List{r.choice.chosen && r.then ? r.then->size() : 0, machine}},
                        {"starts", rows},
                        {"advice", texts(start_sentences(r))}});
  if (!r.summary.remark.empty()) whole.fields.push_back({"remark", r.summary.remark});
  return whole;
}

// ---- a picture -------------------------------------------------------------------------------------------------------

/// Of each beginning that could be simulated.
template <class ValueOf>
std::vector<ResolvedPoint> points_of(const StartReport& r, double unit, ValueOf value_of) {
  std::vector<ResolvedPoint> out;
  for (const auto& start : r.starts) {
    if (!start.best) continue;
    const Estimate e = in_unit(value_of(start.plan()), unit);
    out.push_back({start.after_s / kHourToWait_s, e.value});
    if (std::isfinite(e.low) && std::isfinite(e.high)) out.back().low = e.low, out.back().high = e.high;
  }
  return out;
}

ResolvedAxis start_axis(const StartReport& r) {
  constexpr std::size_t kMostTics = 8;
  const double most_s = std::max(r.starts.back().after_s, kStartStep_s), edge_s = 0.02 * most_s;
  const AxisClock clock{*r.request.clock};
  ResolvedAxis x = axis_from(-edge_s / kHourToWait_s, (most_s + edge_s) / kHourToWait_s, "");
  x.unit = kHourToWait_s;
  x.tics = clock_tics(clock, 0, most_s, x.unit, kMostTics);
  x.label = "started at: " + clock_label(clock.clock, 0);
  return x;
}

std::string script_of(const StartReport& r, PictureFormat format) {
  if (!r.choice.least) throw RunError("there is nothing to draw: no start could be simulated");
  const Provenance p = provenance_of(r.summary);
  ResolvedFigure out = picture_of("curves", r.summary.title + ": when to start?", counts_with_bars(p) + ", " + p.origin(), format);
  out.x = start_axis(r);
  ResolvedPanel panel;
  const std::string look = std::string("linewidth 1.2 dashtype (6,4) linecolor rgb '") + kDeadlineColour + "'";
  std::vector<ResolvedCurve> curves;
  const auto add = [&](const std::string& name, std::vector<ResolvedPoint> points) {
    const std::size_t s = out.series.size();
    out.series.push_back({name, Label(name)});
    curves.push_back(curve_of(s, Shape::curve, std::move(points)));
    curves.back().has_intervals = true;
  };
  ValueRange y;
  if (r.is_latest()) {
    add("missing " + deadline_moment(r), points_of(r, 0.01, [](const Alternative& plan) { return plan.late(); }));
    panel.value = axis_from(0, 104, "probability of missing " + deadline_moment(r) + " [%]");
    panel.rules.push_back({false, 100 * *r.request.risk, "risk " + percent_text(*r.request.risk), look});
  } else {
    const ColumnUnit unit = unit_of(r);
    add(promised_name(r.request), points_of(r, unit.seconds, [](const Alternative& plan) { return *plan.safe_deadline; }));
    add("median", points_of(r, unit.seconds, [](const Alternative& plan) { return plan.estimate(PlanMetric::median); }));
    for (const auto& curve : curves)
      for (const auto& point : curve.points) y.add(point.y, false);
    constexpr double kMost = 1.5;  // of values: intervals beyond are cut
    const double most = y.most;
    for (const auto& curve : curves)
      for (const auto& point : curve.points)
        if (point.high <= kMost * most) y.add(point.high, false);
    panel.value = axis_from(0, 1.06 * y.most, std::string("how long the job takes [") + unit.name + "]");
    add_round_tics(panel.value);
  }
  if (r.choice.chosen)
    panel.rules.push_back({true, r.chosen().after_s / kHourToWait_s, start_text(r, *r.choice.chosen),
                           std::string("linewidth 1.2 dashtype (2,3) linecolor rgb '") + kDeadlineColour + "'"});
  panel.content = std::move(curves);
  out.panels.push_back(std::move(panel));
  return layered_script(out, {.plot_width = 640, .plot_height = 380, .over = 20});
}

}  // namespace

Answer start_answer(StartReport report) {
  const auto kept = std::make_shared<const StartReport>(std::move(report));
  const StartReport& r = *kept;
  Answer answer;
  answer.say({title_of(r)});
  show_starts(r, answer);
  show_split(r, answer);
  answer.say(start_sentences(r));
  answer.say(run_lines(r.summary));
  const std::size_t policies = r.starts.front().plans.size();
  answer.tables.push_back(
      rows_of(".csv", r.starts.size() * policies, [&r, policies](std::size_t k) { return plan_fields(r, k / policies, k % policies); }));
  answer.whole = whole_of(r, answer.tables.front().rows);
  answer.script = [&r](PictureFormat format) { return script_of(r, format); };
  answer.has_failures = r.summary.has_failures();
  answer.made_of = kept;
  return answer;
}

}  // namespace nowsim
