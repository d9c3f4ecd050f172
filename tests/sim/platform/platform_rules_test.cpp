// What a platform's file may say: settings, numbers, names and sizes that are refused before SimGrid sees them, and
// that what SimGrid says or does over the rest reaches a user as a sentence.
#include "sim/platform/platform_text.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "sim/base/error.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/read_platform.hpp"
#include "sim/platform/routes.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/skips.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// A platform whose content begins in line 4.
std::string platform_of(const std::string& content) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" +
         content + "\n</platform>\n";
}
/// A zone in line 4; what it holds begins in line 5.
std::string zone_of(const std::string& content, const std::string& routing = "Full") {
  return platform_of("<zone id=\"z\" routing=\"" + routing + "\">\n" + content + "\n</zone>");
}
std::string cluster_of(const std::string& attributes) {
  return platform_of("<cluster id=\"c\" prefix=\"n\" suffix=\"\" " + attributes + "/>");
}
const std::string kHosts =
    "<host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/><link id=\"l\" bandwidth=\"1Bps\" latency=\"0s\"/>\n";

/// What loading says; "" where it is content.
std::string complaint(const Folder& folder, const std::string& text) {
  return sentence_of([&] { load_platform(folder.file("p.xml", text)); });
}

struct RefusedPlatform {
  std::string text;
  std::vector<std::string> expected;
};

void check_all(const std::vector<RefusedPlatform>& table, const Folder& folder = Folder()) {
  for (const auto& [text, expected] : table) {
    const std::string sentence = complaint(folder, text);
    INFO(text << sentence);
    for (const auto& part : expected) CHECK_THAT(sentence, Catch::Contains(part));
    for (const char* foreign :
         {"stoi", "stod", "std::", "(0x", "Segmentation", "xbt", "XML input", "Existing netpoints"})
      CHECK_THAT(sentence, !Catch::Contains(foreign));
    CHECK(std::ranges::none_of(sentence, [](char c) { return c >= 0 && c < ' '; }));
  }
}

}  // namespace

TEST_CASE("A platform's settings write no file, end no process and choose no models", "[reads][platform][error]") {
  const Folder folder;
  const std::string victim = folder.file("victim", "kept");
  const auto with = [](const std::string& props) {
    return platform_of("<config>\n" + props + "</config>\n<zone id=\"z\" routing=\"None\"><host id=\"a\" speed=\"1f\"/></zone>");
  };
  const auto prop = [](const std::string& key, const std::string& value) {
    return "<prop id=\"" + key + "\" value=\"" + value + "\"/>";
  };
  const std::string unknown = "nowsim does not know this setting of SimGrid; take it out if nothing that is computed depends on it";
  const std::vector<std::array<std::string, 3>> refused{
      {"log", "root.app:file:" + victim, unknown},
      {"netwerk/model", "x", unknown},
      {"", "x", unknown},
      {"maxmin/concurrency-limit", "2", "nowsim has no limit to how many share a machine or a link"},
      {"maxmin/concurrency_limit", "2", "nowsim has no limit to how many share a machine or a link"},
      {"cmonkey/time", "3", "it has machines and links fail: take it out, and give those that do a state_file, or platform.failures"},
      {"plugin", "cmonkey", "it has machines and links fail: take it out, and give those that do a state_file, or platform.failures"},
      {"plugin", "host_dvfs", "it changes the speed of machines as they run: take it out, and give a machine whose speed varies a speed_file"},
      {"tracing\xE2\x80\x93x", "yes", unknown + ": it holds '\xE2\x80\x93' (U+2013, a typographic dash, where '-' is wanted)"},
  };
  for (const auto& [key, value, why] : refused)
    CHECK_THAT(complaint(folder, with(prop(key, value))),
               Catch::Contains("p.xml:5: config: a platform cannot set '" + key + "': " + why));
  const std::vector<std::array<std::string, 3>> without_effect{
      {"network/model", "ns-3", "nowsim has a model and precisions of its own, for exact results"},
      {"network/TCP_gamma", "4194304", "nowsim has a model and precisions of its own, for exact results"},
      {"network/TCP-gamma", "4194304", "nowsim has a model and precisions of its own, for exact results"},
      {"maxmin/precision", "1", "nowsim has a model and precisions of its own, for exact results"},
      {"smpi/host-speed", "1Gf", "it is for programs that run under SMPI, and none does here"},
      {"smpi/simulate-computation", "no", "it is for programs that run under SMPI, and none does here"},
      {"tracing", "yes", "'nowsim run --trace' and '--gantt' write what happened"},
      {"tracing/filename", victim, "'nowsim run --trace' and '--gantt' write what happened"},
      {"contexts/stack_size", "16", "nowsim runs its ranks in its own way"},
      {"debug/breakpoint", "1", "nothing that is computed depends on it"},
      {"path", "/", "nothing that is computed depends on it"},
      {"plugin", "host_energy", "nothing that is computed depends on it"},
  };
  for (const auto& [key, value, why] : without_effect) {
    const Platform p = load_platform(folder.file("p.xml", with(prop(key, value) + prop(key, value))));
    REQUIRE(p.remarks.size() == 1);
    CHECK_THAT(p.remarks[0], Catch::EndsWith("p.xml:5: config: the setting '" + key + "' has no effect: " + why));
    std::string name = key;
    std::ranges::replace(name, '_', '-');
    CHECK(p.settings == std::vector{name});
  }
  CHECK(content_of(victim) == "kept");
}

