// The papers' clusters as shipped: the figures that their machines are made to have, and messages and broadcasts there.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>

#include "sim/engines/direct/engine.hpp"
#include "sim/metrics/paper_models.hpp"
#include "sim/platform/routes.hpp"
#include "sim/program/collectives.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using PlatformPtr = std::shared_ptr<const Platform>;

const std::string kPlatforms = source_folder() + "/platforms/";

PlatformPtr shipped(const std::string& name) {
  return std::make_shared<const Platform>(load_platform(kPlatforms + name + ".xml"));
}

constexpr std::size_t kOfEachKind = 512;

const Platform& fast_and_slow() {
  static const PlatformPtr platform = shipped("fast-slow-myrinet");
  return *platform;
}

/// So many of its machines, half of them fast (the first ones), half slow.
PlatformPtr some_fast_and_slow(std::size_t count) {
  std::vector<std::size_t> machines(count);
  for (std::size_t i = 0; i < count; ++i) machines[i] = i < count / 2 ? i : kOfEachKind + i;
  return std::make_shared<const Platform>(fast_and_slow().with(machines));
}

std::vector<double> client_speeds(const Platform& beowulf) {
  std::vector<double> speeds;
  for (std::size_t i = 1; i < beowulf.workstations.size(); ++i) speeds.push_back(beowulf.workstations[i].speed_flops);
  return speeds;
}

/// These ranks send so many bytes to another, which takes them in this order.
Scenario to_one(PlatformPtr platform, std::vector<int> senders, int receiver, double bytes) {
  return scenario(std::move(platform), [senders = std::move(senders), receiver, bytes](Rank& self) -> Process {
    if (self.index() == receiver)
      for (const int sender : senders) co_await self.receive(sender);
    else if (std::ranges::count(senders, self.index()) > 0) co_await self.send(receiver, bytes);
  });
}

/// Ranks 0, 2, 4 ... send so many bytes to the next one, all at once. When each pair is done.
std::vector<double> pairs_finish_s(PlatformPtr platform, std::vector<double> bytes) {
  const std::size_t pairs = bytes.size();
  const auto finish = run(scenario(std::move(platform), [bytes = std::move(bytes)](Rank& self) -> Process {
    const auto pair = static_cast<std::size_t>(self.index() / 2);
    if (pair >= bytes.size()) co_return;
    if (self.index() % 2 == 0) co_await self.send(self.index() + 1, bytes[pair]);
    else co_await self.receive(self.index() - 1);
  }))[0][Quantity::finish_s];
  std::vector<double> of_pairs;
  for (std::size_t k = 0; k < pairs; ++k) of_pairs.push_back(finish[2 * k + 1]);
  return of_pairs;
}

