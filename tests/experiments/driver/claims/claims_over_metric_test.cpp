// Claims whose x is a metric, and how well a straight line fits: verdicts, numbers, and the sentences for wrong ones.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "experiments/driver/claims/check_parts.hpp"
#include "tests/experiments/driver/claim_fixture.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
using nowsim::checks::r_squared_interval;

namespace {

/// A point along z, whose words say nothing of its place.
struct Placed {
  std::string z;
  double x;  ///< sigma_T's
  double tau;
  double half_width = 0;
};

/// tau and sigma_T along z.
ResultTable placed(const std::vector<Placed>& points) {
  ResultTable s = summary({"z"}, {});
  s.metrics.push_back(find_metric("sigma_T"));
  for (const auto& p : points) {
    s.rows.push_back(row({p.z}, around(p.tau, p.half_width)));
    s.rows.back().estimates.push_back({around(p.x, p.x)});  // however wide: it is taken as it is
  }
  return s;
}

/// The points of a curve along x = 1, 2, ...
std::vector<MeasuredPoint> points_of(const ResultTable& s) {
  std::vector<MeasuredPoint> out;
  for (const auto& r : s.rows)
    out.push_back({static_cast<double>(out.size() + 1), "", "", r.estimates[0][0], &r});
  return out;
}

const std::string kFit = "check: r_squared, along: x, least: 0.95";

}  // namespace

TEST_CASE("Lines and power laws are fitted over another metric", "[computes][claims]") {
  const ResultTable line = placed({{"c", 40, 4}, {"a", 10, 1}, {"b", 20, 2}});
  CHECK(verdict("check: linear, along: z, over: sigma_T, tolerance: 0%", line) == kReproduced);
  CHECK(verdict("check: proportional, along: z, over: sigma_T, tolerance: 0%", line) == kReproduced);
  CHECK(verdict("check: power_law, along: z, over: sigma_T, least: 0.99, most: 1.01", line) == kReproduced);
  CHECK(verdict("check: r_squared, along: z, over: sigma_T, least: 1", line) == kReproduced);
  const ResultTable bent = placed({{"a", 10, 1}, {"b", 20, 4}, {"c", 40, 16}});
  CHECK(verdict("check: linear, along: z, over: sigma_T, tolerance: 5%", bent) == kNot);
  CHECK(verdict("check: proportional, along: z, over: sigma_T, tolerance: 5%", bent) == kNot);
  CHECK(verdict("check: power_law, along: z, over: sigma_T, least: 1.99, most: 2.01", bent) == kReproduced);
  CHECK_THAT(result("check: power_law, along: z, over: sigma_T, least: 1", bent).measured,
             Contains("tau follows sigma_T with an exponent of 2"));
}

TEST_CASE("Points of one x count each, and points without an x are missing", "[claims]") {
  // The line through (1, 0), (1, 2) and (2, 3) is 1 + 2 (x - 1), from which the first two are off by 1, half its rise.
  const ResultTable twice = placed({{"a", 1, 0}, {"b", 1, 2}, {"c", 2, 3}});
  CHECK(verdict("check: linear, along: z, over: sigma_T, tolerance: 51%", twice) == kReproduced);
  CHECK(verdict("check: linear, along: z, over: sigma_T, tolerance: 49%", twice) == kNot);
  ResultTable missing = placed({{"a", 1, 1}, {"b", 2, 2}, {"c", 3, 3}, {"d", 4, 4}});
  missing.rows[3].estimates[1] = {without_interval(std::nan(""))};
  const ClaimResult r = result("check: linear, along: z, over: sigma_T, tolerance: 1%", missing);
  CHECK(r.verdict == Verdict::undecided);
  CHECK_THAT(r.measured, Contains("1 point is missing"));
  // Whatever these three come to: with the fourth it may be otherwise.
  ResultTable part = placed({{"a", 1, 1}, {"b", 2, 3}, {"c", 3, 3}, {"d", 40, 40}});
  for (const std::string check : {"linear, tolerance: 5%", "proportional, tolerance: 20%", "power_law, least: 0.95",
                                  "r_squared, least: 0.99"}) {
    const std::string claim = "along: z, over: sigma_T, check: " + check;
    part.rows[3].status = PointStatus::ok;
    CHECK(verdict(claim, part) != kUndecided);
    part.rows[3].estimates[1] = {without_interval(std::nan(""))};
    CHECK(verdict(claim, part) == kUndecided);
    part = placed({{"a", 1, 1}, {"b", 2, 3}, {"c", 3, 3}, {"d", 40, 40}});
  }
  const ResultTable upright = placed({{"a", 1, 1}, {"b", 1, 2}, {"c", 1, 3}});
  for (const std::string check : {"linear, tolerance: 1%", "power_law, least: 0", "r_squared, least: 0"})
    CHECK(verdict("along: z, over: sigma_T, check: " + check, upright) == kUndecided);
  CHECK_THAT(result("check: r_squared, along: z, over: sigma_T, least: 0", upright).measured,
             Contains("tau over sigma_T; not shown, least: no R² of only 1 value of sigma_T"));
}