TEST_CASE("XML is taken as SimGrid's scanner takes it: attributes may run together", "[platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file(
      "p.xml", platform_of("<!-- a=\"b\"c=\"d\" --><zone id='z'routing=\"Full\">\n"
                           "<cluster id=\"c\" prefix=\"n\" suffix=\"\"radical=\"0-1\"speed='2f'bw=\"1Bps\" lat=\"0s\"/></zone>")));
  REQUIRE(p.workstations.size() == 2);
  CHECK(p.workstations[1].name == "n1");
  CHECK(p.workstations[1].speed_flops == 2);
  folder.file("half", "0 0.5\n");
  const Platform q = load_platform(folder.file(
      "q.xml", zone_of("<host id=\"a\"speed=\"1f\"speed_file=\"half\"/><host id=\"b\" speed=\"1f\"/>"
                       "<link id=\"l\" bandwidth=\"8Bps\"latency=\"0s\"/><route src=\"a\"dst=\"b\"><link_ctn id=\"l\"/></route>")));
  CHECK(q.workstations[0].extras->speed_profile != nullptr);
  CHECK(q.links[0].bandwidth_Bps == 8);
  CHECK_THAT(complaint(folder, zone_of("<host id=\"a\" speed=\"1f\"/>\n<host id=\"b\"speeed=\"1f\"/>")),
             Catch::Contains("p.xml:6: host b: a <host> has no attribute 'speeed'"));
}

TEST_CASE("A host of speed 0 passes messages on and computes nothing", "[platform]") {
  const Folder folder;
  folder.file("half", "0 0.5\n");
  const std::string hosts =
      "<host id=\"disk\" speed=\"0Gf\" speed_file=\"half\"/><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"0f,1f\" pstate=\"1\"/>"
      "<link id=\"l\" bandwidth=\"1Bps\" latency=\"2s\"/>\n";
  const std::string routes = "<route src=\"a\" dst=\"disk\"><link_ctn id=\"l\"/></route>"
                             "<route src=\"disk\" dst=\"b\"><link_ctn id=\"l\"/></route>";
  const Platform p = load_platform(folder.file("p.xml", zone_of(hosts + routes, "Floyd")));
  REQUIRE(p.workstations.size() == 2);
  CHECK(p.workstations[0].name == "a");
  CHECK(p.idle_hosts == std::vector<std::string>{"disk"});
  REQUIRE(p.remarks.size() == 1);
  CHECK_THAT(p.remarks[0], Catch::EndsWith("p.xml: 'disk' has the speed 0: nothing computes there, and it is none of the"
                                           " workstations; messages still pass"));
  CHECK(find_routes(p, {{0, 1}}).front().latency_s == 4);
  CHECK_THAT(complaint(folder, zone_of("<host id=\"a\" speed=\"0f\"/>", "None")),
             Catch::EndsWith("p.xml: nothing can compute on this platform: all its hosts have the speed 0"));
}

TEST_CASE("A decimal comma makes two speeds of one: that is said", "[platform]") {
  const Folder folder;
  const Platform p = load_platform(folder.file("p.xml", zone_of("<host id=\"a\" speed=\"1,5Gf\"/>\n<host id=\"b\" speed=\"2Gf,1Gf\"/>\n"
                                                           "<host id=\"c\" speed=\"1000000000,500000000\"/>")));
  CHECK(p.workstations[0].speed_flops == 1);
  REQUIRE(p.remarks.size() == 1);
  CHECK_THAT(p.remarks[0], Catch::EndsWith("p.xml:5: host a: speed='1,5Gf' is a list of speeds, of which the first counts, "
                                           "1 flop/s: it holds ',' where a decimal point is wanted"));
}

