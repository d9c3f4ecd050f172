// C = A·B by blocks of rows: operations, messages and bytes in closed form, times derived by hand.
#include <cmath>

#include "tests/workloads/job_fixture.hpp"
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
