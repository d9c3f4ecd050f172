// Zhang and Yan's machines as shipped: their figures, and messages on their one Ethernet and on a switch.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <map>

#include "sim/engines/direct/engine.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

const std::string kPlatforms = source_folder() + "/platforms/";

std::shared_ptr<const Platform> sparc(const std::string& network) {
  return std::make_shared<const Platform>(load_platform(kPlatforms + "sparc-" + network + ".xml"));
}

/// Ranks 0, 2, 4 ... send so many bytes to the next one, all at once.
Scenario pairs(std::shared_ptr<const Platform> platform, std::vector<double> bytes) {
  return scenario(std::move(platform), [bytes = std::move(bytes)](Rank& self) -> Process {
    const auto pair = static_cast<std::size_t>(self.index() / 2);
    if (pair >= bytes.size()) co_return;
    if (self.index() % 2 == 0) co_await self.send(self.index() + 1, bytes[pair]);
    else co_await self.receive(self.index() - 1);
  });
}

}  // namespace

TEST_CASE("Zhang and Yan's machines have the weights of their Table 1, and speeds by matrix multiplication",
          "[reads][platform]") {
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
  for (const char* network : {"now", "myrinet"}) {
    const auto p = sparc(network);
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

TEST_CASE("Any SimGrid program can load Zhang and Yan's platforms, and finds one Ethernet", "[platform]") {
  for (const auto& [network, links] : std::map<std::string, std::string>{
           {"now", "ethernet "}, {"myrinet", "sparc10-1_cable_UP classic-5_cable_DOWN "}}) {
    const std::string command = print_route_file() + " '" + kPlatforms + "sparc-" + network + ".xml' sparc10-1 classic-5";
    FILE* program = popen(command.c_str(), "r");
    REQUIRE(program != nullptr);
    char answer[100] = "";
    std::fgets(answer, sizeof answer, program);
    CHECK(pclose(program) == 0);
    CHECK(answer == links);
  }
}

TEST_CASE("A message alone on Zhang and Yan's Ethernet takes 2 ms and a second per 1000 KB", "[platform][network]") {
  const auto p = sparc("now");
  for (const double bytes : {0.0, 1.0, 1000.0, 123456.0, 4e6}) {
    INFO(bytes);
    const Scenario s = pairs(p, {bytes});
    CHECK(run(s)[0].makespan_s == Approx(2e-3 + bytes / 1e6).epsilon(1e-9));
    CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == Approx(2e-3 + bytes / 1e6).epsilon(1e-12));
  }
  // Between the two ends of the file, and back.
  const auto there_and_back = run(scenario(p, [](Rank& self) -> Process {
    if (self.index() != 0 && self.index() != 12) co_return;
    if (self.index() == 0) co_await self.send(12, 5e5);
    co_await self.receive(self.index() == 0 ? 12 : 0);
    if (self.index() == 12) co_await self.send(0, 2.5e5);
  }));
  CHECK(there_and_back[0].makespan_s == Approx(2 * 2e-3 + 0.75).epsilon(1e-9));
}

TEST_CASE("Messages at once share Zhang and Yan's Ethernet, so that k equal ones take k times as long",
          "[platform][network]") {
  const auto p = sparc("now");
  for (const std::size_t k : {2, 3, 6}) {
    INFO(k);
    const Scenario s = pairs(p, std::vector<double>(k, 5e4));
    const auto finish = run(s)[0][Quantity::finish_s];
    for (std::size_t i = 0; i < k; ++i)
      CHECK(finish[2 * i + 1] == Approx(2e-3 + static_cast<double>(k) * 5e4 / 1e6).epsilon(1e-9));
  }
}

TEST_CASE("Messages of different sizes share Zhang and Yan's Ethernet fairly", "[platform][network]") {
  // 100, 200, 300 kB: each a third until 0.3 s, then 100 and 200 kB are left to two until 0.5 s, then 100 kB to one.
  const auto finish = run(pairs(sparc("now"), {3e5, 1e5, 2e5}))[0][Quantity::finish_s];
  CHECK(finish[3] == Approx(2e-3 + 0.3).epsilon(1e-9));
  CHECK(finish[5] == Approx(2e-3 + 0.5).epsilon(1e-9));
  CHECK(finish[1] == Approx(2e-3 + 0.6).epsilon(1e-9));
}

TEST_CASE("On Myrinet pairs do not wait for each other, and a message takes 5 us and its size by 1.5 Gbit/s",
          "[platform][network]") {
  const auto finish = run(pairs(sparc("myrinet"), {1.5e6, 1.5e6, 3e6}))[0][Quantity::finish_s];
  CHECK(finish[1] == Approx(5e-6 + 0.008).epsilon(1e-9));
  CHECK(finish[3] == Approx(5e-6 + 0.008).epsilon(1e-9));
  CHECK(finish[5] == Approx(5e-6 + 0.016).epsilon(1e-9));
  // Full duplex: both ways at once.
  const auto both = run(scenario(sparc("myrinet"), [](Rank& self) -> Process {
    if (self.index() > 1) co_return;
    co_await self.isend(1 - self.index(), 1.5e6);
    co_await self.receive(1 - self.index());
  }));
  CHECK(both[0].makespan_s == Approx(5e-6 + 0.008).epsilon(1e-9));
}
