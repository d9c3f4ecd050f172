// Tests of recording MPI programs: traces and notes that are told, and programs that are really run where SMPI is.
#include "experiments/driver/mpi/mpi_recording.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "experiments/driver/text/run_program.hpp"
#include "sim/base/error.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/skips.hpp"

using namespace nowsim;
using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

/// What is left of a rank's lines between init and finalize; of rank 0 among four.
MpiRankTrace frozen(const std::string& lines, const std::string& notes, const MpiRegions& regions = {}) {
  return freeze_rank(0, "0 init\n" + lines + "0 finalize\n", read_mpi_notes(notes, 4).front(), regions);
}

std::string text_of(const MpiRankTrace& rank) {
  const std::string text = mpi_trace_text(0, rank.lines), init = "0 init\n", finalize = "0 finalize\n";
  CHECK(text.starts_with(init));
  CHECK(text.ends_with(finalize));
  return text.substr(init.size(), text.size() - init.size() - finalize.size());
}

/// One rank that computes so much before a barrier and behind it.
MpiRanks computing(double first_flop, double second_flop) {
  MpiRankTrace rank;
  rank.lines = {{"init", 0}, {"", first_flop}, {"barrier", 0}, {"", second_flop}, {"finalize", 0}};
  return {rank};
}

MpiRecordingPlan plan_for(const std::string& program, std::size_t ranks) {
  MpiRecordingPlan plan;
  plan.run.program = program;
  plan.run.ranks = ranks;
  return plan;
}

/// A C program that smpicc has compiled; "" where it cannot be.
std::string compiled(const Folder& folder, const std::string& source) {
  if (!is_program("smpicc") || !is_program("smpirun")) {
    skipped("smpi", "there is no smpicc here");
    return "";
  }
  const std::string file = folder.file("program.c", source), program = folder.path() + "/program";
  const ProgramEnd end = run_program(folder.path(), {"smpicc", "-trace-call-location", file, "-o", program}, "", {});
  INFO(end.said);
  REQUIRE(end.status == 0);
  return program;
}

const std::string kBegin = R"(#include <mpi.h>
int main(int argc, char** argv) {
  int rank, size, flag = 0, index;
  double data[100] = {0};
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
)";
const std::string kEnd = "  MPI_Finalize();\n  return 0;\n}\n";

}  // namespace

TEST_CASE("A receive from any source has the source and tag that came", "[computes][mpi][record]") {
  const MpiRankTrace rank = frozen("0 recv -333 7 5 1\n0 recv 1 -444 5 1\n", "0 recv 4 0 1 2 7\n0 recv 4 0 2 1 9\n");
  CHECK(text_of(rank) == "0 recv 2 7 5 1\n0 recv 1 9 5 1\n");
  CHECK(rank.timing.any_source == 1);
  CHECK(rank.timing.any_tag == 1);
  CHECK(rank.messages == 0);
}

TEST_CASE("A request is waited for as what it became, however its completion was found", "[mpi][record]") {
  const std::string begin = "0 irecv -333 7 5 1\n0 isend 3 8 10 0\n", noted = "0 irecv 4 0 1 5\n0 isend 8 0 0 6\n",
                    begun = "0 irecv 2 7 5 1\n0 isend 3 8 10 0\n", done = "0 wait 2 0 7\n0 wait 0 3 8\n";
  const auto after = [&](const std::string& lines, const std::string& notes) {
    return text_of(frozen(begin + lines, noted + notes));
  };
  CHECK(after("0 wait -333 0 7\n0 wait 0 3 8\n", "0 wait 5 2 7\n0 wait 6 0 8\n") == begun + done);
  CHECK(after("0 waitall 2\n", "0 waitall 5 2 7 6 0 8\n") == begun + "0 waitall 2\n");
  CHECK(after("0 waitAny 2\n0 waitAny 2\n", "0 waitAny 5 2 7\n0 waitAny 6 0 8\n") == begun + done);
  CHECK(after("0 waitall 0\n", "0 waitsome 5 2 7 6 0 8\n") == begun + done);
  CHECK(after("0 testall\n0 testall\n", "0 testall\n0 testall 5 2 7 6 0 8\n") == begun + done);
  CHECK(after("0 testany\n0 testsome\n", "0 testany 5 2 7\n0 testsome 6 0 8\n") == begun + done);
  // A waitall of a part waits for that alone.
  CHECK(after("0 waitall 1\n0 wait 0 3 8\n", "0 waitall 5 2 7\n0 wait 6 0 8\n") == begun + done);
  const MpiRankTrace sent = frozen(begin + "0 waitall 2\n", noted + "0 waitall 5 2 7 6 0 8\n");
  CHECK(sent.messages == 1);
  CHECK(sent.message_bytes == 80);
}

