// Direct replications whose machines switch off and on: what goes with a machine, and who learns of it.
#include "sim/base/error.hpp"
#include "sim/engines/direct/replication.hpp"

namespace nowsim {

// ---- DirectRank --------------------------------------------------------------------------------------------------

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
  m.deadline_s = kInfinity;
  m.gave_up_s = -kInfinity;
  m.received.reset();
  m.busy_until_s = -kForever;
  m.inbox.forget_buffered();
}

// ---- DirectReplication: changes ----------------------------------------------------------------------------------

bool DirectReplication::is_on(int i) const {
  const auto& switching = ranks_[static_cast<std::size_t>(i)].switching_;
  return !switching || switching->clock.is_on();
}

void DirectReplication::announce_change(DirectRank& it) {
  if (!it.switching_ || it.switching_->clock.changes_s() == kInfinity) return;
  ++changes_announced_;
  events_.push({it.switching_->clock.changes_s(), Kind::change, it.index(), -1, 0});
}

/// Machines go on switching when their ranks have finished: messages may yet be on their way to or from them. What is,
/// fails when they go off, and the other ends learn of it.
void DirectReplication::change(DirectRank& it, double time_s) {
  --changes_announced_;
  if (is_on(it.index())) {
    if (!it.finished_) switch_off(it);
    for (const Transfer& lost : network_.cancel(it.index(), time_s)) fail(lost, time_s);
  }
  it.switching_->clock.change();
  announce_change(it);
  if (it.finished_ || !is_on(it.index())) return;
  it.now_s_ = time_s;
  start_rank(it);
}

/// Its offers vanish from their receivers.
void DirectReplication::switch_off(DirectRank& it) {
  DirectRank::Mail& mail = it.mail();
  if (it.doing_ == Wait::send && mail.acted) rank(mail.peer).mail().inbox.withdraw(it.index(), mail.envelope.id);
  barrier_.leave(it.index());
  end_process(it);
  it.lose_memory();
  if (++it.switching_->count == kMostRestarts) throw RunError(restarts_text(it.index(), it.host().name));
}

/// A buffered message died with a machine or a link; what was sent behind it can be taken now.
void DirectReplication::lose(const Event& event) {
  DirectRank& it = rank(event.rank);
  it.mail().inbox.withdraw(event.sender, event.id);
  notice(it, event.sender, event.time_s);
}

/// One that began again passes the barriers that are over.
void DirectReplication::reach_barrier(DirectRank& it) {
  const double cost_s = it.mail().cost_s;
  auto arrival = JobBarrier::Arrival::waits;
  try {
    arrival = barrier_.arrive(it.index(), cost_s, it.switching_ ? &it.switching_->barriers : nullptr, ranks_.size());
  } catch (...) {
    stop_with(it, std::current_exception());
  }
  if (arrival == JobBarrier::Arrival::passes) return make_ready(it, it.now_s_);
  if (arrival == JobBarrier::Arrival::waits) return;
  std::vector<int>& all = barrier_.release();
  std::sort(all.begin(), all.end());
  const double end_s = it.now_s_ + cost_s;
  for (const int i : all) {
    DirectRank& other = rank(i);
    if (other.is_on_until(end_s)) make_ready(other, end_s);
    else other.doing_ = Wait::sleep;  // it goes off before
  }
}

/// Nothing is under way, every rank waits for another one, and none can come back. What machines do later does not
/// count: a program that ends only because a machine fails is taken not to end.
bool DirectReplication::is_hopeless() const {
  if (ends_with_first_ && ranks_.front().finished_) return false;  // it is decided when that has come about
  return std::ranges::none_of(ranks_, [](const DirectRank& it) {
    if (it.finished_) return false;
    const bool changes = it.switching_ && it.switching_->clock.changes_s() < kInfinity;
    const bool is_off = it.switching_ && !it.switching_->clock.is_on();
    if (is_off) return changes;
    switch (it.doing_) {
      case Wait::compute:
      case Wait::sleep: return changes;
      default: return false;
    }
  });
}

}  // namespace nowsim
