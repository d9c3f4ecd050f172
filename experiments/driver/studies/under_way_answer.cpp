// What is said of a job that is under way: sentences, tables for people, and fields for programs.
#include "experiments/driver/studies/under_way.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <memory>
#include <utility>
#include <variant>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

const std::string& name_of(const UnderWayReport& r, std::size_t i) {
  return r.planned.scenario->platform->workstations[i].name;
}
std::string digits(double value) { return format_quantity(value, Dimension::number); }
/// "42.9".
std::string percent(double share) { return digits(std::round(1000 * share) / 10); }
std::string about(double share) { return percent(share) + " %"; }
double share_done(const MachineProgress& m) { return m.takes_part() ? m.done_flop / m.part_flop : 0; }

/// Machines that did what no simulated beginning had: their owners are not what the plan takes them for.
std::vector<std::string> about_surprises(const UnderWayReport& r) {
  if (!r.expected || r.said.done_file.empty()) return {};
  constexpr double kDigits = 0.005, kMargin = 0.02;  // done is written in few; speeds are measured, too
  Words less, more;
  for (std::size_t i = 0; i < r.progress.machines.size(); ++i) {
    const auto& e = r.expected->machines[i];
    if (!e) continue;
    const double done = share_done(r.progress.machines[i]);
    const auto say = [&](Words& words, const char* bound, double at) {
      words.push_back(name_of(r, i) + " (" + about(done) + ", there " + bound + " " + about(at) + ")");
    };
    if (done < (1 - kMargin) * e->least - kDigits) say(less, "at least", e->least);
    if (done > (1 + kMargin) * e->most + kDigits) say(more, "at most", e->most);
  }
  std::vector<std::string> out;
  for (const auto& [words, how] : {std::pair(less, "Less"), std::pair(more, "More")})
    if (!words.empty())
      out.push_back(std::string(how) + " than in any of " + std::to_string(r.expected->replications) +
                    " simulated beginnings is done by " + joined(words) +
                    ": owners or speeds there are not what the plan takes them for, and what is told of the rest is as wrong; "
                    "measure them anew.");
  return out;
}

std::string about_progress(const UnderWayReport& r) {
  const double done = r.progress.done_flop() / r.progress.part_flop();
  const std::string is_done = duration_text(r.said.elapsed_s) + " after it began" +
                              (r.request.clock ? also_by_clock(r.request, r.said.elapsed_s) + ", " : " ") + about(done) + " of the job is done";
  if (!r.expected || !r.expected->whole) return is_done + ".";
  const ExpectedShare& e = *r.expected->whole;
  const std::string by_plan = "; by the plan it would be " + percent_text(Estimate{e.mean, e.low, e.high}) +
                              " in nine of ten cases";
  if (done < e.low) return is_done + by_plan + ": it is behind.";
  if (done > e.high && about_surprises(r).empty()) return is_done + by_plan + ": it is ahead.";
  return is_done + by_plan + ".";
}

/// What was seen of owners that have no memory by their model.
std::vector<std::string> about_memory(const UnderWayReport& r) {
  Words idle;
  for (std::size_t i = 0; i < r.progress.machines.size(); ++i) {
    const auto& seen = r.progress.machines[i].seen;
    const Owner& owner = *r.begun->owners[i];
    if (!seen || owner.is_dedicated()) continue;
    // By a clock it is further on whatever is seen; else what is seen makes the difference.
    const OwnerPtr found = under_way(owner, {r.said.elapsed_s, seen}), blind = under_way(owner, {r.said.elapsed_s, {}});
    if (!found || (blind && blind->identity() == found->identity())) idle.push_back(name_of(r, i));
  }
  if (idle.empty()) return {};
  return {"What is seen of " + joined(idle) + " says nothing of what comes, by the model of the owner there."};
}

/// " The risk of 5 % is kept."; nothing where none was given.
std::string about_risk(const UnderWayReport& r, const Alternative& plan, const std::string& by) {
  if (!r.request.risk) return "";
  return " " + kept_risk_text(plan, *r.request.risk) + by + ".";
}

std::string about_deadline(const UnderWayReport& r) {
  const Alternative& on = r.ways.ways.front().rest;
  const double deadline_s = *r.request.deadline_s;
  if (!r.ways.rest.deadline_s)
    return "The deadline of " + when_text(r.request, deadline_s) + " was over " + duration_text(r.said.elapsed_s - deadline_s) +
           " ago; going on, the job ends after " + duration_text(on.tau().value) + " on average" +
           also_by_clock(r.request, on.tau().value) + ".";
  return "Going on, the deadline of " + when_text(r.request, deadline_s) + " holds with probability " + kept_text(on.late()) +
         "; when it was planned: " + kept_text(r.planned.late()) + "." + about_risk(r, on, "");
}

