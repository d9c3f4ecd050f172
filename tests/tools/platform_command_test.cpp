// Platforms' files from the command line: how long reading one may take, and clusters on both engines.
#include <catch2/catch.hpp>

#include "tests/sim/scenario_fixture.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;

namespace {

std::string xml_of(const std::string& content) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\">\n" +
         content + "\n</platform>\n";
}

}  // namespace

TEST_CASE("Reading a platform's file keeps the time-out", "[computes][cli][platform][timeout]") {
  const Folder folder;
  folder.file(
      "many.xml",
      xml_of("<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-199999\" speed=\"1f\" bw=\"1Bps\" lat=\"0s\"/>"));
  folder.file("e.yaml",
              "nowsim: 1\nplatform: {file: many.xml}\njob: {workload: base-task, work: 3f}\n"
              "run: {replications: 1, timeout: 10ms}\nmetrics: [tau]\n");
  const ProgramRun run = run_program({"run", "e.yaml"}, folder.path());
  CHECK(run.status == 1);
  CHECK_THAT(run.error, Catch::Contains("many.xml: it took longer than 0.01 s"));
}

TEST_CASE("Clusters of every topology, and crossbars of links, are shown and run alike on both engines",
          "[cli][platform]") {
  const Folder folder;
  const auto cluster = [](const std::string& more) {
    return "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1f\" bw=\"1kBps\" lat=\"1ms\" " + more + "/>";
  };
  const std::string crossbar =
      "<zone id=\"z\" routing=\"Cluster\"><host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/>"
      "<link id=\"l\" bandwidth=\"1kBps\" latency=\"1ms\"/><link id=\"m\" bandwidth=\"1kBps\" latency=\"1ms\"/>"
      "<host_link id=\"a\" up=\"l\" down=\"l\"/><host_link id=\"b\" up=\"m\" down=\"m\"/></zone>";
  for (const std::string& content :
       {crossbar, cluster("topology=\"FLAT\""), cluster("topology=\"TORUS\" topo_parameters=\"2,2\""),
        cluster("topology=\"FAT_TREE\" topo_parameters=\"1;4;1;1\""),
        cluster("topology=\"DRAGONFLY\" topo_parameters=\"1,1;1,1;2,1;2\"")}) {
    INFO(content);
    folder.file("p.xml", xml_of(content));
    CHECK(run_program({"platform", "show", "p.xml"}, folder.path()).status == 0);
    folder.file("e.yaml",
                "nowsim: 1\nplatform: {file: p.xml}\njob: {workload: ping-pong, rounds: 1, bytes: 1B}\n"
                "run: {replications: 1}\nmetrics: [tau]\n");
    const ProgramRun direct = run_program({"run", "e.yaml", "--engine", "direct", "-f", "csv"}, folder.path());
    const ProgramRun simgrid = run_program({"run", "e.yaml", "--engine", "simgrid", "-f", "csv"}, folder.path());
    INFO(direct.error << simgrid.error);
    CHECK(direct.status == 0);
    CHECK(simgrid.status == 0);
    const auto tau_of = [](const std::string& csv) { return std::stod(csv.substr(csv.find('\n') + 1)); };
    CHECK(tau_of(direct.out) == Approx(tau_of(simgrid.out)).epsilon(1e-9));
  }
}