/// Each pair of ranks 2k and 2k + 1 exchanges a message to and fro, all at the same time.
Process talk_in_pairs(Rank& self, double bytes) {
  const int other = self.index() ^ 1;
  if (self.index() > other) co_await self.receive(other);
  co_await self.send(other, bytes);
  if (self.index() < other) co_await self.receive(other);
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

// ---- machines ------------------------------------------------------------------------------------------------------

TEST_CASE("The Beowulf cluster's clients have the printed diversity and bound of equal parts",
          "[reads][platform][bazterra]") {
  const auto p = shipped("beowulf-33");
  REQUIRE(p->workstations.size() == 33);
  CHECK(p->workstations[0].name == "server");
  const std::vector<double> speeds = client_speeds(*p);
  CHECK(bazterra::diversity(speeds) == Approx(0.96).margin(0.005));
  CHECK(bazterra::greatest_speedup(speeds) == Approx(16.3).margin(0.05));
  CHECK(bazterra::equal_speedup(speeds) == Approx(8.5).margin(0.05));
  CHECK(std::ranges::max(speeds) == 1933e6);
  CHECK(std::ranges::min(speeds) >= 400e6);
  for (std::size_t k = 1; k <= speeds.size(); ++k) {  // by the rule that the file states, in whole MHz
    INFO("client " << k);
    CHECK(speeds[k - 1] == std::round(513 + (1933 - 513) * std::pow((32. - static_cast<double>(k)) / 31, 2.05)) * 1e6);
  }
}

TEST_CASE("The fast and slow cluster has 512 machines of each kind, at the printed speeds", "[platform][bosque]") {
  const Platform& p = fast_and_slow();
  REQUIRE(p.workstations.size() == 2 * kOfEachKind);
  for (std::size_t i = 0; i < kOfEachKind; ++i) {
    CHECK(p.workstations[i].name == "fast-" + std::to_string(i));
    CHECK(p.workstations[i].speed_flops == 527000000);
    CHECK(p.workstations[kOfEachKind + i].name == "slow-" + std::to_string(i));
    CHECK(p.workstations[kOfEachKind + i].speed_flops == 207300000);
  }
}

TEST_CASE("Zhang and Yan's machines have the weights of their Table 1, and speeds by matrix multiplication",
          "[platform]") {
  struct Kind {
    std::string name;
    std::size_t count;
    double memory_MiB;
    std::vector<double> weights;
  };
  const std::vector<std::string> programs{"ep", "edge-detection", "matrix-multiply", "cholesky", "merge-sort"};
  const std::vector<Kind> kinds{
      {"sparc10", 3, 32, {0.91, 0.96, 0.83, 0.91, 0.82}},
      {"sparc5", 5, 16, {1, 1, 1, 1, 1}},
      {"classic", 5, 16, {0.39, 0.55, 0.48, 0.48, 0.63}},
  };
  for (const char* name : {"sparc-now", "sparc-myrinet"}) {
    const auto p = shipped(name);
    REQUIRE(p->workstations.size() == 13);
    std::size_t i = 0;
    for (const auto& kind : kinds)
      for (std::size_t k = 0; k < kind.count; ++k, ++i) {
        const Workstation& w = p->workstations[i];
        INFO(w.name);
        CHECK(w.name == kind.name + "-" + std::to_string(k + 1));
        CHECK(w.extras->properties.at("kind") == kind.name);
        CHECK(w.extras->memory_bytes == kind.memory_MiB * 1024 * 1024);
        CHECK(w.extras->properties.size() == 2 + programs.size());
        for (std::size_t n = 0; n < programs.size(); ++n)
          CHECK(std::stod(w.extras->properties.at("weight:" + programs[n])) == kind.weights[n]);
        // 2·1500³ flop in 30 min on a SPARC 10-30.
        CHECK(w.speed_flops == Approx(2 * std::pow(1500, 3) / 1800 / 0.83 * kind.weights[2]).epsilon(1e-12));
      }
  }
}

// ---- networks ------------------------------------------------------------------------------------------------------

TEST_CASE("Any SimGrid program can load Zhang and Yan's platforms, and finds one Ethernet", "[platform]") {
  for (const auto& [network, links] : std::map<std::string, std::string>{
           {"now", "ethernet "}, {"myrinet", "sparc10-1_cable_UP classic-5_cable_DOWN "}}) {
    const std::string file = "'" + kPlatforms + "sparc-" + network + ".xml'";
    FILE* program = popen((print_route_file() + " " + file + " sparc10-1 classic-5").c_str(), "r");
    REQUIRE(program != nullptr);
    char answer[100] = "";
    std::fgets(answer, sizeof answer, program);
    CHECK(pclose(program) == 0);
    CHECK(answer == links);
  }
}

TEST_CASE("Any two machines of the fast and slow cluster are as far apart", "[platform][bosque][network]") {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t other = 1; other < 2 * kOfEachKind; other += 37) {
    pairs.emplace_back(0, other);
    pairs.emplace_back(other, 1023 - other);
  }
  for (const Route& route : find_routes(fast_and_slow(), pairs)) {
    CHECK(route.latency_s == Approx(5e-6).epsilon(1e-12));
    CHECK(route.bandwidth_Bps == Approx(187.5e6).epsilon(1e-12));
    CHECK(route.links.size() == 2);
  }
}

