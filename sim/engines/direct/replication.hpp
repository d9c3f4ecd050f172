// One replication on the direct engine: its ranks' coroutines under a time-ordered scheduler, without SimGrid.
#pragma once

#include <any>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/engines/direct/event_queue.hpp"
#include "sim/engines/direct/fluid_network.hpp"
#include "sim/engines/direct/machine_clocks.hpp"
#include "sim/engines/ranks/engine_rank.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/program/scenario.hpp"

// How it works:
// - Every rank has a clock of its own. Computing and sleeping concern nobody else, so they move that clock at once, or
//   when their lane has been served; the coroutine goes on without regard to the others.
// - What concerns others (sending, receiving, moving bytes over links) is an event at the rank's time. Events happen in
//   the order of time, ties in the order of ranks, and only when no rank has a compute under way that might yet lead to
//   an earlier one.
// - When a transfer ends depends on what else is on its way: the network (FluidNetwork) says what happens there next, and
//   that is an event too.
// - A barrier needs no order: it ends at the latest of its arrivals.
// - A turn at the desk is an event that ends at once: all earlier ones have been.
// - Messages with tags are posted and matched by events, and waited for without any: what is over later than the rank's
//   clock has come, it waits for.
// - Where ranks share the cores of a workstation, computing there concerns the others: it begins and ends by events.
// - Where the job is over with rank 0, all others compute and sleep by events too: what would be later than the job's end
//   does not happen.
// - Where machines switch off and on, they do so by events too, and barriers are in order then. A machine's dates are
//   known in advance: what its rank begins and cannot end before is left as it is, until the event ends the rank.

namespace nowsim {

class DirectReplication;

/// A rank with a clock. What every compute needs fills two cache lines.
class alignas(64) DirectRank final : public EngineRank<DirectRank> {
 public:
  using Where = Place;
  DirectRank(DirectReplication& replication, const Where& place) : EngineRank(place), replication_(&replication) {}
  [[nodiscard]] double now() const override { return now_s_; }

 private:
  friend class DirectReplication;
  friend class EngineRank<DirectRank>;
  /// Operations that wait for their event.
  enum class Act { send, isend, receive, transfer, barrier, compute, post, finish, test, turn };
  /// Of a rank whose operations are events.
  struct Mail : Messaging {
    Act act = Act::send;
    Envelope envelope;           ///< to be sent
    double bytes = 0;            ///< of a transfer
    double cost_s = 0;           ///< of a barrier
    double timeout_s = 0;
    std::uint64_t operation = 0; ///< a number, so that late events know theirs is over
    double noticed_s = 0;        ///< when a message first could be taken
    double deadline_s = kInfinity;     ///< of the operation at hand
    double gave_up_s = -kInfinity;     ///< when a receive last met its deadline
    double alarm_s = kInfinity;        ///< when the deadline of the operation at hand is to be told
    std::vector<double> rings_s;      ///< events of kind deadline that are to come, the first last
    bool acted = false;          ///< its event has happened
    bool settling = false;       ///< waits for the end of the moment in which a message came
    Envelope pulled;             ///< a rendezvous that is on its way here
    double busy_until_s = -kInfinity;            ///< where the job may end before that
    double computed_s = -kInfinity;              ///< likewise: when it last did, since its last event of another kind
    std::optional<OwnerJobsClock> before_busy;  ///< its owner's jobs as they were before the compute at hand
  };
  struct Switching : Restarts {
    explicit Switching(MachineStateClock of_machine) : clock(std::move(of_machine)) {}
    MachineStateClock clock;
  };
  bool computes(double flop);
  bool compute_without_lane(double flop);
  bool computes_until(double flop, double end_s);
  [[nodiscard]] bool is_on() const { return !switching_ || switching_->clock.is_on(); }
  [[nodiscard]] bool is_on_until(double end_s) const { return !switching_ || end_s < switching_->clock.changes_s(); }
  void keep_work() override;
  void lose_memory();
  void computed(double flop, double end_s);
  void stop_at(double end_s);
  bool sleeps_until(double date_s);
  bool waits_at_barrier(double cost_s);
  bool transfers(double bytes);
  bool sends(Envelope&& envelope, double timeout_s);
  bool receives(double timeout_s);
  bool posts();
  bool finishes();
  bool tests();
  bool takes_turn();
  std::any& desk() override;
  MatchingQueues& queues();
  [[nodiscard]] const Platform& platform() const;
  std::uint64_t next_message_id();
  Mail& mail() {
    if (!mail_) mail_ = std::make_unique<Mail>();
    return *mail_;
  }
  Messaging& messaging() { return mail(); }
  /// Makes it as it is at the start of a replication.
  void begin_again(const Stream::Family& streams);

  bool finished_ = false;
  bool has_lane_ = true;
  bool shares_cores_ = false;  ///< with other ranks on its workstation
  std::uint32_t machine_ = 0;  ///< its workstation
  DirectReplication* replication_;
  Process process_;  ///< none once it has finished
  double now_s_ = 0, active_s_ = 0, work_flop_ = 0;
  double asked_flop_ = 0;  ///< by the compute at hand
  std::unique_ptr<Mail> mail_;
  std::unique_ptr<OwnerJobsClock> owner_jobs_;  ///< where the owner's jobs compete with the rank, in place of a lane
  std::unique_ptr<Switching> switching_;        ///< where the machine does, likewise
};

extern template class EngineRank<DirectRank>;  // beside what it calls, in replication.cpp: a third of a message's cost

/// A slot in which replications run one after another.
class DirectReplication {
 public:
  /// All references outlive it. `pending` gets the lanes that have asked for a compute.
  DirectReplication(const Scenario& scenario, AvailabilityLanes& lanes, RouteTable& routes, FramePool& frames,
                    std::size_t slot, PendingLanes& pending);

