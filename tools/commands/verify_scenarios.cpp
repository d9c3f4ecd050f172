// The jobs, owners and networks, each a row of a table, and the experiments that are made of them.
#include "tools/commands/verify_scenarios.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <utility>

#include "experiments/driver/running/result_table.hpp"
#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/platform/routes.hpp"
#include "sim/platform/worker_process.hpp"
#include "tools/shipped/shipped_experiments.hpp"
#include "tools/verify/random_case.hpp"

namespace nowsim {
namespace {

/// What verify runs by itself: labs/verification with each of these jobs and each of these owners, and, on links of which
/// something else is left all the time, with each of these bandwidths and a job that communicates.
struct Variant {
  const char* name;
  const char* setting;
};
constexpr Variant kJobs[] = {
    {"base-task", "job={workload: base-task, work: 400f}"},
    {"augmented-task", "job={workload: augmented-task, work: 400f, phases: 5, synchronise: both, barrier_cost: 10ms}"},
    {"ping-pong", "job={workload: ping-pong, rounds: 3, bytes: 700}"},
    {"all-to-all", "job={workload: all-to-all, work: 400f, rounds: 3, bytes: 0}"},  // others in add_jobs_that_meet
    {"ep", "job={workload: ep, size: 40, work_per_pair: 10f}"},
    {"edge-detection", "job={workload: edge-detection, size: 6, mask: 3}"},
    {"merge-sort", "job={workload: merge-sort, size: 20}"},
    {"matrix-multiply", "job={workload: matrix-multiply, size: 10, spawn: 100ms}"},
    {"matrix-multiply rotating", "job={workload: matrix-multiply, size: 10, distribute: rotate}"},
    {"cholesky", "job={workload: cholesky, size: 12, block: 2, broadcast: binomial}"},
    {"gauss", "job={workload: gauss, size: 9}"},
    {"gauss point-to-point, shrinking",
     "job={workload: gauss, size: 9, communication: point-to-point, rows: shrinking}"},
    {"gauss free", "job={workload: gauss, size: 9, rows: shrinking, steps: free}"},
    {"gauss point-to-point, free", "job={workload: gauss, size: 9, communication: point-to-point, steps: free}"},
    {"genetic-algorithm", "job={workload: genetic-algorithm, population: 9, generations: 4, evaluation: 10f}"},
    {"genetic-algorithm drawn costs",
     "job={workload: genetic-algorithm, population: 9, generations: 4, evaluation: 10f, law: exponential, evolve: 2f}"},
    {"genetic-algorithm static",
     "job={workload: genetic-algorithm, population: 9, generations: 4, evaluation: 10f, dispatcher: static}"},
    {"genetic-algorithm static, drawn costs",
     "job={workload: genetic-algorithm, population: 9, generations: 4, evaluation: 10f, law: exponential, "
     "dispatcher: static}"},
    {"task-farm SS", "job={workload: task-farm, tasks: 30, cost: 10f, law: uniform, technique: SS, request: 2B, input: "
                     "3B, result: 5B, overhead: 10ms}"},
    {"task-farm GSS", "job={workload: task-farm, tasks: 60, cost: 5f, law: exponential, technique: GSS, result: 1B}"},
    {"task-farm CSS", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: CSS, chunk: 7, request: "
                      "1B}"},
    {"task-farm TSS", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: TSS, request: 1B}"},
    {"task-farm FAC", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: FAC, request: 1B}"},
    {"task-farm FAC2", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: FAC2, request: 1B}"},
    {"task-farm WF", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: WF, request: 1B}"},
    {"task-farm AWF-B", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: AWF-B, request: 1B}"},
    {"task-farm AWF-C", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: AWF-C, request: 1B}"},
    {"task-farm AF", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: AF, request: 1B}"},
    {"task-farm static", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: static, input: 1B}"},
    {"task-farm SS with time-outs", "job={workload: task-farm, tasks: 40, cost: 10f, law: exponential, technique: SS, "
                                    "request: 3B, result: 2B, timeout: 15s}"},
    {"mpi-trace", "job={workload: mpi-trace, trace: FOLDER/../experiments/traces/jacobi-4, scale: 0.04}"}};
constexpr Variant kOwners[] = {
    {"dedicated", "owner={model: dedicated}"},
    {"intervals uniform", "owner={model: intervals, TH: 0.4, SH: 0.1, interval: 3s}"},
    {"intervals two-point", "owner={model: intervals, value: two-point, TH: 1, length: constant, interval: 2s}"},
    {"intervals beta, exponential",
     "owner={model: intervals, value: beta, TH: 0.6, length: exponential, interval: 5s}"},
    {"intervals normal, pareto",
     "owner={model: intervals, value: truncated-normal, TH: 0.5, length: pareto, shape: 3, interval: 5s}"},
    {"duty-cycle", "owner={model: duty-cycle, period: 7s, u: 30%}"},
    {"jobs, sharing", "owner={model: jobs, u: 40%, demand: 3s}"},
    {"jobs, priority", "owner={model: jobs, u: 40%, demand: 3s, discipline: preemptive-priority}"},
    {"profile", "owner={model: profile, file: FOLDER/uniform-th028.profile}"},
    {"trace", "owner={model: trace, file: FOLDER/lab-load.csv, column: load}"},
    {"correlated intervals",
     "owner={model: intervals, TH: 0.4, SH: 0.1, interval: 3s, length: exponential, correlation: 0.4}"},
    {"correlated duty-cycle", "owner={model: duty-cycle, period: 7s, u: 30%, correlation: 0.7}"},
    {"diurnal trace",
     "owner={model: trace, file: FOLDER/lab-load.csv, column: load, correlation: 0.5, diurnal: {hours: [0.9, 0.8, 0.7, "
     "0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.2, 0.3, 0.4, 0.5, 0.4, 0.3, 0.2, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]}}"},
    {"diurnal over correlated intervals",
     "owner={model: intervals, TH: 0.4, interval: 3s, correlation: 0.4, diurnal: {start: '17:59', hours: [1, 1, 1, 1, "
     "1, 1, 0.8, 0.5, 0.4, 0.3, 0.3, 0.3, 0.5, 0.3, 0.3, 0.3, 0.4, 0.2, 0.7, 0.7, 0.8, 0.9, 1, 1]}}"}};

/// Runs beside no owners.
constexpr Variant kDrawnTimes = {"stochastic-time, dedicated",
                                 "job={workload: stochastic-time, work: 400f, sd_first: 10s, sd_last: 30s, sd_at: 40s}"};
/// Tasks handed out to machines that fail; owners' jobs on such machines are a case for SimGrid alone.
constexpr const char* kFailures = "platform.failures={rate: 0.004, repair: 20s}";
constexpr Variant kFarms[] = {
    {"task-farm SS", "job={workload: task-farm, tasks: 40, cost: 10f, law: exponential, technique: SS, request: 3B, "
                     "result: 2B, timeout: 71s}"},
    {"task-farm FAC2", "job={workload: task-farm, tasks: 40, cost: 10f, law: exponential, technique: FAC2, request: 3B, "
                       "result: 2B, timeout: 37s, timeout_per_task: 41s}"},
    {"task-farm static", "job={workload: task-farm, tasks: 40, cost: 10f, law: exponential, technique: static, "
                         "request: 3B, result: 2B, timeout: 37s, timeout_per_task: 41s}"}};
constexpr const char* kCommunicating[] = {
    "platform.network=links", "owner={model: intervals, TH: 0.4, SH: 0.1, interval: 3s}",
    "job={workload: augmented-task, work: 400f, phases: 5, synchronise: both, barrier_cost: 10ms, bytes: 3kB}"};

/// Jobs whose messages meet, on networks where they do: their sizes in messages, for machines that are slow and fast.
constexpr Variant kMeetingJobs[] = {
    {"all-to-all", "job={workload: all-to-all, work: 40f, rounds: 2, bytes: 7kB}"},
    {"edge-detection", "job={workload: edge-detection, size: 48, mask: 3, passes: 3}"},
    {"merge-sort", "job={workload: merge-sort, size: 900}"},
    {"matrix-multiply", "job={workload: matrix-multiply, size: 24}"},
    {"cholesky", "job={workload: cholesky, size: 24, block: 2, broadcast: binomial}"},
    {"cholesky to each", "job={workload: cholesky, size: 24, block: 3, broadcast: each}"},
    {"gauss point-to-point, free", "job={workload: gauss, size: 14, communication: point-to-point, steps: free}"},
    {"genetic-algorithm", "job={workload: genetic-algorithm, population: 24, generations: 3, evaluation: 10f, "
                          "individual: 900B, result: 300B}"},
    {"task-farm", "job={workload: task-farm, tasks: 60, cost: 5f, law: normal, technique: FAC2, request: 200B, input: "
                  "1kB, result: 700B}"}};
constexpr Variant kNetworks[] = {
    {"bus", "platform.network=bus"},
    {"switch", "platform.network=switch"},
    {"links", "platform.network=links"},
    {"sparc-now", "platform={file: FOLDER/sparc-now.xml}"},
    {"sparc-myrinet", "platform={file: FOLDER/sparc-myrinet.xml, workstations: 8}"},
    {"beowulf-33", "platform={file: FOLDER/beowulf-33.xml, workstations: 12}"},
    {"fast-slow-myrinet", "platform={file: FOLDER/fast-slow-myrinet.xml, workstations: 16}"},
    {"lab-now", "platform={file: FOLDER/lab-now.xml}"},
    {"campus", "platform={file: FOLDER/campus.xml}"},
    {"ethernet-by-day", "platform={file: FOLDER/ethernet-by-day.xml}"}};
constexpr Variant kMeetingOwners[] = {
    {"dedicated", "owner={model: dedicated}"},
    {"intervals", "owner={model: intervals, TH: 0.4, length: exponential, interval: 3s}"}};

std::string in_folder(std::string text, const std::string& folder) {
  const std::string mark = "FOLDER";
  if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), folder);
  return text;
}

