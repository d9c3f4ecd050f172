// What a message costs the processors of the machines at its ends: packing and unpacking, which an owner slows down as
// he does all computing there, while what the network does goes on whatever owners do.
#pragma once

#include <string>
#include <vector>

#include "sim/base/keys.hpp"
#include "sim/base/parameters.hpp"
#include "sim/program/operation_notes.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

/// Computed by the sender before it sends and by the receiver after it has received, so that a slow machine takes longer
/// for it. It is work done like any other (Quantity::work_flop), but none of the job's |A|. 0, the default: messages
/// cost processors nothing.
struct MessageWork {
  double per_message_flop = 0;
  double per_byte_flop = 0;
  [[nodiscard]] double of(double bytes) const { return per_message_flop + bytes * per_byte_flop; }
};
/// Does it: computes so much, which who watches is told to be work for a message.
inline auto compute_for_message(Rank& self, double flop) {
  note_next(self, {Meant::message_work});
  return self.compute(flop);
}
/// What it is read from.
inline Key work_per_message_key() {
  return {"work_per_message", KeyType::work, "0f", "of a message, for sender and receiver each"};
}
inline Key work_per_byte_key() {
  return {"work_per_byte", KeyType::work, "0f", "of a byte of it, for sender and receiver each"};
}
inline MessageWork read_message_work(ParameterReader& read) {
  const double per_message_flop = read.work("work_per_message", 0);
  return {per_message_flop, read.work("work_per_byte", 0)};
}
/// For WorkloadInfo::later.
inline std::vector<std::string> message_work_keys() { return {"work_per_message", "work_per_byte"}; }

}  // namespace nowsim
