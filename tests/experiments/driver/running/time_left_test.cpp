// What is left of a run, from what its parts were expected to take and have taken.
#include "experiments/driver/running/series_progress.hpp"

#include <catch2/catch.hpp>

using nowsim::TimeLeft;

TEST_CASE("Before anything is measured the time left is what was estimated", "[reads][time_left]") {
  TimeLeft left;
  CHECK(left.left_s() == 0);
  left.expect(0, 100, 0.5);
  left.expect(2, 10, 3);
  CHECK(left.left_s() == Approx(80));
}

TEST_CASE("A series that was measured goes on as it was, and the others are off by as much", "[time_left]") {
  TimeLeft left;
  left.expect(0, 100, 0.5);
  left.expect(1, 10, 3);
  left.simulated(0, 10, 20);  // 2 s each, four times what was expected
  CHECK(left.measured_s() == 20);
  CHECK(left.left_s() == Approx(90 * 2 + 10 * 12));
  left.simulated(1, 5, 5);  // 1 s each
  CHECK(left.left_s() == Approx(90 * 2 + 5 * 1));
}

TEST_CASE("What is spared takes no time", "[time_left]") {
  TimeLeft left;
  left.expect(0, 100, 1);
  left.expect(1, 100, 1);
  left.simulated(1, 20, 20);
  left.spared(0, 50);
  CHECK(left.left_s() == Approx(50 + 80));
  left.spared(1, std::numeric_limits<double>::infinity());  // it is over
  CHECK(left.left_s() == Approx(50));
}
