// From a question to the experiment that there is time for, and running it.
#include "tools/commands/plan_steps.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/error.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {
namespace {

/// The request without those policies that cannot be had on these machines, which are named; nothing where that leaves
/// none, or all.
std::optional<PlanRequest> without_impossible(const PlanRequest& request, Session& session) {
  PlanRequest possible = request;
  possible.policies.clear();
  std::string remarks;
  for (const auto& policy : request.policies) try {
      plan_experiment(about_policy(request, *session.known.policies.find(policy)), session.known);
      possible.policies.push_back(policy);
    } catch (const InputError& e) {
      remarks += "remark: without the policy '" + policy + "': " + e.what() + "\n";
    }
  if (possible.policies.empty() || remarks.empty()) return std::nullopt;
  session.error << remarks;
  return possible;
}

}  // namespace

void refuse_beside(const Arguments& arguments, const char* with, std::span<const RefusedFlag> flags) {
  for (const auto& [flag, reason] : flags)
    if (arguments.has(flag)) throw UsageError("--" + std::string(flag) + " does not go with --" + with + ": " + reason);
}

Experiment planned_experiment(PlanRequest& request, bool is_asked_for, Session& session) {
  try {
    return plan_experiment(request, session.known);
  } catch (const InputError&) {
    if (is_asked_for) throw;
    const auto possible = without_impossible(request, session);
    if (!possible) throw;
    request = *possible;
    return plan_experiment(request, session.known);
  }
}

bool leave_out_long_searches(Session& session, PlanRequest& request, const Experiment& described, const TimeGiven& given,
                             const Registry<Policy>& policies) {
  constexpr double kMostOfTime = 0.1;
  bool are_some = false;
  for (const Point& point : described.points) {
    const std::string& name = point.values.front();
    const double search_s = least_cost_s(point) / std::max(1, given.jobs);
    const Policy* policy = policies.find(name);  // null: a queue
    if (policy == nullptr || policy->split != nullptr || search_s <= kMostOfTime * given.most_s) continue;
    are_some = true;
    std::erase(request.policies, name);
    session.error << "remark: without the policy '" << name << "', whose split would be searched for about "
              << rough_duration(search_s) << "; '--policies " << name << ",proportional' has it\n";
  }
  return are_some;
}

PlanRequest without_risk(PlanRequest request) {
  request.risk.reset();
  return request;
}

std::uint64_t replications_given(Session& session, const Experiment& described, const PlanRequest& timed, const TimeGiven& given) {
  const PlanTime time = plan_time(described, timed, given.jobs);
  const std::uint64_t fit = replications_in_time(time, given.most_s, given.replications_were_asked);
  if (fit != time.replications)
    session.error << "remark: " << fit << " replications, not " << time.replications << ", with which the plan would take about "
              << rough_duration(time.whole_s) << " (--at-most gives it " << rough_duration(given.most_s) << ")\n";
  return fit;
}

bool asks_for_replications(const LoadOptions& options) {
  return std::ranges::any_of(options.overrides,
                             [](const std::string& text) { return parse_override(text).key == "run.replications"; });
}

std::function<bool()> due_after(double most_s) {
  using Clock = std::chrono::steady_clock;
  const auto due = std::chrono::duration<double>(most_s);
  return [due, start = Clock::now()] { return Clock::now() - start > due || interruption_requested(); };
}

int tell_answer(Session& session, const Answer& answer, const OutputFlags& how, const PictureFile& picture) {
  write_answer(answer, how.format, session.out);
  session.out.flush();
  write_picture(session, picture, answer.script, how.quiet);
  return answer.has_failures ? 1 : 0;
}

std::vector<PointOutcome> simulated(const Experiment& experiment, const OutputFlags& how,
                                    const std::function<bool()>& is_over, BatchStore* store) {
  const ExecutionPlan execution = plan_execution(experiment);
  std::vector<StoredScenario> stored;
  if (store != nullptr) stored = store->add_scenarios(execution);
  ProgressLine line;
  Progress last;
  const auto tell = [&](const Progress& p) {
    last = p;
    if (!how.quiet) line.show(p);
  };
  try {
    return execute(experiment, execution, {{how.jobs, tell, is_over}, store, &stored});
  } catch (const Interrupted&) {
    if (interruption_requested()) throw;
    if (last.replications_done == 0) throw RunError("the time that --at-most gives is over before any batch was done");
    throw RunError("the time that --at-most gives is over, after " + std::to_string(last.replications_done) + " of " +
                   std::to_string(last.replications_expected) +
                   " replications; fewer ('--replications'), or fewer policies, take less");
  }
}

}  // namespace nowsim
