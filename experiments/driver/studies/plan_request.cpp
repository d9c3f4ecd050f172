// Writing the experiment's document out of flags, and telling problems by them; owners in fewer intervals; what all of
// it costs.
#include "experiments/driver/studies/plan_request.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "experiments/driver/reading/machine_time.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/task_bag.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/splitting/policies.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

std::string percent_text(double share) {
  constexpr double kNearEnds = 5e-4, kHundredths = 1e4;  // of a per cent
  const bool is_near_end = std::min(share, 1 - share) < kNearEnds;
  return short_number(is_near_end ? 100 * share : 100 * std::round(kHundredths * share) / kHundredths) + " %";
}

WorkUnit work_unit(double work_flop) {
  const std::string text = format_quantity(work_flop, Dimension::work), name = text.substr(text.find(' ') + 1);
  return {name, parse_quantity("1" + name, Dimension::work)};
}

namespace {

double computing_time_s(const Scenario& scenario) {
  const ProgramDescription& program = scenario.workload->program();
  double speeds = 0;
  for (std::size_t i = 0; i < scenario.size(); ++i) speeds += scenario.available_speed(i);
  return program.work_flop / speeds / static_cast<double>(std::max<std::int64_t>(1, program.phases));
}

PointScenarios coarse(PointScenarios all, double rounds) {
  for (auto* scenario : {&all.scenario, &all.baseline, &all.step1})
    if (*scenario) *scenario = with_coarse_owners(*scenario, rounds);
  return all;
}

/// Whether anything changed.
bool coarsen(Point& point, double rounds) {
  const auto before = point.scenario();
  if (const auto* ready = point.as<ReadyPoint>()) {
    point.state = ReadyPoint{coarse(ready->scenarios, rounds), ready->split_report, ready->solved};
  } else if (const auto* open = point.as<OpenSplit>()) {
    SplitTask task = *open->task;
    task.scenario = with_coarse_owners(task.scenario, rounds);
    point.state = OpenSplit{coarse(open->provisional, rounds), std::make_shared<const SplitTask>(std::move(task))};
  }
  return point.scenario() != before;
}

}  // namespace

std::shared_ptr<const Scenario> with_coarse_owners(const std::shared_ptr<const Scenario>& scenario, double rounds) {
  const double time_s = computing_time_s(*scenario) / rounds;
  std::map<OwnerPtr, OwnerPtr> made;  // machines that share one go on sharing
  Scenario out = *scenario;
  bool is_changed = false;
  for (auto& owner : out.owners) {
    const auto [known, is_new] = made.try_emplace(owner, nullptr);
    if (is_new) known->second = coarsened(*owner, time_s);
    if (!known->second) continue;
    owner = known->second;
    is_changed = true;
  }
  if (!is_changed || out.controls) return scenario;  // control variates are of the owner as it is
  return std::make_shared<const Scenario>(std::move(out));
}

Experiment with_coarse_owners(Experiment experiment, double rounds) {
  bool is_changed = false;
  for (Point& point : experiment.points) is_changed = coarsen(point, rounds) || is_changed;
  if (is_changed)
    experiment.remarks.push_back(
        "owners' intervals are far shorter than the job: they are simulated in fewer, longer ones with the same mean and "
        "variance in the long run; T_99 is off by 0.1 % at most, to first order ('--exact' simulates them all)");
  return experiment;
}

