// Starting, reviving, stopping and finishing ranks; and a batch in one SimGrid engine, on whose clock replications follow
// one another.
#include "sim/engines/simgrid/replication.hpp"

#include <simgrid/Exception.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"

namespace nowsim {

namespace s4u = simgrid::s4u;

SimGridReplication::SimGridReplication(const Scenario& scenario, BatchClock& clock, double look_ahead_s,
                                       std::function<void()> ended, std::function<void(const std::string&)> failed)
    : scenario_(scenario), clock_(clock), ended_(std::move(ended)), failed_(std::move(failed)),
      machines_(scenario, clock, look_ahead_s, [this] { return go_on(); }, [this] { revive_ranks(); }),
      anew_(machines_.any_switches()),
      message_actors_(*this, rank_machines(scenario).size(), anew_),
      machine_of_(rank_machines(scenario)) {
  std::vector<int> ranks_on(scenario.size());
  for (const int machine : machine_of_)
    if (++ranks_on[index_of(machine)] > 1 && scenario.owners[index_of(machine)]->jobs() != nullptr)
      throw InputError(shared_with_jobs_text(scenario.platform->workstations[index_of(machine)].name));
}

MatchingQueues& SimGridReplication::queues() {
  if (!queues_) {
    check_stays_on(0, *scenario_.platform);
    queues_.emplace(ranks_.size());
  }
  return *queues_;
}

void SimGridReplication::create_actor(std::size_t i) {
  SimGridRank& rank = *ranks_[i];
  rank.actor =
      simgrid_version::start_actor("rank " + std::to_string(i), rank.machine(), [this, i] { be_rank(i); });
  if (anew_) rank.actor->on_exit([this, &rank](bool failed) {
    if (failed && !clock_.over && !rank.finished) rank_died(&rank);
  });
}

void SimGridReplication::start() {
  std::vector<s4u::ActorPtr> actors(machine_of_.size());
  for (std::size_t i = 0; i < ranks_.size(); ++i) actors[i] = ranks_[i]->actor;
  ranks_.clear();
  const int n = static_cast<int>(machine_of_.size());
  const Stream::Family streams(scenario_.seed, clock_.origin.replication);
  for (int i = 0; i < n; ++i) {
    const auto machine = index_of(machine_of_[index_of(i)]);
    ranks_.push_back(std::make_unique<SimGridRank>(
        *this, SimGridRank::Where{i, n, &scenario_.platform->workstations[machine], scenario_.share_flop, streams},
        machines_.hosts()[machine], machine));
    if (!anew_) ranks_.back()->actor = actors[index_of(i)];
  }
  if (queues_) queues_->clear();
  desk_.reset();
  running_ = ranks_.size();
  clock_.ended = false;
  barrier_.begin_again();
  message_actors_.begin_replication();
  machines_.start();
  if (anew_) return revive_ranks();
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    if (ranks_[i]->actor) ranks_[i]->actor->resume();
    else create_actor(i);
  }
}

/// Asked at every timed change of a machine or link, which go on for ever and so hide a deadlock from SimGrid: whether
/// the replication can still end.
bool SimGridReplication::go_on() {
  if (!clock_.over && running_ > 0 && is_hopeless()) failed_(deadlock());
  return !clock_.over;
}

/// Nothing is under way, every rank waits for another one, and none can come back.
bool SimGridReplication::is_hopeless() const {
  if (message_actors_.in_flight() > 0) return false;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const SimGridRank& rank = *ranks_[i];
    if (rank.finished) continue;
    const bool may_come_back = !rank.actor && !machines_.stays_off(rank.machine_index());
    if (may_come_back || (rank.actor && rank.ends_by_itself())) return false;
  }
  return true;
}

/// Gives every rank without an actor one, where its machine is on: at the start, and when machines come back.
void SimGridReplication::revive_ranks() {
  if (clock_.over || running_ == 0) return;
  for (std::size_t i = 0; i < ranks_.size(); ++i)
    if (!ranks_[i]->actor && !ranks_[i]->finished && ranks_[i]->machine()->is_on()) create_actor(i);
}

/// The body of a rank's actor: one replication where actors are made anew, else all of them.
void SimGridReplication::be_rank(std::size_t i) {
  for (;;) {
    run_process(*ranks_[i]);
    if (clock_.over || anew_) return;
    s4u::this_actor::suspend();
    if (clock_.over) return;
  }
}

