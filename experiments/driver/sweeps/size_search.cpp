// The searches but for the first look for a crossing: the best of a range, of which all are tried; and of several crossings
// the first.
#include "experiments/driver/sweeps/size_search.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/sweeps/crossing_search.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

// ---- the best of a range -------------------------------------------------------------------------------------------

class BestSize final : public SizeSearch {
 public:
  explicit BestSize(const SizeTask& task) : task_(task) {}
  [[nodiscard]] std::vector<double> wanted() const override;
  void learn(const std::vector<SizeTrial>& trials) override { trials_ = trials; }
  [[nodiscard]] SizeAnswer answer() const override;

 private:
  [[nodiscard]] const SizeTrial* best() const;
  [[nodiscard]] std::string remark(const SizeTrial& best) const;

  SizeTask task_;
  std::vector<SizeTrial> trials_;
};

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

// ---- the first of several crossings --------------------------------------------------------------------------------

constexpr double kMostLooks = 16;   // over a period: all sizes of up to so many machines that are alike
constexpr double kLeastPeriod = 1e-6;  // of the size: less makes no difference, as of a job's flop
constexpr double kSameLevel = 1e-9;  // values that differ by less, by the target, are one: rounding of the engines

bool is_exact(const SizeTrial& trial) {
  const double rounding = kSameLevel * std::abs(trial.value.value);
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
  [[nodiscard]] std::vector<double> wanted() const override;
  void learn(const std::vector<SizeTrial>& trials) override;
  [[nodiscard]] SizeAnswer answer() const override;

 private:
  /// The metric less the target, positive beyond it, at a size that was tried.
  [[nodiscard]] double gap(double size) const;
  [[nodiscard]] bool is_close(double size) const;
  [[nodiscard]] bool can_look_around() const;
  /// Those that exist and were tried from `from` to `to`, ascending.
  [[nodiscard]] std::vector<double> tried(double from, double to) const;
  [[nodiscard]] double least() const;
  [[nodiscard]] double first() const;
  [[nodiscard]] double begin() const;
  [[nodiscard]] bool is_monotone() const;
  [[nodiscard]] bool is_all_close() const;
  [[nodiscard]] std::vector<double> band() const;
  [[nodiscard]] std::vector<double> untried(double from, double to) const;
  [[nodiscard]] std::vector<double> next_looks() const;
  [[nodiscard]] double last_before(double size) const;
  [[nodiscard]] std::optional<double> last() const;
  [[nodiscard]] std::string detail() const;

  SizeTask task_;
  CrossingSearch search_;
  std::map<double, SizeTrial> trials_;  // by size
  std::optional<double> found_;         // by the search, once it is looked around
  double period_ = 0;
  std::vector<double> looks_;
};

std::vector<double> FirstCrossing::wanted() const {
  auto sizes = search_.wanted();
  return sizes.empty() ? looks_ : sizes;
}

void FirstCrossing::learn(const std::vector<SizeTrial>& trials) {
  for (const auto& trial : trials) trials_[trial.size] = trial;
  if (!search_.wanted().empty()) search_.learn(trials);
  if (!search_.wanted().empty() || (!found_ && !can_look_around())) return;
  if (!found_) {
    found_ = search_.answer().size.value;
    period_ = std::ceil(trials_.at(*found_).period);
  }
  looks_ = next_looks();
}

double FirstCrossing::gap(double size) const {
  return search_.direction() * (trials_.at(size).value.value - task_.target);
}

bool FirstCrossing::is_close(double size) const {
  return std::abs(trials_.at(size).value.value - task_.target) <= task_.tolerance * std::abs(task_.target);
}

/// Other machines at other sizes: then there is no period.
bool FirstCrossing::can_look_around() const {
  const SizeAnswer answer = search_.answer();
  if (!task_.whole || !answer.none.empty() || search_.direction() == 0) return false;
  const SizeTrial& found = trials_.at(answer.size.value);
  const bool has_period = std::ranges::all_of(trials_, [&](const auto& entry) {
    return !entry.second.exists() || entry.second.period == found.period;
  });
  return has_period && found.period > kLeastPeriod * found.size && is_exact(found);
}

std::vector<double> FirstCrossing::tried(double from, double to) const {
  std::vector<double> sizes;
  for (auto it = trials_.lower_bound(from); it != trials_.end() && it->first <= to; ++it)
    if (it->second.exists()) sizes.push_back(it->first);
  return sizes;
}

/// From where on a crossing counts: where only a rise does, from where the metric has fallen to.
double FirstCrossing::least() const {
  if (!task_.rising) return search_.least();
  return std::ranges::min(tried(search_.least(), *found_), {}, [&](double size) { return gap(size); });
}

/// The first size that has passed the target; where none has, the one found, which is within the tolerance.
double FirstCrossing::first() const {
  const auto sizes = tried(least(), task_.to);
  const auto it = std::ranges::find_if(sizes, [&](double size) { return gap(size) > 0; });
  return it == sizes.end() ? *found_ : *it;
}

