// `nowsim run` with --waits: a recorded MPI program on shared cores, and where it is written.
#include <catch2/catch.hpp>

#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Three ranks of which rank 0 waits for both others, who compute 2 and 3 flop, and all for the latest: of 1 flop/s
/// machines the second has ranks 1 and 2 on its one core, so that these take 4 and 5 s. Messages take no time to speak
/// of.
struct RecordedProgram : Folder {
  RecordedProgram() {
    file("rank-0.txt", "0 init\n0 recv 1 7 0\n0 recv 2 7 0\n0 barrier\n0 finalize\n");
    file("rank-1.txt", "1 init\n1 compute 2\n1 send 0 7 0\n1 barrier\n1 finalize\n");
    file("rank-2.txt", "2 init\n2 compute 3\n2 send 0 7 0\n2 barrier\n2 finalize\n");
    file("trace.txt", "rank-0.txt\nrank-1.txt\nrank-2.txt\n");
    file("e.yaml",
         "nowsim: 1\ntitle: a test\n"
         "platform: {workstations: 2, speed: 1f, network: switch, bandwidth: 1GBps, latency: 1us}\n"
         "job: {workload: mpi-trace, trace: trace.txt, placement: [ws1, ws2, ws2]}\n"
         "owner: {model: dedicated}\nrun: {replications: 2}\nmetrics: [tau]\n");
  }
  [[nodiscard]] ProgramRun run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"run", "e.yaml", "-q"});
    return run_program(words, path());
  }
  [[nodiscard]] std::string content(const std::string& name) const { return content_of(path() + "/" + name); }
};

}  // namespace

TEST_CASE("Below the estimates stands who waited for whom in which call", "[computes][cli][waits]") {
  const RecordedProgram e;
  const ProgramRun run = e.run({"--waits", "-"});
  CHECK(run.status == 0);
  CHECK(run.error.empty());
  CHECK(run.out.starts_with(e.run({}).out + "\nwhere the time went in replication 0, T = 5 s"));
  CHECK_THAT(run.out, Contains("  rank 0 on ws1       0.0    0.0  100.0"));
  CHECK_THAT(run.out, Contains("  rank 1 on ws2      40.0   40.0   20.0"));
  CHECK_THAT(run.out, Contains("  rank 2 on ws2      60.0   40.0    0.0"));
  CHECK_THAT(run.out, Contains("  rank 0 on ws1  rank 1 on ws2       4.00                   0.00    80.0  recv\n"));
  CHECK_THAT(run.out, Contains("  barrier       1.00"));
}

TEST_CASE("Programs get where the time went alone, in the format that they ask for", "[cli][waits]") {
  const RecordedProgram e;
  const std::string csv = e.run({"--waits", "-", "--format", "csv"}).out;
  CHECK(csv.starts_with("workstation,name,what,call,"));
  CHECK_THAT(csv, !Contains("tau"));
  CHECK(e.run({"--waits", "-", "--format", "json"}).out.starts_with("{\n  \"T_s\": 5.0"));
  CHECK(e.run({"--waits", "w.csv", "--format", "json"}).out == e.run({"--format", "json"}).out);
  CHECK(e.content("w.csv") == csv);
  CHECK(run_program({"run", "e.yaml", "--waits", "w.json", "--trace", "t.csv"}, e.path())
            .error.ends_with("trace: t.csv\nwhere the time went: w.json\n"));
  CHECK_THAT(e.content("w.json"), Contains("\"pairs\": ["));
  CHECK_THAT(e.content("t.csv"), Contains(",chunk,tasks,call,replication,") && Contains(",recv,0,1,direct,"));
  CHECK(e.run({"--waits", "w.csv"}).error.empty());  // the same
}
