// A rank's trace as SMPI wrote it, corrected by what was noted beside it: what timing decided is as it was decided.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "experiments/driver/studies/mpi_notes.hpp"

namespace nowsim {

/// How many calls of a recording depended on timing: another machine or network may decide them otherwise.
struct MpiTimingCounts {
  std::uint64_t any_source = 0;    ///< receives that took what came from any source
  std::uint64_t any_tag = 0;       ///< receives that took any tag
  std::uint64_t tests = 0;         ///< MPI_Test and its relatives
  std::uint64_t failed_tests = 0;  ///< of these, those that found nothing
  std::uint64_t wait_any = 0;      ///< MPI_Waitany and MPI_Waitsome
  std::uint64_t probes = 0;        ///< MPI_Probe and MPI_Iprobe

  MpiTimingCounts& operator+=(const MpiTimingCounts& other);
  [[nodiscard]] bool is_none() const { return any_source + any_tag + tests + wait_any + probes == 0; }
};

/// A line of a trace without its rank: a compute, or what `text` says.
struct MpiLine {
  std::string text;  ///< "recv 2 7 5 1"; "": a compute
  double flop = 0;   ///< of a compute

  [[nodiscard]] bool is_compute() const { return text.empty(); }
  bool operator==(const MpiLine&) const = default;
};

/// What a rank did.
struct MpiRankTrace {
  std::vector<MpiLine> lines;
  MpiTimingCounts timing;
  std::uint64_t messages = 0;               ///< that it sent
  double message_bytes = 0;                 ///< of these
  std::uint64_t collectives = 0;            ///< of all ranks
  std::uint64_t messages_among_others = 0;  ///< sent and received on communicators of other ranks than all
  std::uint64_t collectives_of_others = 0;  ///< on communicators of neither all ranks nor one: no trace can hold them
  std::string first_of_others;              ///< the first of these: "bcast of rank 3 at a.c:41"
  bool tells_places = false;                ///< the program was compiled with `smpicc -trace-call-location`
  std::set<std::string> regions;            ///< that had computing
};

/// Flop of each computing that was measured and ends at a call there: "gauss.c:41" (a program compiled with
/// `smpicc -trace-call-location`) -> 2e6.
using MpiRegions = std::map<std::string, double>;

/// @param trace what SMPI wrote of the rank. Computes next to each other become one. A sendRecv becomes an irecv, a
/// send and a wait, since its own line cannot hold tags.
/// @throws RunError where the rank ended without MPI_Finalize, or trace and notes are not of the same calls.
MpiRankTrace freeze_rank(std::size_t rank, const std::string& trace, std::span<const MpiNote> notes,
                         const MpiRegions& regions = {});

/// As trace files have it, with all digits of flop. @param rank its number, which begins each line.
std::string mpi_trace_text(std::size_t rank, std::span<const MpiLine> lines);

}  // namespace nowsim
