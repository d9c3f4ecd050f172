// Ranks one by one, then against one another: messages by their channels, and the k-th collective of one against the
// k-th of the others. Requests are told apart by sender, receiver and tag, as in SMPI's replay; those that are alike
// are counted.
#include "workloads/mpi/mpi_trace_checks.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

/// @throws InputError naming file, line, rank and call of an action that no program's rank does, and why.
[[noreturn]] void refuse_action(const std::string& file, std::size_t rank, const MpiAction& action,
                                const std::string& sentence) {
  throw InputError({file, static_cast<int>(action.line), ""},
                   "rank " + std::to_string(rank) + "'s '" + mpi_call_name(action.call) + "': " + sentence);
}
[[noreturn]] void refuse_action(const MpiTrace& trace, std::size_t rank, const MpiAction& action,
                                const std::string& sentence) {
  refuse_action(trace.file(rank), rank, action, sentence);
}

// ---- ranks one by one --------------------------------------------------------------------------------------------

std::uint64_t key_of(MpiSide side, std::int32_t peer, std::int32_t tag) {  // peer and tag are at least -1
  return (static_cast<std::uint64_t>(peer + 1) << 33U) | (static_cast<std::uint64_t>(std::int64_t{tag} + 1) << 1U) |
         (side == MpiSide::send ? 1U : 0U);
}

std::string name_of(std::int32_t rank) { return rank == kAnySource ? "any rank" : "rank " + std::to_string(rank); }

/// Of a trace whose text was read it is: of a compiled one, others may have written it.
void check_sound(const MpiTrace& trace, std::size_t rank, const MpiAction& action) {
  const int ranks = trace.ranks();
  if (!has_sound_indices(action, ranks) || !has_counts(action, ranks, trace.all_counts()) || action.tag < kAnyTag ||
      !is_quantity(action.second) ||
      !(is_quantity(action.amount) || (receives_alone(action.call) && action.amount == kAnyBytes)))
    refuse_action(trace, rank, action, "no program of " + std::to_string(ranks) + " ranks does this.");
}

// ---- messages ----------------------------------------------------------------------------------------------------

/// Whether an action sends to, or receives from, that peer under that tag. The tags of sendrecvs are lost: 0.
bool is_of_channel(const MpiAction& action, MpiSide side, std::int32_t peer, std::int32_t tag) {
  if (action.tag != tag) return false;
  if (side == MpiSide::send) return sends_to_one(action.call) && action.peer == peer;
  return action.call == MpiCall::sendrecv ? action.other == peer : receives_alone(action.call) && action.peer == peer;
}

/// The channels to one rank. Receives that name source and tag take theirs first: nobody else can serve them. What is
/// left over is for the others.
class ChannelsToOne {
 public:
  ChannelsToOne(const MpiTrace& trace, std::span<const MpiChannel> channels) : trace_(trace), channels_(channels) {
    for (const MpiChannel& c : channels_) {
      if (!is_one(c)) continue;
      if (c.received > c.sent) refuse_receive(c, c.sent);
      if (c.sent == c.received) continue;
      for (const Asked& asked : who_may_take(c)) open_[asked].left += c.sent - c.received;
    }
  }
  void check() {
    std::uint64_t asked = 0;
    const std::uint64_t left = open_[{kAnySource, kAnyTag}].left;
    for (const MpiChannel& c : channels_) {
      if (is_one(c)) continue;
      asked += c.received;
      Open& open = open_[{c.from, c.tag}];
      if (c.received > open.left) refuse_receive(c, open.left);
      if (asked > left) refuse_receive(c, c.received - (asked - left));
      open.is_asked_for = true;
    }
    for (const MpiChannel& c : channels_)
      if (is_left(c) && std::ranges::none_of(who_may_take(c), [&](const Asked& by) { return open_[by].is_asked_for; }))
        refuse_send(c);
    if (asked < left) refuse_send(*std::ranges::find_if(channels_, is_left));
  }

 private:
  /// The source and the tag that a receive names, one of which is any.
  using Asked = std::pair<std::int32_t, std::int32_t>;
  /// Messages for such receives, and whether there are any.
  struct Open {
    std::uint64_t left = 0;
    bool is_asked_for = false;
  };
  static bool is_one(const MpiChannel& c) { return c.from != kAnySource && c.tag != kAnyTag; }
  static bool is_left(const MpiChannel& c) { return is_one(c) && c.sent > c.received; }
  static std::array<Asked, 3> who_may_take(const MpiChannel& c) {
    return {{{c.from, kAnyTag}, {kAnySource, c.tag}, {kAnySource, kAnyTag}}};
  }

