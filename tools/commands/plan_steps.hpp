// The steps of `nowsim plan`: the experiment that there is time for, running it, telling its answer, and putting it into
// files; jobs under way and recorded programs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/points/fitted_owner.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/answer.hpp"
#include "experiments/driver/studies/placement_choice.hpp"
#include "experiments/driver/studies/plan_report.hpp"
#include "experiments/driver/studies/plan_request.hpp"
#include "experiments/driver/studies/under_way.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/output_files.hpp"

namespace nowsim {

/// A flag that does not go with another one, and why.
struct RefusedFlag {
  const char *flag, *reason;
};
/// @throws UsageError for the first that is given.
void refuse_beside(const Arguments& arguments, const char* with, std::span<const RefusedFlag> flags);

/// The request's experiment. Policies that nobody asked for are left out where they cannot be had, which is said.
Experiment planned_experiment(PlanRequest& request, bool is_asked_for, Session& session);

/// How long an answer may take, and whether it may have fewer replications for that.
struct TimeGiven {
  double most_s;
  int jobs;
  bool replications_were_asked;
};
/// Takes policies out of a request whose splits are searched for longer than a tenth of that, and says so; returns
/// whether there were any.
bool leave_out_long_searches(Session& session, PlanRequest& request, const Experiment& described, const TimeGiven& given,
                             const Registry<Policy>& policies);
/// The question without what a job under way is not asked: the most work that fits.
PlanRequest without_risk(PlanRequest request);
/// How many replications there is time for; where it is fewer than the experiment has, that is said. @throws InputError
/// where these are too few, or fewer than were asked for.
std::uint64_t replications_given(Session& session, const Experiment& described, const PlanRequest& timed, const TimeGiven& given);
/// Whether somebody said how many there are to be.
bool asks_for_replications(const LoadOptions& options);

/// Asked whether an answer that may take so long is due, or not wanted any more.
std::function<bool()> due_after(double most_s);

/// Runs all points, with progress. `store`: where replications are taken from and kept; may be null. @throws RunError
/// where the answer is due before that is done.
std::vector<PointOutcome> simulated(const Experiment& experiment, const OutputFlags& how,
                                    const std::function<bool()>& is_over, BatchStore* store = nullptr);

/// Writes it, and its picture where one is wanted. Returns the exit status.
int tell_answer(Session& session, const Answer& answer, const OutputFlags& how, const PictureFile& picture);

// ---- what one does with a plan: files for other programs ----

/// The flags --split, --items, --parallel, --slurm, --command, --hostfile, --rankfile.
void add_file_flags(Flags& flags);
/// What they say; "": no such file.
struct PlanFiles {
  std::string split, parallel, slurm, command, hostfile, rankfile;
  std::uint64_t items = 0;  ///< 0: the work can be split anywhere
};
/// @throws UsageError, also for flags of other plans.
PlanFiles plan_files(const Arguments& arguments);
/// @throws UsageError where they cannot be written of the experiment's machines, as far as that is known before.
void try_plan_files(const PlanFiles& files, const Experiment& described, const PlanRequest& request);
/// Those of a split, by what the report advises, each of which is told. @throws RunError where there is nothing to write.
void write_split(Session& session, const PlanFiles& files, const PlanReport& report, bool quiet);
/// Those of the placement that is recommended. @throws RunError likewise.
void write_placement(Session& session, const PlanFiles& files, const PlacementReport& report, bool quiet);

// ---- `nowsim plan --start`: when the job begins by the clock, and when it has to be done ----

/// The flags --deadline, --start and --zone.
void add_clock_flags(Flags& flags);
/// When the job begins, by --start, or by --started of one that is under way, where the clock is said. @throws UsageError.
std::optional<WallClock> clock_of(const Arguments& arguments, const Session& session);
/// The deadline [s] behind the beginning: a duration, or a moment by the clock, the next such one behind it.
/// @throws UsageError, also for a moment where nobody says when the job begins, or that is not behind that.
std::optional<double> deadline_of(const Arguments& arguments, const Session& session, const std::optional<WallClock>& clock);
/// How long the job has been under way [s], by --elapsed or --started; nothing where it has not begun. @throws UsageError.
std::optional<double> elapsed_of(const Arguments& arguments, const Session& session, const std::optional<WallClock>& clock);

// ---- `nowsim plan --elapsed`: a job that is under way: whether its promise still holds, and what can be done ----

/// The flag --replay.
void add_replay_flags(Flags& flags);
/// What was recorded of machines, where the promise is to be tried on it; none where it is not. @throws UsageError where
/// nothing is promised by the clock.
std::vector<FittedHost> replay_hosts(const Arguments& arguments);

/// The flags --elapsed, --started, --done, --done-file, --seen, --moving.
void add_progress_flags(Flags& flags);
/// What they say; nothing where the job has not begun. @throws UsageError.
std::optional<ProgressRequest> progress_request(const Arguments& arguments, const Session& session,
                                                const std::optional<WallClock>& clock);

/// How the answer is given, and when it is due.
struct AnswerManner {
  OutputFlags how;
  PictureFile picture;
  TimeGiven given;
  std::function<bool()> is_over;
};
/// Of a job that began by the plan's recommended policy. Returns the exit status.
int answer_under_way(const PlanReport& planned, const ProgressRequest& said, const AnswerManner& manner,
                     Session& session);

// ---- `nowsim plan --tasks`: work that comes in tasks ----

/// The flags --tasks, --technique, --dispatch.
void add_bag_flags(Flags& flags);
/// What they say; nothing where the work can be cut anywhere. @throws UsageError, also for flags that do not go with tasks.
std::optional<TaskBag> task_bag(const Arguments& arguments, const Registry<Technique>& techniques);

// ---- `nowsim plan --mpi`: on which machines the ranks of a recorded program hold a deadline ----

/// The flags --mpi, --scale, --per-machine, --unpacked.
void add_mpi_flags(Flags& flags);
/// What they say; nothing where the job is no recorded program. @throws UsageError, also for flags that say of other
/// jobs what a trace says itself.
std::optional<MpiJob> mpi_job(const Arguments& arguments);

/// Searches, measures and tells. `flags` for the manner: --at-most, --jobs, --format, --picture. Returns the exit status.
int answer_mpi_plan(const PlanRequest& request, const Arguments& arguments, Session& session);

}  // namespace nowsim
