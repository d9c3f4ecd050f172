// The flags that put a plan into files for other programs: what goes with what, tried before anything is simulated.
#include <algorithm>
#include <array>
#include <functional>
#include <string>

#include "experiments/driver/studies/plan_files.hpp"
#include "sim/base/error.hpp"
#include "tools/commands/plan_steps.hpp"
#include "tools/running/output_files.hpp"

namespace nowsim {
namespace {

constexpr double kMostItems = 1e9;
constexpr std::array<const char*, 2> kScripts{"parallel", "slurm"}, kMpiFiles{"hostfile", "rankfile"};

bool has_any(const Arguments& arguments, const std::array<const char*, 2>& flags) {
  return arguments.has(flags[0]) || arguments.has(flags[1]);
}

/// @throws UsageError for flags of other plans.
void check_kind_of_plan(const Arguments& arguments) {
  for (const char* flag : {"split", "items", "parallel", "slurm", "command"}) {
    if (!arguments.has(flag)) continue;
    if (arguments.has("mpi"))
      throw UsageError("--" + std::string(flag) + " does not go with --mpi: nothing is split; --hostfile and --rankfile say where ranks are");
    if (arguments.has("elapsed") || arguments.has("started"))
      throw UsageError("--" + std::string(flag) + " is for plans; how a job that is under way is split anew, its answer's table says");
  }
  for (const char* flag : kMpiFiles)
    if (arguments.has(flag) && !arguments.has("mpi"))
      throw UsageError("--" + std::string(flag) + " is of a recorded MPI program's ranks: which one, by --mpi TRACE");
}

/// @throws UsageError, naming the flag, for what `write` throws.
void try_writing(const std::string& flag, const std::string& text, const std::function<void()>& write) try {
  if (!text.empty()) write();
} catch (const InputError& e) {
  throw UsageError(flag_place(flag, text) + ": " + e.what());
}

}  // namespace

void add_file_flags(Flags& flags) {
  flags.add(
      {{"split", written_file({".csv"}, "a split is CSV"), "each machine's part by the policy that is advised"},
       {"items", whole(1, kMostItems), "the work comes in so many whole items, of which each machine gets the next ones"},
       {"parallel", written_file(), "a script: GNU parallel has all machines do --command by ssh"},
       {"slurm", written_file(), "a job of Slurm in which all machines do --command"},
       {"command", taking(Kind::text).called("COMMAND"),
        "what each machine does, such as 'render {first} {last}'; also {items}, {share}, {work}, {machine}"},
       {"hostfile", written_file(), "with --mpi: how many ranks each machine has, for mpirun"},
       {"rankfile", written_file(), "with --mpi: which rank is where, for mpirun"}});
}

PlanFiles plan_files(const Arguments& arguments) {
  check_kind_of_plan(arguments);
  const bool is_scripted = has_any(arguments, kScripts);
  if (is_scripted && !arguments.has("command"))
    throw UsageError("--command is missing: what each machine is to do with its part, such as 'render {first} {last}'");
  if (!is_scripted && arguments.has("command"))
    throw UsageError("--command is for a script: --parallel FILE or --slurm FILE");
  return {arguments.text("split"),   arguments.text("parallel"), arguments.text("slurm"),       arguments.text("command"),
          arguments.text("hostfile"), arguments.text("rankfile"), arguments.whole("items").value_or(0)};
}

void try_plan_files(const PlanFiles& files, const Experiment& described, const PlanRequest& request) {
  const auto is_known = [](const Point& point) { return point.scenario() != nullptr; };
  const auto known = std::ranges::find_if(described.points, is_known);
  if (known == described.points.end()) return;
  const Scenario& scenario = *known->scenario();
  const auto& machines = scenario.platform->workstations;
  try_writing("command", files.command, [&] {
    const JobParts parts = even_parts(scenario, request, files.items > 0 ? machines.size() : 0);
    if (!files.parallel.empty()) parallel_script(parts, files.command);
    if (!files.slurm.empty()) slurm_script(parts, files.command);
  });
  const Placement everywhere = first_numbers(machines.size());
  try_writing("hostfile", files.hostfile, [&] { mpi_hostfile("", everywhere, machines); });
  try_writing("rankfile", files.rankfile, [&] { mpi_rankfile("", everywhere, machines); });
}

void write_split(Session& session, const PlanFiles& files, const PlanReport& report, bool quiet) {
  if (files.split.empty() && files.parallel.empty() && files.slurm.empty()) return;
  const Alternative* plan = report.plan_to_follow();
  if (plan == nullptr) throw RunError("there is no split to be written: no policy could be simulated");
  const JobParts parts = job_parts(*plan, report.request, files.items);
  const std::string by = " by '" + plan->name() + "'";
  if (!files.split.empty()) write_and_tell(session, files.split, parts_csv(parts), "split" + by, quiet);
  if (!files.parallel.empty())
    write_and_tell(session, files.parallel, parallel_script(parts, files.command), "script, split" + by, quiet);
  if (!files.slurm.empty())
    write_and_tell(session, files.slurm, slurm_script(parts, files.command), "job of Slurm, split" + by, quiet);
}

void write_placement(Session& session, const PlanFiles& files, const PlacementReport& report, bool quiet) {
  if (files.hostfile.empty() && files.rankfile.empty()) return;
  const NamedPlacement* placement = report.recommended();
  if (placement == nullptr) throw RunError("there is no placement to be written: none could be simulated");
  const std::string title = report.summary.title + ", ranks placed by '" + placement->name + "'";
  const std::string what = " by '" + placement->name + "'";
  if (!files.hostfile.empty())
    write_and_tell(session, files.hostfile, mpi_hostfile(title, placement->machines, report.machines()), "hosts" + what, quiet);
  if (!files.rankfile.empty())
    write_and_tell(session, files.rankfile, mpi_rankfile(title, placement->machines, report.machines()), "ranks" + what, quiet);
}

}  // namespace nowsim