namespace {

using Kind = YamlNode::Kind;

constexpr const char *kTraceKey = "job.trace", *kScaleKey = "job.scale", *kPerMachineKey = "job.ranks_per_machine",
                     *kUnpackedKey = "job.unpacked";

/// Keys that flags of `plan` stand for.
std::vector<AskedKey> plan_keys(const PlanRequest& r) {
  std::vector<AskedKey> keys{{"platform.file", "PLATFORM"},   {kWorkKey, "--work"},
                             {"job.phases", "--phases"},          {"job.bytes", "--bytes"},
                             {"run.deadline", "--deadline"},      {"split.policy", "--policies"},
                             {"sweep.split.policy", "--policies"}};
  if (r.clock) keys.push_back({"run.start", "--start"}), keys.push_back({"sweep.zip.run.start", "--start"});
  for (const auto& key : keys_of_bag(r)) keys.push_back(key);
  if (r.platform_file.empty()) {
    keys.push_back({"platform.workstations", "--machines"});
    keys.push_back({"platform.speed", "--speed"});
  }
  if (r.network)
    for (const char* key : {"platform.network", "platform.bandwidth", "platform.latency"}) keys.push_back({key, "--network"});
  if (r.mpi) {
    keys.push_back({"job.workload", "--mpi"});
    keys.push_back({kTraceKey, "--mpi"});
    keys.push_back({kScaleKey, "--scale"});
    keys.push_back({kPerMachineKey, "--per-machine"});
    keys.push_back({kUnpackedKey, "--unpacked"});
  }
  return keys;
}
/// Keys of which a plan makes its own.
constexpr const char* kKeysOfPlans[] = {"nowsim", "title",  "description", "metrics",      "sweep",
                                        "solve",  "figure", "claims",      "job.placement"};

/// Flags that would make another question of this one.
void check_overrides(const PlanRequest& request) {
  for (const auto& text : request.options.overrides) {
    const Override override = parse_override(text);
    Settings settings;
    Problems later;
    flatten(override.value, "", override.key, settings, later);
    for (const auto& [key, setting] : settings) {
      for (const auto& [own, flag] : plan_keys(request))
        if (key == own) throw InputError(Place{kOverridePlace, 0, key}, "that is said by " + flag + " here");
      for (const char* own : kKeysOfPlans)
        if (is_within(key, own)) throw InputError(Place{kOverridePlace, 0, key}, "a plan has no such key, or its own");
    }
  }
}

/// An owner block, alone or as a file's only key.
YamlNode read_owner_file(const std::string& file) {
  YamlNode root = read_yaml(file);
  if (root.kind == Kind::map && root.entries.size() == 1 && root.entries.front().first == "owner")
    root = root.entries.front().second;
  if (root.kind != Kind::map || root.entries.empty())
    throw InputError(Place{file, root.line, ""},
                     "an owner is a map of keys and values, such as {model: intervals, TH: 0.3}");
  return root;
}

/// `optimal` makes small what is asked about: RF at the deadline; without one the quantile at the risk; else tau.
void set_objective(const PlanRequest& r, YamlNode& root) {
  constexpr double kLeastRisk = 0.001;  // of a quantile of its 1000 replications
  if (r.deadline_s) {
    set_text(root, "split.objective", "RF");
  } else if (r.risk && *r.risk >= kLeastRisk && *r.risk <= 1 - kLeastRisk) {
    set_text(root, "split.objective", "quantile");
    set_text(root, "split.quantile", number_text(1 - *r.risk));
  }
}

void set_job(const PlanRequest& r, YamlNode& root) {
  set_text(root, "job.workload", r.phases || r.phase_bytes ? "augmented-task" : "base-task");
  set_text(root, kWorkKey, number_text(r.work_flop));
  if (r.phases || r.phase_bytes) set_text(root, "job.phases", std::to_string(r.phases.value_or(1)));
  if (r.phase_bytes) set_text(root, "job.bytes", number_text(*r.phase_bytes));
  apply_override(root, {"sweep.split.policy", yaml_list(r.policies)});
}

void set_job(const MpiJob& mpi, YamlNode& root) {
  set_text(root, "job.workload", "mpi-trace");
  set_text(root, kTraceKey, std::filesystem::absolute(mpi.trace).string(), true);
  set_text(root, kScaleKey, number_text(mpi.scale));
  if (mpi.most_per_machine) set_text(root, kPerMachineKey, std::to_string(*mpi.most_per_machine));
  if (mpi.most_unpacked > 0) set_text(root, kUnpackedKey, std::to_string(mpi.most_unpacked) + "B");
}

/// A later beginning has less time to a deadline by the clock.
void sweep_starts(const PlanRequest& r, YamlNode& root) {
  std::vector<std::string> starts, deadlines;
  for (const double after_s : r.starts_s) {
    const PlanRequest later = begun_later(r, after_s);
    starts.push_back(clock_moment_text(later.clock->moment()));
    if (later.deadline_s) deadlines.push_back(number_text(*later.deadline_s));
  }
  YamlNode together;
  together.kind = Kind::map;
  together.entries.emplace_back("run.start", yaml_list(starts));
  if (!deadlines.empty()) together.entries.emplace_back("run.deadline", yaml_list(deadlines));
  apply_override(root, {"sweep.zip", std::move(together)});
}

YamlNode document_of(const PlanRequest& r) {
  YamlNode root;
  root.kind = Kind::map;
  const auto set = [&root](const char* key, const std::string& text, bool is_quoted = false) {
    set_text(root, key, text, is_quoted);
  };
  set("nowsim", "1");
  set("title", work_text(r) + " on " + machines_text(r), true);
  if (r.platform_file.empty()) {
    set("platform.workstations", std::to_string(r.machines));
    set("platform.speed", number_text(r.speed_flops));
  } else {
    set("platform.file", r.platform_file, true);
  }
  if (r.network) {
    set("platform.network", r.network->kind);
    set("platform.bandwidth", r.network->bandwidth);
    if (!r.network->latency.empty()) set("platform.latency", r.network->latency);
  }
  if (r.mpi) set_job(*r.mpi, root);
  else if (r.bag) set_bag(r, root);
  else set_job(r, root);
  if (contains(r.policies, "optimal")) set_objective(r, root);
  if (!r.starts_s.empty()) {
    sweep_starts(r, root);
  } else {
    if (r.deadline_s) set("run.deadline", number_text(*r.deadline_s));
    if (r.clock) set("run.start", clock_moment_text(r.clock->moment()), true);
  }
  std::vector<std::string> metrics;
  for (const Metric* metric : plan_metrics(r.deadline_s.has_value())) metrics.push_back(metric->name);
  if (r.bag) metrics.emplace_back(kShareDone);
  apply_override(root, {"metrics", yaml_list(metrics)});
  if (!r.owner_file.empty()) root.entries.emplace_back("owner", read_owner_file(r.owner_file));
  return root;
}

void check_network(const Experiment& experiment, const PlanRequest& request) {
  for (const Point& point : experiment.points)
    if (point.simulated() != nullptr && !point.scenario()->platform->has_network())
      throw InputError("--bytes: " +
                       (request.platform_file.empty() ? "equal machines" : "the machines of " + request.platform_file) +
                       " have no network to move bytes over; --network star:1Gbps,50us gives them one");
}

}  // namespace

