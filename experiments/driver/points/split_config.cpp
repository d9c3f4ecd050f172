// Policies by name, and what they may know of workstations.
#include "experiments/driver/points/split_config.hpp"

#include "experiments/driver/points/execution_plan.hpp"
#include "sim/base/error.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {
namespace {

/// The key to blame for what a policy refuses.
std::string culprit(const Policy& policy) { return policy.needs_parameters() ? policy.keys.front().name : "policy"; }

/// What a policy finds, its errors with their places. After a problem all shares are 0.
std::vector<double> closed_form(Reader& read, const SplitChoice& choice, const Policy& policy, const Scenario& scenario,
                                const std::vector<MachineView>& candidates) {
  try {
    return shares_by(policy, scenario.workload->program().work_flop, candidates, choice.parameters);
  } catch (const InfeasibleError& e) {
    const std::string name = culprit(*choice.policy);
    throw InfeasibleError(read.place(name),
                          e.what() + read.written(name) + Reader(read.reading(), {"job"}).written("work"));
  } catch (const InputError& e) {
    read.problem(culprit(*choice.policy), e.what());
    return std::vector<double>(scenario.size(), 0.0);
  }
}

}  // namespace

KeyTable split_keys(const Registry<Policy>& policies) {
  return {{"policy", KeyType::word, policies.front().name, "how the work is split; it has keys of its own", {},
           words_in(policies)}};
}

SplitChoice read_split(Reading& reading, const Registry<Policy>& policies) {
  const KeyTable keys = split_keys(policies);
  Reader read(reading, {"split"}, keys);
  const auto chosen = read.known_word("policy");
  if (!chosen) {
    read.excuse_all();
    return {};
  }
  SplitChoice choice{&policies[*chosen]};
  Reader own = read.with(choice.policy->keys);
  if (choice.policy->read_search != nullptr) {
    choice.policy->read_search(own, choice);
    return choice;
  }
  choice.parameters = read_values(choice.policy->keys, own);
  return choice;
}

WorkSplit split_work(Reading& reading, const SplitChoice& choice, const Scenario& scenario) {
  Reader read(reading, {"split"});
  WorkSplit nothing{std::vector<double>(scenario.size(), 0.0)};
  const double work = scenario.workload->program().work_flop;
  if (choice.policy == nullptr) return nothing;
  if (work == 0) {
    if (choice.policy->split == nullptr)
      read.problem("policy", "'" + choice.policy->name + "' has no work to split: the job does none in shares");
    return nothing;
  }
  const auto candidates = machine_views(scenario);
  const std::string& usual = scenario.workload->program().usual_policy;
  if (!usual.empty() && !read.has("policy"))
    return {closed_form(read, choice, *builtin_policies().find(usual), scenario, candidates)};
  if (!scenario.workload->program().uses_shares) return {shares_by(*builtin_policies().find("equal"), work, candidates, {})};
  if (choice.policy->split != nullptr &&
      !needs_simulation(*choice.policy, choice.parameters, choice.is_guarded, candidates))
    return {closed_form(read, choice, *choice.policy, scenario, candidates)};
  const bool is_one = scenario.size() == 1;
  return {closed_form(read, choice, *builtin_policies().find("proportional"), scenario, candidates), !is_one, candidates};
}

std::shared_ptr<const SplitTask> split_task(Reading& reading, const SplitChoice& choice, const WorkSplit& provisional,
                                            const Scenario& scenario, const RunPlan& plan) {
  SplitTask task{choice};
  task.scenario = std::make_shared<const Scenario>(scenario);
  task.machines = provisional.candidates;
  task.confidence = plan.confidence;
  task.engine = engine_for(plan.engine, scenario);
  if (task.objective.kind == SplitObjective::Kind::risk) {
    task.objective.deadline_s = plan.deadline_s;
    if (plan.deadline_s == 0)
      Reader(reading, {"split"}).problem("objective", "RF needs a deadline (run.deadline: 250s, say)");
  }
  return std::make_shared<const SplitTask>(std::move(task));
}

}  // namespace nowsim
