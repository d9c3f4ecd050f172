// A recorded MPI program, compiled from its time-independent trace once and mapped into memory ever after.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/mpi/file_bytes.hpp"
#include "workloads/mpi/mpi_action.hpp"
#include "workloads/mpi/mpi_trace_files.hpp"

namespace nowsim {

/// Beside a trace's list, sentences that are to be said with its results, one a line; or there is none.
inline constexpr const char* kMpiRemarksFile = "remarks.txt";

/// A bound of what is unpacked that is above any disk's size [bytes].
inline constexpr double kMostUnpacked = 9e18;

/// What is said where a compiled trace, whose actions were good, has others now.
inline constexpr const char* kChangedCompiledTrace =
    "what this trace was compiled into was changed while it was in use.";

/// What can be told of a recorded program before it is simulated.
struct MpiTraceFacts {
  std::uint64_t actions = 0;
  std::uint64_t messages = 0;                    ///< of sends to one rank, those of a sendrecv too
  double message_bytes = 0;                      ///< of all of them
  double flop = 0;                               ///< of all ranks: computes, and what reductions compute at their end
  std::vector<double> rank_flop;                 ///< of each rank
  std::array<std::uint64_t, kMpiCalls> calls{};  ///< of each MpiCall, how many
  std::uint64_t any_source_receives = 0;
  std::uint64_t narrow_waitalls = 0;  ///< those of fewer requests than are outstanding
  std::uint64_t unwaited = 0;         ///< requests that no wait, waitall or waitany is for
  std::vector<std::string> warnings;  ///< sentences: what a time-independent trace leaves open in this one

  [[nodiscard]] std::uint64_t count(MpiCall call) const { return calls[static_cast<std::size_t>(call)]; }
};

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
  /// What compile_mpi_trace() made into a file of these files under this key; nothing where it is of another text,
  /// another version of nowsim or another kind of machine, damaged, or cut short. Nothing in it is believed: what is
  /// read lies in the file, all actions are checked and what can be told of them is counted again. Reads it as a whole,
  /// twice. @throws InputError where ranks do what no program's can: so does the text, or others wrote the file.
  static std::optional<MpiTrace> mapped(const MpiTraceFiles& files, const std::string& key, int file);

  [[nodiscard]] int ranks() const { return static_cast<int>(actions_.size()); }
  /// In the rank's order, from `init` to `finalize`.
  [[nodiscard]] std::span<const MpiAction> actions(std::size_t rank) const { return actions_[rank]; }
  /// Actions that a rank has done: their memory may go. They stay what they are.
  void forget(std::span<const MpiAction> done) const { mapped_->forget(done.data(), done.size_bytes()); }
  /// Of an action of this trace that has several [bytes]: as many as there are ranks, what gatherv, allgatherv and
  /// reducescatter receive from or for each, or scatterv sends to each; of alltoallv twice as many, those sent to each,
  /// then those received from each. Empty for other actions.
  [[nodiscard]] std::span<const double> counts(const MpiAction& action) const;
  /// Of all actions, at the places that these name.
  [[nodiscard]] std::span<const double> all_counts() const { return counts_; }
  /// Names the trace's content: XXH3 of the ranks' lines, in hexadecimal.
  [[nodiscard]] const std::string& hash() const { return hash_; }
  /// The list, and all that it names.
  [[nodiscard]] std::vector<std::string> files() const;
  /// Where the rank's lines are.
  [[nodiscard]] const std::string& file(std::size_t rank) const { return files_.of_rank(rank); }
  [[nodiscard]] const MpiTraceFacts& facts() const { return facts_; }

  /// A rank's first action from `from` on for which is(action); the end where there is none. What was looked at on the
  /// way is forgotten piece by piece.
  template <class Is>
  const MpiAction* find(std::size_t rank, const MpiAction* from, const Is& is) const {
    constexpr std::ptrdiff_t kPiece = 16384;
    const MpiAction* const end = actions_[rank].data() + actions_[rank].size();
    while (from != end) {
      const MpiAction* const last = from + std::min(kPiece, end - from);
      const MpiAction* const found = std::find_if(from, last, is);
      forget({from, found});
      if (found != last) return found;
      from = last;
    }
    return end;
  }

 private:
  MpiTraceFiles files_;
  std::optional<MappedFile> mapped_;
  std::vector<std::span<const MpiAction>> actions_;  ///< of each rank, in the mapped file
  std::span<const double> counts_;
  std::string hash_;
  MpiTraceFacts facts_;
};

}  // namespace nowsim
