// Cholesky's factorisation by blocks of columns: operations, messages and bytes in closed form, times derived by hand.
#include <cmath>
#include <set>

#include "tests/workloads/job_fixture.hpp"
#include "workloads/matrices/matrix_parts.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// The words of `broadcast`, by their positions.
constexpr double kEach = 0, kBinomial = 1;

struct Matrix {
  double size;
  double block;
  double broadcast = kEach;
  double element = 4, spawn = 0;
};

Scenario factorisation(const Matrix& m, const std::vector<double>& shares, std::shared_ptr<const Platform> platform) {
  Scenario s = job("cholesky",
                   {{"size", m.size},
                    {"block", m.block},
                    {"broadcast", m.broadcast},
                    {"element", m.element},
                    {"spawn", m.spawn}},
                   std::move(platform));
  s.share_flop = shares;
  return s;
}

RunResult factorised(const Matrix& m, const std::vector<double>& shares, NetworkKind network = NetworkKind::bus) {
  return run(factorisation(m, shares, machines(shares.size(), network)))[0];
}

double operations(double n) { return n * n * n / 3 + n * n / 2 + n / 6; }

/// How many ranks but its owner have blocks to the right of block k.
std::size_t receivers(const std::vector<int>& owner, std::size_t k) {
  std::set<int> ranks(owner.begin() + static_cast<std::ptrdiff_t>(k), owner.end());
  ranks.erase(owner[k]);
  return ranks.size();
}

}  // namespace

TEST_CASE("The ranks' operations add up to n³/3 + n²/2 + n/6, whatever blocks and shares",
          "[computes][workloads][cholesky]") {
  for (const double broadcast : {kEach, kBinomial})
    for (const double block : {1., 4., 5., 100.})  // 5 does not divide 24, 100 is more than all of it
      for (const auto& shares : kShares) {
        const Matrix m{24, block, broadcast};
        const Scenario s = factorisation(m, shares, machines(shares.size()));
        const RunResult r = run(s)[0];
        CHECK(sum_of(r[Quantity::work_flop]) == Approx(operations(24)).epsilon(1e-12));
        CHECK(s.workload->program().work_of(shares) == Approx(operations(24)).epsilon(1e-14));
        CHECK(r.makespan_s >= operations(24) / static_cast<double>(shares.size()));
        for (std::size_t i = 0; i < shares.size(); ++i) CHECK((shares[i] > 0 || r[Quantity::work_flop][i] == 0));
      }
}

TEST_CASE("A panel goes to those who have columns to update, or along a tree to all", "[workloads][cholesky]") {
  // Order 6 in blocks of 11, 7 and 3 elements of 4 bytes: ranks 2, 1 and 0's. Columns go out and come back in one
  // message per rank; the left panel goes from rank 2 to 0 and 1, the middle one from rank 1 to 0.
  const RunResult each = factorised({6, 2, kEach}, {1, 1, 1});
  CHECK(each[Quantity::messages] == std::vector<double>{2, 1 + 1, 2 + 1});
  CHECK(each[Quantity::sent_bytes] == std::vector<double>{(7 + 11) * 4, (7 + 7) * 4, (2 * 11 + 11) * 4});
  const RunResult tree = factorised({6, 2, kBinomial}, {1, 1, 1});
  CHECK(tree[Quantity::messages] == std::vector<double>{2, 2 + 1, 2 + 1});
  CHECK(tree[Quantity::sent_bytes] == std::vector<double>{(7 + 11) * 4, (2 * 7 + 7) * 4, (2 * 11 + 11) * 4});
}

TEST_CASE("Bytes are those of columns out and back, and of each panel for all that need it, or for all by a tree",
          "[workloads][cholesky]") {
  for (const auto& shares : std::vector<std::vector<double>>{{1, 1}, {3, 1, 2}, {1, 0, 4, 2}, {1, 1, 1, 1, 1}}) {
    const BlockColumns matrix(23, 3);
    const auto owner = deal_blocks(matrix, shares);
    double columns = 0, each = 0, tree = 0;
    for (std::size_t k = 0; k < owner.size(); ++k) {
      const double bytes = matrix.elements(k) * 8, to = static_cast<double>(receivers(owner, k));
      if (owner[k] != 0) columns += 2 * bytes;
      each += to * bytes;
      if (to > 0) tree += static_cast<double>(shares.size() - 1) * bytes;
    }
    CHECK(sum_of(factorised({23, 3, kEach, 8}, shares)[Quantity::sent_bytes]) == Approx(columns + each).epsilon(1e-12));
    CHECK(sum_of(factorised({23, 3, kBinomial, 8}, shares)[Quantity::sent_bytes]) ==
          Approx(columns + tree).epsilon(1e-12));
  }
}

