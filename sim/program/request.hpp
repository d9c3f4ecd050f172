// Messages with tags, as MPI has them: posted without waiting, matched by sender and tag, and waited for by a request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace nowsim {

/// What a rank has posted and may wait for. A number that is given again when it has been waited for.
using RequestId = std::uint32_t;
/// Of what is over as soon as it has been posted.
inline constexpr RequestId kNoRequest = std::numeric_limits<RequestId>::max();

/// Of a receive: whatever tag, but for negative ones.
inline constexpr int kAnyTag = -1;

/// When a posted message travels, and when its sender is through with it.
enum class SendMode : std::uint8_t {
  eager,       ///< it travels at once and waits at its receiver; its sender is through at once
  detached,    ///< it travels as soon as a receive is posted that takes it; its sender is through at once
  rendezvous,  ///< it travels then too, and its sender is through when it has arrived
};

/// A send or a receive as it is posted.
struct Posting {
  bool is_send;
  SendMode mode = SendMode::rendezvous;  ///< of a send
  int peer;                              ///< whom to send to, or whom to receive from (Rank::kAnyRank: any)
  int tag;                               ///< of a receive also kAnyTag
  double bytes = 0;                      ///< of a send
};

/// What a request has come to: of a receive the message that it took, of a send that message itself.
struct Exchanged {
  int peer = -1;
  int tag = 0;
  double bytes = 0;
};

/// Which of several requests was over first, by its place among them.
struct FinishedOne {
  std::size_t place = 0;
  Exchanged message;
};

}  // namespace nowsim
