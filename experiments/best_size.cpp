// Choosing among all sizes of a range.
#include "experiments/best_size.hpp"

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
  return {size, ""};
}

}  // namespace nowsim
