// Recorded programs on both engines, with times derived by hand: messages, requests, placement, and what ends them.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/engines/direct/engine.hpp"
#include "tests/workloads/mpi/mpi_scenario.hpp"
#include "workloads/mpi/mpi_replay.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

// Machines of 1 flop/s on a switch of 1000 B/s with 1 ms; an envelope of 16 bytes takes 16 ms.
constexpr double kMessage_s = 1e-3 + 16e-3;

std::shared_ptr<const Platform> lab(std::size_t n, int cores = 1) {
  return machines(std::vector<double>(n, 1), NetworkKind::network_switch, 1000, 1e-3, cores);
}

/// Two of them, the second off at times.
std::shared_ptr<const Platform> failing(const std::string& profile) { return with_states(*lab(2), {{1, profile}}); }

/// Of one program on these machines, the result of both engines.
RunResult replayed(const MpiProgram& program, std::shared_ptr<const Platform> platform,
                   const std::map<std::string, double>& numbers = {}, const std::vector<std::string>& placement = {}) {
  const Folder folder;
  const std::string trace = write_ranks(folder, trace_of(program));
  return run(mpi_scenario(trace, std::move(platform), {}, numbers, placement)).front();
}
RunResult replayed(const MpiProgram& program, std::size_t machines, const std::map<std::string, double>& numbers = {},
                   const std::vector<std::string>& placement = {}) {
  return replayed(program, lab(machines), numbers, placement);
}

}  // namespace

TEST_CASE("A recorded program computes and exchanges what its trace says", "[computes][reads][mpi]") {
  const RunResult r = replayed({{"compute 10", "send 1 0 125 0"}, {"recv 0 0 125 0", "compute 5"}}, 2);
  CHECK(r.makespan_s == near(15 + 1 + kMessage_s));
  CHECK(r[Quantity::work_flop] == std::vector<double>{10, 5});
  CHECK(r[Quantity::messages] == std::vector<double>{1, 0});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{1016, 0});
}

TEST_CASE("All computing is scaled, and an envelope is sent with each message", "[mpi]") {
  const MpiProgram program{{"compute 10", "send 1 0 125 0"}, {"recv 0 0 125 0"}};
  CHECK(replayed(program, 2, {{"scale", 3}, {"envelope", 0}}).makespan_s == near(30 + 1 + 1e-3));
}

TEST_CASE("A sender goes on at once below a threshold, and from it on waits for its receiver", "[mpi]") {
  const MpiProgram program{{"send 1 0 100 6", "compute 1"}, {"compute 5", "recv 0 0 100 6"}};
  const double message_s = 1e-3 + 0.116;
  CHECK(replayed(program, 2)[Quantity::finish_s][0] == near(1));
  CHECK(replayed(program, 2)[Quantity::finish_s][1] == near(5 + message_s));
  CHECK(replayed(program, 2, {{"eager", 101}})[Quantity::finish_s][1] == near(5));
  CHECK(replayed(program, 2, {{"rendezvous", 100}})[Quantity::finish_s][0] == near(6 + message_s));
}

TEST_CASE("MPI_Ssend waits for its receiver however short the message is", "[mpi]") {
  CHECK(replayed({{"Ssend 1 0 0 6"}, {"compute 5", "recv 0 0 0 6"}}, 2)[Quantity::finish_s][0] == near(5 + kMessage_s));
}

TEST_CASE("Of receives from any source that one ends which is sent first", "[mpi]") {
  // Rank 2 sends at 1 s, rank 1 at 3 s; each is answered by what follows in the trace.
  const RunResult r = replayed({{"recv -333 -444 0 6", "compute 10", "recv -333 -444 0 6"},
                                {"compute 3", "send 0 1 0 6"},
                                {"compute 1", "send 0 2 0 6"}}, 3);
  CHECK(r[Quantity::finish_s][0] == near(1 + kMessage_s + 10 + kMessage_s));
}

TEST_CASE("A wait for any of several ends with the first, and a test that finds nothing is of no account", "[mpi]") {
  const RunResult r = replayed({{"irecv 1 1 0 6", "irecv 2 2 0 6", "test 1 0 1", "waitAny 2", "compute 1", "waitAny 2"},
                                {"compute 9", "send 0 1 0 6"},
                                {"compute 4", "send 0 2 0 6"}}, 3);
  CHECK(r[Quantity::finish_s][0] == near(9 + kMessage_s));
  CHECK(r[Quantity::work_flop][0] == 1);
}

TEST_CASE("What is still outstanding at the end is waited for", "[mpi]") {
  const RunResult r = replayed({{"irecv 1 1 0 6"}, {"compute 4", "send 0 1 0 6"}}, 2);
  CHECK(r[Quantity::finish_s][0] == near(4 + kMessage_s));
}

TEST_CASE("Ranks go to the machines that are named, in turn, some in a row on each", "[mpi][placement]") {
  const auto platform = lab(4);
  const auto on = [&](int ranks, const std::vector<std::string>& machines, int per_machine = 1) {
    return MpiPlacement{ranks, machines, per_machine}.on(platform->workstations);
  };
  CHECK(on(6, {}) == std::vector<int>{0, 1, 2, 3, 0, 1});
  CHECK(on(3, {"ws3", "ws1"}) == std::vector<int>{2, 0, 2});
  CHECK(on(4, {"ws[2-3]", "ws1"}) == std::vector<int>{1, 2, 0, 1});
  CHECK(on(5, {"ws[2-3]"}, 2) == std::vector<int>{1, 1, 2, 2, 1});
  CHECK_THROWS_WITH(on(2, {"ws9"}), Catch::Contains("no workstation is called 'ws9'"));
}

