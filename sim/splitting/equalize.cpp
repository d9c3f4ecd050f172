// Equalising by the exact equations, whose level is found by bracketing, and by the linear ones in closed form.
#include "sim/splitting/equalize.hpp"

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/splitting/completion_time_model.hpp"
#include "sim/splitting/split_task.hpp"
#include "sim/statistics/closed_forms.hpp"

namespace nowsim {
namespace {

using Shares = std::vector<double>;

/// A workstation that gets work: t_i + sigma_Ti = X/speed + spread·sqrt(X).
struct Curve {
  double speed_flops;
  double spread;  ///< sigma_Ti [s] of 1 flop

  /// Where it reaches the level: the quadratic in sqrt(X), in the form that does not cancel.
  [[nodiscard]] double share_at(double level_s) const {
    const double root = 2 * level_s / (spread + std::sqrt(spread * spread + 4 * level_s / speed_flops));
    return root * root;
  }
  [[nodiscard]] double level_of(double share) const { return share / speed_flops + spread * std::sqrt(share); }
};

std::vector<Curve> curves_of(double work, std::span<const MachineView> machines) {
  const double equal_flop = work / static_cast<double>(machines.size());
  std::vector<Curve> curves;
  for (const auto& c : machines) curves.push_back({c.available_speed(), c.sigma_s / std::sqrt(equal_flop)});
  return curves;
}

Shares shares_at(double level, const std::vector<Curve>& curves) {
  Shares shares;
  for (const auto& curve : curves) shares.push_back(curve.speed_flops > 0 ? curve.share_at(level) : 0);
  return shares;
}

/// The least and the greatest t_i + sigma_Ti of step (1): at the one no workstation has more than its share of that
/// step, at the other none has less, so the level for all the work lies between.
std::pair<double, double> levels_around(const std::vector<Curve>& curves, const Shares& step1) {
  double least = kInfinity, most = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (!(curves[i].speed_flops > 0)) continue;
    const double level = curves[i].level_of(step1[i]);
    if (std::isnan(level)) return {level, level};
    least = std::min(least, level);
    most = std::max(most, level);
  }
  return {least, most};
}

/// The level at which all the work is given out, or the nearer end where rounding hides the change of sign.
double level_for(double work, const std::vector<Curve>& curves, const std::pair<double, double>& around) {
  constexpr double kBeyondRounding = 1e-9, kFarApart = 1e50;
  double most = around.second;
  // No level need be higher than one at which some workstation takes it all.
  if (std::isfinite(most) && most > kFarApart * around.first)
    for (const auto& curve : curves)
      if (curve.speed_flops > 0) most = std::min(most, curve.level_of(work));
  const double low = around.first * (1 - kBeyondRounding), high = most * (1 + kBeyondRounding);
  if (!(low > 0 && std::isfinite(high)))
    throw InputError("the work cannot be equalised: mean + standard deviation of a workstation's time would be from " +
                     short_number(low) + " to " + short_number(high) + " s");
  const auto surplus = [&](double level) { return sum_of(shares_at(level, curves)) - work; };
  const double at_low = surplus(low), at_high = surplus(high);
  if (!(at_low < 0)) return low;
  if (!(at_high > 0)) return high;
  std::uintmax_t steps = 200;  // toms748 needs some ten
  const auto [below, above] = boost::math::tools::toms748_solve(
      surplus, low, high, at_low, at_high, boost::math::tools::eps_tolerance<double>(), steps);
  return 0.5 * (below + above);
}

void read_guard(KeyReader& read, SplitChoice& choice) {
  choice.is_guarded = flag_words()[read.word("guard")] == "true";
  if (choice.is_guarded) choice.replications = read_replications(read);
}

template <Shares (*SharesOf)(double work, std::span<const MachineView>)>
Shares without_parameters(double work, std::span<const MachineView> machines, const KeyValues&) {
  return SharesOf(work, machines);
}

Policy second_step(const std::string& name, const std::string& summary, decltype(Policy::split) split) {
  return {.name = name,
          .summary = summary,
          .keys = {{"guard", KeyType::word, "true", "keep step 1 where step 2 lengthens tau", {}, flag_words()},
                   replications_key()},
          .read_search = read_guard,
          .split = std::move(split),
          .needs_sigma = true,
          .is_second_step = true};
}

}  // namespace