TEST_CASE("Characters that look like others are named in every part of a platform", "[platform][error]") {
  const std::string minus = "(U+2212, a typographic minus, where '-' is wanted)", quote = "(U+201D, a typographic quotation mark)",
                    blank = "(U+00A0, a blank that does not break, where a plain one or none is wanted)";
  check_all({
      {zone_of("<host id=\"a\" speed=\"\xE2\x88\x92" "1f\"/>"), {"p.xml:5: host a: speed=", minus}},
      {zone_of("<host id=\"a\" speed=\"1\xC2\xA0Gf\"/>"), {"p.xml:5: host a: speed=", blank}},
      {zone_of("<host id=\"a\" speed=\xE2\x80\x9D" "1f\xE2\x80\x9D/>"), {"p.xml:5: this is not well-formed XML", quote}},
      {zone_of("<host id=\"a\"\xC2\xA0speed=\"1f\"/>"), {"p.xml:5: host a: a <host> has no attribute", blank}},
      {zone_of(kHosts + "\xC2\xA0<host id=\"c\" speed=\"1f\"/>"), {"text stands between the elements here", blank}},
      {cluster_of("radical=\"0\xE2\x88\x92" "3\" speed=\"1f\" bw=\"1Bps\" lat=\"0s\""), {"p.xml:4: cluster c: radical=", minus}},
      {zone_of(kHosts + "<route src=\"a\" dst=\"b\xC2\xA0\"><link_ctn id=\"l\"/></route>"), {"p.xml:6", blank}},
      {zone_of("<host id=\"a\" speed=\"1f\"/><link id=\"l\" bandwidth=\"1,5GBps\" latency=\"0s\"/>"),
       {"bandwidth='1,5GBps'", "it holds ',' where a decimal point is wanted"}},
  });
}

TEST_CASE("Of files of older versions what is to be done is said, and it works", "[platform][error]") {
  const Folder folder;
  const std::string remedy = "; 'simgrid_update_xml FILE' (Debian: libsimgrid-dev) updates an older FILE, in place";
  const std::string old = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"http://simgrid.gforge.inria.fr/simgrid.dtd\">\n"
                          "<platform version=\"3\">\n<AS id=\"AS0\" routing=\"Full\">\n<host id=\"a\" power=\"98095000\"/>\n"
                          "<host id=\"b\" power=\"76296000\" availability_file=\"day\"/>\n<link id=\"l\" bandwidth=\"41279125\" latency=\"5e-05\"/>\n"
                          "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n</AS>\n</platform>\n";
  folder.file("day", "0 0.5\n");
  CHECK_THAT(complaint(folder, old), Catch::Contains("p.xml:3: platform: version='3' is not 4 or 4.1") && Catch::EndsWith(remedy));
  std::string spread = old;
  spread.replace(spread.find("\"3\">"), 4, "\"3\" >");
  CHECK_THAT(complaint(folder, spread), Catch::EndsWith(", once <platform version=\"...\"> stands on one line, without a blank before its '>'"));
  CHECK_THAT(complaint(folder, "<!DOCTYPE platform_description SYSTEM \"surfxml.dtd\">\n<platform_description></platform_description>"),
             Catch::Contains("begins with the element <platform>") && Catch::EndsWith(remedy));
  const auto former = [&](const std::string& element) { return complaint(folder, zone_of(kHosts + element)); };
  CHECK_THAT(former("<host id=\"c\" power=\"1f\"/>"), Catch::EndsWith("has no attribute 'power': since version 4 it is called speed"));
  CHECK_THAT(former("<host id=\"c\" speed=\"1f\" availability=\"0.5\"/>"),
             Catch::EndsWith("'availability': since version 4 there is none: give a speed or bandwidth that is so much less"));
  CHECK_THAT(former("<link id=\"m\" bandwidth=\"1Bps\" state=\"ON\"/>"), Catch::Contains("'state': since version 4 there is none: take it out"));
  if (std::system("command -v simgrid_update_xml >/dev/null") != 0)
    return skipped("update-xml", "updating a platform of version 3, as there is no simgrid_update_xml (Debian: libsimgrid-dev)");
  folder.file("p.xml", old);
  REQUIRE(std::system(("simgrid_update_xml '" + folder.path() + "/p.xml' >/dev/null").c_str()) == 0);
  const Platform p = load_platform(folder.path() + "/p.xml");
  REQUIRE(p.workstations.size() == 2);
  CHECK(p.workstations[0].speed_flops == 98095000);
  CHECK(p.workstations[1].extras->speed_profile != nullptr);
}

TEST_CASE("A cluster that no zone holds gets one for a SimGrid that wants it, in its line; others do not", "[platform]") {
  const std::string cluster = "<cluster id=\"c\"/>", zone = "<zone id=\"z\">" + cluster + "</zone>";
  const auto given = [](const std::string& content, LoneCluster lone) {
    return canonical_xml("<platform version=\"4.1\">\n" + content + "</platform>", lone);
  };
  const std::string alone = given(cluster, LoneCluster::in_a_zone);
  CHECK_THAT(alone, Catch::Contains("\n<zone id=\"around the cluster\" routing=\"Full\"><cluster id=\"c\"></cluster></zone>"));
  CHECK(std::ranges::count(alone, '\n') == std::ranges::count(given(cluster, LoneCluster::as_it_is), '\n'));
  CHECK_THAT(given(cluster, LoneCluster::as_it_is), !Catch::Contains("zone"));
  CHECK(given(zone, LoneCluster::in_a_zone) == given(zone, LoneCluster::as_it_is));
}

