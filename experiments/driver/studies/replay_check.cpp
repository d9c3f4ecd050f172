// Owners of one recorded day, and owners fitted to the other days, under the plan's split.
#include "experiments/driver/studies/replay_check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/driver/points/fitted_habits.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/clock_text.hpp"
#include "sim/base/error.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

constexpr std::int64_t kFirstMonday = 4;  // in days since 1970
constexpr std::uint64_t kReplications = 400;

/// In the order of the scenario's machines, the recordings of those that have a part, which are all that is kept of it.
std::vector<FittedHost> hosts_of(std::vector<FittedHost> hosts, const Scenario& scenario) {
  std::vector<FittedHost> out;
  Words missing;
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const std::string& name = scenario.platform->workstations[i].name;
    const auto found = std::ranges::find(hosts, name, &FittedHost::name);
    if (found == hosts.end()) missing.push_back(name);
    else out.push_back(std::move(*found));
  }
  if (missing.empty()) return out;
  throw InputError("--replay: there is no recording of " + joined(missing) + ": files are called as machines are, MACHINE.csv");
}

/// The makespans of a scenario with other owners, in so many replications.
std::vector<double> makespans_s(const Alternative& plan, std::vector<OwnerPtr> owners, std::uint64_t replications, const StudyManner& manner) {
  Scenario scenario = *plan.scenario;
  scenario.owners = std::move(owners);
  scenario.controls = nullptr;
  Point point;
  point.plan = plan.plan;
  point.plan.replications = replications;
  point.plan.precision = 0;
  point.state = ready_point(std::move(scenario));
  const auto outcomes = run_with_makespans({std::move(point)}, manner);
  if (!outcomes.front().statistics) throw RunError("a recorded day could not be simulated");
  return outcomes.front().statistics->makespans_s;
}

/// All machines' series from a recorded moment on that they have in common.
std::vector<OwnerPtr> replayed(const std::vector<FittedHost>& hosts, const ClockMoment& at, const TimeZone& zone) {
  std::vector<OwnerPtr> owners;
  for (const auto& host : hosts)
    owners.push_back(trace_owner(std::make_shared<const LoadSeries>(host.trace), TraceStart::random, "trace " + host.name, 0, host.file, at, &zone));
  SharedParts parts;
  return replayed_together(std::move(owners), {}, [&](std::size_t i) { return hosts[i].name; }, parts).owners;
}

/// On the day of this number alone.
std::vector<OwnerPtr> on_day(const std::vector<OwnerPtr>& owners, std::size_t k) {
  std::vector<OwnerPtr> out;
  for (const auto& owner : owners) {
    SeriesOwner one = std::get<SeriesOwner>(owner->kind);
    one.days = std::make_shared<const ReplayedDays>(
        ReplayedDays{one.days->at, one.days->first_s, {one.days->begin_s[k]}, {one.days->day[k]}, one.days->resume_s});
    out.push_back(std::make_shared<const Owner>(Owner{std::move(one)}));
  }
  return out;
}

std::vector<OwnerPtr> fitted_owners(std::vector<FittedHost> hosts, const ClockMoment& at, const TimeZone& zone, const std::vector<std::int64_t>& held_out) {
  const HabitsAnswer answer = fit_habits_of(hosts, zone, held_out);
  if (!answer.fit) throw InputError("--replay: without " + std::to_string(held_out.size()) + " of the days no habits can be told: " + answer.why_not);
  std::vector<OwnerPtr> owners;
  for (const auto& host : hosts) {
    auto habits = std::make_shared<Habits>();
    habits->layers = host.habits->layers;
    habits->start_s = *at.weekday * kDay_s + at.of_day_s;
    habits->label = "habits of the other days";
    owners.push_back(measured_habits(habits, host.habits->level_se, host.habits->worth));
  }
  return owners;
}

/// "Mon 2026-11-02", of a day since 1970.
std::string date_text(std::int64_t day) {
  constexpr std::size_t kDayAndDate = 14;
  return WallClock{static_cast<double>(day) * kDay_s, TimeZone()}.full_text().substr(0, kDayAndDate);
}

}  // namespace

