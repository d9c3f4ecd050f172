// What an experiment's points are made of, for those that are made later: at sizes that are tried.
#pragma once

#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "workloads/parts/registry.hpp"

namespace nowsim {

/// Immutable; point builders (point_builder.hpp) read it.
struct ExperimentSource {
  ExperimentSource(ExperimentDocument read, WorkloadRegistry known)
      : document(std::move(read)), workloads(std::move(known)) {}

  ExperimentDocument document;
  WorkloadRegistry workloads;
};

}  // namespace nowsim
