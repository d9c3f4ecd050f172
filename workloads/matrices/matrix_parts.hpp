// What of a matrix is whose: blocks of columns of a lower triangle, what they hold and what eliminating them costs; rows
// dealt to ranks in turn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace nowsim {

/// The lower triangle of a symmetric matrix, cut into blocks of columns of one width; the last may be narrower. Blocks
/// are counted from 0. Numbers of elements and operations are whole, as doubles.
class BlockColumns {
 public:
  /// Both at least 1.
  BlockColumns(std::int64_t order, std::int64_t width) : order_(order), width_(width) {}
  [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>((order_ + width_ - 1) / width_); }
  /// Elements of the whole triangle.
  [[nodiscard]] double elements() const { return order() * (order() + 1) / 2; }
  /// Of a block: its lower trapezoid.
  [[nodiscard]] double elements(std::size_t block) const {
    const double m = rows(block), b = width(block);
    return b * m - b * (b - 1) / 2;
  }
  /// Operations of Cholesky's elimination, column by column, within a block that all earlier ones have updated: its
  /// column l (from 1) takes a square root or a division per element and, before that, a product and a difference per
  /// element for each of the l-1 columns to its left.
  [[nodiscard]] double panel_flop(std::size_t block) const {
    const double m = rows(block), b = width(block);  // the sum of (2l - 1)(m - l + 1) for l = 1 .. b
    return (m + 1) * b * b - b * (b + 1) * (4 * b - 1) / 6;
  }
  /// Operations of updating columns to the right of a block, which have so many elements, with all columns of it.
  [[nodiscard]] double update_flop(std::size_t block, double elements_right) const {
    return 2 * width(block) * elements_right;
  }
  /// n³/3 + n²/2 + n/6: of all panels, and of updating all that is to the right of each.
  [[nodiscard]] double flop() const { return order() * (order() + 1) * (2 * order() + 1) / 6; }

 private:
  [[nodiscard]] double order() const { return static_cast<double>(order_); }
  [[nodiscard]] double rows(std::size_t block) const {
    return static_cast<double>(order_ - static_cast<std::int64_t>(block) * width_);
  }
  [[nodiscard]] double width(std::size_t block) const { return std::min(static_cast<double>(width_), rows(block)); }

  std::int64_t order_, width_;
};

/// Each block's rank, for p ranks with such shares (0 or more): from the last block to the first, each to the rank that
/// would be through first with the elements that it then has, at speeds like the shares (of several the first). With it
/// every step of right-looking elimination, in which all update what they have to the right, is about as balanced as
/// whole blocks allow: right of any block no rank has more per share than (elements there + (p-1) times those of the
/// largest block there)/sum of shares. So a slow rank has no column near the right edge, where all would wait for one
/// of its own. Ranks without a share get none; without any positive share all are rank 0's.
std::vector<int> deal_blocks(const BlockColumns& matrix, std::span<const double> shares);

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
  using Head = std::pair<double, std::size_t>;  ///< where the next row of a group stands, and which group
  void go_on();

  std::vector<Group> groups_;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;  ///< of groups that have rows left
  std::vector<int> here_;                                               ///< ranks with a row at the place at hand
  std::size_t at_ = 0;                                                  ///< so many of them given
};

}  // namespace nowsim
