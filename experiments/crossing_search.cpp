// Growing until the metric has passed the target, narrowing the bracket, and the interval from the slope.
#include "experiments/crossing_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nowsim {
namespace {

constexpr double kGrowth = 4;        // a bracket of two binary digits: few sizes are tried that are much too large
constexpr double kMostGrowths = 24;  // so that there are trials left for the bracket
constexpr double kNarrowest = 1e-8;  // of a bracket of sizes that are not whole, relatively: a jump
constexpr double kSecant = 1.05;  // the slope is taken over at least this factor on either side, beyond the roughness

}  // namespace

CrossingSearch::CrossingSearch(const SizeTask& task)
    : task_(task), next_(task.from), factor_(std::max(kGrowth, std::pow(task.to / task.from, 1 / kMostGrowths))) {}

std::vector<double> CrossingSearch::wanted() const {
  return next_ ? std::vector<double>{*next_} : std::vector<double>{};
}

void CrossingSearch::learn(const std::vector<SizeTrial>& trials) {
  const SizeTrial& trial = trials.front();
  trials_[trial.size] = trial;
  next_.reset();
  if (found_) return;  // this was for the slope
  if (trial.exists() && is_close(trial)) return find(trial.size, true);
  if (beyond_)
    narrow(trial);
  else
    grow_beyond(trial);
}

bool CrossingSearch::is_close(const SizeTrial& trial) const {
  return std::abs(trial.value.value - task_.target) <= task_.tolerance * std::abs(task_.target);
}

double CrossingSearch::gap(double size) const { return direction_ * (trials_.at(size).value.value - task_.target); }

// ---- growing ----------------------------------------------------------------------------------------------------

void CrossingSearch::grow_beyond(const SizeTrial& trial) {
  if (!trial.exists()) {
    if (direction_ != 0) return begin_bracket(*before_, trial.size);  // they end before the crossing, or with it
    if (start_) return judge_start(trial);
    before_ = trial.size;
    return grow(trial.size);
  }
  if (direction_ == 0) {
    if (start_) return judge_start(trial);
    if (trial.value.value > task_.target)
      start_ = trial.size;
    else
      direction_ = 1;
  }
  if (direction_ != 0) {
    if (gap(trial.size) > 0) return begin_bracket(*before_, trial.size);
    before_ = trial.size;
  }
  grow(trial.size);
}

/// The metric began above the target: it may be falling, or have passed it before.
void CrossingSearch::judge_start(const SizeTrial& second) {
  const double first = *start_;
  start_.reset();
  if (second.exists() && second.value.value < trials_.at(first).value.value) {
    direction_ = -1;
    before_ = first;
    return grow_beyond(second);
  }
  direction_ = 1;
  if (before_)
    begin_bracket(*before_, first);  // smaller ones were refused, perhaps not all
  else
    none_ = passed_already(first);
}

void CrossingSearch::grow(double size) {
  if (size >= task_.to) {
    none_ = start_ ? passed_already(*start_) : no_crossing();
    return;
  }
  const double larger = task_.whole ? std::max(size + 1, std::round(size * factor_)) : size * factor_;
  next_ = std::min(larger, task_.to);
}

// ---- the bracket ------------------------------------------------------------------------------------------------

void CrossingSearch::begin_bracket(double before, double beyond) {
  before_ = before;
  beyond_ = beyond;
  first_width_ = std::log(beyond / before);
  step();
}

void CrossingSearch::narrow(const SizeTrial& trial) {
  ++steps_;
  // A size that does not exist between two that do counts as one where nothing is reached.
  const bool is_across = trial.exists() ? gap(trial.size) > 0 : !exists(*beyond_);
  (is_across ? beyond_ : before_) = trial.size;
  step();
}

void CrossingSearch::step() {
  const double before = *before_, beyond = *beyond_;
  const bool is_narrow = task_.whole ? beyond - before <= 1 : std::log(beyond / before) <= kNarrowest;
  if (is_narrow || trials_.size() >= kMostTrials) return end_bracket();
  const double point = std::exp(itp_point(std::log(before), std::log(beyond)));
  next_ = task_.whole ? std::clamp(std::round(point), before + 1, beyond - 1) : point;
}

