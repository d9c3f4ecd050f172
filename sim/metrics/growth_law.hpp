// How problem sizes grow with a system at constant efficiency: lines through sizes over functions of p and p_T.
#pragma once

#include <span>
#include <vector>

#include "sim/statistics/data_fits.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// What sizes may grow like, of p processors of the power p_T [flop/s] together (BO 3).
struct GrowthLaw {
  const char* name;  ///< of the metric too, where there is one
  const char* formula;
  double (*of)(double processors, double power_flops);
};

/// Those of isoefficiency by broadcast and point to point, classic and H-isoefficiency, and p and p_T; where a system's
/// p_T/p is constant, those of p before those of p_T, which are then the same.
std::span<const GrowthLaw> growth_laws();

struct GrowthPoint {
  double processors = 1;
  double power_flops = 1;
  Estimate size;
};

/// n = intercept + slope·x, x what the law says, by least squares.
struct GrowthFit {
  const GrowthLaw* law = nullptr;
  LinearFit line;
  Estimate slope;          ///< the line's, with its interval [per unit of x]
  Estimate r_squared;      ///< the line's, with its interval; not known where sizes are all the same
  std::size_t points = 0;  ///< of a known size
};

/// Through the points whose size is known; NaN unless these have at least two different x.
/// The slope's interval comes from those of the sizes: the slope is sum c_k n_k with c_k = (x_k - mean x)/sum
/// (x_k - mean x)^2, and its half-width the root of sum (c_k h_k)^2, h_k that of n_k, as of independent errors. So it
/// leaves out that points which share random numbers err alike (an error in proportion to all sizes is the slope's in
/// full, and not averaged), and that the law may not hold at all, of which R squared tells. Where a size's interval is
/// not known the slope's is not.
GrowthFit fit_growth(std::span<const GrowthPoint> points, const GrowthLaw& law);
/// One per growth_laws(), in their order.
std::vector<GrowthFit> growth_fits(std::span<const GrowthPoint> points);

/// R² below it: sizes do not follow a law.
inline constexpr double kGoodFit = 0.99;

/// What sizes tell of the laws. Only lines that rise, through three points or more, are of growth: any goes through two.
struct Growth {
  /// The greatest R squared; several where they are the same function of these systems. Empty where none rises.
  std::vector<const GrowthFit*> nearest;
  /// The other rising lines whose R squared is not told from the nearest's: their intervals meet, or are not known.
  std::vector<const GrowthFit*> rivals;

  /// Whether some R² comes near enough to 1; of an unknown interval its value has to do.
  [[nodiscard]] bool holds() const;
  /// Whether they tell one law: it comes nearest, and holds, as far as intervals go.
  [[nodiscard]] bool is_told() const;
};

/// In the order of the fits, to which it points. Where systems double from point to point the largest ones decide almost
/// alone, and laws of much the same growth are close: p·log2 p from 2 to 512 is p² with 0.9992.
Growth growth_of(std::span<const GrowthFit> fits);

}  // namespace nowsim
