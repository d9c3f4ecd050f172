// Gaussian elimination and Cholesky's factorisation: closed forms and times derived by hand, on both engines.
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/error.hpp"
#include "sim/engines/timeline.hpp"
#include "sim/platform/network_shape.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/thrown.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "workloads/matrices/matrix_parts.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// The words of `rows`, `communication` and `steps`, by their positions.
constexpr double kFull = 0, kShrinking = 1, kBroadcast = 0, kPointToPoint = 1, kSynchronised = 0, kFree = 1;

struct Matrix {
  double size;
  double rows = kFull;
  double communication = kBroadcast;
  double steps = kSynchronised;
  double element = 8;
};

/// In one go where the engine can.
Scenario elimination(const Matrix& m, std::shared_ptr<const Platform> platform, const std::vector<double>& shares) {
  Scenario s = job("gauss",
                   {{"size", m.size},
                    {"rows", m.rows},
                    {"communication", m.communication},
                    {"steps", m.steps},
                    {"element", m.element}},
                   std::move(platform), shares);
  s.network = uniform_network(*s.platform);
  return s;
}

Scenario on_equal(const Matrix& m, std::size_t p) { return elimination(m, machines(p), std::vector<double>(p, 1.0)); }

Scenario with_owners(Scenario s, const OwnerPtr& owner) {
  s.owners.assign(s.size(), owner);
  return s;
}

Scenario message_by_message(Scenario s) {
  s.network.reset();
  return s;
}

/// On machines(): lambda + m/beta, m elements of 8 bytes at 1 ms and 1000 B/s.
double message_s(double elements) { return 1e-3 + 8 * elements / 1000; }

double rounds(std::size_t p, double communication) {
  const auto ranks = static_cast<double>(p);
  return communication == kPointToPoint ? ranks - 1 : std::ceil(std::log2(ranks));
}

/// Whether all numbers of two runs agree, up to a part of the larger or of the makespan.
void check_same(const RunResult& a, const RunResult& b, double tolerance) {
  const auto same = [&](double x, double y) {
    return std::abs(x - y) <= tolerance * std::max({std::abs(x), std::abs(y), a.makespan_s});
  };
  CHECK(a.replication == b.replication);
  CHECK(a.ties == b.ties);
  CHECK(a.makespan_s == Approx(b.makespan_s).epsilon(tolerance).margin(0));
  for (const Quantity q : kAllQuantities)
    for (std::size_t i = 0; i < a[q].size(); ++i)
      if (!same(a[q][i], b[q][i])) {
        INFO(quantity_kind(q).name << " of workstation " << i);
        CHECK(a[q][i] == b[q][i]);
      }
}

void check_in_one_go(const Scenario& s, double tolerance = 1e-12) {
  const Batch batch{3, 3};
  REQUIRE(s.network);
  const auto at_once = run_batch_direct(s, batch), one_by_one = run_batch_direct(message_by_message(s), batch);
  for (std::size_t k = 0; k < batch.count; ++k) check_same(at_once[k], one_by_one[k], tolerance);
}

std::string failure_of(const Scenario& s) {
  return sentence_of<RunError>([&] { run_batch_direct(s, {0, 1}); });
}

/// HL 5.1's owners: half of the machine on average.
OwnerPtr busy_owner() { return intervals_owner(uniform(0.1, 0.9), uniform(0, 20), "test"); }

/// The words of `broadcast`, by their positions.
constexpr double kEach = 0, kBinomial = 1;

struct Symmetric {
  double size;
  double block;
  double broadcast = kEach;
  double element = 4, spawn = 0;
};

Scenario factorisation(const Symmetric& m, const std::vector<double>& shares,
                       std::shared_ptr<const Platform> platform) {
  Scenario s = job(
      "cholesky",
      {{"size", m.size}, {"block", m.block}, {"broadcast", m.broadcast}, {"element", m.element}, {"spawn", m.spawn}},
      std::move(platform));
  s.share_flop = shares;
  return s;
}

