// Points' estimates at one confidence.
#include "experiments/driver/claims/r_squared.hpp"

#include "experiments/driver/claims/contrast.hpp"
#include "sim/statistics/linear_fit.hpp"

namespace nowsim {

Estimate r_squared_interval(const std::vector<MeasuredPoint>& points, double confidence) {
  std::vector<double> x;
  std::vector<Estimate> y;
  for (const auto& p : points) {
    x.push_back(p.x);
    y.push_back(at_confidence(p.estimate, p.row->observations(), p.row->confidence, confidence));
  }
  return r_squared_interval(x, y);
}

}  // namespace nowsim
