// SimGrid's answers kept beside platform files: the same as SimGrid gives, for the shipped platforms and for awkward ones.
#include "sim/platform/stored_answers.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>

#include "experiments/driver/text/output_file.hpp"
#include "experiments/driver/text/temporary_folder.hpp"
#include "sim/base/error.hpp"
#include "sim/base/serialization.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/child_outcome.hpp"
#include "sim/platform/platform_changes.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/platform/simgrid_module.hpp"
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

/// What describe() says, a line for a machine or link: a machine's properties are in no order.
std::vector<std::string> described(const std::string& bytes) {
  Deserializer in(bytes);
  std::vector<std::string> lines;
  for (auto left = in.get<std::size_t>(); left > 0; --left) {
    std::string line = in.get_text();
    line += " " + number_text(in.get<double>());
    line += " " + std::to_string(in.get<int>());
    line += " " + number_text(in.get<double>());
    std::map<std::string, std::string> properties;
    for (auto more = in.get<std::size_t>(); more > 0; --more) {
      const std::string key = in.get_text();
      properties[key] = in.get_text();
    }
    for (const auto& [key, value] : properties) line += " " + key + "=" + value;
    lines.push_back(line);
  }
  for (auto left = in.get<std::size_t>(); left > 0; --left) {
    std::string line = in.get_text();
    line += " " + number_text(in.get<double>());
    line += " " + number_text(in.get<double>());
    line += in.get<bool>() ? " shared" : " not shared";
    lines.push_back(line);
  }
  CHECK(in.at_end());
  return lines;
}

/// What routes() says, a line for a route; latencies to twelve digits, as sums' orders may differ.
std::vector<std::string> told_routes(const std::string& bytes, std::size_t count) {
  Deserializer in(bytes);
  std::vector<std::string> lines{in.get<bool>() ? "on one star" : "on no star"};
  for (; count > 0; --count) {
    std::string line = in.get_text();
    std::ostringstream latency;
    latency << std::setprecision(12) << in.get<double>();
    line += " " + latency.str() + " s:";
    for (auto left = in.get<std::size_t>(); left > 0; --left) {
      line += " " + in.get_text();
      line += " " + number_text(in.get<double>());
    }
    lines.push_back(line);
  }
  CHECK(in.at_end());
  return lines;
}

/// What the file beside a platform says, and what SimGrid says.
void check_alike(const Platform& platform, const std::string& file) {
  CHECK(described(stored_description(platform.xml, file)) ==
        described(in_child_process([&] { return simgrid_module().describe(platform.xml, file); })));
  if (!platform.has_network()) return;
  const auto pairs = some_pairs(platform.workstations.size());
  CHECK(told_routes(stored_routes(platform, pairs), pairs.size()) ==
        told_routes(in_child_process([&] { return simgrid_module().routes(platform, pairs); }), pairs.size()));
}

/// Of the file as it is, and with other figures of all links and of some machines.
void check_alike(const std::string& file) {
  const Platform platform = load_platform(file);
  check_alike(platform, file);
  PlatformChanges changes;
  double factor = 1;
  for (const auto& name : changeable_links(platform)) changes.links[name] = {3e6 * ++factor, 1e-4 / factor};
  check_alike(changed(platform, changes), file);
  if (platform.workstations.size() > 40 || platform.xml.find("<cluster") != std::string::npos) return;
  for (const auto& w : platform.workstations) changes.speed_flops[w.name] = 1e6 * ++factor;
  check_alike(changed(platform, changes), file);
}

std::string written(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  const std::string file = (folder.path() / name).string();
  std::ofstream(file) << text;
  return file;
}

std::string zone(const std::string& routing, const std::string& inside) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
         "<zone id=\"z\" routing=\"" + routing + "\">\n" + inside + "</zone>\n</platform>\n";
}

constexpr const char* kCluster =
    R"(<cluster id="c" prefix="c&amp;-" suffix="" radical="0-4" speed="1Gf,2Gf" core="2" bw="100MBps" lat="10us" )"
    R"(bb_bw="1GBps" bb_lat="1us" loopback_bw="2GBps" loopback_lat="0us"/>)";
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

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

/// A platform whose answers were kept before its file was edited.
struct EditedFile {
  EditedFile(const std::string& before, const std::string& what, const std::string& by)
      : file(written(folder, "p.xml", before)) {
    written(folder, "p.xml.answers", stored_answers(load_platform(file)));
    written(folder, "p.xml", replaced(before, what, by));
  }
  TemporaryFolder folder;
  std::string file;
};

