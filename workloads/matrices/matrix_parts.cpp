// List scheduling from the matrix's right edge; a heap of groups: where many ranks have as many rows, a step of it
// serves all of them.
#include "workloads/matrices/matrix_parts.hpp"

#include <algorithm>
#include <map>

#include "sim/base/infinity.hpp"
#include "sim/program/rank.hpp"

namespace nowsim {

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
    heads_.emplace(groups_.back().place(), heads_.size());
  }
}

/// To the next place where rows stand: a row for each rank of the groups that come first. (Equal fractions are equal as
/// doubles, and others differ, up to 2^25 rows.)
void InterleavedRows::go_on() {
  here_.clear();
  at_ = 0;
  const double place = heads_.top().first;
  std::size_t groups = 0;
  for (; !heads_.empty() && heads_.top().first == place; ++groups) {
    const std::size_t first = heads_.top().second;
    Group& group = groups_[first];
    here_.insert(here_.end(), group.ranks.begin(), group.ranks.end());
    group.taken += 1;
    heads_.pop();
    if (group.taken < group.rows) heads_.emplace(group.place(), first);
  }
  if (groups > 1) std::ranges::sort(here_);
}

}  // namespace nowsim