TEST_CASE("Two ranks take turns: panel, its message, update", "[workloads][cholesky]") {
  // Order 4 in blocks of 7 (rank 1's) and 3 elements of 100 bytes, so 0.701 s for the former. Panels of 13 and 5 flop,
  // 2·2·3 = 12 to update. Out, panel, panel's message, update, panel, back.
  for (const double broadcast : {kEach, kBinomial}) {
    const RunResult r = run_on_both(factorisation({4, 2, broadcast, 100}, {1, 1}, machines(2, NetworkKind::bus)));
    CHECK(r.makespan_s == near(0.701 + 13 + 0.701 + 12 + 5 + 0.701));
    CHECK(r[Quantity::work_flop] == std::vector<double>{17, 13});
  }
}

TEST_CASE("Panels to several ranks travel at the same time, or by a tree one after the other",
          "[workloads][cholesky]") {
  // Order 6 in blocks of 11, 7 and 3 elements of 100 bytes, ranks 2, 1 and 0's. They have them after 1.802 s. Panels of
  // 21, 13 and 5 flop; the left one updates 7 and 3 elements with 28 and 12 flop, the middle one 3 with 12.
  const double out_s = 0.701 + 1.101, back_s = out_s;
  // Both messages of 1100 bytes share the bus, or their sender's link, for 2.2 s.
  const double each = out_s + 21 + 2.201 + 28 + 13 + 0.701 + 12 + 5 + back_s;
  CHECK(factorised({6, 2, kEach, 100}, {1, 1, 1}).makespan_s == near(each));
  CHECK(factorised({6, 2, kEach, 100}, {1, 1, 1}, NetworkKind::network_switch).makespan_s == near(each));
  // From rank 2 to 1 first, which is what all wait for; and from rank 1 to 0 first.
  const double tree = out_s + 21 + 1.101 + 28 + 13 + 0.701 + 12 + 5 + back_s;
  const Scenario by_tree = factorisation({6, 2, kBinomial, 100}, {1, 1, 1}, machines(3, NetworkKind::bus));
  CHECK(run_on_both(by_tree).makespan_s == near(tree));
}

TEST_CASE("A rank without a share has no columns and gets no panels", "[workloads][cholesky]") {
  const RunResult two = factorised({20, 3}, {1, 2}), three = factorised({20, 3}, {1, 0, 2});
  CHECK(three.makespan_s == near(two.makespan_s));
  CHECK(three[Quantity::messages] == std::vector<double>{two[Quantity::messages][0], 0, two[Quantity::messages][1]});
  CHECK(three[Quantity::finish_s][1] == 0);
  CHECK(factorised({.size = 20, .block = 3, .spawn = 10}, {1, 0, 2}).makespan_s == near(2 * 10 + three.makespan_s));
  const RunResult master = factorised({20, 3}, {0, 1, 2});  // that only deals and collects
  CHECK(master[Quantity::work_flop][0] == 0);
  CHECK(master[Quantity::messages][0] == 2);
}

TEST_CASE("One block is one rank's: nobody is sent a panel", "[workloads][cholesky]") {
  const RunResult r = factorised({10, 32}, {1, 1, 1});
  CHECK(r.makespan_s == near(operations(10)));
  CHECK(sum_of(r[Quantity::messages]) == 0);
}

TEST_CASE("Without a network to wait for the speedup comes close to the number of ranks, or to their total speed",
          "[workloads][cholesky]") {
  const auto speedup = [](double size, const std::vector<double>& speeds) {
    // With no latency, and next to no time for a message.
    const auto platform = machines(speeds, NetworkKind::network_switch, 1e15, 0);
    return operations(size) / run(factorisation({size, 8}, speeds, platform))[0].makespan_s;
  };
  const std::vector<double> equal(4, 1.0);
  const double small = speedup(200, equal), large = speedup(4000, equal);
  CHECK(large > 0.98 * 4);
  CHECK(large < 4);
  CHECK(small < large);
  const std::vector<double> mixed{1, 0.48, 0.48, 0.83};
  CHECK(speedup(4000, mixed) > 0.98 * sum_of(mixed));
}

TEST_CASE("Matrices of blocks without number are refused", "[workloads][cholesky][error]") {
  const auto made = [](double size) { return job("cholesky", {{"size", size}, {"block", 1}}, machines(2)); };
  CHECK_THROWS_WITH(made(10001), Catch::Contains("give a larger block"));
  CHECK_NOTHROW(made(10000));
}
