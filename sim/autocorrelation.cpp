// Sums of products, lag by lag, as many as the window needs.
#include "sim/autocorrelation.hpp"

#include <algorithm>
#include <cmath>

namespace nowsim {
namespace {

/// Deviations from the mean, and products at a lag.
class Deviations {
 public:
  explicit Deviations(std::span<const double> x) : d_(x.begin(), x.end()) {
    double sum = 0;
    for (const double v : d_) sum += v;
    for (double& v : d_) v -= sum / static_cast<double>(d_.size());
  }
  /// (1/n)·sum d_i·d_{i+k}: divided by n at every lag, which keeps the sequence positive definite.
  [[nodiscard]] double covariance(std::size_t lag) const {
    double sum = 0;
    for (std::size_t i = 0; i + lag < d_.size(); ++i) sum += d_[i] * d_[i + lag];
    return sum / static_cast<double>(d_.size());
  }

 private:
  std::vector<double> d_;
};

}  // namespace

std::vector<double> autocorrelation(std::span<const double> x, std::size_t most_lag) {
  const Deviations d(x);
  const double variance = d.covariance(0);
  std::vector<double> rho{1};
  for (std::size_t k = 1; k <= most_lag && k < x.size(); ++k)
    rho.push_back(variance > 0 ? d.covariance(k) / variance : 0);
  return rho;
}

IntegratedTime integrated_time(std::span<const double> x) {
  constexpr double kWindow = 5, kLeast = 0.1;
  const Deviations d(x);
  const double variance = d.covariance(0), n = static_cast<double>(x.size());
  IntegratedTime out;
  if (!(variance > 0)) return out;
  double half = 0.5;
  for (std::size_t k = 1;; ++k) {
    if (k > x.size() / 4) {
      out.is_resolved = false;
      break;
    }
    out.window = k;
    half += d.covariance(k) / variance;
    if (static_cast<double>(k) >= kWindow * half) break;
  }
  const auto w = static_cast<double>(out.window);
  out.time = std::max(2 * half * (1 + (2 * w + 1) / n), kLeast);
  out.relative_se = std::sqrt((4 * w + 2) / n);
  return out;
}

}  // namespace nowsim
