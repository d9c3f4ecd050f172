// Every kind of check on curves that satisfy it, violate it, and leave it open.
#include "experiments/driver/claims/verdicts.hpp"

#include <catch2/catch.hpp>

#include "experiments/driver/claims/check_parts.hpp"
#include "experiments/driver/text/estimate_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/statistics/sample.hpp"
#include "tests/experiments/driver/claim_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// A surface over a = 1, 2, 3 and x = 1, 2, ...: one list per a.
ResultTable surface(const std::vector<std::vector<double>>& taus, double half_width) {
  ResultTable s = summary({"a", "x"}, {});
  for (std::size_t a = 0; a < taus.size(); ++a)
    for (std::size_t x = 0; x < taus[a].size(); ++x)
      s.rows.push_back(row({std::to_string(a + 1), std::to_string(x + 1)}, around(taus[a][x], half_width)));
  return s;
}

/// Curves on which a check's verdict is known.
struct Case {
  std::string keys;
  std::vector<double> taus;
  double half_width;
  std::string verdict;
};

const std::string kFlat = "check: flat, along: x, tolerance: 2%";
const std::string kUp = "check: increasing, along: x", kDown = "check: decreasing, along: x";
const std::string kLinear = "check: linear, along: x, tolerance: 5%";
const std::string kProportional = "check: proportional, along: x, tolerance: 5%";
const std::string kPeak = "check: peak_inside, along: x", kDip = "check: falls_then_rises, along: x";
const std::string kLow = "check: minimum_between, along: x, least: 1.5, most: 2",
                  kHigh = "check: maximum_between, along: x, least: 3",
                  kIsPositive = "check: values_between, along: x, more_than: 0";
const std::string kRoot = "check: power_law, along: x, least: 0.5",
                  kInverse = "check: power_law, along: x, least: -1.1, most: -0.9";
const std::string kMore = "check: grows_more, along: x, across: a";
const std::string kSteeper = "check: steeper, along: x, across: a";
const std::string kHighest = "check: maximum_value_between, along: x, ",
                  kChange = "check: change_between, along: x, least: -0.5, most: -0.2";
const std::string kCross = "check: cross, along: x, across: a, higher: 2, lower: 1",
                  kRatio = "check: ratio_between, along: x, across: a, higher: 2, lower: 1, least: 2, most: 3";
const std::string kAbove = "check: above, along: x, across: a, higher: 2, lower: 1";

}  // namespace

