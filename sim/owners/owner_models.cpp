// The list of owner models, each described in a file of its own; a new one adds its line here.
#include "sim/owners/owner_models.hpp"

#define NOWSIM_OWNER_MODELS(model) \
  model(dedicated)                 \
  model(intervals)                 \
  model(duty_cycle)                \
  model(jobs)                      \
  model(profile)                   \
  model(trace)

namespace nowsim {

#define NOWSIM_DECLARE(name) OwnerModelInfo name##_model();
NOWSIM_OWNER_MODELS(NOWSIM_DECLARE)
OwnerModelInfo diurnal_pattern();

const std::vector<OwnerModelInfo>& owner_models() {
#define NOWSIM_LIST(name) name##_model(),
  static const std::vector<OwnerModelInfo> models{NOWSIM_OWNER_MODELS(NOWSIM_LIST)};
  return models;
}

const std::vector<OwnerModelInfo>& owner_patterns() {
  static const std::vector<OwnerModelInfo> patterns{diurnal_pattern()};
  return patterns;
}

}  // namespace nowsim
