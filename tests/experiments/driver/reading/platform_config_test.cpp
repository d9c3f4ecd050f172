// The `platform:` block: generated workstations, files, shipped ones by name, and parts of them.
#include "experiments/driver/reading/platform_config.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "experiments/driver/reading/shipped_files.hpp"
#include "sim/platform/routes.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/reading_fixture.hpp"
#include "tests/experiments/driver/sentences.hpp"
#include "tests/paths.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string kLab = source_folder() + "/platforms/lab-now.xml";

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

const std::string kSparc = source_folder() + "/platforms/sparc-now.xml";

/// A block over that file in braces.
std::string sparc(const std::string& more) { return "file: " + kSparc + ", " + more; }

const std::string kCluster = source_folder() + "/platforms/fast-slow-myrinet.xml";
std::string cluster(const std::string& more) { return "file: " + kCluster + ", " + more; }

/// A file in a new folder: hosts a to d in a zone with these properties.
std::string with_sets(const Folder& folder, const std::string& properties) {
  std::string hosts;
  for (const char* name : {"a", "b", "c", "d"}) hosts += "<host id=\"" + std::string(name) + "\" speed=\"1f\"/>";
  return folder.file("p.xml", "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                              "<platform version=\"4.1\"><zone id=\"z\" routing=\"None\">\n" +
                                  properties + hosts + "</zone></platform>\n");
}

std::vector<std::string> names_of(const Platform& platform) {
  std::vector<std::string> names;
  for (const auto& w : platform.workstations) names.push_back(w.name);
  return names;
}

}  // namespace

