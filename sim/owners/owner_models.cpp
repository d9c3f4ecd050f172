// The list of owner models, and the one that needs no file of its own: nobody else uses the machine.
#include "sim/owners/owner_models.hpp"

namespace nowsim {

OwnerModelInfo diurnal_pattern();

// clang-format off
using OwnerModelMaker = OwnerModelInfo();
NOWSIM_LISTED(OwnerModelMaker, kOwnerModels,
              dedicated_model,
              intervals_model,
              duty_cycle_model,
              habits_model,
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

OwnerPtr dedicated_owner() {
  static const OwnerPtr one = std::make_shared<const Owner>(Owner{DedicatedOwner{}});  // networks have millions
  return one;
}

OwnerModelInfo dedicated_model() {
  return {"dedicated", "no owner: the whole machine, always (A = 1)", {},
          [](KeyReader&, const OwnerContext&) { return dedicated_owner(); }};
}

}  // namespace nowsim