void SimGridReplication::run_process(SimGridRank& rank) {
  const auto fail = [&] {
    failed_(stop_text(clock_.origin.replication, rank.index(), rank.host().name, rank.now(),
                      why_text(std::current_exception())));
  };
  try {
    Process process = scenario_.workload->run(rank);
    SimGridOwnerJobs* jobs = machines_.jobs(rank.machine_index());
    if (jobs != nullptr && rank.observer() != nullptr) jobs->keep_history();
    process.start();
    process.result();
  } catch (const simgrid::ForcefulKillException&) {
    try {
      scenario_.workload->check_ended();
    } catch (...) {
      fail();
    }
    throw;
  } catch (...) {
    return fail();
  }
  if (!rank.finished) finish(rank);  // else it was stopped at this very moment, as rank 0 ended
}

void SimGridReplication::finish(SimGridRank& rank) {
  const bool is_last = rank.index() == 0 && scenario_.workload->program().ends_with_first_rank;
  if (is_last && running_ > 1) rank.settle();  // what others end at this very moment they have ended, whoever runs first
  rank.finished = true;
  rank.recorded[Quantity::finish_s] = result_.makespan_s = rank.now();
  const bool is_stop = --running_ > 0 && is_last;
  if (is_stop) stop_others();
  if (running_ == 0) record_rest();
  if (is_stop) s4u::this_actor::yield();  // others end before the replication does
  end_if_over();
}

/// Rank 0 has finished, and with it the job.
void SimGridReplication::stop_others() {
  for (auto& rank : ranks_)
    if (!rank->finished) {
      rank->stop();
      --running_;
    }
  barrier_.clear();
}

/// A rank whose machine was switched off: it begins again from the start when the machine is back.
void SimGridReplication::rank_died(SimGridRank* rank) {
  barrier_.leave(rank->index());
  rank->lose_memory();
  rank->actor = nullptr;
  if (rank->restarts() == kMostRestarts)
    do_later([this, rank] { failed_(restarts_text(rank->index(), rank->host().name)); });
}

void SimGridReplication::end_if_over() {
  if (clock_.over || clock_.ended || running_ > 0 || message_actors_.in_flight() > 0) return;
  clock_.ended = true;
  ended_();
}

/// What is known at T. Owners go on later, while messages that nobody waits for are still on their way.
void SimGridReplication::record_rest() {
  result_.replication = clock_.origin.replication;
  for (auto& column : result_.columns) column.assign(scenario_.size(), 0);
  for (std::size_t i = 0; i < scenario_.size(); ++i) machines_.record_owner(i, result_);
  for (auto& it : ranks_) {
    SimGridRank& rank = *it;
    rank.record_messages();
    for (const Quantity q : {Quantity::work_flop, Quantity::active_s, Quantity::messages, Quantity::sent_bytes})
      result_[q][rank.machine_index()] += rank.recorded[q];
    double& finish_s = result_[Quantity::finish_s][rank.machine_index()];
    finish_s = std::max(finish_s, rank.recorded[Quantity::finish_s]);
    SimGridOwnerJobs* jobs = machines_.jobs(rank.machine_index());
    if (RankObserver* o = rank.observer(); o != nullptr && jobs != nullptr)
      o->has_owner_jobs(rank.index(), jobs->history());
  }
}

void SimGridReplication::dismiss() {
  if (anew_) return s4u::Actor::kill_all();
  for (auto& rank : ranks_)
    if (rank->actor && rank->actor.get() != s4u::Actor::self()) rank->actor->resume();
}

std::string SimGridReplication::deadlock() {
  std::vector<std::string> stuck;
  DeadlockCause cause = anew_ ? DeadlockCause::machines_fail : DeadlockCause::program;
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    SimGridRank& rank = *ranks_[i];
    if (rank.finished) continue;
    stuck.push_back(rank.stuck());
    if (!machines_.switches(rank.machine_index()) && rank.is_computing()) cause = DeadlockCause::owner_stays;
  }
  return deadlock_text(clock_.origin.replication, clock_.now(), stuck, cause);
}

// ---- a batch -------------------------------------------------------------------------------------------------------

