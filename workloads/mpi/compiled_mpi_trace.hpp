// A recorded MPI program, compiled from its time-independent trace once and mapped into memory ever after.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "workloads/mpi/mpi_action.hpp"
#include "workloads/mpi/mpi_trace_facts.hpp"

namespace nowsim {

/// A bound of what is unpacked that is above any disk's size [bytes].
inline constexpr double kMostUnpacked = 9e18;

/// What is said where a compiled trace, whose actions were good, has others now.
inline constexpr const char* kChangedCompiledTrace =
    "what this trace was compiled into was changed while it was in use.";

/// What every rank of the program did. Never changes, and may be used by several threads.
class MpiTrace {
 public:
  /// Of the list of files that SMPI wrote (`smpirun -trace-ti -trace-file trace.txt`), or of a folder with its
  /// trace.txt. The first time the text is compiled and checked, into the user's cache ($XDG_CACHE_HOME/nowsim or
  /// ~/.cache/nowsim), or where that cannot be written a file that goes with this object; later it is found there by
  /// what the files hold. What lies beside the list is not read. Memory does not depend on the length.
  /// @param most_unpacked bytes that packed files may come to together; 0: by their packed size (UnpackedBound).
  /// @throws InputError where the text is not a program's that can be simulated, naming rank, file and line.
  static std::shared_ptr<const MpiTrace> open(const std::string& path, std::uint64_t most_unpacked = 0);

  virtual ~MpiTrace() = default;
  [[nodiscard]] int ranks() const { return facts().ranks; }
  /// In the rank's order, from `init` to `finalize`.
  [[nodiscard]] virtual std::span<const MpiAction> actions(int rank) const = 0;
  /// Actions that a rank has done: their memory may go. They stay what they are.
  virtual void forget(std::span<const MpiAction> done) const = 0;
  /// Of an action of this trace that has several [bytes]: as many as there are ranks, what gatherv, allgatherv and
  /// reducescatter receive from or for each, or scatterv sends to each; of alltoallv twice as many, those sent to each,
  /// then those received from each. Empty for other actions.
  [[nodiscard]] virtual std::span<const double> counts(const MpiAction& action) const = 0;
  /// Names the trace's content: XXH3 of the ranks' lines, in hexadecimal.
  [[nodiscard]] virtual const std::string& hash() const = 0;
  /// The list, and all that it names.
  [[nodiscard]] virtual std::vector<std::string> files() const = 0;
  /// Where the rank's lines are.
  [[nodiscard]] virtual const std::string& file(int rank) const = 0;
  [[nodiscard]] virtual const MpiTraceFacts& facts() const = 0;
};

}  // namespace nowsim
