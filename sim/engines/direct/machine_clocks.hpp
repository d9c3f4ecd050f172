// Clocks of machines where ranks have no lane: one that switches off and on, and cores that several ranks share.
#pragma once

#include <memory>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/owners/cursor.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/path.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {

/// One workstation's state and its owner's availability over one replication. Time goes forward only; unlike a lane
/// (AvailabilityLanes) it never gets ahead of the moment at which the machine changes next.
class MachineStateClock {
 public:
  /// `owner` (one with paths) outlives the clock. The streams are those of SimGrid's profiles: `key`'s for the owner,
  /// and the same with the purpose `state` for off and on.
  MachineStateClock(const Owner& owner, std::shared_ptr<const Profile> state, const StreamKey& key);

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

/// Of k ranks on C cores each gets min(1, C/k) of what the owner leaves of a core, as SimGrid shares a host. Time goes
/// forward, step by step of the owner's path.
class SharedCores {
 public:
  /// The owner outlives it.
  SharedCores(const Owner& owner, const StreamKey& key, int cores) : owner_(owner.path(key)), cores_(cores) {}

  /// A rank begins to compute what takes a core for work_s [s], at a date not before what has happened, nor after next_s().
  void begin(int rank, double now_s, double work_s);
  /// When a rank is through, or the owner's next step begins; infinite where nobody computes or nobody will ever end.
  [[nodiscard]] double next_s() const { return next_s_; }
  /// Goes to next_s(). The ranks that are through then, in their order; valid until the next call.
  const std::vector<int>& proceed();

 private:
  struct Task {
    int rank;
    double ends_at;  ///< of done_
  };
  void go_to(double time_s);
  void find_next();
  /// Of a rank that computes, in cores.
  [[nodiscard]] double rate() const {
    const auto computing = static_cast<double>(tasks_.size());
    return owner_.value() * (computing > cores_ ? cores_ / computing : 1.0);
  }

  PathCursor owner_;
  double cores_;
  double done_ = 0;  ///< what a rank that has always computed would have done [s of a core]
  double next_s_ = kInfinity;
  bool next_is_end_ = false;
  std::vector<Task> tasks_;
  std::vector<int> ended_;
};

}  // namespace nowsim