/// "RF falls by 3.1 ± 0.4 points and tau by 2.1 ± 0.2 min"; "" where neither can be told.
std::string gain_text(const UnderWayReport& r, const WayOn& way) {
  Words parts;
  const auto part = [&](const std::string& of, const Estimate& less, double unit, const std::string& name) {
    if (!is_apart_from_zero(less)) return;
    parts.push_back(of + (less.value > 0 ? " falls by " : " rises by ") + estimate_text(in_unit(size_of(less), unit)) + " " + name);
  };
  part("RF", way.late_less, 0.01, "points");
  const ColumnUnit unit = column_unit(r.ways.ways.front().rest.tau().value);
  part("tau", way.takes_less, unit.seconds, unit.name);
  return parts.size() == 2 ? parts[0] + " and " + parts[1] : joined(parts);
}

std::string about_advice(const UnderWayReport& r) {
  const WayOn& way = r.ways.ways[r.ways.advised];
  if (r.ways.ways.size() == 1) return "Go on: there is nothing else to be done with these machines.";
  if (way.kind == WayOn::Kind::go_on)
    return "Go on: of nothing else that was tried can it be told that it does better.";
  std::string gain = way.name() + ": " + gain_text(r, way) + " beside going on.";
  gain.front() = static_cast<char>(std::toupper(gain.front()));
  if (!r.ways.rest.deadline_s) return gain;
  return gain + " The deadline then holds with probability " + kept_text(way.rest.late()) + "." + about_risk(r, way.rest, " then");
}

/// The way of a kind that takes least; none where there is no such.
const WayOn* best_of(const UnderWayReport& r, WayOn::Kind kind) {
  const WayOn* best = nullptr;
  for (const auto& way : r.ways.ways)
    if (way.kind == kind && (best == nullptr || way.rest.tau().value < best->rest.tau().value)) best = &way;
  return best;
}

std::vector<std::string> about_others(const UnderWayReport& r) {
  std::vector<std::string> out;
  const ColumnUnit unit = column_unit(r.ways.ways.front().rest.tau().value);
  const auto tau = [&](const WayOn& way) { return time_text(way.rest.tau(), unit); };
  const WayOn *without = best_of(r, WayOn::Kind::give_up), *moved = best_of(r, WayOn::Kind::move), *more = best_of(r, WayOn::Kind::add);
  if (without != nullptr && without != &r.ways.ways[r.ways.advised])
    out.push_back("Of the machines tried " + without->machine + " would be missed least: without it tau is " + tau(*without) +
                  (moved != nullptr ? ", with work moved among all " + tau(*moved) : "") + ".");
  if (more != nullptr && more != &r.ways.ways[r.ways.advised]) {
    const std::string gain = gain_text(r, *more);
    out.push_back("Of the machines that could be added " + more->machine + " helps most: " +
                  (gain.empty() ? "no difference can be told" : gain) + " beside going on.");
  }
  return out;
}

std::string about_promise(const UnderWayReport& r) {
  const WayOn& way = r.ways.ways[r.ways.advised];
  const double risk = *r.request.risk;
  const Estimate& t = *way.rest.safe_deadline;
  if (!std::isfinite(t.high))
    return "No time can be promised at a risk of " + percent_text(risk) + " after so few replications.";
  std::string out = "At a risk of " + percent_text(risk) + " promise " + when_text(r.request, t.high) +
                    (r.request.clock ? "" : " from the beginning") + ", which is in " + duration_text(t.high - r.said.elapsed_s);
  if (r.planned.safe_deadline && std::isfinite(r.planned.safe_deadline->high))
    out += "; when it was planned: " + when_text(r.request, r.planned.safe_deadline->high);
  return out + ".";
}

/// How far the job is, whether the deadline still holds, what to do, what cannot be told: a sentence each.
std::vector<std::string> under_way_sentences(const UnderWayReport& r) {
  std::vector<std::string> out;
  if (r.is_recommended)
    out.push_back("Taken to be under way by '" + r.planned.name() +
                  "', which the plan recommends; name another split by --policies, or machines' parts in --done-file.");
  out.push_back(about_progress(r));
  const auto add = [&out](std::vector<std::string> more) { std::ranges::move(more, std::back_inserter(out)); };
  add(about_surprises(r));
  add(about_memory(r));
  if (r.request.deadline_s) out.push_back(about_deadline(r));
  out.push_back(about_advice(r));
  add(about_others(r));
  if (r.request.risk) out.push_back(about_promise(r));
  std::vector<const Alternative*> all{&r.planned};
  for (const auto& way : r.ways.ways) all.push_back(&way.rest);
  add(clock_change_sentences(r.request, all));
  return out;
}

