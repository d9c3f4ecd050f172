// The text of SMPI's time-independent traces: one line of a rank is one action, its words are numbers, each refused
// with a sentence where it is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/mpi/mpi_action.hpp"

namespace nowsim {

/// As SMPI writes it into a trace: "isend", "sendRecv".
std::string mpi_call_name(MpiCall call);

/// Without blanks and a carriage return at its end, nor blanks at its beginning; empty for a line that says nothing.
std::string_view mpi_trace_line(std::string_view line);

/// Which rank's a line is: its first word. @throws InputError naming file and line where that is no rank's number.
int rank_of_mpi_line(std::string_view line, const std::string& file, std::uint32_t number);

/// A rank's lines so far, as far as later ones depend on them.
struct MpiRankText {
  int rank = 0;
  std::string file;                      ///< that its lines stand in
  double default_bytes = 1;              ///< of an element whose type is not told
  bool may_mix_types = false;            ///< `init` with an argument: SMPI did not write this
  std::uint32_t first_typed = 0;         ///< the first line that tells a type, 0: none so far
  std::uint32_t first_untyped = 0;       ///< the first line that could and does not
  std::uint32_t requests_to_nobody = 0;  ///< isends to MPI_PROC_NULL that no wait was seen for
};

/// Reads lines of ranks of one trace, in the order of each rank, without keeping them.
class MpiTraceText {
 public:
  /// Of a program with so many ranks.
  explicit MpiTraceText(int ranks) : ranks_(ranks) {}

  /// The action that a line is; false where it is none that does anything (comm_size, comm_dup, location, a send to
  /// MPI_PROC_NULL and its wait). `line` as the file has it but for a carriage return.
  /// @throws InputError naming file and line, with a sentence of what was found and what would be right.
  bool read(MpiRankText& rank, std::string_view line, std::uint32_t number, MpiAction& action);

  /// Of the last action, where it has several: bytes that gatherv, allgatherv and reducescatter receive from or for
  /// each rank, or scatterv sends to each; of alltoallv those sent to each, then those received from each.
  [[nodiscard]] std::span<const double> counts() const { return counts_; }

 private:
  int ranks_;
  std::vector<std::string_view> words_;
  std::vector<double> counts_;
};

}  // namespace nowsim
