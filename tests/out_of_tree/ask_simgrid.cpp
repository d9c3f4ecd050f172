// A program on the simulator's library alone: what SimGrid says of a platform file, and a message over it.
// usage: ask_simgrid PLATFORM.xml
#include <cstdio>
#include <exception>

#include "sim/engines/simgrid/engine.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/platform/read_platform.hpp"

namespace {

class OneMessage final : public nowsim::Workload {
 public:
  OneMessage() : Workload({.communicates = true}) {}
  nowsim::Process run(nowsim::Rank& self) const override {
    if (self.index() == 0) co_await self.send(1, 1e6);
    if (self.index() == 1) co_await self.receive(0);
  }
};

}  // namespace

int main(int, char** argv) {
  try {
    nowsim::Scenario scenario;
    scenario.platform = std::make_shared<const nowsim::Platform>(nowsim::load_platform(argv[1]));
    scenario.owners.assign(scenario.size(), nowsim::dedicated_owner());
    scenario.share_flop.assign(scenario.size(), 0);
    scenario.workload = std::make_shared<const OneMessage>();
    std::printf("%.9g\n", nowsim::run_batch_simgrid(scenario, {0, 1}).front().makespan_s);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
