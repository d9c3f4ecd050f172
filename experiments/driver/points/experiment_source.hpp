// What an experiment's points are made of, for those that are made later: at sizes that are tried.
#pragma once

#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/reading/registries.hpp"

namespace nowsim {

/// Immutable; point builders (point_builder.hpp) read it.
struct ExperimentSource {
  ExperimentSource(ExperimentDocument read, Registries known)
      : document(std::move(read)), registries(std::move(known)) {}

  ExperimentDocument document;
  Registries registries;
};

}  // namespace nowsim
