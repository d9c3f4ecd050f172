// Compiled MPI traces: a good one with any bytes changed, under the right hash. What is taken leads nowhere but to
// itself.
#include <fcntl.h>

#include <cmath>
#include <stdexcept>
#include <string>

#include "tests/fuzz/input_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "workloads/mpi/compiled_mpi_trace.hpp"
#include "workloads/mpi/mpi_trace_writer.hpp"

namespace nowsim::test {
namespace {

constexpr std::string_view kText =
    "0 init\n0 compute 1e6\n0 isend 1 7 10 1\n0 wait 0 1 7\n0 sendRecv 10 1 10 1 1 1\n0 irecv -333 9 5 1\n0 test -333 "
    "0 9\n"
    "0 waitall 1\n0 barrier\n0 bcast 10 1 1\n0 reduce 10 5 0 1\n0 gatherv 1 1 2 0 1 1\n0 scatterv 1 2 1 0 1 1\n"
    "0 allgatherv 1 1 2 1 1\n0 reducescatter 1 2 5 1\n0 alltoallv 2 1 1 3 1 2 1 1\n0 finalize\n"
    "1 init\n1 compute 2e6\n1 irecv 0 7 10 1\n1 wait 0 1 7\n1 sendRecv 10 0 10 0 1 1\n1 send 0 9 5 1\n1 barrier\n"
    "1 bcast 10 1 1\n1 reduce 10 5 0 1\n1 gatherv 2 0 0 0 1 1\n1 scatterv 0 0 2 0 1 1\n1 allgatherv 2 1 2 1 1\n"
    "1 reducescatter 1 2 5 1\n1 alltoallv 4 2 2 3 1 2 1 1\n1 finalize\n";

FileHandle opened(const InputFile& file) { return FileHandle(open(file.path().c_str(), O_RDWR | O_CLOEXEC)); }

MpiTraceFiles files_of(const InputFile& text) {
  return {.list = "trace.txt", .paths = {text.path()}, .most_unpacked = 0};
}

std::string good_binary() {
  const InputFile text(kText), binary(""), aside("");
  const FileHandle file = opened(binary);
  compile_mpi_trace(files_of(text), "", file.get(), opened(aside).get());
  return std::string(MappedFile(file.get()).bytes());
}

void check_promises(const MpiTrace& trace) {
  const int ranks = trace.ranks();
  if (static_cast<int>(trace.facts().rank_flop.size()) != ranks) throw std::logic_error("facts of other ranks");
  std::uint64_t actions = 0;
  double counted = 0;
  for (int rank = 0; rank < ranks; ++rank)
    for (const MpiAction& action : trace.actions(rank)) {
      ++actions;
      if (!has_sound_indices(action, ranks) || !has_counts(action, ranks, trace.all_counts()))
        throw std::logic_error("an action that leads out of its trace");
      for (const double count : counts_of(action, ranks, trace.all_counts())) counted += count;
    }
  if (actions != trace.facts().actions) throw std::logic_error("facts of other actions");
  if (std::isnan(counted)) throw std::logic_error("counts that are no numbers");
}

}  // namespace

/// The first byte cuts so many bytes off; then three each are a place, of the header's first 64 bytes or behind it, and
/// what stands there.
void fuzz_compiled_trace(std::string_view input) {
  constexpr std::size_t kOfHeader = 64;
  static const std::string good = good_binary();
  std::string bytes = good;
  const auto byte = [&input](std::size_t i) { return static_cast<unsigned char>(input[i]); };
  for (std::size_t i = 1; i + 2 < input.size(); i += 3) {
    std::size_t at = (byte(i) + 256U * byte(i + 1)) % (bytes.size() - kMpiTraceHeaderBytes + kOfHeader);
    if (at >= kOfHeader) at += kMpiTraceHeaderBytes - kOfHeader;
    bytes[at] = input[i + 2];
  }
  if (!input.empty()) bytes.resize(bytes.size() - byte(0));
  const InputFile text(kText), binary(bytes);
  const FileHandle file = opened(binary);
  seal_mpi_trace(file.get());
  if (const auto taken = MpiTrace::mapped(files_of(text), "", file.get())) check_promises(*taken);
}

}  // namespace nowsim::test