const std::string kTwoClusters = zone(
    "Full", R"(<cluster id="A" prefix="c-" suffix="" radical="00-1, 4" speed="1Gf" bw="1MBps" lat="1us"/>
<cluster id="B" prefix="c-" suffix="" radical="2-3,10" speed="2Gf" bw="1MBps" lat="1us"/>)");
const std::string kNoBackbone =
    zone("Full", R"(<cluster id="c" prefix="c" suffix="" radical="0-2" speed="1Gf" bw="1MBps" lat="1us"/>)");
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
const std::string kWireless = zone("Wifi", R"(<prop id="access_point" value="r"/><router id="r"/>
<host id="a" speed="4f"/><link id="w" sharing_policy="WIFI" bandwidth="54Bps,30Bps" latency="0ms"/>)");

constexpr const char* kFull =
    R"(<host id="a" speed="1Gf"><prop id="memory" value="2GiB"/><prop id="who" value="&lt;x&gt; &quot;y&quot;"/></host>
<host id="b" speed="1.5Gf"/><host id="d" speed="2Gf"/>
<link id="l" bandwidth="10MBps" latency="1ms"/><link id="m" bandwidth="20MBps" latency="3ms" sharing_policy="FATPIPE"/>
<route src="a" dst="b"><link_ctn id="l"/><link_ctn id="m"/></route>)";

}  // namespace

TEST_CASE("The answers beside the shipped platforms are those of SimGrid", "[reads][platform][stored]") {
  for (const auto& entry : fs::directory_iterator(source_folder() + "/platforms")) {
    if (entry.path().extension() != ".xml") continue;
    INFO(entry.path());
    const std::string file = entry.path().string();
    CHECK(bytes_of(file + std::string(kAnswersEnding)) == stored_answers(load_platform(file)));
    check_alike(file);
  }
}

TEST_CASE("Stored answers keep what SimGrid says of clusters, missing routes, properties and odd names", "[platform][stored]") {
  const TemporaryFolder folder;
  for (const auto& [name, text] : {std::pair("cluster.xml", std::string(kCluster)), {"full.xml", kFull}}) {
    INFO(name);
    const std::string file = written(folder, name, zone("Full", text));
    written(folder, std::string(name) + std::string(kAnswersEnding), stored_answers(load_platform(file)));
    check_alike(file);
  }
}

TEST_CASE("Of a star in which some machines go through a hub that others have not each route is kept", "[platform][stored]") {
  const TemporaryFolder folder;
  const std::string file = written(folder, "hub.xml", hub_of_some());
  written(folder, "hub.xml.answers", stored_answers(load_platform(file)));
  check_alike(file);
}

