// The best of a range, of which all are tried; a crossing, to which sizes grow, climb and are narrowed down; of several
// crossings next to each other the first.
#include "experiments/driver/sweeps/size_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/statistics/portable.hpp"

namespace nowsim {
namespace {

// ---- the best of a range -------------------------------------------------------------------------------------------

class BestSize final : public SizeSearch {
 public:
  explicit BestSize(const SizeTask& task) : task_(task) {}

  [[nodiscard]] std::vector<double> wanted() const override {
    std::vector<double> all;
    if (trials_.empty())
      for (double size = task_.from; size <= task_.to; ++size) all.push_back(size);
    return all;
  }

  void learn(const std::vector<SizeTrial>& trials) override { trials_ = trials; }

  [[nodiscard]] SizeAnswer answer() const override {
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

 private:
  /// Of equals the first; null where none exists.
  [[nodiscard]] const SizeTrial* best() const {
    const double sign = task_.goal == SizeTask::Goal::largest ? 1 : -1;
    const SizeTrial* best = nullptr;
    for (const auto& trial : trials_)
      if (trial.exists() && (best == nullptr || sign * trial.value.value > sign * best->value.value)) best = &trial;
    return best;
  }

  /// Which part of the range counts, and whether the best lies at an end of it; "" where all is well.
  [[nodiscard]] std::string remark(const SizeTrial& best) const {
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

  SizeTask task_;
  std::vector<SizeTrial> trials_;
};

// ---- a crossing ----------------------------------------------------------------------------------------------------

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

class CrossingSearch {
 public:
  explicit CrossingSearch(const SizeTask& task)
      : task_(task), next_(task.from), factor_(growth(task.from, task.to)) {}

  [[nodiscard]] std::vector<double> wanted() const {
    return next_ ? std::vector<double>{*next_} : std::vector<double>{};
  }

  void learn(const std::vector<SizeTrial>& trials) {
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

  [[nodiscard]] SizeAnswer answer() const {
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

  /// Of the metric where it crosses: 1 up, -1 down; 0 where it is not known.
  [[nodiscard]] int direction() const { return direction_; }
  /// The least size that counts: where only a rise does, the last of those at which the metric fell.
  [[nodiscard]] double least() const { return trials_.begin()->first; }

 private:
  /// Around the trial that is nearest to the target and has not reached it: on either side one that is no nearer, or
  /// the trial itself where sizes end there.
  struct Peak {
    double left, best, right;
  };

  [[nodiscard]] bool exists(double size) const { return trials_.at(size).exists(); }
  [[nodiscard]] bool are_trials_left() const { return trials_.size() < kMostTrials; }

  [[nodiscard]] bool is_close(const SizeTrial& trial) const {
    return std::abs(trial.value.value - task_.target) <= task_.tolerance * std::abs(task_.target);
  }

  /// The metric less the target, negative before the crossing whichever way it goes. Of sizes that exist.
  [[nodiscard]] double gap(double size) const { return direction_ * (trials_.at(size).value.value - task_.target); }

  // ---- growing ----------------------------------------------------------------------------------------------------

  /// Whether the metric has been the same, but for rounding, for all sizes so far.
  [[nodiscard]] bool is_level_up_to(double size) const {
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
  void forget_fall(const SizeTrial& trial) {
    const auto before = existing_before(trial.size);
    if (!task_.rising || !before || trial.value.value > task_.target) return;
    const bool has_not_risen = direction_ == 0 || is_level_up_to(*before);
    if (!has_not_risen || !is_clearly_below(trial.value, trials_.at(start_.value_or(*before)).value)) return;
    trials_.erase(trials_.begin(), trials_.find(trial.size));
    fallen_ = before;
    direction_ = 1;
    start_.reset();
  }

  void grow_beyond(const SizeTrial& trial) {
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
  void judge_start(const SizeTrial& trial) {
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
  void look_before_start() {
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

  void grow(double size) {
    if (size >= task_.to) return end_growing();
    const double larger = task_.whole ? std::max(size + 1, std::round(size * factor_)) : size * factor_;
    next_ = std::min(larger, task_.to);
  }

  void end_growing() {
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
  void give_up() {
    before_.reset();
    beyond_.reset();
    if (!has_climbed_) peak_ = peak_among_trials();
    has_climbed_ = true;
    climb_on();
  }

  [[nodiscard]] double nearest() const {
    const double none = std::numeric_limits<double>::quiet_NaN();
    double nearest = none;
    for (const auto& [size, trial] : trials_)
      if (trial.exists() && (std::isnan(nearest) || gap(size) > gap(nearest))) nearest = size;
    return nearest;
  }

  [[nodiscard]] std::optional<double> existing_before(double size) const {
    for (auto it = trials_.find(size); it != trials_.begin();)
      if ((--it)->second.exists()) return it->first;
    return std::nullopt;
  }

  [[nodiscard]] std::optional<double> existing_after(double size) const {
    for (auto it = trials_.upper_bound(size); it != trials_.end(); ++it)
      if (it->second.exists()) return it->first;
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Peak> peak_among_trials() const {
    const double best = nearest();
    if (std::isnan(best)) return std::nullopt;
    const double left = existing_before(best).value_or(best), right = existing_after(best).value_or(best);
    return left < right ? std::optional(Peak{left, best, right}) : std::nullopt;
  }

  /// A size that does not exist is as far from the target as can be.
  void climb(const SizeTrial& trial) {
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

  void climb_on() {
    if (peak_ && are_trials_left()) next_ = climbing_point();
    if (!next_) none_ = no_crossing();
  }

  /// In the wider part beside the best; next to it where the best is an end. None where there is no room.
  [[nodiscard]] std::optional<double> climbing_point() const {
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

  void begin_bracket(double before, double beyond) {
    before_ = before;
    beyond_ = beyond;
    peak_.reset();
    steps_ = 0;
    first_width_ = log_ratio(beyond, before);
    step();
  }

  void narrow(const SizeTrial& trial) {
    ++steps_;
    // A size that does not exist between two that do counts as one where nothing is reached.
    const bool is_across = trial.exists() ? gap(trial.size) > 0 : !exists(*beyond_);
    (is_across ? beyond_ : before_) = trial.size;
    step();
  }

  void step() {
    if (is_narrow() || !are_trials_left()) return end_bracket();
    const double before = *before_, beyond = *beyond_;
    const double point = portable::exp(itp_point(portable::log(before), portable::log(beyond)));
    next_ = task_.whole ? std::clamp(std::round(point), before + 1, beyond - 1) : point;
  }

  /// Whole numbers may be too large to be told apart.
  [[nodiscard]] bool is_narrow() const {
    if (trials_.at(*beyond_).is_too_costly && *beyond_ <= kCostlyEdge * *before_) return true;
    const double width = log_ratio(*beyond_, *before_);
    return task_.whole ? *beyond_ - *before_ <= 1 || width <= kIndistinct : width <= kNarrowest;
  }

  /// Interpolated, truncated towards the middle, projected to where the bracket is never wider than bisection's was one
  /// step before: the method's defaults kappa_1 = 0.2/(b - a), kappa_2 = 2, n_0 = 1. In logarithms.
  [[nodiscard]] double itp_point(double before, double beyond) const {
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

  void end_bracket() {
    if (!exists(*beyond_)) return give_up();
    if (!existing_before(*beyond_))
      none_ = passed_already(*beyond_);
    else if (!is_narrow() && log_ratio(*beyond_, *before_) > task_.tolerance)
      none_ = not_narrowed();
    else
      find(*beyond_, false);
  }

  /// A size that is found at once has no slope yet.
  void find(double size, bool is_within_tolerance) {
    found_ = size;
    is_within_tolerance_ = is_within_tolerance;
    if (!existing_before(size) && !existing_after(size)) grow(size);
  }

  // ---- the answer -------------------------------------------------------------------------------------------------

  /// d metric/d log(size), as a secant over the nearest trials that are far enough apart; where there is a peak between
  /// them, over the one before alone.
  [[nodiscard]] std::optional<double> slope_at(double size) const {
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

  [[nodiscard]] Estimate in_range(Estimate size) const {
    if (task_.whole) size = {size.value, std::floor(size.low), std::ceil(size.high)};
    return {size.value, std::max(size.low, task_.from), std::min(size.high, task_.to)};
  }

  [[nodiscard]] std::string no_crossing() const {
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

  [[nodiscard]] std::string passed_already(double size) const {
    const std::string found = task_.metric->name + " is already " + task_.value_text(trials_.at(size).value.value) +
                              " at " + task_.key + " = " + task_.size_text(size) + ", not " +
                              task_.value_text(task_.target);
    const auto it = trials_.find(size);
    if (it == trials_.begin()) return found + ": a smaller solve.from is needed";
    const auto& [smaller, trial] = *std::prev(it);
    return found + "; " + task_.size_text(smaller) + " cannot be realised: " + trial.refusal;
  }

  [[nodiscard]] std::string no_rise(const SizeTrial& first, const SizeTrial& last) const {
    return task_.metric->name + " does not rise through " + task_.value_text(task_.target) + ": it falls from " +
           task_.value_text(first.value.value) + " at " + task_.key + " = " + task_.size_text(first.size) + " to " +
           task_.value_text(last.value.value) + " at " + task_.size_text(last.size);
  }

  [[nodiscard]] std::string not_narrowed() const {
    return std::to_string(trials_.size()) + " trials have not found where " + task_.metric->name + " passes " +
           task_.value_text(task_.target) + ": somewhere from " + task_.key + " = " + task_.size_text(*before_) +
           " to " + task_.size_text(*beyond_) + "; a narrower range from solve.from to solve.to is needed";
  }

  SizeTask task_;
  std::map<double, SizeTrial> trials_;  // by size
  std::optional<double> next_;
  double factor_;                  // of growth
  int direction_ = 0;              // of the metric where it crosses: 1 up, -1 down, 0 not known yet
  std::optional<double> start_;    // a first size that is beyond the target, while the direction is not known
  std::optional<double> fallen_;   // the last of the first sizes, from which on the metric fell before it rose
  std::optional<double> refused_;  // the last of the sizes that were refused before the first that exists
  std::optional<double> before_;   // of the bracket: not across, or there is no such size
  std::optional<double> beyond_;   // of the bracket: across, or there is no such size
  double first_width_ = 0;         // of the bracket, in logarithms
  int steps_ = 0;                  // in it
  std::optional<Peak> peak_;
  bool has_climbed_ = false;
  std::optional<double> found_;
  bool is_within_tolerance_ = false;  // how it was found
  std::string none_;
};

// ---- the first of several crossings --------------------------------------------------------------------------------

constexpr double kMostLooks = 16;   // over a period: all sizes of up to so many machines that are alike
constexpr double kLeastPeriod = 1e-6;  // of the size: less makes no difference, as of a job's flop

bool is_exact(const SizeTrial& trial) {
  const double rounding = kLevel * std::abs(trial.value.value);
  return trial.value.high - trial.value.value <= rounding && trial.value.value - trial.value.low <= rounding;
}

/// A CrossingSearch, and a look around what it found: parts that are whole, such as rows of a matrix, make a metric rise
/// and fall with the size, so that of several crossings next to each other bisection finds any. Sizes are tried back
/// over one period (SizeTrial::period), all of them or some spread over it. Where the metric was monotone there, or
/// always within the tolerance, the answer is the search's. Else the look goes on, within kMostTrials, until on either
/// side a whole period has no size within the tolerance and, below, none that has passed the target. The size is then the
/// first that has passed it, or where that one is not within the tolerance the nearest to the target of those that are;
/// the interval holds the first that has passed it, the last before it, and all that are within the tolerance.
/// Only where the metric is exact at the size found, and the period known and the same for all sizes: chance makes a
/// metric rise and fall as well, and its interval covers that.
class FirstCrossing final : public SizeSearch {
 public:
  explicit FirstCrossing(const SizeTask& task) : task_(task), search_(task) {}

  [[nodiscard]] std::vector<double> wanted() const override {
    auto sizes = search_.wanted();
    return sizes.empty() ? looks_ : sizes;
  }

  void learn(const std::vector<SizeTrial>& trials) override {
    for (const auto& trial : trials) trials_[trial.size] = trial;
    if (!search_.wanted().empty()) search_.learn(trials);
    if (!search_.wanted().empty() || (!found_ && !can_look_around())) return;
    if (!found_) {
      found_ = search_.answer().size.value;
      period_ = std::ceil(trials_.at(*found_).period);
    }
    looks_ = next_looks();
  }

  [[nodiscard]] SizeAnswer answer() const override {
    if (!found_ || is_monotone() || is_all_close()) return search_.answer();
    const double first = this->first();
    const auto band = this->band();
    const double nearest = std::ranges::min(band, {}, [&](double size) { return std::abs(gap(size)); });
    const Estimate size{is_close(first) ? first : nearest, std::min(last_before(first), band.front()), band.back()};
    return {size, "", task_.metric->name + " is not monotone in " + task_.key, detail()};
  }

 private:
  /// The metric less the target, positive beyond it, at a size that was tried.
  [[nodiscard]] double gap(double size) const {
    return search_.direction() * (trials_.at(size).value.value - task_.target);
  }

  [[nodiscard]] bool is_close(double size) const {
    return std::abs(trials_.at(size).value.value - task_.target) <= task_.tolerance * std::abs(task_.target);
  }

  /// Other machines at other sizes: then there is no period.
  [[nodiscard]] bool can_look_around() const {
    const SizeAnswer answer = search_.answer();
    if (!task_.whole || !answer.none.empty() || search_.direction() == 0) return false;
    const SizeTrial& found = trials_.at(answer.size.value);
    const bool has_period = std::ranges::all_of(trials_, [&](const auto& entry) {
      return !entry.second.exists() || entry.second.period == found.period;
    });
    return has_period && found.period > kLeastPeriod * found.size && is_exact(found);
  }

  /// Those that exist and were tried from `from` to `to`, ascending.
  [[nodiscard]] std::vector<double> tried(double from, double to) const {
    std::vector<double> sizes;
    for (auto it = trials_.lower_bound(from); it != trials_.end() && it->first <= to; ++it)
      if (it->second.exists()) sizes.push_back(it->first);
    return sizes;
  }

  /// From where on a crossing counts: where only a rise does, from where the metric has fallen to.
  [[nodiscard]] double least() const {
    if (!task_.rising) return search_.least();
    return std::ranges::min(tried(search_.least(), *found_), {}, [&](double size) { return gap(size); });
  }

  /// The first size that has passed the target; where none has, the one found, which is within the tolerance.
  [[nodiscard]] double first() const {
    const auto sizes = tried(least(), task_.to);
    const auto it = std::ranges::find_if(sizes, [&](double size) { return gap(size) > 0; });
    return it == sizes.end() ? *found_ : *it;
  }

  /// A period before all that is known to matter.
  [[nodiscard]] double begin() const { return std::max(least(), std::min(*found_, first()) - period_); }

  [[nodiscard]] bool is_monotone() const {
    const auto sizes = tried(begin(), *found_);
    const double rounding = kLevel * std::abs(task_.target);
    const auto falls = [&](double a, double b) { return gap(a) > gap(b) + rounding; };
    return std::ranges::adjacent_find(sizes, falls) == sizes.end();
  }

  /// Whether the tolerance is so wide that rises and falls make no difference.
  [[nodiscard]] bool is_all_close() const {
    return std::ranges::all_of(tried(begin(), *found_), [&](double size) { return is_close(size); });
  }

  /// The sizes that are within the tolerance, or the first beyond, none further than a period from the next.
  [[nodiscard]] std::vector<double> band() const {
    std::vector<double> sizes{first()};
    const auto all = tried(least(), task_.to);
    for (auto it = all.rbegin(); it != all.rend(); ++it)
      if (*it < sizes.front() && *it >= sizes.front() - period_ && is_close(*it)) sizes.insert(sizes.begin(), *it);
    for (const double size : all)
      if (size > sizes.back() && size <= std::max(*found_, sizes.back() + period_) && is_close(size))
        sizes.push_back(size);
    return sizes;
  }

  /// At most kMostLooks to a period, at places that are the same wherever one looks from.
  [[nodiscard]] std::vector<double> untried(double from, double to) const {
    const double step = std::max(1.0, std::ceil(period_ / kMostLooks));
    std::vector<double> sizes;
    for (double size = std::ceil(std::max(from, least()) / step) * step; size <= std::min(to, task_.to); size += step)
      if (!trials_.contains(size) && trials_.size() + sizes.size() < kMostTrials) sizes.push_back(size);
    return sizes;
  }

  [[nodiscard]] std::vector<double> next_looks() const {
    auto back = untried(begin(), *found_ - 1);
    if (!back.empty() || is_monotone() || is_all_close() || trials_.size() >= kMostTrials) return back;
    const double first = this->first(), before = last_before(first);
    if (first - before > 1) return {std::floor((before + first) / 2)};
    const auto band = this->band();
    return untried(band.front() - period_, std::max(*found_, band.back() + period_));
  }

  /// The last size that was tried before this one, realised or not; the same where it was the first.
  [[nodiscard]] double last_before(double size) const {
    const auto it = trials_.find(size);
    return it == trials_.begin() ? size : std::prev(it)->first;
  }

  /// The size from which on the metric was beyond the target wherever it was looked at, if there is one.
  [[nodiscard]] std::optional<double> last() const {
    std::optional<double> last;
    const auto sizes = tried(first(), std::max(*found_, band().back() + period_));
    for (auto it = sizes.rbegin(); it != sizes.rend() && gap(*it) > 0; ++it) last = *it;
    return last;
  }

  /// "it passes 0.5 first at 430, last at 434, and is within 0.1 % of it from 428 to 429".
  [[nodiscard]] std::string detail() const {
    auto close = band();
    std::erase_if(close, [&](double size) { return !is_close(size); });
    const auto last = this->last();
    std::string text = "it passes " + task_.value_text(task_.target) + " first at " + task_.size_text(first());
    if (last && *last != first()) text += ", last at " + task_.size_text(*last);
    const std::string share = short_number(100 * task_.tolerance) + " % of it";
    const std::string so_far =
        trials_.size() < kMostTrials ? "" : ", as far as " + std::to_string(kMostTrials) + " trials tell";
    if (close.empty()) return text + ", and is nowhere there within " + share + so_far;
    text += ", and is within " + share;
    if (close.size() == 1) return text + " at " + task_.size_text(close.front()) + so_far;
    const bool is_all = tried(close.front(), close.back()).size() == close.size();
    return text + (is_all ? " from " : " at some of the sizes from ") + task_.size_text(close.front()) + " to " +
           task_.size_text(close.back()) + so_far;
  }

  SizeTask task_;
  CrossingSearch search_;
  std::map<double, SizeTrial> trials_;  // by size
  std::optional<double> found_;         // by the search, once it is looked around
  double period_ = 0;
  std::vector<double> looks_;
};

}  // namespace

std::size_t most_trials(const SizeTask& task) {
  return task.goal == SizeTask::Goal::equals ? kMostTrials : static_cast<std::size_t>(task.to - task.from) + 1;
}

std::unique_ptr<SizeSearch> search_for(const SizeTask& task) {
  if (task.goal == SizeTask::Goal::equals) return std::make_unique<FirstCrossing>(task);
  return std::make_unique<BestSize>(task);
}

}  // namespace nowsim