bool has_jobs(const Variant& owner) { return std::string(owner.setting).find("model: jobs") != std::string::npos; }

/// All replications of a point, batch by batch.
Agreement compare_point(const Point& point) {
  const std::uint64_t size = batch_size(*point.scenario()), all = point.plan.replications;
  Agreement agreement;
  for (std::uint64_t first = 0; first < all; first += size)
    merge(agreement, compare_engines(*point.scenario(), {first, std::min(size, all - first)}));
  return agreement;
}

/// Where the time is limited (run.timeout), in a process that can be ended.
Agreement compare_in_time(const Point& point) {
  if (!(point.plan.timeout_s > 0)) return compare_point(point);
  const ChildOutcome outcome = run_forked([&] { return packed(compare_point(point)); }, point.plan.timeout_s);
  Agreement agreement{.kind = Agreement::Kind::failed, .where = outcome.text};
  if (outcome.kind == ChildOutcome::Kind::done) Deserializer(outcome.text).get_into(agreement);
  return agreement;
}

void add_points(std::vector<VerifyCase>& cases, const std::string& name, const Experiment& described) {
  const auto experiment = std::make_shared<const Experiment>(described);
  const ResultTable summary{experiment->title, experiment->file, experiment->axes, {}, {}};
  for (const Point& point : experiment->points) {
    ResultRow row;
    row.values = point.values;
    const std::string where = point_text(summary, row);
    const std::string title = name.empty() && where.empty() ? experiment->title : name;
    if (point.simulated() == nullptr) continue;
    cases.push_back({title + (title.empty() || where.empty() ? "" : " ") + where,
                     [experiment, &point] { return compare_in_time(point); }});
  }
}

