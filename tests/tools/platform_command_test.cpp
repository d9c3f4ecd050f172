// `nowsim platform show` and runs on platforms with what nowsim cannot simulate: nothing on the output before all is
// known to be good, one sentence, exit status 2.
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

const std::string kThree =
    "<zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"1f\"/>\n<host id=\"b\" speed=\"1f\"/>\n<host id=\"c\" "
    "speed=\"1f\"/>\n"
    "<link id=\"l\" bandwidth=\"1kBps\" latency=\"1ms\"/>\n<route src=\"a\" dst=\"b\"><link_ctn "
    "id=\"l\"/></route>\n</zone>";
const std::string kWireless =
    "<zone id=\"z\" routing=\"Wifi\">\n<prop id=\"access_point\" value=\"r\"/>\n<host id=\"a\" speed=\"1f\"/>\n"
    "<host id=\"b\" speed=\"1f\"/>\n<router id=\"r\"/>\n"
    "<link id=\"air\" sharing_policy=\"WIFI\" bandwidth=\"54Mbps,36Mbps\" latency=\"0\"/>\n</zone>";

}  // namespace

TEST_CASE("A platform with pairs that no message can go between is shown", "[computes][cli][platform]") {
  const Folder folder;
  folder.file("three.xml", xml_of(kThree));
  folder.file("wireless.xml", xml_of(kWireless));
  const ProgramRun three = run_program({"platform", "show", "three.xml"}, folder.path());
  CHECK(three.status == 0);
  CHECK_THAT(three.out, Catch::Contains("a - c: no route") && Catch::Contains("a - b"));
  const ProgramRun wireless = run_program({"platform", "show", "wireless.xml"}, folder.path());
  CHECK(wireless.status == 0);
  CHECK_THAT(wireless.out, Catch::Contains("a - b: the link 'air' is wireless (WIFI)"));
}

TEST_CASE("Nothing of a platform is shown before all of it is known to be good", "[cli][platform][error]") {
  const Folder folder;
  folder.file("p.xml", xml_of("<zone id=\"z\" routing=\"None\">\n<prop id=\"set all\" value=\"a nobody\"/>\n<host "
                              "id=\"a\" speed=\"1f\"/></zone>"));
  const ProgramRun run = run_program({"platform", "show", "p.xml"}, folder.path());
  CHECK(run.status == 2);
  CHECK(run.out.empty());
  CHECK_THAT(run.error, Catch::Contains("p.xml:5: set all") && Catch::Contains("nobody"));
}

TEST_CASE("Settings of a platform that have no effect are remarked, wherever it is used", "[cli][platform]") {
  const Folder folder;
  folder.file("p.xml", xml_of("<config>\n<prop id=\"cpu/optim\" value=\"TI\"/></config>\n" + kThree));
  folder.file("e.yaml",
              "nowsim: 1\nplatform: {file: p.xml}\njob: {workload: base-task, work: 3f}\nrun: {replications: "
              "1}\nmetrics: [tau]\n");
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"platform", "show", "p.xml"}, {"run", "e.yaml"}, {"check", "e.yaml"}}) {
    const ProgramRun run = run_program(command, folder.path());
    CHECK(run.status == 0);
    CHECK_THAT(run.error, Catch::Contains("p.xml:5: config: the setting 'cpu/optim' has no effect"));
  }
}

TEST_CASE("A job that needs what its platform has not ends with status 2 and says what", "[cli][platform][error]") {
  const Folder folder;
  folder.file("three.xml", xml_of(kThree));
  folder.file("wireless.xml", xml_of(kWireless));
  for (const std::string engine : {"auto", "simgrid", "direct"})
    for (const auto& [platform, sentence] : std::vector<std::pair<std::string, std::string>>{
             {"three", "there is no route from 'a' to 'c'"}, {"wireless", "is wireless"}}) {
      folder.file("e.yaml", "nowsim: 1\nplatform: {file: " + platform +
                                ".xml}\njob: {workload: ping-pong, rounds: 1, bytes: 1B}\n"
                                "run: {replications: 1, engine: " +
                                engine + "}\nmetrics: [tau]\n");
      const ProgramRun run = run_program({"run", "e.yaml"}, folder.path());
      INFO(engine << ": " << run.error);
      CHECK(run.status == 2);
      CHECK_THAT(run.error, Catch::Contains(sentence));
      for (const char* foreign : {"Bad gateways", "maestro", "set_host_rate", "Segmentation"})
        CHECK_THAT(run.error, !Catch::Contains(foreign));
    }
}

TEST_CASE("Reading a platform's file keeps the time-out", "[cli][platform][timeout]") {
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
  folder.file("p.xml", xml_of(cluster("topology=\"CROSSBAR\"")));
  const ProgramRun unknown = run_program({"platform", "show", "p.xml"}, folder.path());
  CHECK(unknown.status == 2);
  CHECK_THAT(unknown.error, Catch::Contains("p.xml:4: cluster c: topology='CROSSBAR' is not FLAT, TORUS, FAT_TREE"));
}
