// C = A·B by blocks of rows in closed form and by hand; blocks of columns and rows against a count of one by one.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "sim/statistics/random.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "workloads/matrices/matrix_parts.hpp"
#include "workloads/parts/whole_parts.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// The words of `distribute`, by their positions.
constexpr double kEach = 0, kBinomial = 1, kRotate = 2, kInPlace = 3;

struct Product {
  double size;
  double distribute = kEach;
  double element = 4;
  double spawn = 0;
};

Scenario product(const Product& p, const std::vector<double>& shares, NetworkKind network = NetworkKind::bus) {
  Scenario s = job("matrix-multiply",
                   {{"size", p.size}, {"distribute", p.distribute}, {"element", p.element}, {"spawn", p.spawn}},
                   machines(shares.size(), network));
  s.share_flop = shares;
  return s;
}

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

TEST_CASE("The ranks' operations add up to 2n³, however B is distributed and rows are shared",
          "[computes][workloads][matrix_multiply]") {
  for (const double distribute : {kEach, kBinomial, kRotate, kInPlace})
    for (const double size : {1., 7., 13.})
      for (const auto& shares : kShares) {
        const Scenario s = product({size, distribute}, shares);
        const auto rows = whole_parts(static_cast<std::int64_t>(size), shares);
        const RunResult r = run(s)[0];
        for (std::size_t i = 0; i < shares.size(); ++i)
          CHECK(r[Quantity::work_flop][i] == Approx(2 * static_cast<double>(rows[i]) * size * size).epsilon(1e-12));
        CHECK(sum_of(r[Quantity::work_flop]) == Approx(2 * size * size * size).epsilon(1e-12));
        CHECK(s.workload->program().work_of(shares) == 2 * size * size * size);
        CHECK(r.makespan_s >= 2 * size * size * size / static_cast<double>(shares.size()));
      }
}

TEST_CASE("Messages and bytes are those of rows that go out and come back, and of B on its way",
          "[workloads][matrix_multiply]") {
  // Order 12, 4 bytes: rows of 48 bytes, 6, 2 and 4 of them; B has 576 bytes.
  const auto result = [](double distribute) { return run(product({12, distribute}, {3, 1, 2}))[0]; };
  const RunResult each = result(kEach);
  CHECK(each[Quantity::messages] == std::vector<double>{2, 1, 1});
  CHECK(each[Quantity::sent_bytes] == std::vector<double>{2 * 576 + (2 + 4) * 48, 2 * 48, 4 * 48});
  const RunResult in_place = result(kInPlace);
  CHECK(in_place[Quantity::messages] == std::vector<double>{2, 1, 1});
  CHECK(in_place[Quantity::sent_bytes] == std::vector<double>{(2 + 4) * 48, 2 * 48, 4 * 48});
  const RunResult binomial = result(kBinomial);  // from rank 0 to 2 and to 1
  CHECK(binomial[Quantity::messages] == std::vector<double>{4, 1, 1});
  CHECK(binomial[Quantity::sent_bytes] == each[Quantity::sent_bytes]);
  const RunResult rotate = result(kRotate);  // two passes: a rank's own rows of B and those of the rank before
  CHECK(rotate[Quantity::messages] == std::vector<double>{2 + 2, 2 + 1, 2 + 1});
  CHECK(rotate[Quantity::sent_bytes] ==
        std::vector<double>{2 * (2 + 4) * 48 + (6 + 4) * 48, (2 + 6) * 48 + 2 * 48, (4 + 2) * 48 + 4 * 48});
}

TEST_CASE("In a binomial tree rank 2 of 4 passes B on; in a ring B goes round once for all but the last step",
          "[workloads][matrix_multiply]") {
  const std::vector<double> equal{1, 1, 1, 1};
  const RunResult tree = run(product({8, kBinomial}, equal))[0];
  CHECK(tree[Quantity::messages] == std::vector<double>{3 + 2, 1, 1 + 1, 1});
  CHECK(tree[Quantity::sent_bytes] == std::vector<double>{3 * 64 + 2 * 256, 64, 64 + 256, 64});
  for (std::size_t p = 2; p <= 6; ++p) {
    const RunResult ring = run(product({60, kRotate}, std::vector<double>(p, 1)))[0];
    const double ranks = static_cast<double>(p), matrix = 60 * 60 * 4;
    CHECK(sum_of(ring[Quantity::messages]) == (ranks - 1) * (2 + ranks));
    CHECK(sum_of(ring[Quantity::sent_bytes]) ==
          Approx((ranks - 1) * matrix + 3 * matrix * (ranks - 1) / ranks).epsilon(1e-12));
  }
}

