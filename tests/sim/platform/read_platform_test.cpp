// Platforms: what is read from XML, with SimGrid and without it to the bit, what is generated, and what is seen where
// other speeds and links are asked for.
#include "sim/platform/read_platform.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/routes.hpp"
#include "sim/platform/simgrid_module.hpp"
#include "sim/platform/worker_process.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

std::string document(const std::string& body) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" + body + "\n</platform>\n";
}

/// A zone without a network around hosts; the hosts begin in line 5.
std::string hosts(const std::string& body) {
  return document("<zone id=\"z\" routing=\"None\">\n" + body + "\n</zone>");
}

/// A link of 1000 B/s with a profile.
bool rises(const std::string& profile, ProfileQuantity quantity = ProfileQuantity::bandwidth) {
  Platform platform;
  platform.links.push_back({"l", 1000, 0.001});
  const auto parsed = std::make_shared<const Profile>(parse_profile(profile, "p", quantity));
  platform.link_profiles.push_back({"l", quantity, parsed});
  return link_whose_bandwidth_rises(platform) == "l";
}

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

/// All pairs of few machines, of many some.
std::vector<std::pair<std::size_t, std::size_t>> some_pairs(std::size_t machines) {
  const std::size_t step = machines <= 64 ? 1 : 61;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t k = 0; k < machines * machines; k += step) pairs.emplace_back(k / machines, k % machines);
  return pairs;
}

/// What describe() says, packed again with each machine's properties by their names: they are in no order.
std::string in_order(const std::string& described) {
  PlatformDescription description;
  Deserializer(described).get_into(description);
  for (auto& machine : description.machines) {
    std::map<std::string, std::string> properties;
    for (std::size_t k = 0; k + 1 < machine.properties.size(); k += 2)
      properties[machine.properties[k]] = machine.properties[k + 1];
    machine.properties.clear();
    for (const auto& [key, value] : properties) machine.properties.insert(machine.properties.end(), {key, value});
  }
  Serializer out;
  out.put(description);
  return out.take();
}

/// With SimGrid and without, to the bit.
void check_alike(const Platform& platform) {
  const std::string file = platform.source;
  const auto& simgrid = simgrid_module();
  CHECK(in_order(native_description(platform.xml, file)) ==
        in_order(in_child_process([&] { return simgrid.describe(platform.xml, file); })));
  if (!platform.has_network()) return;
  const auto pairs = some_pairs(platform.workstations.size());
  CHECK(native_routes(platform, pairs) == in_child_process([&] { return simgrid.routes(platform, pairs); }));
}

/// The file as it is, and with other figures of all links and of some machines.
void check_alike(const std::string& file) {
  const Platform platform = load_platform(file);
  check_alike(platform);
  PlatformChanges changes;
  double factor = 1;
  for (const auto& name : changeable_links(platform)) changes.links[name] = {3e6 * ++factor, 1e-4 / factor};
  check_alike(changed(platform, changes));
  const auto has = [&](const char* text) { return platform.xml.find(text) != std::string::npos; };
  if (platform.workstations.size() > 40 || has("<cluster") || has("<cabinet")) return;  // whose machines share their speed
  for (const auto& w : platform.workstations) changes.speed_flops[w.name] = 1e6 * ++factor;
  check_alike(changed(platform, changes));
}

std::string zone(const std::string& routing, const std::string& inside) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\">\n"
         "<zone id=\"z\" routing=\"" +
         routing + "\">\n" + inside + "</zone>\n</platform>\n";
}

std::string written(const TemporaryFolder& folder, const std::string& text) {
  std::string file = (folder.path() / "p.xml").string();
  std::ofstream(file) << text;
  return file;
}

/// Nine machines on a star, of which every third has a cable of its own, and the others share a hub.
std::string hub_of_some() {
  std::string hosts, links = "<link id=\"hub\" bandwidth=\"50MBps\" latency=\"7us\"/>\n", ends;
  for (int i = 0; i < 9; ++i) {
    const std::string n = std::to_string(i), link = i % 3 == 0 ? "c" + n : "hub";
    hosts += "<host id=\"h" + n + "\" speed=\"1Gf\"/>\n";
    links += "<link id=\"c" + n + "\" bandwidth=\"" + std::to_string(10 + i) + "MBps\" latency=\"1us\"/>\n";
    ends += "<host_link id=\"h" + n + "\" up=\"" + link + "\" down=\"" + link + "\"/>\n";
  }
  return zone("Cluster", hosts + links + ends);
}

