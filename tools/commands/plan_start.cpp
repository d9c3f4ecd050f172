// `nowsim plan --start any`, or a range: beginnings tried coarsely, then finely where it counts, and the answer told.
#include <algorithm>
#include <ostream>
#include <utility>

#include "experiments/driver/studies/start_choice.hpp"
#include "sim/base/error.hpp"
#include "sim/splitting/policies.hpp"
#include "tools/commands/plan_steps.hpp"
#include "tools/running/prepare.hpp"
#include "tools/terminal/interruption.hpp"

namespace nowsim {

namespace {

/// Flags of other questions, and why they do not go with this one.
void refuse_others(const Arguments& arguments) {
  constexpr std::pair<const char*, const char*> kOthers[] = {
      {"mpi", "of a recorded program nobody asks yet when to begin: give one beginning, and compare several plans"},
      {"subset", "which machines to use is asked of one beginning: ask when first, and then with that --start"},
      {"replay", "recorded days are replayed from one beginning: ask when first, and then with that --start"},
      {"elapsed", "a job that is under way has begun"},
      {"done", "a job that is under way has begun"},
      {"done-file", "a job that is under way has begun"},
      {"seen", "what is seen of owners is of now, and these beginnings are later"},
      {"moving", "a job that is under way has begun"},
      {"shard", "beginnings are tried coarsely, then finely where it counts, which cannot be shared out beforehand"}};
  for (const auto& [flag, reason] : kOthers)
    if (arguments.has(flag)) throw UsageError("--start " + arguments.text("start") + " and --" + flag + ": " + reason);
}

/// Until when beginnings are tried, behind the first one [s].
double until_of(const PlanRequest& request, const std::optional<double>& asked_s, Session& session) {
  constexpr double kDay_s = 86400;
  const double until_s = asked_s.value_or(request.is_deadline_by_clock ? kLongestWait_s : kDay_s);
  if (!request.is_deadline_by_clock) return until_s;
  // Who begins at the deadline misses it.
  const double last_s = *request.deadline_s - kStartStep_s;
  if (last_s < 0)
    throw UsageError("--deadline: " + request.clock->full_text(*request.deadline_s) + " is less than " + duration_text(kStartStep_s) +
                     " behind the first beginning, " + request.clock->full_text() + ": nothing can be chosen between");
  if (asked_s && *asked_s > last_s)
    session.error << "remark: beginnings are tried up to " << duration_text(kStartStep_s) << " before the deadline\n";
  return std::min(until_s, last_s);
}

/// All policies that were asked for, else those whose splits take no simulation.
void choose_policies(PlanRequest& request, bool are_asked, const Registry<Policy>& policies) {
  if (are_asked) return;
  std::erase_if(request.policies, [&](const std::string& name) {
    const Policy& policy = *policies.find(name);
    return policy.split == nullptr || policy.is_second_step;
  });
}

/// As many replications as there is time for.
void fit_in_time(PlanRequest& request, bool are_policies_asked, const TimeGiven& given, Session& session) {
  const Experiment described = planned_experiment(request, are_policies_asked, session);
  print_remarks(described);
  const std::uint64_t fit = replications_given(session, described, without_risk(request), given);
  if (fit != plan_time(described, without_risk(request), given.jobs).replications)
    request.options.overrides.push_back("run.replications=" + std::to_string(fit));
}

StartRun run_starts(PlanRequest request, std::vector<double> starts_s, const AnswerManner& manner, BatchStore* store,
                    Session& session) {
  request.starts_s = std::move(starts_s);
  const Experiment ready =
      ready_to_run(plan_experiment(request, session.known), store, manner.how.jobs, manner.how.quiet, manner.is_over);
  auto outcomes = simulated(ready, manner.how, manner.is_over, store);
  return {request.starts_s, ready, std::move(outcomes)};
}

/// Owners as they are, of the first beginning and the chosen one.
void find_begun(StartReport& report, const Registries& known) {
  const auto begun = [&](const TriedStart& start) -> std::shared_ptr<const Scenario> {
    return start.best ? begun_scenario(start.request, *start.plan().scenario, known) : nullptr;
  };
  if (!report.choice.chosen) return;
  report.then = begun(report.chosen());
  report.first = *report.choice.chosen == 0 ? report.then : begun(report.starts.front());
}

/// Of all the time that there is, what coarse beginnings may take.
TimeGiven time_for_coarse(const TimeGiven& given, std::size_t coarse, double step_s) {
  const double finer = 2 * std::max(0.0, step_s / kStartStep_s - 1), all = static_cast<double>(coarse);
  return {given.most_s * all / (all + finer), given.jobs, given.replications_were_asked};
}

}  // namespace

int answer_start_plan(PlanRequest request, const Arguments& arguments, Session& session, BatchStore* store) {
  refuse_others(arguments);
  const bool is_risk_given = request.risk.has_value();
  request.risk = request.risk.value_or(kStartRisk);
  const double until_s = until_of(request, last_start_of(arguments, session, *request.clock), session);
  choose_policies(request, arguments.has("policies"), session.known.policies);
  const OutputFlags how = output_flags(arguments);
  const bool is_timed = store == nullptr || arguments.has("at-most");
  const TimeGiven given{is_timed ? *arguments.quantity("at-most") : kInfinity, how.jobs, asks_for_replications(request.options)};
  const AnswerManner manner{how, picture_flag(arguments, "picture"), given, due_after(given.most_s)};
  request.starts_s = coarse_starts(*request.clock, until_s);
  const auto& coarse = request.starts_s;
  const double step_s = coarse.size() > 2 ? coarse[2] - coarse[1] : 0;
  fit_in_time(request, arguments.has("policies"), time_for_coarse(given, coarse.size(), step_s), session);
  std::vector<StartRun> runs{run_starts(request, coarse, manner, store, session)};
  StartReport report = start_report(request, runs);
  int failed = 0;
  if (auto finer = finer_starts(report); !finer.empty()) try {
      runs.push_back(run_starts(request, std::move(finer), manner, store, session));
      report = start_report(request, runs);
    } catch (const RunError& e) {  // what is known is told
      session.error << "error: " << e.what() << '\n';
      failed = 1;
    }
  report.is_risk_given = is_risk_given;
  find_begun(report, session.known);
  return std::max(failed, tell_answer(session, start_answer(std::move(report)), how, manner.picture));
}

}  // namespace nowsim
