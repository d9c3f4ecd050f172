// The `platform:` block: generated workstations, files and parts of them.
#include "experiments/platform_config.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/experiments/reading_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kLab = std::string(NOWSIM_SOURCE_DIR) + "/platforms/lab-now.xml";

/// The block's platform; problems must be none.
std::shared_ptr<const Platform> platform(const std::string& block, PlatformCache& cache) {
  ReadingOf r("platform: {" + block + "}\n");
  auto out = read_platform(r.reading, cache);
  INFO(r.found());
  CHECK(r.found().empty());
  REQUIRE(out);
  return out;
}
std::shared_ptr<const Platform> platform(const std::string& block) {
  PlatformCache cache;
  return platform(block, cache);
}

std::string complaint(const std::string& block) {
  ReadingOf r("\nplatform: {" + block + "}\n");
  PlatformCache cache;
  read_platform(r.reading, cache);
  return r.found();
}

std::vector<std::string> names_of(const Platform& platform) {
  std::vector<std::string> names;
  for (const auto& w : platform.workstations) names.push_back(w.name);
  return names;
}

}  // namespace

TEST_CASE("Workstations are generated with what is given, and defaults", "[platform]") {
  const auto one = platform("");
  CHECK(names_of(*one) == std::vector<std::string>{"ws1"});
  CHECK(one->workstations[0].speed_flops == 1);
  CHECK(one->workstations[0].cores == 1);
  const auto three = platform("workstations: 3, speed: 2Mf, cores: 4");
  CHECK(names_of(*three) == std::vector<std::string>{"ws1", "ws2", "ws3"});
  CHECK(three->workstations[2].speed_flops == 2e6);
  CHECK(three->workstations[2].cores == 4);
  CHECK(platform("speeds: [1f, 2f]")->workstations[1].speed_flops == 2);
  const auto rising = platform("workstations: 3, speed: 2f, speed_ratio: 4");
  CHECK(rising->workstations[0].speed_flops == 2);
  CHECK(rising->workstations[1].speed_flops == 5);
  CHECK(rising->workstations[2].speed_flops == 8);
  CHECK(platform("workstations: 1, speed_ratio: 1")->workstations[0].speed_flops == 1);
  CHECK(names_of(*platform("names: [a, b]")) == std::vector<std::string>{"a", "b"});
  CHECK(platform("names: [a, b], speeds: [3, 4], workstations: 2")->workstations[1].speed_flops == 4);
}

TEST_CASE("A network has a bandwidth and perhaps a latency", "[platform]") {
  CHECK(platform("workstations: 2")->links.empty());
  for (const char* kind : {"bus", "switch", "links"})
    CHECK_FALSE(
        platform(std::string("workstations: 2, network: ") + kind + ", bandwidth: 1MBps, latency: 1ms")->links.empty());
  CHECK_FALSE(platform("workstations: 2, network: switch, bandwidth: 1MBps")->links.empty());
}

TEST_CASE("Points with the same platform share it", "[platform]") {
  PlatformCache cache;
  const auto four = platform("workstations: 4", cache);
  CHECK(platform("workstations: 4", cache) == four);
  CHECK(platform("workstations: 5", cache) != four);
  CHECK(platform("workstations: 4, speed: 2f", cache) != four);
  CHECK(platform("workstations: 4, cores: 2", cache) != four);
  CHECK(platform("workstations: 4, network: bus, bandwidth: 1, latency: 1", cache) !=
        platform("workstations: 4, network: bus, bandwidth: 1, latency: 2", cache));
  CHECK(platform("file: " + kLab, cache) == platform("file: " + kLab, cache));
  CHECK(platform("file: " + kLab + ", workstations: 2", cache) ==
        platform("file: " + kLab + ", workstations: 2", cache));
}

TEST_CASE("Of a file all machines take part, the first few, or those named, in that order", "[platform]") {
  const auto all = names_of(*platform("file: " + kLab));
  REQUIRE(all.size() == 10);
  CHECK(names_of(*platform("file: " + kLab + ", workstations: 3")) ==
        std::vector<std::string>(all.begin(), all.begin() + 3));
  CHECK(names_of(*platform("file: " + kLab + ", hosts: [" + all[7] + ", " + all[2] + "]")) ==
        std::vector<std::string>{all[7], all[2]});
  CHECK(names_of(*platform("file: " + kLab + ", hosts: [" + all[7] + ", " + all[2] + "], workstations: 1")) ==
        std::vector<std::string>{all[7]});
}

