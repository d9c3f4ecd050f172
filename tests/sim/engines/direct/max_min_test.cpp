// Max-min sharing: cases by hand, and what defines the allocation on random ones.
#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/engines/direct/max_min.hpp"

using namespace nowsim;

namespace {

struct TestFlow {
  double penalty_s, bound_Bps;
  std::vector<std::uint32_t> links;
};

std::vector<double> rates(MaxMin& problem, const std::vector<double>& capacities_Bps, const std::vector<TestFlow>& flows) {
  problem.clear();
  for (const double c : capacities_Bps) problem.add_link(c);
  for (const TestFlow& f : flows) {
    problem.add_flow(f.penalty_s, f.bound_Bps);
    for (const std::uint32_t link : f.links) problem.cross(link, 1);
  }
  problem.solve();
  std::vector<double> out;
  for (std::uint32_t k = 0; k < flows.size(); ++k) out.push_back(problem.rate_Bps(k));
  return out;
}

TestFlow drawn_flow(std::mt19937_64& random, std::size_t links) {
  TestFlow flow{1e-3 * static_cast<double>(1 + random() % 7), kInfinity, {}};
  for (std::size_t k = 1 + random() % 3; k > 0; --k)
    if (const auto link = static_cast<std::uint32_t>(random() % links); std::ranges::count(flow.links, link) == 0)
      flow.links.push_back(link);
  if (random() % 2) flow.bound_Bps = static_cast<double>(1 + random() % 100);
  return flow;
}

}  // namespace

TEST_CASE("Flows share a link in proportion to their weights, and what a bounded one leaves",
          "[computes][reads][network][max_min]") {
  MaxMin problem;
  CHECK(rates(problem, {90}, {{1, kInfinity, {0}}, {1, kInfinity, {0}}, {1, kInfinity, {0}}}) ==
        std::vector<double>{30, 30, 30});
  CHECK(rates(problem, {90}, {{1, kInfinity, {0}}, {2, kInfinity, {0}}}) == std::vector<double>{60, 30});
  CHECK(rates(problem, {90}, {{1, 10, {0}}, {1, kInfinity, {0}}, {1, kInfinity, {0}}}) ==
        std::vector<double>{10, 40, 40});
}

TEST_CASE("A flow over several links has what the fullest leaves it, and others have the rest", "[network][max_min]") {
  MaxMin problem;
  // The classic line: one flow over both links, one on each.
  CHECK(rates(problem, {10, 30}, {{1, kInfinity, {0, 1}}, {1, kInfinity, {0}}, {1, kInfinity, {1}}}) ==
        std::vector<double>{5, 5, 25});
  CHECK(rates(problem, {}, {{1, 7, {}}}) == std::vector<double>{7});
}

TEST_CASE("A flow that goes over a link twice uses it twice", "[network][max_min]") {
  MaxMin problem;
  problem.add_link(90);
  problem.add_flow(1, kInfinity);
  problem.cross(0, 2);
  problem.add_flow(1, kInfinity);
  problem.cross(0, 1);
  problem.solve();
  CHECK(problem.rate_Bps(0) == 30);
  CHECK(problem.rate_Bps(1) == 30);
}

TEST_CASE("A flow of little weight has all that heavy ones leave, however many they are", "[network][max_min]") {
  MaxMin problem;
  problem.add_link(0.3);
  problem.add_link(1);
  const auto add = [&](double penalty_s, std::initializer_list<std::uint32_t> links) {
    const std::uint32_t flow = problem.add_flow(penalty_s, kInfinity);
    for (const std::uint32_t link : links) problem.cross(link, 1);
    return flow;
  };
  for (int k = 0; k < 1000; ++k) add(1e-9, {0, 1});
  const std::uint32_t light = add(1, {1}), other = add(1, {1});
  problem.solve();
  CHECK(problem.rate_Bps(light) == Approx(0.35).epsilon(1e-12));
  CHECK(problem.rate_Bps(other) == Approx(0.35).epsilon(1e-12));
}

/// What defines the allocation: no link has more than it can carry, and every flow has its bound, or a link that is used
/// up and on which nobody has a higher rate per weight.
TEST_CASE("On random networks every flow is stopped by its bound or by a full link", "[network][max_min][property]") {
  std::mt19937_64 random(1);
  MaxMin problem;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> capacities_Bps;
    for (std::size_t k = 1 + random() % 10; k > 0; --k)
      capacities_Bps.push_back(random() % 2 ? 100 : static_cast<double>(1 + random() % 1000));
    std::vector<TestFlow> flows;
    for (std::size_t k = 1 + random() % 20; k > 0; --k) flows.push_back(drawn_flow(random, capacities_Bps.size()));
    const auto rate = rates(problem, capacities_Bps, flows);
    std::vector<double> load(capacities_Bps.size(), 0), highest(capacities_Bps.size(), 0);
    for (std::size_t f = 0; f < flows.size(); ++f)
      for (const std::uint32_t k : flows[f].links) {
        load[k] += rate[f];
        highest[k] = std::max(highest[k], rate[f] * flows[f].penalty_s);
      }
    for (std::size_t k = 0; k < load.size(); ++k) REQUIRE(load[k] <= capacities_Bps[k] * (1 + 1e-12));
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const bool has_bound = rate[f] == flows[f].bound_Bps;
      const bool is_stopped = std::ranges::any_of(flows[f].links, [&](std::uint32_t k) {
        return load[k] >= capacities_Bps[k] * (1 - 1e-12) && rate[f] * flows[f].penalty_s >= highest[k] * (1 - 1e-12);
      });
      INFO("round " << round << ", flow " << f);
      REQUIRE((has_bound || is_stopped));
    }
  }
}