TEST_CASE("Checks of one curve: reproduced, not reproduced, undecided", "[computes][claims]") {
  const std::vector<Case> table{
      {kFlat, {100, 101, 100.5}, 0.1, kReproduced},
      {kFlat, {100, 101, 100.5}, 0, kReproduced},
      {kFlat, {100, 105, 100}, 0.1, kNot},
      {kFlat, {100, 105, 100}, 0, kNot},
      {kFlat, {100, 101, 100.5}, 3, kUndecided},
      {kFlat, {100, 102, 104}, 0, kNot},  // by 2 % and 1.96 %, but 4 % in all
      {kFlat, {-100, -101, -100.5}, 0.1, kReproduced},
      {kFlat, {0, 0, 0}, 0, kReproduced},
      {kFlat, {100}, 0, kUndecided},
      {"check: flat, along: x, tolerance: 0", {100, 100}, 0, kReproduced},

      {kUp, {1, 2, 3}, 0.1, kReproduced},
      {kUp, {1, 2, 3}, 0, kReproduced},
      {kUp, {1, 2, 1.5}, 0.1, kNot},
      {kUp, {1, 2, 2}, 0, kNot},  // exactly level
      {kUp, {1, 2, 2}, 0.1, kUndecided},
      {kUp, {1, 2, 1.95}, 0.1, kUndecided},
      {kUp, {1}, 0.1, kUndecided},
      {kUp + ", tolerance: 10%", {1, 2, 1.95}, 0.03, kReproduced},
      {kUp + ", tolerance: 10%", {1, 1, 1}, 0.03, kUndecided},  // never shown to rise in all
      {kUp + ", tolerance: 10%", {1, 1, 1}, 0, kNot},
      {kUp + ", tolerance: 10%", {1, 3, 2}, 0.03, kNot},

      {kDown, {3, 2, 1}, 0.1, kReproduced},
      {kDown, {3, 2, 2.5}, 0.1, kNot},
      {kDown, {3, 2, 2}, 0.1, kUndecided},

      {kLinear, {200, 210, 220, 230}, 0.1, kReproduced},
      {kLinear, {200, 210, 220, 230}, 0, kReproduced},
      {kLinear, {-30, -20, -10, 0}, 0.1, kReproduced},
      {kLinear, {200, 210, 240, 290}, 0.1, kNot},
      {kLinear, {230, 220, 210, 200}, 0.1, kNot},  // falls
      {kLinear, {200, 200, 200, 200}, 0, kNot},
      {kLinear, {200, 210, 220, 230}, 5, kUndecided},
      {kLinear, {200, 210}, 0, kUndecided},  // any two points are on a line

      {kProportional, {10, 20, 30}, 0.1, kReproduced},
      {kProportional, {10, 20, 30}, 0, kReproduced},
      {kProportional, {15, 20, 25}, 0.1, kNot},
      {kProportional, {20, 30, 40}, 0, kNot},  // a line, but not through 0
      {kProportional, {10, 20, 30}, 2, kUndecided},
      {kProportional, {10}, 0, kUndecided},

      {kPeak, {1, 3, 2}, 0.1, kReproduced},
      {kPeak, {1, 3, 2}, 0, kReproduced},
      {kPeak, {1, 2, 3, 4}, 0.1, kNot},
      {kPeak, {1, 2, 2}, 0, kNot},
      {kPeak, {1, 2, 2.05, 2}, 0.2, kUndecided},
      {kPeak, {1, 2}, 0, kUndecided},
      {kDip, {3, 1, 2}, 0.1, kReproduced},
      {kDip, {3, 2, 1}, 0.1, kNot},
      {kDip, {3, 2, 1.95, 2}, 0.2, kUndecided},

      {kLow, {3, 1, 2, 3}, 0.1, kReproduced},
      {kLow, {3, 1, 2, 3}, 0, kReproduced},
      {kLow, {3, 2, 1, 3}, 0.1, kNot},
      {kLow, {3, 2, 1.95, 3}, 0.1, kUndecided},
      {kLow, {3, 2, 2, 3}, 0, kUndecided},  // two places
      {kLow, {3}, 0, kUndecided},           // there is no point
      {"check: minimum_between, along: x, most: 3", {3, 1, 0, 3}, 0.1, kReproduced},
      {"check: minimum_between, along: x, most: 4", {3, 1, 0, 3}, 0.1, kUndecided},  // there is nothing elsewhere
      {kHigh, {1, 2, 3, 2}, 0.1, kReproduced},
      {kHigh, {1, 3, 2, 1}, 0.1, kNot},
      {kHigh, {1, 3, 2.95, 1}, 0.2, kUndecided},

      {kIsPositive, {1, 2, 0.5}, 0.1, kReproduced},
      {kIsPositive, {1, 2, 0.05}, 0.1, kUndecided},
      {kIsPositive, {1, 2, -0.5}, 0.1, kNot},
      {kIsPositive, {1, 0}, 0, kNot},
      {kIsPositive + ", less_than: 3", {1, 2}, 0.1, kReproduced},
      {kIsPositive + ", less_than: 3", {1, 4}, 0.1, kNot},

      {kHighest + "most: 4", {1, 3, 2}, 0.1, kReproduced},
      {kHighest + "most: 4", {1, 5, 2}, 0.1, kNot},
      {kHighest + "most: 4", {1, 4, 2}, 0, kReproduced},  // the bounds are inside
      {kHighest + "most: 4", {1, 4.01, 2}, 0, kNot},
      {kHighest + "most: 4", {1, 3.95, 2}, 0.1, kUndecided},
      {kHighest + "least: 2", {1, 3, 0}, 0.1, kReproduced},  // by one point
      {kHighest + "least: 2", {1, 1.5, 0}, 0.1, kNot},
      {kHighest + "least: 2", {1, 2, 0}, 0, kReproduced},
      {kHighest + "least: 2", {1, 2.05, 0}, 0.1, kUndecided},
      {kHighest + "least: 2", {1, 2.11, 0}, 0.1, kUndecided},  // clear by itself, but not as the best of three
      {kHighest + "least: 200%, most: 4", {3}, 0.1, kReproduced},
      {kHighest + "least: 2, most: 4", {3, 5}, 0.1, kNot},

      {kChange, {10, 99, 7}, 0.1, kReproduced},  // by -30 %
      {kChange, {10, 7}, 0, kReproduced},
      {kChange, {10, 9}, 0.1, kNot},
      {kChange, {10, 4}, 0.1, kNot},
      {kChange, {10, 5}, 0, kReproduced},  // the bounds are inside
      {kChange, {10, 8}, 0, kReproduced},
      {kChange, {10, 8.01}, 0, kNot},
      {kChange, {10, 7.9}, 0.3, kUndecided},
      {kChange, {-10, -7}, 0.1, kUndecided},  // there is no such ratio
      {kChange, {0, 7}, 0, kUndecided},
      {kChange, {10}, 0, kUndecided},
      {"check: change_between, along: x, most: 0", {10, 12, 4}, 0.1, kReproduced},
      {"check: change_between, along: x, least: 50%", {10, 12, 16}, 0.1, kReproduced},

      {kRoot, {1, 1.5, 1.9, 2.2}, 0.01, kReproduced},
      {kRoot, {1, 1.1, 1.2, 1.3}, 0.01, kNot},
      {kRoot, {1, 1.4, 1.7, 2.0}, 0.2, kUndecided},
      {kRoot, {1, 1.4, -1.7, 2.0}, 0.01, kUndecided},  // no logarithm
      {kRoot, {1, 1.4}, 0, kUndecided},
      {kInverse, {12, 6, 4, 3}, 0.01, kReproduced},
      {kInverse, {12, 6, 4, 3}, 0, kReproduced},
      {kInverse, {12, 8, 7, 6}, 0.01, kNot},
      {kInverse, {12, 3, 1, 0.5}, 0.01, kNot},
      {kRoot + ", above_first: true", {100, 101, 104, 109}, 0.01, kReproduced},  // x = 2, 3, 4: exponent 3.2
      {kRoot + ", above_first: true", {100, 101, 101.1, 101.2}, 0.01, kNot},
      {kRoot + ", above_first: true", {100, 101, 104, 109}, 2, kUndecided},
      {kRoot + ", above_first: false", {100, 101, 104, 109}, 0.01, kNot},
  };
  for (const auto& [keys, taus, half_width, expected] : table) {
    INFO(keys << ": " << Catch::StringMaker<std::vector<double>>::convert(taus) << " ± " << half_width);
    CHECK(verdict(keys, curve(taus, half_width)) == expected);
  }
}

