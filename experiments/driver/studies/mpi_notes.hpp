// What was noted beside a recorded MPI program's traces (tools/mpi_notes.c): what these do not say.
#pragma once

#include <cstdint>
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

}  // namespace nowsim
