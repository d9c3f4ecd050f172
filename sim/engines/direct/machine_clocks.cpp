// Walking along the paths of states and owners. What all ranks on shared cores have done grows at the rate of one of them,
// so that a rank ends where that has grown by its work.
#include "sim/engines/direct/machine_clocks.hpp"

#include <algorithm>
#include <utility>

#include "sim/owners/profile.hpp"

namespace nowsim {
namespace {

StreamKey of_state(StreamKey key) {
  key.purpose = Purpose::state;
  return key;
}

}  // namespace

MachineStateClock::MachineStateClock(const Owner& owner, std::shared_ptr<const Profile> state, const StreamKey& key)
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

// ---- SharedCores -------------------------------------------------------------------------------------------------

void SharedCores::begin(int rank, double now_s, double work_s) {
  go_to(now_s);
  if (tasks_.empty()) done_ = 0;  // so that it keeps its last places
  tasks_.push_back({rank, done_ + work_s});
  find_next();
}

const std::vector<int>& SharedCores::proceed() {
  ended_.clear();
  const double now_s = next_s_;
  if (next_is_end_) {
    const double least = std::ranges::min(tasks_, {}, &Task::ends_at).ends_at;
    constexpr double kRounding = 1e-12;  // those that end together do so on either engine
    for (const Task& task : tasks_)
      if (task.ends_at <= least + kRounding * least) ended_.push_back(task.rank);
    done_ = least;
    owner_.wait_within(now_s);
    std::erase_if(tasks_, [&](const Task& task) { return task.ends_at <= least + kRounding * least; });
    std::ranges::sort(ended_);
  } else {
    go_to(now_s);
  }
  find_next();
  return ended_;
}

/// And into the step that holds there.
void SharedCores::go_to(double time_s) {
  for (; owner_.end_s() <= time_s; owner_.next_step())
    if (!tasks_.empty()) done_ += rate() * (owner_.end_s() - owner_.position_s());
  if (!tasks_.empty()) done_ += rate() * (time_s - owner_.position_s());
  owner_.wait_within(time_s);
}

void SharedCores::find_next() {
  next_s_ = kInfinity;
  if (tasks_.empty()) return;
  const double end_s = owner_.position_s() + (std::ranges::min(tasks_, {}, &Task::ends_at).ends_at - done_) / rate();
  next_is_end_ = end_s <= owner_.end_s();
  if (!owner_.is_stuck()) next_s_ = next_is_end_ ? end_s : owner_.end_s();
}

}  // namespace nowsim
