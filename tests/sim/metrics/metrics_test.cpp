// The table of metrics on replications made up by hand.
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>
#include <vector>

#include "sim/metrics/metrics.hpp"
#include "sim/statistics/influence.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// Two machines of 2 flop/s; T = 10, 14, 12 s.
struct MadeUp {
  Scenario s = computing(machines(2, NetworkKind::none, 2), 10, dedicated_owner());
  PointStatistics statistics{s, 13};
  MadeUp() {
    s.workload = sharing({.work_flop = 20});
    statistics.add(make_record(s, {0, 3}, {result(0, {10, 8}, {3, 1}), result(1, {12, 14}, {4, 2}), result(2, {11, 12}, {2, 2})}));
  }
  static RunResult result(std::uint64_t k, const std::vector<double>& finish, const std::vector<double>& owner) {
    return made_up_run(k, std::max(finish[0], finish[1]),
                       {{Quantity::work_flop, {10, 10}}, {Quantity::active_s, {5, 5}},
                        {Quantity::owner_s, owner}, {Quantity::finish_s, finish}});
  }
  [[nodiscard]] std::vector<Estimate> get(const std::string& metric, const Sample* baseline = nullptr) const {
    return find_metric(metric)->estimate({&s, 13, 0.95, baseline}, statistics);
  }
  [[nodiscard]] double value(const std::string& metric, std::size_t i = 0) const { return get(metric)[i].value; }
};

}  // namespace

TEST_CASE("HL's metrics are mean, spread and the share of late runs", "[computes][metrics]") {
  const MadeUp m;
  CHECK(m.value("tau") == Approx(12));
  CHECK(m.value("sigma_T") == Approx(2));
  CHECK(m.value("sigma_T/tau") == Approx(2.0 / 12));
  CHECK(m.value("RF") == Approx(1.0 / 3));  // 14 > 13
  // Student's t for 2 degrees of freedom is 4.3027; s/sqrt(3) = 1.1547.
  CHECK(m.get("tau")[0].half_width() == Approx(4.302653 * 1.154701).epsilon(1e-5));
}

TEST_CASE("Quantiles of T are order statistics, without ends that three replications cannot give", "[metrics]") {
  const MadeUp m;
  CHECK(m.value("T_50") == 12);
  CHECK(m.value("T_90") == 14);
  CHECK(m.get("T_50")[0].low == 0);
  CHECK(m.get("T_99")[0].low == 12);  // two of three lie above it once in 3300 samples
  CHECK(std::isinf(m.get("T_99")[0].high));
}

TEST_CASE("Per-workstation metrics have one estimate each", "[metrics]") {
  const MadeUp m;
  REQUIRE(m.get("T_i").size() == 2);
  CHECK(m.value("T_i", 0) == Approx(11));
  CHECK(m.value("T_i", 1) == Approx(34.0 / 3));
  CHECK(m.value("sigma_Ti", 0) == Approx(1));
  CHECK(m.value("X_i", 1) == 10);
}

TEST_CASE("Effective, owner and overhead time add up to the machines' time", "[metrics]") {
  const MadeUp m;
  // Effective: 10 flop / 2 flop/s = 5 s on each machine. P_deg = 10/T.
  CHECK(m.value("P_deg") == Approx((10 / 10. + 10 / 14. + 10 / 12.) / 3));
  CHECK(m.value("owner") == Approx((4 / 20. + 6 / 28. + 4 / 24.) / 3));
  CHECK(m.value("owner") + m.value("overhead") + m.value("P_deg") / 2 == Approx(1));
}

TEST_CASE("What owners use is a mean of ratios by owner, a ratio of means by U_i", "[metrics]") {
  const MadeUp m;
  CHECK((m.value("U_i", 0) + m.value("U_i", 1)) / 2 == Approx((3 + 1 + 4 + 2 + 2 + 2) / 2.0 / (10 + 14 + 12)));
  CHECK(m.value("owner") == Approx((4 / 20. + 6 / 28. + 4 / 24.) / 3));
}

