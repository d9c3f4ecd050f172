// Which unit times are told in: of ranges by themselves, and of ranges that are read beside each other.
#include "experiments/driver/text/duration_text.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>

using namespace nowsim;

namespace {

TimeRange range(std::initializer_list<double> times_s) {
  TimeRange out;
  for (const double t_s : times_s) out.add(t_s);
  return out;
}

std::string unit(std::initializer_list<double> times_s) { return unit_of_times(range(times_s)).name; }

}  // namespace

TEST_CASE("Times are told in minutes or more where each is of ten minutes at least", "[reads][told_times]") {
  CHECK(unit({}) == "s");
  CHECK(unit({599, 40000}) == "s");
  CHECK(unit({600, 40000}) == "min");
  CHECK(unit({600, 50000}) == "h");
  CHECK(unit({1e4, 2e6}) == "d");
  CHECK(unit({0, -700, 900}) == "min");  // differences have a size too, and 0 has none
  CHECK(unit({700, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) == "min");
  CHECK(unit_of_times(range({700})).seconds == 60);
}

TEST_CASE("Of ranges side by side the longest decides, and very short ones stay in seconds", "[told_times]") {
  const auto units = units_of_times({range({100, 200}), range({6000, 7000}), range({5, 900}), range({})});
  REQUIRE(units.size() == 4);
  CHECK(std::string(units[0].name) == "min");
  CHECK(std::string(units[1].name) == "min");
  CHECK(std::string(units[2].name) == "s");  // 5 s are less than a tenth of a minute
  CHECK(std::string(units[3].name) == "min");
  // The longest is told in seconds: so are all.
  for (const auto& u : units_of_times({range({700, 800}), range({100, 5000})})) CHECK(std::string(u.name) == "s");
  CHECK(units_of_times({}).empty());
}