TEST_CASE("A fitted exponent and its interval are those of logarithms", "[claims]") {
  // y = 12 x^-1 exactly known but for the last point, 10 % wide: by the delta method its weight times 0.1.
  const ClaimResult r = result(kInverse, curve({exactly(12), exactly(6), exactly(4), around(3, 0.3)}));
  const std::vector<double> logs{0, std::log(2), std::log(3), std::log(4)};
  const double mean = (logs[1] + logs[2] + logs[3]) / 4;
  double square = 0;
  for (const double l : logs) square += (l - mean) * (l - mean);
  const std::string expected = estimate_text(around(-1, 0.1 * (logs[3] - mean) / square));
  CHECK_THAT(r.measured, Contains("with an exponent of " + expected));
}

TEST_CASE("Without intervals every check is undecided", "[claims]") {
  for (const auto& kind : builtin_checks()) {
    std::string keys = "check: " + kind.name + ", along: x";
    for (const auto& key : kind.required)
      if (key == "tolerance")
        keys += ", tolerance: 1%";
      else if (key == "across")
        keys += ", across: a";
      else if (key == "higher")
        keys += ", higher: 2, lower: 1";
      else if (key == "other")
        keys += ", other: tau, within: 0.5";
    if (contains(kind.optional, "least")) keys += ", least: 0, most: 3";
    if (contains(kind.optional, "more_than")) keys += ", more_than: 0";
    ResultTable s = surface({{1, 2, 3}, {2, 4, 6}, {3, 6, 9}}, 0);
    for (auto& r : s.rows) {
      r.estimates[0][0] = without_interval(r.estimates[0][0].value);
      r.replications = 1;
    }
    CHECK(verdict(keys, s) == kUndecided);
    CHECK(verdict(keys, summary({"a", "x"}, {})) == kUndecided);
    const std::vector<std::string> of_points{"above", "peaks_rise", "values_between", "maximum_value_between",
                                             "ratio_between"};
    const bool takes_one_point = contains(of_points, kind.name);
    CHECK(verdict(keys, surface({{1}, {2}}, 0)) == (takes_one_point ? kReproduced : kUndecided));
    for (auto& r : s.rows) r = row_without(r.values, PointStatus::infeasible);
    CHECK(verdict(keys, s) == kUndecided);
  }
}

