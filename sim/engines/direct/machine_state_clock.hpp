// A machine that switches off and on, for the direct engine: when it is on, and how far work gets while it is.
#pragma once

#include <memory>

#include "sim/owners/cursor.hpp"
#include "sim/owners/owner_model.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {

/// One workstation's state and its owner's availability over one replication. Time goes forward only; unlike a lane
/// (AvailabilityLanes) it never gets ahead of the moment at which the machine changes next.
class MachineStateClock {
 public:
  /// `owner` (one with paths) outlives the clock. The streams are those of SimGrid's profiles: `key`'s for the owner,
  /// and the same with the purpose `state` for off and on.
  MachineStateClock(const OwnerModel& owner, std::shared_ptr<const Profile> state, const StreamKey& key);

  /// Whether it is on until changes_s() [s since the replication began; infinite: for ever].
  [[nodiscard]] bool is_on() const { return is_on_; }
  [[nodiscard]] double changes_s() const { return changes_s_; }
  /// Goes on to what holds from changes_s() on.
  void change();

  /// When work [s at one core's full speed] that begins at `begin_s` ends: at most at changes_s(), which it does not
  /// reach; kInfinity where it does not end until then.
  double finish(double begin_s, double work_s);

 private:
  void find_change();

  PathCursor state_;  ///< at changes_s_, if there is to be a change
  PathCursor owner_;
  bool is_on_;
  double changes_s_ = 0;
};

}  // namespace nowsim
