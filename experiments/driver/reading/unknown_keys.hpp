// Keys that nothing asked for: misspelt ones, and ones that belong to another model, workload or policy than the chosen.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/reading/settings.hpp"
#include "experiments/driver/reading/sweep.hpp"

namespace nowsim {

/// What reading an experiment's points left behind.
struct KeyUse {
  const Settings& settings;
  const Sweep& sweep;
  const std::set<std::string>& asked;     ///< keys that were asked for at some point
  const std::vector<std::string>& known;  ///< the full names of all keys that there are
  const std::set<std::string>& complete;  ///< blocks that were read to their end at some point
  bool shares_are_idle = false;           ///< no point's program uses the shares that the split gives it
};

/// A sentence with its place, and whether it stops the program or is only worth a remark.
struct KeyRemark {
  Place place;
  std::string sentence;
  bool is_error = true;
};

/// Judges every key that was not asked for. One that belongs to another choice (TH with the model duty-cycle) is an
/// error too, unless a flag changed its block: then the file's key is merely left over, which is remarked. So is
/// a policy of the file where shares are idle.
std::vector<KeyRemark> judge_unasked_keys(const KeyUse& use, const Registries& known);

}  // namespace nowsim
