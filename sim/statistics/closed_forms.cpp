// Closed forms and quadratures beside simulated values: expected maxima of normals, Huang & Lee, renewal-reward theory.
#include "sim/statistics/closed_forms.hpp"

#include <algorithm>
#include <bit>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

constexpr double kReach = 9;  ///< [sd] beyond it a normal has less than 1e-18 of its mass

/// log Phi(z), accurate in both tails.
double log_normal_cdf(double z) {
  using std::numbers::sqrt2;
  return z > 0 ? portable::log1p(-0.5 * portable::erfc(z / sqrt2)) : portable::log(0.5 * portable::erfc(-z / sqrt2));
}

/// The mean of low + Y, log_cdf(y) the logarithm of Y's distribution function on [0, width]: z dF by parts, low + the
/// integral of 1 - F, on panels that double from `finest` on. They fit the maximum of normals cut at `reach` sd: low is
/// the last of their lower ends, so the normal i varies only below 2 reach sd_i and a panel at y knows no finer scale.
template <class LogCdf>
double mean_above(double low, LogCdf log_cdf, double finest, double width) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  const auto still_below = [&](double y) { return -portable::expm1(log_cdf(y)); };
  double sum = 0;
  for (double start = 0, end = std::min(finest, width); start < width; start = end, end = std::min(2 * end, width))
    sum += Rule::integrate(still_below, start, end, 8, 1e-12);
  return low + sum;
}

/// The farthest end, `reach` sd away from each mean, that any of the normals has.
double last_end(std::span<const double> mean, std::span<const double> sd, double reach) {
  double end = mean[0] + reach * sd[0];
  for (std::size_t i = 1; i < mean.size(); ++i) end = std::max(end, mean[i] + reach * sd[i]);
  return end;
}

/// Where the greatest of n standard normals ends.
double upper_reach(double n) { return kReach + std::sqrt(2 * portable::log(n)); }

double least_positive(std::span<const double> sd) {
  double least = kInfinity;
  for (const double s : sd)
    if (s > 0) least = std::min(least, s);
  return least;
}

void require_normals(std::span<const double> mean, std::span<const double> sd) {
  const bool valid = std::all_of(sd.begin(), sd.end(), [](double s) { return s >= 0; });
  if (mean.empty() || mean.size() != sd.size() || !valid)
    throw std::invalid_argument("expected_max_normals needs as many means as standard deviations >= 0, at least one");
}

/// Normals of which many are equal: each kind once, in the order in which they first come.
struct NormalKinds {
  std::vector<double> mean, sd;
  std::vector<double> count;  ///< how many are of this kind
  std::vector<std::size_t> of;  ///< each normal's kind
};

/// A network has few kinds of machines: a million equal ones then cost as much as one. Equal is what has equal bits.
NormalKinds kinds_of(std::span<const double> mean, std::span<const double> sd) {
  NormalKinds out;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> known;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const std::pair bits{std::bit_cast<std::uint64_t>(mean[i]), std::bit_cast<std::uint64_t>(sd[i])};
    const auto [kind, is_new] = known.try_emplace(bits, out.mean.size());
    if (is_new) {
      out.mean.push_back(mean[i]);
      out.sd.push_back(sd[i]);
      out.count.push_back(0);
    }
    ++out.count[kind->second];
    out.of.push_back(kind->second);
  }
  return out;
}

constexpr double kWidely = 6;  ///< [sd] beyond it a normal has 1e-9 of its mass
using Panel = boost::math::quadrature::gauss<double, 10>;  ///< of 1 sd: the nodes are in pairs, none in the middle

/// Where a panel that starts here ends: one sd further of every normal that varies there or further up, so that also
/// one of little spread is met as it begins. Here itself, where all end.
double end_of_panel(const NormalKinds& kinds, double start) {
  double end = kInfinity;
  for (std::size_t k = 0; k < kinds.mean.size(); ++k) {
    const double above = kWidely + std::sqrt(2 * portable::log(kinds.count[k]));
    if (kinds.sd[k] > 0 && start < kinds.mean[k] + above * kinds.sd[k])
      end = std::min(end, std::max(start, kinds.mean[k] - kWidely * kinds.sd[k]) + kinds.sd[k]);
  }
  return std::isfinite(end) ? end : start;
}

bool is_constant_at(const NormalKinds& kinds, double x) {
  for (std::size_t k = 0; k < kinds.mean.size(); ++k)
    if (kinds.sd[k] == 0 && kinds.mean[k] == x) return true;
  return false;
}

