#include "experiments/driver/points/blocks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/points/point.hpp"
#include "experiments/driver/reading/machine_time.hpp"
#include "experiments/driver/reading/run_start.hpp"
#include "experiments/driver/reading/sweep.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {
namespace {

constexpr const char* kMeasuredIsWanted = "; a metric of the whole run that is measured is wanted, such as tau";
constexpr const char* kStopThemselves = ", which stop by themselves; tau's precision can be asked for";

/// What some metrics have, and what is wanted instead where they won't do because of that; null where they do.
struct Hindrance {
  bool Metric::*has;
  const char* sentence;
  const char* instead_of_stopping;  ///< which takes one number per point, of its own replications or its baseline's
  const char* instead_of_solving;   ///< which takes one number per point that its own runs decide
};
constexpr Hindrance kHindrances[] = {
    {&Metric::per_workstation, "is a metric of each workstation", "; one of the whole run is wanted, such as tau",
     kMeasuredIsWanted},
    {&Metric::needs_step1, "compares two splits", kStopThemselves, nullptr},
    {&Metric::needs_reference, "compares two points", kStopThemselves, kMeasuredIsWanted},
    {&Metric::needs_solved, "is known before the point runs", "; tau's precision can be asked for", kMeasuredIsWanted},
    {&Metric::exact, "follows from the description alone", nullptr, kMeasuredIsWanted},
};

/// What a metric's value is to decide, when a point stops or which size is found: by its column of the table.
using MetricUse = const char* Hindrance::*;

/// The first one. Null where the metric will do.
const Hindrance* hindrance(const Metric& metric, MetricUse use) {
  const auto hinders = [&](const Hindrance& h) { return metric.*h.has && h.*use != nullptr; };
  const auto found = std::ranges::find_if(kHindrances, hinders);
  return found == std::end(kHindrances) ? nullptr : found;
}

Words useful_names(MetricUse use, const Registry<Metric>& known) {
  Words names;
  for (const auto& metric : known)
    if (hindrance(metric, use) == nullptr) names.push_back(metric.name);
  return names;
}

/// The metric, one of those that are known, that a key of the reader's table names. Null after a problem.
const Metric* read_metric(Reader& read, const std::string& key, MetricUse use, const Registry<Metric>& known) {
  const std::string name = read.text(key);
  if (name.empty() && !read.reading().problems.empty()) return nullptr;  // missing or no text, which is noted
  const Metric* metric = find_metric(name, known);
  const Hindrance* why = metric == nullptr ? nullptr : hindrance(*metric, use);
  if (metric == nullptr)
    read.problem(key, no_metric(name, useful_names(use, known)));
  else if (why != nullptr)
    read.problem(key, "'" + name + "' " + why->sentence + why->*use);
  return why == nullptr ? metric : nullptr;
}

/// So many that those of all points can be summed. After a problem the least.
std::uint64_t replications_of(Reader& read) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  const std::int64_t wanted = read.whole("replications");
  if (wanted <= kMost) return static_cast<std::uint64_t>(wanted);
  read.problem("replications",
               std::to_string(wanted) + " is out of range: it must be at most " + std::to_string(kMost));
  return 1;
}

/// One rule says when a point stops.
void read_decision(Reader& read, RunPlan& plan) {
  if (read.text("decide").empty()) return;
  plan.indifference = read.value("indifference");
  const std::string by = read.text("decide_by");
  if (deciding_metric(by) != nullptr) plan.decide_by = find_metric(by);
  else
    read.problem("decide_by", (find_metric(by) != nullptr ? "'" + by + "' is no mean of replications that are compared"
                                                          : no_metric(by, words_in(deciding_metrics()))) +
                                  "; decisions are made by one of: " + joined(words_in(deciding_metrics())));
  if (plan.precision > 0)
    read.problem("decide", "a point stops by its precision or by what is decided, not by both: leave one of them out "
                           "('--set run.precision=0', say)");
}

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