const std::string kCluster = zone(
    "Full",
    R"(<cluster id="c" prefix="c&amp;-" suffix="" radical="3,0-1" speed="1Gf,2Gf" core="2" bw="100MBps" lat="10us" )"
    R"(bb_bw="1GBps" bb_lat="1us"><prop id="memory" value="3GiB"/></cluster>)");
const std::string kFatCluster =
    zone("Full", R"(<cluster id="c" prefix="c" suffix="x" radical="0-2" speed="1Gf" bw="100MBps" lat="10us" )"
                 R"(sharing_policy="FATPIPE" bb_bw="1GBps" bb_lat="1us" bb_sharing_policy="FATPIPE"/>)");
const std::string kTwoClusters =
    zone("Full", R"(<cluster id="A" prefix="c-" suffix="" radical="00-1, 4" speed="1Gf" bw="1MBps" lat="1us"/>
<cluster id="B" prefix="c-" suffix="" radical="2-3,10" speed="2Gf" bw="1MBps" lat="1us"/>)");
/// Of the speeds the second counts, and of the plain links two are called as directions are.
const std::string kAwkwardFigures = zone("Full", R"(<host id="a" speed="1Gf"/><host id="b" speed="4f,2f" pstate="1"/>
<link id="l" bandwidth="10Bps" latency="1s" sharing_policy="SPLITDUPLEX"/>
<link id="k" bandwidth="11Bps" latency="0.5s" sharing_policy="FULLDUPLEX"/>
<link id="m" bandwidth="12Bps" latency="2s"/>
<link id="m_UP" bandwidth="13Bps" latency="3s"/><link id="l_UP_DOWN" bandwidth="14Bps" latency="4s"/>
<route src="a" dst="b" symmetrical="NO">
<link_ctn id="l" direction="UP"/><link_ctn id="m_UP"/><link_ctn id="k" direction="UP"/></route>
<route src="b" dst="a" symmetrical="NO">
<link_ctn id="l" direction="DOWN"/><link_ctn id="m"/><link_ctn id="l_UP_DOWN"/></route>)");
const std::string kFull = zone(
    "Full",
    R"(<host id="a" speed="1Gf"><prop id="memory" value="2GiB"/><prop id="who" value="&lt;x&gt; &quot;y&quot;"/></host>
<host id="b" speed="1.5Gf"/><host id="d" speed="2Gf"/>
<link id="l" bandwidth="10MBps" latency="1ms"/><link id="m" bandwidth="20MBps" latency="3ms" sharing_policy="FATPIPE"/>
<route src="a" dst="b"><link_ctn id="l"/><link_ctn id="m"/></route><route src="d" dst="d"><link_ctn id="m"/></route>)");
/// The cabinet's machines come after the others.
const std::string kCabinet =
    zone("Cluster", R"(<link id="l" bandwidth="1Gbps" latency="3us" sharing_policy="SPLITDUPLEX"/>
<cabinet id="x" prefix="x" suffix="" radical="1-3" speed="1Gf" bw="1kBps" lat="1us"/>
<host id="a" speed="3.3Gf"/><host id="b" speed="1Gf"/><host_link id="a" up="l_UP" down="l_DOWN"/>
<backbone id="bb" bandwidth="3KiBps" latency="7us"/>)");
const std::string kZonesInZones = zone("Full", R"(<zone id="s" routing="Full"><zone id="s1" routing="Cluster">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><router id="r"/><link id="la" bandwidth="1kBps" latency="0.1us"/>
<link id="lb" bandwidth="1kBps" latency="0.3us"/><host_link id="a" up="la" down="la"/><host_link id="b" up="lb" down="lb"/>
</zone><zone id="s2" routing="Floyd"><host id="c" speed="1Gf"/><host id="d" speed="1Gf"/><host id="e" speed="1Gf"/>
<link id="cd" bandwidth="1kBps" latency="0.7us"/>
<link id="de" bandwidth="1kBps" latency="0.9us" sharing_policy="SPLITDUPLEX"/>
<route src="c" dst="d"><link_ctn id="cd"/></route><route src="d" dst="e"><link_ctn id="de" direction="DOWN"/></route></zone>
<link id="up" bandwidth="5MBps" latency="11us" sharing_policy="SPLITDUPLEX"/>
<zoneRoute src="s1" dst="s2" gw_src="r" gw_dst="e"><link_ctn id="up" direction="UP"/></zoneRoute></zone>
<zone id="t" routing="Full"><zone id="t1" routing="None"><host id="alone" speed="1Gf"/></zone><zone id="t2" routing="Full">
<host id="f" speed="1Gf"/><host id="g" speed="1Gf"/><link id="fg" bandwidth="1kBps" latency="1.1us"/>
<route src="f" dst="g"><link_ctn id="fg"/></route></zone></zone><link id="x" bandwidth="5MBps" latency="13us"/>
<zoneRoute src="s" dst="t" gw_src="d" gw_dst="g"><link_ctn id="x"/></zoneRoute>)");

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

