// Lines of time-independent traces: each action against values by hand, each refusal with its sentence.
#include "workloads/mpi/mpi_trace_text.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/base/error.hpp"

using namespace nowsim;
using Catch::Matchers::Contains;

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

void refuse(const std::string& words, const std::string& sentence, const std::string& init = "init") {
  INFO(words);
  CHECK_THROWS_WITH(Reading(init).read(words), Contains("rank-1.txt:2: rank 1's '") && Contains(sentence));
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
  refuse("", "where an action's name should stand");
  refuse("bcats 10", "no action of SMPI's time-independent traces has this name; 'bcast' is one.");
  refuse("Isend 0 0 1", "'isend' is one.");
  refuse("xyzzy", "no action of SMPI's time-independent traces has this name.");
  refuse("send 2 7", "behind it stand 2 values rather than 3 to 4 (partner tag count [type]).");
  refuse("gatherv 1 2 0 0 0 0 1 1",
         "behind it stand 8 values rather than 4 to 7 (sent received... [root] [types]), as a program of 3 ranks");
  refuse("gatherv 1 2 3", "Was it a collective of a sub-communicator?");
  refuse("allgatherv 1 2 3 4 5 6 7 8", "but not 4 values.");
  refuse("compute 12x", "a number from 0 up is needed where '12x' stands.");
  refuse("compute nan", "a number from 0 up is needed where 'nan' stands.");
  refuse("compute -1", "a number from 0 up is needed where '-1' stands.");
  refuse("send 2 7 -5 1", "a number from 0 up is needed where '-5' stands.");
  refuse("send 2 7 1e99 1", "elements are more than a program can have");
  refuse("send 3 7 5 1", "there is no rank 3: the trace has the ranks 0 to 2.");
  refuse("bcast 5 3 1 ", "there is no rank 3");
  refuse("send x 7 5 1", "the number of a rank is needed where 'x' stands.");
  refuse("send 2 -444 5 1", "a tag is needed, a whole number from 0 up, where '-444' stands.");
  refuse("waitAny 0", "1 is the least.");
  refuse("send 2 7 5 60", "SMPI's types have the numbers 0 to 59, and '60' is none.");
}

TEST_CASE("Types of a program's own are refused, since a trace does not say their size", "[workloads][mpi]") {
  const std::string own = "is a type of the program's own (a derived one), and the trace does not say how many bytes";
  refuse("send 2 7 5 -1", "the type -1 " + own);
  refuse("send 2 7 5 ", "the type that should stand behind the blank at the line's end " + own);
  refuse("gather 3 3 1 1 -1", "the type -1");  // of the root
  Reading typed, untyped, mixed("init 1");
  typed.read("send 2 7 5 1");
  CHECK_THROWS_WITH(typed.read("send 2 7 5"), Contains("line 2 tells a type and line 3 does not"));
  untyped.read("send 2 7 5");
  CHECK_THROWS_WITH(untyped.read("send 2 7 5 1"), Contains("line 3 tells a type and line 2 does not"));
  mixed.read("send 2 7 5 1");
  CHECK(mixed.read("send 2 7 5"));
}

TEST_CASE("What SMPI writes and no trace says enough of is refused for what it is", "[workloads][mpi]") {
  for (const char* name : {"Start 2 7 5 1", "Startall"}) refuse(name, "this is a persistent request");
  for (const char* name : {"testany", "testall", "testsome"}) refuse(name, "this is a test of several requests");
  for (const char* name : {"bsend 2 7 5 1", "ibsend 2 7 5 1"}) refuse(name, "this is a buffered send");
  for (const char* name : {"Put 2 0 5 1", "Get_accumulate 2 0 5 1", "Win_fence", "Win_lock_all"})
    refuse(name, "this is one-sided communication");
  refuse("IO - read 4096", "this is reading or writing a file");
  for (const char* name : {"ibarrier", "ibcast 10 2 0 ", "iallreduce 10 0 0 ", "ialltoallv 1 1"})
    refuse(name, "this is a non-blocking collective");
  refuse("migrate 10", "this is a migration of Adaptive MPI");
  refuse("iteration_in", "Adaptive MPI's load balancer");
  refuse("comm_split 4", "this is a communicator's split: the trace does not say which ranks go where");
  refuse("reducescatter 0 0 0 0 1 ", "this is an MPI_Reduce_scatter_block, whose sizes SMPI does not write");
  refuse("reducescatter 1 2 99",
         "a program of 3 ranks needs 3 sizes, the flop, and perhaps a type; here are 3 values.");
}
