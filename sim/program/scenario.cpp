// What a scenario is made ready by: the draws of measured parameters, and replications in pairs.
#include "sim/program/scenario.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner.hpp"
#include "sim/program/control_variates.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {

std::uint64_t replications_per_draw(const Scenario& scenario) {
  const auto is_measured = [](const OwnerPtr& model) { return model->is_measured(); };
  const bool any = std::ranges::any_of(scenario.owners, is_measured) || std::ranges::any_of(scenario.bandwidth, is_measured);
  return any ? kReplicationsPerDraw : 0;
}

std::uint64_t dependent_replications(const Scenario& scenario) {
  return std::max(scenario.variance_reduction->unit(), replications_per_draw(scenario));
}

std::vector<Measurement> measurements(const Scenario& scenario) {
  std::vector<Measurement> all;
  for (const auto* models : {&scenario.owners, &scenario.bandwidth})
    for (const auto& model : *models) {
      const std::vector<Measurement> own = measurements(*model);
      all.insert(all.end(), own.begin(), own.end());
    }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

Batch stepped_places(const Scenario& scenario, const Batch& batch) {
  static_assert(kStepBlock == 2 * kReplicationsPerDraw, "a step is to the side of one draw");
  return {batch.first, batch.first < kMostStepped && replications_per_draw(scenario) > 0 ? batch.count : 0};
}

Scenario as_drawn(const Scenario& scenario, const FitDraw& draw) {
  Scenario out = scenario;
  std::map<OwnerPtr, OwnerPtr> known;  // machines that share one go on sharing
  for (auto* models : {&out.owners, &out.bandwidth})
    for (auto& model : *models) {
      if (!model->is_measured()) continue;
      OwnerPtr& one = known[model];
      if (!one) one = drawn(*model, scenario.seed, draw);
      model = one;
    }
  return out;
}

const Scenario& ScenarioDraws::of(std::uint64_t replication) {
  if (per_draw_ == 0) return scenario_;
  const std::uint64_t number = replication / per_draw_;
  if (!drawn_ || number != number_) drawn_.emplace(as_drawn(scenario_, number));
  number_ = number;
  return *drawn_;
}

Batch ScenarioDraws::next_of(const Batch& left) const {
  if (per_draw_ == 0) return left;
  return {left.first, std::min(left.count, per_draw_ - left.first % per_draw_)};
}

namespace {

[[noreturn]] void refuse(const Scenario& s, std::size_t i, const VarianceReduction& how, const std::string& reason) {
  throw InputError("'" + std::string(how.name) + "' " + reason +
                   ": the owner models dedicated and intervals" +
                   (how.controls ? ", without correlation, diurnal and worth" : "") + ". Workstation " + s.platform->workstations[i].name +
                   " has another: " + s.owners[i]->describe());
}

/// Where it can be: links of other models are independent of each other in the two replications of a pair.
void make_antithetic(std::vector<OwnerPtr>& models) {
  std::map<OwnerPtr, OwnerPtr> made;  // equal workstations share theirs
  for (auto& model : models) {
    OwnerPtr& antithetic = made[model];
    if (!antithetic) antithetic = model->is_dedicated() || mirrored(*model) ? antithetic_owner(model) : model;
    model = antithetic;
  }
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
  if (how.antithetic)
    for (auto* models : {&s.owners, &s.bandwidth}) make_antithetic(*models);
  s.controls = how.controls ? std::make_shared<const ControlVariates>(s) : nullptr;
}

}  // namespace nowsim
