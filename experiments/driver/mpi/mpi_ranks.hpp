// What each rank of a recorded MPI program did: SMPI's trace and the notes beside it (mpi_notes.c) in one, what timing
// decided as it was decided; and the median of several recordings.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace nowsim {

/// A call of a rank. What `values` are, by its word:
///   send Ssend                  element, scope
///   isend ISsend irecv          element, scope, open, request
///   recv                        element, scope, open, source, tag
///   sendRecv                    element sent, element received, scope, open, tag sent, source, tag received
///   wait waitall waitAny test testall testany testsome, and waitsome, whose line is `waitall 0`
///                               of each request that completed: request, source, tag; request 0: of another kind
///   barrier bcast ...           scope, and of derived types what stands behind the word, in bytes (type 6)
///   probe                       nothing, and there is no line of it
///   polled                      nothing: its line `sleep S` is a probe's, not the program's
///   compute                     nothing: the program stated `flop`
/// An element is its type's bytes, negative where it is a derived type. A scope: 0 all ranks in their order, 1 the rank
/// alone, 2 others. Open: 1 any source, 2 any tag, 4 no partner at all (MPI_PROC_NULL), and sums. Sources are ranks
/// among all.
struct MpiNote {
  std::string word;
  std::vector<std::int64_t> values;
  double flop = 0;
};

/// The notes of each rank, in its order. @throws RunError where they are damaged.
std::vector<std::vector<MpiNote>> read_mpi_notes(const std::string& text, std::size_t ranks);

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

/// A recording: what each rank did.
using MpiRanks = std::vector<MpiRankTrace>;

/// How far repetitions differ: largest less smallest, of the median.
struct MpiSpread {
  std::vector<double> by_rank;  ///< of the flop of each rank
  double total = 0;             ///< of the flop of all
  double median_compute = 0;    ///< the median of the same of each compute
};

struct MpiMedian {
  MpiRanks ranks;    ///< each compute is the median of its repetitions
  MpiSpread spread;  ///< all 0 of one repetition
};

/// @pre at least one. @throws RunError where their actions are not the same: the program's control flow depends on
/// timing.
MpiMedian median_recording(std::vector<MpiRanks> repetitions);

double flop_of(const MpiRankTrace& rank);
double flop_of(const MpiRanks& ranks);
/// Every compute so many times as long. @pre 0 < factor < infinity.
void scale_flop(MpiRanks& ranks, double factor);
/// So that all flop together are so many; returns the factor. @throws InputError where nothing was computed.
double scale_to_total(MpiRanks& ranks, double total_flop);

}  // namespace nowsim