  [[noreturn]] void refuse_receive(const MpiChannel& c, std::uint64_t served) const {
    refuse(c.to, MpiSide::receive, c.from, c.tag, served,
           "nobody sends what this receives: " + std::to_string(c.received) + " receives " +
               (c.from == kAnySource ? "from any source" : "from rank " + std::to_string(c.from)) +
               (c.tag == kAnyTag ? " of any tag" : " of tag " + std::to_string(c.tag)) + " find " +
               std::to_string(served) + " messages left for them.");
  }
  [[noreturn]] void refuse_send(const MpiChannel& c) const {
    refuse(c.from, MpiSide::send, c.to, c.tag, c.received,
           "rank " + std::to_string(c.to) + " does not receive this: of " + std::to_string(c.sent) +
               " messages of tag " + std::to_string(c.tag) + " from here it receives " + std::to_string(c.received) +
               ".");
  }
  /// The rank's action of that side of the channel that comes behind so many others.
  [[noreturn]] void refuse(std::int32_t rank, MpiSide side, std::int32_t peer, std::int32_t tag, std::uint64_t behind,
                           const std::string& sentence) const {
    const auto own = static_cast<std::size_t>(rank);
    const MpiAction& action = *std::ranges::find_if(
        trace_.actions(own), [&](const MpiAction& a) { return is_of_channel(a, side, peer, tag) && behind-- == 0; });
    const char* const lost =
        action.call == MpiCall::sendrecv
            ? " SMPI writes no tags of MPI_Sendrecv, so that all have tag 0, and none at all whose "
              "other partner is MPI_PROC_NULL."
            : "";
    const char* const nobody =
        peer == kAnySource ? " SMPI writes an MPI_Irecv from MPI_PROC_NULL, too, as one from any source." : "";
    refuse_action(trace_, own, action, sentence + lost + nobody);
  }

  const MpiTrace& trace_;
  std::span<const MpiChannel> channels_;
  std::map<Asked, Open> open_;
};

/// @throws InputError naming the first send that no receive is left for, or receive that no send is left for. What
/// receives from any source or of any tag could take is left to them: no trace of a run that ended is refused.
void check_channels(std::vector<MpiChannel> channels, const MpiTrace& trace) {
  const auto key = [](const MpiChannel& c) { return std::tuple(c.to, c.from, c.tag); };
  std::ranges::sort(channels, {}, key);
  std::size_t joined = 0;
  for (const MpiChannel& c : channels) {
    if (joined > 0 && key(channels[joined - 1]) == key(c)) {
      channels[joined - 1].sent += c.sent;
      channels[joined - 1].received += c.received;
    } else {
      channels[joined++] = c;
    }
  }
  channels.resize(joined);
  for (auto first = channels.begin(); first != channels.end();) {
    const auto last = std::find_if(first, channels.end(), [first](const MpiChannel& c) { return c.to != first->to; });
    ChannelsToOne(trace, {first, last}).check();
    first = last;
  }
}

// ---- collectives -------------------------------------------------------------------------------------------------

constexpr const char* kSubCommunicators =
    "collectives of sub-communicators cannot be told from a time-independent trace, and SMPI's replay would run them "
    "on all ranks.";

bool has_root(MpiCall call) {
  return call == MpiCall::bcast || call == MpiCall::reduce || call == MpiCall::gather || call == MpiCall::gatherv ||
         call == MpiCall::scatter || call == MpiCall::scatterv;
}

/// "1st", "2nd", "3rd", "11th".
std::string ordinal(std::uint64_t n) {
  const std::uint64_t last = n % 10;
  const bool is_teen = n % 100 / 10 == 1;
  return std::to_string(n) + (is_teen || last == 0 || last > 3 ? "th" : last == 1 ? "st" : last == 2 ? "nd" : "rd");
}

/// All ranks of a trace are in the same collectives, in the same order, with sizes that fit: goes through them in step.
class CollectivesInStep {
 public:
  explicit CollectivesInStep(const MpiTrace& trace) : trace_(trace), at_(static_cast<std::size_t>(trace.ranks())) {
    for (std::size_t rank = 0; rank < at_.size(); ++rank) at_[rank] = trace_.actions(rank).data();
  }
  /// @throws InputError naming the first collective in which a rank differs from rank 0, or from the root.
  void check() {
    while (move_on()) {
      ++number_;
      for (std::size_t rank = 1; rank < at_.size(); ++rank) check_alike(rank);
      check_sizes();
    }
  }