TEST_CASE("A point that is there twice counts once over a metric too", "[claims]") {
  // R² of 1, 2, 4 over 1, 2, 3 is 27/28 = 0.9643; with the last point twice it is 0.9731.
  const ResultTable once = placed({{"1", 1, 1}, {"2", 2, 2}, {"3", 3, 4}});
  const ResultTable twice = placed({{"1", 1, 1}, {"2", 2, 2}, {"3", 3, 4}, {"3", 3, 4}, {"3.0", 3, 4}});
  const std::string check = "check: r_squared, along: z, over: sigma_T, least: 0.964, most: 0.965";
  CHECK(verdict(check, once) == kReproduced);
  CHECK(verdict(check, twice) == kReproduced);
}

TEST_CASE("R squared: reproduced, not reproduced, undecided", "[claims]") {
  // y = 1, 2, 4 over x = 1, 2, 3: R² = 3²/(2·14/3) = 27/28 = 0.9643.
  const auto of = [](const std::string& keys, const std::vector<double>& taus, double half_width) {
    return verdict("check: r_squared, along: x, " + keys, curve(taus, half_width));
  };
  CHECK(of("least: 0.96", {1, 2, 4}, 0) == kReproduced);
  CHECK(of("least: 0.97", {1, 2, 4}, 0) == kNot);
  CHECK(of("most: 0.97", {1, 2, 4}, 0) == kReproduced);
  CHECK(of("most: 0.96", {1, 2, 4}, 0) == kNot);
  CHECK(of("least: 0.96, most: 0.97", {1, 2, 4}, 0) == kReproduced);
  CHECK(of("least: 0.92", {1, 2, 4}, 0.1) == kReproduced);
  CHECK(of("least: 0.94", {1, 2, 4}, 0.1) == kUndecided);
  CHECK(of("least: 0.999", {1, 2, 4}, 0.1) == kNot);
  CHECK(of("least: 0.5", {1, 2, 4}, 3) == kUndecided);
  CHECK(of("least: 1", {10, 20, 30}, 0) == kReproduced);
  CHECK(of("least: 1", {0.1, 0.2, 0.3}, 0) == kReproduced);  // but for rounding
  CHECK(of("least: 0.9", {10, 20, 30}, 0.01) == kReproduced);
  CHECK(of("least: 0.9", {1, 2}, 0) == kUndecided);
  CHECK(of("least: 0.9", {1}, 0) == kUndecided);
}

TEST_CASE("What follows from the description alone is exact after a single replication too", "[claims]") {
  ResultTable s = curve({1, 2, 4}, 0);
  for (auto& r : s.rows) r.replications = 1;
  CHECK(verdict("check: r_squared, along: x, least: 0.96", s) == kReproduced);
  CHECK(verdict("check: increasing, along: x", s) == kReproduced);
  s.rows[1].estimates[0][0] = without_interval(2);
  CHECK(verdict("check: r_squared, along: x, least: 0.96", s) == kUndecided);
}

TEST_CASE("A line that does not rise fits no claim of at least so much, however well it fits", "[claims]") {
  CHECK(verdict(kFit, curve({3, 2, 1}, 0.01)) == kNot);
  CHECK(verdict(kFit, curve({2, 2, 2}, 0)) == kNot);
  CHECK(verdict("check: r_squared, along: x, most: 1", curve({3, 2, 1}, 0)) == kReproduced);
  CHECK_THAT(result(kFit, curve({3, 2, 1}, 0.01)).measured, Contains("most clearly: the line rises by -1.0"));
}

TEST_CASE("The sentence on R squared has the extremes, their curves, the slopes and the closest comparison", "[claims]") {
  ResultTable s = summary({"mix", "z"}, {});
  s.metrics.push_back(find_metric("sigma_T"));
  for (const auto& [mix, taus] : std::vector<std::pair<std::string, std::vector<double>>>{{"equal", {2, 4, 6}},
                                                                                          {"mixed", {1, 2, 4}}})
    for (std::size_t k = 0; k < 3; ++k) {
      s.rows.push_back(row({mix, std::to_string(k)}, exactly(taus[k])));
      s.rows.back().estimates.push_back({exactly(static_cast<double>(k) + 1)});
    }
  const ClaimResult r = result("check: r_squared, along: z, over: sigma_T, least: 0.9", s);
  CHECK(r.verdict == Verdict::reproduced);
  CHECK(r.measured.starts_with("tau over sigma_T: R² 0.964286 (mix = mixed) to 1 (mix = equal), slope 1.5 s per s "
                               "(mix = mixed) to 2 s per s (mix = equal); closest: "));
  CHECK_THAT(result("check: r_squared, along: z, over: sigma_T, least: 0.97", s).measured,
             Contains("most clearly: R² (mix = mixed) is 0.964286, at least 0.97 claimed"));
  s.rows.erase(s.rows.begin());
  const ClaimResult few = result("check: r_squared, along: z, over: sigma_T, least: 0.9", s);
  CHECK(few.verdict == Verdict::undecided);
  CHECK_THAT(few.measured, Contains("no R² (mix = equal) of only 2 points"));
}

