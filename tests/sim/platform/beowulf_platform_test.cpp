// Bazterra et al.'s cluster as shipped: the figures that its clients are made to have, and messages to the server.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/engines/direct/engine.hpp"
#include "sim/metrics/paper_models.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

std::shared_ptr<const Platform> beowulf() {
  return std::make_shared<const Platform>(load_platform(source_folder() + "/platforms/beowulf-33.xml"));
}

std::vector<double> client_speeds(const Platform& platform) {
  std::vector<double> speeds;
  for (std::size_t i = 1; i < platform.workstations.size(); ++i) speeds.push_back(platform.workstations[i].speed_flops);
  return speeds;
}

/// These ranks send so many bytes to the server, one after another.
Scenario to_server(std::shared_ptr<const Platform> platform, std::vector<int> clients, double bytes) {
  return scenario(std::move(platform), [clients = std::move(clients), bytes](Rank& self) -> Process {
    if (self.index() == 0)
      for (const int client : clients) co_await self.receive(client);
    else if (std::ranges::count(clients, self.index()) > 0) co_await self.send(0, bytes);
  });
}

}  // namespace

TEST_CASE("The Beowulf cluster's clients have the printed diversity and bound of equal parts",
          "[reads][platform][bazterra]") {
  const auto p = beowulf();
  REQUIRE(p->workstations.size() == 33);
  CHECK(p->workstations[0].name == "server");
  const std::vector<double> speeds = client_speeds(*p);
  CHECK(bazterra::diversity(speeds) == Approx(0.96).margin(0.005));
  CHECK(bazterra::greatest_speedup(speeds) == Approx(16.3).margin(0.05));
  CHECK(bazterra::equal_speedup(speeds) == Approx(8.5).margin(0.05));
  CHECK(std::ranges::max(speeds) == 1933e6);
  CHECK(std::ranges::min(speeds) >= 400e6);
}

TEST_CASE("The Beowulf cluster's speeds follow the rule that its file states, in whole MHz", "[platform][bazterra]") {
  const std::vector<double> speeds = client_speeds(*beowulf());
  for (std::size_t k = 1; k <= speeds.size(); ++k) {
    INFO("client " << k);
    CHECK(speeds[k - 1] == std::round(513 + (1933 - 513) * std::pow((32. - static_cast<double>(k)) / 31, 2.05)) * 1e6);
  }
}

TEST_CASE("A message on the Beowulf cluster takes 5 ms and its size by 12.5 MB per second", "[platform][network]") {
  const auto p = beowulf();
  for (const double bytes : {0.0, 1.0, 1e3, 1.25e7}) {
    INFO(bytes);
    for (const int client : {1, 32}) {
      const Scenario s = to_server(p, {client}, bytes);
      CHECK(run(s)[0].makespan_s == Approx(5e-3 + bytes / 12.5e6).epsilon(1e-9));
      CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == Approx(5e-3 + bytes / 12.5e6).epsilon(1e-12));
    }
  }
  CHECK(run(to_server(p, {3, 5, 9}, 125))[0].makespan_s == Approx(3 * (5e-3 + 1e-5)).epsilon(1e-9));
}

TEST_CASE("A generated switch of 5 ms takes 5 ms from one machine to another", "[platform][network]") {
  const auto p = machines(std::vector<double>(17, 1333e6), NetworkKind::network_switch, 12.5e6, 5e-3);
  const Scenario s = to_server(p, {16}, 125);
  CHECK(run(s)[0].makespan_s == Approx(5e-3 + 1e-5).epsilon(1e-9));
  CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == Approx(5e-3 + 1e-5).epsilon(1e-12));
}
