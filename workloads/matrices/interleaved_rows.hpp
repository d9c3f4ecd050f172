// A matrix's rows dealt to ranks in turn, to each as many as it is to have, evenly from the first to the last.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nowsim {

/// Gives the ranks of rows in the rows' order. The j-th (from 0) of a rank's n_i rows stands at (j + 1/2)/n_i of the
/// matrix; of rows that stand at the same place the lowest rank's is first. So from any row on every rank has its part
/// of the rows that are left, within a row or so. Holds numbers per rank, none per row.
class InterleavedRows {
 public:
  /// @param rows per rank, 0 or more.
  explicit InterleavedRows(std::span<const std::int64_t> rows);
  /// The rank of the next row. There are as many as the sum of `rows`.
  int next() {
    if (at_ == here_.size()) go_on();
    return here_[at_++];
  }

 private:
  /// Ranks with as many rows: their rows stand at the same places.
  struct Group {
    double rows;
    double taken = 0;
    std::vector<int> ranks;
    [[nodiscard]] double place() const { return (taken + 0.5) / rows; }
  };
  struct Head {
    double place;
    std::size_t group;
    /// For a heap whose first is the least.
    bool operator<(const Head& other) const { return place > other.place; }
  };
  void go_on();
  void take(std::size_t group);
  [[nodiscard]] bool is_next_at(double place) const { return !heads_.empty() && heads_.front().place == place; }

  std::vector<Group> groups_;
  std::vector<Head> heads_;  ///< of groups that have rows left, as a heap
  std::vector<int> here_;    ///< ranks with a row at the place at hand
  std::size_t at_ = 0;       ///< so many of them given
};

}  // namespace nowsim