ColumnUnit unit_of(const UnderWayReport& r) {
  std::vector<const Alternative*> all{&r.planned};
  for (const auto& way : r.ways.ways) all.push_back(&way.rest);
  return unit_of_times(r.request, all);
}

// ---- for people ------------------------------------------------------------------------------------------------------

std::string title_of(const UnderWayReport& r) {
  return work_text(r.request) + " on " + machines_text(r.request) + ", split by '" + r.planned.name() + "', " +
         duration_text(r.said.elapsed_s) + " after it began" + also_by_clock(r.request, r.said.elapsed_s);
}

/// The plan, then the ways on; `way` null: the plan.
Fields row_of(const UnderWayReport& r, const std::string& name, const Alternative& plan, const WayOn* way) {
  const ColumnUnit unit = unit_of(r);
  Fields fields{text_field("", name)};
  for (const PlanMetric metric : {PlanMetric::tau, PlanMetric::median, PlanMetric::t90})
    fields.push_back(estimate_field(plan, metric, unit));
  if (r.request.risk) fields.push_back(promised_field(promised_name(r.request), plan, unit));
  if (r.ways.rest.deadline_s) fields.push_back(estimate_field(plan, PlanMetric::late, unit));
  const bool is_compared = way != nullptr && way->kind != WayOn::Kind::go_on;
  fields.push_back(time_field("tau less by", is_compared ? way->takes_less : kUnknownEstimate, unit));
  if (r.ways.rest.deadline_s) fields.push_back(points_field("RF less by", is_compared ? way->late_less : kUnknownEstimate));
  for (auto& field : fields)
    if (const auto* e = std::get_if<Estimate>(&field.value); e != nullptr && std::isnan(e->value)) field.value = std::string("-");
  return fields;
}

void show_ways(const UnderWayReport& r, Answer& answer) {
  std::vector<const WayOn*> rows{nullptr};
  for (const auto& way : r.ways.ways) rows.push_back(&way);
  const auto row = [&](const WayOn* way) {
    if (way == nullptr) return row_of(r, "as planned", r.planned, nullptr);
    return row_of(r, (way == &r.ways.ways[r.ways.advised] ? "* " : "") + way->name(), way->rest, way);
  };
  const bool are_several = r.ways.ways.size() > 1;
  std::vector<std::string> notes{std::string("  (times since the job began; less by: than by going on") +
                                 (are_several ? ", with intervals that all hold together" : "") + ")"};
  if (r.request.risk && are_several)
    notes.push_back("  (" + promised_name(r.request) + ": intervals of " + digits(100 * r.ways.of_promise) + " %, likewise)");
  answer.show(table_of(rows, row), 1);
  answer.say(std::move(notes));
}

void show_machines(const UnderWayReport& r, Answer& answer) {
  const auto& workstations = r.planned.scenario->platform->workstations;
  const WayOn& advised = r.ways.ways[r.ways.advised];
  const bool has_seen = std::ranges::any_of(r.progress.machines, [](const auto& m) { return m.seen.has_value(); });
  const WorkUnit unit = work_unit(r.request.work_flop);
  const auto amount = [&](const std::string& name, double flop) {
    return Field{name, digits(flop / unit.flop), kInTable, unit.name};
  };
  const auto row = [&](std::size_t i) {
    const MachineProgress& m = r.progress.machines[i];
    Fields fields{text_field("machine", workstations[i].name), amount("part", m.part_flop),
                  {"done", m.takes_part() ? percent(m.done_flop / m.part_flop) : "-", kInTable, "%"}};
    if (r.expected) {
      const auto& e = r.expected->machines[i];
      fields.push_back({"by the plan", e ? percent(e->mean) + " [" + percent(e->low) + ", " + percent(e->high) + "]" : "-",
                        kInTable, "%"});
    }
    if (has_seen) fields.push_back(text_field("seen", m.seen ? digits(*m.seen) : "-"));
    fields.push_back(amount("left", m.left_flop()));
    if (r.ways.advised != 0)
      fields.push_back(text_field(advised.name() + ": left", digits(advised.rest.scenario->share_flop[i] / unit.flop)));
    return fields;
  };
  answer.show(table_of(listed(workstations.size()), row), 1, and_more(workstations.size(), "--format json names all"));
  if (r.expected)
    answer.say({"  (by the plan: mean and nine of ten of " + std::to_string(r.expected->replications) + " simulated beginnings)"});
}

