// Barriers round after round, and ranks that began again.
#include "sim/engines/ranks/engine_rank.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

using namespace nowsim;
using Arrival = JobBarrier::Arrival;

TEST_CASE("The last to arrive ends the round, and who waited goes on in the order of arrival", "[computes][reads][barrier]") {
  JobBarrier barrier;
  for (std::uint64_t round = 0; round < 3; ++round) {
    CHECK(barrier.round() == round);
    CHECK(barrier.arrive(2, 1, nullptr, 3) == Arrival::waits);
    CHECK(barrier.arrive(0, 1, nullptr, 3) == Arrival::waits);
    CHECK(barrier.arrive(1, 1, nullptr, 3) == Arrival::is_last);
    CHECK(barrier.release() == std::vector<int>{2, 0, 1});
  }
}

TEST_CASE("All at a barrier ask for the same cost, which may be another one in the next round", "[barrier][error]") {
  JobBarrier barrier;
  barrier.arrive(0, 1, nullptr, 2);
  CHECK_THROWS_AS(barrier.arrive(1, 2, nullptr, 2), std::invalid_argument);
  CHECK(barrier.arrive(1, 1, nullptr, 2) == Arrival::is_last);
  barrier.release();
  CHECK(barrier.arrive(1, 2, nullptr, 2) == Arrival::waits);
}

TEST_CASE("A rank that began again passes the rounds that are over, and waits where the others are", "[barrier]") {
  JobBarrier barrier;
  std::uint64_t first = 0, second = 0;
  for (int round = 0; round < 2; ++round) {
    barrier.arrive(0, 0, &first, 2);
    CHECK(barrier.arrive(1, 0, &second, 2) == Arrival::is_last);
    barrier.release();
  }
  barrier.arrive(0, 0, &first, 2);
  barrier.leave(0);
  first = 0;
  CHECK(barrier.arrive(0, 7, &first, 2) == Arrival::passes);  // whatever it costs: it is over
  CHECK(barrier.arrive(0, 0, &first, 2) == Arrival::passes);
  CHECK(barrier.arrive(0, 0, &first, 2) == Arrival::waits);
  CHECK(barrier.arrive(1, 0, &second, 2) == Arrival::is_last);
}
