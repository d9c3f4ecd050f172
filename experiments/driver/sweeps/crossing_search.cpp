// Growing until the metric has passed the target, climbing where it turned before, narrowing the bracket, and the
// interval from the slope.
#include "experiments/driver/sweeps/crossing_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

constexpr double kGrowth = 4;        // a bracket of two binary digits: few sizes are tried that are much too large
constexpr double kMostGrowths = 24;  // so that there are trials left for the bracket
constexpr double kNarrowest = 1e-8;  // of a bracket of sizes that are not whole, relatively: a jump
constexpr double kIndistinct = 1e-12;  // of a bracket of whole numbers, relatively: what logarithms can tell
constexpr double kCostlyEdge = 2;      // how near sizes come to those whose trials would take too long
constexpr double kSummit = 1.01;       // a peak is known to this factor: values there differ by its square
constexpr double kGolden = 0.3819660112501051;  // (3 - sqrt 5)/2
constexpr double kLevel = 1e-9;  // values that differ by less, relatively, are one: rounding of the engines
constexpr double kSecant = 1.05;  // the slope is taken over at least this factor on either side, beyond the roughness

/// Whether a value is below another, as far as their intervals tell.
bool is_clearly_below(const Estimate& value, const Estimate& other) {
  return value.value < other.value && !(value.high >= other.low);
}

bool is_same(double value, double other) { return std::abs(value - other) <= kLevel * std::abs(other); }

/// log(large/small), where the ratio may be beyond all numbers.
double log_ratio(double large, double small) {
  const double ratio = large / small;
  return std::isfinite(ratio) ? portable::log(ratio) : portable::log(large) - portable::log(small);
}

double growth(double from, double to) {
  const double ratio = to / from;
  const double least = std::isfinite(ratio) ? portable::pow(ratio, 1 / kMostGrowths)
                                            : portable::exp((portable::log(to) - portable::log(from)) / kMostGrowths);
  return std::max(kGrowth, least);
}

}  // namespace

CrossingSearch::CrossingSearch(const SizeTask& task)
    : task_(task), next_(task.from), factor_(growth(task.from, task.to)) {}

std::vector<double> CrossingSearch::wanted() const {
  return next_ ? std::vector<double>{*next_} : std::vector<double>{};
}

void CrossingSearch::learn(const std::vector<SizeTrial>& trials) {
  const SizeTrial& trial = trials.front();
  trials_[trial.size] = trial;
  next_.reset();
  if (found_) return;  // this was for the slope
  const bool has_not_risen = task_.rising && (direction_ == 0 || is_level_up_to(trial.size));
  if (trial.exists() && is_close(trial) && !has_not_risen) return find(trial.size, true);
  if (beyond_)
    narrow(trial);
  else if (peak_)
    climb(trial);
  else
    grow_beyond(trial);
}

bool CrossingSearch::is_close(const SizeTrial& trial) const {
  return std::abs(trial.value.value - task_.target) <= task_.tolerance * std::abs(task_.target);
}

double CrossingSearch::gap(double size) const { return direction_ * (trials_.at(size).value.value - task_.target); }

// ---- growing ----------------------------------------------------------------------------------------------------

/// Whether the metric has been the same, but for rounding, for all sizes so far.
bool CrossingSearch::is_level_up_to(double size) const {
  std::optional<double> first;
  for (const auto& [tried, trial] : trials_) {
    if (tried > size || !trial.exists()) continue;
    if (!first) first = trial.value.value;
    if (!is_same(trial.value.value, *first)) return false;
  }
  return true;
}

/// Where only a rise counts: a metric that falls from the first size on, or is level until it falls, has not begun to
/// rise, as the efficiency of a job too small to be split has not.
void CrossingSearch::forget_fall(const SizeTrial& trial) {
  const auto before = existing_before(trial.size);
  if (!task_.rising || !before || trial.value.value > task_.target) return;
  const bool has_not_risen = direction_ == 0 || is_level_up_to(*before);
  if (!has_not_risen || !is_clearly_below(trial.value, trials_.at(start_.value_or(*before)).value)) return;
  trials_.erase(trials_.begin(), trials_.find(trial.size));
  fallen_ = before;
  direction_ = 1;
  start_.reset();
}

