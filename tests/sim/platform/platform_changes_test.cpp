// Platforms with other speeds and links than their file says: what nowsim and SimGrid see then.
#include "sim/platform/read_platform.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/platform/routes.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

Platform loaded(const Folder& folder, const std::string& body) {
  const std::string head = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n";
  return load_platform(folder.file("p.xml", head + "<platform version=\"4.1\">\n" + body + "\n</platform>\n"));
}

const std::string kZone =
    "<zone id=\"z\" routing=\"Full\"><!-- x > y -->"
    "<host id=\"a\" speed=\"1f\"><prop id=\"memory\" value=\"16MiB\"/><prop id=\"c\" value=\"&lt;&amp;&quot;\"/></host>"
    "<host id=\"b\" speed=\"4f,2f\" core=\"2\" pstate=\"1\"/>"
    "<link id=\"l\" bandwidth=\"1000Bps\" latency=\"1ms\"/>"
    "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone>";

/// Rank 0 computes 12 flop and sends 1000 B to rank 1, which computes 12 flop then.
const Program kRelay = [](Rank& self) -> Process {
  if (self.index() == 1) co_await self.receive(0);
  co_await self.compute(12);
  if (self.index() == 0) co_await self.send(1, 1000);
};

}  // namespace

TEST_CASE("Changed speeds and links are those that both engines compute with", "[reads][platform]") {
  const Folder folder;
  const Platform before = loaded(folder, kZone);
  const auto makespan = [](const Platform& p) {
    return run(scenario(std::make_shared<const Platform>(p), kRelay))[0].makespan_s;
  };
  CHECK(makespan(before) == Approx(12 + 1.001 + 6).epsilon(1e-12));
  const Platform after = changed(before, {{{"a", 3.0}, {"b", 0.1}}, {{"l", {500.0, 0.25}}}});
  CHECK(after.workstations[0].speed_flops == 3);
  CHECK(after.workstations[1].speed_flops == 0.1);
  CHECK(after.workstations[1].cores == 2);
  CHECK(after.workstations[0].extras->properties == before.workstations[0].extras->properties);
  CHECK(after.workstations[0].extras->memory_bytes == before.workstations[0].extras->memory_bytes);
  CHECK(after.source == before.source);
  CHECK(after.links[0].bandwidth_Bps == 500);
  CHECK(after.links[0].latency_s == 0.25);
  CHECK(makespan(after) == Approx(4 + 2.25 + 120).epsilon(1e-12));
  // Only what is said changes.
  CHECK(makespan(changed(before, {{}, {{"l", {{}, 0.25}}}})) == Approx(12 + 1.25 + 6).epsilon(1e-12));
  CHECK(makespan(changed(before, {{{"b", 4}}, {}})) == Approx(12 + 1.001 + 3).epsilon(1e-12));
  CHECK(makespan(changed(after, {{{"a", 1}, {"b", 2}}, {{"l", {1000, 1e-3}}}})) == makespan(before));
}

TEST_CASE("What was chosen of a platform, and its profiles, stay when it is changed", "[platform]") {
  const Folder folder;
  folder.file("v.profile", "PERIODICITY 2\n0 1\n1 0\n");
  const std::string hosts = "<host id=\"a\" speed=\"1f\" speed_file=\"v.profile\"/>"
                            "<host id=\"b\" speed=\"1f\"/><host id=\"c\" speed=\"1f\"/>";
  const Platform p = loaded(folder, "<zone id=\"z\" routing=\"None\">" + hosts + "</zone>").with({2, 0});
  const Platform after = changed(p, {{{"a", 3.0}}, {}});
  REQUIRE(after.workstations.size() == 2);
  CHECK(after.workstations[0].name == "c");
  CHECK(after.workstations[0].speed_flops == 1);
  CHECK(after.workstations[1].speed_flops == 3);
  CHECK(after.workstations[1].extras->speed_profile == p.workstations[1].extras->speed_profile);
}

