// Ranks against one another: messages by their channels, and the k-th collective of one against the k-th of the others.
#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"
#include "workloads/mpi/mpi_trace_checks.hpp"
#include "workloads/mpi/mpi_trace_text.hpp"

namespace nowsim {
namespace {

[[noreturn]] void refuse_action(const MpiTrace& trace, std::size_t rank, const MpiAction& action,
                                const std::string& sentence) {
  refuse_mpi_action(trace.file(static_cast<int>(rank)), rank, action, sentence);
}

// ---- messages ----------------------------------------------------------------------------------------------------

/// Whether an action sends to, or receives from, that peer under that tag. The tags of sendrecvs are lost: 0.
bool is_of_channel(const MpiAction& action, MpiSide side, std::int32_t peer, std::int32_t tag) {
  switch (action.call) {
    case MpiCall::send:
    case MpiCall::isend:
    case MpiCall::ssend:
    case MpiCall::issend:
      return side == MpiSide::send && action.peer == peer && action.tag == tag;
    case MpiCall::recv:
    case MpiCall::irecv:
      return side == MpiSide::receive && action.peer == peer && action.tag == tag;
    case MpiCall::sendrecv:
      return (side == MpiSide::send ? action.peer : action.other) == peer && tag == 0;
    default:
      return false;
  }
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

  /// The rank's action of that side of the channel that comes behind so many others.
  const MpiAction& action(std::int32_t rank, MpiSide side, std::int32_t peer, std::int32_t tag,
                          std::uint64_t behind) const {
    const auto actions = trace_.actions(rank);
    return *std::ranges::find_if(
        actions, [&](const MpiAction& a) { return is_of_channel(a, side, peer, tag) && behind-- == 0; });
  }
  [[noreturn]] void refuse_receive(const MpiChannel& c, std::uint64_t served) const {
    const MpiAction& receive = action(c.to, MpiSide::receive, c.from, c.tag, served);
    refuse_action(
        trace_, static_cast<std::size_t>(c.to), receive,
        "nobody sends what this receives: " + std::to_string(c.received) + " receives " +
            (c.from == kAnySource ? "from any source" : "from rank " + std::to_string(c.from)) +
            (c.tag == kAnyTag ? " of any tag" : " of tag " + std::to_string(c.tag)) + " find " +
            std::to_string(served) + " messages left for them." + hint(receive) +
            (c.from == kAnySource ? " SMPI writes an MPI_Irecv from MPI_PROC_NULL, too, as one from any source." : ""));
  }
  [[noreturn]] void refuse_send(const MpiChannel& c) const {
    const MpiAction& send = action(c.from, MpiSide::send, c.to, c.tag, c.received);
    refuse_action(trace_, static_cast<std::size_t>(c.from), send,
                  "rank " + std::to_string(c.to) + " does not receive this: of " + std::to_string(c.sent) +
                      " messages of tag " + std::to_string(c.tag) + " from here it receives " +
                      std::to_string(c.received) + "." + hint(send));
  }
  static std::string hint(const MpiAction& action) {
    return action.call == MpiCall::sendrecv
               ? " SMPI writes no tags of MPI_Sendrecv, so that all have tag 0, and none at "
                 "all whose other partner is MPI_PROC_NULL."
               : "";
  }

  const MpiTrace& trace_;
  std::span<const MpiChannel> channels_;
  std::map<Asked, Open> open_;
};

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

class CollectivesInStep {
 public:
  explicit CollectivesInStep(const MpiTrace& trace) : trace_(trace), at_(static_cast<std::size_t>(trace.ranks())) {
    for (std::size_t rank = 0; rank < at_.size(); ++rank) at_[rank] = actions_of(rank).data();
  }
  void check() {
    while (move_on()) {
      ++number_;
      for (std::size_t rank = 1; rank < at_.size(); ++rank) check_alike(rank);
      check_sizes();
    }
  }

 private:
  [[nodiscard]] std::span<const MpiAction> actions_of(std::size_t rank) const {
    return trace_.actions(static_cast<int>(rank));
  }
  [[nodiscard]] const MpiAction* end_of(std::size_t rank) const {
    return actions_of(rank).data() + actions_of(rank).size();
  }
  [[nodiscard]] std::string place(std::size_t rank, const MpiAction& action) const {
    return trace_.file(static_cast<int>(rank)) + ":" + std::to_string(action.line);
  }
  /// Every rank to its next collective; false where rank 0 has none, and then nobody may.
  bool move_on() {
    for (std::size_t rank = 0; rank < at_.size(); ++rank)
      at_[rank] = trace_.find(rank, at_[rank] + (number_ > 0 ? 1 : 0),
                              [](const MpiAction& action) { return action.call >= MpiCall::barrier; });
    const bool is_over = at_[0] == end_of(0);
    for (std::size_t rank = 1; rank < at_.size(); ++rank) {
      if ((at_[rank] == end_of(rank)) == is_over) continue;
      const std::size_t longer = is_over ? rank : 0, shorter = is_over ? 0 : rank;
      refuse_action(trace_, longer, *at_[longer],
                    "this is rank " + std::to_string(longer) + "'s " + ordinal(number_ + 1) + " collective, and rank " +
                        std::to_string(shorter) + " has " + std::to_string(number_) + ": " + kSubCommunicators);
    }
    return !is_over;
  }

  void check_alike(std::size_t rank) const {
    const MpiAction &own = *at_[rank], &first = *at_[0];
    const bool is_rooted = has_root(own.call);
    if (own.call == first.call && (!is_rooted || own.peer == first.peer)) return;
    const auto text = [&](std::size_t of) {
      const MpiAction& action = *at_[of];
      const std::string root =
          action.call == (of == 0 ? own : first).call ? " with root " + std::to_string(action.peer) : "";
      return mpi_call_name(action.call) + root + " (" + place(of, action) + ")";
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
                      number_text(others) + " (" + place(other, *at_[other]) + "); " + kSubCommunicators);
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

}  // namespace

void check_mpi_channels(std::vector<MpiChannel> channels, const MpiTrace& trace) {
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

void check_mpi_collectives(const MpiTrace& trace) { CollectivesInStep(trace).check(); }

}  // namespace nowsim