TEST_CASE("SimGrid is given elements and attributes alone, in their lines", "[platform]") {
  const std::string text = zone_of(
      "<!-- <host id=\"q\"/> -->\n<host id=\"a&lt;&quot;&amp;\"\n speed='1f' speed_file=\"f\"/>"
      "<?pi <host/> ?>\n<trace id=\"t\">0 1</trace>\n<host id=\"b\" speed=\"1f\"/>");
  const std::string canonical = canonical_xml("<config><prop id=\"tracing\" value=\"yes\"/></config>" + text);
  for (const char* gone : {"<!--", "<?pi", "config", "tracing", "trace", "_file", "id=\"q\""})
    CHECK_THAT(canonical, !Catch::Contains(gone));
  CHECK_THAT(canonical, Catch::Contains("<host id=\"a&lt;&quot;&amp;\" speed=\"1f\"></host>"));
  const auto line_of = [](const std::string& in, const std::string& word) {
    return std::count(in.begin(), in.begin() + static_cast<std::ptrdiff_t>(in.find(word)), '\n');
  };
  CHECK(line_of(canonical, "\"b\"") == line_of(text, "\"b\""));
  CHECK(line_of(canonical, "a&lt;") == line_of(text, "id=\"a&lt;"));
  // What one reader takes for a comment or a declaration is nothing to the other.
  const Folder folder;
  const std::string hidden =
      "<platform version=\"4.1\"><zone id=\"z\" routing=\"None\"><host id=\"q\" speed=\"1f\"/></zone></platform>";
  const Platform p =
      load_platform(folder.file("p.xml", "<!DOCTYPE platform SYSTEM \"x\" [ <!-- ]> " + hidden +
                                             " --> ]>\n<platform version=\"4.1\"><zone id=\"z\" "
                                             "routing=\"None\"><host id=\"a&amp;b\" speed=\"1f\"/></zone></platform>"));
  REQUIRE(p.workstations.size() == 1);
  CHECK(p.workstations[0].name == "a&b");
  // An element that a comment inside a trace would set free.
  CHECK_THAT(
      complaint(folder,
                zone_of("<host id=\"a\" speed=\"1f\"/><trace id=\"t\"><!-- </trace>\n<host id=\"b\" speed=\"-1f\"/>"
                        "<trace id=\"u\"> --></trace>")),
      Catch::Contains("speed='-1f'"));
}

