// Routes of generated platforms: what they say themselves is what SimGrid would compute.
#include <catch2/catch.hpp>

#include "sim/platform/read_platform.hpp"
#include "sim/platform/routes.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// Routes between all machines, and from each to itself, are those of the same platform as a file.
void check_as_simgrid(const Platform& platform) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < platform.workstations.size(); ++a)
    for (std::size_t b = 0; b < platform.workstations.size(); ++b) pairs.emplace_back(a, b);
  Platform file = platform;
  file.generated_network = NetworkKind::none;
  const auto known = find_routes(platform, pairs), asked = find_routes(file, pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    INFO(pairs[k].first << " to " << pairs[k].second);
    CHECK(known[k].links == asked[k].links);
    CHECK(known[k].latency_s == asked[k].latency_s);
    CHECK(known[k].bandwidth_Bps == asked[k].bandwidth_Bps);
    CHECK(known[k].is_own() == asked[k].is_own());
  }
}

}  // namespace

TEST_CASE("A generated platform knows the routes that SimGrid computes", "[reads][platform][routes]") {
  for (const auto kind : {NetworkKind::bus, NetworkKind::network_switch, NetworkKind::links})
    for (const std::size_t n : {1, 2, 5}) {
      INFO("kind " << static_cast<int>(kind) << ", " << n << " machines");
      const auto platform = machines(std::vector<double>(n, 1.0), kind, 1e9 / 3, 1e-3 / 7);
      check_as_simgrid(*platform);
      if (n == 5) check_as_simgrid(platform->with({4, 1}));
    }
}

TEST_CASE("A generated platform with a changed link knows its routes too", "[platform][routes]") {
  for (const auto kind : {NetworkKind::bus, NetworkKind::network_switch, NetworkKind::links})
    check_as_simgrid(changed(*machines(3, kind), {{}, {{"ws2_link", {77.0, 0.5}}}}));
}
