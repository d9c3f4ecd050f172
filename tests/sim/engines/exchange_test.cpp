// Exchanges of messages of many sizes over a star, whose flows begin while others end on the same links.
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

// SimGrid's lazy updates of rates end it at 0.1635018 s.
TEST_CASE("An exchange over a star ends on both engines when shares at every moment say", "[computes][reads][network][engines]") {
  const auto bytes = [](int rank, int round, int distance) {
    const double place = 0.6180339887498949 * ((round * 2 + distance) * 3 + rank + 1);
    return std::floor(1e6 * (1 + place - std::floor(place)));
  };
  const auto star = machines({1, 1, 1}, NetworkKind::network_switch, 125e6, 1e-5);
  const auto results = run(scenario(star, [&](Rank& self) -> Process {
    for (int round = 0; round < 5; ++round) {
      for (int d = 1; d <= 2; ++d) co_await self.isend((self.index() + d) % 3, bytes(self.index(), round, d));
      for (int d = 1; d <= 2; ++d) co_await self.receive((self.index() + 3 - d) % 3);
    }
  }));
  // By an integration of max-min shares from event to event.
  CHECK(results.front().makespan_s == Approx(0.16582954933333333).epsilon(1e-9));
}
