// Walking along a path: dates, work, and what never comes; sampled moments beside exact ones, and their errors.
#include "sim/owners/path.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/owners/owner.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// 1 for 2 s, 0.5 for 4 s, and so on.
std::unique_ptr<Path> alternating_path() {
  return drawn_path([first = false]() mutable { return (first = !first) ? Step{2, 1} : Step{4, 0.5}; });
}

PathCursor alternating(double date_s) {
  PathCursor at(alternating_path());
  at.go_to(date_s);
  return at;
}

SampledMoments sampled(const Owner& owner, std::uint64_t seed = 1) {
  return sampled_moments([&](std::uint64_t k) { return owner.path({seed, k}); }, 100, 200);
}

}  // namespace

TEST_CASE("A cursor stands in the step that begins at its date", "[computes][reads][cursor]") {
  CHECK(PathCursor(alternating_path()).end_s() == 0);
  PathCursor at = alternating(1);
  CHECK(at.value() == 1);
  CHECK(at.end_s() == 2);
  at.go_to(2);
  CHECK(at.value() == 0.5);
  CHECK(at.position_s() == 2);
  at.go_to(7);
  CHECK(at.value() == 1);
  CHECK(at.end_s() == 8);
}

TEST_CASE("Work ends where the availability has added up to it, if that is in time", "[cursor]") {
  CHECK(alternating(1).finish(2, kInfinity) == 4);
  CHECK(alternating(0).finish(5, 7.5) == 7);
  CHECK(alternating(0).finish(5, 7) == kInfinity);
  PathCursor nothing(constant_path(0));
  nothing.go_to(0);
  CHECK(nothing.finish(1, kInfinity) == kInfinity);
}

TEST_CASE("A value is found where it begins, and given up where it never comes", "[cursor]") {
  const auto is_half = [](double value) { return value == 0.5; };
  PathCursor at = alternating(1);
  CHECK(at.next_where(is_half) == 2);
  CHECK(at.next_where(is_half) == 2);
  CHECK(at.next_where([](double value) { return value == 1; }) == 6);
  CHECK(PathCursor(constant_path(1)).next_where(is_half) == kInfinity);
  CHECK(PathCursor(drawn_path([] { return Step{1, 1}; })).next_where(is_half) == kInfinity);
}

TEST_CASE("A path adds up from its beginning", "[cursor]") {
  const PathIntegral all = integral_of(*alternating_path(), 7);
  CHECK(all.sum_s == 5);
  CHECK(all.steps == 3);
}

TEST_CASE("Sampled moments of an availability are the exact ones, within their errors",
          "[sampled_moments][statistical]") {
  const OwnerPtr cycle = duty_cycle_owner(10, 0.3, true);
  const OwnerPtr drawn = intervals_owner(exponential(0.2), exponential(7), "");  // above 1 now and then: a law is a law
  CHECK(sampled(*cycle).mean == Approx(cycle->mean()).epsilon(0.01));
  CHECK(sampled(*cycle).sd == Approx(cycle->sd()).epsilon(0.01));
  int means = 0, sds = 0;
  constexpr int kSeeds = 60;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const SampledMoments found = sampled(*drawn, seed);
    CHECK(found.mean_error < 0.02 * found.mean);
    means += std::abs(found.mean - 0.2) < 2 * found.mean_error ? 1 : 0;
    sds += std::abs(found.sd - 0.2) < 2 * found.sd_error ? 1 : 0;
  }
  // 95 % of 60 are 57, give or take four times 1.7.
  CHECK(means >= 50);
  CHECK(sds >= 50);
  CHECK(means + sds < 2 * kSeeds);
}

TEST_CASE("Paths that last for ever at a value count alike", "[sampled_moments]") {
  const auto path = [](std::uint64_t k) -> std::unique_ptr<Path> {
    if (k % 2 == 0) return constant_path(0.25);
    return drawn_path([] { return Step{1000, 0.75}; });
  };
  const SampledMoments found = sampled_moments(path, 100, 20);
  CHECK(found.mean == Approx(0.5));
  CHECK(found.sd == Approx(0.25));
  CHECK(found.mean_error == Approx(0.25 / std::sqrt(99.0)));
}
