// Sampled moments beside exact ones, and their errors.
#include "sim/owners/path.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/infinity.hpp"
#include "sim/owners/owner.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

SampledMoments sampled(const Owner& owner, std::uint64_t seed = 1) {
  return sampled_moments([&](std::uint64_t k) { return owner.path({seed, k}); }, 100, 200);
}

}  // namespace

TEST_CASE("Sampled moments of an availability are the exact ones, within their errors",
          "[reads][sampled_moments][statistical]") {
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