TEST_CASE("Hosts come in the file's order with their speeds, cores, memory and properties", "[reads][platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file("p.xml", hosts("<host id=\"z10\" speed=\"25Mf\" core=\"4\">"
                                                              "<prop id=\"memory\" value=\"16MiB\"/>"
                                                              "<prop id=\"color\" value=\"red\"/></host>\n"
                                                              "<host id=\"a2\" speed=\"2Gf,1Gf\"/>")));
  REQUIRE(p.workstations.size() == 2);
  CHECK(p.workstations[0].name == "z10");
  CHECK(p.workstations[0].speed_flops == 25e6);
  CHECK(p.workstations[0].cores == 4);
  CHECK(p.workstations[0].extras->memory_bytes.value() == 16.0 * 1024 * 1024);
  CHECK(p.workstations[0].extras->properties.at("color") == "red");
  CHECK(p.workstations[1].speed_flops == 2e9);  // the first power state
  CHECK_FALSE(p.workstations[1].extras->memory_bytes);
}

TEST_CASE("A cluster's hosts and links are found, in the order of their numbers", "[platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", document("<cluster id=\"c\" prefix=\"node-\" suffix=\"\" radical=\"1-11\" speed=\"1Gf\" bw=\"125MBps\" "
                        "lat=\"50us\" sharing_policy=\"SPLITDUPLEX\"/>")));
  REQUIRE(p.workstations.size() == 11);
  CHECK(p.workstations[1].name == "node-2");
  CHECK(p.workstations[10].name == "node-11");
  const Route route = find_routes(p, {{0, 10}}).front();
  CHECK(route.latency_s == Approx(100e-6));
  CHECK(route.bandwidth_Bps == Approx(125e6));
  CHECK(route.links.size() == 2);
}

TEST_CASE("What the machine has too little of is no mistake of the platform", "[platform][error]") {
  const Folder folder;
  const Platform p = load_platform(folder.file("p.xml", hosts("<host id=\"a\" speed=\"1f\"/>")));
  const auto asked = [&p](const char* last_words) {
    ask_child(p, [last_words]() -> std::string {
      std::fputs(last_words, stderr);
      std::abort();
    });
  };
  CHECK_THROWS_AS(asked("[0.0] [ker_context/CRITICAL] Failed to protect stack: Cannot allocate memory.\n"), RunError);
  CHECK_THROWS_WITH(asked("[0.0] [ker_context/CRITICAL] Failed to protect stack: Cannot allocate memory.\n"),
                    Catch::Contains("needs more memory areas") && !Catch::Contains("cannot work with this platform"));
  CHECK_THROWS_AS(asked("[0.0] [ker/CRITICAL] Link 'l' not found!\n"), InputError);
}

TEST_CASE("Profiles are taken out of the XML, shared ones too, and found beside the file", "[platform]") {
  const Folder folder;
  folder.file("v.profile", "PERIODICITY 10\n0 1\n5 0.5\n");
  const Platform p = load_platform(folder.file(
      "p.xml", hosts("<host id=\"a\" speed=\"1f\" speed_file=\"v.profile\"/>\n"
                     "<host id=\"b\" speed_file='v.profile' speed=\"1f\" state_file=\"\"/>\n"
                     "<host id=\"c\" speed=\"1f\" availability_file=\"v.profile\"/>")));
  for (const auto& w : p.workstations) {
    REQUIRE(w.extras->speed_profile != nullptr);
    CHECK(w.extras->speed_profile->events.size() == 2);
    CHECK_FALSE(w.extras->state_profile);
  }
  CHECK(p.xml.find("profile\"") == std::string::npos);
  CHECK(std::count(p.xml.begin(), p.xml.end(), '\n') == 9);
}