  /// Makes everything but its lanes as it is at the start of a replication.
  void open(std::uint64_t replication);
  /// Starts its ranks, and goes on as far as it can.
  void start();
  /// A lane that was pending has been served.
  void served(std::size_t machine);
  /// Goes on as far as it can: until computes are pending, or all ranks have finished.
  /// @throws RunError for a deadlock or a program that throws.
  void go_on();
  /// Whether computes are pending.
  [[nodiscard]] bool is_computing() const { return computing_ > 0; }
  [[nodiscard]] bool is_over() const { return unfinished_ == 0; }
  [[nodiscard]] double makespan_s() const { return makespan_s_; }
  [[nodiscard]] std::size_t first_lane() const { return first_lane_; }
  /// Writes the results; the lanes have waited until the makespan.
  void write(RunResult& result);

 private:
  friend class DirectRank;
  /// In the order in which simultaneous ones happen. What ends in the network comes behind changes.
  enum class Kind { change, loss, reached, cores, act, settle, deadline };
  struct Event {
    double time_s;
    Kind kind;
    int rank;          ///< of cores their workstation
    int sender;        ///< of a loss
    std::uint64_t id;  ///< of the message, or the operation
    bool operator>(const Event& o) const {
      if (time_s != o.time_s) [[likely]] return time_s > o.time_s;
      return std::tie(kind, rank, sender, id) > std::tie(o.kind, o.rank, o.sender, o.id);
    }
  };

  [[nodiscard]] std::size_t lane_of(const DirectRank& rank) const { return first_lane_ + rank.machine_; }
  DirectRank& rank(int i) { return ranks_[static_cast<std::size_t>(i)]; }
  void resume(DirectRank& rank);
  void finish(DirectRank& rank);
  [[noreturn]] void stop_with(const DirectRank& rank, const std::exception_ptr& thrown) const;
  void end_process(DirectRank& rank);
  [[nodiscard]] bool may_end_before(const DirectRank& rank) const { return ends_with_first_ && rank.index() > 0; }
  // These two return false: the rank will be resumed.
  bool reach_by_event(DirectRank& rank, double time_s, Wait doing);
  bool post(DirectRank& rank, DirectRank::Act act, Wait doing);
  void give_clock(DirectRank& rank) const;
  [[nodiscard]] bool is_decided();
  void stop_others();
  [[nodiscard]] double available_s(std::size_t i) const;
  void write_owner(RunResult& result, std::size_t i);
  void arrive_at_barrier(DirectRank& rank, double cost_s);
  void make_ready(DirectRank& rank, double time_s);
  void happen(const Event& event);
  void reach(DirectRank& rank, const Event& event);
  void act(DirectRank& rank);
  void take_turn(DirectRank& rank);
  void send(DirectRank& from);
  void notice(DirectRank& rank, int from, double time_s);
  void announce_deadline(DirectRank& rank, double time_s);
  bool is_deadline(DirectRank& rank, double time_s);
  void withdraw(DirectRank& from, double time_s);
  void try_receive(DirectRank& rank, double time_s);
  void pull(DirectRank& rank, double time_s);
  [[nodiscard]] bool network_is_next();
  void carry(const Transfer& transfer);
  bool is_carried_alone(const Transfer& transfer);
  void follow_network();
  void arrive(const Transfer& transfer, double time_s);
  void fail(const Transfer& transfer, double time_s);
  [[noreturn]] void fail_for_ever();

  // ---- messages with tags, and cores that ranks share (replication_cases.cpp) ----
  MatchingQueues& queues();
  void post_exchange(DirectRank& rank);
  void end_exchange(const Transfer& transfer, double time_s, bool has_failed);
  void open_cores();
  void announce_cores(std::size_t machine);
  void go_on_at_cores(const Event& event);

  // ---- machines that switch off and on ----
  void start_rank(DirectRank& rank);
  void announce_change(DirectRank& rank);
  void change(DirectRank& rank, double time_s);
  void switch_off(DirectRank& rank);
  [[nodiscard]] bool is_hopeless() const;

  const Scenario* scenario_;
  AvailabilityLanes* lanes_;
  RouteTable* routes_;
  FluidNetwork network_;
  std::size_t first_lane_;
  PendingLanes* pending_;
  bool any_owner_jobs_ = false, any_dedicated_ = false, any_switching_ = false;
  bool ends_with_first_ = false;  ///< ProgramDescription::ends_with_first_rank

  std::uint64_t number_ = 0;
  std::vector<DirectRank> ranks_;
  std::vector<int> rank_on_;  ///< of each workstation the rank that is alone there, else -1
  std::vector<int> ready_;
  JobBarrier barrier_;
  double barrier_ends_s_ = 0;
  std::size_t changes_announced_ = 0;   // events of kind change
  EventQueue<Event> events_;
  bool follows_network_ = false;  // which may have more to tell of the same moment
  std::uint64_t next_id_ = 0, ties_ = 0;
  std::size_t computing_ = 0, unfinished_ = 0;
  double makespan_s_ = 0, latest_event_s_ = 0;
  std::unique_ptr<MatchingQueues> queues_;  ///< made at the first message with a tag
  std::any desk_;
  double last_turn_s_ = 0;  ///< at it
  struct Cores {
    std::optional<SharedCores> clock;
    std::vector<double> rings_s;  ///< events of kind cores that are to come, the first last
  };
  std::vector<Cores> cores_;  ///< per workstation; none where each rank has one of its own
};

}  // namespace nowsim