/// What a value of a metric may be written in.
Dimension dimension_of(const Metric& metric) {
  if (metric.unit == "s") return Dimension::time;
  if (metric.unit == "flop") return Dimension::work;
  return metric.unit.empty() || metric.unit == "%" ? Dimension::fraction : Dimension::number;
}

/// What stands at a key, or "" where that is a formula or no single value.
std::string written(const Reading& reading, const std::string& key) {
  const auto found = reading.settings.find(key);
  const bool is_value = found != reading.settings.end() && !found->second.is_list && !found->second.broken;
  return is_value && !is_formula(found->second) ? std::string(trimmed(found->second.texts.front())) : "";
}

void read_target(Reader& read, const Reading& reading, SizeTask& task) {
  task.target = read.quantity("equals", dimension_of(*task.metric), kAnyNumber);
  task.in_percent = written(reading, "solve.equals").ends_with('%');
  if (task.in_percent && task.metric->unit == "%") task.target *= 100;
}

/// `equals`, or else `goal`.
void read_goal(Reader& read, const Reading& reading, SizeTask& task) {
  const bool has_value = read.has("equals"), has_goal = read.has("goal");
  if (has_value && has_goal) return read.problem("equals", "either this or 'goal' is wanted, not both");
  if (!has_value && !has_goal)
    return read.problem("equals", "a value that the metric is to have is wanted (equals: 30%), or 'goal: largest'");
  if (has_value && task.metric != nullptr) read_target(read, reading, task);
  if (has_goal) task.goal = static_cast<SizeTask::Goal>(1 + read.word("goal"));
  else task.rising = read.word("crossing") == 1;
}

/// Notes that an end is told as time: a size is tried as a bare number, which of the job's work is flop.
bool refuse_time(Reader& read, const std::string& name, const std::string& text) try {
  if (!machine_time_of(text)) return false;
  read.problem(name, quoted(text) + " is a time on a machine; work that is sought is told in flop, such as 3.6Tf");
  return true;
} catch (const InputError& e) {
  read.problem(name, e.what());
  return true;
}

/// 0 after a problem.
double read_end(Reader& read, const Reading& reading, const std::string& name, const SizeTask& task) {
  if (task.key == kWorkKey && refuse_time(read, name, written(reading, "solve." + name))) return 0;
  const double end = read.value(name);
  if (task.whole && end != std::floor(end))
    read.problem(name, "whole numbers are sought, and " + number_text(end) +
                           " is none; one is wanted, or 'whole: false'");
  return end;
}

void check_range(Reader& read, const SizeTask& task) {
  if (!(task.from < task.to))
    read.problem("from", "this must be less than 'to': " + number_text(task.from) + " and " + number_text(task.to));
  if (task.goal == SizeTask::Goal::equals) return;
  if (!task.whole)
    read.problem("whole", "the best is sought among whole numbers; 'equals' can do without");
  else if (task.to - task.from >= kMostSizesOfARange)
    read.problem("to", "the best of " + number_text(task.to - task.from + 1) +
                           " values is too much to ask: each is simulated, at most " + number_text(kMostSizesOfARange));
}

}  // namespace