TEST_CASE("SimGrid's older traces and their connections are read", "[platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", hosts("<host id=\"a\" speed=\"1f\"/>\n"
                     "<trace id=\"t\" periodicity=\"10.0\">\n0.0 1.0\n5.0 0.5\n</trace>\n"
                     "<trace_connect kind=\"SPEED\" trace=\"t\" element=\"a\"/>")));
  REQUIRE(p.workstations[0].extras->speed_profile != nullptr);
  CHECK(p.workstations[0].extras->speed_profile->periodicity.value() == 10);
}

TEST_CASE("Some of a platform's workstations are chosen in the given order", "[platform]") {
  const Platform part = machines(3)->with({2, 0});
  REQUIRE(part.workstations.size() == 2);
  CHECK(part.workstations[0].name == "ws3");
  CHECK_THROWS_AS(machines(3)->with({3}), std::out_of_range);
  // The network is still there, so messages between those chosen work.
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.send(1, 1000);
    else co_await self.receive(0);
  };
  CHECK(run(scenario(std::make_shared<const Platform>(part), program))[0].makespan_s == Approx(1.001));
}

TEST_CASE("Nested zones are routed through", "[platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", document("<zone id=\"all\" routing=\"Full\">\n"
                        "<cluster id=\"x\" prefix=\"x\" suffix=\"\" radical=\"0-1\" speed=\"1f\" bw=\"1kBps\" lat=\"1ms\" router_id=\"xr\"/>\n"
                        "<cluster id=\"y\" prefix=\"y\" suffix=\"\" radical=\"0-1\" speed=\"1f\" bw=\"1kBps\" lat=\"1ms\" router_id=\"yr\"/>\n"
                        "<link id=\"wan\" bandwidth=\"100Bps\" latency=\"10ms\"/>\n"
                        "<zoneRoute src=\"x\" dst=\"y\" gw_src=\"xr\" gw_dst=\"yr\"><link_ctn id=\"wan\"/></zoneRoute>\n</zone>")));
  const auto routes = find_routes(p, {{0, 1}, {0, 2}});
  CHECK(routes[0].latency_s == Approx(2e-3));
  CHECK(routes[1].latency_s == Approx(12e-3));
  CHECK(routes[1].bandwidth_Bps == Approx(100));
}

TEST_CASE("What cannot be generated is refused", "[platform][error]") {
  const auto with = [](auto change) {
    GeneratedPlatform d{{"a", "b"}, {1, 1}, 1, NetworkKind::network_switch, 1000, 0.001};
    change(d);
    return d;
  };
  CHECK_NOTHROW(generate_platform(with([](auto&) {})));
  CHECK_THROWS_WITH(generate_platform(with([](auto& d) { d.names = {"a", "a"}; })), Catch::Contains("named twice"));
  CHECK_THROWS_WITH(generate_platform(with([](auto& d) { d.names[0] = "a<b"; })), Catch::Contains("name"));
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.speed_flops = {1}; })), InputError);
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.speed_flops[1] = 0; })), InputError);
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.bandwidth_Bps = -1; })), InputError);
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.latency_s = std::nan(""); })), InputError);
  CHECK_THROWS_AS(generate_platform(with([](auto& d) { d.cores = 0; })), InputError);
  CHECK_THROWS_AS(generate_platform({}), InputError);
}

