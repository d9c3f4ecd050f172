// Weighing workstations, and walking along their paths.
#include "sim/program/control_variates.hpp"

#include <algorithm>
#include <cmath>

#include "sim/program/scenario.hpp"
#include "sim/statistics/closed_forms.hpp"

namespace nowsim {
namespace {

/// The moments of T_i that theory gives, of one phase. Programs that split no work have none: then all are alike.
struct Normals {
  std::vector<double> mean, sd;
};

Normals finish_times(const Scenario& s) {
  Normals normals;
  const bool splits = s.workload->program().work_flop > 0;
  const auto phases = static_cast<double>(s.workload->program().phases);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const IntervalModel model = *s.owners[i]->renewal();
    const double speed = s.platform->workstations[i].speed_flops, share = s.share_flop[i];
    normals.mean.push_back(splits ? renewal_mean_time(model, share, speed) / phases : 0);
    normals.sd.push_back(splits ? std::sqrt(renewal_var_time(model, share, speed) / phases) : 1);
  }
  return normals;
}

}  // namespace

ControlVariates::ControlVariates(const Scenario& s) : weights_(s.size()) {
  const auto [mean, sd] = finish_times(s);
  const auto slopes = slopes_of_expected_max(mean, sd);
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (s.owners[i]->is_dedicated()) continue;
    const IntervalModel model = *s.owners[i]->renewal();
    const double a = model.mean_availability, variance = model.th * a * model.th * a;
    weights_[i] = {a, variance * model.mean_square_length / model.mean_length_s, slopes[i].first / a,
                   slopes[i].second / (a * a)};
    if (model.moment_limit <= 4) count_ = 1;
  }
}

std::vector<double> ControlVariates::sums(const Scenario& s, std::uint64_t replication, double makespan_s) const {
  std::vector<double> sums(count_, 0.0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (weights_[i].linear == 0) continue;
    const auto path = s.owners[i]->path({s.seed, replication, i});
    double end_s = 0, integral_s = 0;
    while (end_s < makespan_s) {
      const Step step = path->next();
      end_s += step.duration_s;
      integral_s += step.duration_s * step.value;
    }
    add(i, integral_s, end_s, sums);
  }
  return sums;
}

}  // namespace nowsim