TEST_CASE("Every bad platform file is an input error that says where and what", "[platform][error]") {
  const Folder folder;
  folder.file("unsorted", "5 1\n3 0.5\n");
  folder.file("toomuch", "0 1.5\n");
  const auto in_zone = [](const std::string& hosts) { return zone_of(hosts, "None"); };
  check_all({
      {"<platform", {"p.xml", "not well-formed"}},
      {"<?xml version='1.0'?>\n<platform version='4.1'></platform>", {"p.xml:1", "DOCTYPE"}},
      {"", {"p.xml"}},
      {"\x7f" "ELF\x02\x01\x01", {"p.xml"}},
      {"<plattform version='4.1'></plattform>", {"<platform>"}},
      {in_zone("<host id='a' speed='1f'/>\n<hostt id='b' speed='1f'/>"), {"p.xml:6", "<hostt> is no element"}},
      {in_zone("<host id='a' speeed='1f'/>"), {"p.xml:5", "'speeed'", "it has id, speed"}},
      {in_zone("<host id='a' speed='1f'/>\n<host id='b' speed='-2Gf'/>"), {"p.xml:6", "host b", "-2Gf", "0 or more"}},
      {in_zone("<host id='a' speed='fast'/>"), {"p.xml:5", "fast"}},
      {in_zone("<host id='a' speed='nan'/>"), {"p.xml:5", "nan"}},
      {in_zone("<host id='a' speed='1Gx'/>"), {"p.xml:5", "1Gx"}},
      {in_zone("<host id='a' speed='1f' core='0'/>"), {"p.xml:5", "cores"}},
      {in_zone("<host id='a' speed='1f' core='1.5'/>"), {"p.xml:5", "cores"}},
      {in_zone("<host id='a' speed=''/>"), {"p.xml:5", "a speed such as"}},
      {in_zone("<host id='a' speed='4f,2f' pstate='7'/>"), {"p.xml:5", "pstate='7'", "2 speeds"}},
      {in_zone("<host id='a' speed='1f' speed_file='u' speed_file='u'/>"), {"p.xml:5", "speed_file is given twice"}},
      {platform_of("<zone id='z' routing='Vivaldi'><peer id='a' speed='1f' bw_in='-1Bps' bw_out='1Bps' "
                   "coordinates='1 1 1'/></zone>"),
       {"p.xml:4", "peer a", "bw_in"}},
      {in_zone("<host id='a' speed='1f'/>\n<host id='a' speed='1f'/>"), {"p.xml:6", "two are called 'a'"}},
      {in_zone("<host id='a' speed='1f'/>\n<link id='l' bandwidth='-1Bps' latency='0'/>"), {"p.xml:6", "bandwidth"}},
      {in_zone("<host id='a' speed='1f'/>\n<link id='l' bandwidth='1Bps' latency='-1ms'/>"), {"p.xml:6", "latency"}},
      {in_zone("<host id='a' speed='1f' speed_file='nowhere'/>"), {"p.xml:5", "nowhere"}},
      {in_zone("<host id='a' speed='1f' speed_file='unsorted'/>"), {"unsorted:2"}},
      {in_zone("<host id='a' speed='1f' speed_file='toomuch'/>"), {"toomuch:1", "1.5"}},
      {in_zone("<host id='a' speed='1f'><prop id='memory' value='much'/></host>"), {"p.xml:5", "much", "a size"}},
      {in_zone("<host id='a' speed='1f'>\n<prop id='memory' value='-1MiB'/></host>"), {"p.xml:6", "-1MiB"}},
      {in_zone("<host id='a' speed='1f'><prop id='memory' value='1Mib3'/></host>"), {"host a", "1Mib3"}},
      {in_zone("<host id='a' speed='1f'/>\n<trace_connect kind='SPEED' trace='t' element='a'/>"),
       {"p.xml:6", "no trace"}},
      {in_zone("<host id='a' speed='1f'/>\n<trace id='t' periodicity='5'>\n0 1\n2 x\n</trace>\n"
               "<trace_connect kind='SPEED' trace='t' element='a'/>"),
       {"p.xml:8", "'x'"}},
      {in_zone("<host id='a' speed='1f'/>\n<trace id='t' periodicity='often'>0 1</trace>"), {"p.xml:6", "often"}},
      {in_zone("<host id='a' speed='1f'/>\n<trace id='t' periodicity='5'>0 1</trace>\n"
               "<trace_connect kind='SPEED' trace='t' element='b'/>"),
       {"p.xml:7", "no host 'b'"}},
      {in_zone("<host id='a' speed='1f'/>\n<trace id='t' periodicity='5'>0 1</trace>\n"
               "<trace_connect kind='BANDWIDTH' trace='t' element='l'/>"),
       {"p.xml:7", "no link 'l'"}},
      {platform_of("<zone id='z' routing='Sideways'><host id='a' speed='1f'/></zone>"),
       {"p.xml:4", "routing='Sideways'", "DijkstraCache"}},
  }, folder);
  CHECK_THROWS_AS(load_platform(folder.path() + "/missing.xml"), InputError);
  CHECK_THROWS_AS(load_platform(folder.path()), InputError);
}

TEST_CASE("Numbers of a platform are read whole and in range", "[platform][error]") {
  const std::string rest = " bw=\"1Bps\" lat=\"0s\"";
  const auto radical = [&](const std::string& value) {
    return cluster_of("speed=\"1f\" radical=\"" + value + "\"" + rest);
  };
  const auto host = [](const std::string& attributes) { return zone_of("<host id=\"a\" " + attributes + "/>"); };
  check_all({
      {host("speed=\"1e308Gf\""), {"p.xml:5: host a: speed='1e308Gf' is out of the range", "1e-30 to 1e30, in flop/s"}},
      {host("speed=\"1e-31f\""), {"host a: speed='1e-31f' is out of the range"}},
      {host("speed=\"1e-400f\""), {"a speed such as 25Mf"}},
      {host("speed=\"0x10f\""), {"speed='0x10f' is not a speed"}},
      {host("speed=\"25Mb\""), {"speed='25Mb' is not a speed such as 25Mf"}},
      {host("speed=\"2f,0f\" pstate=\"1\""), {"nothing can compute on this platform"}},
      {host("speed=\"1f\" core=\"4294967297\""),
       {"p.xml:5: host a: core='4294967297' is not a number of cores, 1 to 2147483647"}},
      {host("speed=\"1f\" core=\"1e3\""), {"core='1e3'"}},
      {host("speed=\"1f\" pstate=\"x\""), {"pstate='x' is no power state"}},
      {host("speed=\"1f\" coordinates=\"1 2 x\""), {"coordinates='1 2 x' are not three numbers"}},
      {host("speed=\"1f\"><prop id=\"memory\" value=\"1e300YiB\"/></host><host id=\"b\" speed=\"1f\""),
       {"memory='1e300YiB' is out of"}},
      {zone_of("<link id=\"l\" bandwidth=\"1Bps\" latency=\"0x10s\"/>" + kHosts), {"latency='0x10s' is not a latency"}},
      {zone_of("<link id=\"l\" bandwidth=\"1Bps\" latency=\"inf\"/>" + kHosts), {"latency='inf'"}},
      {zone_of("<link id=\"l\" bandwidth=\"1Bps\" latency=\"1e308w\"/>" + kHosts), {"in seconds"}},
      {zone_of("<link id=\"l\" bandwidth=\"nan\" latency=\"0\"/>" + kHosts), {"bandwidth='nan' is not a bandwidth"}},
      {zone_of("<link id=\"l\" bandwidth=\"1e308GBps\" latency=\"0\"/>" + kHosts), {"in bytes/s"}},
      {zone_of("<link id=\"l\" bandwidth=\"1Bps\"/>" + kHosts), {"link l: the attribute latency is missing"}},
      {radical("5-1"), {"p.xml:4: cluster c: radical='5-1' has a range that ends before it begins"}},
      {radical("0-1e9"), {"numbers of machines such as 0-9,12"}},
      {radical("0-99999999999"), {"radical='0-99999999999'"}},
      {radical("0-2147483647"), {"beyond 2147483646"}},
      {radical("0-3,2"), {"names the machine 2 twice"}},
      {radical("-3"), {"radical='-3'"}},
      {radical(""), {"radical=''"}},
      {radical("0-3\" topology=\"TORUS\" topo_parameters=\"3,2,x"), {"the dimensions of a torus"}},
      {radical("0-3\" topology=\"TORUS\" topo_parameters=\"3000,2000,2000"), {"makes 1.2e+10 machines", "numbers 4"}},
      {radical("0-3\" topology=\"FAT_TREE\" topo_parameters=\"99999999999;4,4;1,2;1,2"), {"a fat tree"}},
      {radical("0-3\" topology=\"DRAGONFLY\" topo_parameters=\"3,4;3,2;3,1;2"), {"makes 54 machines"}},
  });
}

