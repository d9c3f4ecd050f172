// Counts in closed form, and list scheduling from the matrix's right edge; a heap of groups: where many ranks have as
// many rows, a step of it serves all of them.
#include "workloads/matrices/matrix_parts.hpp"

#include <algorithm>
#include <map>

#include "sim/base/infinity.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

double BlockColumns::rows(std::size_t block) const {
  return static_cast<double>(order_ - static_cast<std::int64_t>(block) * width_);
}

double BlockColumns::width(std::size_t block) const { return std::min(static_cast<double>(width_), rows(block)); }

double BlockColumns::elements() const {
  const auto n = static_cast<double>(order_);
  return n * (n + 1) / 2;
}

double BlockColumns::elements(std::size_t block) const {
  const double m = rows(block), b = width(block);
  return b * m - b * (b - 1) / 2;
}

double BlockColumns::panel_flop(std::size_t block) const {
  const double m = rows(block), b = width(block);  // the sum of (2l - 1)(m - l + 1) for l = 1 .. b
  return (m + 1) * b * b - b * (b + 1) * (4 * b - 1) / 6;
}

double BlockColumns::update_flop(std::size_t block, double elements_right) const {
  return 2 * width(block) * elements_right;
}

double BlockColumns::flop() const {
  const auto n = static_cast<double>(order_);
  return n * (n + 1) * (2 * n + 1) / 6;
}

std::vector<int> deal_blocks(const BlockColumns& matrix, std::span<const double> shares) {
  std::vector<int> owner(matrix.count(), 0);
  std::vector<double> elements(shares.size(), 0);
  for (std::size_t k = matrix.count(); k-- > 0;) {
    double soonest = kInfinity;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double through = (elements[i] + matrix.elements(k)) / shares[i];
      if (!(shares[i] > 0) || through >= soonest) continue;
      soonest = through;
      owner[k] = static_cast<int>(i);
    }
    elements[index_of(owner[k])] += matrix.elements(k);
  }
  return owner;
}

InterleavedRows::InterleavedRows(std::span<const std::int64_t> rows) {
  std::map<std::int64_t, std::vector<int>> ranks_with;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] > 0) ranks_with[rows[i]].push_back(static_cast<int>(i));
  for (auto& [count, ranks] : ranks_with) {
    groups_.push_back({static_cast<double>(count), 0, std::move(ranks)});
    heads_.push_back({groups_.back().place(), heads_.size()});
  }
  std::make_heap(heads_.begin(), heads_.end());
}

/// To the next place where rows stand. (Equal fractions are equal as doubles, and others differ, up to 2^25 rows.)
void InterleavedRows::go_on() {
  here_.clear();
  at_ = 0;
  const double place = heads_.front().place;
  std::size_t groups = 0;
  for (; is_next_at(place); ++groups) take(heads_.front().group);
  if (groups > 1) std::ranges::sort(here_);
}

/// A row for each rank of the group that is first in the heap.
void InterleavedRows::take(std::size_t group) {
  Group& it = groups_[group];
  here_.insert(here_.end(), it.ranks.begin(), it.ranks.end());
  it.taken += 1;
  std::pop_heap(heads_.begin(), heads_.end());
  if (it.taken < it.rows) {
    heads_.back().place = it.place();
    std::push_heap(heads_.begin(), heads_.end());
  } else {
    heads_.pop_back();
  }
}

}  // namespace nowsim
