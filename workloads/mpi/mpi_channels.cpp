// Receives that name source and tag take theirs first: nobody else can serve them. What is left over is for the others.
#include "workloads/mpi/mpi_channels.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>

namespace nowsim {
namespace {

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

}  // namespace

/// The channels to one rank.
class MpiChannels::Receiver {
 public:
  Receiver(const MpiTraceView& trace, std::span<const Channel> channels) : trace_(trace), channels_(channels) {
    for (const Channel& c : channels_) {
      if (c.from == kAnySource || c.tag == kAnyTag) continue;
      if (c.received > c.sent) refuse_receive(c, c.sent);
      const std::uint64_t left = c.sent - c.received;
      if (left == 0) continue;
      left_from_[c.from] += left;
      left_of_tag_[c.tag] += left;
      left_ += left;
    }
  }
  void check() {
    for (const Channel& c : channels_) check_receives_of_several(c);
    for (const Channel& c : channels_) {
      const bool is_one = c.from != kAnySource && c.tag != kAnyTag;
      if (is_one && c.sent > c.received && !could_be_taken(c)) refuse_send(c);
    }
    if (asked_ < left_) refuse_first_left();
  }

 private:
  void check_receives_of_several(const Channel& c) {
    if (c.from != kAnySource && c.tag != kAnyTag) return;
    asked_ += c.received;
    const std::uint64_t left = c.from != kAnySource ? left_from_[c.from]
                               : c.tag != kAnyTag   ? left_of_tag_[c.tag]
                                                    : left_;
    if (c.received > left) refuse_receive(c, left);
    if (asked_ > left_) refuse_receive(c, c.received - (asked_ - left_));
    (c.from != kAnySource ? asks_from_[c.from] : c.tag != kAnyTag ? asks_of_tag_[c.tag] : asks_for_all_) = true;
  }
  bool could_be_taken(const Channel& c) const {
    return asks_for_all_ || asks_from_.contains(c.from) || asks_of_tag_.contains(c.tag);
  }
  void refuse_first_left() const {
    const auto is_left = [](const Channel& c) {
      return c.from != kAnySource && c.tag != kAnyTag && c.sent > c.received;
    };
    refuse_send(*std::ranges::find_if(channels_, is_left));
  }

  /// The rank's action of that side of the channel that comes behind so many others.
  const MpiAction& action(std::int32_t rank, MpiSide side, std::int32_t peer, std::int32_t tag,
                          std::uint64_t behind) const {
    const auto& actions = trace_.actions[static_cast<std::size_t>(rank)];
    return *std::ranges::find_if(
        actions, [&](const MpiAction& a) { return is_of_channel(a, side, peer, tag) && behind-- == 0; });
  }
  [[noreturn]] void refuse_receive(const Channel& c, std::uint64_t served) const {
    const MpiAction& receive = action(c.to, MpiSide::receive, c.from, c.tag, served);
    trace_.refuse(
        static_cast<std::size_t>(c.to), receive,
        "nobody sends what this receives: " + std::to_string(c.received) + " receives " +
            (c.from == kAnySource ? "from any source" : "from rank " + std::to_string(c.from)) +
            (c.tag == kAnyTag ? " of any tag" : " of tag " + std::to_string(c.tag)) + " find " +
            std::to_string(served) + " messages left for them." + hint(receive) +
            (c.from == kAnySource ? " SMPI writes an MPI_Irecv from MPI_PROC_NULL, too, as one from any source." : ""));
  }
  [[noreturn]] void refuse_send(const Channel& c) const {
    const MpiAction& send = action(c.from, MpiSide::send, c.to, c.tag, c.received);
    trace_.refuse(static_cast<std::size_t>(c.from), send,
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

  const MpiTraceView& trace_;
  std::span<const Channel> channels_;
  std::unordered_map<std::int32_t, std::uint64_t> left_from_, left_of_tag_;
  std::unordered_map<std::int32_t, bool> asks_from_, asks_of_tag_;
  bool asks_for_all_ = false;
  std::uint64_t left_ = 0, asked_ = 0;
};

void MpiChannels::add(std::size_t rank, MpiSide side, std::int32_t peer, std::int32_t tag, std::uint64_t messages) {
  const auto self = static_cast<std::int32_t>(rank);
  channels_.push_back(side == MpiSide::send ? Channel{peer, self, tag, messages, 0}
                                            : Channel{self, peer, tag, 0, messages});
}

void MpiChannels::join_equal() {
  const auto key = [](const Channel& c) { return std::tuple(c.to, c.from, c.tag); };
  std::ranges::sort(channels_, {}, key);
  std::size_t joined = 0;
  for (const Channel& c : channels_) {
    if (joined > 0 && key(channels_[joined - 1]) == key(c)) {
      channels_[joined - 1].sent += c.sent;
      channels_[joined - 1].received += c.received;
    } else {
      channels_[joined++] = c;
    }
  }
  channels_.resize(joined);
}

void MpiChannels::check(const MpiTraceView& trace) {
  join_equal();
  for (auto first = channels_.begin(); first != channels_.end();) {
    const auto last = std::find_if(first, channels_.end(), [first](const Channel& c) { return c.to != first->to; });
    Receiver(trace, {first, last}).check();
    first = last;
  }
}

}  // namespace nowsim