TEST_CASE("All of SimGrid's units can be written, and are read as it reads them", "[platform]") {
  // Each by SimGrid's rule, spelled out: a power of 1000 or 1024 times the unit.
  using Units = std::vector<std::pair<std::string, double>>;
  Units bandwidths{{"", 1}, {"Bps", 1}, {"bps", 0.125}}, speeds{{"", 1}, {"f", 1}, {"flops", 1}};
  const std::string letters = "kMGTPEZY", upper = "KMGTPEZY";
  const std::vector<std::string> words{"kilo", "mega", "giga", "tera", "peta", "exa", "zeta", "yotta"};
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const double decimal = std::pow(1000.0, static_cast<double>(k + 1)),
                 binary = std::pow(1024.0, static_cast<double>(k + 1));
    for (const auto& [unit, scale] : Units{{"Bps", 1}, {"bps", 0.125}}) {
      bandwidths.emplace_back(letters[k] + unit, decimal * scale);
      bandwidths.emplace_back(upper[k] + ("i" + unit), binary * scale);
    }
    speeds.emplace_back(letters[k] + std::string("f"), decimal);
    speeds.emplace_back(words[k] + "flops", decimal);
  }
  const Units latencies{{"w", 604800}, {"d", 86400}, {"h", 3600},  {"m", 60},   {"s", 1},
                        {"ms", 1e-3},  {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};
  std::string elements;
  for (std::size_t k = 0; k < bandwidths.size(); ++k)
    elements += "<link id=\"l" + std::to_string(k) + "\" bandwidth=\"3" + bandwidths[k].first + "\" latency=\"3" +
                latencies[k % latencies.size()].first + "\"/>\n";
  for (std::size_t k = 0; k < speeds.size(); ++k)
    elements += "<host id=\"h" + std::to_string(k) + "\" speed=\"3" + speeds[k].first + "\"/>\n";
  const Folder folder;
  const Platform p = load_platform(folder.file("p.xml", zone_of(elements)));
  REQUIRE(p.workstations.size() == speeds.size());
  REQUIRE(p.links.size() == bandwidths.size());
  for (std::size_t k = 0; k < speeds.size(); ++k) CHECK(p.workstations[k].speed_flops == Approx(3 * speeds[k].second));
  for (const Link& link : p.links) {
    const std::size_t k = std::stoul(link.name.substr(1));
    CHECK(link.bandwidth_Bps == Approx(3 * bandwidths[k].second));
    CHECK(link.latency_s == Approx(3 * latencies[k % latencies.size()].second));
  }
  for (const char* other : {"kps", "KBps", "kiBps", "kilof", "kflops", "Bs"})
    CHECK_THAT(complaint(folder, zone_of("<link id=\"l\" bandwidth=\"3" + std::string(other) + "\" latency=\"0s\"/>")),
               Catch::Contains("is not a bandwidth"));
}

TEST_CASE("A power state that a host does not begin in may have no speed", "[platform]") {
  const Folder folder;
  CHECK(load_platform(folder.file("p.xml", zone_of("<host id=\"a\" speed=\"2f,0f\"/>"))).workstations[0].speed_flops ==
        2);
  CHECK(load_platform(folder.file("p.xml", zone_of("<host id=\"a\" speed=\"0f,3f\" pstate=\"1\"/>")))
            .workstations[0]
            .speed_flops == 3);
}

