// A splitting policy of one's own: shares in proportion to memory.
#include "additions.hpp"
#include "sim/base/error.hpp"

nowsim::Policy by_memory() {
  return {.name = "by-memory",
          .summary = "in proportion to the machines' memory",
          .split = [](double work_flop, std::span<const nowsim::MachineView> machines, const nowsim::KeyValues&) {
            double all_bytes = 0;
            for (const auto& machine : machines) all_bytes += machine.memory_bytes;
            if (!(all_bytes > 0)) throw nowsim::InputError("by-memory needs machines whose memory is known");
            std::vector<double> shares;
            for (const auto& machine : machines) shares.push_back(work_flop * machine.memory_bytes / all_bytes);
            return shares;
          }};
}
