// Routes of many workstations, asked for in any order, are those of the pair that was asked for.
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "sim/engines/direct/route_table.hpp"
#include "sim/platform/generate_platform.hpp"

using namespace nowsim;

namespace {

constexpr std::size_t kMany = 70;  // more than are asked for all at once

std::shared_ptr<const Platform> switched(std::size_t n) {
  GeneratedPlatform d;
  for (std::size_t i = 0; i < n; ++i) d.names.push_back("ws" + std::to_string(i));
  d.speed_flops.assign(n, 1);
  d.network = NetworkKind::network_switch;
  d.bandwidth_Bps = 100;
  d.latency_s = 0.25;
  return std::make_shared<const Platform>(generate_platform(d));
}

std::vector<std::string> links_between(RouteTable& routes, std::size_t from, std::size_t to) {
  std::vector<std::string> names;
  for (const auto& [link, times] : routes.find(from, to).crossings) names.push_back(routes.links()[link].name);
  return names;
}

void check_route(RouteTable& routes, std::size_t from, std::size_t to) {
  const std::string a = "ws" + std::to_string(from), b = "ws" + std::to_string(to);
  INFO(a << " to " << b);
  CHECK(links_between(routes, from, to) == std::vector<std::string>{a + "_link_UP", b + "_link_DOWN"});
  CHECK(routes.find(from, to).latency_s == 0.25);
  CHECK(routes.find(from, to).bandwidth_Bps == 100);
}

}  // namespace

TEST_CASE("Many workstations' routes to a server, from it, and around a ring are those of each pair",
          "[computes][reads][network]") {
  RouteTable routes(switched(kMany));
  for (std::size_t i = 1; i < kMany; ++i) {
    check_route(routes, i, 0);
    check_route(routes, 0, i);
  }
  for (std::size_t i = 0; i < kMany; ++i) {
    check_route(routes, i, (i + 7) % kMany);
    check_route(routes, (i + 7) % kMany, i);
  }
}