TEST_CASE("Every wrong platform is one sentence with its line and key", "[platform][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"workstations: 0", "platform.workstations: 0 is out of range: it must be at least 1"},
      {"workstations: -2", "platform.workstations: '-2' is not a count"},
      {"workstations: 2.5", "platform.workstations: '2.5' is not a count"},
      {"workstations: = 5 / 2", "platform.workstations: 2.5 is not a whole number"},
      {"speed: 0", "platform.speed: 0 is out of range: it must be more than 0"},
      {"speed: -1f", "platform.speed: -1 is out of range: it must be more than 0"},
      {"speed: 25MB", "platform.speed: '25MB' is not a speed"},
      {"speeds: [1, 0]", "platform.speeds: 0 is out of range"},
      {"speeds: [1, fast]", "platform.speeds: 'fast' is not a speed"},
      {"speeds: [1, 2], speed: 3", "platform.speed: give either speed (the same for all) or speeds (a list)"},
      {"speeds: [1, 2], workstations: 3", "platform.speeds: there are 2 speeds for 3 workstations"},
      {"names: [a, b], workstations: 3", "platform.names: there are 2 names for 3 workstations"},
      {"names: [a, a]", "platform.names: the workstation 'a' is named twice"},
      {"names: [a, 'b c']", "platform.names: 'b c' cannot be a workstation's name"},
      {"cores: 0", "platform.cores: 0 is out of range"},
      {"network: ring", "platform.network: 'ring' is not one of: none, bus, switch, links"},
      {"network: bus", "platform.bandwidth: this key is missing"},
      {"network: bus, bandwidth: 0", "platform.bandwidth: 0 is out of range: it must be more than 0"},
      {"network: bus, bandwidth: 1, latency: -1s", "platform.latency: -1 is out of range"},
      {"file: nowhere.xml", "platform.file: nowhere.xml: there is no such file"},
      {"file: /", "platform.file: /: this is a directory"},
      {"file: ''", "platform.file: a path is wanted here"},
      {"file: [a.xml, b.xml]", "platform.file: one value is wanted here, not a list"},
      {"file: " + kLab + ", workstations: 11", "platform.workstations: 11 workstations are more than the 10 there are"},
      {"file: " + kLab + ", hosts: [desk1, desk33]", "platform.hosts: there is no workstation 'desk33' in " + kLab},
      {"file: " + kLab + ", hosts: [desk33], workstations: 4", "did you mean 'desk3'?"},
      {"file: " + kLab + ", hosts: [desk1, desk1]", "platform.hosts: the workstation 'desk1' is named twice"},
  };
  for (const auto& [block, sentence] : table) {
    INFO(block);
    const std::string found = complaint(block);
    CHECK_THAT(found, Catch::StartsWith("e.yaml:2: ") && Contains(sentence));
    CHECK(std::count(found.begin(), found.end(), '\n') == 1);
  }
}

TEST_CASE("A malformed platform file is named with its own line", "[platform][error]") {
  const Folder folder;
  const std::string file = folder.file("p.xml", "<?xml version='1.0'?>\n<platform version=\"4.1\">\n<zone\n");
  CHECK_THAT(complaint("file: " + file), Catch::StartsWith(file + ":"));
}

TEST_CASE("A ratio of speeds needs two workstations, and no list of speeds", "[platform][error]") {
  CHECK_THAT(complaint("speed_ratio: 2"), Contains("platform.speed_ratio: one workstation has no other to be faster"));
  CHECK_THAT(complaint("speeds: [1f, 2f], speed_ratio: 2"), Contains("platform.speed_ratio: it goes with speed"));
  CHECK_THAT(complaint("workstations: 2, speed_ratio: 0"), Contains("platform.speed_ratio: 0 is out of range"));
  CHECK_THAT(complaint("workstations: 2, speed_ratio: 2f"), Contains("platform.speed_ratio: '2f'"));
}