TEST_CASE("What SimGrid does not know is refused with file, line and what is wanted", "[platform][error]") {
  check_all({
      {platform_of(""), {"the platform has no hosts"}},
      {zone_of(kHosts + "<include file=\"/etc/passwd\"/>"), {"p.xml:6: include: other files cannot be included"}},
      {platform_of("<zone id=\"z\" routing=\"Full\">" + kHosts + "</zone>\n<actor host=\"a\" function=\"f\"/>"),
       {"p.xml:6: actor", "job"}},
      {zone_of(kHosts + "<storage_type id=\"s\" size=\"1GB\"/>"), {"storage"}},
      {zone_of(kHosts + "text"), {"zone z: text stands between the elements here: '\\ntext\\n'"}},
      {zone_of("<host id=\"a&#27;[31m\" speed=\"1f\"/>"), {"host a\\x1b[31m: the attribute id has a control character"}},
      {zone_of(kHosts + "<route src=\"a\" dst=\"b\"><link_ctn id=\"m\"/></route>"),
       {"p.xml:6", "there is no link 'm'"}},
      {zone_of(kHosts + "<route src=\"a\" dst=\"x\"><link_ctn id=\"l\"/></route>"),
       {"p.xml:6", "dst='x' names nothing"}},
      {zone_of(kHosts + "<route src=\"a\" dst=\"b\"/>"), {"p.xml:6", "needs at least one"}},
      {zone_of(kHosts + "<link id=\"l\" bandwidth=\"1Bps\" latency=\"0\"/>"), {"p.xml:6", "two links are called 'l'"}},
      {zone_of("<host id=\"a\" speed=\"1f\"/>\n<host_link id=\"a\" up=\"x\" down=\"y\"/>", "Cluster"),
       {"p.xml:6", "there is no link 'x'"}},
      {zone_of("<peer id=\"p\" speed=\"1f\" bw_in=\"1Bps\" bw_out=\"1Bps\" coordinates=\"1 2 3\"/>"),
       {"p.xml:5: peer p", "Vivaldi"}},
      {zone_of("<prop id=\"access_point\" value=\"none\"/><host id=\"a\" speed=\"1f\"/>", "Wifi"),
       {"p.xml:5", "access point 'none'"}},
      {zone_of(kHosts + "<host_link id=\"a\" up=\"l\"/>", "Cluster"), {"the attribute down is missing"}},
  });
}

TEST_CASE("Zones may be nested, and not for ever", "[platform][error]") {
  const auto nested = [](int depth) {
    std::string begin, end;
    for (int k = 0; k < depth; ++k) {
      begin += "<zone id=\"z" + std::to_string(k) + "\" routing=\"Full\">\n";
      end += "</zone>";
    }
    return platform_of(begin + "<host id=\"a\" speed=\"1f\"/>" + end);
  };
  const Folder folder;
  CHECK(load_platform(folder.file("p.xml", nested(100))).workstations.size() == 1);
  CHECK_THAT(complaint(folder, nested(5000)), Catch::Contains("more than 256 deep"));
}

TEST_CASE("A platform that needs more memory than there is is refused before it is made",
          "[platform][memory_limit][error]") {
  const Folder folder;
  const std::string many = "0-2147483646", rest = " speed=\"1f\" bw=\"1Bps\" lat=\"0s\"";
  CHECK_THAT(complaint(folder, cluster_of("radical=\"" + many + "\"" + rest)),
             Catch::Contains("p.xml: this platform would need about 9.67 TB of memory; this machine has "));
  // A fat tree of few machines and very many cables.
  CHECK_THAT(
      complaint(
          folder,
          cluster_of("radical=\"0-3\" topology=\"FAT_TREE\" topo_parameters=\"2;2,2;1,2000000000;1,1000\"" + rest)),
      Catch::Contains("6 PB of memory"));
  const std::string sparse = folder.file("sparse", "");
  std::filesystem::resize_file(sparse, 1'000'000'000'000);
  CHECK_THROWS_WITH(load_platform(sparse), Catch::Contains("this file holds more than 64 MiB"));
  CHECK_THAT(complaint(folder, zone_of("<host id=\"a\" speed=\"1f\" state_file=\"sparse\"/>")),
             Catch::Contains("this file holds more than 1024 MiB"));
}

TEST_CASE("Profiles are read from ordinary files alone", "[platform][error]") {
  const Folder folder;
  REQUIRE(mkfifo((folder.path() + "/pipe").c_str(), 0600) == 0);
  for (const std::string file : {"pipe", "/dev/zero", "/"})
    for (const char* attribute : {"speed_file", "availability_file", "state_file"})
      CHECK_THAT(
          complaint(folder, zone_of("<host id=\"a\" speed=\"1f\" " + std::string(attribute) + "=\"" + file + "\"/>")),
          Catch::Contains("p.xml:5: host a: the profile '") && Catch::Contains("is no ordinary file"));
  CHECK_THAT(complaint(folder, zone_of(kHosts + "<trace id=\"t\" file=\"/dev/zero\" periodicity=\"1\"/>"
                                                "<trace_connect kind=\"SPEED\" trace=\"t\" element=\"a\"/>")),
             Catch::Contains("p.xml:6: trace t"));
}