TEST_CASE("Infeasible points are left out; failed ones leave a claim open unless others contradict", "[claims]") {
  ResultTable s = curve({1, 2, 3, 4}, 0.1);
  s.rows[1] = row_without({"2"}, PointStatus::infeasible);
  CHECK(verdict(kUp, s) == kReproduced);
  s.rows[1].status = PointStatus::unsolved;  // a result: whatever its value would have to be, there is no such size
  CHECK(verdict(kUp, s) == kUndecided);
  CHECK_THAT(result(kUp, s).measured, Contains("1 point is missing"));
  s.rows[1] = row_without({"2"}, PointStatus::failed);
  CHECK(verdict(kUp, s) == kUndecided);
  CHECK_THAT(result(kUp, s).measured, Contains("1 point is missing"));
  CHECK(verdict(kPeak, s) == kNot);
  CHECK(verdict(kUp + ", where: {x: [1, 3, 4]}", s) == kReproduced);
  s.rows[1] = row({"2"}, exactly(kNotKnown));
  CHECK(verdict(kUp, s) == kUndecided);
  s.rows[3].estimates[0][0] = around(0, 0.1);
  CHECK(verdict(kUp, s) == kNot);
}

TEST_CASE("The rises along two axes are compared from where both begin", "[claims]") {
  CHECK(verdict(kSteeper, surface({{1, 2, 9}, {2, 0, 0}, {4, 0, 0}}, 0.1)) == kReproduced);  // by 8 and by 3
  CHECK(verdict(kSteeper, surface({{1, 2, 3}, {2, 9, 9}, {4, 9, 9}}, 0.1)) == kNot);         // by 2 and by 3
  CHECK(verdict(kSteeper, surface({{1, 2}, {2, 9}}, 0)) == kNot);                            // as much
  CHECK(verdict(kSteeper, surface({{1, 2, 9}, {2, 0, 0}, {4, 0, 0}}, 5)) == kUndecided);
  CHECK(verdict(kSteeper, surface({{1, 2, 9}}, 0)) == kUndecided);
  CHECK_THAT(
      result(kSteeper, surface({{1, 2, 9}, {4, 0, 0}}, 0)).measured,
      Contains("tau rises by 3 s (a, a = 1) to 8 s (x, a = 1)") && Contains("rises along x by 5 s more than along a"));
}

TEST_CASE("The rise is compared from one curve to the next", "[claims]") {
  CHECK(verdict(kMore, surface({{1, 2}, {1, 3}, {1, 5}}, 0.1)) == kReproduced);
  CHECK(verdict(kMore, surface({{1, 2}, {1, 3}, {1, 5}}, 0)) == kReproduced);
  CHECK(verdict(kMore, surface({{1, 2}, {1, 3}, {1, 2}}, 0.1)) == kNot);
  CHECK(verdict(kMore, surface({{1, 2}, {3, 4}}, 0)) == kNot);  // higher, but it rises as much
  CHECK(verdict(kMore, surface({{1, 2}, {1, 3}, {1, 5}}, 1)) == kUndecided);
  CHECK(verdict(kMore, surface({{1, 2, 3}}, 0)) == kUndecided);  // nothing to compare with
  ResultTable s = surface({{1, 2, 3}, {1, 3, 5}}, 0.1);
  s.rows[5] = row_without({"2", "3"}, PointStatus::infeasible);  // compared over x = 1, 2, which both have
  CHECK(verdict(kMore, s) == kReproduced);
  CHECK_THAT(result(kMore, s).measured, Contains("from a = 1 to 2 the rise up to x = 2 changes by 1.00 ± 0.28 s"));
}