const KeyTable& run_keys() {
  static const RunPlan usual{};
  static const KeyTable keys{
      {"replications", KeyType::count, std::to_string(usual.replications),
       "of each point; with a precision or a decision the most", {1}},
      {"seed", KeyType::count, std::to_string(usual.seed), "of all random numbers"},
      {"engine", KeyType::word, engine_names().front(), "what simulates (flag --engine)", {}, engine_names()},
      {"precision", KeyType::share, number_text(usual.precision),
       "half width of an interval at which a point stops, by the value; 0: none"},
      {"precision_of", KeyType::text, usual.precision_of->name, "the metric whose interval that is"},
      {"min_replications", KeyType::count, std::to_string(usual.least), "the fewest, with a precision", {2}},
      {"decide", KeyType::text, "",
       "a swept key: points stop, from 200 replications on, when its best value is told (flag --decide)"},
      {"decide_by", KeyType::text, usual.decide_by->name, "the metric that is to be small: tau or RF"},
      {"indifference", KeyType::share, "1%", "what makes no difference: a share of the least tau, or a part of RF",
       kPositive},
      {"confidence", KeyType::share, number_text(100 * usual.confidence) + "%", "of all intervals, and of a decision",
       {0.5, 0.999999}},
      {"deadline", KeyType::time, "0s", "for the risk factor; 0: none"},
      {"start", KeyType::text, "",
       "when it begins, for owners by the clock: '18:00', 'fri 20:00', '2026-12-01 18:00 Europe/Berlin'"},
      {"timeout", KeyType::time, "0s", "the most a batch, a split's search or making machines may take; 0: any"},
      {"baseline", KeyType::word, "fastest", "what the speedup compares with: the fastest machine alone, or one machine", {},
       {"fastest", "one"}},
      {"reference", KeyType::text, "", "of scale_e and others: the first point along this swept key"},
      {"infeasible", KeyType::word, "error", "what becomes of points that cannot be (skip: left blank)", {},
       {"error", "skip"}},
      {"variance_reduction", KeyType::word, kVarianceReductions[0].name, "narrower intervals (flag --variance-reduction)",
       {}, words_in(kVarianceReductions)}};
  return keys;
}

RunBlock read_run(Reading& reading, const Registry<Metric>& metrics) {
  Reader read(reading, {"run"}, run_keys());
  RunPlan plan;
  plan.replications = replications_of(read);
  plan.precision = read.value("precision");
  if (const Metric* metric = read_metric(read, "precision_of", &Hindrance::instead_of_stopping, metrics))
    plan.precision_of = metric;
  plan.least = static_cast<std::uint64_t>(read.whole("min_replications"));
  plan.confidence = read.value("confidence");
  plan.deadline_s = read.value("deadline");
  plan.start = read_run_start(reading);
  plan.timeout_s = read.value("timeout");
  plan.engine = static_cast<EngineChoice>(read.word("engine"));
  plan.variance_reduction = &kVarianceReductions[read.word("variance_reduction")];
  if (plan.replications % plan.variance_reduction->unit() != 0)
    read.problem("replications", "'" + std::string(plan.variance_reduction->name) +
                                     "' takes replications in pairs: an even number is wanted, not " +
                                     std::to_string(plan.replications));
  read_decision(read, plan);
  return {plan, read.word("baseline") == 1, read.text("reference")};
}

KeyTable job_keys(const WorkloadRegistry& workloads) {
  return {{"workload", KeyType::word, kMustBeGiven, "which program", {}, words_in(workloads)}};
}

IdentifiedWorkload read_workload(Reading& reading, const Platform& platform, const WorkloadRegistry& workloads) {
  const KeyTable keys = job_keys(workloads);
  Reader read(reading, {"job"}, keys);
  const auto chosen = read.known_word("workload");
  if (!chosen) return {};
  const WorkloadInfo& info = workloads[*chosen];
  const std::string& name = info.name;
  const std::size_t problems = reading.problems.found();
  IdentifiedWorkload made;
  try {
    made = make_workload(info, read);
  } catch (const InputError& e) {
    if (reading.problems.found() > problems) return {};  // it is about a stand-in value
    // What has a place of its own is about a file, which a key names.
    const auto named = std::ranges::find_if(info.keys, [&](const Key& key) {
      return !e.place().file.empty() && key.type == KeyType::path && read.has(key.name);
    });
    read.problem(named != info.keys.end() ? named->name : "workload", e.what());
    return {};
  }
  const ProgramDescription& program = made.workload->program();
  for (const auto& file : program.files) read.checked_file("workload", file);
  try {
    if (program.placement) program.placement(platform.workstations);
  } catch (const InputError& e) {
    std::string said = e.what();
    for (const auto& idle : platform.idle_hosts)
      if (said.find(" '" + idle + "';") != std::string::npos) said = about_idle_host(platform, idle);
    read.problem("placement", said);
    return {};
  }
  if (static_cast<std::size_t>(program.least_ranks) > platform.workstations.size()) {
    read.problem("workload", "'" + name + "' needs at least " + std::to_string(program.least_ranks) +
                                 " workstations; there are " + std::to_string(platform.workstations.size()));
    return {};  // its times and shares mean nothing there
  }
  if (program.communicates && platform.workstations.size() > 1 && !platform.has_network())
    read.problem(read.has("bytes") ? "bytes" : "workload",
                 "'" + name + "' sends messages, and there is no network in " + platform.source +
                     " (platform.network: switch, say, or --network of a plan; in a platform's file links and routes)");
  return made;
}

