// What one does with a plan: its split, or its placement, as files that other programs take; work that comes in items.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/placement_choice.hpp"
#include "experiments/driver/studies/plan_request.hpp"

namespace nowsim {

// ---- whole items -----------------------------------------------------------------------------------------------------

/// How many of so many items each machine gets, by its share of them: such that the part that exceeds its share the most,
/// in proportion, does so the least, as a job is as late as its latest part. (The largest remainder, which is nearest in
/// sum, gives a slow machine an item more for half an item.) @pre shares are not negative, and some are more than 0.
std::vector<std::uint64_t> whole_items(const std::vector<double>& shares, std::uint64_t items);

/// A plan with its parts made of whole items, measured on the same random numbers. @throws RunError.
Alternative in_whole_items(const Alternative& plan, const PlanRequest& request, std::uint64_t items, double confidence,
                           const StudyManner& manner);

// ---- a split ---------------------------------------------------------------------------------------------------------

struct MachinePart {
  std::string machine;
  double work_flop = 0;
  std::uint64_t first_item = 0, items = 0;  ///< of all items, counted from 1

  [[nodiscard]] bool has_work() const { return work_flop > 0; }
};

struct JobParts {
  std::string title;               ///< which job, split how
  std::vector<MachinePart> parts;  ///< of all machines of the plan
  double work_flop = 0;            ///< of all together
  double hour_flop = 0;            ///< a machine-hour, of work that was told as time on a machine; 0 of other work
  std::uint64_t items = 0;         ///< that it comes in; 0: it can be split anywhere
};

/// Of a plan's split: machines in their order, each with the items behind those of the machine before.
JobParts job_parts(const Alternative& plan, const PlanRequest& request, std::uint64_t items);
/// The same of equal parts, to try what is asked of it before it is known.
JobParts even_parts(const Scenario& scenario, const PlanRequest& request, std::uint64_t items);

/// A row per machine: machine, share, work_flop; hours, of work told as time; items, first_item and last_item, of work in
/// items.
std::string parts_csv(const JobParts& parts);

/// What each machine that has work is to do: a command for a shell, in which {machine}, {share} (of 1), {work} (flop)
/// and of work in items {items}, {first} and {last} stand for what they are. Other braces stay.
/// @throws InputError, without a place, where none of these is in it, or items that there are not; for control
/// characters, and for {machine} of one whose name a shell would take for something else.
std::string part_command(const std::string& command, const JobParts& parts, const MachinePart& part);
/// A shell's script that has GNU parallel run them all at once, by ssh. @throws as part_command(), and for control
/// characters in a machine's name.
std::string parallel_script(const JobParts& parts, const std::string& command);
/// A job of Slurm: a component for all machines that have the same part, which are called there as in the platform, one
/// task each. @throws as part_command(), and for names and components that Slurm cannot have.
std::string slurm_script(const JobParts& parts, const std::string& command);

// ---- a placement -----------------------------------------------------------------------------------------------------

/// A recorded program's ranks on machines, for Open MPI: how many each takes, and which rank goes where. Comments say
/// how they are used, and the same for MPICH. @throws InputError, without a place, for names that these files cannot have.
std::string mpi_hostfile(const std::string& title, const Placement& placement, const std::vector<Workstation>& machines);
std::string mpi_rankfile(const std::string& title, const Placement& placement, const std::vector<Workstation>& machines);

}  // namespace nowsim