ReplayCheck replay_check(std::vector<FittedHost> given, const Alternative& plan, const PlanRequest& request, const StudyManner& manner) {
  const ClockMoment at = request.clock->moment();
  const TimeZone& zone = request.clock->zone;
  const std::vector<FittedHost> hosts = hosts_of(std::move(given), *plan.scenario);
  const std::vector<OwnerPtr> owners = replayed(hosts, at, zone);
  const ReplayedDays days = *std::get<SeriesOwner>(owners.front()->kind).days;
  for (const auto& owner : owners)
    if (std::get<SeriesOwner>(owner->kind).days->day != days.day)
      throw InputError("--replay: the recordings share too little time to be replayed together");
  ReplayCheck check;
  check.risk = request.risk.value_or(0.1);
  for (std::size_t k = 0; k < days.day.size(); ++k) {
    manner.on_run("replaying day " + std::to_string(k + 1) + " of " + std::to_string(days.day.size()));
    const double took_s = makespans_s(plan, on_day(owners, k), 1, manner).front();
    if (days.begin_s[k] + took_s > std::get<SeriesOwner>(owners.front()->kind).series->total_s) continue;  // it would see days anew
    std::vector<std::int64_t> held_out;
    for (double begun_s = -at.of_day_s; begun_s < took_s; begun_s += kDay_s) held_out.push_back(days.day[k] + std::ssize(held_out));
    const auto times_s = makespans_s(plan, fitted_owners(hosts, at, zone, held_out), kReplications, manner);
    const Estimate promise_s = quantile_estimate(times_s, 1 - check.risk, plan.plan.confidence, kReplicationsPerDraw);
    if (!check.days.empty()) {
      const ReplayedDay& before = check.days.back();
      check.do_overlap |= static_cast<double>(days.day[k] + kFirstMonday - before.day) * kDay_s < before.took_s;
    }
    check.days.push_back({days.day[k] + kFirstMonday, std::isfinite(promise_s.high) ? promise_s.high : promise_s.value, took_s});
  }
  if (check.days.empty()) throw InputError("--replay: behind none of the days that are like it is enough recorded for the job to end");
  return check;
}

std::vector<std::string> replay_sentences(const ReplayCheck& check, const PlanRequest& request) {
  const auto kept = std::ranges::count_if(check.days, &ReplayedDay::is_kept);
  const std::size_t n = check.days.size();
  constexpr double kLevel = 0.95;
  const Estimate often = proportion_interval(static_cast<double>(kept) / static_cast<double>(n), static_cast<double>(n), kLevel);
  std::vector<std::string> out{"Replayed on the " + std::to_string(n) + " recorded " + (n == 1 ? "day that is" : "days that are") + " like " +
                               request.clock->text(0).substr(0, 3) + ", each with a fit that has not seen it: " + std::to_string(kept) + " of " +
                               std::to_string(n) + " promises kept; at least " + fmt::format("{:.3g}", static_cast<double>(n) * (1 - check.risk)) +
                               " were to be expected, and as few days tell no more than that " + fmt::format("{:.0f} to {:.0f} % are.", 100 * often.low, 100 * often.high)};
  if (check.do_overlap) out.push_back("The job takes longer than from one of these days to the next: they overlap, and tell less than as many apart.");
  return out;
}

TextTable replay_table(const ReplayCheck& check) {
  const auto row = [](const ReplayedDay& day) {
    return Fields{text_field("day", date_text(day.day)), text_field("promised", duration_text(day.promise_s)), text_field("took", duration_text(day.took_s)), text_field("kept", day.is_kept() ? "yes" : "no")};
  };
  return table_of(check.days, row);
}

Object replay_object(const ReplayCheck& check) {
  const auto day = [](const ReplayedDay& one) {
    return Object{{{"day", date_text(one.day).substr(4)}, {"promise_s", one.promise_s}, {"took_s", one.took_s}, {"kept", one.is_kept()}}};
  };
  return {{{"risk", check.risk}, {"overlap", check.do_overlap}, {"days", list_of(check.days, day)}}};
}

}  // namespace nowsim
