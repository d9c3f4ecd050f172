// Where owner jobs come from: their arrivals and demands, replication by replication.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/random_moment.hpp"
#include "sim/owners/recorded_owner.hpp"
#include "sim/owners/recordings.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// An owner job: when it comes, since the replication began, and the CPU time it needs.
struct OwnerJob {
  double arrival_s;
  double demand_s;
};

/// The owner jobs of a workstation in a replication, without end, in the order in which they come.
class OwnerJobSequence {
 public:
  virtual ~OwnerJobSequence() = default;
  virtual OwnerJob next() = 0;
  /// One that goes on from the same job.
  [[nodiscard]] virtual std::unique_ptr<OwnerJobSequence> clone() const = 0;
};

/// What is known of owner jobs before they come. Immutable.
class OwnerJobSource {
 public:
  virtual ~OwnerJobSource() = default;
  /// Outlived by the source. @param key names the stream of its draws; where in a recorded series it starts, `owner_offset`
  /// says, and the hour at which all workstations start, `clock`.
  /// @param before_s it begins so long before the replication: times count from there.
  [[nodiscard]] virtual std::unique_ptr<OwnerJobSequence> jobs(const StreamKey& key, double before_s = 0) const = 0;
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

}  // namespace nowsim
