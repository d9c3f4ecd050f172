// Moving work, and keeping its sum.
#include "sim/splitting/time_changes.hpp"

#include <algorithm>
#include <numeric>

namespace nowsim {

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

TimeChanges::TimeChanges(const SearchSpace& space, std::span<const double> around_flop, double scale_s)
    : around_flop_(around_flop.begin(), around_flop.end()), work_flop_(sum_of(around_flop)) {
  const auto most = static_cast<std::size_t>(std::ranges::max_element(around_flop_) - around_flop_.begin());
  for (std::size_t i = 0; i < around_flop_.size(); ++i) {
    if (i == most || !(space.speed_flops[i] > 0)) continue;
    machines_.push_back(i);
    unit_flop_.push_back(space.speed_flops[i] * scale_s);
  }
}

std::vector<double> TimeChanges::least() const {
  std::vector<double> least;
  for (std::size_t k = 0; k < size(); ++k) least.push_back(-around_flop_[machines_[k]] / unit_flop_[k]);
  return least;
}

std::vector<double> TimeChanges::shares_at(std::span<const double> change) const {
  std::vector<double> shares = around_flop_;
  for (std::size_t k = 0; k < size(); ++k) shares[machines_[k]] += change[k] * unit_flop_[k];
  return made_feasible(std::move(shares), work_flop_);
}

/// Shares are X_i = v_i·(work/sum v), so that dX_j/dv_i = (work/sum v)·(1{i = j} - X_j/work).
void TimeChanges::chain(std::span<const double> change, std::span<const double> by_share,
                        std::span<double> by_change) const {
  const auto shares = shares_at(change);
  const double sum = work_flop_ + std::inner_product(change.begin(), change.end(), unit_flop_.begin(), 0.0);
  const double common = std::inner_product(shares.begin(), shares.end(), by_share.begin(), 0.0) / work_flop_;
  for (std::size_t k = 0; k < size(); ++k)
    by_change[k] = (by_share[machines_[k]] - common) * unit_flop_[k] * (work_flop_ / sum);
}

}  // namespace nowsim
