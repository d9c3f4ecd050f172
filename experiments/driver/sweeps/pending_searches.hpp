// What an experiment has to find by simulation before its points can be planned: how much it is, in words.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/driver/points/experiment.hpp"

namespace nowsim {

/// Splits and sizes that are still to be found.
struct PendingSearches {
  std::size_t splits = 0;  ///< each once
  std::size_t sizes = 0;
  std::size_t trials = 0;  ///< the most for one of these sizes
  std::string sought;      ///< "job.size where E = 30 %"

  /// "3 to be found first, by simulation"; "" where there are none.
  [[nodiscard]] std::string splits_text() const;
  /// "60 to be found first, by simulation, each by at most 60 trials: job.size where E = 30 %"; "" where there are
  /// none.
  [[nodiscard]] std::string sizes_text() const;
};

PendingSearches pending_searches(const Experiment& experiment);

}  // namespace nowsim