TEST_CASE("Minima of two metrics lie at the same place, or further apart than allowed", "[claims]") {
  // sigma_T is lowest at x = 3; tau at x = 2.
  ResultTable s = curve({3, 1, 1.5, 3, 4}, 0.1);
  s.metrics.push_back(find_metric("sigma_T"));
  for (std::size_t k = 0; k < s.rows.size(); ++k)
    s.rows[k].estimates.push_back({exactly(std::abs(static_cast<double>(k) - 2))});
  const std::string agree = "check: minima_agree, along: x, other: sigma_T, within: ";
  CHECK(verdict(agree + "1", s) == kReproduced);
  CHECK(verdict(agree + "0", s) == kNot);
  CHECK_THAT(result(agree + "0", s).measured, Contains("tau is lowest at x = 2: 1.00 ± 0.10 s, 0.50 ± "));
  CHECK(verdict("check: peak_at_minimum, along: x, other: sigma_T, within: 1", s) == kNot);  // highest at x = 5
  CHECK(verdict("check: peak_at_minimum, along: x, other: sigma_T, within: 2, where: {x: [2, 3, 4, 5]}", s) ==
        kUndecided);
  s.rows[1].estimates[0] = {around(1.45, 0.1)};
  CHECK(verdict(agree + "0", s) == kUndecided);
  CHECK_THAT(result("check: minima_agree, along: x, other: RF, within: 0", s).measured,
             Contains("'RF' is not among the metrics"));
}

TEST_CASE("Peaks are compared from one curve to the next, wherever they are", "[claims]") {
  const std::string peaks = "check: peaks_rise, along: x, across: a";
  CHECK(verdict(peaks, surface({{1, 2, 1}, {3, 2, 1}, {0, 0, 4}}, 0.1)) == kReproduced);
  CHECK(verdict(peaks, surface({{1, 2, 1}, {3, 2, 1}, {0, 0, 1}}, 0.1)) == kNot);
  CHECK(verdict(peaks, surface({{1, 2, 1}, {2.1, 2, 1}}, 0.2)) == kUndecided);
  CHECK(verdict(peaks, surface({{1}, {1.145}}, 0.1)) == kReproduced);  // 0.1·sqrt(2) apart
  CHECK(verdict(peaks, surface({{1, 1, 1}, {1.145, 1, 1}}, 0.1)) == kUndecided);  // the best of three
  CHECK_THAT(result(peaks, surface({{1, 2, 1}, {3, 2, 1}}, 0.1)).measured,
             Contains("the peak of tau along x is 2.00 ± 0.10 s (a = 1) to 3.00 ± 0.10 s (a = 2)"));
}

TEST_CASE("One curve above another", "[claims]") {
  CHECK(verdict(kAbove, surface({{1, 2}, {2, 3}}, 0.1)) == kReproduced);
  CHECK(verdict(kAbove, surface({{1, 2}, {2, 3}}, 0)) == kReproduced);
  CHECK(verdict(kAbove, surface({{1, 2}, {2, 1}}, 0.1)) == kNot);
  CHECK(verdict(kAbove, surface({{1, 2}, {1, 3}}, 0)) == kNot);  // touches
  CHECK(verdict(kAbove, surface({{1, 2}, {1, 3}}, 0.1)) == kUndecided);
  CHECK(verdict(kAbove + ", tolerance: 20%", surface({{1, 2}, {1, 3}}, 0.1)) == kReproduced);
  CHECK(verdict(kAbove + ", tolerance: 20%", surface({{1, 2}, {2, 2}}, 0)) == kNot);  // not above at the end
  CHECK(verdict(kAbove, surface({{1, 2}}, 0)) == kUndecided);
}

