// Who may watch a replication from outside: told of what ranks await, of messages, and of owner jobs, by either engine.
#pragma once

#include <vector>

namespace nowsim {

struct OwnerJobRun;

/// What a rank does with its time. An isend takes none.
enum class Activity { compute, barrier, receive, send, isend, sleep, transfer, idle, off };

/// An operation as its program asks for it.
struct Awaited {
  Activity what = Activity::compute;
  int peer = -1;      ///< the rank that a message goes to or is to come from; -1: none, or any
  double amount = 0;  ///< of a compute in flop; of what is sent or transferred in bytes, as asked for
};

/// Watches the ranks that have been told so (RankOperations::observe). Times count from the replication's beginning [s].
class RankObserver {
 public:
  virtual ~RankObserver() = default;
  /// The rank asks for an operation.
  virtual void begins(int rank, double now_s, const Awaited& operation) = 0;
  /// The operation is over. One that throws, or whose machine is switched off, may never be.
  virtual void ends(int rank, double now_s) = 0;
  /// A message travels from begin_s on and arrives at end_s, which may be known before. Those lost never arrive.
  virtual void carries(int from, int to, double bytes, double begin_s, double end_s) = 0;
  /// All owner jobs that a rank's workstation has had in [0, T], from an engine that follows each.
  virtual void has_owner_jobs(int rank, std::vector<OwnerJobRun> jobs) = 0;
};

}  // namespace nowsim