/// Integrals over the place x of the maximum, of each kind's density there and of its product with the others'.
class SlopesAtPoints {
 public:
  explicit SlopesAtPoints(const NormalKinds& kinds)
      : kinds_(kinds), slopes_(kinds.mean.size()), hazard_(kinds.mean.size(), 0.0) {}

  void add(double x, double width) {
    const auto [all_below, hazard] = at(x);
    for (std::size_t k = 0; k < slopes_.size(); ++k) {
      const double density = hazard_[k] * all_below * width;
      slopes_[k].first += density;
      slopes_[k].second += density * (hazard - hazard_[k]);
    }
  }
  /// A constant is the least that the maximum can be: it has the mass that all others have below.
  void add_floor(double x) {
    const double all_below = at(x).first;
    for (std::size_t k = 0; k < slopes_.size(); ++k) slopes_[k].second += hazard_[k] * all_below;
  }
  [[nodiscard]] const MaxSlopes& of(std::size_t kind) const { return slopes_[kind]; }

 private:
  /// The probability that all are below x; and the sum of their hazards, density over distribution function, which are
  /// left in hazard_.
  std::pair<double, double> at(double x) {
    double log_all = 0, sum = 0;
    for (std::size_t k = 0; k < slopes_.size(); ++k) {
      if (kinds_.sd[k] == 0) continue;
      const double z = (x - kinds_.mean[k]) / kinds_.sd[k], log_cdf = log_normal_cdf(z);
      log_all += kinds_.count[k] * log_cdf;
      hazard_[k] = portable::exp(-0.5 * z * z - log_cdf) / (kinds_.sd[k] * std::sqrt(2 * std::numbers::pi));
      sum += kinds_.count[k] * hazard_[k];
    }
    return {portable::exp(log_all), sum};
  }

  const NormalKinds& kinds_;
  std::vector<MaxSlopes> slopes_;
  std::vector<double> hazard_;
};

/// E[L^2]/E[L] of the intervals' lengths [s].
double mean_interval_seen(const IntervalModel& m) { return m.mean_square_length / m.mean_length_s; }

}  // namespace

double expected_max_normals(std::span<const double> mean, std::span<const double> sd) {
  require_normals(mean, sd);
  const NormalKinds kinds = kinds_of(mean, sd);
  const double low = last_end(kinds.mean, kinds.sd, -kReach);
  const double high = last_end(kinds.mean, kinds.sd, upper_reach(static_cast<double>(mean.size())));
  const auto log_cdf = [&](double y) {
    double sum = 0;
    for (std::size_t k = 0; k < kinds.mean.size(); ++k)
      if (kinds.sd[k] > 0)  // low is no less than any constant
        sum += kinds.count[k] * log_normal_cdf((y - (kinds.mean[k] - low)) / kinds.sd[k]);
    return sum;
  };
  return mean_above(low, log_cdf, kReach * least_positive(kinds.sd), high - low);
}

std::vector<MaxSlopes> slopes_of_expected_max(std::span<const double> mean, std::span<const double> sd) {
  require_normals(mean, sd);
  const NormalKinds kinds = kinds_of(mean, sd);
  SlopesAtPoints sums(kinds);
  const double low = last_end(kinds.mean, kinds.sd, -kWidely);
  if (is_constant_at(kinds, low)) sums.add_floor(low);
  for (double start = low, end; (end = end_of_panel(kinds, start)) > start; start = end) {
    const double half = 0.5 * (end - start), middle = start + half;
    for (std::size_t k = 0; k < Panel::abscissa().size(); ++k)
      for (const double side : {-half, half})
        sums.add(middle + side * Panel::abscissa()[k], half * Panel::weights()[k]);
  }
  std::vector<MaxSlopes> out;
  for (const std::size_t kind : kinds.of) out.push_back(sums.of(kind));
  return out;
}

double hl_mean_time(double work_flop, double speed_flops, double mean_availability) {
  return work_flop / (speed_flops * mean_availability);
}

double hl_sd_time(double mean_time_s, double th) { return std::sqrt(mean_time_s) * th; }

double renewal_mean_time(const IntervalModel& m, double work_flop, double speed_flops) {
  return hl_mean_time(work_flop, speed_flops, m.mean_availability) + m.th * m.th * mean_interval_seen(m) / 2;
}

double renewal_var_time(const IntervalModel& m, double work_flop, double speed_flops) {
  return hl_mean_time(work_flop, speed_flops, m.mean_availability) * m.th * m.th * mean_interval_seen(m);
}

}  // namespace nowsim