TEST_CASE("A test that found nothing is dropped, and the computing around it is one", "[mpi][record]") {
  const MpiRankTrace rank =
      frozen("0 irecv 1 7 5 1\n0 compute 100\n0 test 1 0 7\n0 compute 50\n0 test 1 0 7\n0 compute 5\n",
             "0 irecv 4 0 0 1\n0 test\n0 test 1 1 7\n");
  CHECK(text_of(rank) == "0 irecv 1 7 5 1\n0 compute 150\n0 wait 1 0 7\n0 compute 5\n");
  CHECK(rank.timing.tests == 2);
  CHECK(rank.timing.failed_tests == 1);
}

TEST_CASE("Messages from and to nobody leave nothing", "[mpi][record]") {
  CHECK(text_of(frozen("0 isend -333 4 10 0\n0 irecv -333 4 10 0\n0 waitall 2\n",
                       "0 isend 8 0 4 1\n0 irecv 8 0 4 2\n0 waitall 1 -666 -444 2 -666 -444\n"))
            .empty());
}

TEST_CASE("A sendrecv keeps its tags", "[mpi][record]") {
  const MpiRankTrace tagged = frozen("0 sendRecv 10 1 5 -333 0 1\n", "0 sendRecv 8 4 0 1 6 3 7\n");
  CHECK(text_of(tagged) == "0 irecv 3 7 5 1\n0 send 1 6 10 0\n0 wait 3 0 7\n");
  CHECK(tagged.timing.any_source == 1);
  CHECK(tagged.message_bytes == 80);
}

TEST_CASE("Derived types become bytes", "[mpi][record]") {
  CHECK(text_of(frozen("0 send 1 0 3 -1\n0 bcast 1 0 -1\n", "0 send -160 0\n0 bcast 0 160 0 6\n")) ==
        "0 send 1 0 480 6\n0 bcast 160 0 6\n");
}

TEST_CASE("Collectives of one rank are dropped, those of others told", "[mpi][record]") {
  const MpiRankTrace rank = frozen("0 barrier\n0 location a.c 41\n0 barrier\n0 allreduce 1 0 0\n",
                                   "0 barrier 1\n0 barrier 2\n0 allreduce 0\n");
  CHECK(rank.collectives_of_others == 1);
  CHECK(rank.first_of_others == "barrier of rank 0 at a.c:41");
  CHECK(text_of(frozen("0 barrier\n0 allreduce 1 0 0\n", "0 barrier 1\n0 allreduce 0\n")) == "0 allreduce 1 0 0\n");
  CHECK_THROWS_WITH(
      recording_of(plan_for("p", 1), {{rank}}),
      "the program has collectives on communicators of other ranks than all, 1 call, the first a barrier of "
      "rank 0 at a.c:41: SMPI's traces do not say whose they are, so that it cannot be recorded");
}

TEST_CASE("What a program states has all digits, and regions have the flop that are given", "[mpi][record]") {
  CHECK(text_of(frozen("0 compute 1.23457e+07\n0 barrier\n", "0 compute 12345678\n0 barrier 0\n")) ==
        "0 compute 12345678\n0 barrier\n");
  const std::string lines =
      "0 location a.c 3\n0 compute 10\n0 location a.c 3\n0 barrier\n0 location a.c 4\n0 compute 10\n0 barrier\n";
  const MpiRankTrace rank = frozen(lines, "0 barrier 0\n0 barrier 0\n", {{"a.c:3", 2e6}});
  CHECK(text_of(rank) == "0 compute 2e+06\n0 barrier\n0 compute 10\n0 barrier\n");
  CHECK(rank.regions == std::set<std::string>{"a.c:3"});
}

TEST_CASE("Calls that traces cannot hold stay as they are", "[mpi][record]") {
  CHECK(text_of(frozen("0 ibarrier\n0 wait -333 -333 0\n0 bsend 1 0 5 1\n", "0 wait 0 0 0\n0 probe\n")) ==
        "0 ibarrier\n0 wait -333 -333 0\n0 bsend 1 0 5 1\n");
}

TEST_CASE("The sleep of a probe that found nothing is not the program's", "[mpi][record]") {
  const MpiRankTrace rank = frozen("0 compute 10\n0 sleep 0.0001\n0 compute 5\n0 sleep 2\n0 recv 1 7 5 1\n",
                                   "0 polled\n0 probe\n0 probe\n0 recv 4 0 0 1 7\n");
  CHECK(text_of(rank) == "0 compute 15\n0 sleep 2\n0 recv 1 7 5 1\n");
  CHECK(rank.timing.probes == 2);
}

