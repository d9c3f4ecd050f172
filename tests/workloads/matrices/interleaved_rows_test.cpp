// Rows dealt in turn: as many as asked for, evenly, with the lowest rank first where several are due.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "workloads/matrices/interleaved_rows.hpp"

using nowsim::InterleavedRows;

namespace {

std::vector<int> dealt(const std::vector<std::int64_t>& rows) {
  InterleavedRows order(rows);
  std::vector<int> ranks;
  for (auto left = std::accumulate(rows.begin(), rows.end(), std::int64_t{0}); left > 0; --left)
    ranks.push_back(order.next());
  return ranks;
}

}  // namespace

TEST_CASE("Rows of equal ranks go round", "[computes][interleaved_rows]") {
  CHECK(dealt({2, 2, 2}) == std::vector<int>{0, 1, 2, 0, 1, 2});
}

TEST_CASE("A rank with more rows has them evenly among the others'", "[interleaved_rows]") {
  // At 1/6, 3/6, 5/6; 1/2; 1/4, 3/4.
  CHECK(dealt({3, 1, 2}) == std::vector<int>{0, 2, 0, 1, 2, 0});
  CHECK(dealt({1, 4}) == std::vector<int>{1, 1, 0, 1, 1});
}

TEST_CASE("Ranks without rows get none", "[interleaved_rows]") {
  CHECK(dealt({0, 1, 0, 2}) == std::vector<int>{3, 1, 3});
  CHECK(dealt({0, 0, 5}) == std::vector<int>{2, 2, 2, 2, 2});
}

TEST_CASE("The order is that of all rows sorted by place and rank", "[interleaved_rows]") {
  for (const auto& rows : std::vector<std::vector<std::int64_t>>{
           {7, 5, 3, 7, 7, 1}, {16, 8, 4, 2, 1, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, {41, 41, 40, 40, 16, 15, 16}}) {
    std::vector<std::pair<double, int>> places;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::int64_t j = 0; j < rows[i]; ++j)
        places.emplace_back((static_cast<double>(j) + 0.5) / static_cast<double>(rows[i]), static_cast<int>(i));
    std::ranges::sort(places);
    std::vector<int> expected;
    for (const auto& [place, rank] : places) expected.push_back(rank);
    CHECK(dealt(rows) == expected);
  }
}