TEST_CASE("A message alone takes the network's latency and its size by the bandwidth", "[platform][network]") {
  struct Way {
    PlatformPtr platform;
    int from, to;
    double latency_s, bandwidth_Bps;
  };
  static const PlatformPtr beowulf = shipped("beowulf-33"), sparc = shipped("sparc-now"), pair = some_fast_and_slow(2),
                           generated = machines(std::vector(17, 1333e6), NetworkKind::network_switch, 12.5e6, 5e-3);
  const auto [platform, from, to, latency_s, bandwidth_Bps] =
      GENERATE_COPY(values<Way>({{beowulf, 1, 0, 5e-3, 12.5e6},
                                 {beowulf, 32, 0, 5e-3, 12.5e6},
                                 {generated, 16, 0, 5e-3, 12.5e6},
                                 {sparc, 0, 1, 2e-3, 1e6},
                                 {sparc, 0, 12, 2e-3, 1e6},
                                 {sparc, 12, 0, 2e-3, 1e6},
                                 {pair, 0, 1, 5e-6, 187.5e6}}));
  for (const double bytes : {0.0, 1.0, 8e3, 123456.0, 1.25e7}) {
    INFO(bytes << " bytes from " << from << " to " << to << " of " << platform->source);
    const Scenario s = to_one(platform, {from}, to, bytes);
    const double message_s = latency_s + bytes / bandwidth_Bps;
    CHECK(run(s)[0].makespan_s == Approx(message_s).epsilon(1e-9));
    CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == Approx(message_s).epsilon(1e-12));
  }
}

TEST_CASE("The Beowulf cluster's server takes one message after another", "[platform][network]") {
  CHECK(run(to_one(shipped("beowulf-33"), {3, 5, 9}, 0, 125))[0].makespan_s == Approx(3 * (5e-3 + 1e-5)).epsilon(1e-9));
}

TEST_CASE("Messages at once share Zhang and Yan's Ethernet fairly", "[platform][network]") {
  const auto p = shipped("sparc-now");
  for (const std::size_t k : {2, 3, 6}) {
    INFO(k);
    for (const double finish_s : pairs_finish_s(p, std::vector<double>(k, 5e4)))
      CHECK(finish_s == Approx(2e-3 + static_cast<double>(k) * 5e4 / 1e6).epsilon(1e-9));
  }
  // 100, 200, 300 kB: each a third until 0.3 s, then 100 and 200 kB are left to two until 0.5 s, then 100 kB to one.
  const auto finish = pairs_finish_s(p, {3e5, 1e5, 2e5});
  CHECK(finish[1] == Approx(2e-3 + 0.3).epsilon(1e-9));
  CHECK(finish[2] == Approx(2e-3 + 0.5).epsilon(1e-9));
  CHECK(finish[0] == Approx(2e-3 + 0.6).epsilon(1e-9));
}

TEST_CASE("On Myrinet pairs do not wait for each other, and a message takes 5 us and its size by 1.5 Gbit/s",
          "[platform][network]") {
  const auto finish = pairs_finish_s(shipped("sparc-myrinet"), {1.5e6, 1.5e6, 3e6});
  CHECK(finish[0] == Approx(5e-6 + 0.008).epsilon(1e-9));
  CHECK(finish[1] == Approx(5e-6 + 0.008).epsilon(1e-9));
  CHECK(finish[2] == Approx(5e-6 + 0.016).epsilon(1e-9));
  // Full duplex: both ways at once.
  const auto both = run(scenario(shipped("sparc-myrinet"), [](Rank& self) -> Process {
    if (self.index() > 1) co_return;
    co_await self.isend(1 - self.index(), 1.5e6);
    co_await self.receive(1 - self.index());
  }));
  CHECK(both[0].makespan_s == Approx(5e-6 + 0.008).epsilon(1e-9));
  const Scenario s = scenario(some_fast_and_slow(20), [](Rank& self) { return talk_in_pairs(self, 8e3); });
  for (const auto& r : {run(s)[0], run_batch_direct(s, {0, 1})[0]})
    for (const double finish_s : r[Quantity::finish_s])
      CHECK(finish_s == Approx(2 * (5e-6 + 8e3 / 187.5e6)).epsilon(1e-9));
}

TEST_CASE("A broadcast on the fast and slow cluster takes ceil(log2 p) messages from any root", "[platform][bosque]") {
  constexpr double kBytes = 8e3;
  const std::vector<std::pair<std::size_t, int>> rounds{{2, 1}, {3, 2}, {8, 3}, {31, 5}, {64, 6}, {512, 9}};
  for (const auto& [count, most] : rounds) {
    INFO(count);
    const double each_s = most * (5e-6 + kBytes / 187.5e6);
    const Scenario s =
        scenario(some_fast_and_slow(count), [=](Rank& self) { return broadcast_from_all(self, kBytes, each_s); });
    const double all_s = static_cast<double>(count) * each_s;
    CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == Approx(all_s).epsilon(1e-9));
    if (count <= 64) CHECK(run_batch_simgrid(s, {0, 1})[0].makespan_s == Approx(all_s).epsilon(1e-9));
  }
}
