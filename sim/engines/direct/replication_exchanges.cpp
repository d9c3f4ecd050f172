// Direct replications whose ranks exchange messages with tags, or share the cores of a workstation.
#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/engines/direct/replication.hpp"

namespace nowsim {

// ---- DirectRank: messages with tags ------------------------------------------------------------------------------

RequestBook& DirectRank::book() { return replication_->book(); }

bool DirectRank::posts() {
  book();
  replication_->post(*this, Act::post, Wait::post);
  return false;
}

/// One that is over, or will be, needs no event: the rank's clock may be ahead.
bool DirectRank::finishes() {
  const Mail& mail = this->mail();
  if (mail.requests.size() != 1) {
    replication_->post(*this, Act::finish, Wait::request);
    return false;
  }
  if (!has_finished()) {
    doing_ = Wait::request;
    return false;
  }
  now_s_ = std::max(now_s_, book().over_s(mail.requests.front()));
  return true;
}

bool DirectRank::tests() {
  replication_->post(*this, Act::test, Wait::post);
  return false;
}

// ---- DirectReplication: messages with tags -----------------------------------------------------------------------

RequestBook& DirectReplication::book() {
  if (!book_) {
    check_stays_on(0, *scenario_->platform);
    book_ = std::make_unique<RequestBook>(ranks_.size());
  }
  return *book_;
}

void DirectReplication::post_exchange(DirectRank& it) {
  DirectRank::Mail& mail = it.mail();
  departure_.reset();
  mail.posted = book_->post(it.index(), mail.posting, it.now_s_, departure_);
  mail.requests.clear();
  mail.finished = 0;
  const bool is_over = mail.posted == kNoRequest || book_->is_over(mail.posted);
  if (mail.waits_for_posted && mail.posted != kNoRequest) mail.requests.push_back(mail.posted);
  if (mail.waits_for_posted && !is_over) it.doing_ = Wait::request;
  else make_ready(it, it.now_s_);
  if (!departure_) return;
  const auto machine = [this](int of) { return static_cast<int>(rank(of).machine_); };
  carry({Transfer::Kind::exchange, machine(departure_->from), machine(departure_->to), departure_->send,
         whole_bytes(departure_->bytes), it.now_s_});
}

/// Who waits for it goes on.
void DirectReplication::end_exchange(const Transfer& transfer, double time_s, bool has_failed) {
  const auto send = static_cast<RequestId>(transfer.id);
  if (!has_failed) {
    const auto [from, to] = book_->ends_of(send);
    rank(from).tell_carried(from, to, transfer.bytes, transfer.begin_s, time_s);
  }
  for (const auto& [request, whose] : book_->end(send, time_s, has_failed)) {
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

void DirectReplication::compute_on_cores(DirectRank& it) {
  SharedCores& cores = *cores_[it.machine_].clock;
  const double work_s = it.asked_flop_ / it.host().speed_flops;
  cores.begin(it.index(), it.now_s_, work_s);
  announce_cores(it.machine_);
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

}  // namespace nowsim
