// Requests are told apart by sender, receiver and tag, as in SMPI's replay; those that are alike are counted.
#include "workloads/mpi/mpi_rank_checks.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace nowsim {
namespace {

/// The non-blocking messages of one rank, to or from a peer under a tag.
struct OwnChannel {
  std::uint64_t messages = 0;  ///< blocking ones too
  std::uint64_t unwaited = 0;  ///< requests less waits for them alone
  std::uint64_t outstanding = 0,
                tested = 0;  ///< requests since the waitall number `epoch`; of them, perhaps done by a test
  std::uint64_t epoch = 0;
};

class RankOfTrace {
 public:
  RankOfTrace(const MpiTraceView& trace, std::size_t rank, MpiTraceFacts& facts, MpiRequestsLeftOpen& open)
      : trace_(trace), rank_(rank), self_(static_cast<std::int32_t>(rank)), facts_(facts), open_(open) {}

  void check() {
    const auto& actions = trace_.actions[rank_];
    check_ends();
    facts_.actions += actions.size();
    trace_.find(rank_, actions.data(), [this](const MpiAction& mapped) {
      const MpiAction action = mapped;
      check_sound(action);
      ++facts_.calls[static_cast<std::size_t>(action.call)];
      take(action);
      return false;
    });
    facts_.rank_flop.push_back(flop_);
    facts_.flop += flop_;
    open_.unwaited += outstanding_ - std::min(outstanding_, perhaps_done_);
  }
  void hand_over(MpiChannels& channels) const {
    for (const auto& [key, channel] : channels_)
      if (channel.messages > 0) channels.add(rank_, side_of(key), peer_of(key), tag_of(key), channel.messages);
  }

 private:
  void check_ends() const {
    const auto& actions = trace_.actions[rank_];
    const auto is = [](MpiCall call) { return [call](const MpiAction& a) { return a.call == call; }; };
    if (actions.front().call != MpiCall::init)
      trace_.refuse(rank_, actions.front(),
                    "this is the rank's first action, where 'init' should be: its beginning is cut off.");
    const MpiAction* const end = actions.data() + actions.size();
    if (const MpiAction* const second = trace_.find(rank_, actions.data() + 1, is(MpiCall::init)); second != end)
      trace_.refuse(rank_, *second, "a rank has one 'init', and this is its second.");
    if (actions.back().call != MpiCall::finalize)
      trace_.refuse(rank_, actions.back(),
                    "this is the rank's last action, where 'finalize' should be: its end is cut off.");
    if (const MpiAction* const first = trace_.find(rank_, actions.data(), is(MpiCall::finalize)); first + 1 != end)
      trace_.refuse(rank_, *(first + 1), "this comes behind the rank's 'finalize', which ends its program.");
  }

  /// Of a trace whose text was read it is: of a compiled one, others may have written it.
  void check_sound(const MpiAction& action) const {
    const auto ranks = static_cast<int>(trace_.actions.size());
    const bool takes_any = action.call == MpiCall::recv || action.call == MpiCall::irecv;
    if (!has_sound_indices(action, ranks) || !has_counts(action, ranks, trace_.counts) || action.tag < kAnyTag ||
        !is_quantity(action.second) || !(is_quantity(action.amount) || (takes_any && action.amount == kAnyBytes)))
      trace_.refuse(rank_, action, "no program of " + std::to_string(ranks) + " ranks does this.");
  }

  void take(const MpiAction& action) {
    switch (action.call) {
      case MpiCall::compute:
        flop_ += action.amount;
        return;
      case MpiCall::reducescatter:
        flop_ += action.amount;
        return;
      case MpiCall::reduce:
      case MpiCall::allreduce:
      case MpiCall::scan:
      case MpiCall::exscan:
        flop_ += action.second;
        return;
      case MpiCall::send:
      case MpiCall::ssend:
        count_send(action);
        return;
      case MpiCall::isend:
      case MpiCall::issend:
        make_request(count_send(action));
        return;
      case MpiCall::recv:
        count_receive(action.peer, action.tag);
        return;
      case MpiCall::irecv:
        make_request(count_receive(action.peer, action.tag));
        return;
      case MpiCall::sendrecv:
        count_send(action);
        count_receive(action.other, action.tag);
        return;
      case MpiCall::test:
        test(action);
        return;
      case MpiCall::wait:
        wait(action);
        return;
      case MpiCall::waitall:
        wait_for_all(action);
        return;
      case MpiCall::waitany:
        wait_for_any(action);
        return;
      default:
        return;
    }
  }

  OwnChannel& count_send(const MpiAction& action) {
    ++facts_.messages;
    facts_.message_bytes += action.amount;
    OwnChannel& channel = channels_[key_of(MpiSide::send, action.peer, action.tag)];
    ++channel.messages;
    return channel;
  }
  OwnChannel& count_receive(std::int32_t from, std::int32_t tag) {
    if (from == kAnySource) ++facts_.any_source_receives;
    OwnChannel& channel = channels_[key_of(MpiSide::receive, from, tag)];
    ++channel.messages;
    return channel;
  }