TEST_CASE("Pairs that no message can go between are told from those with a route", "[platform]") {
  const Folder folder;
  const auto obstacles = [&](const std::string& text) {
    const Platform p = load_platform(folder.file("p.xml", text));
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < p.workstations.size(); ++a)
      for (std::size_t b = a + 1; b < p.workstations.size(); ++b) pairs.emplace_back(a, b);
    std::vector<std::string> out;
    for (const auto& route : look_for_routes(p, pairs).routes) out.push_back(route.no_route_reason);
    return out;
  };
  const std::string third = "<host id=\"c\" speed=\"1f\"/>",
                    route = "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>";
  using Texts = std::vector<std::string>;
  for (const char* routing : {"Full", "Floyd", "Dijkstra"}) {
    INFO(routing);
    CHECK(obstacles(zone_of(kHosts + third + route, routing)) == Texts{"", "no route", "no route"});
  }
  // SimGrid ends its process over these.
  CHECK(obstacles(zone_of(kHosts, "Dijkstra")) == Texts{"no route"});
  CHECK(obstacles(zone_of(kHosts, "Vivaldi")) == Texts{"no route"});
  CHECK(obstacles(platform_of(
            "<zone id=\"w\" routing=\"Full\">\n<zone id=\"x\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/></zone>"
            "<cluster id=\"y\" prefix=\"y\" suffix=\"\" radical=\"0\" speed=\"1f\" bw=\"1Bps\" lat=\"0s\"/></zone>")) ==
        Texts{"no route"});
  const std::string wireless = zone_of(
      "<prop id=\"access_point\" value=\"r\"/><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>"
      "<router id=\"r\"/><link id=\"air\" sharing_policy=\"WIFI\" bandwidth=\"54Mbps,36Mbps\" latency=\"0\"/>",
      "Wifi");
  CHECK(obstacles(wireless) == Texts{"the link 'air' is wireless (WIFI); messages over such are not simulated"});
  CHECK_THROWS_WITH(find_routes(load_platform(folder.file("p.xml", wireless)), {{0, 1}}),
                    Catch::Contains("no message can go from 'a' to 'b': the link 'air' is wireless"));
}

TEST_CASE("Looking for routes ends in the time that it is given, however many children SimGrid ends over them",
          "[platform][timeout]") {
  const Folder folder;
  std::string hosts;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t a = 0; a < 60; ++a) {
    hosts += "<host id=\"h" + std::to_string(a) + "\" speed=\"1f\"/>";
    for (std::size_t b = 0; b < a; ++b) pairs.emplace_back(a, b);
  }
  const Platform p = load_platform(folder.file("p.xml", zone_of(hosts, "Dijkstra")));
  CHECK_THROWS_WITH(look_for_routes(p, pairs, 0.05), Catch::EndsWith("it took longer than 0.05 s"));
  CHECK_THROWS_AS(find_routes(p, pairs, 0.05), RunError);
}

TEST_CASE("What SimGrid says as it ends is told in a user's words", "[simgrid_words]") {
  const auto told = [](const std::string& said) { return in_users_words(said).sentence; };
  CHECK(
      told("Failed to protect stack: Cannot allocate memory.") ==
      "the engine simgrid needs more memory areas than the system lets a process have (vm.max_map_count), two for each "
      "workstation; the engine direct needs none (run.engine: direct), and fewer workstations need less");
  CHECK_FALSE(in_users_words("Failed to protect stack: Cannot allocate memory.").is_input);
  CHECK(in_users_words("No route from 'a' to 'b'").is_input);
  CHECK_FALSE(in_users_words("No route from 'a' to 'b'").is_limit);
  CHECK_THAT(told("The route from A b to C begins with the WIFI link AP1, but the host A b does not seem attached to "
                  "that WIFI link. "
                  "Did you call link->set_host_rate()?"),
             Catch::StartsWith("the link 'AP1' between 'A b' and 'C' is wireless"));
  CHECK(told("Uncaught exception simgrid::AssertionError by maestro/0: Bad gateways for route from 'a' to 'b'.") ==
        "there is no route from 'a' to 'b'");
  CHECK(told("Please specify the Vivaldi coordinates of Netzone x (0x55daa2ee0180)") ==
        "'x' stands in a zone with routing=\"Vivaldi\", and has no coordinates to compute routes by");
  CHECK(told("something else at (0x55daa2ee0180) fails\nand a list") == "something else at fails");
  CHECK_FALSE(in_users_words("something else").is_input);
}