void check_own_times(Reading& reading, const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const RankShare rank = rank_share(scenario, i, scenario.share_flop[i]);
    try {
      scenario.workload->program().check_share(rank);
    } catch (const InfeasibleError& e) {
      throw InfeasibleError(Reader(reading, {"job"}).place("workload"), e.what());
    } catch (const InputError& e) {
      return Reader(reading, {"job"})
          .problem("workload", "the time of workstation " + rank.host.name + ": " + e.what());
    }
    if (!scenario.workload->program().own_time(rank) || scenario.owners[i]->is_dedicated()) continue;
    Reader(reading, {"owner"}).problem(
        "model", "this workload prescribes its execution times, so every owner must be 'dedicated'; workstation " +
                     rank.host.name + " has " + scenario.owners[i]->describe());
    return;
  }
}

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
  if (choice.policy->read_search != nullptr) choice.policy->read_search(own, choice);
  else choice.parameters = read_values(choice.policy->keys, own);
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

const KeyTable& solve_keys() {
  static const KeyTable keys{
      {"key", KeyType::text, kMustBeGiven, "the key that is sought, of platform, job, owner, bandwidth, split or let"},
      {"metric", KeyType::text, kMustBeGiven, "the metric that decides"},
      {"equals", KeyType::quantity, kMustBeGiven, "the value it is to have; or give goal"},
      {"crossing", KeyType::word, "any", "with equals (rising: not where the metric falls through the value)", {},
       {"any", "rising"}},
      {"goal", KeyType::word, kMustBeGiven, "that it be so; or give equals", {}, goal_words()},
      {"from", KeyType::quantity, kMustBeGiven, "the least value of the key", kPositive},
      {"to", KeyType::quantity, kMustBeGiven, "the largest", kPositive},
      {"whole", KeyType::word, "true", "whether whole numbers are sought", {}, flag_words()},
      {"tolerance", KeyType::share, "1%", "how far from the value the metric may be, by the value", kPositive}};
  return keys;
}

std::shared_ptr<const SizeTask> read_size_task(Reading& reading, const std::string& sought,
                                               const Registry<Metric>& metrics) {
  const std::size_t problems = reading.problems.found();
  const auto is_wrong = [&] { return reading.problems.found() > problems; };
  Reader read(reading, {"solve"}, solve_keys());
  SizeTask task;
  task.key = sought;
  read.text("key");
  task.metric = read_metric(read, "metric", &Hindrance::instead_of_solving, metrics);
  task.whole = read.flag("whole");
  task.tolerance = read.value("tolerance");
  if (task.tolerance >= 1)
    read.problem("tolerance", "this must be less than 1: with 100 % of the target any value would do");
  read_goal(read, reading, task);
  task.from = read_end(read, reading, "from", task);
  task.to = read_end(read, reading, "to", task);
  if (!is_wrong()) check_range(read, task);
  return is_wrong() || task.metric == nullptr ? nullptr : std::make_shared<const SizeTask>(task);
}

std::string in_unit_of(const Reading& reading, const std::string& key, double size) {
  const std::string text = written(reading, key);
  const std::size_t number = text.find_last_of("0123456789.") + 1;
  const std::string unit(trimmed(std::string_view(text).substr(number)));
  const auto one = any_quantity("1" + unit);
  return unit.empty() || !one ? "" : number_text(size / *one) + unit;
}

}  // namespace nowsim
