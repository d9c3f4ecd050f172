// The two searches: for a crossing, and for the best of a range.
#include "experiments/driver/sweeps/size_search.hpp"

#include "experiments/driver/sweeps/best_size.hpp"
#include "experiments/driver/sweeps/first_crossing.hpp"

namespace nowsim {

std::size_t most_trials(const SizeTask& task) {
  return task.goal == SizeTask::Goal::equals ? kMostTrials : static_cast<std::size_t>(task.to - task.from) + 1;
}

std::unique_ptr<SizeSearch> search_for(const SizeTask& task) {
  if (task.goal == SizeTask::Goal::equals) return std::make_unique<FirstCrossing>(task);
  return std::make_unique<BestSize>(task);
}

}  // namespace nowsim
