// What happened in one replication, workstation by workstation: the timeline behind a trace or a Gantt chart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/program/rank.hpp"
#include "sim/program/rank_operations.hpp"
#include "sim/program/scenario.hpp"

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

}  // namespace nowsim