// How it works (the alternatives that were measured cost 3 to 20 times as much):
// - Each varying resource has one lazy SimGrid profile for the whole batch; a feeder hands it one event at a time.
// - When a replication ends at clock t, the next one starts at the latest date that any profile has already announced;
//   each feeder bridges the time up to it and then begins the next replication's path. So replications are shifted
//   copies of what they would be alone, and nothing of one reaches another.
// - Ranks block inside their actors, so their coroutines never suspend. Messages are matched by Mailbox, and only the
//   transfer itself is SimGrid's.
// - Where machines switch off, actors die with them: then actors are made anew for each replication.

namespace {

/// The slowest rank's mean computing time, as a first idea of T; 0 where there is no work.
double expected_time(const Scenario& scenario) {
  double longest = 0;
  for (std::size_t i = 0; i < scenario.size(); ++i)
    if (const double speed = scenario.available_speed(i); scenario.share_flop[i] > 0 && speed > 0)
      longest = std::max(longest, scenario.share_flop[i] / speed);
  return std::isfinite(longest) ? longest : 0;
}

/// surf/precision [s] for makespans like this one: 1e-9 s is exact to the bit as long as it stays well above the clock's
/// last place; short jobs need it smaller, jobs of weeks larger.
double clock_precision(double typical_s) {
  if (typical_s <= 0) return 1e-12;
  return std::max(std::min(1e-9, 2.7e-12 * typical_s), 8e-14 * typical_s);
}

/// Up to where the clock may go with a precision; at least 45 typical makespans.
double clock_limit(double precision_s) { return precision_s / (8 * 0x1p-52); }

class SimGridBatch {
 public:
  SimGridBatch(const Scenario& scenario, const Batch& batch, double typical_time_s)
      : scenario_(scenario), part_{std::max(typical_time_s, expected_time(scenario)), {}}, clock_{{batch.first, 0}},
        end_(batch.first + batch.count), precision_s_(clock_precision(part_.typical_time_s)) {}

  std::string run() {
    s4u::Engine& engine = open_simgrid(scenario_.platform->simgrid_xml(), scenario_.platform->source, precision_s_,
                                       scenario_.workload->program().user_code.stack_kib);
    open_fat_pipes(*scenario_.platform);
    replication_.emplace(scenario_, clock_, look_ahead(), [this] { conclude(); },
                         [this](const std::string& sentence) { fail(sentence); });
    s4u::Engine::on_deadlock_cb([this] {
      if (!clock_.over && failure_.empty()) failure_ = replication_->deadlock();
      clock_.over = true;
    });
    replication_->start();
    engine.run();
    if (!failure_.empty()) throw RunError(failure_);
    return packed(part_);
  }

 private:
  [[nodiscard]] double look_ahead() const { return part_.typical_time_s > 0 ? 4 * part_.typical_time_s : 1.0; }

  /// A replication has ended.
  void conclude() {
    const bool clock_too_large = simgrid_clock_s() > clock_limit(precision_s_);
    part_.typical_time_s = std::max(part_.typical_time_s, replication_->result().makespan_s);
    // The first replication of an engine may find that its precision was chosen for much shorter jobs: it is run again.
    if (clock_too_large && part_.results.empty() && clock_precision(part_.typical_time_s) > precision_s_) {
      clock_.over = true;
    } else {
      // SimGrid keeps all events of a profile: a new engine then goes on, so that memory stays bounded.
      constexpr std::uint64_t kMostEvents = 4'000'000;
      part_.results.push_back(replication_->result());
      clock_.over = clock_too_large || replication_->machines().events() > kMostEvents ||
                    clock_.origin.replication + 1 == end_;
    }
    replication_->stop_drivers();
    if (clock_.over) replication_->dismiss();
    else schedule_next();
  }

  void schedule_next() {
    SimGridMachines& machines = replication_->machines();
    machines.set_look_ahead(look_ahead());
    clock_.origin = {clock_.origin.replication + 1, machines.announced_until_s()};
    SimGridTimer::set(clock_.origin.date_s, [this] { replication_->start(); });
  }

  void fail(const std::string& sentence) {
    if (failure_.empty()) failure_ = sentence;
    clock_.over = true;
    replication_->stop_drivers();
    s4u::Actor::kill_all();
  }

  const Scenario& scenario_;
  BatchPart part_;
  BatchClock clock_;
  std::uint64_t end_;
  double precision_s_;
  std::optional<SimGridReplication> replication_;
  std::string failure_;
};

}  // namespace

std::string run_in_simgrid(const Scenario& scenario, const Batch& batch, double typical_time_s) {
  return SimGridBatch(scenario, batch, typical_time_s).run();
}

}  // namespace nowsim