TEST_CASE("A master sends to one worker after another, and takes their results in order",
          "[workloads][matrix_multiply]") {
  // Order 10, 1 byte, rows 4, 2, 4. Rank 1 gets 20 + 100 bytes by 0.121 s, rank 2 40 + 100 by 0.262 s; rank 0 computes
  // 800 flop then. Its speed is halved, so that both wait for it: 20 bytes in 0.021 s, 40 in 0.041 s.
  Scenario s = product({10, kEach, 1}, {2, 1, 2});
  s.owners[0] = profile_of("0 0.5\n");
  const RunResult r = run_on_both(s);
  CHECK(r.makespan_s == near(0.121 + 0.141 + 1600 + 0.021 + 0.041));
  CHECK(r[Quantity::finish_s][1] == near(0.262 + 1600 + 0.021));
  // Not halved: rank 2 is through when rank 0 is, rank 1 has been since 400.121 s.
  s.owners[0] = dedicated_owner();
  CHECK(run_on_both(s).makespan_s == near(0.262 + 800 + 0.021 + 0.041));
}

TEST_CASE("Where B is in place only rows of A go out, and starting tasks comes first", "[workloads][matrix_multiply]") {
  // Three ranks of 2 rows of 6: 12 bytes, 13 ms; 2·2·36 = 144 flop. Rank 0 begins when two tasks have been started.
  for (const double spawn : {0., 0.5}) {
    const RunResult r = run_on_both(product({6, kInPlace, 1, spawn}, {1, 1, 1}));
    CHECK(r.makespan_s == near(2 * spawn + 2 * 0.013 + 144 + 2 * 0.013));
  }
}

TEST_CASE("B goes down a binomial tree in two rounds to three workers; on a bus the second round's messages meet",
          "[workloads][matrix_multiply]") {
  // Order 8, 10 bytes: rows of A 160 bytes, 0.161 s each; B 640 bytes, 0.641 s. 2·2·64 = 256 flop each.
  const auto on = [](NetworkKind network) { return product({8, kBinomial, 10}, {1, 1, 1, 1}, network); };
  CHECK(run_on_both(on(NetworkKind::network_switch)).makespan_s == near(3 * 0.161 + 2 * 0.641 + 256 + 3 * 0.161));
  CHECK(run(on(NetworkKind::bus))[0].makespan_s == near(3 * 0.161 + 0.641 + 1.281 + 256 + 3 * 0.161));
}

TEST_CASE("Blocks of B that rotate meet on a bus, and pass one another on a switch", "[workloads][matrix_multiply]") {
  // Order 10, 10 bytes, 5 rows each: 1000 bytes out, two steps of 500 flop, 500 bytes each way between, 500 back.
  const auto on = [](NetworkKind network) { return product({10, kRotate, 10}, {1, 1}, network); };
  CHECK(run_on_both(on(NetworkKind::network_switch)).makespan_s == near(1.001 + 500 + 0.501 + 500 + 0.501));
  CHECK(run(on(NetworkKind::bus))[0].makespan_s == near(1.001 + 500 + 1.001 + 500 + 0.501));
}

TEST_CASE("A rank without a share is as good as not there, but for a tree that it passes B along",
          "[workloads][matrix_multiply]") {
  for (const double distribute : {kEach, kRotate, kInPlace}) {
    const RunResult two = run(product({9, distribute}, {1, 2}))[0], three = run(product({9, distribute}, {1, 0, 2}))[0];
    CHECK(three.makespan_s == near(two.makespan_s));
    CHECK(three[Quantity::messages] == std::vector<double>{two[Quantity::messages][0], 0, two[Quantity::messages][1]});
    CHECK(three[Quantity::finish_s][1] == 0);
  }
  CHECK(run(product({9, kBinomial}, {1, 0, 2}))[0][Quantity::messages] == std::vector<double>{1 + 2, 0, 1});
  const RunResult master = run(product({9, kEach}, {0, 1, 2}))[0];  // that only deals and collects
  CHECK(master[Quantity::work_flop][0] == 0);
  CHECK(master[Quantity::messages] == std::vector<double>{2, 1, 1});
}

TEST_CASE("A block of columns holds and costs what a count element by element gives",
          "[workloads][block_columns]") {
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
