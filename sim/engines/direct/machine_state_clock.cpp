// Walking along two paths, that of the state and that of the owner.
#include "sim/engines/direct/machine_state_clock.hpp"

#include <utility>

#include "sim/owners/profile_path.hpp"

namespace nowsim {
namespace {

StreamKey of_state(StreamKey key) {
  key.purpose = Purpose::state;
  return key;
}

}  // namespace

MachineStateClock::MachineStateClock(const OwnerModel& owner, std::shared_ptr<const Profile> state, const StreamKey& key)
    : state_(profile_path(std::move(state), ProfileQuantity::state, 1, 0, of_state(key))), owner_(owner.path(key)) {
  state_.next_step();
  is_on_ = state_.value() > 0;
  find_change();
}

void MachineStateClock::change() {
  is_on_ = !is_on_;
  find_change();
}

void MachineStateClock::find_change() {
  changes_s_ = state_.next_where([this](double value) { return (value > 0) != is_on_; });
}

double MachineStateClock::finish(double begin_s, double work_s) {
  owner_.go_to(begin_s);
  return owner_.finish(work_s, changes_s_);
}

}  // namespace nowsim
