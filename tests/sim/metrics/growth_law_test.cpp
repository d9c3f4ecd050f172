// Laws of growth: which law exact sizes follow, slopes and their intervals by hand.
#include "sim/metrics/growth_law.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

using namespace nowsim;

namespace {

const GrowthLaw& law(const std::string& name) {
  return *std::ranges::find_if(growth_laws(), [&](const GrowthLaw& l) { return l.name == name; });
}

GrowthFit fit_of(const std::vector<GrowthPoint>& points, const std::string& name) {
  return fit_growth(points, law(name));
}

/// Sizes 3·p_T·log2 p; of the processors of power 5 a part is of power 1 that differs from system to system.
std::vector<GrowthPoint> mixed_systems() {
  std::vector<GrowthPoint> points;
  const double slow_part[] = {1, 0, 0.5, 0.25, 0.75, 0};
  double p = 2;
  for (const double slow : slow_part) {
    const double p_T = p * (5 - 4 * slow);
    points.push_back({p, p_T, exactly(3 * p_T * std::log2(p))});
    p *= 2;
  }
  return points;
}

/// Three points of the law p: sizes on 1, 2 and 3 processors.
std::vector<GrowthPoint> three(const Estimate& first, const Estimate& second, const Estimate& third) {
  return {{1, 1, first}, {2, 1, second}, {3, 1, third}};
}

using Words = std::vector<std::string>;

Words names(const std::vector<const GrowthFit*>& fits) {
  Words out;
  for (const auto* fit : fits) out.emplace_back(fit->law->name);
  return out;
}
Words nearest_of(const std::vector<GrowthPoint>& points) {
  const auto fits = growth_fits(points);
  return names(growth_of(fits).nearest);
}

/// Machines of power 1, 2, 4 and 8 of them.
std::vector<GrowthPoint> doubling(const Estimate& first, const Estimate& second, const Estimate& third) {
  return {{2, 2, first}, {4, 4, second}, {8, 8, third}};
}

}  // namespace

TEST_CASE("Sizes in proportion to p_T log p follow that law alone where the powers' mix differs",
          "[computes][growth-law]") {
  const auto points = mixed_systems();
  const auto fits = growth_fits(points);
  const Growth growth = growth_of(fits);
  REQUIRE(growth.nearest.size() == 1);
  CHECK(growth.is_told());
  const GrowthFit* best = growth.nearest.front();
  CHECK(best->law->name == std::string("p_T_log_p"));
  CHECK(best->line.r_squared == Approx(1).epsilon(1e-12));
  CHECK(best->line.slope == Approx(3));
  CHECK(best->line.intercept == Approx(0).margin(1e-9));
  CHECK(best->slope.half_width() == Approx(0).margin(1e-12));
  CHECK(best->points == 6);
  for (const GrowthFit& fit : fits)
    if (&fit != best) CHECK(fit.line.r_squared < 0.999);
}

TEST_CASE("With a constant mix laws of p and of p_T are the same, and that of p is the best", "[growth-law]") {
  std::vector<GrowthPoint> points;
  for (const double p : {2., 4., 8., 16., 32., 512.})
    points.push_back({p, 527e6 * p, exactly(3 * 527e6 * p * std::log2(p))});
  CHECK(fit_of(points, "p_T_log_p").line.r_squared == Approx(1).epsilon(1e-12));
  CHECK(fit_of(points, "p_log_p").line.r_squared == Approx(1).epsilon(1e-12));
  CHECK(fit_of(points, "p_T_p").line.r_squared == Approx(fit_of(points, "p_p").line.r_squared).epsilon(1e-12));
  CHECK(fit_of(points, "p_p").line.r_squared < 0.9999);
  CHECK(fit_of(points, "p_log_p").line.slope == Approx(3 * 527e6));
  CHECK(nearest_of(points) == Words{"p_log_p", "p_T_log_p"});
}

