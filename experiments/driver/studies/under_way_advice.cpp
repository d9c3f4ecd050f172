// Sentences about a job that is under way.
#include <algorithm>
#include <cmath>

#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/studies/under_way_report.hpp"
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
/// "42.9 %".
std::string about(double share) { return format_quantity(std::round(1000 * share) / 10, Dimension::number) + " %"; }
double share_done(const MachineProgress& m) { return m.takes_part() ? m.done_flop / m.part_flop : 0; }

/// "97.3 [96.1, 98.2] %" of the deadline's being kept.
std::string kept(const Estimate& late) { return percent_text(Estimate{1 - late.value, 1 - late.high, 1 - late.low}); }

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
  const std::string is_done = duration_text(r.said.elapsed_s) + " after it began " + about(done) + " of the job is done";
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
std::string about_risk(const UnderWayReport& r, const PolicyPlan& plan, const std::string& by) {
  if (!r.request.risk) return "";
  const double risk = *r.request.risk;
  const char* is = plan.late.high <= risk ? " is kept" : plan.late.low > risk ? " is exceeded" : " may be kept or not";
  return " The risk of " + percent_text(risk) + is + by + ".";
}

std::string about_deadline(const UnderWayReport& r) {
  const PolicyPlan& on = r.ways.ways.front().rest;
  const double deadline_s = *r.request.deadline_s;
  if (!r.ways.rest.deadline_s)
    return "The deadline of " + duration_text(deadline_s) + " was over " + duration_text(r.said.elapsed_s - deadline_s) +
           " ago; going on, the job ends after " + duration_text(on.tau.value) + " on average.";
  return "Going on, the deadline of " + duration_text(deadline_s) + " holds with probability " + kept(on.late) +
         "; when it was planned: " + kept(r.planned.late) + "." + about_risk(r, on, "");
}

/// "RF falls by 3.1 ± 0.4 points and tau by 2.1 ± 0.2 min"; "" where neither can be told.
std::string gain_text(const UnderWayReport& r, const WayOn& way) {
  Words parts;
  const auto part = [&](const std::string& of, const Estimate& less, double unit, const std::string& name) {
    if (!is_apart_from_zero(less)) return;
    const Estimate size = less.value > 0 ? less : Estimate{-less.value, -less.high, -less.low};
    parts.push_back(of + (less.value > 0 ? " falls by " : " rises by ") + estimate_text(in_unit(size, unit)) + " " + name);
  };
  part("RF", way.late_less, 0.01, "points");
  const ColumnUnit unit = column_unit(r.ways.ways.front().rest.tau.value);
  part("tau", way.takes_less, unit.seconds, unit.name);
  return parts.size() == 2 ? parts[0] + " and " + parts[1] : joined(parts);
}

std::string what_to_do(const WayOn& way) {
  switch (way.kind) {
    case WayOn::Kind::go_on: return "Go on";
    case WayOn::Kind::move: return "Move work";
    case WayOn::Kind::give_up: return "Give up " + way.machine;
    case WayOn::Kind::add: return "Add " + way.machine;
  }
  return "";
}

std::string about_advice(const UnderWayReport& r) {
  const WayOn& way = r.ways.ways[r.ways.advised];
  if (r.ways.ways.size() == 1) return "Go on: there is nothing else to be done with these machines.";
  if (way.kind == WayOn::Kind::go_on)
    return "Go on: of nothing else that was tried can it be told that it does better.";
  const std::string gain = what_to_do(way) + ": " + gain_text(r, way) + " beside going on.";
  if (!r.ways.rest.deadline_s) return gain;
  return gain + " The deadline then holds with probability " + kept(way.rest.late) + "." + about_risk(r, way.rest, " then");
}

/// The way of a kind that takes least; none where there is no such.
const WayOn* best_of(const UnderWayReport& r, WayOn::Kind kind) {
  const WayOn* best = nullptr;
  for (const auto& way : r.ways.ways)
    if (way.kind == kind && (best == nullptr || way.rest.tau.value < best->rest.tau.value)) best = &way;
  return best;
}

std::vector<std::string> about_others(const UnderWayReport& r) {
  std::vector<std::string> out;
  const ColumnUnit unit = column_unit(r.ways.ways.front().rest.tau.value);
  const auto tau = [&](const WayOn& way) { return estimate_text(in_unit(way.rest.tau, unit.seconds)) + " " + unit.name; };
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
  std::string out = "At a risk of " + percent_text(risk) + " promise " + duration_text(t.high) + " from the beginning, which is in " +
                    duration_text(t.high - r.said.elapsed_s);
  if (r.planned.safe_deadline && std::isfinite(r.planned.safe_deadline->high))
    out += "; when it was planned: " + duration_text(r.planned.safe_deadline->high);
  return out + ".";
}

}  // namespace

std::vector<std::string> under_way_sentences(const UnderWayReport& r) {
  std::vector<std::string> out;
  if (r.is_recommended)
    out.push_back("Taken to be under way by '" + r.planned.policy +
                  "', which the plan recommends; name another split by --policies, or machines' parts in --done-file.");
  out.push_back(about_progress(r));
  const auto add = [&out](std::vector<std::string> more) { std::ranges::move(more, std::back_inserter(out)); };
  add(about_surprises(r));
  add(about_memory(r));
  if (r.request.deadline_s) out.push_back(about_deadline(r));
  out.push_back(about_advice(r));
  add(about_others(r));
  if (r.request.risk) out.push_back(about_promise(r));
  return out;
}

}  // namespace nowsim
