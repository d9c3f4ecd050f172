// Bracketing, then Alefeld, Potra & Shi's algorithm 748 on the quantile's value and both ends of its interval.
#include "experiments/driver/studies/work_limit.hpp"

#include <boost/math/tools/toms748_solve.hpp>
#include <map>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/statistics/quantiles.hpp"

namespace nowsim {
namespace {

constexpr double kTolerance = 1e-4;
constexpr double kLeastShare = 1e-9;  // of the known work: less is nothing
constexpr double kFirstStep = 1.03;   // the guess is that T is in proportion to the work, and seldom far off

/// The quantile of T by the amount of work, each simulated once.
class QuantileOfWork {
 public:
  QuantileOfWork(const PointOfWork& point_of, const StatisticsOf& statistics_of, double share, const RunPlan& plan)
      : point_of_(point_of), statistics_of_(statistics_of), share_(share), plan_(plan) {}

  const Estimate& at(double work_flop) {
    const auto known = known_.find(work_flop);
    if (known != known_.end()) return known->second;
    const auto statistics = statistics_of_(point_of_(work_flop, plan_.seed));
    const auto unit = static_cast<std::size_t>(plan_.variance_reduction->unit());
    return known_[work_flop] = quantile_estimate(statistics->makespans_s, share_, plan_.confidence, unit);
  }

 private:
  const PointOfWork& point_of_;
  const StatisticsOf& statistics_of_;
  double share_;
  const RunPlan& plan_;
  std::map<double, Estimate> known_;
};

/// The most work [flop] for which an end of the quantile's interval, or its value, is not beyond the deadline.
double largest(QuantileOfWork& quantile, double Estimate::* end, double known_flop, double deadline_s) {
  const auto beyond_s = [&](double work_flop) { return quantile.at(work_flop).*end - deadline_s; };
  const double known_s = quantile.at(known_flop).*end;
  if (known_s == kInfinity) return 0;     // no upper end, whatever the work
  if (known_s == 0) return kInfinity;     // no lower end
  double fits = known_flop * deadline_s / known_s, too_much = fits;
  for (double step = kFirstStep; beyond_s(fits) > 0; step *= step) {
    too_much = fits;
    fits /= step;
    if (fits < kLeastShare * known_flop) return 0;
  }
  for (double step = kFirstStep; beyond_s(too_much) <= 0; step *= step) {
    fits = too_much;
    too_much *= step;
  }
  if (beyond_s(fits) == 0) return fits;
  const auto is_close = [](double a, double b) { return b - a <= kTolerance * a; };
  std::uintmax_t most_steps = 100;
  return boost::math::tools::toms748_solve(beyond_s, fits, too_much, beyond_s(fits), beyond_s(too_much), is_close,
                                           most_steps)
      .first;
}

}  // namespace

Estimate late_estimate(const Point& point, const PointStatistics& statistics) {
  const MetricContext context{point.scenario().get(), point.plan.deadline_s, point.plan.confidence, nullptr};
  return find_metric("RF")->estimate(context, statistics).front();
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
