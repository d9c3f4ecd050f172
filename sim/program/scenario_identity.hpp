// What tells one scenario from another: a key over everything that its results depend on, for finding stored results.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// The version of the simulator's answers. To be raised with every change after which some scenario gives other bits
/// than before (engines, owner models, streams, rank operations, clocks): stored results of other versions are not
/// reused. A test holds results of a few scenarios against this number.
inline constexpr int kModelVersion = 6;

/// Makes keys; remembers platforms and owners, which many scenarios share and which it keeps alive.
class ScenarioKeys {
 public:
  /// A key of 36 characters over the scenario as resolved (machines, network, profiles, owners' parameters and data,
  /// program and its parameters, split, seed), the engine and the model's version; not over replications, metrics,
  /// deadlines, titles or the way in which it was written.
  std::string key(const Scenario& scenario, const std::string& engine);

 private:
  std::map<std::shared_ptr<const Platform>, std::string> platforms_;
  std::map<OwnerPtr, std::string> owners_;
};

/// One line for people: program, machines, and owners where all are alike.
std::string describe(const Scenario& scenario);

}  // namespace nowsim
