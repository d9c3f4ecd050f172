// Looking back over a period, down to the first crossing, and up over the band.
#include "experiments/driver/sweeps/first_crossing.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr double kMostLooks = 16;   // over a period: all sizes of up to so many machines that are alike
constexpr double kLeastPeriod = 1e-6;  // of the size: less makes no difference, as of a job's flop
constexpr double kSameLevel = 1e-9;  // values that differ by less, by the target, are one: rounding of the engines

bool is_exact(const SizeTrial& trial) {
  const double rounding = kSameLevel * std::abs(trial.value.value);
  return trial.value.high - trial.value.value <= rounding && trial.value.value - trial.value.low <= rounding;
}

}  // namespace

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

}  // namespace nowsim