  void make_request(OwnChannel& channel) {
    bring_up_to_date(channel);
    ++channel.unwaited;
    ++channel.outstanding;
    ++outstanding_;
  }
  void bring_up_to_date(OwnChannel& channel) const {
    if (channel.epoch == epoch_) return;
    channel.outstanding = channel.tested = 0;
    channel.epoch = epoch_;
  }

  /// That of a request that a wait or test is for. A message to oneself has two of the same name.
  OwnChannel& asked_for(const MpiAction& action) {
    const auto find = [this, &action](MpiSide side, std::int32_t peer) {
      const auto found = channels_.find(key_of(side, peer, action.tag));
      return found != channels_.end() && found->second.unwaited > 0 ? &found->second : nullptr;
    };
    OwnChannel* channel = action.peer == self_ ? find(MpiSide::send, action.other) : nullptr;
    if (channel == nullptr && action.other == self_) channel = find(MpiSide::receive, action.peer);
    if (channel == nullptr)
      trace_.refuse(rank_, action,
                    "no request is left that it could be for: before it no 'isend' or 'irecv' was made from " +
                        name_of(action.peer) + " to " + name_of(action.other) + " with tag " +
                        (action.tag == kAnyTag ? "any" : std::to_string(action.tag)) + ", or each has had its wait.");
    bring_up_to_date(*channel);
    return *channel;
  }
  static std::string name_of(std::int32_t rank) {
    return rank == kAnySource ? "any rank" : "rank " + std::to_string(rank);
  }

  /// A trace does not say what came out: the request may be done with, or not.
  void test(const MpiAction& action) {
    ++facts_.tests;
    OwnChannel& channel = asked_for(action);
    if (channel.tested == channel.outstanding) return;
    ++channel.tested;
    ++perhaps_done_;
  }
  void wait(const MpiAction& action) {
    OwnChannel& channel = asked_for(action);
    --channel.unwaited;
    if (channel.outstanding == 0) return;  // a waitall or waitany that was not for it had to be taken to be
    --channel.outstanding;
    if (channel.tested > channel.outstanding) {
      --channel.tested;
      --perhaps_done_;
    }
    if (outstanding_ > 0) --outstanding_;
  }
  void wait_for_all(const MpiAction& action) {
    const bool tells_number = action.amount > 0;
    if (tells_number && surely_outstanding() > action.amount) ++open_.narrow_waitalls;
    ++epoch_;
    outstanding_ = perhaps_done_ = 0;
  }
  void wait_for_any(const MpiAction& action) {
    ++facts_.waitanys;
    if (surely_outstanding() > action.amount)
      trace_.refuse(rank_, action,
                    "it waits for one of " + std::to_string(static_cast<std::uint64_t>(action.amount)) +
                        " requests while " + std::to_string(outstanding_) +
                        " are outstanding: which of them it is for cannot be told from a "
                        "time-independent trace.");
    if (outstanding_ > 0) --outstanding_;
  }
  [[nodiscard]] double surely_outstanding() const {
    return static_cast<double>(outstanding_) - static_cast<double>(perhaps_done_);
  }

  static std::uint64_t key_of(MpiSide side, std::int32_t peer, std::int32_t tag) {  // peer and tag are at least -1
    return (static_cast<std::uint64_t>(peer + 1) << 33U) | (static_cast<std::uint64_t>(std::int64_t{tag} + 1) << 1U) |
           (side == MpiSide::send ? 1U : 0U);
  }
  static MpiSide side_of(std::uint64_t key) { return (key & 1U) != 0 ? MpiSide::send : MpiSide::receive; }
  static std::int32_t peer_of(std::uint64_t key) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(key >> 33U) - 1);
  }
  static std::int32_t tag_of(std::uint64_t key) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>((key >> 1U) & 0xFFFFFFFFU) - 1);
  }

  const MpiTraceView& trace_;
  std::size_t rank_;
  std::int32_t self_;
  MpiTraceFacts& facts_;
  MpiRequestsLeftOpen& open_;
  std::unordered_map<std::uint64_t, OwnChannel> channels_;
  std::uint64_t outstanding_ = 0, perhaps_done_ = 0;  ///< since the last waitall
  std::uint64_t epoch_ = 0;
  double flop_ = 0;
};

}  // namespace

void check_mpi_rank(const MpiTraceView& trace, std::size_t rank, MpiTraceFacts& facts, MpiChannels& channels,
                    MpiRequestsLeftOpen& open) {
  ++facts.ranks;
  RankOfTrace own(trace, rank, facts, open);
  own.check();
  own.hand_over(channels);
}

}  // namespace nowsim