 private:
  [[nodiscard]] bool is_over(std::size_t rank) const {
    return at_[rank] == std::to_address(trace_.actions(rank).end());
  }
  [[nodiscard]] std::string place(std::size_t rank) const {
    return trace_.file(rank) + ":" + std::to_string(at_[rank]->line);
  }
  /// Every rank to its next collective; false where rank 0 has none, and then nobody may.
  bool move_on() {
    for (std::size_t rank = 0; rank < at_.size(); ++rank)
      at_[rank] = trace_.find(rank, at_[rank] + (number_ > 0 ? 1 : 0),
                              [](const MpiAction& action) { return action.call >= MpiCall::barrier; });
    const bool is_end = is_over(0);
    for (std::size_t rank = 1; rank < at_.size(); ++rank) {
      if (is_over(rank) == is_end) continue;
      const std::size_t longer = is_end ? rank : 0, shorter = is_end ? 0 : rank;
      refuse_action(trace_, longer, *at_[longer],
                    "this is rank " + std::to_string(longer) + "'s " + ordinal(number_ + 1) + " collective, and rank " +
                        std::to_string(shorter) + " has " + std::to_string(number_) + ": " + kSubCommunicators);
    }
    return !is_end;
  }

  void check_alike(std::size_t rank) const {
    const MpiAction &own = *at_[rank], &first = *at_[0];
    if (own.call == first.call && (!has_root(own.call) || own.peer == first.peer)) return;
    const auto text = [&](std::size_t of) {
      const MpiAction& action = *at_[of];
      const std::string root =
          action.call == (of == 0 ? own : first).call ? " with root " + std::to_string(action.peer) : "";
      return mpi_call_name(action.call) + root + " (" + place(of) + ")";
    };
    refuse_action(trace_, rank, own,
                  "rank " + std::to_string(rank) + "'s " + ordinal(number_) + " collective is " + text(rank) +
                      " where rank 0's is " + text(0) + ": " + kSubCommunicators);
  }

  /// What `rank` tells of its part against what `other` tells of the same bytes.
  void agree(std::size_t rank, double bytes, std::string_view what, std::size_t other, double others,
             std::string_view theirs) const {
    if (bytes == others) return;
    refuse_action(trace_, rank, *at_[rank],
                  "in its " + ordinal(number_) + " collective it " + std::string(what) + " " + number_text(bytes) +
                      " bytes where rank " + std::to_string(other) + " " + std::string(theirs) + " " +
                      number_text(others) + " (" + place(other) + "); " + kSubCommunicators);
  }
  [[nodiscard]] double count(std::size_t rank, std::size_t i) const {
    const auto counts = counts_of(*at_[rank], trace_.ranks(), trace_.all_counts());
    if (i >= counts.size()) refuse_action(trace_, rank, *at_[rank], "its sizes are not all there.");
    return counts[i];
  }

  void check_sizes() const {
    switch (at_[0]->call) {
      case MpiCall::barrier:
        return;
      case MpiCall::gather:
      case MpiCall::gatherv:
      case MpiCall::scatter:
      case MpiCall::scatterv:
        return check_leaves();
      case MpiCall::allgather:
      case MpiCall::alltoall:
        for (std::size_t i = 0; i < at_.size(); ++i) {
          agree(i, at_[i]->amount, "sends", 0, at_[0]->second, "receives from each");
          agree(i, at_[i]->second, "receives from each", 0, at_[0]->amount, "sends");
        }
        return;
      case MpiCall::allgatherv:
        return for_pairs([this](std::size_t i, std::size_t j) {
          agree(i, at_[i]->amount, "sends", j, count(j, i), "receives from it");
        });
      case MpiCall::alltoallv:
        return for_pairs([this](std::size_t i, std::size_t j) {
          agree(i, count(i, j), "sends", j, count(j, at_.size() + i), "receives from it");
        });
      case MpiCall::reducescatter:
        return for_pairs([this](std::size_t i, std::size_t j) {
          agree(j, count(j, i), "takes part with", 0, count(0, i), "does with");
        });
      default:
        for (std::size_t i = 1; i < at_.size(); ++i)
          agree(i, at_[i]->amount, "takes part with", 0, at_[0]->amount, "does with");
    }
  }
  /// All but the root, whose own part may be in place already and not told.
  void check_leaves() const {
    const auto root = static_cast<std::size_t>(at_[0]->peer);
    if (root >= at_.size()) refuse_action(trace_, 0, *at_[0], "there is no such root.");
    const MpiCall call = at_[0]->call;
    const bool send = call == MpiCall::gather || call == MpiCall::gatherv, has_each = counts_per_rank(call) > 0;
    const std::string theirs = has_each ? send ? "receives from it" : "sends to it" : send ? "receives" : "sends";
    for (std::size_t i = 0; i < at_.size(); ++i) {
      if (i == root) continue;
      const double own = call == MpiCall::scatter ? at_[i]->second : at_[i]->amount;
      const double at_root = has_each ? count(root, i) : send ? at_[root]->second : at_[root]->amount;
      agree(i, own, send ? "sends" : "receives", root, at_root, theirs);
    }
  }
  template <class Check>
  void for_pairs(const Check& check) const {
    for (std::size_t i = 0; i < at_.size(); ++i)
      for (std::size_t j = 0; j < at_.size(); ++j) check(i, j);
  }

