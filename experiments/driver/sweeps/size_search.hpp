// Searching for a size by its trials: which sizes are to be tried next, and what came of it. Nothing is simulated here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/point.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// A size that was tried, and the metric there; or why there is no such size.
struct SizeTrial {
  double size = 0;
  Estimate value;
  std::string refusal;
  bool is_too_costly = false;  ///< why it was refused: then nothing is wanted from sizes next to it
  double period = 0;  ///< after about so many sizes parts that are whole have grown by one each; 0: not known

  [[nodiscard]] bool exists() const { return refusal.empty(); }
};

/// What a search came to: a size with its interval, or why there is none; and what people had better know of it, or "".
struct SizeAnswer {
  Estimate size;
  std::string none;
  std::string remark = {};
  std::string detail = {};  ///< of the remark: what it means for this very size
};

/// A search, deterministic in what it learns.
class SizeSearch {
 public:
  virtual ~SizeSearch() = default;
  /// The sizes to be tried next, ascending; none when it is over.
  [[nodiscard]] virtual std::vector<double> wanted() const = 0;
  /// The trials of just these.
  virtual void learn(const std::vector<SizeTrial>& trials) = 0;
  /// To be asked when nothing more is wanted.
  [[nodiscard]] virtual SizeAnswer answer() const = 0;
};

/// The most sizes that a search for `equals` tries.
inline constexpr std::size_t kMostTrials = 60;
/// The most sizes that a search for this tries.
std::size_t most_trials(const SizeTask& task);

/// For `equals`: sizes grow from `from` by a factor of 4 (more where the range is beyond 4^24) until the metric has
/// passed the target, so that of several solutions the smallest is found. Where none has, golden sections around the
/// trial that came nearest look for a peak (or a dip) between trials, until it is known or the target is passed. Then
/// ITP (Oliveira & Takahashi 2020, "An enhancement of the bisection method average performance preserving
/// minmax optimality") in the logarithm of the size, which takes no more steps than bisection and one, however rough the
/// metric is. It ends within the tolerance, or at neighbouring whole numbers: then the size is the first that has passed
/// the target. A metric that falls from above the target, or is level before it falls, is followed down, unless only a
/// rise counts: then it is followed until it rises again. The size's
/// interval holds all sizes of the range for which the metric's own interval at the size found, moved along the local
/// slope over the logarithm of the size, holds the target; of neighbours it reaches down to the last size before the
/// target, however exact the metric is. An exact metric of whole sizes is then looked at around the size that was found,
/// since parts that are whole make it rise and fall (size_search.cpp).
///
/// For a goal: all whole numbers of the range; of equals the smallest. The interval reaches over all those whose
/// interval meets the best's. It is remarked which of the range do not exist, and that the best lies at an end of it.
std::unique_ptr<SizeSearch> search_for(const SizeTask& task);

}  // namespace nowsim
