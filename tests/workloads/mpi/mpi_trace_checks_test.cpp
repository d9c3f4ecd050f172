// Traces that no run of a program can have written, each refused with its sentence, and those that look like it and are
// not.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/workloads/mpi/recorded_trace.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Matchers::Contains;

namespace {

void refuse_lines(const std::vector<std::string>& lines, const std::string& sentence) {
  CHECK_THROWS_WITH(RecordedTrace(lines).open(), Contains(sentence));
}
void refuse(const MpiProgram& ranks, const std::string& sentence) { refuse_lines(trace_of(ranks), sentence); }
MpiTraceFacts facts_of(const MpiProgram& ranks) { return RecordedTrace(trace_of(ranks)).open()->facts(); }

std::string only_warning(const MpiProgram& ranks) {
  const MpiTraceFacts facts = facts_of(ranks);
  REQUIRE(facts.warnings.size() == 1);
  return facts.warnings[0];
}

}  // namespace

TEST_CASE("A rank begins by init and ends by finalize, or was cut off", "[computes][reads][workloads][mpi]") {
  refuse_lines({"0 compute 1\n0 finalize\n", rank_lines(1, {})},
               "rank-0.txt:1: rank 0's 'compute': this is the rank's first");
  refuse_lines({rank_lines(0, {}), "1 init\n1 compute 1\n"},
               "rank-1.txt:2: rank 1's 'compute': this is the rank's last action");
  refuse({{"init"}, {}}, "rank-0.txt:2: rank 0's 'init': a rank has one 'init', and this is its second.");
  refuse({{"finalize"}, {}}, "rank-0.txt:3: rank 0's 'finalize': this comes behind the rank's 'finalize'");
  refuse_lines({rank_lines(0, {}), "# nothing\n"}, "rank-1.txt: this file has no action of rank 1");
}

TEST_CASE("Lines of a rank stand in its file, and the list has a file for each", "[workloads][mpi]") {
  refuse_lines({rank_lines(0, {}), rank_lines(0, {})},
               "rank-1.txt:1: this line is of rank 0, and the list names the file for rank 1");
  refuse_lines({rank_lines(0, {"send 2 0 1"}), rank_lines(1, {})},
               "there is no rank 2: the trace has the ranks 0 to 1.");
  refuse_lines({rank_lines(0, {}) + rank_lines(3, {})}, "has lines of rank 3 and none of rank 1, 2.");
}

TEST_CASE("Messages that nobody receives, and receives of what nobody sends, are told", "[workloads][mpi]") {
  refuse(
      {{"send 1 7 5", "send 1 7 5"}, {"recv 0 7 5"}},
      "rank-0.txt:3: rank 0's 'send': rank 1 does not receive this: of 2 messages of tag 7 from here it receives 1.");
  refuse({{"send 1 7 5"}, {"recv 0 7 5", "recv 0 8 5"}},
         "rank-1.txt:3: rank 1's 'recv': nobody sends what this receives: 1 receives from rank 0 of tag 8 find 0 "
         "messages");
  refuse({{"send 1 7 5"}, {"recv -333 7 5", "recv -333 7 5"}}, "rank-1.txt:3: rank 1's 'recv': nobody sends what this");
  refuse({{"send 1 7 5"}, {"recv -333 8 5"}}, "1 receives from any source of tag 8 find 0 messages");
  refuse({{"send 1 7 5"}, {"irecv -333 7 5", "irecv -333 9 5", "waitall 2"}}, "MPI_Irecv from MPI_PROC_NULL");
  refuse({{"send 1 7 5", "send 1 8 5"}, {"recv -333 8 5"}},
         "rank-0.txt:2: rank 0's 'send': rank 1 does not receive this");
  refuse({{"send 1 7 5", "send 1 8 5"}, {"recv -333 -444 5"}},
         "rank-0.txt:2: rank 0's 'send': rank 1 does not receive this");
  refuse({{"sendRecv 5 1 5 1"}, {}}, "SMPI writes no tags of MPI_Sendrecv");
}

TEST_CASE("Receives from any source take what those from one leave", "[workloads][mpi]") {
  const MpiTraceFacts facts = facts_of({{"send 2 7 5", "send 2 8 6", "isend 2 9 7", "waitall 1"},
                                        {"send 2 7 5", "isend 1 3 2", "irecv 1 3 2", "wait 1 1 3", "wait 1 1 3"},
                                        {"recv -333 7 5", "recv 0 7 5", "recv 0 -444 6", "recv -333 -444 7"}});
  CHECK(facts.messages == 5);
  CHECK(facts.message_bytes == 25);
  CHECK(facts.any_source_receives == 2);
}

TEST_CASE("A wait is for a request that was made", "[workloads][mpi]") {
  refuse({{"wait 1 0 7"}, {}}, "rank-0.txt:2: rank 0's 'wait': no request is left that it could be for");
  refuse({{"isend 1 7 5", "wait 0 1 7", "wait 0 1 7"}, {"recv 0 7 5"}}, "rank-0.txt:4: rank 0's 'wait'");
  refuse({{"irecv 1 7 5", "wait 1 0 8"}, {"send 0 7 5"}}, "from rank 1 to rank 0 with tag 8");
  refuse({{"test 1 0 7"}, {}}, "rank 0's 'test': no request is left");
  refuse({{"isend 1 7 5"}, {"irecv 0 7 5", "wait 1 0 7", "waitall"}}, "rank-1.txt:3: rank 1's 'wait'");
}