  const MpiTrace& trace_;
  std::vector<const MpiAction*> at_;  ///< each rank's collective
  std::uint64_t number_ = 0;          ///< which one that is, counted from 1
};

// ---- what is told of them ----------------------------------------------------------------------------------------

void add_warnings(MpiTraceFacts& facts) {
  const auto warn = [&facts](std::uint64_t count, const std::string& what, const std::string& sentence) {
    if (count > 0) facts.warnings.push_back(what + " (" + std::to_string(count) + "): " + sentence);
  };
  warn(facts.any_source_receives, "receives from any source",
       "which message comes first here need not have come first when the program was recorded, and what follows is as "
       "it was then");
  warn(facts.count(MpiCall::test), "tests", "they find what they find here, and what follows is as it was recorded");
  warn(facts.count(MpiCall::waitany), "waits for any of several",
       "they end with the first that is over here, and what follows is as it was recorded");
  warn(facts.count(MpiCall::sendrecv), "sendrecvs", "SMPI does not write their tags, for which 0 stands");
  warn(facts.narrow_waitalls, "waits for fewer requests than are outstanding",
       "the trace does not say for which, so they wait for all, as in SMPI's replay");
  warn(facts.unwaited, "requests that nothing waits for", "the end of the program waits for them, as in SMPI's replay");
}

}  // namespace

void MpiRankCheck::refuse(const MpiAction& action, const std::string& sentence) const {
  refuse_action(*file_, static_cast<std::size_t>(self_), action, sentence);
}

void MpiRankCheck::take(const MpiAction& action) {
  const bool is_first = actions_ == 0, is_init = action.call == MpiCall::init;
  if (is_first && !is_init)
    refuse(action, "this is the rank's first action, where 'init' should be: its beginning is cut off.");
  if (!is_first && is_init) refuse(action, "a rank has one 'init', and this is its second.");
  if (!is_first && last_.call == MpiCall::finalize)
    refuse(action, "this comes behind the rank's 'finalize', which ends its program.");
  last_ = action;
  ++actions_;
  ++facts_->calls[static_cast<std::size_t>(action.call)];
  switch (action.call) {
    case MpiCall::compute:
    case MpiCall::reducescatter: flop_ += action.amount; break;
    case MpiCall::reduce:
    case MpiCall::allreduce:
    case MpiCall::scan:
    case MpiCall::exscan: flop_ += action.second; break;
    case MpiCall::send:
    case MpiCall::ssend: count(MpiSide::send, action.peer, action); break;
    case MpiCall::isend:
    case MpiCall::issend: make_request(count(MpiSide::send, action.peer, action)); break;
    case MpiCall::recv: count(MpiSide::receive, action.peer, action); break;
    case MpiCall::irecv: make_request(count(MpiSide::receive, action.peer, action)); break;
    case MpiCall::sendrecv:
      count(MpiSide::send, action.peer, action);
      count(MpiSide::receive, action.other, action);
      break;
    case MpiCall::test: test(action); break;
    case MpiCall::wait: wait(action); break;
    case MpiCall::waitall:
      if (action.amount > 0 && surely_outstanding() > action.amount) ++facts_->narrow_waitalls;
      ++epoch_;
      outstanding_ = perhaps_done_ = 0;
      break;
    case MpiCall::waitany: wait_for_any(action); break;
    default: break;
  }
}

