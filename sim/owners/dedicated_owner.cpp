// The owner model `dedicated`: nobody else uses the machine.
#include "sim/owners/owner_models.hpp"

namespace nowsim {
OwnerPtr dedicated_owner() { return std::make_shared<const Owner>(Owner{DedicatedOwner{}}); }

OwnerModelInfo dedicated_model() {
  return {"dedicated", "no owner: the whole machine, always (A = 1)", {},
          [](KeyReader&, const OwnerContext&) { return dedicated_owner(); }};
}

}  // namespace nowsim
