// Interpolating between runs.
#include "sim/splitting/finish_curves.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/statistics/statistics.hpp"

namespace nowsim {
namespace {

constexpr double kMostBytes = 512e6;

bool is_most(double time_s, double bound_s) { return time_s <= bound_s + kRoundingShare * (time_s + bound_s); }

bool has_own_ends(const PilotRun& run, std::size_t machines) {
  for (std::size_t k = 0; k < run.makespan_s.size(); ++k)
    if (!is_most(run.makespan_s[k], run.times_s[k * machines + run.last[k]])) return false;
  return true;
}

}  // namespace

bool FinishCurves::can_hold(std::size_t machines, std::uint64_t replications, std::size_t most_shares) {
  return static_cast<double>(machines) * static_cast<double>(replications * most_shares * sizeof(double)) <= kMostBytes;
}

bool FinishCurves::learn(std::span<const double> share_flop, const PilotRun& run) {
  const std::size_t n = machines_.size();
  if (!has_own_ends(run, n)) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(share_flop[i] > 0)) continue;
    Node node{share_flop[i], std::vector<double>(replications_)};
    for (std::size_t k = 0; k < replications_; ++k) node.time_s[k] = run.times_s[k * n + i];
    if (!add(machines_[i], std::move(node))) return false;
  }
  return true;
}

/// Keeps the shares in order; of too many the farthest goes.
bool FinishCurves::add(Curve& curve, Node node) const {
  const double share = node.share_flop;
  const auto above = std::ranges::upper_bound(curve, share, {}, &Node::share_flop);
  if (above != curve.begin()) {
    const Node& below = *std::prev(above);
    for (std::size_t k = 0; k < replications_; ++k)
      if (!is_most(below.time_s[k], node.time_s[k])) return false;
    if (below.share_flop == share) return is_most(node.time_s.front(), below.time_s.front());
  }
  if (above != curve.end())
    for (std::size_t k = 0; k < replications_; ++k)
      if (!is_most(node.time_s[k], above->time_s[k])) return false;
  curve.insert(above, std::move(node));
  if (curve.size() <= most_shares_) return true;
  const bool is_first_farthest = share - curve.front().share_flop > curve.back().share_flop - share;
  curve.erase(is_first_farthest ? curve.begin() : std::prev(curve.end()));
  return true;
}

void FinishCurves::read(std::span<const double> share_flop, CurvePoint& point) const {
  point.makespan_s.assign(replications_, 0);
  point.last.assign(replications_, 0);
  point.slope_s.assign(replications_, 0);
  for (std::size_t i = 0; i < machines_.size(); ++i) {
    const Curve& curve = machines_[i];
    if (!(share_flop[i] > 0) || curve.empty()) continue;
    const auto above = std::ranges::upper_bound(curve, share_flop[i], {}, &Node::share_flop);
    // Before the first it is that in proportion, after the last as well.
    const Node* const high = above == curve.end() ? &curve.back() : &*above;
    const Node* const low = above == curve.begin() || above == curve.end() ? nullptr : &*std::prev(above);
    const double from = low == nullptr ? 0 : low->share_flop, width = high->share_flop - from;
    const double at = (share_flop[i] - from) / width;
    for (std::size_t k = 0; k < replications_; ++k) {
      const double low_s = low == nullptr ? 0 : low->time_s[k], rise_s = high->time_s[k] - low_s;
      const double time_s = low_s + at * rise_s;
      if (time_s <= point.makespan_s[k]) continue;
      point.makespan_s[k] = time_s;
      point.last[k] = static_cast<std::uint32_t>(i);
      point.slope_s[k] = rise_s / width;
    }
  }
}

std::vector<double> FinishCurves::gradient(const CurvePoint& point, std::span<const double> weights) const {
  std::vector<double> gradient(machines_.size(), 0.0);
  for (std::size_t k = 0; k < weights.size(); ++k) gradient[point.last[k]] += weights[k] * point.slope_s[k];
  return gradient;
}

}  // namespace nowsim
