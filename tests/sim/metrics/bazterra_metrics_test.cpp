// Bazterra et al.'s metrics: by hand, of servers, pairs and many machines; their propositions, and the figures printed.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "sim/metrics/paper_models.hpp"
#include "sim/platform/platform.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/metrics/metrics_fixture.hpp"
#include "tests/sim/run_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

RunResult replication(const Scenario& s, std::uint64_t k, double makespan_s, const Values& active_s,
                      const Values& work_flop) {
  return made_up_run(k, makespan_s,
                     {{Quantity::work_flop, work_flop}, {Quantity::active_s, active_s},
                      {Quantity::finish_s, Values(s.size(), makespan_s)}});
}

std::vector<Estimate> all_of(const std::string& metric, const Scenario& s, const PointStatistics& statistics,
                             const Sample* baseline = nullptr) {
  return find_metric(metric)->estimate({&s, 0, 0.95, baseline}, statistics);
}

double value(const std::string& metric, const Scenario& s, const PointStatistics& statistics,
             const Sample* baseline = nullptr) {
  return all_of(metric, s, statistics, baseline).front().value;
}

Sample sample_of(const Values& values) {
  Sample out;
  for (const double x : values) out.add(x);
  return out;
}

/// A server of 8 flop/s that is busy longest, and workers of 4 and 2 flop/s; two runs that divide 24 flop differently.
struct ServerAndTwo {
  Scenario s = job({8, 4, 2}, {0, 16, 8}, 1);
  PointStatistics statistics = gathered(s, {replication(s, 0, 10, {9, 4, 4}, {70, 16, 8}),
                                            replication(s, 1, 12, {9, 2, 8}, {70, 8, 16})});
  Sample baseline = sample_of({6, 6});
  [[nodiscard]] std::vector<Estimate> all(const std::string& metric) const {
    return all_of(metric, s, statistics, &baseline);
  }
  [[nodiscard]] Estimate one(const std::string& metric) const { return all(metric).front(); }
};

constexpr double kStudent = 12.7062;  // of two observations at 95 %

/// Works at full speed for 10 s, then at a tenth.
OwnerPtr late_owner() { return profile_of("0 1\n10 0.1\nLOOPAFTER 100000\n"); }

/// Relative, for what would be equal without rounding.
constexpr double kRounding = 1e-12;

bool at_most(double a, double b) { return a <= b * (1 + kRounding); }
Approx same_as(double x) { return Approx(x).epsilon(kRounding); }

/// Gamma_n = {C_n; A_n(K)}: processors of these speeds v_i, and an algorithm of K operations, of which each gets the
/// share p_i: the formulas as printed.
struct ParallelSystem {
  Values speed, probability;
  double operations = 1;

  /// T_i = K p_i/v_i (1), T_n = max T_i (2), T_1,min = K/max v [s].
  [[nodiscard]] Values times_s() const {
    Values times(speed.size());
    for (std::size_t i = 0; i < speed.size(); ++i) times[i] = operations * probability[i] / speed[i];
    return times;
  }
  [[nodiscard]] double elapsed_s() const { return std::ranges::max(times_s()); }
  [[nodiscard]] double serial_s() const { return operations / std::ranges::max(speed); }
  /// s = T_1,min/T_n (4), (5), e = s/s_max (7).
  [[nodiscard]] double speedup() const { return serial_s() / elapsed_s(); }
  [[nodiscard]] double efficiency() const { return speedup() / bazterra::greatest_speedup(speed); }
};

Values scaled_to_one(Values weights) {
  const double all = sum(weights);
  for (double& w : weights) w /= all;
  return weights;
}

/// All operations on one processor.
Values all_on(std::size_t which, std::size_t n) {
  Values p(n, 0.0);
  p[which] = 1;
  return p;
}

double count(const ParallelSystem& system) { return static_cast<double>(system.speed.size()); }

/// 300 times: 1 to 12 processors, speeds uniform on (0.1, 10), probabilities uniform before they are scaled, every
/// fifth 0.
void with_random_systems(const std::function<void(const ParallelSystem&)>& check) {
  Stream random({.seed = 4, .purpose = Purpose::workload});
  for (int trial = 0; trial < 300; ++trial) {
    ParallelSystem system{Values(1 + static_cast<std::size_t>(random.uniform() * 12)), {}, 1 + 99 * random.uniform()};
    for (double& v : system.speed) v = 0.1 + 9.9 * random.uniform();
    for (std::size_t i = 0; i < system.speed.size(); ++i)
      system.probability.push_back(i > 0 && random.uniform() < 0.2 ? 0 : 1e-3 + random.uniform());
    system.probability = scaled_to_one(system.probability);
    check(system);
  }
}