AskedNetwork asked_network(const std::string& text) {
  const auto colon = text.find(':'), comma = text.find(',');
  const bool has_latency = comma != text.npos;
  if (colon == text.npos || comma < colon || (has_latency && comma + 1 == text.size()) || colon + 1 == std::min(comma, text.size()))
    throw InputError("a network is KIND:BANDWIDTH or KIND:BANDWIDTH,LATENCY, such as star:1Gbps,50us");
  const std::string kind = text.substr(0, colon);
  return {kind == "star" ? "switch" : kind, text.substr(colon + 1, comma - colon - 1), has_latency ? text.substr(comma + 1) : ""};
}

std::vector<const Metric*> plan_metrics(bool has_deadline) {
  std::vector<const Metric*> out;
  for (const char* name : {"tau", "sigma_T", "T_50", "T_90", "T_99", "RF"})
    if (const Metric* metric = find_metric(name); has_deadline || !metric->needs_deadline) out.push_back(metric);
  return out;
}

std::vector<std::string> default_policies(const Registry<Policy>& policies) {
  std::vector<std::string> names;
  for (const auto& policy : policies)
    if (!policy.needs_parameters()) names.push_back(policy.name);
  return names;
}

PlanRequest begun_later(PlanRequest request, double after_s) {
  request.clock->start_s += after_s;
  if (request.deadline_s && request.is_deadline_by_clock) *request.deadline_s -= after_s;
  request.starts_s.clear();
  return request;
}