TEST_CASE("A cluster's machines change their speed together, and its backbone its figures", "[platform]") {
  const Folder folder;
  const Platform p = loaded(folder, "<cluster id=\"c\" prefix=\"n\" suffix=\".x\" radical=\"1-2\" speed=\"1f\" "
                                    "bw=\"1GBps\" lat=\"0\" bb_bw=\"1kBps\" bb_lat=\"1ms\"/>");
  CHECK(changeable_links(p) == std::vector<std::string>{"c_backbone"});
  const Platform after = changed(p, {{{"n1.x", 5}, {"n2.x", 5}}, {{"c_backbone", {2000, 0.5}}}});
  CHECK(after.workstations[1].speed_flops == 5);
  const Route route = find_routes(after, {{0, 1}}).front();
  CHECK(route.latency_s == Approx(0.5));
  CHECK(route.bandwidth_Bps == 2000);
  CHECK_THROWS_WITH(changed(p, {{{"n1.x", 5}, {"n2.x", 6}}, {}}),
                    Catch::Contains("host n2.x") && Catch::Contains("in common with others of its <cluster>"));
}

TEST_CASE("Clusters whose machines are called alike change their speeds each for itself", "[platform]") {
  const Folder folder;
  const Platform p = loaded(folder, R"(<zone id="z" routing="Full">
<cluster id="a" prefix="n" suffix="" radical="00-1,4" speed="1f" bw="1GBps" lat="0"/>
<cluster id="b" prefix="n" suffix="" radical="2-3,10" speed="2f" bw="1GBps" lat="0"/></zone>)");
  const auto speeds = [](const Platform& platform) {
    std::map<std::string, double> all;
    for (const auto& w : platform.workstations) all[w.name] = w.speed_flops;
    return all;
  };
  using Speeds = std::map<std::string, double>;
  const Speeds of_a{{"n0", 3}, {"n1", 3}, {"n4", 3}}, of_b{{"n2", 4}, {"n3", 4}, {"n10", 4}};
  CHECK(speeds(changed(p, {of_a, {}})) == Speeds{{"n0", 3}, {"n1", 3}, {"n4", 3}, {"n2", 2}, {"n3", 2}, {"n10", 2}});
  CHECK(speeds(changed(p, {of_b, {}})) == Speeds{{"n0", 1}, {"n1", 1}, {"n4", 1}, {"n2", 4}, {"n3", 4}, {"n10", 4}});
}

TEST_CASE("A machine that is not named does not change its speed with its cluster's", "[platform]") {
  const Folder folder;
  const Platform p = loaded(folder, "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"1-3\" speed=\"1f\" "
                                    "bw=\"1GBps\" lat=\"0\"/>");
  CHECK_THROWS_WITH(changed(p, {{{"n1", 5}, {"n2", 5}}, {}}),
                    Catch::Contains("host n3") && Catch::Contains("in common"));
  CHECK(changed(p.with({1, 0}), {{{"n1", 5}, {"n2", 5}}, {}}).workstations[0].speed_flops == 5);
}

TEST_CASE("Links and backbones that are named can be changed, cables that a cluster makes cannot", "[platform]") {
  const Platform lab = load_platform(source_folder() + "/platforms/lab-now.xml");
  const auto names = changeable_links(lab);
  CHECK(names.size() == 8);  // six cables, the uplink, the Ethernet
  CHECK(std::ranges::count(names, "ethernet") == 1);
  CHECK(std::ranges::count(names, "uplink") == 1);
  const PlatformChanges changes{{}, {{"desk1_cable", {1000, {}}}, {"ethernet", {{}, 1.0}}, {"uplink", {2e3, {}}}}};
  const Platform after = changed(lab, changes);
  const auto routes = find_routes(after, {{0, 1}, {1, 2}, {2, 6}});
  CHECK(routes[0].bandwidth_Bps == 1000);
  CHECK(routes[0].latency_s == 1);
  CHECK(routes[1].bandwidth_Bps == find_routes(lab, {{1, 2}}).front().bandwidth_Bps);
  CHECK(routes[2].bandwidth_Bps == 2000);
}

TEST_CASE("A change that names nothing of the platform leaves it as it is", "[platform]") {
  const auto two = machines(2);
  const Platform after = changed(*two, {{{"nobody", 3}}, {{"nothing", {1, 1}}}});
  CHECK(after.workstations[0].speed_flops == 1);
  const auto before = find_routes(*two, {{0, 1}}).front(), now = find_routes(after, {{0, 1}}).front();
  CHECK(now.bandwidth_Bps == before.bandwidth_Bps);
  CHECK(now.latency_s == before.latency_s);
}