TEST_CASE("A cluster's new speed is that of its own machines", "[platform][stored]") {
  const TemporaryFolder folder;
  const std::string file = written(
      folder, "two.xml", zone("Full", R"(<cluster id="a" prefix="c" suffix="" radical="0-2" speed="1Gf" bw="1MBps" lat="1us"/>
<cluster id="b" prefix="c2-" suffix="" radical="0-2" speed="2Gf" bw="1MBps" lat="1us"/>)"));
  const Platform platform = load_platform(file);
  written(folder, "two.xml.answers", stored_answers(platform));
  PlatformChanges changes;
  for (const char* name : {"c0", "c1", "c2"}) changes.speed_flops[name] = 3e9;
  check_alike(changed(platform, changes), file);
}

TEST_CASE("Figures edited in the file are SimGrid's with its stored answers", "[platform][stored]") {
  struct Edit {
    std::string before, what, by;
  };
  const auto edit = GENERATE(values<Edit>({
      {kTwoClusters, "\"1Gf\"", "\"3000000000f\""},
      {kTwoClusters, "\"2Gf\"", "\"3000000000f\""},
      {kAwkwardFigures, "\"4f,2f\"", "\"3f,3f\""},
      {kAwkwardFigures, "\"10Bps\" latency=\"1s\"", "\"20Bps\" latency=\"7s\""},
      {kAwkwardFigures, "\"11Bps\" latency=\"0.5s\"", "\"20Bps\" latency=\"7s\""},
      {kAwkwardFigures, "\"12Bps\" latency=\"2s\"", "\"20Bps\" latency=\"7s\""},
      {kAwkwardFigures, "\"13Bps\" latency=\"3s\"", "\"20Bps\" latency=\"7s\""},
      {kWireless, "54Bps,30Bps", "20Bps"},
  }));
  INFO(edit.what);
  const EditedFile edited(edit.before, edit.what, edit.by);
  check_alike(load_platform(edited.file), edited.file);
}

TEST_CASE("Edits of which SimGrid alone knows what they make are another version", "[platform][stored]") {
  struct Edit {
    std::string before, what, by;
  };
  const auto edit = GENERATE(values<Edit>({
      {kAwkwardFigures, "\"4f,2f\"", "\"4f,3f\""},
      {kWireless, "54Bps,30Bps", "20Bps,20Bps"},
      {kNoBackbone, "lat=\"1us\"", "lat=\"1us\" bb_bw=\"5Bps\" bb_lat=\"1s\""},
  }));
  INFO(edit.by);
  const EditedFile edited(edit.before, edit.what, edit.by);
  const Platform platform = load_platform(edited.file);
  CHECK_THROWS_WITH(stored_description(platform.xml, edited.file), Contains("of another version of"));
}

TEST_CASE("Answers that are missing, of another file, or not nowsim's are refused in a sentence", "[platform][stored]") {
  const TemporaryFolder folder;
  const std::string file = written(folder, "p.xml", zone("Full", kFull));
  const Platform platform = load_platform(file);
  CHECK_THROWS_WITH(stored_description(platform.xml, file),
                    Contains("p.xml: SimGrid is needed") && Contains("p.xml.answers") && Contains("nowsim platform answers"));
  written(folder, "p.xml.answers", stored_answers(platform));
  CHECK_THROWS_WITH(stored_description(std::string(platform.xml).replace(platform.xml.find("id=\"b\""), 6, "id=\"c\""), file), Contains("of another version of"));
  const std::string whole = bytes_of(file + ".answers");
  for (const std::string& bad : {std::string("<answers"), std::string("nothing"), std::string("<answers format=\"0\"/>")}) {
    written(folder, "p.xml.answers", bad);
    CHECK_THROWS_AS(stored_description(platform.xml, file), InputError);
  }
  written(folder, "p.xml.answers", whole.substr(0, whole.find(" <from")) + "</answers>");
  CHECK_THROWS_WITH(stored_routes(platform, some_pairs(3)), Contains("something is missing"));
}

TEST_CASE("Answers of which something was lost are refused", "[platform][stored]") {
  struct Damage {
    std::string platform, what, by;
  };
  const std::string full = zone("Full", kFull);
  const auto [text, what, by] = GENERATE_COPY(values<Damage>({
      {full, "speed_flops", "speed"},
      {full, "cores=\"1\"", "cores=\"1e300\""},
      {full, "cores=\"1\"", "cores=\"0\""},
      {full, "memory_bytes=\"", "memory_bytes=\"x"},
      {full, "<host name=\"b\" speed_flops=\"1.5e+09\" cores=\"1\" />", ""},
      {full, "<link name=\"m\"", "<lost name=\"m\""},
      {full, "bandwidth_Bps", "bandwidth"},
      {full, "latency_s=\"0.001\"", "latency_s=\"-0.001\""},
      {full, "links=\"", "links=\"x "},
      {full, "links=\"", "links=\"99999999999999999999999 "},
      {full, "links=\"", "lost=\""},
      {full, "<route latency_s=\"0\" links=\"0\" />", ""},
      {kTwoClusters, "<host name=\"c-1\" speed_flops=\"1e+09\" cores=\"1\" />", ""},
      {kNoBackbone, " up=\"", " up=\"-"},
      {kNoBackbone, "<own", "<lost"},
  }));
  INFO(what << " becomes " << by);
  const TemporaryFolder folder;
  const std::string file = written(folder, "p.xml", text);
  const Platform platform = load_platform(file);
  const std::string whole = stored_answers(platform);
  const auto past_text = whole.find("</of>");
  written(folder, "p.xml.answers", whole.substr(0, past_text) + replaced(whole.substr(past_text), what, by));
  const auto ask = [&] { return stored_description(platform.xml, file) + stored_routes(platform, some_pairs(3)); };
  CHECK_THROWS_WITH(ask(), Contains("p.xml.answers") && Contains("something is missing in these answers"));
}

TEST_CASE("Of many machines that hang on no star no routes are kept", "[platform][stored]") {
  std::string hosts, links;
  for (int i = 0; i <= static_cast<int>(kMostStoredMachines); ++i)
    hosts += "<host id=\"h" + std::to_string(i) + "\" speed=\"1Gf\"/>\n";
  const TemporaryFolder folder;
  const std::string file = written(folder, "many.xml", zone("Full", hosts + R"(<link id="l" bandwidth="1GBps" latency="1us"/>
<route src="h0" dst="h1"><link_ctn id="l"/></route>)"));
  CHECK_THROWS_WITH(stored_answers(load_platform(file)), Contains("up to 500 machines"));
}
