// What an experiment came to, for Python: estimates by columns, and where its replications are.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/temporary_folder.hpp"

namespace nowsim {

/// Immutable; arrays that Python has of it keep alive what they are of.
struct ExperimentResult {
  using Times = std::shared_ptr<const std::vector<double>>;

  ResultTable summary;
  std::vector<Times> makespans_s;                    ///< of each point; null where it has none, or they were not kept
  std::string folder;                                ///< of the store that has all replications; "": there is none
  std::shared_ptr<const TemporaryFolder> temporary;  ///< that folder, where it is to go with the result
  std::shared_ptr<const Registries> known;           ///< what the summary's metrics are of
};

}  // namespace nowsim
