// Weighing workstations, and walking along their paths; who takes part in which way.
#include "sim/program/variance_reduction.hpp"

#include <cmath>

#include "sim/base/error.hpp"
#include "sim/owners/owner.hpp"
#include "sim/program/scenario.hpp"
#include "sim/statistics/closed_forms.hpp"

namespace nowsim {

ControlVariates::ControlVariates(const Scenario& s) : weights_(s.size()) {
  // The moments of T_i that theory gives, of one phase. Programs that split no work have none: then all are alike.
  std::vector<double> mean(s.size(), 0.0), sd(s.size(), 1.0);
  const auto phases = static_cast<double>(s.workload->program().phases);
  for (std::size_t i = 0; i < s.size() && s.workload->program().work_flop > 0; ++i) {
    const IntervalModel model = *s.owners[i]->renewal();
    const double speed = s.platform->workstations[i].speed_flops, share = s.share_flop[i];
    mean[i] = renewal_mean_time(model, share, speed) / phases;
    sd[i] = std::sqrt(renewal_var_time(model, share, speed) / phases);
  }
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

namespace {

[[noreturn]] void refuse(const Scenario& s, std::size_t i, const VarianceReduction& how, const std::string& reason) {
  throw InputError("'" + std::string(how.name) + "' " + reason +
                   ": the owner models dedicated and intervals" +
                   (how.controls ? ", without correlation, diurnal and worth" : "") + ". Workstation " + s.platform->workstations[i].name +
                   " has another: " + s.owners[i]->describe());
}

void check_owners(const Scenario& s, const VarianceReduction& how) {
  if ((how.antithetic || how.controls) && s.workload->program().own_time(rank_share(s, 0, s.share_flop[0])))
    throw InputError("'" + std::string(how.name) + "' works on what owners leave, and this program draws its times itself");
  if (how.controls && s.workload->program().ends_with_first_rank)
    throw InputError("'" + std::string(how.name) + "' needs every rank to end by itself; this job ends with rank 0");
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Owner& owner = *s.owners[i];
    if (how.antithetic && !owner.is_dedicated() && !mirrored(owner))
      refuse(s, i, how, "needs owners whose availability rises with every random number that is mirrored");
    if (how.controls && (!owner.renewal() || owner.is_measured()))
      refuse(s, i, how, "needs owners of whose paths an exact mean is known at the job's end");
  }
}

}  // namespace

void reduce_variance(Scenario& s, const VarianceReduction& how) {
  check_owners(s, how);
  s.variance_reduction = &how;
  // Links of models without a counterpart are independent of each other in the two replications of a pair.
  if (how.antithetic) change_models(s, antithetic_owner, [](const Owner&) { return true; });
  s.controls = how.controls ? std::make_shared<const ControlVariates>(s) : nullptr;
}

}  // namespace nowsim
