// Its moments by quadrature, and its parameters by two nested roots: at a given mean the variance falls as the
// curvature grows (the family is exponential), so there is one solution, and brackets always find it.
#include "sim/statistics/tilted_normal.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "sim/base/infinity.hpp"
#include "sim/statistics/bracketed_root.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

/// Calls add(x, weight) for the nodes of a Gauss rule on each third of [low, high]; the weights sum to 2.
template <class Add>
void gauss_nodes(double low, double high, Add add) {
  using Rule = boost::math::quadrature::gauss<double, 20>;
  const double half = (high - low) / 6;
  for (int third = 0; third < 3; ++third) {
    const double middle = low + (2 * third + 1) * half;
    for (std::size_t i = 0; i < Rule::abscissa().size(); ++i)
      for (const double sign : {-1.0, 1.0}) add(middle + sign * half * Rule::abscissa()[i], Rule::weights()[i] / 3);
  }
}

/// Where the density is largest, and minus the slope of its logarithm there.
struct Mode {
  double x, fall;
};

Mode mode_of(const TiltedNormal& law, double end) {
  if (law.slope >= 0) return {0, law.slope};
  const double top = -law.slope / law.curvature;
  return top < end ? Mode{top, 0} : Mode{end, law.slope + law.curvature * end};
}

/// The member with this curvature and mean: mu <= mean gives the lower end, mean < 1/slope without curvature the upper.
TiltedNormal with_mean(double mean, double curvature) {
  const auto excess = [&](double slope) { return moments(TiltedNormal{slope, curvature}).mean - mean; };
  return {falling_root(excess, -curvature * mean, 1 / mean), curvature};
}

}  // namespace

LogConcaveDensity density(const TiltedNormal& law, double end) {
  const Mode mode = mode_of(law, end);
  const auto log_density = [mode, half = 0.5 * law.curvature](double x) {
    return (mode.x - x) * (mode.fall + half * (x - mode.x));
  };
  return {log_density, 0, end, mode.x, std::min(end, 1 / (std::abs(mode.fall) + std::sqrt(law.curvature)))};
}

/// By quadrature around the mode, as far as the density is above exp(-40) of its maximum.
MeanVariance moments(const TiltedNormal& law) {
  const Mode mode = mode_of(law, 1);
  const double fall = std::max(0.0, mode.fall);
  const double reach = 80 / (fall + std::sqrt(fall * fall + 80 * law.curvature));
  double m0 = 0, m1 = 0, m2 = 0;
  gauss_nodes(std::max(-mode.x, -reach), std::min(1 - mode.x, reach), [&](double y, double weight) {
    const double mass = weight * portable::exp(-y * (mode.fall + 0.5 * law.curvature * y));
    m0 += mass, m1 += mass * y, m2 += mass * y * y;
  });
  return {mode.x + m1 / m0, m2 / m0 - (m1 / m0) * (m1 / m0)};
}

TiltedNormal tilted_normal(double mean, double sd) {
  const auto excess = [&](double curvature) { return moments(with_mean(mean, curvature)).variance - sd * sd; };
  return with_mean(mean, falling_root(excess, 0, 1 / (sd * sd)));  // variance < sigma^2: the density is log-concave
}

TiltedNormal widest_tilted_normal(double mean) { return with_mean(mean, 0); }

TiltedNormal mirrored(const TiltedNormal& law) { return {-(law.slope + law.curvature), law.curvature}; }

}  // namespace nowsim
