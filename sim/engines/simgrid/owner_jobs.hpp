// Owner jobs on a SimGrid host: executions that compete with the task for its cores. For the SimGrid engine alone.
#pragma once

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/engines/simgrid/clock.hpp"
#include "sim/owners/owner_jobs.hpp"

namespace nowsim {

/// The owner jobs of one workstation, over the replications of a batch. A timer starts each when it comes, as an
/// execution of its own; SimGrid divides the cores. A job that runs when its machine is switched off is lost with the
/// CPU time it had, as the task's work is, and so is one that comes before the machine is back.
class SimGridOwnerJobs {
 public:
  /// @param go_on asked at every arrival, since arrivals never end and so hide a deadlock: whether to go on.
  SimGridOwnerJobs(const OwnerJobs& owner, simgrid::s4u::Host* host, double speed_flops, std::uint64_t seed,
                   std::uint64_t workstation, std::function<bool()> go_on);
  SimGridOwnerJobs(const SimGridOwnerJobs&) = delete;
  SimGridOwnerJobs& operator=(const SimGridOwnerJobs&) = delete;

  /// Begins a replication, with an empty machine.
  void start(const ClockOrigin& origin);
  /// Ends it: what is still running is cancelled. Also without a start.
  void stop();
  /// What they have had in this replication until now. Never waits, so nothing can happen meanwhile.
  [[nodiscard]] OwnerJobsOutcome outcome();
  /// Until the replication ends, owner jobs are remembered, for history().
  void keep_history() { keeps_history_ = true; }
  /// Those that have come and gone (or were lost) in this replication, and then those that are there now.
  [[nodiscard]] std::vector<OwnerJobRun> history();

 private:
  struct Running {
    simgrid::s4u::ExecPtr exec;
    double begun_s;  // on SimGrid's clock
    double demand_s;
  };
  void expect_next();
  void arrive();
  void launch(double demand_s);
  void collect_done();
  void lose_all();
  void remember(double begun_s, double end_s, double demand_s);
  [[nodiscard]] double cpu_s(const Running& job) const;

  const OwnerJobs& owner_;
  simgrid::s4u::Host* host_;
  double speed_flops_;
  StreamKey key_;
  std::function<bool()> go_on_;
  std::optional<OwnerJobStream> stream_;
  OwnerJob next_{0, 0};
  double origin_s_ = 0;
  SimGridTimer* timer_ = nullptr;
  std::vector<Running> running_;      // in the order in which they came
  std::vector<Running> ended_early_;  // kept, since SimGrid's kernel tells an execution of its end after the call
  OwnerJobsOutcome outcome_;          // of those that are gone
  bool keeps_history_ = false;
  std::vector<OwnerJobRun> gone_;
};

}  // namespace nowsim
