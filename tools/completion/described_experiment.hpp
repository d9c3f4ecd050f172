// What a line of the shell says so far of an experiment: its file, and what flags have set in it.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/sweep.hpp"

namespace nowsim {

/// Settings and axes as far as they can be read; nothing of what is wrong is said.
struct DescribedExperiment {
  Settings settings;
  Sweep sweep;

  /// The values that a key has, fixed or swept; empty where it has none.
  [[nodiscard]] std::vector<std::string> values_of(const std::string& key) const;
  /// The swept keys.
  [[nodiscard]] std::vector<std::string> swept() const { return sweep.keys(); }
};

/// `name` is a file or a shipped experiment, "" for none; `overrides` are those of --set.
DescribedExperiment described_experiment(const std::string& name, const std::vector<std::string>& overrides);

}  // namespace nowsim
