// Policies by name, and what they may know of workstations.
#include "experiments/driver/points/split_config.hpp"

#include "experiments/driver/points/execution_plan.hpp"
#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {
namespace {

void read_formula(Reader& read, SplitChoice& choice) {
  choice.culprit = "weight";
  try {
    std::string text = read.text("weight");
    if (!read.has("weight")) {  // missing, which is noted
      choice.policy = nullptr;
      return;
    }
    if (!text.empty() && text.front() == '=') text.erase(0, 1);
    choice.parameters.formula_text = text;
    choice.parameters.formula = std::make_shared<const Formula>(text);
    for (const auto& variable : choice.parameters.formula->variables())
      if (variable.find('.') != std::string::npos)  // a key's full name; others are the policy's own
        choice.parameters.variables[variable] = read.formula_variable("weight", variable);
  } catch (const InputError& e) {
    if (e.place().file.empty()) read.problem("weight", e.what());
    else read.reading().problems.add(e.what());
    choice.policy = nullptr;
  }
}

/// The fewest replications on which splits are compared: with fewer the search would fit the sample's noise.
constexpr std::int64_t kLeastReplications = 100;

/// What a replication takes in memory [bytes] while splits are compared: makespans and who was last, of a few splits.
constexpr double kBytesPerReplication = 100;

std::uint64_t read_replications(Reader& read) {
  constexpr std::int64_t kFew = 100'000;
  const std::int64_t count = read.whole("replications");
  try {
    if (count > kFew)
      require_memory(kBytesPerReplication * static_cast<double>(count),
                     "a split found on " + std::to_string(count) + " replications");
  } catch (const InputError& e) {
    read.problem("replications", e.what());
    return kLeastReplications;
  }
  return static_cast<std::uint64_t>(count);
}

void read_optimal(Reader& read, SplitChoice& choice) {
  using Objective = SplitObjective::Kind;
  choice.objective.kind = static_cast<Objective>(read.word("objective"));
  choice.replications = read_replications(read);
  choice.gap_samples = static_cast<std::uint64_t>(read.whole("gap_samples"));
  if (choice.gap_samples == 1) read.problem("gap_samples", "a bound needs two samples at least; 0 leaves it out");
  if (choice.objective.kind == Objective::quantile) {
    const double least = 1 / static_cast<double>(choice.replications);
    choice.objective.level = read.value_within("quantile", {least, 1 - least});
  } else if (read.has("quantile")) {
    read.problem("quantile", "this is for 'objective: quantile'; the objective is " +
                                 objective_names()[static_cast<std::size_t>(choice.objective.kind)]);
  }
}

/// What a policy finds, its errors with their places. After a problem all shares are 0.
std::vector<double> closed_form(Reader& read, const SplitChoice& choice, const Policy& policy, const Scenario& scenario,
                                const std::vector<MachineView>& candidates) {
  try {
    return shares_by(policy, scenario.workload->program().work_flop, candidates, choice.parameters);
  } catch (const InfeasibleError& e) {
    throw InfeasibleError(read.place(choice.culprit), e.what());
  } catch (const InputError& e) {
    read.problem(choice.culprit, e.what());
    return std::vector<double>(scenario.size(), 0.0);
  }
}

}  // namespace

const KeyTable& split_keys() {
  constexpr double kLeast = kLeastReplications;
  static const KeyTable keys{
      {"policy", KeyType::word, policies().front().name, "how the work is split", {}, words_in(policies())},
      {"slope", KeyType::work, kMustBeGiven, "of linear-slope: X_(i+1) - X_i", kAnyNumber},
      {"weight", KeyType::formula, kMustBeGiven, "of formula: a machine's weight, by s, alpha, a, TH, sigma, i, N, memory, X"},
      {"guard", KeyType::word, "true", "of equalize(-linear): keep step 1 where step 2 lengthens tau", {}, kFlagWords},
      {"objective", KeyType::word, objective_names().front(), "of optimal: what is minimised", {}, objective_names()},
      {"quantile", KeyType::share, "95%", "of optimal with objective: quantile", {0, 1}},
      {"replications", KeyType::count, "1000", "of each split that is tried", {kLeast}},
      {"gap_samples", KeyType::count, "5", "of optimal: samples for the bound on what is left; 0: no bound"}};
  return keys;
}

SplitChoice read_split(Reading& reading) {
  Reader read(reading, {"split"}, split_keys());
  const auto chosen = read.known_word("policy");
  if (!chosen) {
    read.excuse_all();
    return {};
  }
  SplitChoice choice;
  choice.policy = &policies()[*chosen];
  const std::string& name = choice.policy->name;
  if (name == "linear-slope") {
    choice.parameters.slope_flop = read.value("slope");
    choice.culprit = "slope";
  }
  if (name == "formula") read_formula(read, choice);
  if (name == "optimal") read_optimal(read, choice);
  if (choice.policy != nullptr && choice.policy->is_second_step) {
    choice.is_guarded = read.flag("guard");
    if (choice.is_guarded) choice.replications = read_replications(read);
  }
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
  if (!scenario.workload->program().uses_shares) return {shares_by(*find_policy("equal"), work, candidates, {})};
  if (choice.policy->split != nullptr &&
      !needs_simulation(*choice.policy, choice.parameters, choice.is_guarded, candidates))
    return {closed_form(read, choice, *choice.policy, scenario, candidates)};
  const bool is_one = scenario.size() == 1;
  return {closed_form(read, choice, *find_policy("proportional"), scenario, candidates), !is_one, candidates};
}

std::shared_ptr<const SplitTask> split_task(Reading& reading, const SplitChoice& choice, const WorkSplit& provisional,
                                            const Scenario& scenario, const RunPlan& plan) {
  SplitTask task;
  task.scenario = std::make_shared<const Scenario>(scenario);
  task.machines = provisional.candidates;
  task.policy = choice.policy;
  task.parameters = choice.parameters;
  task.is_guarded = choice.is_guarded;
  task.objective = choice.objective;
  task.replications = choice.replications;
  task.gap_samples = choice.gap_samples;
  task.confidence = plan.confidence;
  task.engine = first_engine(plan.engine, scenario);
  task.may_fall_back = plan.engine == EngineChoice::automatic;
  if (task.objective.kind == SplitObjective::Kind::risk) {
    task.objective.deadline_s = plan.deadline_s;
    if (plan.deadline_s == 0)
      Reader(reading, {"split"}).problem("objective", "RF needs a deadline (run.deadline: 250s, say)");
  }
  return std::make_shared<const SplitTask>(std::move(task));
}

}  // namespace nowsim