ParallelSystem with(ParallelSystem system, Values probability) {
  system.probability = std::move(probability);
  return system;
}
ParallelSystem proportional(const ParallelSystem& system) {
  return with(system, bazterra::proportional_probabilities(system.speed));
}

}  // namespace

TEST_CASE("Bazterra et al.'s metrics of two runs are those by hand, and a server has no part in them",
          "[computes][bazterra]") {
  const ServerAndTwo two;
  const auto is = [&](const std::string& metric) { return two.one(metric).value; };
  CHECK(is("T_n") == Approx(6));  // of each run's own busiest: 4 and 8 s, not the larger mean of 3 and 6
  CHECK(is("T_busy") == Approx(9));
  CHECK(is("n_eff") == Approx(1.5));
  CHECK(is("s") == Approx(1));
  CHECK(is("s_max") == 1.5);
  CHECK(is("e") == Approx(1 / 1.5));
  CHECK(is("d_conf") == Approx(1 / 3.));
  CHECK(is("s_equal") == 1);
  CHECK(is("T_id") == Approx(5));  // 6 and 4 s
  CHECK(is("d_id") == Approx(5 / 6.));
  CHECK(is("s_tot") == Approx(6 / 11.));
  CHECK(is("e_tot") == Approx(6 / 11. / 1.5));
  const auto share = two.all("p_i"), busy = two.all("T_busy_i"), speed = two.all("v_i"), norm = two.all("v_i/sum");
  CHECK(share[0].value == 0);
  CHECK(share[1].value == Approx(0.5));
  CHECK(share[2].value == Approx(0.5));
  CHECK(busy[0].value == 0);
  CHECK(busy[1].value == Approx(3));
  CHECK(busy[2].value == Approx(6));
  CHECK(std::isnan(speed[0].value));
  CHECK(speed[1].value == 4);
  CHECK(std::isnan(norm[0].value));
  CHECK(norm[1].value == Approx(2 / 3.));
  CHECK(norm[2].value == Approx(1 / 3.));
  CHECK(norm[1].half_width() == 0);
}

TEST_CASE("The intervals of Bazterra et al.'s metrics come from what varies between runs", "[bazterra]") {
  const ServerAndTwo two;
  CHECK(two.one("T_n").half_width() == Approx(kStudent * 2).epsilon(1e-5));
  CHECK(two.one("T_id").half_width() == Approx(kStudent * 1).epsilon(1e-5));
  CHECK(two.one("T_busy").half_width() == Approx(kStudent * 1).epsilon(1e-5));
  // Residuals 8 - 1.5·4 and 10 - 1.5·8 of the ratio's, over T_n.
  CHECK(two.one("n_eff").half_width() == Approx(kStudent * 2 / 6).epsilon(1e-5));
  CHECK(two.all("p_i")[1].half_width() == Approx(kStudent * 4 / 24).epsilon(1e-5));
  CHECK(two.one("s").low < 1);
  CHECK(std::isinf(two.one("s").high));  // T_n's interval reaches 0
  const Scenario s = two.s;
  const PointStatistics single = gathered(s, {replication(s, 0, 10, {9, 4, 4}, {70, 16, 8})});
  for (const char* metric : {"T_n", "n_eff", "d_id", "s", "e"}) {
    INFO(metric);
    CHECK(std::isfinite(value(metric, s, single, &two.baseline)));
    CHECK(std::isnan(all_of(metric, s, single, &two.baseline).front().half_width()));
  }
}

TEST_CASE("Speedups compare replications with the baseline's own", "[bazterra]") {
  const Scenario s = job({1, 1}, {3, 3});
  const PointStatistics statistics =
      gathered(s, {replication(s, 0, 3, {2, 2}, {2, 2}), replication(s, 1, 3.3, {2.2, 2.2}, {2.2, 2.2})});
  const auto paired = [&](const std::string& metric, const Values& alone_s) {
    Sample baseline(Sampling{1, 0, 1});
    baseline.add_batch(alone_s, {});
    const MetricContext context{&s, 0, 0.95, &baseline};
    return find_metric(metric)->estimate(context, statistics).front();
  };
  for (const auto& [metric, expected] : {std::pair{"s_tot", 2.0}, {"e_tot", 1.0}, {"s", 3.0}, {"e", 1.5}}) {
    const Estimate e = paired(metric, {6, 6.6});  // twice as long each time: no interval is left
    CHECK(e.value == Approx(expected));
    CHECK(e.half_width() == Approx(0).margin(1e-7));
  }
  CHECK(paired("s_tot", {6, 6.6, 6.3}).half_width() > 0.1);  // the third counts, and has no partner
  CHECK(paired("s_tot", {6.3, 6.3}).half_width() > 0.1);
  const Sample alone = sample_of({6, 6.6});
  CHECK(all_of("s_tot", s, statistics, &alone).front().half_width() > 1);  // without their values they cannot be paired
}

