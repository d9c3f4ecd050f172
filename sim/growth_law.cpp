// The table of laws, and their lines.
#include "sim/growth_law.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/linear_fit.hpp"

namespace nowsim {
namespace {

constexpr GrowthLaw kLaws[] = {
    {"p_T_log_p", "p_T·log2 p", [](double p, double p_T) { return p_T * std::log2(p); }},
    {"p_log_p", "p·log2 p", [](double p, double) { return p * std::log2(p); }},
    {"p_T_p", "p_T·p", [](double p, double p_T) { return p_T * p; }},
    {"p_p", "p²", [](double p, double) { return p * p; }},
    {"p_T", "p_T", [](double, double p_T) { return p_T; }},
    {"p", "p", [](double p, double) { return p; }},
};

Estimate slope_interval(const LinearFit& fit, std::span<const double> x, std::span<const double> y) {
  constexpr double kConfidence = 0.95;
  if (x.size() < 3) return {fit.slope, kNotKnown, kNotKnown};
  const auto n = static_cast<double>(x.size());
  double mean = 0, xx = 0, rest = 0;
  for (const double value : x) mean += value / n;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mean) * (x[k] - mean);
    rest += std::pow(y[k] - fit.intercept - fit.slope * x[k], 2);
  }
  const double half = student_quantile(x.size() - 1, kConfidence) * std::sqrt(rest / (n - 2) / xx);
  return {fit.slope, fit.slope - half, fit.slope + half};
}

}  // namespace

std::span<const GrowthLaw> growth_laws() { return kLaws; }

std::optional<GrowthFit> fit_growth(const GrowthLaw& law, std::span<const GrowthPoint> points) {
  std::vector<double> x, y;
  for (const auto& point : points) {
    x.push_back(law.at(point.workstations, point.power_flops));
    y.push_back(point.size.value);
  }
  if (x.size() < 2) return {};
  const LinearFit fit = fit_line(x, y);
  if (std::isnan(fit.slope)) return {};
  return GrowthFit{&law, slope_interval(fit, x, y), fit.intercept, fit.r_squared};
}

}  // namespace nowsim