TEST_CASE("An overhead, an owner's time or a reduction that is rounding is none", "[metrics]") {
  Scenario s = computing(machines(2, NetworkKind::none, 2), 10, dedicated_owner());
  PointStatistics all(s, 13), step1(s, 13);
  for (std::uint64_t k = 0; k < 4; ++k) {
    const double time_s = k % 2 == 0 ? 5 : 5 * (1 - 1e-15);
    const auto run = [&](double t) {
      return made_up_run(k, t, {{Quantity::work_flop, {10, 10}}, {Quantity::owner_s, {1e-16 * t, -2e-16 * t}}});
    };
    all.add(make_record(s, {k, 1}, {run(time_s)}));
    step1.add(make_record(s, {k, 1}, {run(5)}));
  }
  MetricContext context{&s, 13};
  context.step1 = &step1;
  for (const char* metric : {"overhead", "overhead_i", "owner", "T_owner_i", "U_i", "reduction"}) {
    INFO(metric);
    const Estimate e = find_metric(metric)->estimate(context, all).front();
    CHECK((e.value == 0 && e.low == 0 && e.high == 0));
  }
}

TEST_CASE("The speedup divides the baseline's mean time, and has none without it", "[metrics]") {
  const MadeUp m;
  Sample baseline;
  for (double t : {23.0, 24.0, 25.0}) baseline.add(t);
  CHECK(m.get("speedup", &baseline)[0].value == Approx(2));
  CHECK(std::isnan(m.value("speedup")));
}

TEST_CASE("TH is the owners' mean, SH the maximum beyond it", "[metrics]") {
  MadeUp m;
  const auto owner = [](double th) {
    return intervals_owner(make_value_law("uniform", 0.5, th), make_length_law("uniform", 10, 3), "test");
  };
  m.s.owners = {owner(0.1), owner(0.3)};
  CHECK(m.value("TH") == Approx(0.2));
  CHECK(m.value("SH") == Approx(0.1));
  m.s.owners = {owner(0.35), owner(0.35), owner(0.35)};  // whose mean, rounded, is a bit less
  CHECK(m.value("SH") == 0);
}

TEST_CASE("TH_comm and SH_comm are the same of links, and 0 where none vary", "[metrics]") {
  MadeUp m;
  CHECK(m.value("TH_comm") == 0);
  CHECK(m.value("SH_comm") == 0);
  m.s.bandwidth = {duty_cycle_owner(10, 0.5, false), dedicated_owner()};
  CHECK(m.value("TH_comm") == Approx(0.5));
  CHECK(m.value("SH_comm") == Approx(0.5));
  CHECK(m.value("TH") == 0);
}

TEST_CASE("There is no theory beside programs that communicate", "[metrics]") {
  MadeUp m;
  m.s.owners.assign(2, intervals_owner(make_value_law("uniform", 0.5, 0.2), make_length_law("constant", 4, 3), "test"));
  m.s.workload = sharing({.work_flop = 20, .communicates = true});
  for (const char* theory : {"tau_HL", "tau_renewal", "tau/tau_renewal", "T_i_renewal"}) {
    INFO(theory);
    CHECK(std::isnan(m.value(theory)));
  }
}

TEST_CASE("Theory stands beside the simulation where the owners are a renewal process", "[metrics]") {
  MadeUp m;
  // t_i = 10/(2·0.5) = 10 s; HL: sd sqrt(10)·0.2, E[max of 2] = t + sd/sqrt(pi).
  m.s.owners.assign(2, intervals_owner(make_value_law("uniform", 0.5, 0.2), make_length_law("constant", 4, 3), "test"));
  const double pi = std::acos(-1.0);
  CHECK(m.value("tau_HL") == Approx(10 + std::sqrt(10) * 0.2 / std::sqrt(pi)));
  // Renewal: E[L²]/E[L] = 4 s: mean 10 + 0.04·4/2, variance 10·0.04·4.
  CHECK(m.value("T_i_renewal") == Approx(10.08));
  CHECK(m.value("tau_renewal") == Approx(10.08 + std::sqrt(1.6) / std::sqrt(pi)));
  CHECK(m.value("tau/tau_renewal") == Approx(m.value("tau") / m.value("tau_renewal")));
  m.s.owners.assign(2, duty_cycle_owner(10, 0.1, true));
  CHECK(std::isnan(m.value("tau_renewal")));
  m.s.owners.assign(2, duty_cycle_owner(10, 0.1, true, 0.5));  // theory's machines are independent
  CHECK(std::isnan(m.value("tau_HL")));
}

