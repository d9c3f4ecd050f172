// A job that is under way: what is known of it, how far it would have been expected to be by its plan, what can be done,
// simulated from now on, what each would gain, and all of it as an answer.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/studies/alternatives.hpp"
#include "experiments/driver/studies/answer.hpp"
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

// ---- what can be done -----------------------------------------------------------------------------------------------

/// One of the things that can be done.
struct WayOn {
  /// Every machine finishes its part; or what is left is split anew among those that take part, those but one, those and
  /// one more.
  enum class Kind { go_on, move, give_up, add };
  Kind kind = Kind::go_on;
  std::string machine;  ///< that is given up or added
  Alternative rest;      ///< the rest of the job; its times count from when the job began
  Estimate late_less = kUnknownEstimate;   ///< RF of going on less this one's; NaN without a deadline still to come
  Estimate takes_less = kUnknownEstimate;  ///< tau of going on less this one's [s]

  [[nodiscard]] std::string name() const;
};

/// All of them, and what comes of them.
struct WaysOn {
  Experiment experiment;    ///< a point each: from now on
  PlanRequest rest;         ///< the question of those points, times from now on
  std::vector<WayOn> ways;  ///< in order of the points; the first is to go on. Compared, those that could be simulated
  ResultTable table;        ///< a row per point, times since the job began
  std::size_t advised = 0;  ///< to go on, or the least change that does better than that and than which none does better,
                            ///< as far as can be told
  double of_each = 0.95;    ///< the highest level of their intervals: all comparisons of two ways hold together
  double of_promise = 0.95; ///< that of each way's safe deadline
};

/// How many machines are tried to be given up, those that are expected to end last, and to be added, the fastest; of
/// machines that are alike one.
inline constexpr std::size_t kMostMachinesTried = 6;

/// The ways on of a job that began by `planned`, with splits that are still to be found: by simulation (policy
/// `optimal`), which knows what owners leave now, for the quantile of T at the risk (5 %), or without deadline for tau; of a job in phases by the plan's policy, which is
/// told what owners are expected to leave until the end. While work is moved, nobody computes.
/// Owners go on from what is seen of them, as far as they have memory (under_way()).
/// @throws InputError where nothing is left, or the job does not allow the question.
WaysOn ways_on(const PlanRequest& request, const ProgressRequest& said, const JobProgress& progress,
               const Alternative& planned, const Registries& registries);

/// Fills in what the points of its experiment have come to. @throws RunError where going on could not be simulated.
void compare_ways(WaysOn& ways, const std::vector<PointOutcome>& outcomes, const PlanRequest& request,
                  const ProgressRequest& said);

struct UnderWayReport {
  PlanRequest request;
  ProgressRequest said;
  std::shared_ptr<const Scenario> begun;  ///< as it began, with owners as they are
  JobProgress progress;
  Alternative planned;           ///< by whose split the job is under way
  bool is_recommended = false;  ///< it was chosen as what the plan recommends of several
  std::optional<ExpectedProgress> expected;
  WaysOn ways;
};

/// For people the plan and the ways on, machines, advice. CSV: a row per way, in SI; JSON: all of it; the picture: the plan,
/// to go on, and what is advised.
Answer under_way_answer(UnderWayReport report);

}  // namespace nowsim
