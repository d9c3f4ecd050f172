// nowsim verify: the standard scenarios agree, a user's specification is compared.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Two machines of this speed on a link.
std::string slow_machines(const std::string& speed) {
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
         "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"" + speed +
         "\"/><host id=\"b\" speed=\"" + speed +
         "\"/>\n<link id=\"l\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n"
         "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n</zone></platform>\n";
}

}  // namespace

TEST_CASE("verify finds that the engines agree for every workload and owner model",
          "[computes][verify_command][slow]") {
  const ProgramRun r = run_program({"verify"});
  CHECK(r.status == 0);
  CHECK(r.error.empty());
  for (const char* job : {"base-task", "augmented-task", "ping-pong", "all-to-all", "ep", "edge-detection", "merge-sort",
                          "matrix-multiply", "cholesky", "gauss", "gauss point-to-point, shrinking", "gauss free",
                          "genetic-algorithm", "genetic-algorithm static"})
    for (const char* owner : {"dedicated", "intervals", "duty-cycle", "jobs", "profile", "trace"})
      CHECK_THAT(r.out, Contains(std::string(job) + ", " + owner));
  for (const char* technique : {"SS", "CSS", "TSS", "FAC", "WF", "AWF-B", "AWF-C", "AF", "SS with time-outs"})
    CHECK_THAT(r.out, Contains("task-farm " + std::string(technique) + ", jobs, sharing"));
  CHECK_THAT(r.out, Contains("task-farm static with failures, dedicated"));
  for (const char* bandwidth : {"dedicated", "intervals uniform", "duty-cycle", "profile", "trace"})
    CHECK_THAT(r.out, Contains(std::string("augmented-task with bytes, bandwidth ") + bandwidth));
  for (const char* network : {"bus", "switch", "links", "sparc-now", "beowulf-33", "lab-now", "campus", "ethernet-by-day"})
    CHECK_THAT(r.out, Contains("all-to-all on " + std::string(network) + ", dedicated"));
  for (const char* what : {"bus", "crossbar", "tree", "fat pipes", "varying graph"})
    CHECK_THAT(r.out, Contains("random programs, " + std::string(what) + " "));
  CHECK_THAT(r.out, Contains("random programs on campus.xml"));
  CHECK_THAT(r.out, !Contains("differ ") && Contains("the largest relative difference is "));
}

TEST_CASE("verify compares every point of a specification, with messages that meet too", "[verify_command]") {
  const Folder folder;
  folder.file("e.yaml",
              "nowsim: 1\n"
              "platform: {workstations: 2, speed: 1f, network: switch, bandwidth: 1kBps, latency: 1ms}\n"
              "job: {workload: all-to-all, work: 8f, rounds: 2, bytes: 500}\n"
              "owner: {model: intervals, TH: 0.4}\n"
              "run: {replications: 5}\n"
              "sweep: {platform.workstations: [2, 3]}\n");
  const ProgramRun r = run_program({"verify", "e.yaml", "-f", "csv"}, folder.path());
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("platform.workstations=2,5,") && Contains("platform.workstations=3,5,") &&
                        !Contains(",differ,"));
  const auto json = nlohmann::json::parse(run_program({"verify", "e.yaml", "-f", "json"}, folder.path()).out);
  REQUIRE(json.size() == 2);
  CHECK(json[0]["largest_difference"].is_number());
  CHECK(json[1]["largest_difference"].is_number());
}

TEST_CASE("verify runs random programs only, one of them, or those on a folder's platforms", "[verify_command]") {
  const ProgramRun few = run_program({"verify", "--random", "40", "-f", "csv"});
  CHECK(few.status == 0);
  CHECK_THAT(few.out, Contains("\n\"random programs, bus\",20,") && Contains("\n\"random programs, crossbar\",20,") &&
                          !Contains("base-task"));
  const ProgramRun one = run_program({"verify", "--program", "43"});
  CHECK(one.status == 0);
  CHECK_THAT(one.out, Contains(" bytes") && Contains("<link id=\"l0\""));
  const Folder folder;
  folder.file("two.xml", "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                         "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n<host id=\"a\" speed=\"1f\"/>\n"
                         "<host id=\"b\" speed=\"1f\"/>\n<link id=\"l\" bandwidth=\"1MBps\" latency=\"1ms\"/>\n"
                         "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n</zone></platform>\n");
  folder.file("wrong.xml", "no platform");
  const ProgramRun files = run_program({"verify", "--platforms", folder.path()});
  CHECK(files.status == 0);
  CHECK_THAT(files.out, Contains("random programs on two.xml") && Contains("obstacle") && Contains("wrong.xml:1"));
}

TEST_CASE("verify's random programs are others with another seed", "[verify_command]") {
  const auto out = [](std::vector<std::string> flags) {
    flags.insert(flags.begin(), "verify");
    const ProgramRun r = run_program(flags);
    CHECK(r.status == 0);
    return r.out;
  };
  CHECK(out({"--random", "40", "--seed", "1"}) == out({"--random", "40"}));
  CHECK(out({"--random", "40", "--seed", "1"}) != out({"--random", "40", "--seed", "2"}));
  CHECK(out({"--program", "43", "--seed", "2"}) != out({"--program", "43"}));
  const Folder folder;
  folder.file("slow.xml", slow_machines("1Mf"));
  CHECK(out({"--platforms", folder.path(), "--seed", "2"}) != out({"--platforms", folder.path()}));
}

TEST_CASE("Replications that are short beside the batch's longest are compared on clocks of their own", "[verify_command]") {
  const Folder folder;  // programs without computing take a second or so, others 10^8 s
  folder.file("slow.xml", slow_machines("1e-6f"));
  const ProgramRun r = run_program({"verify", "--platforms", folder.path()});
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("agree") && !Contains("differ ") && Contains("replications compared on clocks of their own"));
}

TEST_CASE("verify names links with which SimGrid by itself gives another answer", "[verify_command]") {
  const Folder folder;
  std::string platform = slow_machines("1Mf");
  const std::string latency = "latency=\"1ms\"";
  platform.replace(platform.find(latency), latency.size(), latency + " bandwidth_file=\"l.profile\"");
  folder.file("p.xml", platform);
  folder.file("l.profile", "0 1000\n1 2000\n");
  folder.file("e.yaml",
              "nowsim: 1\nplatform: {file: p.xml}\njob: {workload: ping-pong, rounds: 1, bytes: 9000}\n"
              "run: {replications: 1}\nmetrics: [tau]\n");
  const ProgramRun r = run_program({"verify", "e.yaml"}, folder.path());
  CHECK(r.status == 0);
  CHECK_THAT(r.out, Contains("agree") && Contains("the bandwidth of link 'l' rises by a profile: SimGrid itself would keep"));
  // There 1 ms, 0.999 s at 1000 B/s and 4.0005 s at 2000; back 1 ms and 4.5 s.
  for (const char* engine : {"direct", "simgrid"})
    CHECK_THAT(run_program({"run", "e.yaml", "-f", "csv", "--engine", engine}, folder.path()).out, Contains("9.5015"));
  folder.file("l.profile", "0 1000\n1 500\n");
  CHECK_THAT(run_program({"verify", "e.yaml"}, folder.path()).out, Contains("agree") && !Contains("SimGrid itself"));
}
