// The actions, and the requests that are outstanding between them.
#include "workloads/mpi/mpi_replay.hpp"

#include <algorithm>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Requests of a rank that its trace has not waited for, as SMPI's replay keeps them: found by who sends what to whom.
class OutstandingRequests {
 public:
  struct Entry {
    int from, to, tag;
    RequestId request;
    std::uint32_t action;  ///< which posted it
    bool is_tested = false;  ///< a test has found that it is over
  };
  void add(const Entry& entry) { entries_.push_back(entry); }
  /// The first of these; null: there is none.
  Entry* find(int from, int to, int tag) {
    const auto it = std::ranges::find_if(entries_, [&](const Entry& e) { return e.from == from && e.to == to && e.tag == tag; });
    return it == entries_.end() ? nullptr : &*it;
  }
  Entry take(const Entry* entry) {
    const Entry taken = *entry;
    entries_.erase(entries_.begin() + (entry - entries_.data()));
    return taken;
  }
  [[nodiscard]] const std::vector<Entry>& all() const { return entries_; }
  void clear() { entries_.clear(); }

 private:
  std::vector<Entry> entries_;
};

/// So many actions of a rank, 640 KiB, are in memory at a time.
constexpr std::uint32_t kRemembered = 16384;

class Replay {
 public:
  Replay(MpiEndpoint& me, const MpiTrace& trace, const MpiReplaySettings& how)
      : me_(me), trace_(trace), how_(how), actions_(trace.actions(me.index())) {}
  [[nodiscard]] FramePool* frames() const { return me_.frames(); }

  Task<> run() {
    Rank& self = me_.rank();
    for (std::uint32_t k = 0; k < actions_.size(); ++k) {
      const MpiAction& a = actions_[k];
      self.is_at(k);
      if (k % kRemembered == 0 && k > 0) trace_.forget(actions_.subspan(k - kRemembered, kRemembered));
      me_.begin(a.call, a.tag);
      switch (a.call) {
        case MpiCall::init: break;
        case MpiCall::compute: co_await self.compute(a.amount * how_.scale); break;
        case MpiCall::sleep: co_await self.sleep_until(self.now() + a.amount); break;
        case MpiCall::send: co_await me_.send(a.peer, a.amount); break;
        case MpiCall::ssend: co_await me_.send(a.peer, a.amount, SendMode::rendezvous); break;
        case MpiCall::recv: check_length(a, co_await me_.receive(a.peer)); break;
        case MpiCall::isend: add({self.index(), a.peer, a.tag, co_await me_.post_send(a.peer, a.amount), k}); break;
        case MpiCall::issend:
          add({self.index(), a.peer, a.tag, co_await me_.post_send(a.peer, a.amount, SendMode::rendezvous), k});
          break;
        case MpiCall::irecv: add({a.peer, self.index(), a.tag, co_await me_.post_receive(a.peer), k}); break;
        case MpiCall::sendrecv: co_await me_.exchange(a.peer, a.amount, a.other); break;
        case MpiCall::wait: co_await wait(a); break;
        case MpiCall::test: co_await test(a); break;
        case MpiCall::waitany: co_await wait_any(); break;
        case MpiCall::waitall:
        case MpiCall::finalize: co_await wait_all(); break;
        default: co_await collective(a);
      }
    }
  }

 private:
  void add(const OutstandingRequests::Entry& entry) { outstanding_.add(entry); }

  /// Waits for one that is no longer outstanding.
  Task<> finish(const OutstandingRequests::Entry entry) {
    if (entry.request == kNoRequest) co_return;
    const bool is_send = entry.from == me_.index() && actions_[entry.action].call != MpiCall::irecv;
    const Awaited shown{is_send ? Activity::send : Activity::receive, is_send ? entry.to : entry.from};
    const Exchanged message = co_await me_.finish(entry.request, shown);
    if (!is_send) check_length(actions_[entry.action], message);
  }
  /// One that a test has found over is not waited for.
  Task<> wait(const MpiAction& a) {
    if (auto* const entry = outstanding_.find(a.peer, a.other, a.tag)) co_await finish(outstanding_.take(entry));
  }
  Task<> test(const MpiAction& a) {
    auto* const entry = outstanding_.find(a.peer, a.other, a.tag);
    if (entry == nullptr || entry->is_tested) co_return;
    if (entry->request != kNoRequest && !co_await me_.rank().test(entry->request)) co_return;
    entry->request = kNoRequest;
    entry->is_tested = true;
  }
  Task<> wait_all() {
    const std::vector<OutstandingRequests::Entry> all = outstanding_.all();
    outstanding_.clear();
    for (const auto& entry : all) co_await finish(entry);
  }
  /// For one of all that are outstanding: the first in the order posted that is over.
  Task<> wait_any() {
    std::vector<const OutstandingRequests::Entry*> waited;
    std::vector<RequestId> requests;
    for (const auto& entry : outstanding_.all()) {
      if (entry.is_tested) continue;
      waited.push_back(&entry);
      requests.push_back(entry.request);
      if (entry.request == kNoRequest) co_return void(outstanding_.take(&entry));
    }
    if (requests.empty()) co_return;
    me_.note();
    outstanding_.take(waited[co_await me_.rank().finish_any(requests)]);
  }

  Task<> collective(const MpiAction& a) {
    me_.begin(a.call, MpiEndpoint::tag_of(a.call));
    const bool reduces = a.call == MpiCall::reduce || a.call == MpiCall::allreduce || a.call == MpiCall::scan || a.call == MpiCall::exscan;
    const double flop = reduces ? a.second : a.call == MpiCall::reducescatter ? a.amount : 0;
    co_await how_.collectives[collective_number(a.call)](me_, {a.peer, a.amount, a.second, trace_.counts(a)});
    if (flop <= 0) co_return;
    me_.note();
    co_await me_.rank().compute(flop * how_.scale);
  }

  void check_length(const MpiAction& a, const Exchanged& message) const {
    const double bytes = me_.payload(message);
    if (a.amount == kAnyBytes || bytes <= a.amount) return;
    throw InputError({trace_.file(me_.index()), static_cast<int>(a.line), ""},
                     "rank " + std::to_string(me_.index()) + " takes at most " + short_number(a.amount) +
                         " bytes here, and rank " + std::to_string(message.peer) + " sends it " + short_number(bytes));
  }

  MpiEndpoint& me_;
  const MpiTrace& trace_;
  const MpiReplaySettings& how_;
  std::span<const MpiAction> actions_;
  OutstandingRequests outstanding_;
};

}  // namespace

Process replay_mpi(Rank& self, const MpiTrace& trace, const MpiReplaySettings& settings) {
  MpiEndpoint endpoint(self, settings.messages);
  Replay replay(endpoint, trace, settings);
  co_await replay.run();
}

}  // namespace nowsim