/// labs/verification with other settings, and with the user's.
class Scenarios {
 public:
  Scenarios(const LoadOptions& options, const Registries& registries)
      : options_(options), registries_(registries), file_(find_experiment("labs/verification")) {
    const auto platforms = std::filesystem::absolute(file_).parent_path() / "../../platforms";
    folder_ = platforms.lexically_normal().string();
  }
  void add(const std::string& name, std::vector<std::string> settings) {
    for (auto& setting : settings) setting = in_folder(setting, folder_);
    settings.insert(settings.end(), options_.overrides.begin(), options_.overrides.end());
    add_points(cases_, name, load_experiment(file_, {settings}, registries_));
  }
  /// The folder of the shipped platforms.
  [[nodiscard]] const std::string& platforms() const { return folder_; }
  std::vector<VerifyCase> take() { return std::move(cases_); }

 private:
  const LoadOptions& options_;
  const Registries& registries_;
  std::string file_, folder_;
  std::vector<VerifyCase> cases_;
};

void add_jobs_that_meet(Scenarios& scenarios) {
  for (const auto& network : kNetworks)
    for (const auto& job : kMeetingJobs)
      for (const auto& owner : kMeetingOwners)
        scenarios.add(std::string(job.name) + " on " + network.name + ", " + owner.name,
                      {network.setting, job.setting, owner.setting, "run.replications=5"});
  for (const auto& job : kFarms)
    scenarios.add(std::string(job.name) + " on bus with failures, dedicated",
                  {"platform.network=bus", kFailures, job.setting});
  scenarios.add("10,100 messages at once on a switch",
                {"platform={workstations: 101, speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms}",
                 "job={workload: all-to-all, work: 1f, bytes: 50}", "owner={model: dedicated}", "run.replications=1"});
}

Agreement obstacle(const std::string& why) { return {.kind = Agreement::Kind::unsupported, .where = why}; }

/// The first machines of a file, between which there are ways; or why there are none.
struct FirstMachines {
  std::shared_ptr<const Platform> platform;
  std::string obstacle = {};
};

