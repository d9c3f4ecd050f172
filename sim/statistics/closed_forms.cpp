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

/// How far above its mean, in sd, the greatest of n normals ends that end at `reach` each.
double upper_reach(double reach, double n) { return reach + std::sqrt(2 * portable::log(n)); }

/// Normals of which many are equal.
struct NormalKind {
  double mean, sd;
  double count = 0;  ///< how many are of this kind
};
struct NormalKinds {
  std::vector<NormalKind> kinds;  ///< each once, in the order in which they first come
  std::vector<std::size_t> of;    ///< each normal's kind

  /// The farthest end, `reach` sd away from each mean, that any of the normals has.
  [[nodiscard]] double last_end(double reach) const {
    double end = kinds.front().mean + reach * kinds.front().sd;
    for (const NormalKind& k : kinds) end = std::max(end, k.mean + reach * k.sd);
    return end;
  }
};

/// A network has few kinds of machines: a million equal ones then cost as much as one. Equal is what has equal bits.
NormalKinds kinds_of(std::span<const double> mean, std::span<const double> sd) {
  if (mean.empty() || mean.size() != sd.size() || !std::ranges::all_of(sd, [](double s) { return s >= 0; }))
    throw std::invalid_argument("expected_max_normals needs as many means as standard deviations >= 0, at least one");
  NormalKinds out;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> known;
  for (std::size_t i = 0; i < mean.size(); ++i) {
    const std::pair bits{std::bit_cast<std::uint64_t>(mean[i]), std::bit_cast<std::uint64_t>(sd[i])};
    const auto [kind, is_new] = known.try_emplace(bits, out.kinds.size());
    if (is_new) out.kinds.push_back({mean[i], sd[i]});
    ++out.kinds[kind->second].count;
    out.of.push_back(kind->second);
  }
  return out;
}

constexpr double kWidely = 6;  ///< [sd] beyond it a normal has 1e-9 of its mass
using Panel = boost::math::quadrature::gauss<double, 10>;  ///< of 1 sd: the nodes are in pairs, none in the middle

/// Where a panel that starts here ends: one sd further of every normal that varies there or further up, so that also
/// one of little spread is met as it begins. Here itself, where all end.
double end_of_panel(const std::vector<NormalKind>& kinds, double start) {
  double end = kInfinity;
  for (const auto& [mean, sd, count] : kinds)
    if (sd > 0 && start < mean + upper_reach(kWidely, count) * sd)
      end = std::min(end, std::max(start, mean - kWidely * sd) + sd);
  return std::isfinite(end) ? end : start;
}

/// E[L^2]/E[L] of the intervals' lengths [s].
double mean_interval_seen(const IntervalModel& m) { return m.mean_square_length / m.mean_length_s; }

}  // namespace

/// The mean of low + Y, Y from 0 to `width`: z dF by parts, low + the integral of 1 - F, on panels that double from
/// `finest` on. They fit the maximum of normals cut at kReach sd: low is the last of their lower ends, so the normal i
/// varies only below 2 kReach sd_i and a panel at y knows no finer scale.
double expected_max_normals(std::span<const double> mean, std::span<const double> sd) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 31>;
  const NormalKinds all = kinds_of(mean, sd);
  const double low = all.last_end(-kReach);
  const double width = all.last_end(upper_reach(kReach, static_cast<double>(mean.size()))) - low;
  double finest = kInfinity, sum = 0;
  for (const double s : sd)
    if (s > 0) finest = std::min(finest, kReach * s);
  const auto still_below = [&](double y) {
    double log_cdf = 0;
    for (const NormalKind& k : all.kinds)
      if (k.sd > 0) log_cdf += k.count * log_normal_cdf((y - (k.mean - low)) / k.sd);  // no constant is above low
    return -portable::expm1(log_cdf);
  };
  for (double start = 0, end = std::min(finest, width); start < width; start = end, end = std::min(2 * end, width))
    sum += Rule::integrate(still_below, start, end, 8, 1e-12);
  return low + sum;
}

/// Integrals over the place x of the maximum, of each kind's density there and of its product with the others'.
std::vector<MaxSlopes> slopes_of_expected_max(std::span<const double> mean, std::span<const double> sd) {
  const NormalKinds all = kinds_of(mean, sd);
  const std::vector<NormalKind>& kinds = all.kinds;
  std::vector<MaxSlopes> slopes(kinds.size());
  std::vector<double> hazard(kinds.size(), 0.0);  // of each at x: density over distribution function
  const auto add = [&](double x, double width, bool is_floor) {
    double log_all_below = 0, sum = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const auto& [mean_k, sd_k, count] = kinds[k];
      if (sd_k == 0) continue;
      const double z = (x - mean_k) / sd_k, log_cdf = log_normal_cdf(z);
      log_all_below += count * log_cdf;
      hazard[k] = portable::exp(-0.5 * z * z - log_cdf) / (sd_k * std::sqrt(2 * std::numbers::pi));
      sum += count * hazard[k];
    }
    const double all_below = portable::exp(log_all_below);
    for (std::size_t k = 0; k < kinds.size(); ++k) {
      const double density = hazard[k] * all_below * width;
      if (!is_floor) slopes[k].first += density;
      slopes[k].second += density * (is_floor ? 1 : sum - hazard[k]);
    }
  };
  const double low = all.last_end(-kWidely);
  // A constant is the least that the maximum can be: it has the mass that all others have below.
  if (std::ranges::any_of(kinds, [low](const NormalKind& k) { return k.sd == 0 && k.mean == low; })) add(low, 1, true);
  for (double start = low, end; (end = end_of_panel(kinds, start)) > start; start = end) {
    const double half = 0.5 * (end - start), middle = start + half;
    for (std::size_t k = 0; k < Panel::abscissa().size(); ++k)
      for (const double side : {-half, half})
        add(middle + side * Panel::abscissa()[k], half * Panel::weights()[k], false);
  }
  std::vector<MaxSlopes> out;
  for (const std::size_t kind : all.of) out.push_back(slopes[kind]);
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