TEST_CASE("A split is told by what it moves beside the proportional one", "[metrics]") {
  MadeUp m;  // 20 flop, equal speeds
  m.s.share_flop = {7, 13};
  CHECK(m.value("delta_X", 0) == -3);
  CHECK(m.value("delta_X", 1) == 3);
  CHECK(m.value("moved") == 3);
  // t = 7/(2/2) and 13 s; sigma = TH sqrt(t E[L²]/E[L]) = 0.2 sqrt(4 t).
  m.s.owners.assign(2, intervals_owner(make_value_law("uniform", 0.5, 0.2), make_length_law("constant", 4, 3), "test"));
  const double a = 7 + 0.4 * std::sqrt(7.0), b = 13 + 0.4 * std::sqrt(13.0);
  CHECK(m.value("spread") == Approx(100 * (b - a) / (a + b)));
  // Equal machines: moving work changes E[max] by variances that cancel. A steady second one is the last in half of all
  // runs, so means cancel, and the slope is half of d var_1 = -0.16 s² per s times the density 1/(sd sqrt(2 pi)), where
  // sd² = 1.6.
  CHECK(m.value("slope_step1") == Approx(0).margin(1e-9));
  m.s.owners[1] = intervals_owner(make_value_law("constant", 0.5, 0), make_length_law("constant", 4, 3), "steady");
  CHECK(m.value("slope_step1") == Approx(-0.5 * 0.16 / std::sqrt(1.6 * 2 * std::acos(-1.0))).epsilon(1e-5));
  m.s.owners.assign(2, duty_cycle_owner(10, 0.1, true));
  CHECK(std::isnan(m.value("spread")));
  CHECK(std::isnan(m.value("slope_step1")));
}

TEST_CASE("A server has no part in what a split is told by", "[metrics]") {
  MadeUp m;
  const OwnerPtr unsteady =
      intervals_owner(make_value_law("uniform", 0.5, 0.2), make_length_law("constant", 4, 3), "test");
  m.s = computing(machines(3, NetworkKind::none, 2), 10, unsteady);
  m.s.workload = sharing({.work_flop = 20, .first_worker = 1});
  m.s.share_flop = {0, 7, 13};
  CHECK(m.value("delta_X", 0) == 0);
  CHECK(m.value("delta_X", 1) == -3);
  CHECK(m.value("moved") == 3);  // off the first worker
  const double a = 7 + 0.4 * std::sqrt(7.0), b = 13 + 0.4 * std::sqrt(13.0);
  CHECK(m.value("spread") == Approx(100 * (b - a) / (a + b)));
  CHECK(std::isnan(m.value("slope_step1")));
}

TEST_CASE("Where shares are not used nothing is told of them", "[metrics]") {
  MadeUp m;
  CHECK(m.value("X_i", 1) == 10);
  m.s.workload = sharing({.work_flop = 20, .uses_shares = false, .first_worker = 1});
  for (const char* metric :
       {"X_i", "delta_X", "moved", "spread", "slope_step1", "tau_HL", "tau_renewal", "T_i_renewal"}) {
    INFO(metric);
    for (const Estimate& e : m.get(metric)) CHECK(std::isnan(e.value));
  }
  CHECK(m.get("X_i").size() == 2);
}

TEST_CASE("Work that is moved by no more than rounding is not moved", "[metrics]") {
  MadeUp m;
  m.s.share_flop = {10 + 1e-12, 10 - 1e-12};
  CHECK(m.value("moved") == 0);
  CHECK(m.value("delta_X", 0) == 0);
  m.s.share_flop = {10 + 1e-6, 10 - 1e-6};
  CHECK(m.value("moved") == Approx(-1e-6));
}

TEST_CASE("The reduction in tau compares replications one by one", "[metrics]") {
  const MadeUp m;  // T = 10, 14, 12
  PointStatistics step1(m.s, 13);
  step1.add(make_record(
      m.s, {0, 3},
      {MadeUp::result(0, {16, 8}, {3, 1}), MadeUp::result(1, {18, 14}, {4, 2}), MadeUp::result(2, {14, 12}, {2, 2})}));
  const MetricContext context{&m.s, 13, 0.95, nullptr, &step1};
  CHECK(find_metric("tau_step1")->estimate(context, m.statistics)[0].value == 16);
  const Estimate e = find_metric("reduction")->estimate(context, m.statistics)[0];
  CHECK(e.value == Approx(25));
  const Estimate ratio = ratio_estimate(m.statistics.makespan_s, step1.makespan_s, 0.95);
  CHECK(e.low == Approx(100 * (1 - ratio.high)));
  CHECK(e.high == Approx(100 * (1 - ratio.low)));
  // T - 3/4 T_1 = -2, 0.5, 1.5: sd sqrt(13/4); t for 2 degrees is 4.302653.
  CHECK(e.half_width() == Approx(100 * 4.302653 * std::sqrt(3.25 / 3) / 16).epsilon(0.25));
  CHECK(std::isnan(m.value("reduction")));
}