TEST_CASE("The interval of R squared is that of the angle that the points' intervals leave", "[claims]") {
  // cos²(acos(sqrt(27/28)) ± asin(0.1·sqrt(3)/sqrt(14/3))).
  const ResultTable s = curve({1, 2, 4}, 0.1);
  const Estimate e = r_squared_interval(points_of(s), 0.95);
  CHECK(e.value == Approx(27.0 / 28).epsilon(1e-12));
  CHECK(e.low == Approx(0.92865363).epsilon(1e-7));
  CHECK(e.high == Approx(0.98797902).epsilon(1e-7));
  const ResultTable exact = curve({1, 2, 4}, 0);
  CHECK(r_squared_interval(points_of(exact), 0.95).low == r_squared_interval(points_of(exact), 0.95).high);
  const ResultTable wide = curve({1, 2, 4}, 3);
  CHECK(r_squared_interval(points_of(wide), 0.95).low == 0);
  CHECK(r_squared_interval(points_of(wide), 0.95).high == 1);
  // A size that was solved for lies between the last that was tried and the one found: half as far to both sides.
  const ResultTable solved = curve(std::vector<Estimate>{{1.1, 0.9, 1.1}, {2.1, 1.9, 2.1}, {4.1, 3.9, 4.1}});
  const Estimate lopsided = r_squared_interval(points_of(solved), 0.95);
  CHECK(lopsided.low == Approx(e.low).epsilon(1e-7));
  CHECK(lopsided.high == Approx(e.high).epsilon(1e-7));
  ResultTable unknown = s;
  unknown.rows[1].estimates[0][0] = without_interval(2);
  CHECK(std::isnan(r_squared_interval(points_of(unknown), 0.95).low));
}

TEST_CASE("The interval of R squared holds the true one at least as often as it says", "[claims][statistics]") {
  constexpr int kTrials = 2000;
  constexpr double kSigma = 0.2, kStudent = 1.96234;  // of 999 degrees of freedom
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(0, kSigma);
  for (const std::vector<double>& truth : {std::vector<double>{1, 2, 3, 4, 5}, {1, 2, 4, 4, 4}}) {
    const ResultTable exact = curve(truth, 0);
    const double wanted = r_squared_interval(points_of(exact), 0.95).value;
    int held = 0;
    for (int t = 0; t < kTrials; ++t) {
      std::vector<double> seen = truth;
      for (double& y : seen) y += noise(random);
      const ResultTable s = curve(seen, kStudent * kSigma);
      const Estimate e = r_squared_interval(points_of(s), 0.95);
      if (e.low <= wanted && wanted <= e.high) ++held;
    }
    CHECK(held >= 0.95 * kTrials);
  }
}

TEST_CASE("Wrong claims over a metric are sentences with their line and key", "[claims][error]") {
  const auto with = [](const std::string& keys) {
    return problems_of("nowsim: 1\nplatform: {workstations: 2}\njob: {workload: base-task, work: 100f}\n"
                       "owner: {model: intervals, TH: 0.1}\nmetrics: [tau, sigma_T, T_i]\nsweep:\n  owner.TH: [0.1, 20%]\n"
                       "  split.policy: [equal, proportional]\nclaims:\n  - {id: c, says: s, source: p, metric: tau, " +
                       keys + "}\n");
  };
  const std::string fit = "check: r_squared, least: 0.9, along: ";
  CHECK(with(fit + "split.policy, over: sigma_T").empty());  // places of words are the metric's
  CHECK(with(fit + "split.policy") == "e.yaml:10: claims.c.along: the check 'r_squared' needs numbers along "
                                      "'split.policy'; 'equal' is none\n");
  CHECK(with(fit + "owner.TH, over: sigma_t") ==
        "e.yaml:10: claims.c.over: there is no metric 'sigma_t'; did you mean 'sigma_T'?\n");
  CHECK(with(fit + "owner.TH, over: spread") ==
        "e.yaml:10: claims.c.over: the experiment does not measure 'spread'; its metrics: tau, sigma_T, T_i\n");
  CHECK(with(fit + "owner.TH, over: T_i") ==
        "e.yaml:10: claims.c.over: 'T_i' has a value per workstation; a claim needs one per point\n");
  CHECK(with("check: r_squared, along: owner.TH") ==
        "e.yaml:10: claims.c: the check 'r_squared' needs 'least', 'most' or both\n");
  CHECK(with("check: increasing, along: owner.TH, over: sigma_T") ==
        "e.yaml:10: claims.c.over: the check 'increasing' does not have this key\n");
  CHECK(with(fit + "owner.TH, tolerance: 1%") ==
        "e.yaml:10: claims.c.tolerance: the check 'r_squared' does not have this key\n");
}