TEST_CASE("A failed point counts where its curve is one of the two that are compared", "[claims]") {
  ResultTable three = surface({{1, 2}, {2, 3}, {9, 9}}, 0.1);  // a = 1, 2, 3
  three.rows.back() = row_without(three.rows.back().values, PointStatus::failed);
  CHECK(verdict(kAbove, three) == kReproduced);
  three.rows.front() = row_without(three.rows.front().values, PointStatus::failed);
  CHECK(verdict(kAbove, three) == kUndecided);
}

TEST_CASE("Curves cross, or one is above the other everywhere", "[claims]") {
  CHECK(verdict(kCross, surface({{1, 2, 3}, {2, 2, 1}}, 0.1)) == kReproduced);
  CHECK(verdict(kCross, surface({{1, 2, 3}, {0, 2, 4}}, 0)) == kReproduced);
  CHECK(verdict(kCross, surface({{1, 2, 3}, {2, 3, 4}}, 0.1)) == kNot);
  CHECK(verdict(kCross, surface({{1, 2, 3}, {0, 1, 2}}, 0.1)) == kNot);
  CHECK(verdict(kCross, surface({{1, 2, 3}, {1, 2, 3}}, 0)) == kNot);  // the same curve
  CHECK(verdict(kCross, surface({{1, 2, 3}, {1, 2, 4}}, 0)) == kNot);  // touches
  CHECK(verdict(kCross, surface({{1, 2, 3}, {1, 2, 3}}, 0.1)) == kUndecided);
  CHECK(verdict(kCross, surface({{1, 2, 3}, {2, 2, 2.95}}, 0.1)) == kUndecided);
  CHECK(verdict(kCross, surface({{1, 2, 3}, {1.15, 2, 2}}, 0.1)) == kUndecided);  // clear, but not as the best of three
  CHECK(verdict(kCross + ", where: {x: [1, 3]}", surface({{1, 2, 3}, {1.17, 2, 2}}, 0.1)) == kReproduced);
  CHECK(verdict(kCross, surface({{1}, {2}}, 0)) == kUndecided);
  CHECK(verdict(kCross, surface({{1, 2, 3}}, 0)) == kUndecided);
  CHECK_THAT(result(kCross, surface({{1, 2, 3}, {3, 2, 2}}, 0)).measured,
             Contains("tau at a = 2 less that at 1 is -1 s (x = 3) to 2 s (x = 1)"));
}

TEST_CASE("Where a point is missing curves may still cross there, and a maximum or an end may lie there", "[claims]") {
  ResultTable s = surface({{1, 2, 3}, {2, 3, 4}}, 0);
  s.rows[5] = row_without({"2", "3"}, PointStatus::infeasible);
  CHECK(verdict(kCross, s) == kNot);
  CHECK(verdict("check: change_between, along: x, least: 9", s) == kNot);
  CHECK(verdict(kHighest + "least: 9", s) == kNot);
  s.rows[5] = row_without({"2", "3"}, PointStatus::failed);
  CHECK(verdict(kCross, s) == kUndecided);
  CHECK(verdict("check: change_between, along: x, least: 9", s) == kUndecided);
  CHECK(verdict(kHighest + "least: 9", s) == kUndecided);
  CHECK(verdict(kHighest + "most: 1", s) == kNot);  // whatever the missing point is
}

TEST_CASE("One curve is a multiple of another within bounds", "[claims]") {
  CHECK(verdict(kRatio, surface({{1, 2}, {2.5, 5}}, 0.1)) == kReproduced);
  CHECK(verdict(kRatio, surface({{1, 2}, {2, 6}}, 0)) == kReproduced);  // the bounds are inside
  CHECK(verdict(kRatio, surface({{1, 2}, {1.5, 5}}, 0.1)) == kNot);
  CHECK(verdict(kRatio, surface({{1, 2}, {2.5, 7}}, 0.1)) == kNot);
  CHECK(verdict(kRatio, surface({{1, 2}, {2.1, 5}}, 0.1)) == kUndecided);
  CHECK(verdict(kRatio, surface({{0, 2}, {2.5, 5}}, 0)) == kUndecided);  // there is no ratio
  CHECK(verdict(kRatio, surface({{1, 2}}, 0)) == kUndecided);
  const ClaimResult r = result(kRatio, surface({{10, 20}, {25, 60}}, 0.5));
  CHECK_THAT(r.measured, Contains("tau at a = 2 is that at 1 times 2.50 ± 0.13 (x = 1, a = 2) to 3.000 ± 0.079"));
  CHECK_THAT(r.measured, Contains("at x = 2, a = 2 it is that at 1 times 3.000 ± 0.079, at most 3 claimed"));
}

