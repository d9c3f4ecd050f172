// Writing the experiment's document out of flags, and telling problems by them.
#include "experiments/driver/studies/plan_request.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "experiments/driver/reading/machine_time.hpp"
#include "experiments/driver/reading/yaml_edit.hpp"
#include "experiments/driver/studies/asked_experiment.hpp"
#include "experiments/driver/studies/coarse_owners.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/policies.hpp"

namespace nowsim {
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
  if (r.platform_file.empty()) {
    keys.push_back({"platform.workstations", "--machines"});
    keys.push_back({"platform.speed", "--speed"});
  }
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
  if (contains(r.policies, "optimal")) set_objective(r, root);
}

void set_job(const MpiJob& mpi, YamlNode& root) {
  set_text(root, "job.workload", "mpi-trace");
  set_text(root, kTraceKey, std::filesystem::absolute(mpi.trace).string(), true);
  set_text(root, kScaleKey, number_text(mpi.scale));
  if (mpi.most_per_machine) set_text(root, kPerMachineKey, std::to_string(*mpi.most_per_machine));
  if (mpi.most_unpacked > 0) set_text(root, kUnpackedKey, std::to_string(mpi.most_unpacked) + "B");
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
  if (r.mpi) set_job(*r.mpi, root);
  else set_job(r, root);
  if (r.deadline_s) set("run.deadline", number_text(*r.deadline_s));
  std::vector<std::string> metrics{"tau", "sigma_T", "T_50", "T_90", "T_99"};
  if (r.deadline_s) metrics.emplace_back("RF");
  apply_override(root, {"metrics", yaml_list(metrics)});
  if (!r.owner_file.empty()) root.entries.emplace_back("owner", read_owner_file(r.owner_file));
  return root;
}

void check_network(const Experiment& experiment, const PlanRequest& request) {
  for (const Point& point : experiment.points)
    if (point.simulated() != nullptr && !point.scenario()->platform->has_network())
      throw InputError("--bytes: " +
                       (request.platform_file.empty() ? "equal machines" : "the machines of " + request.platform_file) +
                       " have no network to move bytes over");
}

}  // namespace

std::vector<std::string> default_policies(const Registry<Policy>& policies) {
  std::vector<std::string> names;
  for (const auto& policy : policies)
    if (!policy.needs_parameters()) names.push_back(policy.name);
  return names;
}

PlanRequest about_policy(PlanRequest request, const Policy& policy) {
  const std::vector<std::string> own = words_in(policy.keys);
  const auto is_of_another = [&](const std::string& text) {
    const std::string key = parse_override(text).key;
    return is_within(key, "split") && std::ranges::count(own, key.substr(key.find('.') + 1)) == 0;
  };
  std::erase_if(request.options.overrides, is_of_another);
  request.policies = {policy.name};
  return request;
}

std::string machines_text(const PlanRequest& r) {
  if (!r.platform_file.empty()) return r.platform_file;
  return std::to_string(r.machines) + (r.machines == 1 ? " machine of " : " machines of ") +
         format_quantity(r.speed_flops, Dimension::speed);
}

WorkUnit work_unit(const PlanRequest& r) {
  constexpr double kHour_s = 3600;
  if (r.work_time_s > 0) return {"machine-hours", r.work_flop / r.work_time_s * kHour_s};
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
  return format_quantity(r.work_flop, Dimension::work) + (r.work_text.empty() ? "" : " (" + r.work_text + ")");
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
  return request.is_exact || request.mpi ? experiment : with_coarse_owners(std::move(experiment));
}

}  // namespace nowsim
