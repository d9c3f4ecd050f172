// How many messages go from a rank to another under a tag, and how many receives ask for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/mpi/mpi_trace_checks.hpp"

namespace nowsim {

enum class MpiSide : std::uint8_t { send, receive };

class MpiChannels {
 public:
  /// So many messages that `rank` sends to or receives from `peer`, kAnySource and kAnyTag as they are asked for.
  void add(std::size_t rank, MpiSide side, std::int32_t peer, std::int32_t tag, std::uint64_t messages);
  /// @throws InputError naming the first send that no receive is left for, or receive that no send is left for. What
  /// receives from any source or of any tag could take is left to them: no trace of a run that ended is refused.
  void check(const MpiTraceView& trace);

 private:
  struct Channel {
    std::int32_t to, from, tag;
    std::uint64_t sent, received;
  };
  class Receiver;
  void join_equal();
  std::vector<Channel> channels_;
};

}  // namespace nowsim