std::vector<TimeMoments> time_moments(double work, std::span<const MachineView> machines,
                                      std::span<const double> shares) {
  std::vector<TimeMoments> out(machines.size());
  const std::vector<Curve> curves = curves_of(work, machines);
  for (std::size_t i = 0; i < out.size(); ++i)
    if (shares[i] > 0) out[i] = {shares[i] / curves[i].speed_flops, curves[i].spread * std::sqrt(shares[i])};
  return out;
}

Shares proportional_shares(double work, std::span<const MachineView> machines) {
  Shares shares;
  for (const auto& c : machines) shares.push_back(c.available_speed());
  if (!(sum_of(shares) > 0)) throw InputError("no workstation has any available speed: the work has nowhere to go");
  return made_feasible(std::move(shares), work);
}

Shares equalized_shares(double work, std::span<const MachineView> machines) {
  const Shares step1 = proportional_shares(work, machines);
  if (!(work > 0)) return step1;
  const std::vector<Curve> curves = curves_of(work, machines);
  return made_feasible(shares_at(level_for(work, curves, levels_around(curves, step1)), curves), work);
}

/// After step (1) all t_i are one t, and (12) says t + sigma_i + (X_i' - s_i t)·(1 + sigma_i/2t)/s_i = level. So
/// X_i' = w_i·(level - sigma_i/2) with w_i = s_i/(1 + sigma_i/2t): a workstation joins in above the level sigma_i/2.
Shares linearly_equalized_shares(double work, std::span<const MachineView> machines) {
  const Shares step1 = proportional_shares(work, machines);
  if (!(work > 0)) return step1;
  const auto moments = time_moments(work, machines, step1);
  std::vector<std::size_t> by_start;
  Shares weight(step1.size(), 0.0);
  for (std::size_t i = 0; i < step1.size(); ++i) {
    if (!(step1[i] > 0)) continue;
    weight[i] = machines[i].available_speed() / (1 + moments[i].sd_s / (2 * moments[i].mean_s));
    by_start.push_back(i);
  }
  const auto start = [&](std::size_t i) { return moments[i].sd_s / 2; };
  std::ranges::stable_sort(by_start, {}, start);
  double weights = 0, weighted_starts = 0, level = 0;
  for (const std::size_t i : by_start) {
    if (weights > 0 && start(i) >= level) break;
    weights += weight[i];
    weighted_starts += weight[i] * start(i);
    level = (work + weighted_starts) / weights;
  }
  Shares shares;
  for (std::size_t i = 0; i < step1.size(); ++i) shares.push_back(weight[i] * std::max(0.0, level - start(i)));
  return made_feasible(std::move(shares), work);
}

Policy proportional_policy() {
  return {.name = "proportional",
          .summary = "in proportion to s_i = alpha_i·a_i (HL step 1, BZ Prop. 1)",
          .split = without_parameters<proportional_shares>};
}

Policy equalize_policy() {
  return second_step("equalize", "mean + standard deviation of T_i the same for all, by HL (9)-(11) (HL step 2)",
                     without_parameters<equalized_shares>);
}

Policy equalize_linear_policy() {
  return second_step("equalize-linear", "the same by HL (12), linear in the work moved",
                     without_parameters<linearly_equalized_shares>);
}

double normal_tau_slope(double work, std::span<const MachineView> machines, std::span<const double> shares,
                        std::span<const double> direction) {
  const std::vector<Curve> curves = curves_of(work, machines);
  std::vector<double> mean, sd;
  for (const auto& m : time_moments(work, machines, shares)) {
    mean.push_back(m.mean_s);
    sd.push_back(m.sd_s);
  }
  const std::vector<MaxSlopes> slopes = slopes_of_expected_max(mean, sd);
  double slope = 0, varying = 0, latest = 0, latest_change = 0;
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double mean_change = direction[i] == 0 ? 0 : direction[i] / curves[i].speed_flops;
    const double variance_change = direction[i] == 0 ? 0 : direction[i] * curves[i].spread * curves[i].spread;
    slope += slopes[i].first * mean_change + 0.5 * slopes[i].second * variance_change;
    varying += slopes[i].first;
    if (sd[i] > 0 || mean[i] < latest) continue;
    latest_change = mean[i] > latest ? mean_change : std::max(latest_change, mean_change);
    latest = mean[i];
  }
  return slope + (1 - varying) * latest_change;  // what varies or else the latest of what does not is the last
}

}  // namespace nowsim
