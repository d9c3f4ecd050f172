// Splits near one another, in coordinates of the same size whatever the machines are.
#pragma once

#include <span>
#include <vector>

namespace nowsim {

struct SearchSpace {
  std::vector<double> speed_flops;  ///< s_i, mean available speeds; machines with 0 get no work
  std::vector<double> sigma_s;      ///< sigma_Ti near the splits of interest
};

double sum_of(std::span<const double> values);
std::vector<double> made_feasible(std::vector<double> share_flop, double work_flop);
double mean_by_speed(const SearchSpace& space, std::span<const double> values);
/// The machines' time scale: how much moving work is worth looking at. Without any chance, a share of the time itself.
double time_scale_s(const SearchSpace& space, std::span<const double> share_flop);

/// Changes of the machines' times, in units of the time scale, as coordinates of the splits around one; the machine with
/// the most work has none, and all shares are scaled to the whole work.
class TimeChanges {
 public:
  TimeChanges(const SearchSpace& space, std::span<const double> around_flop, double scale_s);
  [[nodiscard]] std::size_t size() const { return machines_.size(); }
  /// Of each, where its machine has no work left.
  [[nodiscard]] std::vector<double> least() const;
  [[nodiscard]] std::vector<double> shares_at(std::span<const double> change) const;
  /// Writes d/d change_k of what has the gradient `by_share` [1/flop] at shares_at(change).
  void chain(std::span<const double> change, std::span<const double> by_share, std::span<double> by_change) const;

 private:
  std::vector<double> around_flop_;
  double work_flop_;
  std::vector<std::size_t> machines_;
  std::vector<double> unit_flop_;  // per coordinate
};

}  // namespace nowsim