TEST_CASE("A waitany of some of the outstanding requests is refused, unless tests may have finished the others",
          "[workloads][mpi]") {
  const std::vector<std::string> sends{"send 0 1 5", "send 0 2 5", "send 0 3 5"};
  const std::vector<std::string> receives{"irecv 1 1 5", "irecv 1 2 5", "irecv 1 3 5"};
  const auto then = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = receives;
    all.insert(all.end(), more.begin(), more.end());
    return MpiProgram{all, sends};
  };
  refuse(then({"waitAny 2"}),
         "rank-0.txt:5: rank 0's 'waitAny': it waits for one of 2 requests while 3 are outstanding");
  refuse(then({"wait 1 0 1", "waitAny 1"}), "it waits for one of 1 requests while 2 are outstanding");
  CHECK(facts_of(then({"waitAny 3", "waitAny 2", "waitAny 1"})).count(MpiCall::waitany) == 3);
  CHECK(facts_of(then({"waitAny 3", "waitAny 3", "waitAny 3"})).count(MpiCall::waitany) == 3);
  CHECK(facts_of(then({"test 1 0 1", "waitAny 2", "wait 1 0 1", "waitall"})).count(MpiCall::test) == 1);
  refuse(then({"test 1 0 1", "test 1 0 1", "waitAny 1"}), "rank 0's 'waitAny'");  // two tests of one
}

TEST_CASE("What a trace leaves open is warned of", "[workloads][mpi]") {
  CHECK_THAT(only_warning({{"send 1 7 5"}, {"recv -333 7 5"}}), Contains("receives from any source (1)"));
  CHECK_THAT(only_warning({{"sendRecv 5 1 5 1"}, {"sendRecv 5 0 5 0"}}), Contains("sendrecvs (2)"));
  CHECK_THAT(only_warning({{"send 1 7 5"}, {"irecv 0 7 5"}}), Contains("requests that nothing waits for (1)"));
  CHECK_THAT(only_warning({{"send 1 7 5", "send 1 8 5"}, {"irecv 0 7 5", "irecv 0 8 5", "waitall 1"}}),
             Contains("waits for fewer requests than are outstanding (1)"));
}

TEST_CASE("All ranks are in the same collectives", "[workloads][mpi]") {
  const std::string sub =
      "collectives of sub-communicators cannot be told from a time-independent trace, and SMPI's "
      "replay would run them on all ranks.";
  refuse({{"barrier", "allreduce 5 0"}, {"barrier", "compute 1", "bcast 5"}}, "rank 1's 2nd collective is bcast (");
  refuse({{"barrier", "allreduce 5 0"}, {"barrier", "compute 1", "bcast 5"}},
         "rank-1.txt:4) where rank 0's is allreduce (");
  refuse({{"barrier", "allreduce 5 0"}, {"barrier", "compute 1", "bcast 5"}}, sub);
  refuse({{"bcast 5 1"}, {"bcast 5 0"}}, "rank 1's 1st collective is bcast with root 0");
  refuse({{"barrier"}, {}},
         "rank-0.txt:2: rank 0's 'barrier': this is rank 0's 1st collective, and rank 1 has 0: " + sub);
  refuse({{}, {"barrier"}}, "rank-1.txt:2: rank 1's 'barrier': this is rank 1's 1st collective, and rank 0 has 0: ");
}

TEST_CASE("Sizes of a collective agree among ranks", "[workloads][mpi]") {
  for (const char* name : {"bcast", "reduce", "allreduce", "scan", "exscan"}) {
    const std::string flop = std::string(name) == "bcast" ? "" : " 3", action = name;
    refuse({{action + " 5" + flop}, {action + " 6" + flop}},
           "in its 1st collective it takes part with 6 bytes where rank 0");
    CHECK(facts_of({{action + " 5" + flop}, {action + " 5" + flop}}).flop == (flop.empty() ? 0 : 6));
  }
  refuse({{"gather 3 3"}, {"gather 4 3"}},
         "rank 1's 'gather': in its 1st collective it sends 4 bytes where rank 0 receives 3");
  facts_of({{"gather 0 3"}, {"gather 3 0"}});  // MPI_IN_PLACE at the root
  refuse({{"scatter 3 3"}, {"scatter 3 4"}}, "it receives 4 bytes where rank 0 sends 3");
  refuse({{"allgather 3 3"}, {"allgather 4 4"}}, "it sends 4 bytes where rank 0 receives from each 3");
  refuse({{"alltoall 3 3"}, {"alltoall 3 4"}}, "it receives from each 4 bytes where rank 0 sends 3");
  refuse({{"gatherv 1 1 2"}, {"gatherv 3 0 0"}}, "it sends 3 bytes where rank 0 receives from it 2");
  refuse({{"scatterv 1 2 1"}, {"scatterv 0 0 3"}}, "it receives 3 bytes where rank 0 sends to it 2");
  refuse({{"allgatherv 1 1 2"}, {"allgatherv 2 1 3"}}, "it sends 2 bytes where rank 1 receives from it 3");
  refuse({{"alltoallv 3 1 2 3 1 2"}, {"alltoallv 3 1 2 3 2 2"}}, "it sends 1 bytes where rank 0 receives from it 2");
  refuse({{"reducescatter 1 2 9"}, {"reducescatter 1 3 9"}}, "it takes part with 3 bytes where rank 0 does with 2");
  CHECK(facts_of({{"reducescatter 1 2 9"}, {"reducescatter 1 2 8"}}).rank_flop == std::vector<double>{9, 8});
}
