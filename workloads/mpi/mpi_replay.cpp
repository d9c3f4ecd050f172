// The actions, and the requests that are outstanding between them.
#include "workloads/mpi/mpi_replay.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/host_patterns.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"

namespace nowsim {
namespace {

/// Requests of a rank that its trace has not waited for, as SMPI's replay keeps them: found by who sends what to whom.
/// Mostly the first is waited for first.
class OutstandingRequests {
 public:
  struct Entry {
    int from, to, tag;
    RequestId request;
    std::uint32_t action;    ///< which posted it
    bool is_tested = false;  ///< a test has found that it is over
  };
  void add(const Entry& entry) { entries_.push_back(entry); }
  /// In the order posted; valid until the next change.
  std::span<Entry> all() { return std::span(entries_).subspan(static_cast<std::size_t>(first_)); }
  /// The first of these; null: there is none.
  Entry* find(int from, int to, int tag) {
    for (Entry& e : all())
      if (e.from == from && e.to == to && e.tag == tag) return &e;
    return nullptr;
  }
  /// It is no longer outstanding.
  Entry take(const Entry* entry) {
    const Entry taken = *entry;
    const auto place = entry - entries_.data();
    if (place == first_)
      ++first_;
    else
      entries_.erase(entries_.begin() + place);
    if (2 * first_ >= std::ssize(entries_)) {
      entries_.erase(entries_.begin(), entries_.begin() + first_);
      first_ = 0;
    }
    return taken;
  }

 private:
  std::vector<Entry> entries_;
  std::ptrdiff_t first_ = 0;  ///< those before it are taken, and go together
};

/// So many actions of a rank, 640 KiB, are in memory at a time.
constexpr std::uint32_t kRemembered = 16384;

class Replay {
 public:
  Replay(MpiEndpoint& me, const MpiTrace& trace, const MpiReplaySettings& how)
      : me_(me), trace_(trace), how_(how), ranks_(me.count()), actions_(trace.actions(me.index())) {}
  [[nodiscard]] FramePool* frames() const { return me_.frames(); }

  Task<> run() {
    Rank& self = me_.rank();
    for (std::uint32_t k = 0; k < actions_.size(); ++k) {
      const MpiAction a = actions_[k];  // what is checked is what is used
      if (!has_sound_indices(a, ranks_))
        throw InputError({trace_.file(me_.index()), static_cast<int>(a.line), ""}, kChangedCompiledTrace);
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
        case MpiCall::sendrecv: check_length(a, co_await me_.exchange(a.peer, a.amount, a.other)); break;
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

  [[nodiscard]] bool is_receive(const OutstandingRequests::Entry& entry) const {
    return actions_[entry.action].call == MpiCall::irecv;
  }
  /// Waits for one that is no longer outstanding.
  Task<> finish(const OutstandingRequests::Entry entry) {
    if (entry.request == kNoRequest) co_return;
    const bool receives = is_receive(entry);
    const Awaited shown{receives ? Activity::receive : Activity::send, receives ? entry.from : entry.to};
    const Exchanged message = co_await me_.finish(entry.request, shown);
    if (receives) check_length(actions_[entry.action], message);
  }
  /// One that a test has found over is not waited for.
  Task<> wait(const MpiAction& a) {
    if (auto* const entry = outstanding_.find(a.peer, a.other, a.tag)) co_await finish(outstanding_.take(entry));
  }
  Task<> test(const MpiAction& a) {
    auto* const entry = outstanding_.find(a.peer, a.other, a.tag);
    if (entry == nullptr || entry->is_tested) co_return;
    if (entry->request != kNoRequest) {
      const std::optional<Exchanged> message = co_await me_.rank().test(entry->request);
      if (!message) co_return;
      if (is_receive(*entry)) check_length(actions_[entry->action], *message);
    }
    entry->request = kNoRequest;
    entry->is_tested = true;
  }
  Task<> wait_all() {
    const auto all = outstanding_.all();
    const std::vector<OutstandingRequests::Entry> entries(all.begin(), all.end());
    outstanding_ = {};
    for (const auto& entry : entries) co_await finish(entry);
  }
  /// For one of all that are outstanding: the first in the order posted that is over.
  Task<> wait_any() {
    std::vector<OutstandingRequests::Entry*> waited;
    std::vector<RequestId> requests;
    for (auto& entry : outstanding_.all()) {
      if (entry.is_tested) continue;
      if (entry.request == kNoRequest) co_return void(outstanding_.take(&entry));
      waited.push_back(&entry);
      requests.push_back(entry.request);
    }
    if (requests.empty()) co_return;
    me_.note();
    const FinishedOne first = co_await me_.rank().finish_any(requests);
    const OutstandingRequests::Entry taken = outstanding_.take(waited[first.place]);
    if (is_receive(taken)) check_length(actions_[taken.action], first.message);
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
    const double bytes = me_.payload(message), most_bytes = a.call == MpiCall::sendrecv ? a.second : a.amount;
    if (most_bytes == kAnyBytes || bytes <= most_bytes) return;
    throw InputError({trace_.file(me_.index()), static_cast<int>(a.line), ""},
                     "rank " + std::to_string(me_.index()) + " takes at most " + short_number(most_bytes) +
                         " bytes here, and rank " + std::to_string(message.peer) + " sends it " + short_number(bytes));
  }

  MpiEndpoint& me_;
  const MpiTrace& trace_;
  const MpiReplaySettings& how_;
  int ranks_;
  std::span<const MpiAction> actions_;
  OutstandingRequests outstanding_;
};

int place_of(const std::string& name, std::span<const Workstation> workstations) {
  const auto it = std::ranges::find(workstations, name, &Workstation::name);
  if (it == workstations.end())
    throw InputError("no workstation is called '" + name + "'; there are " +
                     std::to_string(workstations.size()) + ", the first is called '" + workstations.front().name + "'" +
                     lookalike_hint(name));
  return static_cast<int>(it - workstations.begin());
}

}  // namespace

Process replay_mpi(Rank& self, const MpiTrace& trace, const MpiReplaySettings& settings) {
  MpiEndpoint endpoint(self, settings.messages);
  Replay replay(endpoint, trace, settings);
  co_await replay.run();
}

std::vector<int> MpiPlacement::on(std::span<const Workstation> workstations) const {
  std::vector<int> places;
  for (const auto& word : machines)
    for (const auto& name : expand_host_pattern(word)) places.push_back(place_of(name, workstations));
  if (places.empty()) {
    places.resize(workstations.size());
    std::iota(places.begin(), places.end(), 0);
  }
  std::vector<int> out;
  for (int rank = 0; rank < ranks; ++rank)
    out.push_back(places[static_cast<std::size_t>(rank / per_machine) % places.size()]);
  return out;
}

}  // namespace nowsim