FirstMachines first_machines(const std::string& file) {
  constexpr std::size_t kMost = 8;
  try {
    const Platform platform = load_platform(file);
    std::vector<std::size_t> first(std::min(kMost, platform.workstations.size()));
    std::iota(first.begin(), first.end(), 0);
    if (first.size() < 2 || !platform.has_network()) return {nullptr, "there is nobody to send messages to"};
    const auto switches = [](const Workstation& w) { return w.extras->state_profile != nullptr; };
    if (std::ranges::any_of(platform.workstations, switches))
      return {nullptr, "random programs do not outlive machines that switch off"};
    const auto chosen = std::make_shared<const Platform>(platform.with(first));
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (const std::size_t from : first)
      for (const std::size_t to : first)
        if (from != to) pairs.emplace_back(from, to);
    find_routes(*chosen, pairs);  // for what it throws
    return {chosen};
  } catch (const InputError& e) {
    return {nullptr, e.what()};
  }
}

/// Random programs on the first machines of a platform file.
Agreement compare_on_file(const std::string& file, std::uint64_t seed) {
  const FirstMachines machines = first_machines(file);
  if (machines.platform) return compare_random_programs(machines.platform, seed);
  return obstacle(machines.obstacle);
}

/// Of random programs another order of simultaneous events is a failure too, by as much as it makes a difference.
void name_failing(RandomComparison& found, std::uint64_t network, std::uint64_t seed) {
  Agreement& agreement = found.agreement;
  agreement.largest = std::max(agreement.largest, agreement.largest_reordered);
  agreement.where += "; see nowsim verify --program " +
                     std::to_string(network * kProgramsPerNetwork + *found.failing) +
                     (seed == 1 ? "" : " --seed " + std::to_string(seed));
}

}  // namespace

std::vector<VerifyCase> cases_of(const Experiment& experiment) {
  std::vector<VerifyCase> cases;
  add_points(cases, "", experiment);
  return cases;
}

std::vector<VerifyCase> standard_cases(const LoadOptions& options, const Registries& registries, std::uint64_t seed) {
  Scenarios scenarios(options, registries);
  for (const auto& job : kJobs)
    for (const auto& owner : kOwners)
      scenarios.add(std::string(job.name) + ", " + owner.name, {job.setting, owner.setting});
  scenarios.add(kDrawnTimes.name, {kDrawnTimes.setting});
  for (const auto& job : kFarms)
    for (const auto& owner : kOwners)
      if (!has_jobs(owner))
        scenarios.add(std::string(job.name) + " with failures, " + owner.name,
                      {kFailures, job.setting, owner.setting});
  for (const auto& model : kOwners) {
    if (has_jobs(model)) continue;  // of processors only
    const std::string setting = model.setting;
    std::vector<std::string> settings(std::begin(kCommunicating), std::end(kCommunicating));
    settings.push_back("bandwidth" + setting.substr(setting.find('=')));
    scenarios.add(std::string("augmented-task with bytes, bandwidth ") + model.name, settings);
  }
  add_jobs_that_meet(scenarios);
  std::vector<VerifyCase> cases = scenarios.take(), shipped = platform_cases(scenarios.platforms(), seed);
  cases.insert(cases.end(), shipped.begin(), shipped.end());
  return cases;
}

std::vector<VerifyCase> random_cases(std::uint64_t programs, std::uint64_t seed) {
  const auto& kinds = random_network_kinds();
  const std::uint64_t networks = (programs + kProgramsPerNetwork - 1) / kProgramsPerNetwork;
  std::vector<VerifyCase> cases;
  for (std::size_t kind = 0; kind < std::min<std::uint64_t>(kinds.size(), networks); ++kind)
    cases.push_back({"random programs, " + kinds[kind], [kind, networks, seed, step = kinds.size()] {
                       Agreement agreement;
                       for (std::uint64_t network = kind; network < networks; network += step) {
                         RandomComparison found = compare_engines_on(network, seed);
                         if (found.failing) name_failing(found, network, seed);
                         merge(agreement, found.agreement);
                       }
                       return agreement;
                     }});
  return cases;
}

std::vector<VerifyCase> platform_cases(const std::string& folder, std::uint64_t seed) {
  std::error_code ignored;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".xml") files.push_back(entry.path());
  if (files.empty()) throw InputError("there is no folder " + quoted(folder) + " with platform files (*.xml)");
  std::ranges::sort(files);
  std::vector<VerifyCase> cases;
  for (const auto& file : files)
    cases.push_back({"random programs on " + file.filename().string(),
                     [name = file.string(), seed] { return compare_on_file(name, seed); }});
  return cases;
}

}  // namespace nowsim