void CrossingSearch::grow_beyond(const SizeTrial& trial) {
  if (!trial.exists()) {
    if (direction_ != 0) return begin_bracket(*before_, trial.size);  // they end before the crossing, or with it
    if (start_ && (task_.rising || (refused_ && *before_ == *start_))) return look_before_start();
    if (start_) direction_ = -1;  // a rise would have been seen
    if (start_) return begin_bracket(*before_, trial.size);
    refused_ = trial.size;
    return grow(trial.size);
  }
  forget_fall(trial);
  if (task_.rising && existing_before(trial.size) && is_level_up_to(trial.size)) {
    before_ = trial.size;
    return grow(trial.size);
  }
  if (start_ && direction_ == 0) return judge_start(trial);
  if (direction_ == 0) {
    if (trial.value.value > task_.target)
      start_ = trial.size;
    else
      direction_ = 1;
  }
  if (direction_ != 0 && gap(trial.size) > 0) return begin_bracket(*before_, trial.size);
  before_ = trial.size;
  grow(trial.size);
}

/// The metric began beyond the target: it may be falling, be level before it falls, or have passed it before. What
/// intervals do not tell apart says nothing.
void CrossingSearch::judge_start(const SizeTrial& trial) {
  const Estimate& first = trials_.at(*start_).value;
  const bool has_fallen = is_clearly_below(trial.value, first);
  if (trial.value.low > first.high || (task_.rising && !has_fallen)) return look_before_start();
  const bool is_across = trial.value.value <= task_.target;
  if (!task_.rising && (is_across || trial.value.high < first.low)) direction_ = -1;
  if (is_across) return begin_bracket(*before_, trial.size);
  before_ = trial.size;
  grow(trial.size);
}

/// The metric rises, and was beyond the target at once: smaller sizes were refused, perhaps not all.
void CrossingSearch::look_before_start() {
  direction_ = 1;
  const SizeTrial& first = trials_.at(*start_);
  const auto last = std::ranges::find_if(trials_.rbegin(), trials_.rend(),
                                         [](const auto& entry) { return entry.second.exists(); });
  if (task_.rising && is_clearly_below(last->second.value, first.value))
    none_ = no_rise(first, last->second);
  else if (task_.rising && is_close(first))
    find(*start_, true);
  else if (refused_)
    begin_bracket(*refused_, *start_);
  else
    none_ = passed_already(*start_);
}

void CrossingSearch::grow(double size) {
  if (size >= task_.to) return end_growing();
  const double larger = task_.whole ? std::max(size + 1, std::round(size * factor_)) : size * factor_;
  next_ = std::min(larger, task_.to);
}

void CrossingSearch::end_growing() {
  if (found_) return;  // what is there must do for the slope
  if (task_.rising && is_level_up_to(task_.to)) {
    const auto first = std::ranges::find_if(trials_, [](const auto& entry) { return entry.second.exists(); });
    if (first != trials_.end() && is_close(first->second)) return find(first->first, true);
  }
  if (direction_ == 0 && start_ && (task_.rising || (refused_ && *before_ == *start_))) return look_before_start();
  if (direction_ == 0 && start_) direction_ = -1;  // level, or it falls less than can be told
  give_up();
}

// ---- climbing: golden sections ----------------------------------------------------------------------------------

/// Nothing that was tried has passed the target: a metric that turns may have done so between two trials.
void CrossingSearch::give_up() {
  before_.reset();
  beyond_.reset();
  if (!has_climbed_) peak_ = peak_among_trials();
  has_climbed_ = true;
  climb_on();
}

double CrossingSearch::nearest() const {
  const double none = std::numeric_limits<double>::quiet_NaN();
  double nearest = none;
  for (const auto& [size, trial] : trials_)
    if (trial.exists() && (std::isnan(nearest) || gap(size) > gap(nearest))) nearest = size;
  return nearest;
}

std::optional<double> CrossingSearch::existing_before(double size) const {
  for (auto it = trials_.find(size); it != trials_.begin();)
    if ((--it)->second.exists()) return it->first;
  return std::nullopt;
}

std::optional<double> CrossingSearch::existing_after(double size) const {
  for (auto it = trials_.upper_bound(size); it != trials_.end(); ++it)
    if (it->second.exists()) return it->first;
  return std::nullopt;
}