TEST_CASE("Curves meet where they agree within the tolerance", "[claims]") {
  for (const std::string check : {"meet", "flat"}) {
    const std::string keys = "check: " + check + ", along: a, where: {x: 2}, tolerance: 1%";
    CHECK(verdict(keys, surface({{1, 100}, {5, 100.1}, {9, 100.2}}, 0.1)) == kReproduced);
    CHECK(verdict(keys, surface({{1, 100}, {5, 103}, {9, 100.2}}, 0.1)) == kNot);
    CHECK(verdict(keys, surface({{1, 100}, {5, 100.1}, {9, 100.2}}, 5)) == kUndecided);
  }
}

TEST_CASE("Points that saw the same random numbers are told apart by what they make of them", "[claims]") {
  Sample low(Sampling{1, 0, 1}), high(Sampling{1, 0, 1});
  for (int k = 0; k < 100; ++k) {
    low.add_batch(std::vector<double>{100.0 + k}, {});
    high.add_batch(std::vector<double>{101.0 + k + 0.1 * (k % 3)}, {});
  }
  const Estimate a = mean_estimate(low, 0.95), b = mean_estimate(high, 0.95);
  const auto points = [](const Estimate& x, const Estimate& y) {
    return summary({"x"}, {row({"1"}, x), row({"2"}, y)});
  };
  const auto without = [](Estimate e) {
    e.influence = nullptr;
    return e;
  };
  CHECK(verdict(kUp, points(a, b)) == kReproduced);
  CHECK(verdict(kUp, points(without(a), without(b))) == kUndecided);
  CHECK(verdict("check: meet, along: x, tolerance: 0", points(a, a)) == kReproduced);
}

TEST_CASE("A claim holds if it does for all curves", "[claims]") {
  CHECK(verdict(kUp, surface({{1, 2, 3}, {4, 5, 6}}, 0.1)) == kReproduced);
  CHECK(verdict(kUp, surface({{1, 2, 3}, {6, 5, 4}}, 0.1)) == kNot);
  CHECK(verdict(kUp + ", where: {a: 1}", surface({{1, 2, 3}, {6, 5, 4}}, 0.1)) == kReproduced);
  CHECK(verdict(kPeak, surface({{1, 3, 2}, {4, 7, 6}}, 0.1)) == kReproduced);
  CHECK(verdict(kPeak, surface({{1, 3, 2}, {4, 5, 6}}, 0.1)) == kNot);
  CHECK(verdict(kPeak, surface({{1, 3, 2}, {4, 6.1, 6}}, 0.1)) == kUndecided);
  CHECK(verdict(kRoot, surface({{1, 2, 3}, {1, 2, -3}}, 0.1)) == kUndecided);  // one has no exponent
}

TEST_CASE("Points go by their axis's numbers, with units, in any order", "[claims]") {
  const std::vector<ResultRow> rows{row({"2min"}, around(3, 0.1)), row({"1s"}, around(1, 0.1)),
                                     row({"1min"}, around(2, 0.1))};
  CHECK(verdict("check: increasing, along: t", summary({"t"}, rows)) == kReproduced);
  CHECK(verdict("check: increasing, along: t, where: {t: [1s, 120s]}", summary({"t"}, rows)) == kReproduced);
  CHECK_THAT(
      result("check: increasing, along: t", summary({"t"}, rows)).measured,
      Contains("tau rises in all by 2.00 ± 0.14 s") && Contains("from t = 1s to 1min it changes by 1.00 ± 0.14 s"));
}

TEST_CASE("A key that goes with the axis in a zip does not part a curve", "[claims]") {
  const std::vector<ResultRow> rows{row({"1", "a"}, around(1, 0.1)), row({"2", "b"}, around(2, 0.1)),
                                     row({"3", "b"}, around(3, 0.1))};
  CHECK(verdict(kUp, summary({"x", "z"}, rows)) == kReproduced);
}