TEST_CASE("A law's function is what its name says", "[growth-law]") {
  for (const auto& [name, value] :
       {std::pair{"p_log_p", 24.}, {"p_T_log_p", 300.}, {"p_p", 64.}, {"p_T_p", 800.}, {"p", 8.}, {"p_T", 100.}})
    CHECK(law(name).of(8, 100) == value);
  CHECK(law("p_log_p").of(1, 100) == 0);
  CHECK(growth_laws().size() == 6);
}

TEST_CASE("The slope's interval is that of the sizes, by their weights in it", "[growth-law]") {
  // x = 1, 2, 3: weights -1/2, 0, 1/2.
  const GrowthFit fit = fit_of(three({10, 4, 16}, {20, 0, 40}, {30, 22, 38}), "p");
  CHECK(fit.line.slope == Approx(10));
  CHECK(fit.slope.value == fit.line.slope);
  CHECK(fit.slope.half_width() == Approx(std::hypot(6, 8) / 2));
  CHECK(fit.slope.low == Approx(5));
  const GrowthFit unknown = fit_of(three({10, kNotKnown, kNotKnown}, exactly(20), exactly(30)), "p");
  CHECK(unknown.line.slope == Approx(10));
  CHECK(std::isnan(unknown.slope.low));
}

TEST_CASE("Points without a size have no part, and two points tell no law from another", "[growth-law]") {
  auto points = mixed_systems();
  const auto before = fit_of(points, "p_T_log_p");
  points.push_back({4096, 1, exactly(kNotKnown)});
  const auto after = fit_of(points, "p_T_log_p");
  CHECK(after.line.slope == before.line.slope);
  CHECK(after.points == before.points);
  CHECK(nearest_of(three(exactly(1), exactly(2), exactly(kNotKnown))).empty());
  CHECK_FALSE(nearest_of(three(exactly(1), exactly(2), exactly(4))).empty());
  CHECK(nearest_of({}).empty());
  CHECK(std::isnan(fit_of({}, "p").line.slope));
}

TEST_CASE("Sizes that fall or stay are no growth", "[growth-law]") {
  const auto falling = growth_fits(doubling(exactly(5341), exactly(632), exactly(32)));
  CHECK(growth_of(falling).nearest.empty());
  CHECK(fit_of(doubling(exactly(6), exactly(4), exactly(0)), "p").r_squared.value == Approx(1));  // -1 per processor
  for (const GrowthFit& fit : growth_fits(doubling(exactly(9), exactly(9), exactly(9)))) {
    CHECK(fit.line.slope == 0);
    CHECK(std::isnan(fit.r_squared.value));
  }
}

TEST_CASE("A law is told from others where their intervals of R squared lie apart", "[growth-law]") {
  // About the means 28 and 2120/3 p² is -24, -12, 36 and the sizes are -1760/3, -920/3, 2680/3: R² = 49920²/(2016·
  // 1236266.7) = 0.99988. Intervals turn that angle by asin(663.5/1111.9), 37 degrees.
  const auto noisy = growth_fits(doubling({120, 92, 148}, {400, 270, 530}, {1600, 950, 2250}));
  const Growth open = growth_of(noisy);
  CHECK(names(open.nearest) == Words{"p_p", "p_T_p"});
  CHECK(open.nearest.front()->r_squared.value == Approx(0.99988).epsilon(1e-5));
  CHECK(names(open.rivals) == Words{"p_log_p", "p_T_log_p", "p", "p_T"});
  CHECK_FALSE(open.is_told());
  const auto exact = growth_fits(doubling(exactly(120), exactly(400), exactly(1600)));
  CHECK(growth_of(exact).is_told());
  const auto unknown = growth_fits(doubling({120, kNotKnown, kNotKnown}, exactly(400), exactly(1600)));
  CHECK(names(growth_of(unknown).nearest) == Words{"p_p", "p_T_p"});
  CHECK_FALSE(growth_of(unknown).is_told());
}
