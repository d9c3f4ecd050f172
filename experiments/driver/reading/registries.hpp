// The tables that words in an experiment's file are looked up in, and that a program hands in.
#pragma once

#include <span>

#include "experiments/driver/reading/check_kind.hpp"
#include "experiments/driver/reading/figure_kind.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// What `job.workload`, a claim's `check` and a figure's `kind` may name.
struct Registries {
  WorkloadRegistry workloads;
  std::span<const CheckKind> checks;
  FigureKinds figures;
};

}  // namespace nowsim
