// What a scenario is made ready by: the draws of measured parameters; and the table of raw quantities.
#include "sim/program/scenario.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "sim/owners/drawn_owners.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/owner_jobs.hpp"

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
    for (const auto& model : *models)
      if (model->fit) std::ranges::copy(measurements(*model->fit), std::back_inserter(all));
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

Batch stepped_places(const Scenario& scenario, const Batch& batch) {
  static_assert(kStepBlock == 2 * kReplicationsPerDraw, "a step is to the side of one draw");
  return {batch.first, batch.first < kMostStepped && replications_per_draw(scenario) > 0 ? batch.count : 0};
}

Scenario as_drawn(const Scenario& scenario, const FitDraw& draw, DrawnOwners* owners) {
  Scenario out = scenario;
  const auto make = [&](const OwnerPtr& model) {
    return owners != nullptr ? owners->of(model, scenario.seed, draw) : drawn(*model, scenario.seed, draw);
  };
  change_models(out, make, [](const Owner& owner) { return owner.is_measured(); });
  return out;
}

const Scenario& ScenarioDraws::of(std::uint64_t replication) {
  if (per_draw_ == 0) return scenario_;
  const std::uint64_t number = replication / per_draw_;
  if (!drawn_ || number != number_) drawn_.emplace(as_drawn(scenario_, number, owners_));
  number_ = number;
  return *drawn_;
}

Batch ScenarioDraws::next_of(const Batch& left) const {
  if (per_draw_ == 0) return left;
  return {left.first, std::min(left.count, per_draw_ - left.first % per_draw_)};
}

namespace {

bool has_owner_jobs(const Scenario& scenario) {
  return std::ranges::any_of(scenario.owners, [](const OwnerPtr& owner) { return owner->jobs() != nullptr; });
}

}  // namespace

const QuantityKind& quantity_kind(Quantity q) {
  static constexpr std::array<QuantityKind, kQuantities> kTable{{
      {"finish time", "finish", "s", true, false},
      {"work", "work", "flop", true, false},
      {"computing time", "active", "s", true, false},
      {"owner's time", "owner", "s", true, true},
      {"number of messages", "messages", "", true, true},
      {"number of bytes", "sent_bytes", "", true, true},
      {"number of owner jobs", "owner_jobs", "", false, true, has_owner_jobs},
      {"owner jobs' slowdowns", "owner_slowdowns", "", false, true, has_owner_jobs},
  }};
  static_assert(kTable.back().name != nullptr, "every quantity has a row");
  return kTable[static_cast<std::size_t>(q)];
}

}  // namespace nowsim