PlanRequest about_policy(PlanRequest request, const Policy& policy) {
  const std::vector<std::string> own = words_in(policy.keys);
  const auto is_of_another = [&](const std::string& text) {
    const std::string key = parse_override(text).key;
    return is_within(key, "split") && std::ranges::count(own, key.substr(key.find('.') + 1)) == 0;
  };
  std::erase_if(request.options.overrides, is_of_another);
  request.policies = {policy.name};
  if (!request.bag) return request;
  const Registry<Technique> techniques = builtin_techniques();
  for (const auto& technique : request.bag->techniques) {  // what is said of it alone would have no effect
    const std::vector<std::string> keys = words_in(techniques.find(technique)->keys);
    std::erase_if(request.options.overrides, [&](const std::string& text) {
      const std::string key = parse_override(text).key;
      return is_within(key, "job") && std::ranges::count(keys, key.substr(key.find('.') + 1)) > 0;
    });
  }
  request.bag->techniques.clear();
  return request;
}

PlanRequest about_row(const PlanRequest& request, const std::string& name) {
  // Refuses no machines.
  PlanRequest out = about_policy(request, *builtin_policies().find("proportional"));
  if (!is_queue(request, name)) return out;
  out.policies.clear();
  out.bag->techniques = {name};
  return out;
}

std::string machines_text(const PlanRequest& r) {
  if (!r.platform_file.empty()) return r.platform_file;
  return std::to_string(r.machines) + (r.machines == 1 ? " machine of " : " machines of ") +
         format_quantity(r.speed_flops, Dimension::speed);
}

std::string when_text(const PlanRequest& r, double elapsed_s) {
  const std::string duration = duration_text(elapsed_s);
  if (!r.clock || !std::isfinite(elapsed_s)) return duration;
  return r.clock->text(elapsed_s) + " (" + duration + " after the start)";
}

std::string also_by_clock(const PlanRequest& r, double elapsed_s) {
  return r.clock && std::isfinite(elapsed_s) ? ", " + r.clock->text(elapsed_s) : "";
}

WorkUnit work_unit(const PlanRequest& r) {
  constexpr double kMachineHour_s = 3600;
  if (r.work_time_s > 0) return {"machine-hours", r.work_flop / r.work_time_s * kMachineHour_s};
  return work_unit(r.work_flop);
}

std::string amount_text(const PlanRequest& r, double work_flop) {
  if (std::isinf(work_flop)) return "no end";
  if (r.work_time_s == 0) return format_quantity(work_flop, Dimension::work);
  const WorkUnit unit = work_unit(r);
  return format_quantity(work_flop / unit.flop, Dimension::number) + " " + unit.name;
}

std::string work_text(const PlanRequest& r) {
  if (r.mpi) return r.mpi->trace + (r.mpi->scale == 1 ? "" : " (computing " + short_number(r.mpi->scale) + " times)");
  return format_quantity(r.work_flop, Dimension::work) + (r.work_text.empty() ? "" : " (" + r.work_text + ")") +
         (r.bag ? " in " + std::to_string(r.bag->tasks) + (r.bag->tasks == 1 ? " task" : " tasks") : "");
}

namespace {

Experiment load_plan(YamlNode document, const PlanRequest& request, const Registries& registries) {
  check_overrides(request);
  const std::string file = request.owner_file.empty() ? machines_text(request) : request.owner_file;
  return load_asked(std::move(document), file, request.options, registries, plan_keys(request));
}

}  // namespace

/// Any policy will do, but for those that cannot be had on these machines.
double planned_work(const PlanRequest& request, const std::string& text, const Registries& registries) {
  for (std::size_t k = 0;; ++k) try {
      PlanRequest one = about_policy(request, *registries.policies.find(request.policies.at(k)));
      one.bag.reset();
      one.work_flop = 1;
      YamlNode document = document_of(one);
      set_text(document, kWorkKey, text);
      const Experiment experiment = load_plan(std::move(document), one, registries);
      const Point& first = experiment.points.front();
      const auto scenario = first.scenario();
      if (!scenario) throw InputError(first.reason());
      return scenario->workload->program().work_flop;
    } catch (const InputError&) {
      if (k + 1 == request.policies.size()) throw;
    }
}

