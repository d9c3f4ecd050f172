// `nowsim plan --mpi`: placements that are known by hand, and what is written.
#include <catch2/catch.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

using Words = std::vector<std::string>;

/// A machine with its owner and its link in a star.
std::string host(const std::string& name, const std::string& speed, const std::string& owner = "") {
  const std::string prop = owner.empty() ? "" : "<prop id=\"owner\" value=\"{" + owner + "}\"/>";
  return "<host id=\"" + name + "\" speed=\"" + speed + "\">" + prop + "</host>\n<link id=\"l" + name +
         "\" bandwidth=\"1GBps\" latency=\"1us\" sharing_policy=\"SPLITDUPLEX\"/>\n<host_link id=\"" + name + "\" up=\"l" +
         name + "_UP\" down=\"l" + name + "_DOWN\"/>\n";
}

/// A folder with list.txt, a program of four ranks that compute 2, 1, 4 and 3 Gflop and tell the next one; pair.txt, of
/// two that compute 10 Gflop each; lab.xml, two fast and two slow machines and one whose owner never leaves; and
/// steady.xml, one machine that is the fastest on average and two that are always there.
struct RecordedLab : Folder {
  RecordedLab() {
    program("list", {"2e9", "1e9", "4e9", "3e9"});
    program("pair", {"10e9", "10e9"});
    const std::string half = "model: intervals, value: beta, mean: 0.5, TH: 0.2, interval: 100ms";
    platform("lab", host("busy", "9Gf", "model: duty-cycle, u: 100%") + host("slow1", "1Gf", half) +
                        host("fast1", "2Gf", half) + host("slow2", "1Gf", half) + host("fast2", "2Gf", half));
    platform("steady", host("moody", "2.4Gf", "model: intervals, value: two-point, mean: 0.5, TH: 0.5, interval: 5s") +
                           host("steady1", "1Gf") + host("steady2", "1Gf"));
  }
  void program(const std::string& name, const Words& rank_flop) const {
    std::string list;
    const std::size_t n = rank_flop.size();
    for (std::size_t rank = 0; rank < n; ++rank) {
      const std::string r = std::to_string(rank), next = std::to_string((rank + 1) % n),
                        before = std::to_string((rank + n - 1) % n), text_file = name + "-" + r + ".txt";
      (void)file(text_file, r + " init\n" + r + " compute " + rank_flop[rank] + "\n" + r + " isend " + next +
                                " 0 1000 6\n" + r + " recv " + before + " 0 1000 6\n" + r + " waitall 1\n" + r +
                                " finalize\n");
      list += text_file + "\n";
    }
    (void)file(name + ".txt", list);
  }
  void platform(const std::string& name, const std::string& hosts) const {
    (void)file(name + ".xml",
               "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
               "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Cluster\">\n" +
                   hosts + "<backbone id=\"b\" bandwidth=\"10GBps\" latency=\"1us\"/>\n</zone>\n</platform>\n");
  }
  [[nodiscard]] ProgramRun plan(Words words) const {
    words.insert(words.begin(), {"plan", "lab.xml", "--mpi", "list.txt"});
    return run_program(words, path());
  }
};

}  // namespace

TEST_CASE("Heavy ranks get fast machines, and what an owner never leaves gets none", "[computes][plan][mpi]") {
  const RecordedLab lab;
  const ProgramRun r = lab.plan({"--deadline", "6s", "--risk", "5%", "-r", "200", "-q"});
  INFO(r.error);
  REQUIRE(r.status == 0);
  CHECK_THAT(r.out, Contains("list.txt on lab.xml: 4 ranks on 5 machines, deadline 6 s") && Contains("in turn"));
  CHECK_THAT(r.out, Contains("RF more [points]"));  // a difference of risks
  // Which of two like machines it is makes no difference: the first of them is the first rank's.
  CHECK_THAT(r.out, Contains("0 on slow1, 2 on fast1, 1 on slow2, 3 on fast2; the deadline of 6 s holds"));
  CHECK_THAT(r.out, Contains("job.placement: [slow1, slow2, fast1, fast2]") && Contains("At a risk of 5 % promise"));
  CHECK_THAT(r.out, Contains("computes and sends what it did when it was recorded"));

  // What is promised of the placement is what an experiment says of it.
  (void)lab.file("e.yaml", "nowsim: 1\nplatform: {file: lab.xml}\njob: {workload: mpi-trace, trace: list.txt, placement: "
                           "[slow1, slow2, fast1, fast2]}\nrun: {replications: 200}\nmetrics: [tau]\n");
  const ProgramRun run = run_program({"run", "e.yaml", "-q"}, lab.path());
  const std::string tau = run.out.substr(run.out.find(" ± ") - 5, 5);
  INFO(run.out);
  CHECK_THAT(r.out, Contains(tau + " ± "));
}

TEST_CASE("A search leaves the machine that is the fastest on average where it endangers the deadline", "[plan][mpi]") {
  const RecordedLab lab;
  const ProgramRun r = run_program(
      {"plan", "steady.xml", "--mpi", "pair.txt", "--deadline", "11s", "--risk", "5%", "-r", "300", "-q"}, lab.path());
  INFO(r.error);
  REQUIRE(r.status == 0);
  CHECK_THAT(r.out, Contains("0 on steady1, 1 on steady2; the deadline of 11 s holds with probability 100.0"));
  CHECK_THAT(r.out, Contains("The risk of 5 % is kept") && Contains("seed 2. What is said of them is measured anew, seed 1"));
}

TEST_CASE("Placements are written for programs too", "[plan][mpi]") {
  const RecordedLab lab;
  const ProgramRun csv = lab.plan({"--deadline", "6s", "-r", "100", "-q", "-f", "csv"});
  INFO(csv.error);
  REQUIRE(csv.status == 0);
  CHECK_THAT(csv.out, Catch::StartsWith("placement,deadline,risk,tau,") && Contains("slow1 slow2 fast1 fast2"));
  const ProgramRun json = lab.plan({"--risk", "5%", "-r", "100", "-q", "-f", "json"});
  CHECK_THAT(json.out, Contains("\"job.placement\": \"[slow1, slow2, fast1, fast2]\"") && Contains("\"by_tau\": \"best\""));
}

TEST_CASE("More ranks than machines share those with cores", "[plan][mpi]") {
  const RecordedLab lab;
  const ProgramRun r = run_program({"plan", "--machines", "2", "--speed", "1Gf", "--mpi", "list.txt", "--set",
                                    "platform.network=switch", "--set", "platform.bandwidth=1GBps", "--set",
                                    "platform.latency=1us", "-r", "10", "-q"},
                                   lab.path());
  INFO(r.error);
  REQUIRE(r.status == 0);
  CHECK_THAT(r.out, Contains("0, 3 on ws1, 1, 2 on ws2; the program takes 5 s on average"));  // 2 + 3 and 1 + 4 Gflop
}