TEST_CASE("The part of the only worker is all of it, exactly, whatever the work came to", "[bazterra]") {
  const Scenario s = job({8, 4}, {0, 24}, 1);
  std::vector<RunResult> runs;
  Stream random({.seed = 5, .purpose = Purpose::workload});
  for (std::uint64_t k = 0; k < 50; ++k) {
    const double work = 20 + 10 * random.uniform();
    runs.push_back(replication(s, k, work, {0, work / 4}, {0, work}));
  }
  const Estimate only = all_of("p_i", s, gathered(s, runs))[1];
  CHECK(only.value == 1);
  CHECK(only.half_width() == 0);
  const ServerAndTwo two;
  CHECK(two.all("p_i")[1].half_width() > 0.1);  // what is no rounding stays
}

TEST_CASE("Without a baseline there are no speedups", "[bazterra]") {
  const ServerAndTwo two;
  for (const char* metric : {"s", "e", "s_tot", "e_tot"}) {
    INFO(metric);
    CHECK(std::isnan(value(metric, two.s, two.statistics)));
    CHECK(find_metric(metric)->needs_baseline);
  }
}

TEST_CASE("Of antithetic pairs the busiest worker is that of each run", "[bazterra]") {
  Scenario s = job({4, 2}, {16, 8});
  s.variance_reduction = &kVarianceReductions[1];
  REQUIRE(s.variance_reduction->antithetic);
  const PointStatistics statistics =
      gathered(s, {replication(s, 0, 9, {2, 6}, {12, 12}), replication(s, 1, 9, {8, 1}, {20, 4}),
                   replication(s, 2, 9, {4, 4}, {16, 8}), replication(s, 3, 9, {4, 2}, {16, 8})});
  const Estimate t_n = all_of("T_n", s, statistics).front();  // of the pairs 7 and 4 s
  CHECK(t_n.value == Approx(5.5));
  CHECK(t_n.half_width() == Approx(kStudent * 1.5).epsilon(1e-5));
  const Estimate p = all_of("p_i", s, statistics).front();  // of the pairs 16/24 each
  CHECK(p.value == Approx(2 / 3.));
  CHECK(p.half_width() == Approx(0).margin(1e-9));
}

TEST_CASE("Of dedicated machines the speedup is never above the effective number of processors", "[bazterra]") {
  Stream random({.seed = 12, .purpose = Purpose::workload});
  for (std::size_t m = 1; m <= 12; ++m) {
    Values speeds, shares;
    for (std::size_t i = 0; i < m; ++i) {
      speeds.push_back(1 + 4 * random.uniform());
      shares.push_back(20 * random.uniform());
    }
    const Scenario s = job(speeds, shares);
    const PointStatistics statistics = simulated(s, {0, 2});
    const Sample baseline = sample_of(Values(2, sum(shares) / std::ranges::max(speeds)));
    const auto is = [&](const std::string& metric) { return value(metric, s, statistics, &baseline); };
    CHECK(is("s") <= is("n_eff") * (1 + 1e-12));
    CHECK(is("s") <= is("s_max") * (1 + 1e-12));
    CHECK(is("n_eff") <= static_cast<double>(m) * (1 + 1e-12));
    CHECK(is("T_id") == 0);
    CHECK(is("s_tot") == Approx(is("s")).epsilon(1e-12));
  }
}

TEST_CASE("Owners that come late let the speedup exceed the effective number of processors and s_max", "[bazterra]") {
  const Scenario s = job({1, 1}, {10, 10}, 0, late_owner()), alone = job({1}, {20}, 0, late_owner());
  const PointStatistics statistics = simulated(s, {0, 2}), baseline = simulated(alone, {0, 2});
  CHECK(value("tau", alone, baseline) == Approx(10 + 10 / 0.1));
  CHECK(value("n_eff", s, statistics) == Approx(2));
  CHECK(value("s", s, statistics, &baseline.makespan_s) == Approx(11));
}

TEST_CASE("An owner lengthens the time that a worker is busy", "[bazterra]") {
  const Scenario s = job({2, 1}, {40, 5}, 0, late_owner());  // 20 flop by 10 s, 20 flop at 0.2 flop/s
  const PointStatistics statistics = simulated(s, {0, 2});
  const auto busy = all_of("T_busy_i", s, statistics);
  CHECK(busy[0].value == Approx(110));
  CHECK(busy[1].value == Approx(5));
  CHECK(value("T_n", s, statistics) == Approx(110));
}

