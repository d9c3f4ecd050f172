// The laws, and least squares over each.
#include "sim/metrics/growth_law.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

/// R squared that differ by less are those of one function of these systems: sums of machines' powers are rounded.
constexpr double kRoundingOfFit = 1e-9;
constexpr std::size_t kLeastPoints = 3;

struct Coordinates {
  std::vector<double> x, y;
  std::vector<Estimate> sizes;
};
Coordinates coordinates_of(std::span<const GrowthPoint> points, const GrowthLaw& law) {
  Coordinates out;
  for (const GrowthPoint& point : points) {
    if (!std::isfinite(point.size.value)) continue;
    out.x.push_back(law.of(point.processors, point.power_flops));
    out.y.push_back(point.size.value);
    out.sizes.push_back(point.size);
  }
  return out;
}

/// The root of sum (c_k h_k)²: how far all points' errors together move the slope.
double slope_half_width(const Coordinates& c) {
  double mean = 0, squares = 0, errors = 0;
  for (const double x : c.x) mean += x / static_cast<double>(c.x.size());
  for (const double x : c.x) squares += (x - mean) * (x - mean);
  for (std::size_t k = 0; k < c.x.size(); ++k) errors = portable::hypot(errors, (c.x[k] - mean) / squares * c.sizes[k].half_width());
  return errors;
}

/// Of sizes that are all the same no line explains anything.
Estimate r_squared_of(const Coordinates& c, const LinearFit& line) {
  const bool varies = std::ranges::adjacent_find(c.y, std::ranges::not_equal_to()) != c.y.end();
  return varies && std::isfinite(line.slope) ? r_squared_interval(c.x, c.sizes) : exactly(kNotKnown);
}

bool is_of_growth(const GrowthFit& fit) {
  return fit.points >= kLeastPoints && fit.line.slope > 0 && std::isfinite(fit.r_squared.value);
}

}  // namespace

std::span<const GrowthLaw> growth_laws() {
  static constexpr GrowthLaw kTable[] = {
      {"p_log_p", "p·log2 p", [](double p, double) { return p * portable::log2(p); }},            // classic, by broadcast
      {"p_T_log_p", "p_T·log2 p", [](double p, double p_T) { return p_T * portable::log2(p); }},  // H, by broadcast (BO 4)
      {"p_p", "p²", [](double p, double) { return p * p; }},              // classic, point to point
      {"p_T_p", "p_T·p", [](double p, double p_T) { return p_T * p; }},  // H, point to point (BO 3)
      {"p", "p", [](double p, double) { return p; }},
      {"p_T", "p_T", [](double, double p_T) { return p_T; }},
  };
  return kTable;
}

GrowthFit fit_growth(std::span<const GrowthPoint> points, const GrowthLaw& law) {
  const Coordinates c = coordinates_of(points, law);
  const LinearFit line = fit_line(c.x, c.y);
  const double h = slope_half_width(c);
  return {&law, line, {line.slope, line.slope - h, line.slope + h}, r_squared_of(c, line), c.x.size()};
}

std::vector<GrowthFit> growth_fits(std::span<const GrowthPoint> points) {
  std::vector<GrowthFit> fits;
  for (const GrowthLaw& law : growth_laws()) fits.push_back(fit_growth(points, law));
  return fits;
}

bool Growth::holds() const {
  const auto is_good = [](const GrowthFit* fit) {
    return (std::isnan(fit->r_squared.high) ? fit->r_squared.value : fit->r_squared.high) >= kGoodFit;
  };
  return std::ranges::any_of(nearest, is_good) || std::ranges::any_of(rivals, is_good);
}

bool Growth::is_told() const {
  return !nearest.empty() && rivals.empty() && nearest.front()->r_squared.low >= kGoodFit;
}

Growth growth_of(std::span<const GrowthFit> fits) {
  Growth growth;
  double most = 0, low = 0;
  for (const GrowthFit& fit : fits)
    if (is_of_growth(fit) && fit.r_squared.value > most) most = fit.r_squared.value, low = fit.r_squared.low;
  for (const GrowthFit& fit : fits) {
    if (!is_of_growth(fit)) continue;
    if (fit.r_squared.value >= most - kRoundingOfFit)
      growth.nearest.push_back(&fit);
    else if (!(fit.r_squared.high < low))  // nor where one of them is not known
      growth.rivals.push_back(&fit);
  }
  return growth;
}

}  // namespace nowsim