/// A period before all that is known to matter.
double FirstCrossing::begin() const { return std::max(least(), std::min(*found_, first()) - period_); }

bool FirstCrossing::is_monotone() const {
  const auto sizes = tried(begin(), *found_);
  const double rounding = kSameLevel * std::abs(task_.target);
  return std::ranges::adjacent_find(sizes, [&](double a, double b) { return gap(a) > gap(b) + rounding; }) == sizes.end();
}

/// Whether the tolerance is so wide that rises and falls make no difference.
bool FirstCrossing::is_all_close() const {
  return std::ranges::all_of(tried(begin(), *found_), [&](double size) { return is_close(size); });
}

/// The sizes that are within the tolerance, or the first beyond, none further than a period from the next.
std::vector<double> FirstCrossing::band() const {
  std::vector<double> sizes{first()};
  const auto all = tried(least(), task_.to);
  for (auto it = all.rbegin(); it != all.rend(); ++it)
    if (*it < sizes.front() && *it >= sizes.front() - period_ && is_close(*it)) sizes.insert(sizes.begin(), *it);
  for (const double size : all)
    if (size > sizes.back() && size <= std::max(*found_, sizes.back() + period_) && is_close(size)) sizes.push_back(size);
  return sizes;
}

/// At most kMostLooks to a period, at places that are the same wherever one looks from.
std::vector<double> FirstCrossing::untried(double from, double to) const {
  const double step = std::max(1.0, std::ceil(period_ / kMostLooks));
  std::vector<double> sizes;
  for (double size = std::ceil(std::max(from, least()) / step) * step; size <= std::min(to, task_.to); size += step)
    if (!trials_.contains(size) && trials_.size() + sizes.size() < kMostTrials) sizes.push_back(size);
  return sizes;
}

std::vector<double> FirstCrossing::next_looks() const {
  auto back = untried(begin(), *found_ - 1);
  if (!back.empty() || is_monotone() || is_all_close() || trials_.size() >= kMostTrials) return back;
  const double first = this->first(), before = last_before(first);
  if (first - before > 1) return {std::floor((before + first) / 2)};
  const auto band = this->band();
  return untried(band.front() - period_, std::max(*found_, band.back() + period_));
}

/// The last size that was tried before this one, realised or not; the same where it was the first.
double FirstCrossing::last_before(double size) const {
  const auto it = trials_.find(size);
  return it == trials_.begin() ? size : std::prev(it)->first;
}

/// The size from which on the metric was beyond the target wherever it was looked at, if there is one.
std::optional<double> FirstCrossing::last() const {
  std::optional<double> last;
  const auto sizes = tried(first(), std::max(*found_, band().back() + period_));
  for (auto it = sizes.rbegin(); it != sizes.rend() && gap(*it) > 0; ++it) last = *it;
  return last;
}

SizeAnswer FirstCrossing::answer() const {
  if (!found_ || is_monotone() || is_all_close()) return search_.answer();
  const double first = this->first();
  const auto band = this->band();
  const double nearest = std::ranges::min(band, {}, [&](double size) { return std::abs(gap(size)); });
  const Estimate size{is_close(first) ? first : nearest, std::min(last_before(first), band.front()), band.back()};
  return {size, "", task_.metric->name + " is not monotone in " + task_.key, detail()};
}

/// "it passes 0.5 first at 430, last at 434, and is within 0.1 % of it from 428 to 429".
std::string FirstCrossing::detail() const {
  auto close = band();
  std::erase_if(close, [&](double size) { return !is_close(size); });
  const auto last = this->last();
  std::string text = "it passes " + task_.value_text(task_.target) + " first at " + task_.size_text(first());
  if (last && *last != first()) text += ", last at " + task_.size_text(*last);
  const std::string share = short_number(100 * task_.tolerance) + " % of it";
  const std::string so_far = trials_.size() < kMostTrials ? "" : ", as far as " + std::to_string(kMostTrials) + " trials tell";
  if (close.empty()) return text + ", and is nowhere there within " + share + so_far;
  text += ", and is within " + share;
  if (close.size() == 1) return text + " at " + task_.size_text(close.front()) + so_far;
  const bool is_all = tried(close.front(), close.back()).size() == close.size();
  return text + (is_all ? " from " : " at some of the sizes from ") + task_.size_text(close.front()) + " to " +
         task_.size_text(close.back()) + so_far;
}

}  // namespace

std::size_t most_trials(const SizeTask& task) {
  return task.goal == SizeTask::Goal::equals ? kMostTrials : static_cast<std::size_t>(task.to - task.from) + 1;
}

std::unique_ptr<SizeSearch> search_for(const SizeTask& task) {
  if (task.goal == SizeTask::Goal::equals) return std::make_unique<FirstCrossing>(task);
  return std::make_unique<BestSize>(task);
}

}  // namespace nowsim