TEST_CASE("Ranks on one machine share its cores, and machines without ranks do nothing", "[mpi][placement]") {
  const MpiProgram program{{"compute 4"}, {"compute 4"}, {"compute 4"}};
  const RunResult one_core = replayed(program, 2, {}, {"ws2"});
  CHECK(one_core.makespan_s == near(12));
  CHECK(one_core[Quantity::work_flop] == std::vector<double>{0, 12});
  CHECK(replayed(program, lab(2, 2), {}, {"ws2"}).makespan_s == near(6));
  CHECK(replayed(program, 2).makespan_s == near(8));
}

TEST_CASE("A message that is longer than its receive takes ends the program, however it is received", "[mpi][error]") {
  const auto place = Catch::Contains("rank-1.txt:2"),
             told = Catch::Contains("rank 1 takes at most 20 bytes here, and rank 0 sends it 40");
  const MpiProgram receivers{{"recv 0 0 20 6"}, {"irecv 0 0 20 6", "wait 0 1 0"}, {"irecv 0 0 20 6", "waitall 1"},
                             {"irecv 0 0 20 6", "waitAny 1"}, {"irecv 0 0 20 6", "compute 100", "test 0 1 0"}};
  for (const auto& receiver : receivers) CHECK_THROWS_WITH(replayed({{"send 1 0 40 6"}, receiver}, 2), place && told);
  CHECK_THROWS_WITH(replayed({{"sendRecv 40 1 20 1 6 6"}, {"sendRecv 20 0 20 0 6 6"}}, 2), place && told);
}

TEST_CASE("A rank sends to itself what it has posted a receive for", "[mpi]") {
  const RunResult r = replayed({{"irecv 0 0 100000 6", "send 0 0 100000 6", "wait 0 0 0"}}, 1);
  CHECK(r[Quantity::messages][0] == 1);
}

TEST_CASE("Ranks that wait for each other for ever are told with what they wait for, and where", "[mpi][error]") {
  CHECK_THROWS_WITH(replayed({{"recv 1 4 8 6", "send 1 3 8 6"}, {"recv 0 3 8 6", "send 0 4 8 6"}}, 2),
                    Catch::Contains("rank 0 on ws1 waits for a message from rank 1 (tag 4) (recv, ") &&
                        Catch::Contains("rank-0.txt:2") && Catch::Contains("rank 1 on ws2 waits for a message from rank 0 (tag 3)"));
}

TEST_CASE("What a trace holds is part of the identity of results", "[mpi]") {
  const Folder folder;
  const auto identity = [&](const MpiProgram& program) {
    return mpi_scenario(write_ranks(folder, trace_of(program)), lab(1)).workload->program().data_identity;
  };
  const std::string first = identity({{"compute 1"}});
  CHECK(identity({{"compute 2"}}) != first);
  CHECK(identity({{"compute 1"}}) == first);
}

TEST_CASE("What timing decided is said of a trace", "[mpi]") {
  const Folder folder;
  write_ranks(folder, trace_of({{"recv -333 1 0 6"}, {"send 0 1 0 6"}}));
  folder.file("remarks.txt", "a recorded assignment: 3 tests came out as in the recording\n");
  const auto remarks = mpi_scenario(folder.path(), lab(2)).workload->program().remarks;
  REQUIRE(remarks.size() == 2);
  CHECK_THAT(remarks[0], Catch::Contains("a recorded assignment: 3 tests"));
  CHECK_THAT(remarks[1], Catch::Contains("receives from any source (1): which message comes first here"));
}

// ---- machines that switch off ------------------------------------------------------------------------------------

TEST_CASE("A machine that goes off ends all ranks, which begin again when all machines are on", "[mpi][state]") {
  // Off at 4 s and at 25 s: the second attempt begins at 10 s and is done at 20 s and a message.
  const RunResult r = replayed({{"compute 6", "send 1 0 0 6"}, {"compute 10", "recv 0 0 0 6"}},
                               failing("0 1\n4 0\n10 1\n25 0\n"));
  CHECK(r.makespan_s == near(20 + kMessage_s));
  CHECK(r[Quantity::work_flop] == std::vector<double>{6, 10});
  CHECK(r[Quantity::messages] == std::vector<double>{1, 0});
}

TEST_CASE("A machine that goes off when its own ranks are through, or has none, ends nothing", "[mpi][state]") {
  CHECK(replayed({{"compute 6"}, {"compute 3"}}, failing("0 1\n4 0\n")).makespan_s == near(6));
  CHECK(replayed({{"compute 6"}, {"compute 6"}}, failing("0 1\n4 0\n"), {}, {"ws1"}).makespan_s == near(12));
}

TEST_CASE("Machines that go off in turn end an attempt each", "[mpi][state]") {
  // The first is off from 7 to 8 s and from 30 s on, the second from 4 to 5 s: attempts begin at 0, 5 and 8 s.
  const auto platform = with_states(*lab(2), {{0, "0 1\n7 0\n8 1\n30 0\n"}, {1, "0 1\n4 0\n5 1\n"}});
  CHECK(replayed({{"compute 10"}, {"compute 10"}}, platform).makespan_s == near(18));
}

TEST_CASE("A job whose machine is off for ever, or never on for long enough, is told of", "[mpi][state][error]") {
  const MpiProgram program{{"compute 6"}, {"compute 6"}};
  CHECK_THROWS_WITH(replayed(program, failing("0 1\n4 0\n")), Catch::Contains("ws2 is switched off for ever"));
  // On the direct engine alone: SimGrid takes a process for each of the attempts.
  const Folder folder;
  const std::string trace = write_ranks(folder, trace_of(program));
  CHECK_THROWS_WITH(run_batch_direct(mpi_scenario(trace, failing("PERIODICITY 5\n0 1\n4 0\n")), {0, 1}),
                    Catch::Contains("it may never fit between"));
}
