// What all have done grows at the rate of one of them, so that a rank ends where that has grown by its work.
#include "sim/engines/direct/shared_cores.hpp"

#include <algorithm>

namespace nowsim {

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
