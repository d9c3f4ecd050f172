// Choosing among all sizes of a range.
#include "experiments/driver/sweeps/best_size.hpp"

#include <algorithm>

namespace nowsim {

std::vector<double> BestSize::wanted() const {
  std::vector<double> all;
  if (trials_.empty())
    for (double size = task_.from; size <= task_.to; ++size) all.push_back(size);
  return all;
}

/// Of equals the first; null where none exists.
const SizeTrial* BestSize::best() const {
  const double sign = task_.goal == SizeTask::Goal::largest ? 1 : -1;
  const SizeTrial* best = nullptr;
  for (const auto& trial : trials_)
    if (trial.exists() && (best == nullptr || sign * trial.value.value > sign * best->value.value)) best = &trial;
  return best;
}

SizeAnswer BestSize::answer() const {
  const SizeTrial* chosen = best();
  if (chosen == nullptr) return {{}, "no " + task_.range_text() + " can be realised: " + trials_.front().refusal};
  Estimate size{chosen->size, chosen->size, chosen->size};
  for (const auto& trial : trials_) {
    // NaN: one replication tells nothing apart.
    const bool differs = trial.value.low > chosen->value.high || trial.value.high < chosen->value.low;
    if (!trial.exists() || differs) continue;
    size.low = std::min(size.low, trial.size);
    size.high = std::max(size.high, trial.size);
  }
  return {size, "", remark(*chosen)};
}

/// Which part of the range counts, and whether the best lies at an end of it; "" where all is well.
std::string BestSize::remark(const SizeTrial& best) const {
  const auto missing = std::ranges::count_if(trials_, [](const SizeTrial& trial) { return !trial.exists(); });
  std::string sentence;
  if (missing > 0) {
    const auto first = std::ranges::find_if(trials_, [](const SizeTrial& trial) { return !trial.exists(); });
    sentence = std::to_string(missing) + " of " + task_.range_text() + " cannot be realised and " +
               (missing > 1 ? "do" : "does") + " not count, the first at " + task_.size_text(first->size) + ": " +
               first->refusal;
  }
  if (best.size != trials_.front().size && best.size != trials_.back().size) return sentence;
  return sentence + (sentence.empty() ? "" : "; ") + task_.metric->name + " is " + goal_word(task_.goal) +
         " at an end of " + task_.range_text() + ": it may be " +
         (task_.goal == SizeTask::Goal::largest ? "larger" : "smaller") + " beyond";
}

}  // namespace nowsim
