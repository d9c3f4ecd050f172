// The tables that words in an experiment's file are looked up in: nowsim's own things, and those that a program adds.
#pragma once

#include <span>
#include <vector>

#include "experiments/driver/reading/claims.hpp"
#include "experiments/driver/reading/figure.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/splitting/policies.hpp"
#include "workloads/built_in.hpp"

namespace nowsim {

/// What a program has besides nowsim's own.
struct Additions {
  std::vector<OwnerModelInfo> owners = {};
  std::vector<Policy> policies = {};
  std::vector<Metric> metrics = {};
  std::vector<Technique> techniques = {};
  std::vector<WorkloadInfo> workloads = {};
};

/// What `owner.model`, `split.policy`, `metrics`, `job.technique`, `job.workload`, a claim's `check` and a figure's `kind` may name. Copies
/// share what they hold.
struct Registries {
  /// Nowsim's own things and others behind them. The kinds of checks and figures are handed in by floors above.
  /// @throws InputError where an addition has a name that is taken.
  Registries(const Additions& additions, std::span<const CheckKind> check_kinds, FigureKinds figure_kinds);

  /// These, and one technique more, which task farms have too. @throws InputError where its name is taken.
  [[nodiscard]] Registries with(const Technique& technique) const;

  Registry<OwnerModelInfo> owners;
  Registry<Policy> policies;
  Registry<Metric> metrics;
  Registry<Technique> techniques;
  WorkloadRegistry workloads;
  std::span<const CheckKind> checks;
  FigureKinds figures;
};

}  // namespace nowsim
