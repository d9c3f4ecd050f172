// Blocks of columns: counts against a count of one by one, and how evenly blocks are dealt. Rows dealt in turn: as many
// as asked for, evenly, with the lowest rank first where several are due.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/statistics/random.hpp"
#include "workloads/matrices/matrix_parts.hpp"

using namespace nowsim;

namespace {

/// Operations on the columns from `first` to before `last` of a matrix of order n that those before have updated:
/// right-looking, element by element.
double counted_panel_flop(std::int64_t n, std::int64_t first, std::int64_t last) {
  double flop = 0;
  for (std::int64_t j = first; j < last; ++j) {
    flop += 1;                                           // l_jj = sqrt(a_jj)
    for (std::int64_t i = j + 1; i < n; ++i) flop += 1;  // l_ij = a_ij / l_jj
    for (std::int64_t c = j + 1; c < last; ++c)
      for (std::int64_t i = c; i < n; ++i) flop += 2;  // a_ic -= l_ij·l_cj
  }
  return flop;
}

double elements_from(const BlockColumns& matrix, std::size_t block) {
  double sum = 0;
  for (std::size_t k = block; k < matrix.count(); ++k) sum += matrix.elements(k);
  return sum;
}

}  // namespace

TEST_CASE("A block of columns holds and costs what a count element by element gives",
          "[computes][workloads][block_columns]") {
  for (const std::int64_t n : {1, 2, 7, 20, 33})
    for (const std::int64_t width : {1, 2, 5, 32, 64}) {
      const BlockColumns matrix(n, width);
      REQUIRE(static_cast<double>(matrix.count()) == std::ceil(static_cast<double>(n) / static_cast<double>(width)));
      double elements = 0, flop = 0;
      for (std::size_t k = 0; k < matrix.count(); ++k) {
        const auto first = static_cast<std::int64_t>(k) * width, last = std::min(n, first + width);
        double own = 0;
        for (std::int64_t c = first; c < last; ++c) own += static_cast<double>(n - c);
        CHECK(matrix.elements(k) == own);
        CHECK(matrix.panel_flop(k) == counted_panel_flop(n, first, last));
        elements += own;
        flop += matrix.panel_flop(k) + matrix.update_flop(k, elements_from(matrix, k + 1));
      }
      const auto order = static_cast<double>(n);
      CHECK(matrix.elements() == elements);
      CHECK(flop == matrix.flop());
      CHECK(flop == counted_panel_flop(n, 0, n));  // the blocks change the order of operations, not their number
      CHECK(flop == Approx(order * order * order / 3 + order * order / 2 + order / 6).epsilon(1e-14));
    }
}

TEST_CASE("Equal ranks take turns from the matrix's right edge, so that nobody is done long before the others",
          "[workloads][block_columns]") {
  // Elements 3, 7, 11, 15: the first to be through with 3, with 7 and, from 7 and 3, with 3 + 11 rather than 7 + 11.
  CHECK(deal_blocks(BlockColumns(8, 2), std::vector<double>{1, 1}) == std::vector<int>{1, 0, 1, 0});
  CHECK(deal_blocks(BlockColumns(6, 2), std::vector<double>{5, 5, 5}) == std::vector<int>{2, 1, 0});
  // Without any positive share all are the first rank's.
  CHECK(deal_blocks(BlockColumns(5, 2), std::vector<double>{0, 0}) == std::vector<int>{0, 0, 0});
}

TEST_CASE("Blocks are dealt in proportion to the shares, right of every block",
          "[workloads][block_columns][property]") {
  Stream random = Stream::Family(1, 0).stream(0, Purpose::workload);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<double> shares(2 + static_cast<std::size_t>(random.uniform() * 11));
    for (auto& share : shares) share = random.uniform() < 0.2 ? 0 : 0.05 + random.uniform();
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    if (!(sum > 0)) continue;
    const BlockColumns matrix(300 + static_cast<std::int64_t>(random.uniform() * 300), 7);
    const auto owner = deal_blocks(matrix, shares);
    std::vector<double> elements(shares.size(), 0);
    for (std::size_t k = matrix.count(); k-- > 0;) {
      elements[static_cast<std::size_t>(owner[k])] += matrix.elements(k);
      const double ranks = static_cast<double>(shares.size());
      const double bound = (elements_from(matrix, k) + (ranks - 1) * matrix.elements(k)) / sum;
      for (std::size_t i = 0; i < shares.size(); ++i) {
        if (shares[i] > 0) CHECK(elements[i] / shares[i] <= bound * (1 + 1e-12));
        else CHECK(elements[i] == 0);
      }
    }
  }
}

namespace {

std::vector<int> dealt(const std::vector<std::int64_t>& rows) {
  InterleavedRows order(rows);
  std::vector<int> ranks;
  for (auto left = std::accumulate(rows.begin(), rows.end(), std::int64_t{0}); left > 0; --left)
    ranks.push_back(order.next());
  return ranks;
}

}  // namespace

TEST_CASE("Rows of equal ranks go round, a rank with more has them evenly among the others'", "[interleaved_rows]") {
  CHECK(dealt({2, 2, 2}) == std::vector<int>{0, 1, 2, 0, 1, 2});
  CHECK(dealt({3, 1, 2}) == std::vector<int>{0, 2, 0, 1, 2, 0});  // at 1/6, 3/6, 5/6; 1/2; 1/4, 3/4
  CHECK(dealt({1, 4}) == std::vector<int>{1, 1, 0, 1, 1});
  // Ranks without rows get none.
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