namespace {

/// Of machines with several cores: the job has one of each.
void remark_on_cores(const PlanRequest& request, Experiment& experiment) {
  const auto scenario = experiment.points.front().scenario();
  if (!scenario || request.mpi) return;
  std::int64_t cores = 0;
  for (const auto& machine : scenario->platform->workstations) cores += machine.cores;
  const auto machines = static_cast<std::int64_t>(scenario->size());
  if (cores == machines) return;
  const std::string told = request.work_time_s > 0 ? ", and a machine-hour is an hour of one core" : "";
  experiment.remarks.push_back("the job computes on one core of each machine: " + std::to_string(cores - machines) +
                               " of the " + std::to_string(cores) + " cores idle for it" + told +
                               "; a program that uses them all is planned with a platform that has a machine per core");
}

}  // namespace

Experiment plan_experiment(const PlanRequest& request, const Registries& registries) {
  Experiment experiment = load_plan(document_of(request), request, registries);
  if (request.phase_bytes) check_network(experiment, request);
  remark_on_cores(request, experiment);
  if (request.bag) name_rows(*request.bag, experiment);
  if (request.is_exact || request.mpi) return experiment;
  const double rounds = request.bag ? tasks_per_machine(*request.bag, experiment) : 1;
  return with_coarse_owners(std::move(experiment), rounds);
}

namespace {

/// Runs that the most work takes (most_work()), some more than usual; each of a job about as long as the deadline.
constexpr double kRunsForMostWork = 15;

double most_work_s(const Point& point, double deadline_s) {
  const Scenario& scenario = *point.scenario();
  const double job_s = expected_time_s(scenario), run_s = estimated_cost_s(point);
  return job_s > 0 ? kRunsForMostWork * run_s * std::min(1.0, deadline_s / job_s) : 0;
}

}  // namespace

PlanTime plan_time(const Experiment& experiment, const PlanRequest& request, int jobs) {
  PlanTime time{0, 0, kInfinity, 0};
  for (const Point& point : experiment.points) {
    if (point.simulated() == nullptr) continue;
    time.whole_s += least_cost_s(point);
    if (request.deadline_s && request.risk) time.limits_s += most_work_s(point, *request.deadline_s);
    time.job_s = std::min(time.job_s, expected_time_s(*point.scenario()));
    time.replications = std::max(time.replications, point.plan.replications);
  }
  time.limits_s /= std::max(1, jobs);
  time.whole_s = time.whole_s / std::max(1, jobs) + time.limits_s;
  return time;
}

std::uint64_t replications_that_fit(double fit, std::uint64_t wanted) {
  if (fit >= static_cast<double>(wanted)) return wanted;
  const auto tens = static_cast<std::uint64_t>(std::max(0.0, fit)) / 10 * 10;
  return std::min(wanted, std::max(kFewestForPlan, tens));
}

std::uint64_t replications_in_time(const PlanTime& time, double most_s, bool are_asked) {
  if (time.whole_s <= most_s) return time.replications;
  constexpr double kMargin = 0.5;  // estimates are often off by as much
  const double share = kMargin * most_s / time.whole_s, all = static_cast<double>(time.replications);
  const std::uint64_t fit = replications_that_fit(share * all, time.replications);
  const std::string would_take = "this plan would take about " + rough_duration(time.whole_s) + " with " +
                                 std::to_string(time.replications) + " replications";
  if (share * all < static_cast<double>(fit))
    throw InputError(would_take + ", of a job that is expected to take " + rough_duration(time.job_s) +
                     " on these machines, and about " +
                     rough_duration(time.whole_s * static_cast<double>(kFewestForPlan) / all) +
                     " with the fewest that tell anything, " + std::to_string(kFewestForPlan) + "; it is given " +
                     rough_duration(most_s) + ". If that is meant, say by --at-most how long it may take");
  if (are_asked)
    throw InputError(would_take + ", and is given " + rough_duration(most_s) + " by --at-most: there is time for " +
                     std::to_string(fit));
  return fit;
}

}  // namespace nowsim
