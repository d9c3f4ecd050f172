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
    position_s_ = now_s;
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
  while (step_ends_s_ <= time_s) {
    if (!tasks_.empty()) done_ += rate() * (step_ends_s_ - position_s_);
    const Step step = owner_->next();
    position_s_ = step_ends_s_;
    step_ends_s_ += step.duration_s;
    available_ = step.value;
  }
  if (!tasks_.empty()) done_ += rate() * (time_s - position_s_);
  position_s_ = time_s;
}

void SharedCores::find_next() {
  next_s_ = kInfinity;
  if (tasks_.empty()) return;
  const double end_s = position_s_ + (std::ranges::min(tasks_, {}, &Task::ends_at).ends_at - done_) / rate();
  const bool is_stuck = available_ <= kLeastAvailability && step_ends_s_ == kInfinity;
  next_is_end_ = end_s <= step_ends_s_;
  if (!is_stuck) next_s_ = next_is_end_ ? end_s : step_ends_s_;
}

}  // namespace nowsim
