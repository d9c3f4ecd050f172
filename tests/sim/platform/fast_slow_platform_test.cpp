// Bosque et al.'s cluster as shipped: its machines, messages and broadcasts.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/engines/direct/engine.hpp"
#include "sim/platform/routes.hpp"
#include "sim/program/collectives.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

constexpr std::size_t kOfEachKind = 512;

const Platform& cluster() {
  static const Platform platform = load_platform(source_folder() + "/platforms/fast-slow-myrinet.xml");
  return platform;
}

/// lambda + m/beta [s].
double message_s(double bytes) { return 5e-6 + bytes / 187.5e6; }

/// So many of its machines, half of them fast (the first ones), half slow.
std::shared_ptr<const Platform> part(std::size_t count) {
  std::vector<std::size_t> machines(count);
  for (std::size_t i = 0; i < count; ++i) machines[i] = i < count / 2 ? i : kOfEachKind + i;
  return std::make_shared<const Platform>(cluster().with(machines));
}

/// Each pair of ranks 2k and 2k + 1 exchanges a message to and fro, all at the same time.
Process talk_in_pairs(Rank& self, double bytes) {
  const int other = self.index() ^ 1;
  if (self.index() < other) {
    co_await self.send(other, bytes);
    co_await self.receive(other);
  } else {
    co_await self.receive(other);
    co_await self.send(other, bytes);
  }
}

/// A broadcast from one root after another, each of which has to take so long.
Process broadcast_from_all(Rank& self, double bytes, double each_s) {
  for (int root = 0; root < self.count(); ++root) {
    const double begin_s = self.now();
    co_await broadcast(self, root, bytes, {});
    co_await self.barrier();
    const double took_s = self.now() - begin_s;
    if (std::abs(took_s - each_s) > 1e-9 * each_s)
      throw std::runtime_error("from " + std::to_string(root) + ": " + std::to_string(took_s * 1e6) + " us");
  }
}

}  // namespace

TEST_CASE("The fast and slow cluster has 512 machines of each kind, at the printed speeds",
          "[reads][platform][bosque]") {
  const Platform& p = cluster();
  REQUIRE(p.workstations.size() == 2 * kOfEachKind);
  for (std::size_t i = 0; i < kOfEachKind; ++i) {
    CHECK(p.workstations[i].name == "fast-" + std::to_string(i));
    CHECK(p.workstations[i].speed_flops == 527000000);
    CHECK(p.workstations[kOfEachKind + i].name == "slow-" + std::to_string(i));
    CHECK(p.workstations[kOfEachKind + i].speed_flops == 207300000);
  }
}

TEST_CASE("Any two machines of the fast and slow cluster are as far apart", "[platform][bosque][network]") {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t other = 1; other < 2 * kOfEachKind; other += 37) {
    pairs.emplace_back(0, other);
    pairs.emplace_back(other, 1023 - other);
  }
  for (const Route& route : find_routes(cluster(), pairs)) {
    CHECK(route.latency_s == Approx(5e-6).epsilon(1e-12));
    CHECK(route.bandwidth_Bps == Approx(187.5e6).epsilon(1e-12));
    CHECK(route.links.size() == 2);
  }
}

TEST_CASE("A message on the fast and slow cluster takes 5 us and its size by 1.5 Gbit/s", "[platform][bosque]") {
  for (const double bytes : {0.0, 8.0, 8e3, 1.875e8}) {
    INFO(bytes);
    const Scenario s = scenario(part(2), [=](Rank& self) -> Process {
      if (self.index() == 0) co_await self.send(1, bytes);
      else co_await self.receive(0);
    });
    CHECK(run(s)[0].makespan_s == Approx(message_s(bytes)).epsilon(1e-9));
    CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == Approx(message_s(bytes)).epsilon(1e-12));
  }
}

TEST_CASE("Messages between other pairs of the fast and slow cluster do not disturb", "[platform][bosque]") {
  const Scenario s = scenario(part(20), [](Rank& self) { return talk_in_pairs(self, 8e3); });
  for (const auto& r : {run(s)[0], run_batch_direct(s, {0, 1})[0]})
    for (const double finish_s : r[Quantity::finish_s]) CHECK(finish_s == Approx(2 * message_s(8e3)).epsilon(1e-9));
}

TEST_CASE("A broadcast on the fast and slow cluster takes ceil(log2 p) messages from any root", "[platform][bosque]") {
  constexpr double kBytes = 8e3;
  const std::vector<std::pair<std::size_t, int>> rounds{{2, 1}, {3, 2}, {8, 3}, {31, 5}, {64, 6}, {512, 9}};
  for (const auto& [count, most] : rounds) {
    INFO(count);
    const double each_s = most * message_s(kBytes);
    const Scenario s = scenario(part(count), [=](Rank& self) { return broadcast_from_all(self, kBytes, each_s); });
    const double all_s = static_cast<double>(count) * each_s;
    CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == Approx(all_s).epsilon(1e-9));
    if (count <= 64) CHECK(run_batch_simgrid(s, {0, 1})[0].makespan_s == Approx(all_s).epsilon(1e-9));
  }
}