TEST_CASE("Replications that are all the same have no spread, not one of rounding", "[metrics]") {
  MadeUp m;
  m.statistics = PointStatistics(m.s, 13);
  std::vector<RunResult> runs;
  for (std::uint64_t k = 0; k < 3; ++k) runs.push_back(MadeUp::result(k, {10 + 1e-14 * static_cast<double>(k), 1}, {0, 0}));
  m.statistics.add(make_record(m.s, {0, 3}, runs));
  CHECK(m.value("sigma_T") == 0);
  CHECK(m.value("sigma_T/tau") == 0);
  CHECK(m.get("T_99")[0].half_width() == 0);
}

TEST_CASE("T_q is the q % quantile, for any q between 0 and 100, and the same metric each time", "[metrics]") {
  const MadeUp m;
  const std::vector<std::pair<const char*, double>> expected{
      {"T_0.001", 10}, {"T_33.3", 10}, {"T_33.4", 12}, {"T_66.6", 12}, {"T_66.7", 14}, {"T_99.9999", 14}};
  for (const auto& [name, quantile] : expected) {
    INFO(name);
    REQUIRE(find_metric(name) != nullptr);
    CHECK(m.value(name) == quantile);
    CHECK(find_metric(name) == find_metric(name));
    CHECK(find_metric(name)->name == name);
    CHECK(find_metric(name)->unit == "s");
    CHECK(find_metric(name)->gathers.makespans);
  }
  CHECK(find_metric("T_33.4")->summary == "33.4 % quantile of T");
  CHECK(find_metric("T_90")->summary == "90 % quantile of T: nine in ten runs take no longer");
  for (const char* none : {"T_0", "T_100", "T_0.0", "T_99.99999999999999999999", "T_095", "T_95.0", "T_.5", "T_5.", "T_-1",
                           "T_+5", "T_5e1", "T_", "T_95 ", "T_95%", "t_95", "T_nan", "T_0x5"})
    CHECK(find_metric(none) == nullptr);
}

TEST_CASE("A metric is the same where no more is gathered than it says it reads", "[metrics]") {
  MadeUp m;
  const BatchRecord batch = make_record(m.s, {0, 2}, {MadeUp::result(0, {10, 8}, {3, 1}), MadeUp::result(1, {12, 14}, {4, 2})});
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  for (const auto& metric : builtin_metrics()) {
    Gathering least = metric.gathers;
    least.span = 1;
    least.machines = metric.per_workstation;
    PointStatistics all(m.s, 13), few(m.s, 13, least);
    for (auto* statistics : {&all, &few}) {
      statistics->add(batch);
      statistics->add(batch);
    }
    Sample baseline;
    for (double t : {23.0, 24.0, 25.0}) baseline.add(t);
    PointStatistics reference(m.s, 13);
    reference.add(batch);
    MetricContext context{&m.s, 13, 0.95, &baseline, &all};
    context.reference = ReferencePoint{&m.s, &reference};
    const auto expected = metric.estimate(context, all), got = metric.estimate(context, few);
    INFO(metric.name);
    REQUIRE(got.size() == expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      CHECK(same(got[i].value, expected[i].value));
      CHECK(same(got[i].low, expected[i].low));
      CHECK(same(got[i].high, expected[i].high));
    }
  }
}

TEST_CASE("Every metric has a name, a summary and an estimate", "[metrics]") {
  const MadeUp m;
  for (const auto& metric : builtin_metrics()) {
    CHECK(find_metric(metric.name) == &metric);
    CHECK_FALSE(metric.summary.empty());
    CHECK(m.get(metric.name).size() == (metric.per_workstation ? 2 : 1));
  }
  CHECK(find_metric("no-such") == nullptr);
}