/// Interpolated, truncated towards the middle, projected to where the bracket is never wider than bisection's was one
/// step before: the method's defaults kappa_1 = 0.2/(b - a), kappa_2 = 2, n_0 = 1. In logarithms.
double CrossingSearch::itp_point(double before, double beyond) const {
  const double middle = (before + beyond) / 2, width = beyond - before;
  if (!exists(*before_) || !exists(*beyond_)) return middle;
  const double left = gap(*before_), right = gap(*beyond_);
  const double interpolated = (right * before - left * beyond) / (right - left);
  const double side = interpolated <= middle ? 1 : -1;
  const double truncation = 0.2 / first_width_ * width * width;
  const double truncated = truncation <= std::abs(middle - interpolated) ? interpolated + side * truncation : middle;
  const double radius = std::max(0.0, first_width_ * std::exp2(-steps_) - width / 2);
  return std::abs(truncated - middle) <= radius ? truncated : middle - side * radius;
}

void CrossingSearch::end_bracket() {
  if (!exists(*beyond_))
    none_ = no_crossing();
  else if (!some_exists_before(*beyond_))
    none_ = passed_already(*beyond_);
  else
    find(*beyond_, false);
}

/// A size that is found at once has no slope yet.
void CrossingSearch::find(double size, bool is_within_tolerance) {
  found_ = size;
  is_within_tolerance_ = is_within_tolerance;
  const auto others = std::ranges::count_if(trials_, [](const auto& entry) { return entry.second.exists(); }) - 1;
  if (others == 0) grow(size);
}

bool CrossingSearch::some_exists_before(double size) const {
  return std::any_of(trials_.begin(), trials_.find(size), [](const auto& entry) { return entry.second.exists(); });
}

// ---- the answer -------------------------------------------------------------------------------------------------

/// d metric/d log(size), as a secant over the nearest trials that are far enough apart.
std::optional<double> CrossingSearch::slope_at(double size) const {
  const SizeTrial* below = &trials_.at(size);
  const SizeTrial* above = below;
  for (const auto& [other, trial] : trials_) {
    if (!trial.exists()) continue;
    if (other < size && (other * kSecant <= size || below->size == size)) below = &trial;
    if (other > size && (above->size == size || above->size < size * kSecant)) above = &trial;
  }
  const double slope = (above->value.value - below->value.value) / std::log(above->size / below->size);
  return std::isfinite(slope) && slope != 0 ? std::optional(slope) : std::nullopt;
}

SizeAnswer CrossingSearch::answer() const {
  if (!found_) return {{}, none_};
  const SizeTrial& trial = trials_.at(*found_);
  // Of neighbours the found one is the answer, where the metric is exact; within the tolerance one near to it is.
  const double wanted = is_within_tolerance_ ? task_.target : trial.value.value;
  if (trial.value.low == wanted && trial.value.high == wanted) return {{*found_, *found_, *found_}, ""};
  const auto slope = slope_at(*found_);
  const double one = (wanted - trial.value.high) / slope.value_or(0),
               other = (wanted - trial.value.low) / slope.value_or(0);
  if (!slope || std::isnan(one) || std::isnan(other)) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    return {{*found_, kUnknown, kUnknown}, ""};
  }
  const double low = *found_ * std::exp(std::min({one, other, 0.0})),
               high = *found_ * std::exp(std::max({one, other, 0.0}));
  return {{*found_, task_.whole ? std::floor(low) : low, task_.whole ? std::ceil(high) : high}, ""};
}

std::string CrossingSearch::no_crossing() const {
  const SizeTrial* nearest = nullptr;
  for (const auto& [size, trial] : trials_)
    if (trial.exists() && (nearest == nullptr || gap(size) >= gap(nearest->size))) nearest = &trial;
  if (nearest == nullptr) return "no " + task_.range_text() + " can be realised: " + trials_.begin()->second.refusal;
  std::string sentence = "no " + task_.range_text() + " has " + task_.goal_text() + ": at " +
                         (direction_ > 0 ? "most " : "least ") + task_.value_text(nearest->value.value) + " (at " +
                         task_.size_text(nearest->size) + ")";
  const auto refused = std::find_if(trials_.find(nearest->size), trials_.end(),
                                    [](const auto& entry) { return !entry.second.exists(); });
  if (refused != trials_.end())
    sentence += "; " + task_.size_text(refused->first) + " cannot be realised: " + refused->second.refusal;
  return sentence;
}

std::string CrossingSearch::passed_already(double size) const {
  const std::string found = task_.metric->name + " is already " + task_.value_text(trials_.at(size).value.value) +
                            " at " + task_.key + " = " + task_.size_text(size);
  const auto smaller = before_ ? trials_.find(*before_) : trials_.end();
  if (smaller == trials_.end())
    return found + ", not " + task_.value_text(task_.target) + ": a smaller solve.from is needed";
  return found + ", not " + task_.value_text(task_.target) + "; " + task_.size_text(*before_) +
         " cannot be realised: " + smaller->second.refusal;
}

}  // namespace nowsim
