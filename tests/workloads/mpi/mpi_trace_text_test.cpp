// Time-independent traces: each action against values by hand, each refusal of lines and whole traces by its sentence.
#include "workloads/mpi/mpi_trace_text.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/workloads/mpi/recorded_trace.hpp"

using namespace nowsim;
using Catch::Matchers::Contains;
using namespace nowsim::test;

namespace {

using Counts = std::vector<double>;

/// Rank 1 of 3, one line after another.
class Reading {
 public:
  explicit Reading(const std::string& init = "init") { read(init); }
  /// False where the line is skipped.
  bool read(const std::string& words) { return text_.read(rank_, "1 " + words, ++line_, action); }
  Counts counts() { return {text_.counts().begin(), text_.counts().end()}; }
  MpiAction action;

 private:
  MpiTraceText text_{3};
  MpiRankText rank_{.rank = 1, .file = "rank-1.txt"};
  std::uint32_t line_ = 0;
};

struct Read {
  MpiCall call;
  std::int32_t peer = 0, other = 0, tag = 0;
  double amount = 0, second = 0;
};

void check(const std::string& words, const Read& right, const Counts& counts = {}, const std::string& init = "init") {
  INFO(words);
  Reading reading(init);
  REQUIRE(reading.read(words));
  CHECK(reading.action.line == 2);
  CHECK(reading.action.call == right.call);
  CHECK(reading.action.peer == right.peer);
  CHECK(reading.action.other == right.other);
  CHECK(reading.action.tag == right.tag);
  CHECK(reading.action.amount == right.amount);
  CHECK(reading.action.second == right.second);
  CHECK(reading.counts() == counts);
}

void refuse_line(const std::string& words, const std::string& sentence, const std::string& init = "init") {
  INFO(words);
  CHECK_THROWS_WITH(Reading(init).read(words), Contains("rank-1.txt:2: rank 1's '") && Contains(sentence));
}

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

TEST_CASE("Every action of a trace is read as SMPI writes it", "[computes][reads][workloads][mpi]") {
  check("init", {MpiCall::init});
  check("finalize", {MpiCall::finalize});
  check("compute 1e+06", {MpiCall::compute, 0, 0, 0, 1e6});
  check("sleep 0.25", {MpiCall::sleep, 0, 0, 0, 0.25});
  check("send 2 7 5 1", {MpiCall::send, 2, 0, 7, 20});
  check("isend 0 7 5 0", {MpiCall::isend, 0, 0, 7, 40});
  check("Ssend 0 7 5 6", {MpiCall::ssend, 0, 0, 7, 5});
  check("ISsend 1 7 5 14", {MpiCall::issend, 1, 0, 7, 80});
  check("recv 2 7 5 1", {MpiCall::recv, 2, 0, 7, 20});
  check("recv -333 -444 5 1", {MpiCall::recv, kAnySource, 0, kAnyTag, 20});
  check("irecv -555 3 -1 1", {MpiCall::irecv, kAnySource, 0, 3, kAnyBytes});
  check("test 0 1 9", {MpiCall::test, 0, 1, 9});
  check("wait -333 1 -444", {MpiCall::wait, kAnySource, 1, kAnyTag});
  check("waitall 4", {MpiCall::waitall, 0, 0, 0, 4});
  check("waitall", {MpiCall::waitall});
  check("waitAny 2", {MpiCall::waitany, 0, 0, 0, 2});
  check("sendRecv 10 2 6 0 0 1", {MpiCall::sendrecv, 2, 0, 0, 80, 24});
  check("sendRecv 10 2 6 -333 0 1", {MpiCall::sendrecv, 2, kAnySource, 0, 80, 24});
  check("barrier", {MpiCall::barrier});
  check("bcast 10 2 0 ", {MpiCall::bcast, 2, 0, 0, 80});
  check("reduce 10 3.5 2 1 ", {MpiCall::reduce, 2, 0, 0, 40, 3.5});
  check("allreduce 10 0 0 ", {MpiCall::allreduce, 0, 0, 0, 80, 0});
  check("scan 3 8 1 ", {MpiCall::scan, 0, 0, 0, 12, 8});
  check("exscan 3 0 1 ", {MpiCall::exscan, 0, 0, 0, 12, 0});
  check("gather 3 6 1 1 3", {MpiCall::gather, 1, 0, 0, 12, 12});
  check("scatter 3 6 1 1 3", {MpiCall::scatter, 1, 0, 0, 12, 12});
  check("allgather 3 6 1 3", {MpiCall::allgather, 0, 0, 0, 12, 12});
  check("alltoall 3 6 1 3", {MpiCall::alltoall, 0, 0, 0, 12, 12});
  check("gatherv 2 1 2 3 1 1 1", {MpiCall::gatherv, 1, 0, 0, 8}, {4, 8, 12});
  check("scatterv 1 2 3 2 1 0 1", {MpiCall::scatterv, 1, 0, 0, 8}, {8, 16, 24});
  check("allgatherv 2 1 2 3 1 0", {MpiCall::allgatherv, 0, 0, 0, 8}, {8, 16, 24});
  check("allgatherv 2 1 2 3 1 0 0 1 3", {MpiCall::allgatherv, 0, 0, 0, 8}, {8, 16, 24});
  check("reducescatter 1 2 3 99 1", {MpiCall::reducescatter, 0, 0, 0, 99}, {4, 8, 12});
  check("alltoallv 6 1 2 3 9 3 3 3 1 0", {MpiCall::alltoallv, 0, 0, 0, 24}, {4, 8, 12, 24, 24, 24});
}

TEST_CASE("Lines without types count in bytes, or behind 'init 1' in doubles, as in SMPI's replay",
          "[workloads][mpi]") {
  check("send 2 7 1e3", {MpiCall::send, 2, 0, 7, 1000});
  check("send 2 7 1e3", {MpiCall::send, 2, 0, 7, 8000}, {}, "init 1");
  check("send 2 7 10 1", {MpiCall::send, 2, 0, 7, 40}, {}, "init 1");
  check("bcast 5e4", {MpiCall::bcast, 0, 0, 0, 50000});
  check("bcast 5e4 2", {MpiCall::bcast, 2, 0, 0, 50000});
  check("reduce 5e4 5e8", {MpiCall::reduce, 0, 0, 0, 50000, 5e8});
  check("gather 68 70", {MpiCall::gather, 0, 0, 0, 68, 70});
  check("alltoall 500 500", {MpiCall::alltoall, 0, 0, 0, 500, 500});
  check("alltoallv 100 1 40 30 1000 1 80 100", {MpiCall::alltoallv, 0, 0, 0, 71}, {1, 40, 30, 1, 80, 100});
  check("allgatherv 2 1 2 3 0 1 3", {MpiCall::allgatherv, 0, 0, 0, 2}, {1, 2, 3});
  check("reducescatter 1 2 3 99", {MpiCall::reducescatter, 0, 0, 0, 99}, {1, 2, 3});
  check("send 2 7 10.9", {MpiCall::send, 2, 0, 7, 10});
}

TEST_CASE("A received size of 0, which SMPI leaves out, is told by the number of values", "[workloads][mpi]") {
  check("gather 3 2 1 -1", {MpiCall::gather, 2, 0, 0, 12, 0});                // not the root: its type means nothing
  check("gather 3 2 0 1", {MpiCall::gather, 0, 0, 0, 12, 16}, {}, "init 1");  // not SMPI's: a size, a root and a type
  check("scatter 0 2 1 1", {MpiCall::scatter, 2, 0, 0, 0, 0});
  check("scatter 0 3 2 -1 1", {MpiCall::scatter, 2, 0, 0, 0, 12});
  check("alltoall 0 1 1", {MpiCall::alltoall, 0, 0, 0, 0, 0});
  check("allgather 0 1 1", {MpiCall::allgather, 0, 0, 0, 0, 0});
}

TEST_CASE("Lines that change nothing are skipped, and so are messages to MPI_PROC_NULL", "[workloads][mpi]") {
  for (const char* words : {"comm_size 3", "comm_dup 1", "location main.c 12", "send -333 7 5 1", "isend -333 7 5 1",
                            "wait 1 -333 7", "test 1 -333 7"}) {
    INFO(words);
    CHECK_FALSE(Reading().read(words));
  }
  Reading reading;
  reading.read("isend -333 7 5 1");
  CHECK_THROWS_WITH(reading.read("waitAny 1"), Contains("one that was sent to MPI_PROC_NULL may be among them."));
  reading.read("wait 1 -333 7");
  CHECK(reading.read("waitAny 1"));
}

TEST_CASE("Blanks, comments and carriage returns are no part of a line", "[workloads][mpi]") {
  CHECK(mpi_trace_line(" \t0 init \r") == "0 init");
  CHECK(mpi_trace_line("# words").empty());
  CHECK(mpi_trace_line(" \r").empty());
  check("send\t2  7 5 1\r", {MpiCall::send, 2, 0, 7, 20});
  CHECK(rank_of_mpi_line(" 12 init", "f", 3) == 12);
  for (const char* line : {"init", "-1 init", "1x init", "99999999999 init"})
    CHECK_THROWS_WITH(rank_of_mpi_line(line, "f", 3), Contains("f:3: a line of a time-independent trace begins with"));
}

TEST_CASE("What makes no sense in a line is refused with a sentence", "[workloads][mpi]") {
  refuse_line("", "where an action's name should stand");
  refuse_line("bcats 10", "no action of SMPI's time-independent traces has this name; 'bcast' is one.");
  refuse_line("Isend 0 0 1", "'isend' is one.");
  refuse_line("xyzzy", "no action of SMPI's time-independent traces has this name.");
  refuse_line("send 2 7", "behind it stand 2 values rather than 3 to 4 (partner tag count [type]).");
  refuse_line("gatherv 1 2 0 0 0 0 1 1",
         "behind it stand 8 values rather than 4 to 7 (sent received... [root] [types]), as a program of 3 ranks");
  refuse_line("gatherv 1 2 3", "Was it a collective of a sub-communicator?");
  refuse_line("allgatherv 1 2 3 4 5 6 7 8", "but not 4 values.");
  refuse_line("compute 12x", "a number from 0 up is needed where '12x' stands.");
  refuse_line("compute nan", "a number from 0 up is needed where 'nan' stands.");
  refuse_line("compute -1", "a number from 0 up is needed where '-1' stands.");
  refuse_line("send 2 7 -5 1", "a number from 0 up is needed where '-5' stands.");
  refuse_line("send 2 7 1e99 1", "elements are more than a program can have");
  refuse_line("send 3 7 5 1", "there is no rank 3: the trace has the ranks 0 to 2.");
  refuse_line("bcast 5 3 1 ", "there is no rank 3");
  refuse_line("send x 7 5 1", "the number of a rank is needed where 'x' stands.");
  refuse_line("send 2 -444 5 1", "a tag is needed, a whole number from 0 up, where '-444' stands.");
  refuse_line("waitAny 0", "1 is the least.");
  refuse_line("send 2 7 5 60", "SMPI's types have the numbers 0 to 59, and '60' is none.");
}

TEST_CASE("Types of a program's own are refused, since a trace does not say their size", "[workloads][mpi]") {
  const std::string own = "is a type of the program's own (a derived one), and the trace does not say how many bytes";
  refuse_line("send 2 7 5 -1", "the type -1 " + own);
  refuse_line("send 2 7 5 ", "the type that should stand behind the blank at the line's end " + own);
  refuse_line("gather 3 3 1 1 -1", "the type -1");  // of the root
  Reading typed, untyped, mixed("init 1");
  typed.read("send 2 7 5 1");
  CHECK_THROWS_WITH(typed.read("send 2 7 5"), Contains("line 2 tells a type and line 3 does not"));
  untyped.read("send 2 7 5");
  CHECK_THROWS_WITH(untyped.read("send 2 7 5 1"), Contains("line 3 tells a type and line 2 does not"));
  mixed.read("send 2 7 5 1");
  CHECK(mixed.read("send 2 7 5"));
}

TEST_CASE("What SMPI writes and no trace says enough of is refused for what it is", "[workloads][mpi]") {
  for (const char* name : {"Start 2 7 5 1", "Startall"}) refuse_line(name, "this is a persistent request");
  for (const char* name : {"testany", "testall", "testsome"}) refuse_line(name, "this is a test of several requests");
  for (const char* name : {"bsend 2 7 5 1", "ibsend 2 7 5 1"}) refuse_line(name, "this is a buffered send");
  for (const char* name : {"Put 2 0 5 1", "Get_accumulate 2 0 5 1", "Win_fence", "Win_lock_all"})
    refuse_line(name, "this is one-sided communication");
  refuse_line("IO - read 4096", "this is reading or writing a file");
  for (const char* name : {"ibarrier", "ibcast 10 2 0 ", "iallreduce 10 0 0 ", "ialltoallv 1 1"})
    refuse_line(name, "this is a non-blocking collective");
  refuse_line("migrate 10", "this is a migration of Adaptive MPI");
  refuse_line("iteration_in", "Adaptive MPI's load balancer");
  refuse_line("comm_split 4", "this is a communicator's split: the trace does not say which ranks go where");
  refuse_line("reducescatter 0 0 0 0 1 ", "this is an MPI_Reduce_scatter_block, whose sizes SMPI does not write");
  refuse_line("reducescatter 1 2 99",
         "a program of 3 ranks needs 3 sizes, the flop, and perhaps a type; here are 3 values.");
}

TEST_CASE("A rank begins by init and ends by finalize, or was cut off", "[workloads][mpi]") {
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
