// Keeps what an engine's ranks tell of themselves in one replication, and carries it from one process to another.
#pragma once

#include <memory>
#include <vector>

#include "sim/engines/timeline.hpp"
#include "sim/program/workload.hpp"

namespace nowsim {

/// Listens to all ranks of one replication. Its lists have one element per rank, or per message.
class TimelineRecorder final : public NoteObserver {
 public:
  explicit TimelineRecorder(std::size_t ranks) : activities(ranks), owner_jobs(ranks), notes_(ranks), is_open_(ranks, false) {}

  void next_is(int rank, const OperationNote& note) override;
  void begins(int rank, double now_s, const Awaited& operation) override;
  void ends(int rank, double now_s) override;
  void carries(int from, int to, double bytes, double begin_s, double end_s) override;
  void has_owner_jobs(int rank, std::vector<OwnerJobRun> jobs) override;
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
