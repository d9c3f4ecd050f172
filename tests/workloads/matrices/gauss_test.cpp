// Gaussian elimination: times derived by hand, on both engines; in one go as message by message; closed forms.
#include <algorithm>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/engines/timeline.hpp"
#include "sim/platform/network_shape.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/workloads/job_fixture.hpp"

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

Scenario on_equal(const Matrix& m, std::size_t p) {
  return elimination(m, machines(p), std::vector<double>(p, 1.0));
}

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
  try {
    run_batch_direct(s, {0, 1});
    return "";
  } catch (const RunError& e) {
    return e.what();
  }
}

/// HL 5.1's owners: half of the machine on average.
OwnerPtr busy_owner() { return intervals_owner(uniform(0.1, 0.9), uniform(0, 20), "test"); }

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
