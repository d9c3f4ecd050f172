// What is known of a job that is under way: the time since it began, what machines have done, what their owners leave;
// and how far it would have been expected to be by its plan.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// What was said of the job.
struct ProgressRequest {
  double elapsed_s = 0;                ///< since it began
  std::optional<double> done;          ///< the share of the job that is done, by all machines together
  std::string done_file;               ///< by machine, in place of that; "": none
  std::vector<std::string> seen_files; ///< recordings just made, named as their machines are
  double moving_s = 0;                 ///< for how long nobody computes where work is moved
};

/// A machine's part of the job.
struct MachineProgress {
  double part_flop = 0, done_flop = 0;
  std::optional<double> seen = std::nullopt;  ///< the availability that its owner leaves now, where somebody looked

  [[nodiscard]] double left_flop() const { return part_flop - done_flop; }
  /// Machines without a part may be added.
  [[nodiscard]] bool takes_part() const { return part_flop > 0; }
};

/// Of a job, by workstation.
struct JobProgress {
  double elapsed_s = 0;
  std::vector<MachineProgress> machines;
  std::vector<std::string> remarks;  ///< what cannot quite be: more done than the speed allows, a look of long ago

  [[nodiscard]] double part_flop() const;
  [[nodiscard]] double done_flop() const;
  [[nodiscard]] double left_flop() const;
};

/// What was said, of a job that began with this scenario's split. Of a share of the job each machine is taken to have
/// done what it would have by the plan, all as much more or less; in phases all have done the same share. The file is CSV with a head: `machine` and `done`, a
/// share of its part (0.4, 40%) or an amount of work (4Tf); where it is another than by the plan, `part`, a share of the
/// job or an amount, machines that are not named then having none; and what its owner leaves now, `seen`.
/// @throws InputError naming file, line and column.
JobProgress job_progress(const ProgressRequest& request, const Scenario& planned);

/// Shares of a part that were done by now, in simulated beginnings of the job.
struct ExpectedShare {
  double low = 0, mean = 0, high = 0;  ///< the quantiles of 5 and 95 %
  double least = 0, most = 0;          ///< of all
};

/// Of a job whose machines do not wait for one another.
struct ExpectedProgress {
  std::size_t replications = 0;
  std::optional<ExpectedShare> whole;                 ///< none where some machine's owner cannot tell
  std::vector<std::optional<ExpectedShare>> machines; ///< by workstation; none without a part, and beside owner jobs
};

/// By the scenario as it was planned and the parts that machines really have; none where machines wait for one another,
/// or begin later. Owners whose parameters were measured are as far apart as they may be.
std::optional<ExpectedProgress> expected_progress(const Scenario& planned, const JobProgress& progress);

}  // namespace nowsim