TEST_CASE("Bytes that are no UTF-8, line ends of any kind and tags over several lines do not move what is taken out",
          "[platform]") {
  const Folder folder;
  folder.file("v.profile", "0 0.5\n");
  const std::string doctype = "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">";
  for (const std::string& text :
       {"<?xml version='1.0' encoding='ISO-8859-1'?>" + doctype + "<!-- \xe9\xe9\xe9\xe9 -->\n<platform version=\"4.1\">"
        "<zone id=\"z\" routing=\"None\"><host id=\"a\" speed=\"1f\" speed_file=\"v.profile\"/></zone></platform>",
        "<?xml version='1.0'?>\r\n" + doctype + "\r\n<platform version=\"4.1\">\r\n<zone id=\"z\" routing=\"None\">\r\n"
        "<host id=\"a\"\r\n speed=\"1f\"\r\n speed_file=\"v.profile\"/>\r\n</zone></platform>\r\n",
        hosts("<!-- <host id=\"b\" speed=\"-1f\" speed_file=\"none\"/> --><host\n speed_file = 'v.profile'\n id=\"a\" "
              "speed=\"1f\"><prop id=\"a>b\" value='x=\"y\"'/></host>")}) {
    const Platform p = load_platform(folder.file("p.xml", text));
    REQUIRE(p.workstations.size() == 1);
    CHECK(p.workstations[0].extras->speed_profile != nullptr);
  }
}

TEST_CASE("Pairs without a route are an input error", "[platform][error]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", document("<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>"
                        "<link id=\"l\" bandwidth=\"1Bps\" latency=\"0s\"/></zone>")));
  CHECK_THROWS_AS(find_routes(p, {{0, 1}}), InputError);
  CHECK_THROWS_WITH(find_routes(p, {{0, 1}}), Catch::Contains("no route from 'a' to 'b'"));
  CHECK_THROWS_AS(find_routes(*machines(2, NetworkKind::none), {{0, 1}}), InputError);
}

TEST_CASE("A platform's own configuration does not choose other models than nowsim's", "[platform]") {
  const Folder folder;
  const auto p = std::make_shared<const Platform>(load_platform(folder.file(
      "p.xml", document("<config><prop id=\"network/model\" value=\"LV08\"/><prop id=\"cpu/optim\" value=\"TI\"/>"
                        "<prop id=\"network/latency-factor\" value=\"13\"/><prop id=\"surf/precision\" value=\"0.1\"/></config>\n"
                        "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>"
                        "<link id=\"l\" bandwidth=\"1000Bps\" latency=\"2ms\"/>"
                        "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone>"))));
  Scenario s = scenario(p, [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.send(1, 1000);
    } else {
      co_await self.compute(3);
      co_await self.receive(0);
    }
  });
  s.owners[1] = profile_of("PERIODICITY 2\n0 1\n1 0\n");
  CHECK(run(s)[0].makespan_s == Approx(5 + 1.002).epsilon(1e-12));  // 3 flop in 1 s of every 2 s, then the message
}

TEST_CASE("Flows share a link of the platform's that both routes use", "[platform][network]") {
  const Folder folder;
  std::string body = "<zone id=\"z\" routing=\"Full\">";
  for (const char* name : {"a", "b", "c", "d"}) body += "<host id=\"" + std::string(name) + "\" speed=\"1f\"/>";
  body += "<link id=\"l\" bandwidth=\"1000Bps\" latency=\"1ms\"/>"
          "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>"
          "<route src=\"c\" dst=\"d\"><link_ctn id=\"l\"/></route></zone>";
  const auto p = std::make_shared<const Platform>(load_platform(folder.file("p.xml", document(body))));
  // 1000 and 3000 B at 500 B/s each; from 2.001 s on the second alone: 2000 B in 2 s.
  const auto finish = run(scenario(p, [](Rank& self) -> Process {
    if (self.index() % 2 == 0) co_await self.send(self.index() + 1, self.index() == 0 ? 1000 : 3000);
    else co_await self.receive(self.index() - 1);
  }))[0][Quantity::finish_s];
  CHECK(finish[1] == Approx(2.001).epsilon(1e-9));
  CHECK(finish[3] == Approx(4.001).epsilon(1e-9));
}

TEST_CASE("Bandwidth rises where a later value is more, also when a profile begins again", "[rising_bandwidth]") {
  CHECK(rises("0 1000\n1 2000\n"));
  CHECK(rises("5 1500\n"));  // above its own
  CHECK(rises("PERIODICITY 10\n0 1000\n5 500\n"));
  CHECK(rises("STOCHASTIC\nDET 1 UNIF 10 20\n"));
  CHECK_FALSE(rises("0 2000\n"));  // nothing is under way before
  CHECK_FALSE(rises("0 1000\n5 500\n"));
  CHECK_FALSE(rises("5 500\n7 500\n"));
  CHECK_FALSE(rises("0 0.001\n1 0.002\n", ProfileQuantity::latency));
  CHECK_FALSE(link_whose_bandwidth_rises(Platform()));
}

