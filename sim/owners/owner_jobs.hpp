// The owner model that feels the job: owner jobs that arrive at a workstation and share its cores with the task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/path.hpp"
#include "sim/owners/recordings.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// An owner job: when it comes, since the replication began, and the CPU time it needs.
struct OwnerJob {
  double arrival_s;
  double demand_s;
};

/// Gives the owner jobs of a workstation in a replication, without end, in the order in which they come. A copy goes on
/// from the same job.
using OwnerJobSequence = std::function<OwnerJob()>;

/// What is known of owner jobs before they come. Immutable.
class OwnerJobSource {
 public:
  virtual ~OwnerJobSource() = default;
  /// Outlived by the source. @param key names the stream of its draws; where in a recorded series it starts, `owner_offset`
  /// says, and the hour at which all workstations start, `clock`.
  /// @param before_s it begins so long before the replication: times count from there.
  [[nodiscard]] virtual OwnerJobSequence jobs(const StreamKey& key, double before_s = 0) const = 0;
  [[nodiscard]] virtual double mean_interval_s() const = 0;  ///< in the long run
  [[nodiscard]] virtual double mean_demand_s() const = 0;    ///< seconds of one dedicated core
  /// Whether they come in a Poisson stream, with independent demands of one law.
  [[nodiscard]] virtual bool is_poisson() const { return false; }
  /// Of a Poisson stream: what is left of the demand of a job that is found at any moment on a machine that divides its
  /// cores equally; and else null.
  [[nodiscard]] virtual ResidualLifePtr found_demand_s() const { return nullptr; }
  /// So long after it was empty the machine knows nothing of that, at a utilisation of its cores as the source's own, or
  /// as it is given: fifty of the times in which, as a rule, a queue forgets, (E[S²]/E[S] + E[I²]/E[I])/(1 - u)² of demands
  /// S and intervals I.
  [[nodiscard]] virtual double forgets_within_s(int cores, std::optional<double> utilisation = {}) const = 0;
  /// How many come in the first so many seconds, on average, by the clock; none where that is the same at all times.
  [[nodiscard]] virtual std::optional<double> expected_jobs(double /*seconds*/) const { return std::nullopt; }
  /// After how long arrivals have the same law again [s]; 0 where it is the same all the time.
  [[nodiscard]] virtual double period_s() const { return 0; }
  /// As Owner's.
  [[nodiscard]] virtual double replayed_after_s() const { return kInfinity; }
  [[nodiscard]] virtual bool begins_at_random() const { return false; }
  [[nodiscard]] virtual Dependence dependence() const { return {}; }
  /// As Owner's.
  [[nodiscard]] virtual std::optional<RecordedSeries> recording() const { return std::nullopt; }
  [[nodiscard]] virtual std::uint64_t content_hash() const { return 0; }
  [[nodiscard]] virtual std::shared_ptr<const OwnerJobSource> replayed_together(const ClockSpans& /*kept*/,
                                                                                std::uint64_t /*set*/) const {
    return nullptr;
  }
  /// What of it the model's text leaves open, exactly.
  [[nodiscard]] virtual std::string content() const { return {}; }
};
using OwnerJobSourcePtr = std::shared_ptr<const OwnerJobSource>;

/// Independent intervals, the first from 0 on, and independent demands: of each job an interval and then a demand from
/// one stream (purpose owner). @throws InputError where laws give negative times, or means are not positive and finite.
OwnerJobSourcePtr renewal_jobs(DistributionPtr interval_s, DistributionPtr demand_s);

/// The same jobs, come by the clock: time passes for arrivals at a speed that makes owner jobs ask for 1 - d of so many
/// cores in an hour whose mean is d, and with d = 1 not at all. What was a Poisson stream becomes one whose rate follows
/// the hours, exactly (Çinlar, Introduction to Stochastic Processes, 1975, 4.7). Some d must be below 1.
OwnerJobSourcePtr jobs_by_hour(OwnerJobSourcePtr jobs, DiurnalPattern pattern, int cores);

/// A log of jobs: times since the first, never falling, and CPU times.
struct JobLog {
  std::vector<OwnerJob> jobs;
  Stamp first;           ///< when the first came
  double total_s = 0;   ///< from the first to the last, and the mean interval from one to the next behind it: then all again
  double demand_s = 0;  ///< of all
  std::vector<std::string> remarks = {};  ///< on lines that are no jobs
};
/// Reads a job per line: `time demand` [s], '#' before comments, or 18 fields of the Standard Workload Format (Chapin et
/// al., JSSPP 1999: submit time, field 2; run time, field 4; processors, field 5, or where these are -1 those asked for,
/// field 8), ';' before comments, one of which may be "UnixStartTime: " and when time 0 was [s since 1970]. There, the
/// demand is run time times processors, and what did not run (0 or -1) is left out. Of a job that was swapped out or saved
/// the archive has a line for the whole and one for each partial execution, with status 2, 3 or 4 (field 11) and the same
/// number, of which only the first has to have a submit time: the line for the whole counts, or, where there is none, the
/// parts are one job that asks for what they do together. @throws InputError naming file and line where that is not so,
/// where times fall, anything is negative, or there are fewer than two jobs, all at one time, or all of demand 0.
JobLog read_job_log(const std::string& file);
/// The jobs of a log with `scale` times their demands, from such a moment on, and all over again at its end. Where a part of
/// it is replayed the scale is one that gives the same utilisation, unless it is 1. @param file that it was read from.
OwnerJobSourcePtr logged_jobs(std::shared_ptr<const JobLog> log, double scale, TraceStart start, std::string file = {});

