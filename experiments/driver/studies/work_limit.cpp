// Each replication's time between two amounts of work that were tried tells where the next one is best tried.
#include "experiments/driver/studies/work_limit.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/roots_and_minima.hpp"
#include "sim/statistics/series_estimates.hpp"

namespace nowsim {
namespace {

constexpr double kTolerance = 1e-4;
constexpr double kLeastShare = 1e-9;  // of the known work: less is nothing
constexpr double kFirstStep = 1.03;   // where a guess beyond all that was tried has not gone far enough

/// The quantile of T by the amount of work, each simulated once.
class QuantileOfWork {
 public:
  QuantileOfWork(const PointOfWork& point_of, const StatisticsOf& statistics_of, double share, const RunPlan& plan)
      : point_of_(point_of), statistics_of_(statistics_of), share_(share), plan_(plan) {}

  const Estimate& at(double work_flop) {
    const auto known = known_.find(work_flop);
    if (known != known_.end()) return known->second.quantile;
    const Point point = point_of_(work_flop, plan_.seed);
    unit_ = static_cast<std::size_t>(dependent_replications(*point.scenario()));
    const auto statistics = statistics_of_(point);
    Trial trial{statistics->makespans_s, {}};
    trial.quantile =
        of_stretches(quantile_of(trial.makespans_s), independent_stretches(*point.scenario(), statistics->makespan_s),
                     trial.makespans_s.size(), true, plan_.confidence);
    return known_.emplace(work_flop, std::move(trial)).first->second.quantile;
  }
  /// What it would be, nearly: every replication's time along a line between the amounts that were tried, and beyond
  /// them in proportion to the work. (There is one at least.)
  [[nodiscard]] Estimate guess(double work_flop) const {
    const auto above = known_.upper_bound(work_flop);
    const auto& high = above == known_.end() ? *std::prev(above) : *above;
    const bool is_between = above != known_.end() && above != known_.begin();
    const double from = is_between ? std::prev(above)->first : 0;
    const double at = (work_flop - from) / (high.first - from);
    std::vector<double> times = high.second.makespans_s;
    for (std::size_t k = 0; k < times.size(); ++k) {
      const double low_s = is_between ? std::prev(above)->second.makespans_s[k] : 0;
      times[k] = low_s + at * (times[k] - low_s);
    }
    return quantile_of(times);
  }
  /// The amounts that were tried.
  [[nodiscard]] std::vector<double> tried() const {
    std::vector<double> works;
    for (const auto& [work, trial] : known_) works.push_back(work);
    return works;
  }

 private:
  struct Trial {
    std::vector<double> makespans_s;
    Estimate quantile;
  };
  [[nodiscard]] Estimate quantile_of(const std::vector<double>& makespans_s) const {
    return quantile_estimate(makespans_s, share_, plan_.confidence, unit_);
  }

  const PointOfWork& point_of_;
  const StatisticsOf& statistics_of_;
  double share_;
  const RunPlan& plan_;
  std::size_t unit_ = 1;  ///< of replications
  std::map<double, Trial> known_;
};

/// Looks for the most work for which an end of the quantile's interval, or its value, is not beyond the deadline.
class LargestWork {
 public:
  LargestWork(QuantileOfWork& quantile, double Estimate::* end, double deadline_s)
      : quantile_(quantile), end_(end), deadline_s_(deadline_s) {
    for (const double work : quantile.tried()) try_out(work);
  }

  /// [flop]. At least one amount must have been tried. 0 where less than `least` would be too much.
  double find(double least) {
    for (double step = 1; fits_ == 0; step = next(step)) {
      if (too_much_ < least) return 0;
      try_out(std::min(just_below(guess(0, too_much_)), too_much_ / step));
    }
    for (double step = 1; too_much_ == kInfinity; step = next(step))
      try_out(std::max(just_below(guess(fits_, fits_ * deadline_s_ / quantile_.at(fits_).*end_ * 2)), fits_ * step));
    for (int trial = 0; too_much_ - fits_ > kTolerance * fits_; ++trial) try_out(between(trial));
    return fits_;
  }

 private:
  static double next(double step) { return step == 1 ? kFirstStep : step * step; }
  static double just_below(double work_flop) { return work_flop * (1 - 0.3 * kTolerance); }

  void try_out(double work_flop) {
    if (quantile_.at(work_flop).*end_ > deadline_s_) too_much_ = std::min(too_much_, work_flop);
    else fits_ = std::max(fits_, work_flop);
  }
  [[nodiscard]] double guess(double low, double high) const {
    constexpr int kBits = 16;  // finer than the tolerance
    const auto left_s = [&](double work_flop) { return deadline_s_ - quantile_.guess(work_flop).*end_; };
    return falling_root(left_s, low, high, kBits);
  }
  /// Just below where it should be, then just above what is known to fit; where times jump guesses fail, and every
  /// fourth is the middle.
  [[nodiscard]] double between(int trial) const {
    const double guessed = just_below(guess(fits_, too_much_)), closing = fits_ * (1 + 0.95 * kTolerance);
    const double work_flop = std::max(guessed, closing);
    return trial % 4 == 3 || work_flop >= too_much_ ? 0.5 * (fits_ + too_much_) : work_flop;
  }

  QuantileOfWork& quantile_;
  double Estimate::* end_;
  double deadline_s_;
  double fits_ = 0, too_much_ = kInfinity;
};

double largest(QuantileOfWork& quantile, double Estimate::* end, double known_flop, double deadline_s) {
  const double known_s = quantile.at(known_flop).*end;
  if (known_s == kInfinity) return 0;     // no upper end, whatever the work
  if (known_s == 0) return kInfinity;     // no lower end
  return LargestWork(quantile, end, deadline_s).find(kLeastShare * known_flop);
}

}  // namespace

Estimate late_estimate(const Point& point, const PointStatistics& statistics) {
  const MetricContext context{point.scenario().get(), point.plan.deadline_s, point.plan.confidence, nullptr};
  return metric_estimates(*find_metric("RF"), context, statistics).front();
}

WorkLimit most_work(const PointOfWork& point_of, const StatisticsOf& statistics_of, double known_flop, double risk,
                    const RunPlan& plan) {
  QuantileOfWork quantile(point_of, statistics_of, 1 - risk, plan);
  const auto limit = [&](double Estimate::* end) { return largest(quantile, end, known_flop, plan.deadline_s); };
  WorkLimit most{{limit(&Estimate::value), limit(&Estimate::high), limit(&Estimate::low)}, {kNotKnown, kNotKnown, kNotKnown}};
  if (most.work_flop.low <= 0) return most;
  const Point check = point_of(most.work_flop.low, plan.seed + 1);
  most.late = late_estimate(check, *statistics_of(check));
  return most;
}

}  // namespace nowsim
