// Beginnings to try, what came of each, and the one to choose.
#include "experiments/driver/studies/start_choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {

namespace {

constexpr double kRounding_s = 1e-6;

/// Round moments of the day by the clock on the wall, between two others.
void add_round_starts(const WallClock& clock, double from_s, double until_s, double step_s, std::vector<double>& starts) {
  const double local_s = clock.local_s(from_s);
  for (double after_s = from_s + std::ceil(local_s / step_s) * step_s - local_s; after_s < until_s - kRounding_s; after_s += step_s)
    if (after_s > from_s + kRounding_s) starts.push_back(after_s);
}

/// Where clocks are put back, moments that they show twice are the same to owners.
void leave_out_doubles(const WallClock& clock, std::vector<double>& starts) {
  double last_s = -kInfinity;
  std::erase_if(starts, [&](double after_s) {
    const double local_s = clock.local_s(after_s);
    return local_s <= last_s || (last_s = local_s, false);
  });
}

}  // namespace

std::vector<double> coarse_starts(const WallClock& clock, double until_s) {
  constexpr double kSteps_s[] = {kStartStep_s, 1800, 3600, 7200, 14400};
  constexpr double kMost = 48;
  double step_s = kSteps_s[0];
  for (const double wider_s : kSteps_s)
    if (step_s = wider_s; until_s <= kMost * step_s) break;
  std::vector<double> starts{0};
  add_round_starts(clock, 0, until_s, step_s, starts);
  if (until_s > kRounding_s) starts.push_back(until_s);
  leave_out_doubles(clock, starts);
  return starts;
}

namespace {

/// Rows of an experiment by policy and, fastest, by beginning.
void add_run(const PlanRequest& request, const StartRun& run, const ResultTable& table, double promised, StartReport& report) {
  const std::size_t n = run.starts_s.size();
  for (std::size_t s = 0; s < n; ++s) {
    TriedStart tried{run.starts_s[s], begun_later(request, run.starts_s[s]), {}, {}};
    for (std::size_t p = s; p < table.rows.size(); p += n)
      tried.plans.push_back(alternative(table.rows[p], run.experiment.points[p], run.outcomes[p], tried.request, promised));
    report.starts.push_back(std::move(tried));
  }
}

/// By what a plan is the better: RF of a deadline by the clock, where that is the same as without one the promise.
std::pair<double, double> goodness(const StartReport& report, const Alternative& plan) {
  return {report.is_latest() ? plan.late().value : 0, plan.safe_deadline->value};
}

std::optional<std::size_t> best_plan(const StartReport& report, const TriedStart& start) {
  std::optional<std::size_t> best;
  for (std::size_t p = 0; p < start.plans.size(); ++p)
    if (start.plans[p].is_complete() &&
        (!best || goodness(report, start.plans[p]) < goodness(report, start.plans[*best])))
      best = p;
  return best;
}

std::vector<std::size_t> complete_starts(const StartReport& report) {
  std::vector<std::size_t> out;
  for (std::size_t s = 0; s < report.starts.size(); ++s)
    if (report.starts[s].best) out.push_back(s);
  return out;
}

void choose_latest(const StartReport& report, const std::vector<std::size_t>& known, StartChoice& choice) {
  const double risk = *report.request.risk;
  const auto late = [&](std::size_t s) { return report.starts[s].plan().late(); };
  const auto least = std::ranges::min_element(known, {}, [&](std::size_t s) { return late(s).value; });
  choice.least = *least;
  const auto last_while = [&](const auto& holds) {
    const auto end = std::find_if_not(least, known.end(), holds);
    return end == least ? std::nullopt : std::optional(*(end - 1));
  };
  choice.chosen = last_while([&](std::size_t s) { return late(s).high <= risk; });
  choice.is_sure = choice.chosen.has_value();
  if (!choice.chosen) choice.chosen = last_while([&](std::size_t s) { return late(s).value <= risk; });
  choice.may_hold = last_while([&](std::size_t s) { return late(s).low <= risk; });
}

/// Of replications that see stretches of a recording no more than of so many.
Estimate promise_more(const Alternative& one, const Alternative& than, double risk, double confidence) {
  const auto unit = static_cast<std::size_t>(dependent_replications(*one.scenario));
  const Estimate more = paired_quantile_difference(one.makespans_s(), than.makespans_s(), 1 - risk, confidence, unit);
  return of_stretches(more, independent_stretches(*one.scenario, one.statistics->makespan_s), one.makespans_s().size(),
                      false, confidence);
}

void choose_shortest(const StartReport& report, const std::vector<std::size_t>& known, StartChoice& choice) {
  const auto promise_s = [&](std::size_t s) { return report.starts[s].plan().safe_deadline->value; };
  choice.least = *std::ranges::min_element(known, {}, promise_s);
  const Alternative& best = report.starts[*choice.least].plan();
  const auto is_near = [&](std::size_t s) { return promise_s(s) <= (1 + kNearPromise) * promise_s(*choice.least); };
  choice.chosen = *std::ranges::find_if(known, is_near);
  choice.of_each = promise_confidence(std::max<std::size_t>(1, known.size() - 1), report.confidence);
  for (std::size_t k = 0; k < known.size(); ++k) {
    const std::size_t s = known[k];
    const Alternative& plan = report.starts[s].plan();
    constexpr double kMost = 0.1;  // nobody takes it for as good, though few replications or days may not tell
    const bool is_alike =
        is_near(s) || (promise_s(s) <= (1 + kMost) * promise_s(*choice.least) &&
                       promise_more(plan, best, *report.request.risk, choice.of_each).low <= 0);
    if (!is_alike) continue;
    if (k > 0 && !choice.alike.empty() && choice.alike.back().last == known[k - 1]) choice.alike.back().last = s;
    else choice.alike.push_back({s, s});
  }
}

/// Whether owners or links are others than at the first beginning, or cannot be had.
bool goes_by_clock(const StartReport& report) {
  const auto differ = [](const std::vector<OwnerPtr>& a, const std::vector<OwnerPtr>& b) {
    return !std::ranges::equal(a, b, [](const OwnerPtr& x, const OwnerPtr& y) { return x == y || x->identity() == y->identity(); });
  };
  const auto& first = report.starts.front().plans;
  return std::ranges::any_of(report.starts, [&](const TriedStart& start) {
    for (std::size_t p = 0; p < first.size(); ++p) {
      const auto &a = first[p].scenario, &b = start.plans[p].scenario;
      if (!a != !b) return true;
      if (a && (differ(a->owners, b->owners) || differ(a->bandwidth, b->bandwidth))) return true;
    }
    return false;
  });
}

}  // namespace