std::optional<CrossingSearch::Peak> CrossingSearch::peak_among_trials() const {
  const double best = nearest();
  if (std::isnan(best)) return std::nullopt;
  const double left = existing_before(best).value_or(best), right = existing_after(best).value_or(best);
  return left < right ? std::optional(Peak{left, best, right}) : std::nullopt;
}

/// A size that does not exist is as far from the target as can be.
void CrossingSearch::climb(const SizeTrial& trial) {
  const bool is_nearer = trial.exists() && gap(trial.size) > gap(peak_->best);
  if (is_nearer && gap(trial.size) > 0) return begin_bracket(*existing_before(trial.size), trial.size);
  const bool is_right = trial.size > peak_->best;
  if (is_nearer) {
    (is_right ? peak_->left : peak_->right) = peak_->best;
    peak_->best = trial.size;
  } else if (peak_->best == peak_->left || peak_->best == peak_->right) {
    peak_.reset();  // it falls from the end on
  } else {
    (is_right ? peak_->right : peak_->left) = trial.size;
  }
  climb_on();
}

void CrossingSearch::climb_on() {
  if (peak_ && are_trials_left()) next_ = climbing_point();
  if (!next_) none_ = no_crossing();
}

/// In the wider part beside the best; next to it where the best is an end. None where there is no room.
std::optional<double> CrossingSearch::climbing_point() const {
  const auto [left, best, right] = *peak_;
  const bool is_right = log_ratio(right, best) > log_ratio(best, left);
  const double other = is_right ? right : left, room = is_right ? log_ratio(right, best) : log_ratio(best, left);
  if (room <= portable::log(kSummit)) return std::nullopt;
  const bool is_end = best == left || best == right;
  const double part = is_end ? portable::log(kSummit) : kGolden * room;
  const double point = best * portable::exp(is_right ? part : -part);
  if (!task_.whole) return point;
  if (std::abs(other - best) < 2) return std::nullopt;
  return std::clamp(std::round(point), std::min(best, other) + 1, std::max(best, other) - 1);
}

// ---- the bracket ------------------------------------------------------------------------------------------------

void CrossingSearch::begin_bracket(double before, double beyond) {
  before_ = before;
  beyond_ = beyond;
  peak_.reset();
  steps_ = 0;
  first_width_ = log_ratio(beyond, before);
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
  if (is_narrow() || !are_trials_left()) return end_bracket();
  const double before = *before_, beyond = *beyond_;
  const double point = portable::exp(itp_point(portable::log(before), portable::log(beyond)));
  next_ = task_.whole ? std::clamp(std::round(point), before + 1, beyond - 1) : point;
}

/// Whole numbers may be too large to be told apart.
bool CrossingSearch::is_narrow() const {
  if (trials_.at(*beyond_).is_too_costly && *beyond_ <= kCostlyEdge * *before_) return true;
  const double width = log_ratio(*beyond_, *before_);
  return task_.whole ? *beyond_ - *before_ <= 1 || width <= kIndistinct : width <= kNarrowest;
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
  const double radius = std::max(0.0, first_width_ * std::ldexp(1.0, -steps_) - width / 2);
  return std::abs(truncated - middle) <= radius ? truncated : middle - side * radius;
}

void CrossingSearch::end_bracket() {
  if (!exists(*beyond_)) return give_up();
  if (!existing_before(*beyond_))
    none_ = passed_already(*beyond_);
  else if (!is_narrow() && log_ratio(*beyond_, *before_) > task_.tolerance)
    none_ = not_narrowed();
  else
    find(*beyond_, false);
}

/// A size that is found at once has no slope yet.
void CrossingSearch::find(double size, bool is_within_tolerance) {
  found_ = size;
  is_within_tolerance_ = is_within_tolerance;
  if (!existing_before(size) && !existing_after(size)) grow(size);
}

// ---- the answer -------------------------------------------------------------------------------------------------