TEST_CASE("Curves are told apart by any key of a zip, words too, and by others that the zip does not touch",
          "[claims]") {
  ResultTable s = summary({"way", "program", "weights", "size", "N"}, {});
  const std::vector<std::vector<std::string>> zip{{"ep", "1 2", "256"}, {"cholesky", "1 3", "512"}};
  for (const std::string way : {"same", "grown"})
    for (const auto& z : zip)
      for (const int n : {2, 4})
        s.rows.push_back(row({way, z[0], z[1], z[2], std::to_string(n)},
                             around((z[0] == "ep" ? 2 : 1) * n + (way == "same" ? 0 : 1), 0.1)));
  const std::string above = "check: above, along: N, across: ", ep = ", higher: ep, lower: cholesky";
  CHECK(verdict(above + "program" + ep, s) == kReproduced);
  CHECK(verdict(above + "weights, higher: 1 2, lower: 1 3", s) == kReproduced);
  CHECK(verdict(above + "size, higher: 512, lower: 256", s) == kNot);
  CHECK(verdict(above + "way, higher: grown, lower: same", s) == kReproduced);
  CHECK_THAT(result(above + "way, higher: grown, lower: same", s).measured,
             Contains("(N = 4, way = grown, program = ep)") && !Contains("weights"));
  CHECK(verdict("check: above, along: program, across: way, higher: grown, lower: same", s) == kReproduced);
  CHECK(verdict("check: cross, along: weights, across: N, higher: 4, lower: 2", s) == kNot);
  CHECK(verdict("check: change_between, along: size, least: -60%, most: -30%", s) == kReproduced);
  CHECK(verdict("check: grows_more, along: N, across: size", s) == kNot);
}

TEST_CASE("Intervals of another confidence than the claim's are converted", "[claims]") {
  const ResultTable s = curve({1, 2}, 0.6);  // the difference: 1 ± 0.85 at 95 %, ± 1.12 at 99 %
  CHECK(verdict(kUp, s) == kReproduced);
  CHECK(verdict(kUp + ", confidence: 99%", s) == kUndecided);
  ResultTable narrow = s;
  for (auto& r : narrow.rows) r.confidence = 0.5;  // the intervals' own: much wider at 95 %
  CHECK(verdict(kUp, narrow) == kUndecided);
}

TEST_CASE("Comparisons are shown one by one and contradicted by Bonferroni", "[claims]") {
  const ResultRow up = row({"0"}, around(1.1, 1)), down = row({"0"}, around(-1.1, 1)),
                   far = row({"0"}, around(-1.5, 1));
  const auto point = [](const ResultRow& r) { return MeasuredPoint{0, "0", "x = 0", r.estimates[0][0], &r}; };
  const MeasuredPoint p = point(up), q = point(down), r = point(far);
  const auto above = [](const MeasuredPoint& m) {
    return checks::Comparison{LinearCombination().add(1, m), true, LinearCombination().add(1, m), "it is ", ""};
  };
  CHECK(checks::judge({above(p), above(p), above(p)}, 0.95, 0).verdict == Verdict::reproduced);
  CHECK(checks::judge({above(p), above(p)}, 0.95, 1).verdict == Verdict::undecided);
  CHECK(checks::judge({above(q)}, 0.95, 0).verdict == Verdict::not_reproduced);
  CHECK(checks::judge({above(q), above(p)}, 0.95, 0).verdict == Verdict::undecided);  // of two, 97.5 % are asked for: 1.14
  CHECK(checks::judge({above(r), above(p)}, 0.95, 0).verdict == Verdict::not_reproduced);
  CHECK(checks::judge({above(r), above(p)}, 0.95, 1).verdict == Verdict::not_reproduced);
  CHECK(checks::judge({}, 0.95, 0).verdict == Verdict::undecided);
  CHECK_THAT(checks::judge({above(r), above(p)}, 0.95, 0).measured,
             Contains("in 1 of 2 comparisons, most clearly: it is -1.5 ± 1.1"));
}
