// Platforms read without SimGrid: the same as SimGrid reads, to the bit, of the shipped ones and of awkward ones.
#include "sim/platform/simgrid_module.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>

#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/platform/worker_process.hpp"
#include "tests/paths.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

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

}  // namespace

TEST_CASE("The shipped platforms are read without SimGrid as SimGrid reads them", "[reads][platform][native]") {
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
