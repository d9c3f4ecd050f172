// Starting, reviving, stopping and finishing ranks.
#include "sim/engines/simgrid/replication.hpp"

#include <simgrid/Exception.hpp>

#include <algorithm>
#include <utility>

#include "sim/base/error.hpp"

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
  rank.recorded[Quantity::finish_s] = makespan_s_ = rank.now();
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
  recorded_.assign(scenario_.size(), {});
  for (std::size_t i = 0; i < scenario_.size(); ++i) machines_.record_owner(i, makespan_s_, recorded_[i]);
  for (auto& it : ranks_) {
    SimGridRank& rank = *it;
    rank.record_messages();
    PerQuantity<double>& machine = recorded_[rank.machine_index()];
    for (const Quantity q : {Quantity::work_flop, Quantity::active_s, Quantity::messages, Quantity::sent_bytes})
      machine[q] += rank.recorded[q];
    machine[Quantity::finish_s] = std::max(machine[Quantity::finish_s], rank.recorded[Quantity::finish_s]);
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

}  // namespace nowsim