void MpiRankCheck::end() const {
  if (last_.call != MpiCall::finalize)
    refuse(last_, "this is the rank's last action, where 'finalize' should be: its end is cut off.");
  facts_->actions += actions_;
  facts_->rank_flop.push_back(flop_);
  facts_->flop += flop_;
  facts_->unwaited += outstanding_ - std::min(outstanding_, perhaps_done_);
}

void MpiRankCheck::hand_over(std::vector<MpiChannel>& channels) const {
  for (const auto& [key, own] : channels_) channels.push_back(own.all);
}

/// A message to or from a peer: its channel.
MpiRankCheck::OwnChannel& MpiRankCheck::count(MpiSide side, std::int32_t peer, const MpiAction& action) {
  const auto [found, is_new] = channels_.try_emplace(key_of(side, peer, action.tag));
  MpiChannel& all = found->second.all;
  if (side == MpiSide::send) {
    if (is_new) all = {.to = peer, .from = self_, .tag = action.tag};
    ++all.sent;
    ++facts_->messages;
    facts_->message_bytes += action.amount;
  } else {
    if (is_new) all = {.to = self_, .from = peer, .tag = action.tag};
    ++all.received;
    if (peer == kAnySource) ++facts_->any_source_receives;
  }
  return found->second;
}

void MpiRankCheck::make_request(OwnChannel& channel) {
  bring_up_to_date(channel);
  ++channel.unwaited;
  ++channel.outstanding;
  ++outstanding_;
}
void MpiRankCheck::bring_up_to_date(OwnChannel& channel) const {
  if (channel.epoch == epoch_) return;
  channel.outstanding = channel.tested = 0;
  channel.epoch = epoch_;
}

/// That of a request that a wait or test is for. A message to oneself has two of the same name.
MpiRankCheck::OwnChannel& MpiRankCheck::asked_for(const MpiAction& action) {
  const auto find = [this, &action](MpiSide side, std::int32_t peer) {
    const auto found = channels_.find(key_of(side, peer, action.tag));
    return found != channels_.end() && found->second.unwaited > 0 ? &found->second : nullptr;
  };
  OwnChannel* channel = action.peer == self_ ? find(MpiSide::send, action.other) : nullptr;
  if (channel == nullptr && action.other == self_) channel = find(MpiSide::receive, action.peer);
  if (channel == nullptr)
    refuse(action, "no request is left that it could be for: before it no 'isend' or 'irecv' was made from " +
                       name_of(action.peer) + " to " + name_of(action.other) + " with tag " +
                       (action.tag == kAnyTag ? "any" : std::to_string(action.tag)) + ", or each has had its wait.");
  bring_up_to_date(*channel);
  return *channel;
}

/// A trace does not say what came out: the request may be done with, or not.
void MpiRankCheck::test(const MpiAction& action) {
  OwnChannel& channel = asked_for(action);
  if (channel.tested == channel.outstanding) return;
  ++channel.tested;
  ++perhaps_done_;
}
void MpiRankCheck::wait(const MpiAction& action) {
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
void MpiRankCheck::wait_for_any(const MpiAction& action) {
  if (surely_outstanding() > action.amount)
    refuse(action, "it waits for one of " + std::to_string(static_cast<std::uint64_t>(action.amount)) +
                       " requests while " + std::to_string(outstanding_) +
                       " are outstanding: which of them it is for cannot be told from a "
                       "time-independent trace.");
  if (outstanding_ > 0) --outstanding_;
}
double MpiRankCheck::surely_outstanding() const {
  return static_cast<double>(outstanding_) - static_cast<double>(perhaps_done_);
}

MpiTraceFacts check_mpi_trace(const MpiTrace& trace) {
  MpiTraceFacts facts;
  std::vector<MpiChannel> channels;
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(trace.ranks()); ++rank) {
    MpiRankCheck check(static_cast<std::int32_t>(rank), trace.file(rank), facts);
    trace.find(rank, trace.actions(rank).data(), [&](const MpiAction& mapped) {
      const MpiAction action = mapped;  // what is checked is what is counted
      check_sound(trace, rank, action);
      check.take(action);
      return false;
    });
    check.end();
    check.hand_over(channels);
  }
  check_channels(std::move(channels), trace);
  CollectivesInStep(trace).check();
  add_warnings(facts);
  return facts;
}

}  // namespace nowsim
