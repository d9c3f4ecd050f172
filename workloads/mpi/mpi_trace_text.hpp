// The text of SMPI's time-independent traces: one line of a rank is one action, its words are numbers, each refused
// with a sentence where it is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
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

/// A line and what its parser needs to know; values are counted from 0, behind the action's name.
struct MpiTraceLine {
  MpiRankText& rank;
  std::uint32_t number;
  int ranks;
  std::string_view name;
  std::span<const std::string_view> values;
  bool ends_in_blank;  ///< SMPI wrote an empty word there
  std::vector<double>& counts;

  [[noreturn]] void refuse(const std::string& sentence) const;

  /// A number at least 0 and finite: flop, or seconds.
  [[nodiscard]] double amount(std::size_t i) const;
  /// A whole number at least 0; as SMPI's replay reads it, 5e4 is one, and digits behind a point are left out.
  [[nodiscard]] double elements(std::size_t i) const;
  /// A message's tag.
  [[nodiscard]] std::int32_t tag(std::size_t i) const;
  /// The same, where it may be any.
  [[nodiscard]] std::int32_t wanted_tag(std::size_t i) const;
  /// A rank of the program, as partner or root.
  [[nodiscard]] std::int32_t partner(std::size_t i) const;
  /// The same, where it may be any.
  [[nodiscard]] std::int32_t source(std::size_t i) const;
  /// Whether it is what SMPI writes for MPI_PROC_NULL, to whom nothing is sent.
  [[nodiscard]] bool is_nobody(std::size_t i) const;
  /// The root of a collective: rank 0 where the line has no such value.
  [[nodiscard]] std::int32_t root(std::size_t i) const { return i < values.size() ? partner(i) : 0; }
  /// Bytes of an element of the type that value i names; the default where the line has no such value.
  /// @param is_used false of a type that means nothing on this rank, and may be any.
  double type_bytes(std::size_t i, bool is_used = true) const;
  /// Appends the bytes of as many counts as there are ranks, from value i on.
  void add_counts(std::size_t i, double bytes_each) const;

 private:
  [[nodiscard]] std::optional<std::int32_t> integer(std::size_t i) const;
};

/// What an action of that name is, as "an X: why a trace does not say enough"; "" of a name that SMPI does not write,
/// or that can be simulated.
std::string refused_mpi_action(std::string_view name);

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
