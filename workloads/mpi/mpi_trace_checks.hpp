// What every rank of a trace does is held against what the others do, and against itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "workloads/mpi/mpi_action.hpp"
#include "workloads/mpi/mpi_trace_facts.hpp"

namespace nowsim {

class MappedFile;

/// @throws InputError naming file, line, rank and call of an action that no program's rank does, and why.
[[noreturn]] void refuse_mpi_action(const std::string& file, std::size_t rank, const MpiAction& action,
                                    const std::string& sentence);

/// A whole trace, which lies elsewhere.
struct MpiTraceView {
  std::vector<std::span<const MpiAction>> actions;  ///< of each rank
  std::span<const double> counts;                   ///< of all actions, at the places that these name
  std::vector<std::string> files;                   ///< of each rank, for sentences
  const MappedFile* mapped;                         ///< where the actions lie; none where they are in memory

  /// A rank's first action from `from` on for which is(action); the end where there is none. What was looked at on the
  /// way is given back to the system piece by piece.
  template <class Is>
  const MpiAction* find(std::size_t rank, const MpiAction* from, const Is& is) const {
    constexpr std::ptrdiff_t kPiece = 16384;
    const MpiAction* const end = actions[rank].data() + actions[rank].size();
    while (from != end) {
      const MpiAction* const last = from + std::min(kPiece, end - from);
      const MpiAction* const found = std::find_if(from, last, is);
      forget({from, found});
      if (found != last) return found;
      from = last;
    }
    return end;
  }

  /// "file:line" of a rank's action.
  [[nodiscard]] std::string place(std::size_t rank, const MpiAction& action) const {
    return files[rank] + ":" + std::to_string(action.line);
  }
  void forget(std::span<const MpiAction> part) const;
  [[noreturn]] void refuse(std::size_t rank, const MpiAction& action, const std::string& sentence) const;
};

/// Goes once through all actions, and once more in step through their collectives. Memory is in proportion to ranks and
/// to channels (of a sender, a receiver and a tag), not to actions.
/// @throws InputError naming rank, file and line of the first action that no run of a program can have.
MpiTraceFacts check_mpi_trace(const MpiTraceView& trace);

}  // namespace nowsim
