// Ranks' operations, and the events that follow from them.
#include "sim/engines/direct/replication.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"

namespace nowsim {
namespace {

/// Behind all that counts as simultaneous with what happens at that time (Mailbox).
double end_of_moment(double time_s) { return time_s + 2e-9 * std::abs(time_s); }

bool are_simultaneous(double a_s, double b_s) { return std::max(a_s, b_s) <= Mailbox::latest_tie(std::min(a_s, b_s)); }

}  // namespace

// ---- DirectRank --------------------------------------------------------------------------------------------------

bool DirectRank::computes(double flop) {
  if (!has_lane_) [[unlikely]] return compute_without_lane(flop);
  AvailabilityLanes& lanes = *replication_->lanes_;
  const std::size_t lane = replication_->lane_of(*this);
  const double work_s = flop / host().speed_flops;
  if (work_s == 0) return computes_until(flop, now_s_);  // it underflows
  if (lanes.compute_at_once(lane, now_s_, work_s)) return computes_until(flop, lanes.position_s(lane));
  lanes.ask(lane, now_s_, work_s);
  asked_flop_ = flop;
  doing_ = Wait::compute;
  ++replication_->computing_;
  replication_->pending_->add(lane);
  return false;
}

/// What is computed counts when it has ended, and not before: it may never end.
inline void DirectRank::computed(double flop, double end_s) {
  work_flop_ += flop;
  active_s_ += end_s - now_s_;
  now_s_ = end_s;
}

/// Whether it goes on at once; where the job may end before the compute does, an event tells.
inline bool DirectRank::computes_until(double flop, double end_s) {
  if (replication_->may_end_before(*this)) [[unlikely]] {
    asked_flop_ = flop;
    return replication_->reach_by_event(*this, end_s, Wait::compute);
  }
  computed(flop, end_s);
  return true;
}

/// At once, since it concerns nobody else; what ends after its machine goes off does not end.
[[gnu::noinline]] bool DirectRank::compute_without_lane(double flop) {
  if (shares_cores_) {
    asked_flop_ = flop;
    return replication_->post(*this, Act::compute, Wait::compute);
  }
  const double work_s = flop / host().speed_flops;
  double end_s = now_s_;
  if (owner_jobs_ && replication_->may_end_before(*this)) mail().before_busy.emplace(*owner_jobs_);
  if (work_s > 0) end_s = switching_ ? switching_->clock.finish(now_s_, work_s) : owner_jobs_->finish(now_s_, work_s);
  if (end_s == kInfinity) {
    doing_ = Wait::compute;
    return false;
  }
  return computes_until(flop, end_s);
}

/// The job is over: what it computes does not end any more. Owners' jobs, which feel the task, go again from its begin;
/// that may be beyond the end by rounding, where rank 0 waited to see whether messages come at the same time.
void DirectRank::stop_at(double end_s) {
  if (owner_jobs_ && doing_ == Wait::compute && owner_jobs_->now_s() > end_s) {
    owner_jobs_ = std::make_unique<OwnerJobsClock>(std::move(*mail().before_busy));
    if (now_s_ < end_s) owner_jobs_->compete(now_s_, end_s);
  }
  now_s_ = end_s;
}

bool DirectRank::sleeps_until(double date_s) {
  if (!is_on_until(date_s)) {
    doing_ = Wait::sleep;
    return false;
  }
  if (date_s > now_s_ && replication_->may_end_before(*this))
    return replication_->reach_by_event(*this, date_s, Wait::sleep);
  now_s_ = std::max(now_s_, date_s);
  return true;
}

bool DirectRank::waits_at_barrier(double cost_s) {
  if (replication_->any_switching_) {
    check_amount(index(), cost_s, "wait at a barrier for");
    mail().cost_s = cost_s;
    return replication_->post(*this, Act::barrier, Wait::barrier);
  }
  replication_->arrive_at_barrier(*this, cost_s);
  return false;
}

bool DirectRank::transfers(double bytes) {
  replication_->routes_->find_own(machine_);
  mail().bytes = bytes;
  return replication_->post(*this, Act::transfer, Wait::transfer);
}

bool DirectRank::sends(Envelope&& envelope, double timeout_s) {
  const Act act = envelope.buffered ? Act::isend : Act::send;
  mail().timeout_s = timeout_s;
  mail().envelope = std::move(envelope);
  return replication_->post(*this, act, Wait::send);
}

bool DirectRank::receives(double timeout_s) {
  mail().timeout_s = timeout_s;
  return replication_->post(*this, Act::receive, mail().peer < 0 ? Wait::receive_any : Wait::receive);
}

bool DirectRank::takes_turn() { return replication_->post(*this, Act::turn, Wait::turn); }

std::any& DirectRank::desk() { return replication_->desk_; }

const Platform& DirectRank::platform() const { return *replication_->scenario_->platform; }

std::uint64_t DirectRank::next_message_id() { return ++replication_->next_id_; }

void DirectRank::begin_again(const Stream::Family& streams) {
  begin_anew(streams);
  process_ = Process();
  now_s_ = active_s_ = work_flop_ = 0;
  mail_.reset();
  doing_ = Wait::nothing;
  finished_ = false;
}

// ---- DirectReplication: coroutines -------------------------------------------------------------------------------

DirectReplication::DirectReplication(const Scenario& scenario, AvailabilityLanes& lanes, RouteTable& routes,
                                     FramePool& frames, std::size_t slot, PendingLanes& pending)
    : scenario_(&scenario), lanes_(&lanes), routes_(&routes), network_(routes, scenario),
      first_lane_(slot * scenario.size()), pending_(&pending),
      ends_with_first_(scenario.workload->program().ends_with_first_rank) {
  any_switching_ = scenario.platform->has_state_profiles();
  for (const auto& owner : scenario.owners) {
    any_owner_jobs_ |= owner->jobs() != nullptr;
    any_dedicated_ |= owner->is_dedicated();
  }
  const auto& workstations = scenario.platform->workstations;
  const std::vector<int> machines = rank_machines(scenario);
  const int n = static_cast<int>(machines.size());
  ranks_.reserve(machines.size());  // coroutines refer to their ranks
  rank_on_.assign(workstations.size(), -1);
  for (int i = 0; i < n; ++i) {
    const auto machine = index_of(machines[index_of(i)]);
    ranks_.emplace_back(*this, DirectRank::Where{i, n, &workstations[machine], scenario.share_flop,
                                                 Stream::Family(scenario.seed, 0), &frames});
    ranks_.back().machine_ = static_cast<std::uint32_t>(machine);
    rank_on_[machine] = i;
  }
}

/// Of its own, in place of a lane, where it needs one.
void DirectReplication::give_clock(DirectRank& rank) const {
  const std::size_t at = rank.machine_;
  const StreamKey key{scenario_->seed, number_, at, Purpose::owner};
  if (const OwnerJobs* jobs = scenario_->owners[at]->jobs())
    rank.owner_jobs_ = std::make_unique<OwnerJobsClock>(*jobs, key);
  if (const auto& state = scenario_->platform->workstations[at].extras->state_profile)
    rank.switching_ = std::make_unique<DirectRank::Switching>(MachineStateClock(*scenario_->owners[at], state, key));
  rank.has_lane_ = !rank.owner_jobs_ && !rank.switching_ && !rank.shares_cores_;
}

void DirectReplication::open(std::uint64_t replication) {
  number_ = replication;
  if (!events_.empty()) events_ = {};
  network_.open(replication);
  barrier_.begin_again();
  barrier_ends_s_ = makespan_s_ = latest_event_s_ = last_turn_s_ = 0;
  desk_.reset();
  computing_ = changes_announced_ = 0;
  ties_ = 0;
  unfinished_ = ranks_.size();
  if (queues_) queues_->clear();
  open_cores();
  const Stream::Family streams(scenario_->seed, replication);
  for (auto& rank : ranks_) {
    rank.begin_again(streams);
    if (any_owner_jobs_ || any_switching_) give_clock(rank);
  }
}

void DirectReplication::start() {
  if (any_switching_)
    for (auto& rank : ranks_) announce_change(rank);
  for (auto& rank : ranks_)
    if (rank.is_on()) start_rank(rank);
  go_on();
}

void DirectReplication::start_rank(DirectRank& rank) {
  rank.process_ = scenario_->workload->run(rank);
  rank.process_.start();
  if (rank.process_.done()) finish(rank);
}

void DirectReplication::served(std::size_t machine) {
  DirectRank& rank = this->rank(rank_on_[machine]);
  --computing_;
  const double end_s = lanes_->position_s(first_lane() + machine);
  if (end_s == kInfinity) return;  // it computes for ever
  if (!rank.computes_until(rank.asked_flop_, end_s)) return;
  rank.doing_ = Wait::nothing;
  resume(rank);  // at once: what concerns others is an event, for which go_on() waits
}

void DirectReplication::go_on() {
  for (;;) {
    for (std::size_t k = 0; k < ready_.size(); ++k) resume(rank(ready_[k]));  // it grows meanwhile
    ready_.clear();
    if (computing_ > 0) return;
    if (ends_with_first_ && is_decided()) return stop_others();
    if (unfinished_ == 0) return;
    if (network_is_next()) {
      follow_network();
      continue;
    }
    if (events_.size() == changes_announced_ && network_.is_idle() && is_hopeless()) fail_for_ever();
    const Event event = events_.top();
    events_.pop();
    latest_event_s_ = event.time_s;
    happen(event);
  }
}

/// Before any event: all that begins at a moment has begun when the network is asked what it comes to. At the same
/// moment machines switch first.
bool DirectReplication::network_is_next() {
  if (network_.is_idle()) return false;
  if (events_.empty()) return true;
  const Event& event = events_.top();
  if (event.kind <= Kind::act && event.time_s <= network_.now_s()) return false;
  const double next_s = network_.next_s();
  return next_s < event.time_s || (next_s == event.time_s && event.kind != Kind::change);
}

/// Rank 0 has finished, and nothing happens any more until then.
bool DirectReplication::is_decided() {
  const DirectRank& first = ranks_.front();
  if (!first.finished_) return false;
  return unfinished_ == 0 ||
         ((events_.empty() || events_.top().time_s > first.now_s_) && network_.next_s() > first.now_s_);
}

/// The job is over with rank 0. Where another is about to do something, or has done it, just at that moment, another
/// engine's rounding may have it the other way round.
void DirectReplication::stop_others() {
  makespan_s_ = ranks_.front().now_s_;
  if (are_simultaneous(network_.next_s(), makespan_s_)) ++ties_;
  for (auto& rank : ranks_) {
    if (!rank.finished_) {
      const DirectRank::Mail& mail = rank.mail();
      const double goes_on_s = std::max(rank.now_s_, mail.busy_until_s);
      ties_ += are_simultaneous(goes_on_s, makespan_s_) || are_simultaneous(mail.computed_s, makespan_s_) ? 1 : 0;
    }
    if (!rank.finished_ || rank.now_s_ > makespan_s_) rank.stop_at(makespan_s_);
    end_process(rank);
    rank.finished_ = true;
  }
  unfinished_ = 0;
}

/// It is not through, and may have something to say of that.
void DirectReplication::end_process(DirectRank& rank) {
  rank.process_ = Process();
  try {
    scenario_->workload->check_ended();
  } catch (...) {
    stop_with(rank, std::current_exception());
  }
}

/// Goes on then, if the job lasts for so long.
bool DirectReplication::reach_by_event(DirectRank& rank, double time_s, Wait doing) {
  rank.doing_ = doing;
  rank.mail().busy_until_s = time_s;
  events_.push({time_s, Kind::reached, rank.index(), -1, rank.mail().operation});
  return false;
}

void DirectReplication::resume(DirectRank& rank) {
  rank.waiter().resume();
  if (rank.process_.done()) finish(rank);
}

void DirectReplication::finish(DirectRank& rank) {
  try {
    rank.process_.result();
  } catch (...) {
    stop_with(rank, std::current_exception());
  }
  rank.process_ = Process();
  rank.finished_ = true;
  makespan_s_ = std::max(makespan_s_, rank.now_s_);
  --unfinished_;
}

void DirectReplication::stop_with(const DirectRank& rank, const std::exception_ptr& thrown) const {
  throw RunError(stop_text(number_, rank.index(), rank.host().name, rank.now_s_, why_text(thrown)));
}

void DirectReplication::make_ready(DirectRank& rank, double time_s) {
  rank.now_s_ = time_s;
  rank.doing_ = Wait::nothing;
  ready_.push_back(rank.index());
}

void DirectReplication::fail_for_ever() {
  std::vector<std::string> stuck;
  double latest_s = latest_event_s_;
  DeadlockCause cause = any_switching_ ? DeadlockCause::machines_fail : DeadlockCause::program;
  for (auto& rank : ranks_) {
    latest_s = std::max(latest_s, rank.now_s_);
    if (rank.finished_) continue;
    if (!rank.switching_ && rank.doing_ == Wait::compute) cause = DeadlockCause::owner_stays;
    const std::string waits = !rank.is_on() ? "is switched off for ever"
                              : rank.doing_ == Wait::request ? rank.request_text()
                                                             : waiting_text(rank.doing_, rank.mail_ ? rank.mail_->peer : -1);
    stuck.push_back(stuck_text(rank.index(), rank.host().name, waits + place_text(*scenario_, rank)));
  }
  throw RunError(deadlock_text(number_, latest_s, stuck, cause));
}

void DirectReplication::write_owner(RunResult& result, std::size_t i) {
  DirectRank* const alone = rank_on_[i] >= 0 ? &rank(rank_on_[i]) : nullptr;
  if (OwnerJobsClock* const jobs = alone != nullptr ? alone->owner_jobs_.get() : nullptr) [[unlikely]] {
    jobs->idle_until(std::max(makespan_s_, jobs->now_s()));
    result[Quantity::owner_s][i] = jobs->outcome().cpu_s;
    result[Quantity::owner_jobs][i] = jobs->outcome().completed;
    result[Quantity::owner_slowdown][i] = jobs->outcome().slowdown_sum;
  } else if (any_dedicated_ && scenario_->owners[i]->is_dedicated()) {
    result[Quantity::owner_s][i] = 0;
  } else {
    result[Quantity::owner_s][i] = std::max(0.0, makespan_s_ - available_s(i));
  }
}

/// The integral of the availability over [0, T]; of a lane that is ahead it is found anew.
double DirectReplication::available_s(std::size_t i) const {
  const std::size_t lane = first_lane() + i;
  if (lanes_->position_s(lane) <= makespan_s_) return lanes_->integral_s(lane);
  PathCursor owner(scenario_->owners[i]->path({scenario_->seed, number_, i}));
  double integral_s = 0;
  while (owner.end_s() < makespan_s_) {
    const double length_s = owner.next_step();
    integral_s += owner.value() * std::min(length_s, makespan_s_ - owner.position_s());
  }
  return integral_s;
}

void DirectReplication::write(RunResult& result) {
  result.replication = number_;
  result.makespan_s = makespan_s_;
  result.ties = ties_ + (queues_ ? queues_->ties() : 0);
  for (const Quantity q : {Quantity::work_flop, Quantity::active_s, Quantity::finish_s, Quantity::messages, Quantity::sent_bytes})
    std::ranges::fill(result[q], 0);
  for (std::size_t i = 0; i < scenario_->size(); ++i) write_owner(result, i);
  for (const DirectRank& rank : ranks_) {
    const std::size_t i = rank.machine_;
    result[Quantity::work_flop][i] += rank.work_flop_;
    result[Quantity::active_s][i] += rank.active_s_;
    result[Quantity::finish_s][i] = std::max(result[Quantity::finish_s][i], rank.now_s_);
    if (!rank.mail_) continue;
    result[Quantity::messages][i] += rank.mail_->messages;
    result[Quantity::sent_bytes][i] += rank.mail_->sent_bytes;
  }
}

// ---- DirectReplication: what concerns several ranks --------------------------------------------------------------

/// Where machines switch, in the order of events: one that began again passes the barriers that are over. Else in any
/// order, within the rank's coroutine.
void DirectReplication::arrive_at_barrier(DirectRank& it, double cost_s) {
  auto arrival = JobBarrier::Arrival::waits;
  try {
    arrival = barrier_.arrive(it.index(), cost_s, it.switching_ ? &it.switching_->barriers : nullptr, ranks_.size());
  } catch (...) {
    if (!any_switching_) throw;
    stop_with(it, std::current_exception());
  }
  if (arrival == JobBarrier::Arrival::passes) return make_ready(it, it.now_s_);
  it.doing_ = Wait::barrier;
  barrier_ends_s_ = std::max(any_switching_ ? 0.0 : barrier_ends_s_, it.now_s_ + cost_s);
  if (arrival == JobBarrier::Arrival::waits) return;
  std::vector<int>& all = barrier_.release();
  std::sort(all.begin(), all.end());
  for (const int i : all) {
    if (rank(i).is_on_until(barrier_ends_s_)) make_ready(rank(i), barrier_ends_s_);
    else rank(i).doing_ = Wait::sleep;  // it goes off before
  }
  barrier_ends_s_ = 0;
}

bool DirectReplication::post(DirectRank& rank, DirectRank::Act act, Wait doing) {
  rank.doing_ = doing;
  DirectRank::Mail& mail = rank.mail();
  mail.act = act;
  ++mail.operation;
  mail.acted = mail.settling = false;
  mail.alarm_s = kInfinity;
  events_.push({rank.now_s_, Kind::act, rank.index(), -1, mail.operation});
  return false;
}

void DirectReplication::happen(const Event& event) {
  if (event.kind == Kind::cores) return go_on_at_cores(event);
  DirectRank& it = rank(event.rank);
  if (event.kind == Kind::act) return act(it);
  if (event.kind == Kind::change) return change(it, event.time_s);
  if (event.kind == Kind::loss) {  // with a machine or a link; what was sent behind it can be taken now
    it.mail().mailbox.withdraw(event.sender, event.id);
    return notice(it, event.sender, event.time_s);
  }
  DirectRank::Mail& mail = it.mail();
  if (event.kind == Kind::reached) return reach(it, event);
  if (event.kind == Kind::deadline ? !is_deadline(it, event.time_s) : mail.operation != event.id) return;
  if (it.doing_ == Wait::send) return withdraw(it, mail.deadline_s);
  if (it.doing_ != Wait::receive && it.doing_ != Wait::receive_any) return;
  if (event.kind == Kind::settle) {
    if (mail.mailbox.has(mail.peer)) return pull(it, mail.noticed_s);
    mail.settling = false;  // withdrawn meanwhile
    return announce_deadline(it, mail.deadline_s);
  }
  if (mail.mailbox.has(mail.peer)) return pull(it, mail.settling ? mail.noticed_s : event.time_s);
  mail.gave_up_s = event.time_s;
  make_ready(it, event.time_s);
}

void DirectReplication::reach(DirectRank& it, const Event& event) {
  if (it.mail().operation != event.id) return;
  it.mail().busy_until_s = -kInfinity;
  if (it.doing_ == Wait::compute) {
    it.computed(it.asked_flop_, event.time_s);
    it.mail().computed_s = event.time_s;
  }
  make_ready(it, event.time_s);
}

/// One event serves the deadlines of operation after operation: where it comes before the one at hand, it is put off.
void DirectReplication::announce_deadline(DirectRank& it, double time_s) {
  DirectRank::Mail& mail = it.mail();
  mail.alarm_s = time_s;
  if (!(time_s < (mail.rings_s.empty() ? kInfinity : mail.rings_s.back()))) return;
  mail.rings_s.push_back(time_s);
  events_.push({time_s, Kind::deadline, it.index(), -1, mail.operation});
}

/// Whether the operation at hand has its deadline at this event of its rank: most have what they waited for by then.
bool DirectReplication::is_deadline(DirectRank& it, double time_s) {
  DirectRank::Mail& mail = it.mail();
  mail.rings_s.pop_back();
  if (mail.alarm_s > time_s) return announce_deadline(it, mail.alarm_s), false;
  return true;
}

/// Nobody has received what it offers: it goes on without.
void DirectReplication::withdraw(DirectRank& from, double time_s) {
  rank(from.mail().peer).mail().mailbox.withdraw(from.index(), from.mail().envelope.id);
  from.note_delivery(DirectRank::Sent::given_up);
  make_ready(from, time_s);
}

void DirectReplication::act(DirectRank& it) {
  DirectRank::Mail& mail = it.mail();
  mail.acted = true;
  mail.computed_s = -kInfinity;
  switch (mail.act) {
    case DirectRank::Act::send:
    case DirectRank::Act::isend: return send(it);
    case DirectRank::Act::transfer:
      return carry({Transfer::Kind::own_path, it.index(), it.index(), 0, mail.bytes, it.now_s_});
    case DirectRank::Act::barrier: return arrive_at_barrier(it, mail.cost_s);
    case DirectRank::Act::compute:
      cores_[it.machine_].clock->begin(it.index(), it.now_s_, it.asked_flop_ / it.host().speed_flops);
      return announce_cores(it.machine_);
    case DirectRank::Act::post: return post_exchange(it);
    case DirectRank::Act::finish:
      if (it.has_finished()) return make_ready(it, it.now_s_);
      it.doing_ = Wait::request;
      return;
    case DirectRank::Act::test:
      if (!it.has_finished()) mail.finished = 1, mail.requests.clear();
      return make_ready(it, it.now_s_);
    case DirectRank::Act::turn: return take_turn(it);
    case DirectRank::Act::receive:
      mail.deadline_s = it.now_s_ + mail.timeout_s;
      if (!mail.mailbox.has(mail.peer)) announce_deadline(it, mail.deadline_s);
      return try_receive(it, it.now_s_);
  }
}

/// Of two at one moment, but for the start, another engine's rounding may have the other first.
void DirectReplication::take_turn(DirectRank& it) {
  if (it.now_s_ > 0 && are_simultaneous(it.now_s_, last_turn_s_)) ++ties_;
  last_turn_s_ = it.now_s_;
  make_ready(it, it.now_s_);
}

/// A buffered message leaves, and its sender goes on; a rendezvous is offered, and its sender waits.
void DirectReplication::send(DirectRank& from) {
  DirectRank::Mail& mail = from.mail();
  DirectRank& to = rank(mail.peer);
  const double now_s = from.now_s_;
  if (mail.act == DirectRank::Act::send) {
    mail.deadline_s = now_s + mail.timeout_s;
    announce_deadline(from, end_of_moment(mail.deadline_s));  // who receives at this very moment still gets it
    to.mail().mailbox.offer(std::move(mail.envelope), now_s);
    return notice(to, from.index(), now_s);
  }
  make_ready(from, now_s);
  if (!to.is_on()) return;  // it is lost
  const Transfer transfer{Transfer::Kind::message, from.index(), to.index(), mail.envelope.id,
                          whole_bytes(mail.envelope.bytes), now_s};
  to.mail().mailbox.depart(std::move(mail.envelope));
  carry(transfer);
}

/// A message from this sender may be there to be taken. Where a receive has just given up it is a tie: another engine's
/// rounding may have it come in time.
void DirectReplication::notice(DirectRank& it, int from, double time_s) {
  if (are_simultaneous(it.mail().gave_up_s, time_s)) ++ties_;
  if (it.awaits(from) && it.mail().acted) try_receive(it, time_s);
}

/// Takes a message if there is one. Of messages from any rank, those of one moment are waited for first.
void DirectReplication::try_receive(DirectRank& it, double time_s) {
  DirectRank::Mail& mail = it.mail();
  if (mail.settling || !mail.mailbox.has(mail.peer)) return;
  if (mail.peer >= 0 || !mail.mailbox.may_tie(time_s)) return pull(it, time_s);
  mail.settling = true;
  mail.noticed_s = time_s;
  events_.push({end_of_moment(time_s), Kind::settle, it.index(), -1, mail.operation});
}

/// Takes a message over; a rendezvous is transferred now, and then both go on. Of messages that come within a moment the
/// one that is taken may be later than the first; and one that came just in time may on another engine come too late.
void DirectReplication::pull(DirectRank& it, double time_s) {
  DirectRank::Mail& mail = it.mail();
  if (mail.peer < 0 && mail.mailbox.is_tied()) ++ties_;
  Envelope envelope = std::move(*mail.mailbox.take(mail.peer));
  if (are_simultaneous(envelope.since_s, mail.deadline_s)) ++ties_;
  time_s = std::max(time_s, envelope.since_s);
  if (envelope.buffered) {
    it.deliver(std::move(envelope));
    return make_ready(it, time_s);
  }
  DirectRank& from = rank(envelope.from);
  const double gives_up_s = from.mail().deadline_s;
  if (time_s > envelope.since_s && (time_s > gives_up_s || are_simultaneous(time_s, gives_up_s))) ++ties_;
  from.doing_ = it.doing_ = Wait::pull;
  const Transfer transfer{Transfer::Kind::rendezvous, envelope.from, it.index(), envelope.id,
                          whole_bytes(envelope.bytes), time_s};
  mail.pulled = std::move(envelope);
  carry(transfer);
}

// ---- DirectReplication: what is on its way -----------------------------------------------------------------------

void DirectReplication::carry(const Transfer& transfer) {
  if (!is_carried_alone(transfer) && !network_.start(transfer)) fail(transfer, transfer.begin_s);
}

/// Most transfers have the network to themselves and end before anything else happens: these need not enter it.
bool DirectReplication::is_carried_alone(const Transfer& transfer) {
  if (follows_network_ || !ready_.empty() || (ends_with_first_ && ranks_.front().finished_)) return false;
  const double end_s = network_.end_alone_s(transfer);
  if (end_s == kInfinity || (!events_.empty() && events_.top().time_s <= end_s)) return false;
  latest_event_s_ = end_s;
  arrive(transfer, end_s);
  return true;
}

void DirectReplication::follow_network() {
  const auto& ended = network_.proceed();
  latest_event_s_ = network_.now_s();
  follows_network_ = true;
  for (const auto& [transfer, has_failed] : ended) {
    if (has_failed) fail(transfer, latest_event_s_);
    else arrive(transfer, latest_event_s_);
  }
  follows_network_ = false;
}

void DirectReplication::arrive(const Transfer& transfer, double time_s) {
  if (transfer.kind == Transfer::Kind::exchange) return end_exchange(transfer, time_s, false);
  DirectRank& from = rank(transfer.from);
  DirectRank& it = rank(transfer.to);
  if (transfer.kind == Transfer::Kind::own_path) return make_ready(it, time_s);
  from.tell_carried(transfer.from, transfer.to, transfer.bytes, transfer.begin_s, time_s);
  if (transfer.kind == Transfer::Kind::message) {
    it.mail().mailbox.arrive(transfer.from, transfer.id, time_s);
    return notice(it, transfer.from, time_s);
  }
  it.deliver(std::move(it.mail().pulled));
  make_ready(from, time_s);
  make_ready(it, time_s);
}

/// With a link, or with the machine at one of its ends, whose rank is gone then. A buffered message dies once all has
/// changed that changes at this moment; the ends of others learn of it, unless their machines go off just now too.
void DirectReplication::fail(const Transfer& transfer, double time_s) {
  if (transfer.kind == Transfer::Kind::exchange) return end_exchange(transfer, time_s, true);
  if (transfer.kind == Transfer::Kind::message)
    return events_.push({time_s, Kind::loss, transfer.to, transfer.from, transfer.id});
  const auto tell = [&](DirectRank& it, auto note) {
    if (it.doing_ == Wait::nothing || !it.is_on_until(time_s)) return;
    note();
    make_ready(it, time_s);
  };
  DirectRank& from = rank(transfer.from);
  DirectRank& it = rank(transfer.to);
  tell(from, [&] { from.note_delivery(DirectRank::Sent::failed); });
  if (transfer.kind == Transfer::Kind::rendezvous) tell(it, [&] { it.mail().failed_with = transfer.from; });
}

template class EngineRank<DirectRank>;

}  // namespace nowsim
