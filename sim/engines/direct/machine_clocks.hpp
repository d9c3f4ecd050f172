// Clocks of machines where ranks have no lane: one that switches off and on, and cores that several ranks share.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
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
  MachineStateClock(const Owner& owner, std::shared_ptr<const Profile> state, StreamKey key) : owner_(owner.path(key)) {
    key.purpose = Purpose::state;
    state_ = PathCursor(profile_path(std::move(state), ProfileQuantity::state, 1, 0, key));
    state_.next_step();
    is_on_ = state_.value() > 0;
    find_change();
  }

  /// Whether it is on until changes_s() [s since the replication began; infinite: for ever].
  [[nodiscard]] bool is_on() const { return is_on_; }
  [[nodiscard]] double changes_s() const { return changes_s_; }
  /// Goes on to what holds from changes_s() on.
  void change() {
    is_on_ = !is_on_;
    find_change();
  }

  /// When work [s at one core's full speed] that begins at `begin_s` ends: at most at changes_s(), which it does not
  /// reach; kInfinity where it does not end until then.
  double finish(double begin_s, double work_s) {
    owner_.go_to(begin_s);
    return owner_.finish(work_s, changes_s_);
  }

 private:
  void find_change() {
    changes_s_ = state_.next_where([this](double value) { return (value > 0) != is_on_; });
  }

  PathCursor state_;  ///< at changes_s_, if there is to be a change
  PathCursor owner_;
  bool is_on_;
  double changes_s_ = 0;
};

/// Of k ranks on C cores each gets min(1, C/k) of what the owner leaves of a core, as SimGrid shares a host. Time goes
/// forward, step by step of the owner's path. What all have done grows at the rate of one of them, so that a rank ends
/// where that has grown by its work.
class SharedCores {
 public:
  /// The owner outlives it.
  SharedCores(const Owner& owner, const StreamKey& key, int cores) : owner_(owner.path(key)), cores_(cores) {}

  /// A rank begins to compute what takes a core for work_s [s], at a date not before what has happened, nor after next_s().
  void begin(int rank, double now_s, double work_s) {
    go_to(now_s);
    if (tasks_.empty()) done_ = 0;  // so that it keeps its last places
    tasks_.push_back({rank, done_ + work_s});
    find_next();
  }
  /// When a rank is through, or the owner's next step begins; infinite where nobody computes or nobody will ever end.
  [[nodiscard]] double next_s() const { return next_s_; }
  /// Goes to next_s(). The ranks that are through then, in their order; valid until the next call.
  const std::vector<int>& proceed() {
    ended_.clear();
    if (!next_is_end_) {
      go_to(next_s_);
    } else {
      const double least = least_end();
      constexpr double kRounding = 1e-12;  // those that end together do so on either engine
      std::erase_if(tasks_, [&](const Task& task) {
        const bool ends = task.ends_at <= least + kRounding * least;
        if (ends) ended_.push_back(task.rank);
        return ends;
      });
      done_ = least;
      owner_.wait_within(next_s_);
      std::ranges::sort(ended_);
    }
    find_next();
    return ended_;
  }

 private:
  struct Task {
    int rank;
    double ends_at;  ///< of done_
  };
  /// And into the step that holds there.
  void go_to(double time_s) {
    for (; owner_.end_s() <= time_s; owner_.next_step())
      if (!tasks_.empty()) done_ += rate() * (owner_.end_s() - owner_.position_s());
    if (!tasks_.empty()) done_ += rate() * (time_s - owner_.position_s());
    owner_.wait_within(time_s);
  }
  [[nodiscard]] double least_end() const { return std::ranges::min(tasks_, {}, &Task::ends_at).ends_at; }
  void find_next() {
    next_s_ = kInfinity;
    if (tasks_.empty()) return;
    const double end_s = owner_.position_s() + (least_end() - done_) / rate();
    next_is_end_ = end_s <= owner_.end_s();
    if (!owner_.is_stuck()) next_s_ = next_is_end_ ? end_s : owner_.end_s();
  }
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