TEST_CASE("Traces that do not fit their notes are refused, and ranks that did not finish", "[mpi][record][error]") {
  CHECK_THROWS_WITH(frozen("0 barrier\n", ""), Catch::Contains("rank 0, line 2: 'barrier' without a note"));
  CHECK_THROWS_WITH(frozen("0 barrier\n", "0 bcast 0\n"), Catch::Contains("'barrier' there, 'bcast' here"));
  CHECK_THROWS_WITH(frozen("", "0 barrier 0\n"), Catch::Contains("'barrier' without a line"));
  CHECK_THROWS_WITH(freeze_rank(3, "3 init\n", {}), "rank 3 ended without MPI_Finalize: the recording is not complete");
  CHECK_THROWS_AS(read_mpi_notes("7 barrier 0\n", 4), RunError);
  CHECK_THROWS_AS(read_mpi_notes("0 barrier x\n", 4), RunError);
}

TEST_CASE("Of repetitions each compute is the median, and the spread is told", "[mpi][record]") {
  const MpiMedian median = median_recording({computing(100, 10), computing(130, 10), computing(110, 30)});
  CHECK(median.ranks.front().lines[1].flop == 110);
  CHECK(median.ranks.front().lines[3].flop == 10);
  CHECK(median.spread.total == Approx(30.0 / 140));
  CHECK(median.spread.by_rank == std::vector{median.spread.total});
  CHECK(median.spread.median_compute == Approx(0.5 * (30.0 / 110 + 20.0 / 10)));
  MpiRanks other = computing(100, 10);
  other.front().lines[2].text = "recv 1 7 5 1";
  CHECK_THROWS_WITH(
      median_recording({computing(100, 10), other}),
      "the program's course depends on timing: rank 0 does 'barrier' in line 3 of its trace the first time, "
      "and 'recv 1 7 5 1' in repetition 2; without --repeat one of its courses is recorded");
}

TEST_CASE("Computing is scaled by a factor, or to a sum", "[mpi][record]") {
  MpiRecordingPlan plan = plan_for("p", 1);
  plan.flop_scale = 3;
  CHECK(flop_of(recording_of(plan, {computing(100, 10)}).ranks) == 330);
  plan.total_flop = 1e9;
  const MpiRecording recording = recording_of(plan, {computing(100, 300)});
  CHECK(recording.ranks.front().lines[1].flop == 2.5e8);
  CHECK(recording.provenance.flop_scale == 2.5e6);
  CHECK_THROWS_AS(recording_of(plan, {computing(0, 0)}), InputError);
}

TEST_CASE("A recording's folder has a list, a trace of each rank and where it comes from", "[mpi][record]") {
  const Folder folder;
  const fs::path out = folder.path() + "/p.trace";
  MpiRecordingPlan plan = plan_for("/somewhere/p", 1);
  plan.run.arguments = {"--size=3"};
  MpiRecording recording = recording_of(plan, {computing(1234567.25, 10)});
  recording.provenance.timing = {12, 0, 3, 1, 1, 0};
  CHECK_FALSE(read_mpi_provenance(folder.path()));
  write_mpi_folder(out, recording);
  CHECK(content_of((out / "trace.txt").string()) == "rank-0.txt\n");
  CHECK(content_of((out / "rank-0.txt").string()) ==
        "0 init\n0 compute 1234567.25\n0 barrier\n0 compute 10\n0 finalize\n");
  const MpiProvenance from = read_mpi_provenance(out).value();
  CHECK(json_of(from) == json_of(recording.provenance));
  CHECK(from.program == "p");
  CHECK(from.arguments == plan.run.arguments);
  CHECK(from.command.find("somewhere") == from.command.npos);
  CHECK(from.timing_text() == "12 receives from any source, 3 tests (1 found nothing), 1 wait for any of several");
  CHECK_THROWS_AS(write_mpi_folder(out, recording), InputError);
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 1);
  CHECK_THROWS_AS(check_mpi_folder(folder.path() + "/missing/p.trace"), InputError);
  folder.file("provenance.json", "{}");
  CHECK_THROWS_AS(read_mpi_provenance(folder.path()), InputError);
}

