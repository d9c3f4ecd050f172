// Walking along two paths, that of the state and that of the owner.
#include "sim/engines/direct/machine_state_clock.hpp"

#include <cmath>
#include <utility>

#include "sim/base/infinity.hpp"
#include "sim/owners/profile_path.hpp"

namespace nowsim {
namespace {

StreamKey of_state(StreamKey key) {
  key.purpose = Purpose::state;
  return key;
}

}  // namespace

MachineStateClock::MachineStateClock(const OwnerModel& owner, std::shared_ptr<const Profile> state, const StreamKey& key)
    : state_(profile_path(std::move(state), ProfileQuantity::state, 1, 0, of_state(key))), owner_(owner.path(key)),
      state_step_(state_->next()) {
  is_on_ = state_step_.value > 0;
  find_change();
}

void MachineStateClock::change() {
  is_on_ = !is_on_;
  find_change();
}

/// The next step with another state. Where a million steps change nothing, none will.
void MachineStateClock::find_change() {
  constexpr int kMostSteps = 1'000'000;
  for (int steps = 0; (state_step_.value > 0) == is_on_; ++steps) {
    changes_s_ = steps < kMostSteps ? changes_s_ + state_step_.duration_s : kInfinity;
    if (changes_s_ == kInfinity) return;
    state_step_ = state_->next();
  }
}

/// Takes the owner's path to a time, and into the step that holds there.
void MachineStateClock::wait_until(double time_s) {
  while (step_ends_s_ <= time_s) {
    const Step step = owner_->next();
    position_s_ = step_ends_s_;
    step_ends_s_ += step.duration_s;
    available_ = step.value;
  }
  position_s_ = time_s;
}

double MachineStateClock::finish(double begin_s, double work_s) {
  for (wait_until(begin_s); position_s_ < changes_s_; wait_until(step_ends_s_)) {
    const double room_s = available_ * (step_ends_s_ - position_s_);
    const bool is_stuck = available_ <= kLeastAvailability && step_ends_s_ == kInfinity;
    if (const double end_s = position_s_ + work_s / available_; work_s <= room_s && end_s < changes_s_)
      return is_stuck ? kInfinity : end_s;
    if (work_s <= room_s || step_ends_s_ >= changes_s_) break;
    work_s -= room_s;
  }
  return kInfinity;
}

}  // namespace nowsim
