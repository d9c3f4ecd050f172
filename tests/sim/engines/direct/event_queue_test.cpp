// The queue of events gives the least first, however it was filled.
#include <catch2/catch.hpp>
#include <functional>
#include <queue>
#include <vector>

#include "sim/engines/direct/event_queue.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

TEST_CASE("Events come in their order, put in while others are taken out", "[computes][reads][events]") {
  Stream random = Stream::Family(1, 0).stream(0, Purpose::workload);
  EventQueue<int> queue;
  std::priority_queue<int, std::vector<int>, std::greater<>> expected;
  for (int step = 0; step < 20'000; ++step) {
    if (random.uniform() < 0.5) {
      const int event = static_cast<int>(random.uniform() * 100);
      queue.push(event);
      expected.push(event);
    } else if (!expected.empty()) {
      REQUIRE(queue.top() == expected.top());
      queue.pop();
      expected.pop();
    }
    REQUIRE(queue.empty() == expected.empty());
  }
}
