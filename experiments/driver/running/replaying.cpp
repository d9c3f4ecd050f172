// The shortest series of each point against its longest time.
#include "experiments/driver/running/replaying.hpp"

#include <algorithm>
#include <cmath>

#include "experiments/driver/running/work_counts.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/metrics/metrics.hpp"

namespace nowsim {
namespace {

/// The model of a scenario's owners and links whose series ends first; null where none has one.
const Owner* shortest_series(const Scenario& scenario) {
  const Owner* shortest = nullptr;
  for (const auto* models : {&scenario.owners, &scenario.bandwidth})
    for (const auto& model : *models)
      if (model->replayed_after_s() < (shortest ? shortest->replayed_after_s() : kInfinity)) shortest = model.get();
  return shortest;
}

/// Of the points whose series is replayed: how many, and the shortest series with the longest time against it.
class Replayed {
 public:
  void add(const Scenario& scenario, double longest_s) {
    const Owner* series = shortest_series(scenario);
    constexpr double kRounding = 1e-9;  // a job of just one round meets all of it as well
    if (series == nullptr || longest_s < (1 - kRounding) * series->replayed_after_s()) return;
    ++points_;
    if (longest_s > longest_s_) text_ = series->describe() + " lasts " + duration_text(series->replayed_after_s());
    longest_s_ = std::max(longest_s_, longest_s);
  }
  /// `who_takes`: "jobs are expected to take".
  [[nodiscard]] std::string text(const std::string& who_takes) const {
    if (points_ == 0) return "";
    const std::string where = points_ > 1 ? " (" + std::to_string(points_) + " points)" : "";
    return text_ + ", and " + who_takes + " " + duration_text(longest_s_) + where +
           ": after its end it is replayed from its beginning, so that T varies less than it would with new data";
  }

 private:
  std::size_t points_ = 0;
  double longest_s_ = 0;
  std::string text_;
};

/// How many observations replications stand for.
std::string stretches_text(double stretches) {
  if (stretches == kInfinity) return "";
  if (stretches < 2)
    return "replications that replay the same stretch of a series count as one, so that intervals of means are not "
           "known";
  return "replications begin at random moments of a series that has just " + short_number(stretches) +
         " such stretches that do not overlap: intervals are of so many";
}

}  // namespace

std::string replaying_expected(const Experiment& experiment) {
  Replayed replayed;
  for (const Point& point : experiment.points)
    if (point.as<OpenSize>() == nullptr && point.simulated() != nullptr)
      replayed.add(*point.scenario(), expected_time_s(*point.scenario()));
  return replayed.text("a job is expected to take");
}

std::string endless_beginnings(const Experiment& experiment) {
  constexpr double kVaries = 3;  // of what is left the variance is finite where E|L|^3 is
  for (const Point& point : experiment.points) {
    if (point.simulated() == nullptr) continue;
    for (const auto* models : {&point.scenario()->owners, &point.scenario()->bandwidth})
      for (const auto& model : *models)
        if (const auto form = lane_form(*model, {}); const auto* draws = std::get_if<RenewalDraws>(&form))
          if (const auto lengths = model->renewal(); draws->found_s && lengths && lengths->moment_limit <= kVaries)
            return model->describe() + ": what is left of the interval in which a replication begins has no variance, so "
                   "that averages hardly settle, and intervals of T do not hold what they promise; with a shape above 3 it has";
  }
  return "";
}

std::string replaying_met(const Experiment& experiment, const std::vector<PointOutcome>& outcomes) {
  Replayed replayed;
  double least = kInfinity;
  for (std::size_t p = 0; p < outcomes.size(); ++p) {
    if (!outcomes[p].statistics || experiment.points[p].simulated() == nullptr) continue;
    const Scenario& scenario = *experiment.points[p].scenario();
    const Sample& makespan_s = outcomes[p].statistics->makespan_s;
    replayed.add(scenario, makespan_s.max());
    const double stretches = independent_stretches(scenario, makespan_s);
    if (stretches < static_cast<double>(makespan_s.count())) least = std::min(least, std::floor(stretches));
  }
  const std::string replay = replayed.text("a replication took"), count = stretches_text(least);
  return replay + (replay.empty() || count.empty() ? "" : "; ") + count;
}

}  // namespace nowsim