RunResult factorised(const Symmetric& m, const std::vector<double>& shares, NetworkKind network = NetworkKind::bus) {
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

TEST_CASE("Full rows take n steps of n operations per row, and of ceil(log2 p) messages, or p - 1 from point to point",
          "[computes][workloads][gauss]") {
  for (const double communication : {kBroadcast, kPointToPoint})
    for (const std::size_t p : {2, 3, 4, 5}) {
      const RunResult r = run_on_both(on_equal({60, kFull, communication}, p));
      const double rows = 60 / static_cast<double>(p), others = static_cast<double>(p) - 1;
      CHECK(r.makespan_s == near(60 * (rounds(p, communication) * message_s(60) + 60 * rows)));
      CHECK(r[Quantity::work_flop] == std::vector<double>(p, 60 * 60 * rows));
      CHECK(sum_of(r[Quantity::messages]) == 60 * others);
      CHECK(sum_of(r[Quantity::sent_bytes]) == 60 * 8 * sum_of(r[Quantity::messages]));
      if (communication == kPointToPoint) CHECK(r[Quantity::messages] == std::vector<double>(p, rows * others));
    }
}

TEST_CASE("Shrinking rows: a step sends what is right of the pivot, and costs that and one more per row below",
          "[workloads][gauss]") {
  constexpr std::size_t kSize = 12;
  for (const double communication : {kBroadcast, kPointToPoint})
    for (const std::size_t p : {2, 4}) {
      const bool linear = communication == kPointToPoint;
      double makespan_s = 0, work_flop = 0;
      for (std::size_t k = 0; k + 1 < kSize; ++k) {  // rows go round, so row k is rank k mod p's
        const auto right = static_cast<double>(kSize - 1 - k);
        double length_s = 0;
        for (std::size_t i = 0; i < p; ++i) {
          const std::size_t relative = (i + p - k % p) % p;
          double below = 0;
          for (std::size_t row = k + 1; row < kSize; ++row) below += row % p == i ? 1 : 0;
          // By broadcast among 2 or 4 all are free at the same time; else each when it has the message, the root last.
          const double waits = !linear || relative == 0 ? rounds(p, communication) : static_cast<double>(relative);
          length_s = std::max(length_s, waits * message_s(right) + below * (right + 1));
          work_flop += below * (right + 1);
        }
        makespan_s += length_s;
      }
      const RunResult r = run_on_both(on_equal({kSize, kShrinking, communication}, p));
      CHECK(r.makespan_s == near(makespan_s));
      CHECK(sum_of(r[Quantity::work_flop]) == near(work_flop));
      CHECK(work_flop == (12. * 12 * 12 - 12) / 3);
      CHECK(sum_of(r[Quantity::messages]) == 11 * (static_cast<double>(p) - 1));
      CHECK(sum_of(r[Quantity::sent_bytes]) == 8 * (11 * 12 / 2) * (static_cast<double>(p) - 1));
    }
}

TEST_CASE("Rows in proportion to speeds make steps as long for all", "[workloads][gauss]") {
  const Scenario s = elimination({8}, machines({3.0, 1.0}, NetworkKind::network_switch), {3, 1});
  const RunResult r = run_on_both(s);
  CHECK(r.makespan_s == near(8 * (message_s(8) + 8 * 2)));
  CHECK(r[Quantity::work_flop] == std::vector<double>{6 * 64, 2 * 64});
  CHECK(r[Quantity::messages] == std::vector<double>{6, 2});
  // Split equally the slower one has 4 rows, and all wait for it.
  const Scenario equal = elimination({8}, s.platform, {1, 1});
  CHECK(run_on_both(equal).makespan_s == near(8 * (message_s(8) + 8 * 4)));
}

TEST_CASE("Steps that are not synchronised let messages from point to point travel while others compute",
          "[workloads][gauss]") {
  // Four ranks with a row each. The next root has the message first, but its own is taken when the rank behind it has
  // computed, one message later: after 2, 4 and 6 messages. Of the last step's three messages and compute all is paid.
  const double message = message_s(4), compute_s = 4;
  const Matrix m{4, kFull, kPointToPoint, kFree};
  CHECK(run_on_both(on_equal(m, 4)).makespan_s == near(9 * message + 4 * compute_s));
}

TEST_CASE("Steps that are not synchronised do the same, and no later", "[workloads][gauss]") {
  for (const double rows : {kFull, kShrinking})
    for (const double communication : {kBroadcast, kPointToPoint}) {
      const RunResult free = run_on_both(on_equal({30, rows, communication, kFree}, 5));
      const RunResult synchronised = run_on_both(on_equal({30, rows, communication}, 5));
      CHECK(free.makespan_s <= synchronised.makespan_s * (1 + 1e-12));
      CHECK(free[Quantity::work_flop] == synchronised[Quantity::work_flop]);
      CHECK(free[Quantity::messages] == synchronised[Quantity::messages]);
      CHECK(free[Quantity::sent_bytes] == synchronised[Quantity::sent_bytes]);
    }
}

TEST_CASE("Some ranks have no rows where there are more of them than rows", "[workloads][gauss]") {
  const RunResult r = run_on_both(on_equal({3}, 5));
  CHECK(r.makespan_s == near(3 * (3 * message_s(3) + 3)));
  CHECK(r[Quantity::work_flop] == std::vector<double>{9, 9, 9, 0, 0});
}

TEST_CASE("In one go steps come to what their messages come to one by one", "[workloads][gauss][supersteps]") {
  const OwnerPtr cycles = duty_cycle_owner(7, 0.3, true), aligned = duty_cycle_owner(11, 0.25, false);
  for (const double rows : {kFull, kShrinking})
    for (const double communication : {kBroadcast, kPointToPoint})
      for (const std::size_t p : {2, 3, 5, 8, 21}) {
        const Matrix m{17, rows, communication, kSynchronised, 5.3};
        INFO("rows " << rows << ", communication " << communication << ", ranks " << p);
        std::vector<double> speeds(p);
        for (std::size_t i = 0; i < p; ++i) speeds[i] = 1 + static_cast<double>(i % 3) / 3;
        for (const auto& shares : {speeds, std::vector<double>(p, 1.0)}) {
          const Scenario s = elimination(m, machines(speeds, NetworkKind::network_switch), shares);
          check_in_one_go(s);
          check_in_one_go(with_owners(s, busy_owner()), 0);
          check_in_one_go(with_owners(s, cycles), 0);
          check_in_one_go(with_owners(s, aligned), 0);
          Scenario mixed = with_owners(s, busy_owner());
          mixed.owners[0] = dedicated_owner();
          mixed.owners[1] = cycles;
          check_in_one_go(mixed, 0);
        }
      }
}

TEST_CASE("Runs that are observed go message by message, to the same end", "[workloads][gauss][supersteps]") {
  const Scenario s = with_owners(on_equal({17}, 5), busy_owner());
  TimelineRecorder recorder(s.size());
  const RunResult watched = run_batch_direct(recorded(s, recorder), {0, 1})[0];
  CHECK(recorder.messages.size() == 17 * 4);
  check_same(watched, run_batch_direct(s, {0, 1})[0], 0);
}

TEST_CASE("Owners whose jobs feel the program are followed message by message", "[workloads][gauss][supersteps]") {
  Scenario s = on_equal({9}, 4);
  s.owners[2] = poisson_jobs(0.4, exponential(3), Discipline::processor_sharing);
  const auto a = run_batch_direct(s, {0, 2}), b = run_batch_direct(message_by_message(s), {0, 2});
  for (std::size_t k = 0; k < 2; ++k) check_same(a[k], b[k], 0);
}

TEST_CASE("An owner that leaves a rank nothing for ever is the same error in one go",
          "[workloads][gauss][supersteps][error]") {
  Scenario s = on_equal({9}, 4);
  for (const auto& owner : {duty_cycle_owner(10, 1, false), profile_of("0 1\n20 0\n")}) {
    s.owners[2] = owner;
    const std::string sentence = failure_of(s);
    CHECK_THAT(sentence, Catch::Contains("rank 2 on ws3 computes, but its owner leaves it nothing for ever"));
    CHECK(sentence == failure_of(message_by_message(s)));
  }
}

TEST_CASE("A million rows on 512 machines", "[workloads][gauss][supersteps]") {
  // 10⁶ = 512·1953 + 64, so 64 ranks have a row more than the others, and all are free to compute 9 messages later.
  const double n = 1e6;
  Scenario s = elimination({n}, machines(std::vector<double>(512, 527e6), NetworkKind::network_switch, 187.5e6, 5e-6),
                           std::vector<double>(512, 1.0));
  const RunResult r = run_batch_direct(s, {0, 1})[0];
  CHECK(r.makespan_s == Approx(n * (9 * (5e-6 + 8 * n / 187.5e6) + 1954 * n / 527e6)).epsilon(1e-14));
  CHECK(sum_of(r[Quantity::messages]) == n * 511);
  CHECK(sum_of(r[Quantity::work_flop]) == Approx(n * n * n).epsilon(1e-12));
}

TEST_CASE("SimGrid's message by message is what the direct engine has in one go", "[workloads][gauss][supersteps]") {
  SECTION("64 ranks") { run_on_both(on_equal({2000}, 64)); }
  SECTION("shrinking, from point to point") { run_on_both(on_equal({200, kShrinking, kPointToPoint}, 16)); }
  SECTION("owners") { run_on_both(with_owners(on_equal({40, kShrinking}, 13), busy_owner())); }
  SECTION("512 ranks") { run_on_both(on_equal({20}, 512)); }
}

TEST_CASE("The closed forms of what messages cost", "[workloads][gauss][theory]") {
  const UniformNetwork network{0.25, 100};
  const auto overhead_s = [&](const Matrix& m, double n, double p) {
    return on_equal(m, 2).workload->program().overhead_model->overhead_s(n, p, network);
  };
  const Matrix full{10}, shrinking{10, kShrinking};
  CHECK(overhead_s(full, 10, 8) == Approx(10 * 3 * (0.25 + 80 / 100.)));
  CHECK(overhead_s(full, 10, 9) == Approx(10 * 4 * (0.25 + 80 / 100.)));
  CHECK(overhead_s({10, kFull, kPointToPoint}, 10, 8) == Approx(10 * 7 * (0.25 + 80 / 100.)));
  CHECK(overhead_s(shrinking, 10, 8) == Approx(3 * (9 * 0.25 + 45 * 8 / 100.)));
  CHECK(overhead_s({10, kShrinking, kPointToPoint}, 10, 8) == Approx(7 * (9 * 0.25 + 45 * 8 / 100.)));
  CHECK(overhead_s(full, 10.5, 2) == Approx(10.5 * (0.25 + 84 / 100.)));
  for (const double communication : {kBroadcast, kPointToPoint})
    CHECK(overhead_s({10, kFull, communication}, 10, 1) == 0);
  const Scenario s = on_equal(shrinking, 2);
  const auto& model = s.workload->program().overhead_model;
  CHECK(model->size() == 10);
  CHECK(model->work_flop(10) == 330);
  CHECK(on_equal(full, 2).workload->program().overhead_model->work_flop(20) == 8000);
}

TEST_CASE("T is W/p_T + T_o where rows come out even", "[workloads][gauss][theory]") {
  for (const double communication : {kBroadcast, kPointToPoint})
    for (const std::size_t p : {2, 3, 8, 12}) {
      const Scenario s = on_equal({24, kFull, communication}, p);
      const auto ranks = static_cast<double>(p);
      const double overhead_s = s.workload->program().overhead_model->overhead_s(24, ranks, *s.network);
      CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == near(24 * 24 * 24 / ranks + overhead_s));
      CHECK(s.workload->program().messages(static_cast<int>(p)) == 24 * (ranks - 1));
    }
}

TEST_CASE("The ranks' operations add up to n³/3 + n²/2 + n/6, whatever blocks and shares", "[workloads][cholesky]") {
  for (const double broadcast : {kEach, kBinomial})
    for (const double block : {1., 4., 5., 100.})  // 5 does not divide 24, 100 is more than all of it
      for (const auto& shares : kShares) {
        const Symmetric m{24, block, broadcast};
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