StartReport start_report(const PlanRequest& request, const std::vector<StartRun>& runs) {
  StartReport report;
  report.request = request;
  report.request.starts_s.clear();
  std::vector<ResultTable> tables;
  for (const auto& run : runs) tables.push_back(summarise(run.experiment, run.outcomes));
  report.confidence = runs.front().experiment.points.front().plan.confidence;
  const double promised = promise_confidence(request.policies.size(), report.confidence);
  for (std::size_t k = 0; k < runs.size(); ++k) add_run(report.request, runs[k], tables[k], promised, report);
  std::ranges::sort(report.starts, {}, &TriedStart::after_s);
  report.summary = std::move(tables.front());
  for (std::size_t k = 1; k < tables.size(); ++k)
    std::ranges::move(tables[k].rows, std::back_inserter(report.summary.rows));
  for (auto& start : report.starts) start.best = best_plan(report, start);
  report.is_by_clock = goes_by_clock(report);
  if (const auto known = complete_starts(report); !known.empty())
    report.is_latest() ? choose_latest(report, known, report.choice) : choose_shortest(report, known, report.choice);
  return report;
}

std::vector<double> finer_starts(const StartReport& report) {
  const auto& starts = report.starts;
  std::vector<double> finer;
  const auto between = [&](std::size_t first) {
    if (first + 1 >= starts.size()) return;
    add_round_starts(report.request.clock.value(), starts[first].after_s, starts[first + 1].after_s, kStartStep_s, finer);
  };
  const StartChoice& choice = report.choice;
  if (!report.is_by_clock && !report.is_latest()) return {};
  if (report.is_latest()) {
    const std::size_t last = starts.size() - 1;
    const std::size_t from = choice.chosen.value_or(last), to = choice.may_hold.value_or(from);
    between(from);
    if (to != from) between(to);
  } else if (choice.chosen) {
    if (*choice.chosen > 0) between(*choice.chosen - 1);
    between(*choice.chosen);
  }
  leave_out_doubles(*report.request.clock, finer);
  std::erase_if(finer, [&](double after_s) {
    return std::ranges::any_of(starts, [&](const TriedStart& s) {
      return report.request.clock->local_s(s.after_s) == report.request.clock->local_s(after_s);
    });
  });
  return finer;
}

}  // namespace nowsim