TEST_CASE("Workstations are generated with what is given, and defaults", "[reads][platform]") {
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

TEST_CASE("Speeds can be drawn, behind machines that are spared", "[platform]") {
  const std::string drawn = "drawn: {fastest: 4f, slowest: 1f, d_conf: 0.6, ";
  const auto four = platform("workstations: 5, speed: 9f, " + drawn + "spared: 1}");
  CHECK(four->workstations[0].speed_flops == 9);
  CHECK(four->workstations[1].speed_flops == 4);
  CHECK(four->workstations[4].speed_flops == 1);
  double sum = 0;
  for (std::size_t i = 1; i < 5; ++i) sum += four->workstations[i].speed_flops;
  CHECK(sum == Approx(10));
  CHECK(platform("workstations: 4, " + drawn + "number: 2}")->workstations[1].speed_flops !=
        platform("workstations: 4, " + drawn + "number: 3}")->workstations[1].speed_flops);
  const auto three = platform("workstations: 8, " + drawn + "distinct: 3}");
  std::set<double> speeds;
  for (const auto& w : three->workstations) speeds.insert(w.speed_flops);
  CHECK(speeds.size() == 3);
  check_said(complaint, "e.yaml:2: ", {
      {"workstations: 4, drawn: {fastest: 4f, slowest: 1f}", "platform.drawn.d_conf: this key is missing"},
      {"workstations: 4, " + drawn + "distinct: 9}", "platform.drawn.d_conf: 4 machines can have 1 to 4 different speeds"},
      {"workstations: 4, speed: 2f, " + drawn + "spared: 4}", "platform.drawn.spared: of 4 workstations at most 3 can be spared"},
      {"workstations: 4, speed: 2f, " + drawn + "number: 1}", "platform.speed: it is that of spared machines"},
      {"workstations: 4, " + drawn + "spared: 1}", "platform.drawn.spared: machines that are spared have `speed`"},
      {"speeds: [1f, 2f], " + drawn + "number: 1}", "platform.speeds: it does not go with drawn"},
      {"workstations: 4, drawn: 3",
       "platform.drawn: this block is a map, such as {fastest: 2Gf, slowest: 1Gf, d_conf: 0.5}"},
      {"workstations: 4, drawn: [1f, 2f]", "platform.drawn: this block is a map, such as {"},
  });
}

TEST_CASE("The number of a draw can be swept: each has machines of its own, and a value in its place is refused",
          "[platform]") {
  PlatformCache cache;
  const auto draw = [&](int number) {
    const std::string drawn = "drawn: {fastest: 4f, slowest: 1f, d_conf: 0.6, number: ";
    return platform("workstations: 6, " + drawn + std::to_string(number) + "}", cache);
  };
  std::set<std::shared_ptr<const Platform>> all;
  std::set<double> seconds;
  for (int number = 1; number <= 20; ++number) {
    all.insert(draw(number));
    seconds.insert(draw(number)->workstations[1].speed_flops);
  }
  CHECK(all.size() == 20);
  CHECK(seconds.size() == 20);
  CHECK(all.contains(draw(7)));
  const std::string swept =
      "nowsim: 1\ntitle: t\n"
      "platform: {workstations: 6, drawn: {fastest: 4f, slowest: 1f, d_conf: 0.6}}\n"
      "job: {workload: base-task, work: 90f}\nowner: {model: dedicated}\nmetrics: [tau]\n"
      "sweep: {platform.drawn.number: {from: 1, to: 5, step: 1}}\n";
  CHECK(problems_of(swept) == "");
  CHECK_THAT(problems_of(swept, {"platform.drawn=4"}), Contains("platform.drawn: this "));
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

TEST_CASE("Machines of a file that has no network can be given one, and stay what they are", "[platform]") {
  const Folder folder;
  const auto file_with = [&folder](const std::string& name) {
    return folder.file("p.xml", "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                                "<platform version=\"4.1\"><zone id=\"z\" routing=\"None\">\n<host id=\"" + name +
                                    "\" speed=\"3f\" core=\"2\"><prop id=\"memory\" value=\"1kB\"/></host>\n"
                                    "<host id=\"b\" speed=\"1f\"/><host id=\"c\" speed=\"1f\"/></zone></platform>\n");
  };
  const std::string file = "file: " + file_with("a"), network = ", network: switch, bandwidth: 1kBps, latency: 2ms";
  PlatformCache cache;
  const auto joined = platform(file + network, cache);
  const auto made = platform("names: [a, b, c], speeds: [3, 1, 1]" + network);
  const WorkstationPairs pairs{{0, 1}, {1, 0}, {2, 2}};
  const auto routes = find_routes(*joined, pairs), wanted = find_routes(*made, pairs);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    CHECK(routes[k].links == wanted[k].links);
    CHECK(routes[k].latency_s == wanted[k].latency_s);
    CHECK(routes[k].bandwidth_Bps == wanted[k].bandwidth_Bps);
  }
  CHECK(joined->workstations[0].cores == 2);
  CHECK(joined->workstations[0].extras->memory_bytes == 1000);
  CHECK(platform(file + network, cache) == joined);
  CHECK(platform(file + ", network: links, bandwidth: 1kBps, latency: 2ms", cache) != joined);
  CHECK_FALSE(platform(file, cache)->has_network());
  CHECK_FALSE(platform(file + ", network: none", cache)->has_network());
  CHECK(names_of(*platform(file + ", hosts: [c, b]" + network)) == std::vector<std::string>{"c", "b"});
  CHECK_THAT(complaint("file: " + kLab + network), Contains("platform.network: " + kLab + " has a network of its own"));
  CHECK_THAT(complaint(file + ", network: bus"), Contains("platform.bandwidth: this key is missing"));
  CHECK_THAT(complaint("file: " + file_with("a b") + network), Contains("'a b' cannot be a workstation's name"));
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
  check_said(complaint, "e.yaml:2: ", {
      {"workstations: 0", "platform.workstations: 0 is out of range: it must be at least 1"},
      {"speed: 0", "platform.speed: 0 is out of range: it must be more than 0"},
      {"speeds: [1, 0]", "platform.speeds: 0 is out of range"},
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
      {"file: " + kLab + ", workstations: 11", "platform.workstations: 11 workstations are more than the 10 there are"},
      {"file: " + kLab + ", hosts: [desk1, desk33]", "platform.hosts: there is no workstation 'desk33' in " + kLab},
      {"file: " + kLab + ", hosts: [desk33], workstations: 4", "did you mean 'desk3'?"},
      {"file: " + kLab + ", hosts: [desk1, desk1]", "platform.hosts: the workstation 'desk1' is named twice"},
      {"speed_ratio: 2", "platform.speed_ratio: one workstation has no other to be faster"},
      {"speeds: [1f, 2f], speed_ratio: 2", "platform.speed_ratio: it goes with speed"},
      {"workstations: 2, speed_ratio: 0", "platform.speed_ratio: 0 is out of range"},
      {"workstations: 2, speed_ratio: 2f", "platform.speed_ratio: '2f'"},
  });
}

TEST_CASE("A malformed platform file is named with its own line", "[platform][error]") {
  const Folder folder;
  const std::string file = folder.file("p.xml", "<?xml version='1.0'?>\n<platform version=\"4.1\">\n<zone\n");
  CHECK_THAT(complaint("file: " + file), Catch::StartsWith(file + ":"));
}

TEST_CASE("Power weights make the speeds of a program", "[platform]") {
  const auto ep = platform(sparc("weights: ep, speed: 10Mf, hosts: [classic-2, sparc10-1, sparc5-5]"));
  CHECK(ep->workstations[0].speed_flops == 0.39 * 10e6);
  CHECK(ep->workstations[1].speed_flops == 0.91 * 10e6);
  CHECK(ep->workstations[2].speed_flops == 10e6);
  CHECK(ep->links.front().bandwidth_Bps == 1e6);
  CHECK(platform(sparc("weights: merge-sort, speed: 1, workstations: 2"))->workstations[1].speed_flops == 0.82);
  // As the file has it.
  const auto mm = platform(sparc("weights: matrix-multiply, speed: = 3.75e6 / 0.83"));
  const auto plain = platform("file: " + kSparc);
  for (std::size_t i = 0; i < 13; ++i)
    CHECK(mm->workstations[i].speed_flops == Approx(plain->workstations[i].speed_flops).epsilon(1e-15));
}

TEST_CASE("A set's machines take part in its order, or the first few of them", "[platform]") {
  const std::string sets = "sets: {two: [classic-1, sparc5-2], 203: [sparc5-1, classic-3, sparc10-2], one: sparc5-4}, ";
  CHECK(names_of(*platform(sparc(sets + "set: two"))) == std::vector<std::string>{"classic-1", "sparc5-2"});
  CHECK(names_of(*platform(sparc(sets + "set: one"))) == std::vector<std::string>{"sparc5-4"});
  const std::vector<std::string> three{"sparc5-1", "classic-3", "sparc10-2"};
  CHECK(names_of(*platform(sparc(sets + "set: 203"))) == three);
  CHECK(names_of(*platform(sparc(sets + "set: = 2 * 100 + 3"))) == three);
  CHECK(names_of(*platform(sparc("sets: {100000: [sparc5-1]}, set: = 1e5"))) == std::vector<std::string>{"sparc5-1"});
  CHECK(names_of(*platform(sparc(sets + "set: 203, workstations: 2"))) ==
        std::vector<std::string>{"sparc5-1", "classic-3"});
}

TEST_CASE("Hosts can be named by patterns, in lists and in one text", "[platform][hosts]") {
  const std::vector<std::string> four{"slow-3", "fast-0", "fast-1", "fast-7"};
  CHECK(names_of(*platform(cluster("hosts: [slow-3, 'fast-[0-1,7]']"))) == four);
  CHECK(names_of(*platform(cluster("hosts: 'slow-3 fast-[0-1,7]'"))) == four);
  CHECK(names_of(*platform(cluster("sets: {mine: 'slow-3 fast-[0-1,7]'}, set: mine"))) == four);
  CHECK(names_of(*platform(cluster("hosts: 'slow-3 fast-[0-1,7]', workstations: 1"))) ==
        std::vector<std::string>{"slow-3"});
}

TEST_CASE("A machine whose name looks like a pattern is found by it", "[platform][hosts]") {
  const Folder folder;
  const std::string file = folder.file(
      "p.xml", "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\"><zone id=\"z\" routing=\"None\"><host id=\"n[1-2]\" speed=\"1f\"/>"
               "<host id=\"n1\" speed=\"1f\"/><host id=\"the fast one\" speed=\"1f\"/></zone></platform>\n");
  CHECK(names_of(*platform("file: " + file + ", hosts: ['n[1-2]']")) == std::vector<std::string>{"n[1-2]"});
  CHECK(names_of(*platform("file: " + file + ", hosts: ['the fast one', 'n[1]']")) ==
        std::vector<std::string>{"the fast one", "n1"});
}

TEST_CASE("The fast and slow cluster's sets hold the mixes that its file states", "[platform][hosts][bosque]") {
  const auto fast_of = [](const std::string& set, std::size_t count) {
    const auto p = platform(cluster("set: " + set + ", workstations: " + std::to_string(count)));
    CHECK(p->workstations.size() == count);
    return std::ranges::count(p->workstations, 527e6, &Workstation::speed_flops);
  };
  //                                     P = 2  4  8  16  32  64 128  256  512
  const std::map<std::string, std::vector<int>> fast{{"homogeneous", {2, 4, 8, 16, 32, 64, 128, 256, 512}},
                                                     {"slow-first", {0, 0, 0, 0, 0, 0, 0, 0, 256}},
                                                     {"fast-first", {2, 4, 8, 16, 32, 64, 128, 256, 256}},
                                                     {"blocks", {2, 2, 2, 10, 10, 42, 42, 170, 170}}};
  for (const auto& [set, counts] : fast)
    for (std::size_t k = 0, p = 2; k < counts.size(); ++k, p *= 2) {
      INFO(set << ' ' << p);
      CHECK(fast_of(set, p) == counts[k]);
    }
  CHECK(names_of(*platform(cluster("set: blocks, workstations: 5"))) ==
        std::vector<std::string>{"fast-0", "fast-1", "slow-0", "slow-1", "slow-2"});
}

TEST_CASE("An experiment's own set goes before the file's of the same name", "[platform][hosts]") {
  CHECK(names_of(*platform(cluster("sets: {blocks: [slow-5]}, set: blocks"))) == std::vector<std::string>{"slow-5"});
  CHECK(platform(cluster("sets: {mine: [slow-5]}, set: slow-first"))->workstations.size() == 512);
}

TEST_CASE("Sets of the file's are of the file's machines whatever else is changed", "[platform][hosts]") {
  const Folder folder;
  const std::string file = with_sets(folder, "<prop id=\"set two\" value=\"d a\"/>\n");
  CHECK(names_of(*platform("file: " + file + ", set: two")) == std::vector<std::string>{"d", "a"});
  CHECK(platform("file: " + file)->workstations.size() == 4);
  const auto part = platform(cluster("set: blocks, workstations: 2"));
  CHECK(part->sets.contains("blocks"));
  const auto changed = platform("file: " + kSparc + ", links: {ethernet: {latency: 1ms}}");
  CHECK(changed->sets.empty());
}

TEST_CASE("Every wrong list of hosts is one sentence", "[platform][hosts][error]") {
  check_said(complaint, "e.yaml:2: ", {
      {cluster("hosts: 'fast-[510-515]'"), "platform.hosts: there is no workstation 'fast-512' in " + kCluster +
                                               " (from 'fast-[510-515]'; 3 more like it)\n"},
      {cluster("hosts: 'fast-[511-512]'"), "there is no workstation 'fast-512' in " + kCluster + " (from 'fast-[511-512]')\n"},
      {cluster("hosts: fats-0"), "there is no workstation 'fats-0' in " + kCluster + "; did you mean 'fast-0'?\n"},
      {cluster("hosts: 'fast-[0-3] fast-2'"), "platform.hosts: the workstation 'fast-2' is named twice\n"},
      {cluster("hosts: 'fast-[0\xE2\x80\x93" "3]'"), "platform.hosts: 'fast-[0\xE2\x80\x93" "3]' has brackets with '0\xE2\x80\x93" "3' where a whole number"
                                                    " belongs, as in [0-15] or [0-3,8]: it holds '\xE2\x80\x93' (U+2013, a typographic dash, where '-' is wanted)\n"},
      {cluster("hosts: fast\xE2\x88\x92" "0"), "; it holds '\xE2\x88\x92' (U+2212, a typographic minus, where '-' is wanted)"},
      {cluster("hosts: [' ']"), "platform.hosts: a name is missing: ' ' names no workstation"},
      {cluster("hosts: [fast-0, '']"), "platform.hosts: a name is missing: '' names no workstation"},
      {cluster("hosts: 'fast-2 fast-[0-3]'"), "the workstation 'fast-2' is named twice (from 'fast-[0-3]')\n"},
      {cluster("hosts: 'fast-[0-3,1-2]'"),
       "the workstation 'fast-1' is named twice (from 'fast-[0-3,1-2]'; 1 more like it)\n"},
      {cluster("hosts: 'fast-[3-0]'"), "platform.hosts: 'fast-[3-0]' has a range that runs backwards: 3-0\n"},
      {cluster("sets: {a: 'fast-[0-3'}, set: a"), "platform.sets.a: 'fast-[0-3' has a [ without its ]\n"},
      {cluster("sets: {a: 'slow-[0-600]'}, set: blocks"), "platform.sets.a: there is no workstation 'slow-512'"},
      {cluster("sets: {a: ' '}, set: a"), "platform.sets.a: a name is missing: ' ' names no workstation"},
      {cluster("sets: {mine: [slow-5]}, set: other"),
       "platform.set: there is no set 'other'; there are: blocks, fast-first, few-118, "},
      {cluster("set: block"), "platform.set: there is no set 'block'; did you mean 'blocks'?\n"},
      {cluster("set: blocks, workstations: 513"), "513 workstations are more than the 512 there are"},
  });
}

TEST_CASE("A host of speed 0 is named where work would be put on it", "[platform][hosts][error]") {
  const Folder folder;
  const std::string file = folder.file(
      "p.xml", "<?xml version='1.0'?><!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\"><platform version=\"4.1\">"
               "<zone id=\"z\" routing=\"None\"><host id=\"n0\" speed=\"1f\"/><host id=\"n1\" speed=\"0Gf\"/></zone></platform>");
  const std::string said = "the host 'n1' has the speed 0 in " + file + ": nothing computes there";
  CHECK(platform("file: " + file)->workstations.size() == 1);
  check_said(complaint, "e.yaml:2: ", {
      {"file: " + file + ", hosts: [n0, n1]", "platform.hosts: " + said},
      {"file: " + file + ", hosts: 'n[0-1]'", "platform.hosts: " + said + " (from 'n[0-1]')"},
      {"file: " + file + ", sets: {a: n1}, set: a", "platform.sets.a: " + said},
  });
}

TEST_CASE("A wrong set of a file is a sentence with the file's line", "[platform][hosts][error]") {
  const std::vector<std::pair<std::string, std::string>> table{
      {"<prop id=\"set \" value=\"a\"/>", ":4: set : a set has a name"},
      {"<prop id=\"set x\" value=\" \"/>", ":4: set x: a set has at least one workstation"},
      {"<prop id=\"set x\" value=\"a\"/>\n<prop id=\"set x\" value=\"b\"/>", ":5: set x: this set is defined twice"},
      {"<prop id=\"set x\" value=\"a b a\"/>", ":4: set x: the workstation 'a' is named twice"},
      {"<prop id=\"set x\" value=\"a\"/>\n<prop id=\"set y\" value=\"e\"/>", ":5: set y: there is no workstation 'e'"},
      {"<prop id=\"set x\" value=\"[a\"/>", ":4: set x: '[a' has a [ without its ]"},
  };
  for (const auto& [properties, sentence] : table) {
    const Folder folder;
    const std::string file = with_sets(folder, properties + "\n");
    INFO(properties);
    CHECK_THAT(complaint("file: " + file + ", set: x"), Contains(file + sentence));
  }
}

TEST_CASE("A link has the figures that the experiment gives", "[platform]") {
  const auto figures = [](const std::string& links) {
    const auto p = platform(sparc("links: {" + links + "}"));
    REQUIRE(p->links.size() == 1);
    return std::pair(p->links[0].bandwidth_Bps, p->links[0].latency_s);
  };
  CHECK(figures("ethernet: {bandwidth: 500kBps, latency: 1ms}") == std::pair(5e5, 1e-3));
  CHECK(figures("ethernet: {bandwidth: = 2 * 250e3}") == std::pair(5e5, 2e-3));
  CHECK(figures("ethernet: {latency: 0s}") == std::pair(1e6, 0.0));
}

TEST_CASE("Points with the same machines, weights and links share a platform, others do not", "[platform]") {
  PlatformCache cache;
  const std::vector<std::string> blocks{
      sparc("workstations: 2"),
      sparc("weights: ep, speed: 1, workstations: 2"),
      sparc("weights: ep, speed: 2, workstations: 2"),
      sparc("weights: ep, speed: 1, workstations: 3"),
      sparc("weights: cholesky, speed: 1, workstations: 4"),
      sparc("links: {ethernet: {bandwidth: 500}}, workstations: 2"),
      sparc("links: {ethernet: {latency: 500}}, workstations: 2"),
      sparc("links: {ethernet: {bandwidth: 500}}, weights: ep, speed: 1, workstations: 2"),
      sparc("sets: {a: [sparc5-1, sparc5-2]}, set: a"),
      sparc("sets: {a: [sparc5-2, sparc5-1]}, set: a"),
  };
  std::set<std::shared_ptr<const Platform>> all;
  for (const auto& block : blocks) all.insert(platform(block, cache));
  CHECK(all.size() == blocks.size());
  for (const auto& block : blocks) CHECK(all.contains(platform(block, cache)));
  CHECK(all.contains(platform(sparc("hosts: [sparc5-2, sparc5-1]"), cache)));
  // Two programs that have the same weight on these machines.
  CHECK(platform(sparc("hosts: [sparc10-1], weights: ep, speed: 1"), cache) ==
        platform(sparc("hosts: [sparc10-1], weights: cholesky, speed: 1"), cache));
}

TEST_CASE("Generated machines have the speeds of a formula in i", "[platform]") {
  const auto p = platform("workstations: 4, speed: = 1 + 2 * (i == 1) + i / 4");
  CHECK(p->workstations[0].speed_flops == 3.25);
  CHECK(p->workstations[3].speed_flops == 2);
  ReadingOf through("let: {fast: 2, s: '= 3', of: = i * let.fast}\nplatform: {workstations: 3, speed: = let.of}\n");
  PlatformCache cache;
  const auto q = read_platform(through.reading, cache);
  REQUIRE(q);
  CHECK(through.found().empty());
  CHECK(q->workstations[2].speed_flops == 6);
  CHECK(through.reading.variables.empty());
  // An experiment's own i is its own.
  ReadingOf own("let: {i: 7}\nplatform: {workstations: 2, speed: = i, speed_ratio: 2}\n");
  const auto r = read_platform(own.reading, cache);
  REQUIRE(r);
  CHECK(r->workstations[0].speed_flops == 7);
  CHECK(r->workstations[1].speed_flops == 14);
}

TEST_CASE("Wrong weights, sets, links and formulas are one sentence each", "[platform][error]") {
  const std::string sets = "sets: {slow: [classic-1, classic-2], fast: [sparc5-1]}";
  check_said(complaint, "e.yaml:2: ", {
      {sparc("weights: epp, speed: 1"), "platform.weights: workstation 'sparc10-1' in " + kSparc +
                                            " has no property 'weight:epp'; did you mean 'ep'?"},
      {sparc("weights: gauss, speed: 1"), "; there are: cholesky, edge-detection, ep, matrix-multiply, merge-sort"},
      {sparc("weights: ep"), "platform.speed: this key is missing"},
      {sparc("weights: ep, speed: 0"), "platform.speed: 0 is out of range: it must be more than 0"},
      {sparc("weights: '', speed: 1"), "has no property 'weight:'; there are: cholesky"},
      {"file: " + kLab + ", weights: ep, speed: 1", "workstation 'desk1' in " + kLab + " has no property 'weight:ep'"},
      {sparc(sets + ", set: slo"), "platform.set: there is no set 'slo'; did you mean 'slow'?"},
      {sparc(sets + ", set: 7"), "platform.set: there is no set '7'; there are: fast, slow"},
      {sparc(sets + ", set: = 7 / 2"), "platform.set: '= 7 / 2' comes to 3.5, which is not a whole number"},
      {sparc(sets + ", set: = x"), "platform.set: the formula uses 'x'"},
      {sparc(sets), "platform.set: this key is missing: it says which set takes part; there are: fast, slow"},
      {sparc("set: slow"), "platform.set: there are no sets"},
      {sparc(sets + ", set: slow, hosts: [sparc5-1]"), "platform.hosts: give either hosts or a set"},
      {sparc(sets + ", set: slow, workstations: 3"),
       "platform.workstations: 3 workstations are more than the 2 there are"},
      {sparc("sets: {a: [sparc5-1], b: [sparc5-11]}, set: a"),
       "platform.sets.b: there is no workstation 'sparc5-11' in " + kSparc + "; did you mean 'sparc5-1'?"},
      {sparc("sets: {a: [sparc5-1, sparc5-1]}, set: a"), "platform.sets.a: the workstation 'sparc5-1' is named twice"},
      {sparc("sets: {a: []}, set: a"), "platform.sets.a: a set has at least one workstation"},
      {sparc("sets: {a: }, set: a"), "platform.sets.a: there is no value behind this key"},
      {sparc("links: {ethernett: {latency: 1s}}"),
       "platform.links.ethernett.latency: there is no link 'ethernett' in " + kSparc + "; did you mean 'ethernet'?"},
      {sparc("links: {bus: {latency: 1s}}"), "there is no link 'bus' in " + kSparc + "; there are: ethernet"},
      {sparc("links: {ethernet: 1s}"), "platform.links.ethernet: a link's figures are a block such as {"},
      {sparc("links: {ethernet: {bandwidth: 0}}"), "platform.links.ethernet.bandwidth: 0 is out of range: it must"},
      {"workstations: 3, speed: = i - 2",
       "platform.speed: '= i - 2' with i = 1 comes to -1, which is out of range: it must be more than 0"},
      {"workstations: 3, speed: = i + j", "platform.speed: the formula uses 'j'"},
      {"workstations: 3, speed: = i, speed_ratio: 2", "platform.speed_ratio: it goes with one speed, not with a formula"},
  });
}

TEST_CASE("Weights that are no numbers above 0, and links that vary by profiles, are refused", "[platform][error]") {
  const Folder folder;
  folder.file("l.profile", "0 500\n");
  folder.file("p.xml",
              "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
              "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"
              "<host id=\"a\" speed=\"1f\"><prop id=\"weight:x\" value=\"much\"/>"
              "<prop id=\"weight:y\" value=\"1\"/></host>"
              "<host id=\"b\" speed=\"1f\"><prop id=\"weight:x\" value=\"0\"/></host>"
              "<link id=\"l\" bandwidth=\"1kBps\" latency=\"1ms\" bandwidth_file=\"l.profile\"/>"
              "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>\n");
  const std::string file = "file: " + folder.path() + "/p.xml, ";
  CHECK_THAT(complaint(file + "weights: x, speed: 1, hosts: [a]"), Contains("weight:x='much' of workstation 'a'"));
  CHECK_THAT(complaint(file + "weights: x, speed: 1, hosts: [b]"), Contains("weight:x='0' of workstation 'b'"));
  CHECK_THAT(complaint(file + "weights: y, speed: 1"),
             Contains("workstation 'b'") && Contains("no property 'weight:y'\n"));
  CHECK(platform(file + "weights: y, speed: 3, hosts: [a]")->workstations[0].speed_flops == 3);
  CHECK_THAT(complaint(file + "links: {l: {latency: 1s}}"),
             Contains("platform.links.l.latency: the link 'l' has a bandwidth or latency profile in "));
}

TEST_CASE("Machines fail by an exponential law, but for the first ones that are spared", "[platform][failures]") {
  const auto failing = platform("workstations: 4, speed: 2Mf, failures: {rate: 0.001, repair: 5min, spared: 2}");
  CHECK_FALSE(failing->workstations[0].extras->state_profile);
  CHECK_FALSE(failing->workstations[1].extras->state_profile);
  for (const std::size_t i : {2, 3}) {
    REQUIRE(failing->workstations[i].extras->state_profile);
    const Profile& profile = *failing->workstations[i].extras->state_profile;
    CHECK(profile == parse_profile(write_profile(profile), "written", ProfileQuantity::state));
    CHECK(profile_moments(profile, ProfileQuantity::state, 1).mean == Approx(1000.0 / 1300));
  }
  const auto usual = platform("file: " + kLab + ", workstations: 3, failures: {rate: 1e-4, repair: 1h}");
  CHECK_FALSE(usual->workstations[0].extras->state_profile);
  CHECK(usual->workstations[1].extras->state_profile);
}

TEST_CASE("A failure rate of 0 leaves the platform as it is, and a sweep shares platforms", "[platform][failures]") {
  PlatformCache cache;
  const std::string machines = "workstations: 3, speed: 1Mf";
  CHECK(platform(machines + ", failures: {rate: 0}", cache) == platform(machines, cache));
  const auto often = platform(machines + ", failures: {rate: 0.1, repair: 1s}", cache);
  CHECK(often == platform(machines + ", failures: {rate: 0.1, repair: 1s}", cache));
  CHECK(often != platform(machines + ", failures: {rate: 0.2, repair: 1s}", cache));
  CHECK(often != platform(machines + ", failures: {rate: 0.1, repair: 2s}", cache));
  CHECK(often != platform("workstations: 3, speed: 2Mf, failures: {rate: 0.1, repair: 1s}", cache));
}

TEST_CASE("Every wrong block of failures is one sentence with its line and key", "[platform][failures][error]") {
  const Folder folder;
  folder.file("state", "0 1\n5 0\n");
  const std::string file = folder.file(
      "p.xml",
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/>"
      "<host id=\"b\" speed=\"1f\" state_file=\"state\"/><host id=\"c\" speed=\"1f\"/></zone></platform>\n");
  check_said(complaint, "e.yaml:2: ", {
      {"failures: {repair: 1s}", "platform.failures.rate: this key is missing"},
      {"failures: {rate: 0.1}", "platform.failures.repair: this key is missing"},
      {"failures: {rate: 0.1, repair: 0s}", "platform.failures.repair: 0 is out of range: it must be more than 0"},
      {"failures: {rate: -1, repair: 1s}", "platform.failures.rate: -1 is out of range"},
      {"failures: {rate: 1/h, repair: 1s}",
       "platform.failures.rate: '1/h' is not a number: the rate is in failures per second, written without a unit; "
       "'= 1/3600' is one an hour"},
      {"workstations: 3, speed: 1f, failures: {rate: 1, repair: 1s, spared: 3}",
       "platform.failures.spared: 3 of 3 workstations are spared, so none ever fails"},
      {"file: " + file + ", failures: {rate: 1, repair: 1s}", "workstation 'b' has a state_file of its own in " + file},
  });
  const auto own = platform("file: " + file + ", failures: {rate: 1, repair: 1s, spared: 2}");
  CHECK(own->workstations[1].extras->state_profile);  // the file's
}

TEST_CASE("Nobody need fail where the rate is 0, or where one machine is alone", "[platform][failures]") {
  CHECK(platform("workstations: 3, speed: 1f, failures: {rate: 0, spared: 3}")->workstations.size() == 3);
  const auto alone = platform("workstations: 1, speed: 1f, failures: {rate: 1, repair: 1s}");
  CHECK_FALSE(alone->workstations[0].extras->state_profile);
}

TEST_CASE("A platform is found by its name, also where a folder has that name, and not where a file has",
          "[named_files]") {
  const Folder folder;
  fs::create_directories(folder.path() + "/shipped");
  const std::string shipped = folder.file("shipped/lab-now.xml", ""), mine = folder.path() + "/lab-now";
  const NamedFiles files{.platforms = folder.path() + "/shipped"};
  CHECK(files.shipped_platform("lab-now", mine) == shipped);
  fs::create_directory(mine);
  CHECK(files.shipped_platform("lab-now", mine) == shipped);
  CHECK(files.shipped_platform(mine, mine).empty());  // the folder is named as such
  CHECK(files.shipped_platform("lab-now.xml", folder.file("lab-now.xml", "")).empty());
}