TEST_CASE("Of 33 machines with a server each run's busiest worker is known", "[bazterra]") {
  const Scenario s = job(Values(33, 1), Values(33, 1), 1);
  Values first(33, 1), second(33, 1);
  first[0] = second[0] = 50;
  first[1] = 7;
  second[32] = 9;
  const PointStatistics statistics =
      gathered(s, {replication(s, 0, 60, first, Values(33, 1)), replication(s, 1, 60, second, Values(33, 1))});
  const Estimate t_n = all_of("T_n", s, statistics).front();
  CHECK(t_n.value == Approx(8));
  CHECK(t_n.half_width() == Approx(kStudent * 1).epsilon(1e-5));
  CHECK(all_of("p_i", s, statistics)[1].value == Approx(1 / 32.));
}

TEST_CASE("Of more than 32 workers the busiest is known where runs do not differ", "[bazterra]") {
  const Scenario s = job(Values(40, 1), Values(40, 1), 1);
  Values busy(40, 1);
  busy[0] = 50;
  busy[7] = 5;
  const auto runs_of = [&](const Values& other) {
    return gathered(s, {replication(s, 0, 60, busy, Values(40, 1)), replication(s, 1, 60, other, Values(40, 1))});
  };
  const PointStatistics same = runs_of(busy);
  CHECK(value("T_n", s, same) == 5);
  CHECK(std::isnan(all_of("T_n", s, same).front().half_width()));
  CHECK(value("T_busy", s, same) == Approx(38 + 5));
  CHECK(value("p_i", s, same) == 0);
  CHECK(all_of("p_i", s, same)[39].value == Approx(1 / 39.));
  Values other = busy;
  other[8] = 6;
  const PointStatistics differing = runs_of(other);
  for (const char* metric : {"T_n", "n_eff", "T_id", "d_id"}) {
    INFO(metric);
    CHECK(std::isnan(value(metric, s, differing)));
  }
  CHECK(std::isfinite(value("T_busy", s, differing)));
}

TEST_CASE("No division is faster than that in proportion to speed, and any other one is slower",
          "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const ParallelSystem best = proportional(system);
    CHECK(best.elapsed_s() == same_as(system.operations / sum(system.speed)));
    CHECK(at_most(best.elapsed_s(), system.elapsed_s()));
    double differs = 0;
    for (std::size_t i = 0; i < system.speed.size(); ++i)
      differs = std::max(differs, system.probability[i] / best.probability[i] - 1);
    CHECK(system.elapsed_s() == same_as(best.elapsed_s() * (1 + differs)));
  });
}

TEST_CASE("The speedup is between that of the slowest processor alone and that in proportion to speed", "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const double least = std::ranges::min(system.speed) / std::ranges::max(system.speed);
    const double greatest = bazterra::greatest_speedup(system.speed);
    CHECK(at_most(least, system.speedup()));
    CHECK(at_most(system.speedup(), greatest));
    const auto slowest = static_cast<std::size_t>(std::ranges::min_element(system.speed) - system.speed.begin());
    CHECK(with(system, all_on(slowest, system.speed.size())).speedup() == same_as(least));
    CHECK(proportional(system).speedup() == same_as(greatest));
    CHECK(proportional(system).efficiency() == same_as(1));
    CHECK(system.efficiency() == same_as(proportional(system).elapsed_s() / system.elapsed_s()));
  });
}

TEST_CASE("The greatest speedup is n over 1 plus the diversity, and 1 minus heterogeneity its inverse", "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const double diversity = bazterra::diversity(system.speed);
    CHECK(bazterra::greatest_speedup(system.speed) == same_as(count(system) / (1 + diversity)));
    CHECK(diversity >= -kRounding);
    const double h = heterogeneity(*machines(system.speed, NetworkKind::none));
    CHECK((1 - h) * (1 + diversity) == same_as(1));
  });
  CHECK(bazterra::diversity(Values{3, 3, 3}) == 0);
  CHECK(bazterra::diversity(Values{1, 2}) == Approx(1 / 3.));  // of two processors (h - 1)/(h + 1) (11)
}

TEST_CASE("Equal parts give n times the slowest over the fastest speed", "[bazterra]") {
  with_random_systems([](const ParallelSystem& system) {
    const Values equal(system.speed.size(), 1 / count(system));
    CHECK(with(system, equal).speedup() == same_as(bazterra::equal_speedup(system.speed)));
  });
  CHECK(bazterra::equal_speedup(Values{4, 1, 2, 3}) == 1);  // a factor of 4: 0.25 n
}