/// How a machine divides its cores between n owner jobs and the task. No job has more than one core.
enum class Discipline {
  processor_sharing,    ///< all alike: each owner job and the task get min(1, C/(n+1)) of a core
  preemptive_priority,  ///< owner jobs first, each min(1, C/n); the task has a core to itself if n < C, else nothing
};

/// What each owner job and the task get, in cores.
struct CoreShares {
  double owner_job;
  double task;
};

/// Long-run figures of a machine with owner jobs, while a task computes beside them.
struct OwnerJobsFigures {
  double mean = 1;      ///< E[A]: what a task gets of a core
  double sd = 0;        ///< of A over time
  double slowdown = 1;  ///< of owner jobs: mean of response time / demand
  double mean_error = 0, sd_error = 0;  ///< standard errors of the first two; 0 where they are exact
};

/// Owner jobs of one workstation. When a replication begins the machine is empty, or with a stationary start has the jobs
/// of a random moment without the task, with what is left of their demands: exactly so of a Poisson stream, else those of
/// a machine that was empty so long before that it hardly matters (forgets_within_s()). What they leave the task depends
/// on how long it has been computing, so there is no path; an engine follows the jobs themselves. A job's response time is
/// that from its arrival, or of one that is found from the replication's beginning, to its end, its slowdown response time
/// / demand. Immutable.
class OwnerJobs : public OwnerKind {
 public:
  /// @param label describes all this. @param identity exactly, but for the source's content(); empty: the label does.
  /// @throws InputError where cores < 1, or utilisation() >= 1.
  OwnerJobs(OwnerJobSourcePtr source, Discipline discipline, int cores, std::string label, std::string identity = {},
            OwnerStart start = OwnerStart::fresh);
  /// With renewal_jobs().
  OwnerJobs(DistributionPtr interarrival_s, DistributionPtr demand_s, Discipline discipline, int cores, std::string label)
      : OwnerJobs(renewal_jobs(std::move(interarrival_s), std::move(demand_s)), discipline, cores, std::move(label)) {}

  [[nodiscard]] const OwnerJobSourcePtr& shared_source() const { return source_; }
  [[nodiscard]] const OwnerJobSource& source() const { return *source_; }
  [[nodiscard]] Discipline discipline() const { return discipline_; }
  [[nodiscard]] int cores() const { return cores_; }
  [[nodiscard]] OwnerStart start() const { return start_; }
  /// Of a Poisson stream: P[at most n jobs on the machine without the task], from n = 0 on.
  [[nodiscard]] const std::vector<double>& chance_of_at_most() const;
  /// u: the share of all cores that owner jobs use without the task, mean demand / (mean interval · cores).
  [[nodiscard]] double utilisation() const;
  /// What n owner jobs and, where there is one, the task get.
  [[nodiscard]] CoreShares shares(std::size_t owner_jobs, bool with_task) const;

  /// What the task finds in the long run while it computes, and what owner jobs then suffer: moments() are of this.
  /// On one core mean = 1 - u however jobs come (beside a task the core never rests, and owner jobs get what they
  /// ask for), and under preemptive priority sd² = u(1 - u). Of a Poisson stream everything is known: the slowdown is
  /// 2/(1 - u) under processor sharing and 1/(1 - u) under preemptive priority. All else comes from a pilot simulation of
  /// some 130,000 jobs, made when it is first asked for, with fixed random numbers; its standard errors are told.
  [[nodiscard]] const OwnerJobsFigures& beside_task() const;
  [[nodiscard]] const std::string& plain_label() const { return label_; }

  // What owners say of themselves (owner.hpp).
  [[nodiscard]] OwnerMoments moments() const { return {beside_task().mean, beside_task().sd, has_exact_moments()}; }
  /// What they take of the task grows with how many come.
  [[nodiscard]] std::optional<double> expected_left_s(double seconds) const;
  [[nodiscard]] double replayed_after_s() const { return source_->replayed_after_s(); }
  [[nodiscard]] bool begins_at_random() const { return source_->begins_at_random(); }
  [[nodiscard]] Dependence dependence() const { return source_->dependence(); }
  [[nodiscard]] std::optional<RecordedSeries> recording() const { return source_->recording(); }
  [[nodiscard]] std::uint64_t content_hash() const { return source_->content_hash(); }
  /// None, too, where the jobs of these spans are more than the machine can do.
  [[nodiscard]] std::optional<std::shared_ptr<const OwnerJobs>> replayed_together(const ClockSpans& kept, std::uint64_t set,
                                                                                  SharedParts& parts) const;
  /// With its long-run figures, where these are estimated.
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] std::string identity() const { return identity_ + source_->content(); }
  [[nodiscard]] LaneForm lane_form(const StreamKey&) const { return Stays{}; }
  /// @throws std::logic_error always: owner jobs have no path of their own.
  [[nodiscard]] std::unique_ptr<Path> path(const StreamKey& key) const;

 private:
  [[nodiscard]] bool has_exact_moments() const {
    return source_->is_poisson() || (cores_ == 1 && discipline_ == Discipline::preemptive_priority);
  }

  OwnerJobSourcePtr source_;
  Discipline discipline_;
  int cores_;
  std::string label_, identity_;
  OwnerStart start_;
  mutable std::once_flag figures_once_, chances_once_;
  mutable OwnerJobsFigures figures_;
  mutable std::vector<double> chances_;
};

