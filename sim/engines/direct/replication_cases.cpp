// Direct replications whose ranks exchange messages with tags or share the cores of a workstation, and those whose machines
// switch off and on: what goes with a machine, and who learns of it.
#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/engines/direct/replication.hpp"

namespace nowsim {

// ---- DirectRank: messages with tags ------------------------------------------------------------------------------

MatchingQueues& DirectRank::queues() { return replication_->queues(); }

bool DirectRank::posts() {
  queues();
  return replication_->post(*this, Act::post, Wait::post);
}

/// One that is over, or will be, needs no event: the rank's clock may be ahead.
bool DirectRank::finishes() {
  const Mail& mail = this->mail();
  if (mail.requests.size() != 1) return replication_->post(*this, Act::finish, Wait::request);
  if (!has_finished()) {
    doing_ = Wait::request;
    return false;
  }
  now_s_ = std::max(now_s_, queues().over_s(mail.requests.front()));
  return true;
}

bool DirectRank::tests() { return replication_->post(*this, Act::test, Wait::post); }

// ---- DirectReplication: messages with tags -----------------------------------------------------------------------

MatchingQueues& DirectReplication::queues() {
  if (!queues_) {
    check_stays_on(0, *scenario_->platform);
    queues_ = std::make_unique<MatchingQueues>(ranks_.size());
  }
  return *queues_;
}

void DirectReplication::post_exchange(DirectRank& it) {
  DirectRank::Mail& mail = it.mail();
  std::optional<MatchingQueues::Departure> departs;
  mail.posted = queues_->post(it.index(), mail.posting, it.now_s_, departs);
  mail.requests.clear();
  mail.finished = 0;
  const bool is_over = mail.posted == kNoRequest || queues_->is_over(mail.posted);
  if (mail.waits_for_posted && mail.posted != kNoRequest) mail.requests.push_back(mail.posted);
  if (mail.waits_for_posted && !is_over) it.doing_ = Wait::request;
  else make_ready(it, it.now_s_);
  if (!departs) return;
  const auto machine = [this](int of) { return static_cast<int>(rank(of).machine_); };
  carry({Transfer::Kind::exchange, machine(departs->from), machine(departs->to), departs->send,
         whole_bytes(departs->bytes), it.now_s_});
}

void DirectReplication::end_exchange(const Transfer& transfer, double time_s, bool has_failed) {
  const auto send = static_cast<RequestId>(transfer.id);
  if (!has_failed) {
    const auto [from, to] = queues_->ends_of(send);
    rank(from).tell_carried(from, to, transfer.bytes, transfer.begin_s, time_s);
  }
  for (const auto& [request, whose] : queues_->end(send, time_s, has_failed)) {
    DirectRank& it = rank(whose);
    const bool waits = it.doing_ == Wait::request && (it.mail().requests.size() == 1 || it.mail().acted);
    if (waits && it.notes_finished(request)) make_ready(it, std::max(it.now_s_, time_s));
  }
}

// ---- DirectReplication: cores that ranks share -------------------------------------------------------------------

void DirectReplication::open_cores() {
  std::vector<int> ranks_on(scenario_->size());
  for (const DirectRank& it : ranks_) ++ranks_on[it.machine_];
  if (std::ranges::all_of(ranks_on, [](int count) { return count <= 1; })) return;
  cores_.clear();
  cores_.resize(scenario_->size());
  for (DirectRank& it : ranks_) {
    const std::size_t at = it.machine_;
    if (ranks_on[at] == 1) continue;
    const Workstation& host = it.host();
    if (scenario_->owners[at]->jobs() != nullptr)
      throw InputError(shared_with_jobs_text(host.name));
    if (!cores_[at].clock) cores_[at].clock.emplace(*scenario_->owners[at], StreamKey{scenario_->seed, number_, at}, host.cores);
    it.shares_cores_ = true;
    it.has_lane_ = false;
    rank_on_[at] = -1;
  }
}

/// When one of them ends, or the owner changes what he leaves. An event that comes before is put off then, as with
/// deadlines: those that are to come stay few.
void DirectReplication::announce_cores(std::size_t machine) {
  Cores& cores = cores_[machine];
  const double next_s = cores.clock->next_s();
  if (!(next_s < (cores.rings_s.empty() ? kInfinity : cores.rings_s.back()))) return;
  cores.rings_s.push_back(next_s);
  events_.push({next_s, Kind::cores, static_cast<int>(machine), -1, 0});
}

void DirectReplication::go_on_at_cores(const Event& event) {
  const auto machine = static_cast<std::size_t>(event.rank);
  cores_[machine].rings_s.pop_back();
  if (cores_[machine].clock->next_s() > event.time_s) return announce_cores(machine);
  for (const int ended : cores_[machine].clock->proceed()) {
    DirectRank& it = rank(ended);
    it.work_flop_ += it.asked_flop_;
    it.active_s_ += event.time_s - it.now_s_;
    make_ready(it, event.time_s);
  }
  announce_cores(machine);
}

// ---- DirectRank: its machine switches off ------------------------------------------------------------------------

void DirectRank::keep_work() {
  if (!switching_) return;
  switching_->kept_work_flop = work_flop_;
  switching_->kept_active_s = active_s_;
  switching_->count = 0;  // it gets on
}

/// What a switched-off machine forgets. Messages that it has sent stay counted, and offers made to it stay.
void DirectRank::lose_memory() {
  doing_ = Wait::nothing;
  work_flop_ = switching_->kept_work_flop;
  active_s_ = switching_->kept_active_s;
  switching_->barriers = 0;
  Mail& m = mail();
  ++m.operation;  // late events know
  m.acted = m.settling = false;
  m.failed_with = -1;
  m.deadline_s = m.alarm_s = kInfinity;
  m.gave_up_s = -kInfinity;
  m.received.reset();
  m.busy_until_s = m.computed_s = -kInfinity;
  m.mailbox.forget_buffered();
}

// ---- DirectReplication: machines that switch off and on ----------------------------------------------------------

void DirectReplication::announce_change(DirectRank& it) {
  if (!it.switching_ || it.switching_->clock.changes_s() == kInfinity) return;
  ++changes_announced_;
  events_.push({it.switching_->clock.changes_s(), Kind::change, it.index(), -1, 0});
}

/// Machines go on switching when their ranks have finished: messages may yet be on their way to or from them. What is,
/// fails when they go off, and the other ends learn of it.
void DirectReplication::change(DirectRank& it, double time_s) {
  --changes_announced_;
  if (it.is_on()) {
    if (!it.finished_) switch_off(it);
    for (const Transfer& lost : network_.cancel(it.index(), time_s)) fail(lost, time_s);
  }
  it.switching_->clock.change();
  announce_change(it);
  if (it.finished_ || !it.is_on()) return;
  it.now_s_ = time_s;
  start_rank(it);
}

/// Its offers vanish from their receivers.
void DirectReplication::switch_off(DirectRank& it) {
  DirectRank::Mail& mail = it.mail();
  if (it.doing_ == Wait::send && mail.acted) rank(mail.peer).mail().mailbox.withdraw(it.index(), mail.envelope.id);
  barrier_.leave(it.index());
  end_process(it);
  it.lose_memory();
  if (++it.switching_->count == kMostRestarts) throw RunError(restarts_text(it.index(), it.host().name));
}

/// Nothing is under way, every rank waits for another one, and none can come back. What machines do later does not
/// count: a program that ends only because a machine fails is taken not to end.
bool DirectReplication::is_hopeless() const {
  if (ends_with_first_ && ranks_.front().finished_) return false;  // it is decided when that has come about
  return std::ranges::none_of(ranks_, [](const DirectRank& it) {
    if (it.finished_ || !it.switching_ || it.switching_->clock.changes_s() == kInfinity) return false;
    return !it.switching_->clock.is_on() || it.doing_ == Wait::compute || it.doing_ == Wait::sleep;
  });
}

}  // namespace nowsim
