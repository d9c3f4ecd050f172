// The list of owner models, each described in a file of its own.
#include "sim/owners/owner_models.hpp"

#include "sim/base/registry.hpp"

namespace nowsim {

OwnerModelInfo diurnal_pattern();

// clang-format off
using OwnerModelMaker = OwnerModelInfo();
NOWSIM_LISTED(OwnerModelMaker, kOwnerModels,
              dedicated_model,
              intervals_model,
              duty_cycle_model,
              jobs_model,
              profile_model,
              trace_model);
// clang-format on

const Registry<OwnerModelInfo>& builtin_owner_models() {
  static const Registry<OwnerModelInfo> models(made(kOwnerModels));
  return models;
}

const std::vector<OwnerModelInfo>& owner_patterns() {
  static const std::vector<OwnerModelInfo> patterns{diurnal_pattern()};
  return patterns;
}

}  // namespace nowsim
