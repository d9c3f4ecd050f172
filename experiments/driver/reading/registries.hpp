// The tables that words in an experiment's file are looked up in, and that a program hands in.
#pragma once

#include <span>

#include "experiments/driver/reading/check_kind.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// What `job.workload` and a claim's `check` may name.
struct Registries {
  WorkloadRegistry workloads;
  std::span<const CheckKind> checks;
};

}  // namespace nowsim
