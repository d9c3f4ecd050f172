// Splitting policies, by hand.
#include <catch2/catch.hpp>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/splitting/policies.hpp"

using namespace nowsim;

namespace {

const std::vector<MachineView> kThree{{1e9, 0.5, 0.1, 3, 4e9}, {2e9, 0.5, 0.2, 5, 8e9}, {1e9, 1.0, 0, 0, 0}};

std::vector<double> split(const std::string& policy, double work, const KeyValues& p = {}) {
  return builtin_policies().find(policy)->split(work, kThree, p);
}
KeyValues slope(double flop) { return {{{"slope", flop}}}; }
KeyValues weight(const std::string& text) {
  return {{}, {{"weight", {text, std::make_shared<const Formula>(text)}}}};
}

}  // namespace

TEST_CASE("Equal shares", "[computes][splitting]") { CHECK(split("equal", 90) == std::vector<double>{30, 30, 30}); }

TEST_CASE("Shares in proportion to the mean available speed", "[splitting]") {
  const auto x = split("proportional", 100);  // 0.5, 1, 1 Gflop/s
  CHECK(x[0] == Approx(20));
  CHECK(x[1] == Approx(40));
  CHECK(x[2] == Approx(40));
}

TEST_CASE("Shares on a line of the given slope that sum to the work", "[splitting]") {
  const auto x = split("linear-slope", 90, slope(10));
  CHECK(x == std::vector<double>{20, 30, 40});
  CHECK(split("linear-slope", 90, slope(-30)) == std::vector<double>{60, 30, 0});
  CHECK_THROWS_AS(split("linear-slope", 90, slope(31)), InfeasibleError);
}

TEST_CASE("Shares by the user's formula see every variable", "[splitting]") {
  CHECK(split("formula", 60, weight("i")) == std::vector<double>{10, 20, 30});
  CHECK(split("formula", 10, weight("s / 0.5e9 + 0*(alpha + a + TH + sigma + N + memory + X)"))[1] == Approx(4));
  CHECK(split("formula", 10, weight("sigma"))[2] == 0);
}

TEST_CASE("Weights that are negative or all 0 are refused", "[splitting][error]") {
  CHECK_THROWS_AS(split("formula", 10, weight("i - 2")), InputError);
  CHECK_THROWS_AS(split("formula", 10, weight("0 * i")), InputError);
  CHECK_THROWS_WITH(split("formula", 10, weight("1e308")), Catch::Contains("too large"));  // each is a number, their sum is none
  CHECK_THROWS_AS(split("formula", 10, weight("nonsense")), InputError);
}

TEST_CASE("Every policy's shares sum to the work", "[splitting][property]") {
  for (const auto& policy : builtin_policies()) {
    if (policy.split == nullptr) continue;  // found by simulation: find_split_test.cpp
    KeyValues parameters = weight("1 + TH*i");
    parameters.numbers = slope(7).numbers;
    const auto x = policy.split(12345.678, kThree, parameters);
    CHECK(std::accumulate(x.begin(), x.end(), 0.0) == Approx(12345.678).epsilon(1e-12));
  }
  CHECK(builtin_policies().find("no-such") == nullptr);
}