/// d metric/d log(size), as a secant over the nearest trials that are far enough apart; where there is a peak between
/// them, over the one before alone.
std::optional<double> CrossingSearch::slope_at(double size) const {
  const SizeTrial* below = &trials_.at(size);
  const SizeTrial* above = below;
  for (const auto& [other, trial] : trials_) {
    if (!trial.exists()) continue;
    if (other < size && (other * kSecant <= size || below->size == size)) below = &trial;
    if (other > size && (above->size == size || above->size < size * kSecant)) above = &trial;
  }
  const auto secant = [&](const SizeTrial& to) {
    return (to.value.value - below->value.value) / portable::log(to.size / below->size);
  };
  double slope = secant(*above);
  if (slope * direction_ < 0) slope = secant(trials_.at(size));
  return std::isfinite(slope) && slope != 0 ? std::optional(slope) : std::nullopt;
}

SizeAnswer CrossingSearch::answer() const {
  if (!found_) return {{}, none_};
  const SizeTrial& trial = trials_.at(*found_);
  // Of neighbours the found one is the answer, where the metric is exact; within the tolerance one near to it is.
  const double wanted = is_within_tolerance_ ? task_.target : trial.value.value;
  const double last = is_within_tolerance_ ? *found_ : existing_before(*found_).value();
  if (is_same(trial.value.low, wanted) && is_same(trial.value.high, wanted)) return {{*found_, last, *found_}, ""};
  const auto slope = slope_at(*found_);
  const double one = (wanted - trial.value.high) / slope.value_or(0),
               other = (wanted - trial.value.low) / slope.value_or(0);
  if (!slope || std::isnan(one) || std::isnan(other)) {
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    return {{*found_, kUnknown, kUnknown}, ""};
  }
  const double low = std::min(last, *found_ * portable::exp(std::min({one, other, 0.0}))),
               high = *found_ * portable::exp(std::max({one, other, 0.0}));
  return {in_range({*found_, low, high}), ""};
}

Estimate CrossingSearch::in_range(Estimate size) const {
  if (task_.whole) size = {size.value, std::floor(size.low), std::ceil(size.high)};
  return {size.value, std::max(size.low, task_.from), std::min(size.high, task_.to)};
}

std::string CrossingSearch::no_crossing() const {
  const double best = nearest();
  if (std::isnan(best)) return "no " + task_.range_text() + " can be realised: " + trials_.begin()->second.refusal;
  std::string sentence = task_.none_text() + ": at " + (direction_ > 0 ? "most " : "least ") +
                         task_.value_text(trials_.at(best).value.value) + " (at " + task_.size_text(best) + ")";
  if (fallen_) sentence += ", beyond " + task_.size_text(*fallen_) + ", from where it falls first";
  if (start_ == best && !refused_) sentence += ", where it begins; a smaller solve.from may be needed";
  const auto refused = std::find_if(trials_.find(best), trials_.end(),
                                    [](const auto& entry) { return !entry.second.exists(); });
  if (refused != trials_.end())
    sentence += "; " + task_.size_text(refused->first) + " cannot be realised: " + refused->second.refusal;
  return sentence;
}

std::string CrossingSearch::passed_already(double size) const {
  const std::string found = task_.metric->name + " is already " + task_.value_text(trials_.at(size).value.value) +
                            " at " + task_.key + " = " + task_.size_text(size) + ", not " +
                            task_.value_text(task_.target);
  const auto it = trials_.find(size);
  if (it == trials_.begin()) return found + ": a smaller solve.from is needed";
  const auto& [smaller, trial] = *std::prev(it);
  return found + "; " + task_.size_text(smaller) + " cannot be realised: " + trial.refusal;
}

std::string CrossingSearch::no_rise(const SizeTrial& first, const SizeTrial& last) const {
  return task_.metric->name + " does not rise through " + task_.value_text(task_.target) + ": it falls from " +
         task_.value_text(first.value.value) + " at " + task_.key + " = " + task_.size_text(first.size) + " to " +
         task_.value_text(last.value.value) + " at " + task_.size_text(last.size);
}

std::string CrossingSearch::not_narrowed() const {
  return std::to_string(trials_.size()) + " trials have not found where " + task_.metric->name + " passes " +
         task_.value_text(task_.target) + ": somewhere from " + task_.key + " = " + task_.size_text(*before_) + " to " +
         task_.size_text(*beyond_) + "; a narrower range from solve.from to solve.to is needed";
}

}  // namespace nowsim
