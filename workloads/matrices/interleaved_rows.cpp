// A heap of groups: where many ranks have as many rows, a step of it serves all of them.
#include "workloads/matrices/interleaved_rows.hpp"

#include <algorithm>
#include <map>

namespace nowsim {

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
