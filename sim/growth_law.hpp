// How a problem has to grow with the machines: named laws, each a line fitted to sizes that keep something constant.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sim/statistics.hpp"

namespace nowsim {

/// A system and the size that was found for it.
struct GrowthPoint {
  double workstations = 0;  ///< p
  double power_flops = 0;   ///< p_T
  Estimate size;            ///< n
};

/// n grows with a function of the system.
struct GrowthLaw {
  const char* name;     ///< in JSON and CSV: "p_T_log_p"
  const char* formula;  ///< for people: "p_T·log2 p"
  double (*at)(double workstations, double power_flops);
};
/// H-isoefficiency's p_T·log2 p first (BO 4), then the classic p·log2 p, p_T·p (BO 3), p², p_T and p.
std::span<const GrowthLaw> growth_laws();

/// n = intercept + slope·law.
struct GrowthFit {
  const GrowthLaw* law = nullptr;
  Estimate slope;        ///< Student's interval at 95 % from what the line leaves; with two points none
  double intercept = 0;
  double r_squared = 0;
};
/// By least squares. None of fewer than two points, or where the law is the same for all of them.
std::optional<GrowthFit> fit_growth(const GrowthLaw& law, std::span<const GrowthPoint> points);

}  // namespace nowsim
