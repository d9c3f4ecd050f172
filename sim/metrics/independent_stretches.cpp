// Counting stretches of series, and widening intervals.
#include "sim/metrics/independent_stretches.hpp"

#include <algorithm>
#include <cmath>

#include "sim/base/infinity.hpp"
#include "sim/statistics/influence.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {

double independent_stretches(const Scenario& scenario, const Moments& makespan_s) {
  double shortest_s = kInfinity;
  bool is_replayed = false;
  for (const auto* models : {&scenario.owners, &scenario.bandwidth})
    for (const auto& model : *models) {
      is_replayed = is_replayed || model->replayed_after_s() < kInfinity;
      if (model->begins_at_random()) shortest_s = std::min(shortest_s, model->replayed_after_s());
    }
  if (is_replayed && makespan_s.count() > 1 && makespan_s.min() == makespan_s.max()) return 1;
  return makespan_s.mean() > 0 ? std::max(1.0, shortest_s / makespan_s.mean()) : kInfinity;
}

Estimate of_stretches(const Estimate& e, double stretches, std::uint64_t replications, bool is_positive,
                      const Confidence& confidence) {
  if (!(stretches < static_cast<double>(replications)) || (!e.influence && e.low == e.high)) return e;
  if (e.influence && e.influence->of() == Influence::Of::proportion) {
    const Estimate fewer = proportion_interval(e.value, stretches, confidence.level);
    constexpr double kLeastSeen = 0.5;  // of so many stretches less than half a one is none
    const double low = e.value * stretches < kLeastSeen ? 0 : fewer.low;
    const double high = (1 - e.value) * stretches < kLeastSeen ? 1 : fewer.high;
    return {e.value, std::min(e.low, low), std::max(e.high, high)};
  }
  if (stretches < 2) return {e.value, kNotKnown, kNotKnown};
  const double shrunk = std::sqrt(static_cast<double>(replications) / stretches);
  const double wider = shrunk * student_quantile(static_cast<std::uint64_t>(stretches), confidence) /
                       student_quantile(replications, confidence);
  const bool is_relative = is_positive && e.low > 0;
  const Estimate out{
      e.value, is_relative ? e.value * portable::pow(e.low / e.value, wider) : e.value - wider * (e.value - e.low),
      e.value + wider * (e.high - e.value)};
  if (!e.influence || !e.influence->is_linear()) return out;
  return with_influence(out, e.influence->times(shrunk).with_freedom(std::floor(stretches) - 1));
}

}  // namespace nowsim
