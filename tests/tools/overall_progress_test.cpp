// Progress over several experiments: shares by weight, stored parts, and the time left.
#include "tools/terminal/overall_progress.hpp"

#include <catch2/catch.hpp>

using nowsim::Search;
using nowsim::OverallProgress;

TEST_CASE("The whole counts experiments by their weights", "[computes][whole_run]") {
  OverallProgress whole({{"a", 1}, {"p/b", 3}});
  whole.begin(0);
  CHECK(whole.text(10) == "experiment 1 of 2, a: 0 %; whole: 0 %");
  whole.ran(0.5, 0.5);  // an eighth of the whole, in 10 s: 70 s are left
  CHECK(whole.text(10) == "experiment 1 of 2, a: 50 %; whole: 12 %, about 1 min left");
  whole.ran(1, 1);
  whole.begin(1);
  whole.ran(0.5, 0.5);  // 5/8
  CHECK(whole.text(50) == "experiment 2 of 2, p/b: 50 %; whole: 62 %, about 30 s left");
}

TEST_CASE("What was stored took no time, and does not tell how fast the rest goes", "[whole_run]") {
  OverallProgress whole({{"a", 1}, {"b", 1}});
  whole.begin(0);
  whole.ran(1, 0);
  whole.begin(1);
  CHECK(whole.text(3) == "experiment 2 of 2, b: 0 %; whole: 50 %");
  whole.ran(0.5, 0.5);  // a quarter of the whole took 10 s, and as much is left
  CHECK(whole.text(10) == "experiment 2 of 2, b: 50 %; whole: 75 %, about 10 s left");
}

TEST_CASE("A search for splits or sizes is half of an experiment", "[whole_run]") {
  OverallProgress whole({{"a", 1, {Search::sizes}}});
  whole.begin(0);
  whole.searched(Search::sizes, 0.5, 0.5);
  CHECK(whole.text(100) == "experiment 1 of 1, a: 25 %; whole: 25 %, about 5 min left");
  whole.ran(0.5, 0.5);
  CHECK(whole.text(100) == "experiment 1 of 1, a: 75 %; whole: 75 %, about 30 s left");
}

TEST_CASE("A search that was stored took no time", "[whole_run]") {
  OverallProgress whole({{"a", 1, {Search::splits}}});
  whole.begin(0);
  whole.searched(Search::splits, 1, 0);
  CHECK(whole.text(3) == "experiment 1 of 1, a: 50 %; whole: 50 %");
  whole.ran(0.5, 0.5);  // a quarter of it took 100 s, and as much is left
  CHECK(whole.text(100) == "experiment 1 of 1, a: 75 %; whole: 75 %, about 2 min left");
  OverallProgress untold({{"a", 1, {Search::splits}}});
  untold.begin(0);
  untold.ran(0.5, 0.5);
  CHECK(untold.text(100) == "experiment 1 of 1, a: 75 %; whole: 75 %, about 2 min left");
}

TEST_CASE("Splits and sizes are a quarter each, one after the other", "[whole_run]") {
  OverallProgress whole({{"a", 1, {Search::splits, Search::sizes}}});
  whole.begin(0);
  whole.searched(Search::splits, 1, 1);
  CHECK(whole.text(100) == "experiment 1 of 1, a: 25 %; whole: 25 %, about 5 min left");
  whole.searched(Search::sizes, 0, 0);
  CHECK(whole.text(100) == "experiment 1 of 1, a: 25 %; whole: 25 %, about 5 min left");
  whole.searched(Search::sizes, 1, 1);
  CHECK(whole.text(100) == "experiment 1 of 1, a: 50 %; whole: 50 %, about 2 min left");
  whole.ran(0.5, 0.5);
  CHECK(whole.text(300) == "experiment 1 of 1, a: 75 %; whole: 75 %, about 2 min left");
}

TEST_CASE("What ends early was simulated as far as it went", "[whole_run]") {
  OverallProgress whole({{"a", 1}, {"b", 1}});
  whole.begin(0);
  whole.ran(0.1, 0.1);  // a precision was reached
  whole.begin(1);
  CHECK(whole.text(60) == "experiment 2 of 2, b: 0 %; whole: 50 %, about 1 min left");
}