TEST_CASE("A generated platform knows the routes that SimGrid computes", "[platform][routes]") {
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

TEST_CASE("The shipped platforms are read without SimGrid as SimGrid reads them", "[platform][native]") {
  for (const auto& entry : fs::directory_iterator(source_folder() + "/platforms")) {
    if (entry.path().extension() != ".xml") continue;
    INFO(entry.path());
    check_alike(entry.path().string());
  }
}

TEST_CASE("Clusters, cabinets, hubs, zones in zones, missing routes and odd names are SimGrid's",
          "[platform][native]") {
  const TemporaryFolder folder;
  for (const std::string& text :
       {kCluster, kFatCluster, kTwoClusters, kAwkwardFigures, kFull, kCabinet, kZonesInZones, hub_of_some()}) {
    INFO(text);
    check_alike(written(folder, text));
  }
}

TEST_CASE("A cluster's new speed is that of its own machines", "[platform][native]") {
  const TemporaryFolder folder;
  const Platform platform = load_platform(written(
      folder, zone("Full", R"(<cluster id="a" prefix="c" suffix="" radical="0-2" speed="1Gf" bw="1MBps" lat="1us"/>
<cluster id="b" prefix="c2-" suffix="" radical="0-2" speed="2Gf" bw="1MBps" lat="1us"/>)")));
  PlatformChanges changes;
  for (const char* name : {"c0", "c1", "c2"}) changes.speed_flops[name] = 3e9;
  check_alike(changed(platform, changes));
}

TEST_CASE("Of what SimGrid alone can read it is said that it is needed", "[platform][native][error]") {
  struct Case {
    std::string xml, what;
  };
  const std::string cluster = R"(<cluster id="c" prefix="c" suffix="" radical="0-1" speed="1Gf" bw="1MBps" lat="1us" )";
  const auto [xml, what] = GENERATE_COPY(values<Case>({
      {zone("Vivaldi", ""), "routing='Vivaldi'"},
      {zone("Dijkstra", ""), "routing='Dijkstra'"},
      {zone("Full", cluster + "topology=\"TORUS\" topo_parameters=\"2,1\"/>"), "a cluster that is not FLAT"},
      {zone("Full", cluster + "loopback_bw=\"1MBps\"/>"), "a cluster's loopback_bw"},
      {zone("Full", cluster + "limiter_link=\"1MBps\"/>"), "a cluster's limiter_link"},
      {zone("Floyd", cluster + "/>"), "a zone in one that is not Full"},
      {zone("Full", cluster + "/><host id=\"a\" speed=\"1f\"/>"), "machines beside zones in a zone"},
      {zone("Full", R"(<link id="w" sharing_policy="WIFI" bandwidth="54Bps,30Bps" latency="0ms"/>)"),
       "a wireless link"},
      {zone("Full", R"(<bypassRoute src="a" dst="b"/>)"), "a <bypassRoute>"},
      {zone("Full", R"(<host id="a" speed="1f"/><host id="a" speed="1f"/>)"), "two points called 'a'"},
      {zone("Full", R"(<host id="a" speed="1f"/><route src="a" dst="a"><link_ctn id="l"/></route>)"), "no link 'l'"},
      {zone("Full", R"(<host id="a" speed="1f"/><host id="b" speed="1f"/><link id="l" bandwidth="1Bps"/>)"
                    R"(<route src="a" dst="b"><link_ctn id="l"/></route><route src="b" dst="a"><link_ctn id="l"/></route>)"),
       "two routes between the same"},
      {zone("Full", R"(<zone id="s" routing="None"><host id="a" speed="1f"/></zone><zone id="t" routing="None"/>)"
                    R"(<zoneRoute src="s" dst="t" gw_src="a" gw_dst="nobody"/>)"),
       "a gateway that is not there"},
      {zone("Full", R"(<host id="a" speed="1f"><disk read_bw="1Bps" write_bw="1Bps"/></host>)"), "a machine's disk"},
  }));
  INFO(xml);
  CHECK_THROWS_WITH(native_description(xml, "p.xml"),
                    Contains("p.xml:") && Contains("SimGrid is needed to read this platform file") && Contains(what));
}

TEST_CASE("Changed speeds and links are those that both engines compute with", "[platform]") {
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
