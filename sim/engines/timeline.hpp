// What happened in one replication, workstation by workstation: the timeline behind a trace or a Gantt chart; and what
// an engine's ranks tell of themselves for it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/program/rank.hpp"
#include "sim/program/rank_operations.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/workload.hpp"

namespace nowsim {

/// What a rank did for a while. Every operation has one, however short, in the order of the program.
struct TimelineActivity {
  Activity what;
  double begin_s, end_s;
  int peer = -1;      ///< of send and receive: the other rank; -1: none, or any
  double amount = 0;  ///< of compute in flop, 0 where it was cut short; of send and transfer in whole bytes
  OperationNote note = {};  ///< what the program said of it
};

/// A message that arrived; after T, where nobody waited for it. A rendezvous begins when both sides are ready.
struct TimelineMessage {
  int from, to;
  double bytes;
  double begin_s, end_s;
};

/// A piece of the availability: what the owner leaves the task of a core (or would, while it does not compute); or what
/// is left of a link.
struct TimelineAvailability {
  double begin_s, end_s;
  double value;
};

/// One workstation and its rank, in [0, T]; of programs that place their ranks (ProgramDescription::placement) one rank
/// and its workstation.
struct WorkstationTimeline {
  std::string name;
  std::vector<TimelineActivity> activities;        ///< without isend; `off` where the machine was; `idle` at last, to T
  std::vector<TimelineMessage> messages;           ///< sent, by begin, then receiver
  std::vector<TimelineAvailability> availability;  ///< from 0 to T without gaps
  std::vector<TimelineAvailability> bandwidth;     ///< the same of its own link; none where no link varies
  std::vector<OwnerJobRun> owner_jobs;             ///< by arrival; of owners of the model `jobs`
};

/// One replication.
struct Timeline {
  Engine engine = Engine::direct;
  std::uint64_t seed = 1, replication = 0;
  const VarianceReduction* variance_reduction = &kNoVarianceReduction;  ///< how its owners were drawn
  double makespan_s = 0;
  std::vector<WorkstationTimeline> workstations;
  std::vector<int> machine_of = {};  ///< of each of these its workstation on the platform; empty: it is that itself
};

/// "compute", "barrier", ...; what an operation is for goes before what it is: "message-work", "spawn".
const char* activity_name(Activity activity, Meant meant = Meant::itself);

/// Runs one replication, and keeps what happens. Both engines give the same, but for rounding. What would begin within
/// a relative 1e-9 of T is left out: it is rounding too.
/// @throws RunError, InputError.
Timeline record_timeline(Engine engine, const Scenario& scenario, std::uint64_t replication);

/// Listens to all ranks of one replication. Its lists have one element per rank, or per message.
class TimelineRecorder final : public RankObserver {
 public:
  explicit TimelineRecorder(std::size_t ranks) : activities(ranks), owner_jobs(ranks), notes_(ranks), is_open_(ranks, false) {}

  void next_is(int rank, const OperationNote& note) override;
  void begins(int rank, double now_s, const Awaited& operation) override;
  void ends(int rank, double now_s) override { close(rank, now_s); }
  void carries(int from, int to, double bytes, double begin_s, double end_s) override {
    messages.push_back({from, to, bytes, begin_s, end_s});
  }
  void has_owner_jobs(int rank, std::vector<OwnerJobRun> jobs) override {
    owner_jobs[static_cast<std::size_t>(rank)] = std::move(jobs);
  }
  /// A rank begins its program; again, where its machine was switched off: then what it was at has no end (NaN).
  void starts(int rank);
  /// All ranks begin again from the start, as if nothing had been.
  void forget(int rank);

  /// What goes from one process to another.
  template <class All>
  void fields(All& all) {
    all(activities, owner_jobs, messages);
  }

  std::vector<std::vector<TimelineActivity>> activities;
  std::vector<std::vector<OwnerJobRun>> owner_jobs;
  std::vector<TimelineMessage> messages;

 private:
  void close(int rank, double end_s);
  std::vector<OperationNote> notes_;  ///< of the next operation
  std::vector<bool> is_open_;
};

/// The scenario with a workload that does the same, and has its ranks observed by the recorder, which outlives it.
Scenario recorded(const Scenario& scenario, TimelineRecorder& recorder);

}  // namespace nowsim