/// The owner that owner jobs are, of what its constructors take.
template <class... Given>
OwnerPtr jobs_owner(Given&&... given) {
  const auto jobs = std::make_shared<const OwnerJobs>(std::forward<Given>(given)...);
  return std::make_shared<const Owner>(Owner{jobs});
}

/// The owner jobs of a workstation in a replication, in the order in which they come. Both engines draw from here, and so
/// see the same jobs.
class OwnerJobStream {
 public:
  /// As the owner's start says: jobs that are found come at 0, and demand what is left.
  OwnerJobStream(const OwnerJobs& owner, const StreamKey& key);
  /// Of a machine that is empty when these begin to come.
  explicit OwnerJobStream(OwnerJobSequence jobs) : jobs_(std::move(jobs)) {}
  OwnerJob next() {
    OwnerJob job;
    if (first_.empty()) {
      job = jobs_();
      job.arrival_s -= before_s_;
    } else {
      job = first_.front();
      first_.pop_front();
    }
    return job;
  }

 private:
  OwnerJobSequence jobs_;
  std::deque<OwnerJob> first_;  ///< before those
  double before_s_ = 0;
};

/// What became of an owner job; times since the replication began.
struct OwnerJobRun {
  double arrival_s;
  double end_s;  ///< when it was done; of one that was still there, when the history ends
  double demand_s;
};

/// What owner jobs have had of a workstation so far.
struct OwnerJobsOutcome {
  double cpu_s = 0;         ///< CPU time they got, of those that are not done too
  double completed = 0;     ///< jobs that are done
  double slowdown_sum = 0;  ///< of these: sum of response time / demand
  void complete(double demand_s, double response_s);
};

/// One workstation's owner jobs and its task over one replication, without an engine: exact, from event to event, in
/// O(log n) per owner job. Time goes forward only, by the operations; all times count from the replication's beginning.
class OwnerJobsClock {
 public:
  OwnerJobsClock(const OwnerJobs& owner, const StreamKey& key) : OwnerJobsClock(owner, OwnerJobStream(owner, key)) {}
  OwnerJobsClock(const OwnerJobs& owner, OwnerJobStream jobs);

  /// The task computes `work_s` [s at one core's full speed] from `begin_s` on; before, the machine is the owner's
  /// alone. Returns when the task is done. @throws std::logic_error for a begin before now_s(), or work that is
  /// negative or not finite.
  double finish(double begin_s, double work_s);
  /// The task computes from `begin_s` until `end_s`, and is not done then; before, the machine is the owner's alone.
  /// @throws std::logic_error for a begin before now_s(), an end before the begin, or one that is not finite.
  void compete(double begin_s, double end_s);
  /// The machine is the owner's alone until t. @throws std::logic_error for t before now_s(), or not finite.
  void idle_until(double t_s);

  [[nodiscard]] double now_s() const { return now_s_; }
  /// In [0, now_s()].
  [[nodiscard]] const OwnerJobsOutcome& outcome() const { return outcome_; }
  /// Owner jobs that are there now.
  [[nodiscard]] std::size_t present() const { return jobs_.size(); }
  /// They, with what is left of their demands, and then the one that comes next.
  [[nodiscard]] std::deque<OwnerJob> present_and_next() const;
  /// Those behind it.
  [[nodiscard]] OwnerJobStream& others() { return stream_; }
  /// From now on owner jobs are remembered, for history().
  void keep_history() { keeps_history_ = true; }
  /// Those that have come and gone, in the order in which they went, then those that are there now.
  [[nodiscard]] std::vector<OwnerJobRun> history() const;

 private:
  struct Running {
    double done_at;  // in terms of served_
    OwnerJob job;
    bool operator>(const Running& other) const { return done_at > other.done_at; }
  };
  void check_goes_on(double t_s) const;
  void run(double until_s, double work_s, bool with_task);
  void arrive();
  void complete_first();

  const OwnerJobs& owner_;
  OwnerJobStream stream_;
  OwnerJob next_;
  double now_s_ = 0;
  // Owner jobs share equally, so one number says how far each has come: CPU time per job since the machine was last
  // without owner jobs.
  double served_s_ = 0;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> jobs_;
  OwnerJobsOutcome outcome_;
  bool keeps_history_ = false;
  std::vector<OwnerJobRun> gone_;
};

}  // namespace nowsim