// ---- for programs ----------------------------------------------------------------------------------------------------

const char* kind_name(WayOn::Kind kind) {
  static constexpr const char* kNames[] = {"go_on", "move", "give_up", "add"};
  return kNames[static_cast<std::size_t>(kind)];
}

Fields way_fields(const UnderWayReport& r, std::size_t k) {
  const WayOn& way = r.ways.ways[k];
  Fields fields{{"way", way.name()},
                {"kind", std::string(kind_name(way.kind))},
                {"machine", way.machine},
                {"work", r.request.work_flop, kInCsv}};
  add_asked(r.request, fields);
  fields.push_back({"elapsed", r.said.elapsed_s, kInCsv});
  fields.push_back({"done", r.progress.done_flop() / r.progress.part_flop(), kInCsv});
  add_estimates(r.request, way.rest, fields);
  fields.push_back({"tau_less", way.takes_less});
  fields.push_back({"RF_less", way.late_less});
  fields.push_back({"advised", std::uint64_t{k == r.ways.advised ? 1U : 0U}});
  append(fields, run_fields(way.rest.row));
  const auto& workstations = r.planned.scenario->platform->workstations;
  add_work(way.rest, workstations, fields);
  const auto machine = [&way, &workstations](std::size_t i) -> Value {
    return Object{{{"name", workstations[i].name}, {"work_flop", way.rest.scenario->share_flop[i]}}};
  };
  fields.push_back({"split", List{workstations.size(), machine}, kInJson});
  return fields;
}

Value expected_value(const std::optional<ExpectedShare>& e) {
  if (!e) return {};
  return Object{{{"mean", e->mean}, {"low", e->low}, {"high", e->high}, {"least", e->least}, {"most", e->most}}};
}

Object machine_object(const UnderWayReport& r, std::size_t i) {
  const MachineProgress& m = r.progress.machines[i];
  return {{{"name", r.planned.scenario->platform->workstations[i].name},
           {"part_flop", m.part_flop},
           {"done_flop", m.done_flop},
           {"left_flop", m.left_flop()},
           {"seen", known(m.seen)},
           {"expected_done", r.expected ? expected_value(r.expected->machines[i]) : Value()}}};
}

Object whole_of(const UnderWayReport& r, const List& ways) {
  Fields planned{{"policy", r.planned.name()}};
  add_estimates(r.request, r.planned, planned);
  const auto machine = [&r](std::size_t i) -> Value { return machine_object(r, i); };
  Object whole{whole_head(title_of(r), r.request)};
  append(whole.fields,
         {{"elapsed_s", r.said.elapsed_s},
          {"moving_s", r.said.moving_s},
          {"done_share", r.progress.done_flop() / r.progress.part_flop()},
          {"expected_share", r.expected ? expected_value(r.expected->whole) : Value()},
          {"confidence", r.planned.plan.confidence},
          {"confidence_of_each", r.ways.of_each},
          {"planned", Object{planned}},
          {"ways", ways},
          {"advised", r.ways.ways[r.ways.advised].name()},
          {"machines", List{r.progress.machines.size(), machine}},
          {"advice", texts(under_way_sentences(r))}});
  if (!r.ways.table.remark.empty()) whole.fields.push_back({"remark", r.ways.table.remark});
  return whole;
}

/// The plan, to go on, and what is advised.
std::string script_of(const UnderWayReport& r, PictureFormat format) {
  ResultTable table = r.ways.table;
  table.title = title_of(r);
  std::vector<Alternative> plans{r.planned, r.ways.ways.front().rest};
  plans.front().row.values = {"as planned"};
  if (r.ways.advised != 0) plans.push_back(r.ways.ways[r.ways.advised].rest);
  return risk_script(r.request, table, plans, format, &r.ways.ways[r.ways.advised].rest, r.said.elapsed_s);
}

}  // namespace

Answer under_way_answer(UnderWayReport report) {
  const auto kept = std::make_shared<const UnderWayReport>(std::move(report));
  const UnderWayReport& r = *kept;
  Answer answer;
  answer.say({title_of(r) + deadline_text(r.request)});
  show_ways(r, answer);
  show_machines(r, answer);
  answer.say(under_way_sentences(r));
  answer.say(run_lines(r.ways.table));
  answer.tables.push_back(rows_of(".csv", r.ways.ways.size(), [&r](std::size_t k) { return way_fields(r, k); }));
  answer.whole = whole_of(r, answer.tables.front().rows);
  answer.script = [&r](PictureFormat format) { return script_of(r, format); };
  answer.has_failures = r.ways.table.has_failures();
  answer.made_of = kept;
  return answer;
}

}  // namespace nowsim
