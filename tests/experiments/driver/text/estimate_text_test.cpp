// Estimates with their units: one unit for all that stands in a sentence, and times in units that people read.
#include "experiments/driver/text/estimate_text.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace nowsim;

namespace {

Estimate exact(double value) { return {value, value, value}; }

}  // namespace

TEST_CASE("Times are told in units that people read", "[reads][estimate_text]") {
  CHECK(quantity_text(exact(7200), " s") == "2 h");
  CHECK(quantity_text(exact(7199.4), " s") == "119.99 min");
  CHECK(quantity_text(exact(600), " s") == "10 min");
  CHECK(quantity_text(exact(599), " s") == "599 s");
  CHECK(quantity_text(exact(0.1), " s") == "0.1 s");
  CHECK(quantity_text(exact(0.05), " s") == "50 ms");
  CHECK(quantity_text(exact(5e-5), " s") == "50 us");
  CHECK(quantity_text(exact(-36000), " s") == "-10 h");
  CHECK(quantity_text(exact(0), " s") == "0 s");
  CHECK(quantity_text({61200, 60840, 61560}, " s") == "17.00 ± 0.10 h");
  CHECK(quantity_text({0, -0.02, 0.02}, " s") == "0 ± 20 ms");  // the interval's size, where the value has none
}

TEST_CASE("Other units are told as they are", "[estimate_text]") {
  CHECK(quantity_text(exact(7200), " %") == "7200 %");
  CHECK(quantity_text(exact(0.01), "") == "0.01");
  CHECK(quantity_text(exact(36000), told_unit(60, " s")) == "36000 s");  // as the largest of a sentence wants it
}

TEST_CASE("What has no value has no unit, and what is infinite or has no interval keeps its own", "[estimate_text]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  CHECK(quantity_text({nan, nan, nan}, " s") == "-");
  CHECK(quantity_text({1800, nan, nan}, " s") == "30 ± ? min");
  CHECK(quantity_text(exact(infinity), " s") == "inf ± ? s");
}
