// The laws, and least squares over each.
#include "sim/growth_law.hpp"

#include <cmath>

namespace nowsim {
namespace {

/// R squared that differ by less are equal.
constexpr double kRoundingOfFit = 1e-12;
constexpr std::size_t kLeastPoints = 3;

double p_alone(double processors, double /*power_flops*/) { return processors; }
double p_T_alone(double /*processors*/, double power_flops) { return power_flops; }

/// Points as coordinates.
struct Coordinates {
  std::vector<double> x, y, error;
};
Coordinates coordinates_of(std::span<const GrowthPoint> points, const GrowthLaw& law) {
  Coordinates out;
  for (const GrowthPoint& point : points) {
    if (!std::isfinite(point.size.value)) continue;
    out.x.push_back(law.of(point.processors, point.power_flops));
    out.y.push_back(point.size.value);
    out.error.push_back(point.size.half_width());
  }
  return out;
}

/// The root of sum (c_k h_k)²: how far all points' errors together move the slope.
double slope_half_width(const Coordinates& c) {
  double mean = 0, squares = 0, errors = 0;
  for (const double x : c.x) mean += x / static_cast<double>(c.x.size());
  for (const double x : c.x) squares += (x - mean) * (x - mean);
  for (std::size_t k = 0; k < c.x.size(); ++k) errors = std::hypot(errors, (c.x[k] - mean) / squares * c.error[k]);
  return errors;
}

}  // namespace

double p_log_p(double processors, double /*power_flops*/) { return processors * std::log2(processors); }
double p_T_log_p(double processors, double power_flops) { return power_flops * std::log2(processors); }
double p_p(double processors, double /*power_flops*/) { return processors * processors; }
double p_T_p(double processors, double power_flops) { return power_flops * processors; }

std::span<const GrowthLaw> growth_laws() {
  static const GrowthLaw table[] = {
      {"p_log_p", "p·log2 p", p_log_p}, {"p_T_log_p", "p_T·log2 p", p_T_log_p}, {"p_p", "p²", p_p},
      {"p_T_p", "p_T·p", p_T_p},        {"p", "p", p_alone},                     {"p_T", "p_T", p_T_alone},
  };
  return table;
}

GrowthFit fit_growth(std::span<const GrowthPoint> points, const GrowthLaw& law) {
  const Coordinates c = coordinates_of(points, law);
  const LinearFit line = fit_line(c.x, c.y);
  const double h = slope_half_width(c);
  return {&law, line, {line.slope, line.slope - h, line.slope + h}, c.x.size()};
}

std::vector<GrowthFit> growth_fits(std::span<const GrowthPoint> points) {
  std::vector<GrowthFit> fits;
  for (const GrowthLaw& law : growth_laws()) fits.push_back(fit_growth(points, law));
  return fits;
}

const GrowthFit* best_fit(std::span<const GrowthFit> fits) {
  const GrowthFit* best = nullptr;
  for (const GrowthFit& fit : fits) {
    const double greatest = best == nullptr ? -1 : best->line.r_squared + kRoundingOfFit;
    if (fit.points >= kLeastPoints && fit.line.r_squared > greatest) best = &fit;
  }
  return best;
}

}  // namespace nowsim
