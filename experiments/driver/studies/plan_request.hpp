// What someone with a deadline asks about a job on a platform's machines, as an experiment over splitting policies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "sim/base/clock_text.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// "5 %", "0.1 %".
std::string percent_text(double share);
/// The prefixed unit in which format_quantity writes an amount of work: "Pflop", 1e15 flop.
struct WorkUnit {
  std::string name;
  double flop;
};
WorkUnit work_unit(double work_flop);

/// What a plan's rows estimate, in this order; RF with a deadline alone.
enum class PlanMetric { tau, sigma, median, t90, t99, late };
std::vector<const Metric*> plan_metrics(bool has_deadline);

/// A recorded MPI program as the job (workloads/mpi): how it is placed is looked for, and nothing is split.
struct MpiJob {
  std::string trace;  ///< a folder, or the list of files, from here
  double scale = 1;   ///< of all that it computes
  std::optional<std::int64_t> most_per_machine;  ///< ranks; none: by cores
  std::uint64_t most_unpacked = 0;               ///< bytes that packed files may come to; 0: by their packed size
};

/// What joins machines that are not: what stands at keys of the `platform:` block, as it was written.
struct AskedNetwork {
  std::string kind, bandwidth, latency;
};
/// "switch:1Gbps,50us"; a "star" is a switch, and the latency may be left out. @throws InputError, without a place, where
/// it is not of that form.
AskedNetwork asked_network(const std::string& text);
/// The work as so many equal tasks: split in whole ones, or handed out on request (workloads/farm).
struct TaskBag {
  std::int64_t tasks = 1;
  std::vector<std::string> techniques;  ///< by which they are handed out, a row each
  double dispatch_s = 0;                ///< what a machine waits for whatever it has been given, before it computes
};

/// The question. Everything else that an experiment can say goes through `options`.
struct PlanRequest {
  std::string platform_file;   ///< "": equal machines
  std::uint64_t machines = 0;  ///< so many, where there is no file
  double speed_flops = 0;      ///< of each of those
  double work_flop = 0;
  std::string work_text;  ///< as it was told, where that was time on a machine
  double work_time_s = 0;  ///< that time
  std::optional<WallClock> clock;      ///< when the job begins, where that is said: owners know it, and times are told by it
  std::optional<double> deadline_s;
  bool is_deadline_by_clock = false;   ///< a moment: who starts later has less time
  std::vector<double> starts_s = {};   ///< beginnings that are compared, so long behind the clock's [s]; none: that alone
  std::optional<double> risk;          ///< of missing a deadline, in (0, 1)
  std::vector<std::string> policies;   ///< in the order in which they are reported
  std::optional<std::int64_t> phases;  ///< of computing and synchronising; none: the job is one piece
  std::optional<double> phase_bytes;   ///< what each workstation moves in each phase
  std::optional<AskedNetwork> network;  ///< over machines that have none
  std::optional<TaskBag> bag;          ///< none: the work can be cut anywhere
  std::string owner_file;              ///< an owner block, in place of the platform's own owners; "": none
  std::optional<MpiJob> mpi;           ///< in place of work, policies and phases
  bool is_exact = false;               ///< all intervals of owners are simulated, however short (with_coarse_owners())
  LoadOptions options;
};

/// "platforms/lab-now.xml", "4 machines of 2.5 Gflop/s".
std::string machines_text(const PlanRequest& request);
/// What amounts of the request's work are told in: "machine-hours" where it was told as time on a machine, of so many
/// flop each, else "Pflop".
WorkUnit work_unit(const PlanRequest& request);
/// "31.2 machine-hours", "3.41 Pflop".
std::string amount_text(const PlanRequest& request, double work_flop);
/// "13 h 12 min"; by the clock, where the job's beginning is known, "Sat 08:00 (13 h 12 min after the start)".
std::string when_text(const PlanRequest& request, double elapsed_s);
/// ", Sat 08:00" behind a duration that has been told; "" where nothing is known of the clock.
std::string also_by_clock(const PlanRequest& request, double elapsed_s);
/// "360 Tflop", and how that was told: "360 Tflop (40 machine-hours)"; a recorded program's trace.
std::string work_text(const PlanRequest& request);

/// What work told as time on a machine comes to on the request's machines [flop]. @throws as plan_experiment().
double planned_work(const PlanRequest& request, const std::string& text, const Registries& registries);

/// The policies that need nothing but the machines: what is compared unless others are named.
std::vector<std::string> default_policies(const Registry<Policy>& policies);

/// The same question of a job that begins so much later, and not of several beginnings.
PlanRequest begun_later(PlanRequest request, double after_s);

/// The same question about one policy, without flags that set what others read, and without queues.
PlanRequest about_policy(PlanRequest request, const Policy& policy);

/// The same about one row: a policy whose shares are going to be replaced, or the technique of a queue of the request's bag.
PlanRequest about_row(const PlanRequest& request, const std::string& name);

/// The request as an experiment with one point per policy, and of a bag per technique behind them, all on the same random
/// numbers; of several beginnings each policy with one after the other; with one point of a recorded program, its ranks on
/// the machines in turn.
/// @throws InputError naming the flag; for keys that a flag of `plan` stands for, set by --set.
Experiment plan_experiment(const PlanRequest& request, const Registries& registries);

/// The scenario with owners coarsened() for the time that its work takes all machines together, between two moments at
/// which they wait for one another; the same where none can be. However the work is split, owners are the same.
/// @param rounds so often each machine is given work in that time.
std::shared_ptr<const Scenario> with_coarse_owners(const std::shared_ptr<const Scenario>& scenario, double rounds = 1);

/// All points' scenarios so, and a remark that says it.
Experiment with_coarse_owners(Experiment experiment, double rounds = 1);

/// By rough estimates (cost_estimate.hpp), in wall-clock time of so many processes.
struct PlanTime {
  double whole_s = 0;    ///< the policies' runs, searches for splits, and for the most work
  double limits_s = 0;   ///< of that the last
  double job_s = 0;      ///< how long the job itself is expected to take, by the policy that is fastest
  std::uint64_t replications = 0;
};
/// @param request for its deadline and risk: the most work is looked for where it has both.
PlanTime plan_time(const Experiment& experiment, const PlanRequest& request, int jobs);

/// Fewer than these tell too little of a deadline.
inline constexpr std::uint64_t kFewestForPlan = 100;

/// In whole tens as many replications as there is time for, of so many as are wanted: no fewer than kFewestForPlan.
std::uint64_t replications_that_fit(double fit, std::uint64_t wanted);
/// How many replications of a plan there is time for: those that there are, or fewer, for half of it.
/// @param most_s how long it may take. @throws InputError where there is too little for kFewestForPlan, saying how long the
/// plan would take, and the job; or for those that `are_asked` for.
std::uint64_t replications_in_time(const PlanTime& time, double most_s, bool are_asked);

}  // namespace nowsim