TEST_CASE("A program that states its computing is recorded the same each time", "[mpi][record][slow]") {
  const Folder folder;
  MpiRecordingPlan plan = plan_for(compiled(folder, kBegin + R"(
  MPI_Datatype column;
  MPI_Type_vector(10, 2, 4, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);
  smpi_execute_flops(12345678.0 * (rank == 0 ? 1 : size - rank));
  if (rank == 0) {
    for (int i = 1; i < size; ++i) MPI_Recv(data, 5, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i < 3; ++i) MPI_Irecv(data, 5, MPI_INT, i, 8, MPI_COMM_WORLD, &requests[i - 1]);
    for (int i = 1; i < 3; ++i) MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
    MPI_Irecv(data, 1, column, 1, 9, MPI_COMM_WORLD, requests);
    while (!flag) MPI_Test(requests, &flag, MPI_STATUS_IGNORE);
  } else {
    MPI_Send(data, 5, MPI_INT, 0, 7, MPI_COMM_WORLD);
    smpi_execute_flops(1e6 * (size - rank));
    MPI_Send(data, 5, MPI_INT, 0, 8, MPI_COMM_WORLD);
    smpi_execute_flops(1e6);
    if (rank == 1) MPI_Send(data, 1, column, 0, 9, MPI_COMM_WORLD);
  }
)" + kEnd),
                                   3);
  if (plan.run.program.empty()) return;
  plan.run.is_explicit = true;
  plan.repetitions = 2;
  const MpiRecording recording = record_mpi(plan, {});
  CHECK(mpi_trace_text(0, recording.ranks[0].lines) ==
        "0 init\n0 compute 12345678\n0 recv 2 7 5 1\n0 recv 1 7 5 1\n0 irecv 1 8 5 1\n0 irecv 2 8 5 1\n0 wait 2 0 8\n"
        "0 wait 1 0 8\n0 irecv 1 9 160 6\n0 wait 1 0 9\n0 finalize\n");
  CHECK(mpi_trace_text(1, recording.ranks[1].lines) ==
        "1 init\n1 compute 24691356\n1 send 0 7 5 1\n1 compute 2e+06\n1 send 0 8 5 1\n1 compute 1e+06\n"
        "1 send 0 9 160 6\n1 finalize\n");
  const MpiTimingCounts& timing = recording.provenance.timing;
  CHECK(timing.any_source == 2);
  CHECK(timing.wait_any == 2);
  CHECK(timing.failed_tests > 0);
  CHECK(timing.tests == timing.failed_tests + 1);
  CHECK(recording.provenance.spread.total == 0);
  CHECK(recording.provenance.program_sha256.size() == 64);
}

TEST_CASE("Computing that is not stated is measured", "[mpi][record][slow]") {
  const Folder folder;
  MpiRecordingPlan plan = plan_for(compiled(folder, kBegin + R"(
  for (volatile int i = 0; i < 2000000 * (rank + 1); ++i) data[0] += i;
  MPI_Barrier(MPI_COMM_WORLD);
)" + kEnd),
                                   2);
  if (plan.run.program.empty()) return;
  plan.repetitions = 3;
  const MpiRecording recording = record_mpi(plan, {});
  const double ratio = flop_of(recording.ranks[1]) / flop_of(recording.ranks[0]);
  CHECK(ratio > 1.2);
  CHECK(ratio < 4);
  CHECK(flop_of(recording.ranks[0]) > 1e5);  // 2e6 rounds at 1 Gflop/s are some milliseconds
  CHECK(recording.provenance.timing.is_none());
  CHECK(recording.provenance.spread.total < 3);
}

TEST_CASE("Programs that cannot be recorded are refused in a sentence", "[mpi][record][error][slow]") {
  const Folder folder;
  const std::string program = compiled(folder, kBegin + R"(
  MPI_Comm half;
  if (argc > 1 && rank == 1) return 3;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Barrier(half);
)" + kEnd);
  if (program.empty()) return;
  MpiRecordingPlan plan = plan_for(program, 4);
  CHECK_THROWS_WITH(record_mpi(plan, {}), Catch::Contains("4 calls, the first a barrier of rank 0 at program.c:13:"));
  plan.run.arguments = {"a b"};
  CHECK_THROWS_WITH(record_mpi(plan, {}), Catch::Contains("'a b' would not reach it"));
  plan = plan_for("/bin/sh", 2);
  CHECK_THROWS_WITH(record_mpi(plan, {}), Catch::Contains("compile it with smpicc"));
  plan = plan_for(folder.path() + "/none", 2);
  CHECK_THROWS_WITH(record_mpi(plan, {}), Catch::EndsWith("there is no such program"));
}
