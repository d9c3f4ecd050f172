// Running splits, interpolating between runs, and moving work with its sum kept.
#include "sim/splitting/completion_time_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/statistics/statistics.hpp"

namespace nowsim {

// ---- trial runs ----------------------------------------------------------------------------------------------------

namespace {

/// Results of about so many ranks are held at a time.
constexpr std::uint64_t kRanks = 400'000;

/// T_i: behind a barrier all finish at once, but for rounding, and computing times alone tell who was late.
const std::vector<double>& own_times(const RunResult& result) {
  const auto [least, most] = std::ranges::minmax(result[Quantity::finish_s]);
  return result[most - least > 1e-9 * most ? Quantity::finish_s : Quantity::active_s];
}

}  // namespace

const PilotRun& Pilot::run(std::span<const double> share_flop, const Batch& replications, bool with_times) {
  scenario_.share_flop.assign(share_flop.begin(), share_flop.end());
  run_.makespan_s.assign(replications.count, 0);
  run_.last.assign(replications.count, 0);
  run_.times_s.assign(with_times ? replications.count * scenario_.size() : 0, 0);
  ++runs_;
  const std::uint64_t end = replications.first + replications.count;
  const std::uint64_t most = std::max<std::uint64_t>(1, kRanks / scenario_.size());
  const auto note = [&](const RunResult& result) {
    const std::uint64_t k = result.replication - replications.first;
    run_.makespan_s[k] = result.makespan_s;
    const auto& times = own_times(result);
    const auto first_time = times.begin() + static_cast<std::ptrdiff_t>(first_worker(scenario_));
    run_.last[k] = static_cast<std::uint32_t>(std::max_element(first_time, times.end()) - times.begin());
    if (with_times) std::ranges::copy(times, run_.times_s.begin() + static_cast<std::ptrdiff_t>(k * times.size()));
  };
  for (std::uint64_t first = replications.first; first < end; first += most)
    engines_.run(engine_, scenario_, {first, std::min(most, end - first)}, note);
  return run_;
}

// ---- times between those of runs -----------------------------------------------------------------------------------

namespace {

constexpr double kMostBytes = 512e6;

bool is_most(double time_s, double bound_s) { return time_s <= bound_s + kRoundingShare * (time_s + bound_s); }

}  // namespace

bool CompletionTimeModel::can_hold(std::size_t machines, std::uint64_t replications, std::size_t most_shares) {
  return static_cast<double>(machines) * static_cast<double>(replications * most_shares * sizeof(double)) <= kMostBytes;
}

bool CompletionTimeModel::learn(std::span<const double> share_flop, const PilotRun& run) {
  const std::size_t n = machines_.size();
  for (std::size_t k = 0; k < replications_; ++k)
    if (!is_most(run.makespan_s[k], run.times_s[k * n + run.last[k]])) return false;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(share_flop[i] > 0)) continue;
    Node node{share_flop[i], std::vector<double>(replications_)};
    for (std::size_t k = 0; k < replications_; ++k) node.time_s[k] = run.times_s[k * n + i];
    if (!add(machines_[i], std::move(node))) return false;
  }
  return true;
}

/// Keeps the shares in order; of too many the farthest goes.
bool CompletionTimeModel::add(Curve& curve, Node node) const {
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

CurvePoint CompletionTimeModel::read(std::span<const double> share_flop) const {
  CurvePoint point{std::vector<double>(replications_), std::vector<std::uint32_t>(replications_),
                   std::vector<double>(replications_)};
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
  return point;
}

// ---- coordinates of splits -----------------------------------------------------------------------------------------

double sum_of(std::span<const double> values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::vector<double> made_feasible(std::vector<double> share_flop, double work_flop) {
  for (double& x : share_flop) x = std::max(x, 0.0);
  const double factor = work_flop / sum_of(share_flop);
  for (double& x : share_flop) x *= factor;
  return share_flop;
}

double mean_by_speed(const SearchSpace& space, std::span<const double> values) {
  return std::inner_product(values.begin(), values.end(), space.speed_flops.begin(), 0.0) / sum_of(space.speed_flops);
}

double time_scale_s(const SearchSpace& space, std::span<const double> share_flop) {
  return std::max(mean_by_speed(space, space.sigma_s), 1e-3 * sum_of(share_flop) / sum_of(space.speed_flops));
}

SplitCoordinates::SplitCoordinates(const SearchSpace& space, std::span<const double> around_flop, double scale_s)
    : around_flop_(around_flop.begin(), around_flop.end()), work_flop_(sum_of(around_flop)) {
  const auto most = static_cast<std::size_t>(std::ranges::max_element(around_flop_) - around_flop_.begin());
  for (std::size_t i = 0; i < around_flop_.size(); ++i) {
    if (i == most || !(space.speed_flops[i] > 0)) continue;
    machines_.push_back(i);
    unit_flop_.push_back(space.speed_flops[i] * scale_s);
  }
}

std::vector<double> SplitCoordinates::least() const {
  std::vector<double> least;
  for (std::size_t k = 0; k < size(); ++k) least.push_back(-around_flop_[machines_[k]] / unit_flop_[k]);
  return least;
}

std::vector<double> SplitCoordinates::shares_at(std::span<const double> change) const {
  std::vector<double> shares = around_flop_;
  for (std::size_t k = 0; k < size(); ++k) shares[machines_[k]] += change[k] * unit_flop_[k];
  return made_feasible(std::move(shares), work_flop_);
}

/// Shares are X_i = v_i·(work/sum v), so that dX_j/dv_i = (work/sum v)·(1{i = j} - X_j/work).
void SplitCoordinates::chain(std::span<const double> change, std::span<const double> by_share,
                             std::span<double> by_change) const {
  const auto shares = shares_at(change);
  const double sum = work_flop_ + std::inner_product(change.begin(), change.end(), unit_flop_.begin(), 0.0);
  const double common = std::inner_product(shares.begin(), shares.end(), by_share.begin(), 0.0) / work_flop_;
  for (std::size_t k = 0; k < size(); ++k)
    by_change[k] = (by_share[machines_[k]] - common) * unit_flop_[k] * (work_flop_ / sum);
}

}  // namespace nowsim
