// Scaling a path hour by hour, and the moments over all hours.
#include "sim/owners/diurnal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/begun_owner.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/owners/recorded_owner.hpp"

namespace nowsim {
namespace {

std::string clock_text(double seconds, std::size_t hours) {
  static constexpr const char* kDays[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  const auto minutes = static_cast<long>(seconds / 60), day = minutes / 1440, of_day = minutes % 1440;
  const auto two = [](long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  return (hours == kHoursOfWeek ? std::string(kDays[day]) + " " : "") + two(of_day / 60) + ":" + two(of_day % 60);
}

/// Calls f(hour, from_s, to_s) for each part of so many seconds that is in one hour of the pattern.
template <class F>
void for_hours(std::size_t hours, double start_s, double seconds, F f) {
  auto hour = std::min(static_cast<std::size_t>(start_s / kHour_s), hours - 1);
  double end_s = static_cast<double>(hour + 1) * kHour_s - start_s;
  for (double from_s = 0; from_s < seconds; from_s = end_s, end_s += kHour_s, hour = (hour + 1) % hours)
    f(hour, from_s, std::min(end_s, seconds));
}

/// A = shift + scale·B.
struct HourLaw {
  double shift, scale;
};

HourLaw law_of(double mean, double base_mean) {
  if (mean <= base_mean) return {0, base_mean > 0 ? mean / base_mean : 0};
  const double scale = (1 - mean) / (1 - base_mean);
  return {1 - scale, scale};
}

class DiurnalPath final : public Path {
 public:
  /// `laws` outlive the path.
  DiurnalPath(std::unique_ptr<Path> base, const std::vector<HourLaw>& laws, double start_s)
      : Path(kLeastAvailability), base_(std::move(base)), laws_(&laws) {
    hour_ = std::min(static_cast<std::size_t>(start_s / kHour_s), laws.size() - 1);
    hour_left_s_ = static_cast<double>(hour_ + 1) * kHour_s - start_s;
  }

 private:
  Step draw() override {
    while (!(step_.duration_s > 0)) step_ = base_->next();
    if (!(hour_left_s_ > 0)) {
      hour_ = (hour_ + 1) % laws_->size();
      hour_left_s_ = kHour_s;
    }
    const double duration = std::min(step_.duration_s, hour_left_s_);
    const HourLaw& law = (*laws_)[hour_];
    step_.duration_s -= duration;
    hour_left_s_ -= duration;
    return {duration, std::clamp(law.shift + law.scale * step_.value, 0.0, 1.0)};
  }
  std::unique_ptr<Path> base_;
  const std::vector<HourLaw>* laws_;
  std::size_t hour_;
  double hour_left_s_;
  Step step_{0, 0};  ///< what is left of the base's
};

class DiurnalOwner final : public OwnerModel, public RecordedOwner {
 public:
  /// `is_opposite`: where the start is random, it is half a week from where it otherwise were.
  DiurnalOwner(OwnerPtr base, DiurnalPattern pattern, bool is_opposite = false)
      : base_(std::move(base)), pattern_(std::move(pattern)), is_opposite_(is_opposite) {
    for (const double mean : pattern_.mean_by_hour) laws_.push_back(law_of(mean, base_->mean()));
    const auto n = static_cast<double>(laws_.size());
    const auto& means = pattern_.mean_by_hour;
    mean_ = std::accumulate(means.begin(), means.end(), 0.0) / n;
    double variance = 0;  // within the hours and between them
    for (std::size_t h = 0; h < laws_.size(); ++h) {
      const double within = laws_[h].scale * base_->sd(), between = means[h] - mean_;
      variance += (within * within + between * between) / n;
    }
    sd_ = std::sqrt(variance);
  }

  std::unique_ptr<Path> path(const StreamKey& key) const override {
    if (mean_ == 0) return constant_path(0);
    return std::make_unique<DiurnalPath>(base_->path(key), laws_, diurnal_start_s(pattern_, key, is_opposite_));
  }
  double mean() const override { return mean_; }
  double sd() const override { return sd_; }
  /// What is seen of the model below, or its own clock, counts for some days.
  std::optional<double> expected_left_s(double seconds) const override {
    if (!pattern_.start_s) return std::nullopt;
    constexpr double kDays = 10;
    if (seconds > kDays * kHoursOfDay * kHour_s || !base_->expected_left_s(seconds))
      return integral_by_hour(pattern_.mean_by_hour, *pattern_.start_s, seconds);
    double sum_s = 0, below_s = 0;
    for_hours(laws_.size(), *pattern_.start_s, seconds, [&](std::size_t hour, double from_s, double to_s) {
      const double until_s = *base_->expected_left_s(to_s);
      sum_s += laws_[hour].shift * (to_s - from_s) + laws_[hour].scale * (until_s - std::exchange(below_s, until_s));
    });
    return sum_s;
  }
  double replayed_after_s() const override { return base_->replayed_after_s(); }
  bool begins_at_random() const override { return base_->begins_at_random(); }
  /// The base's: every hour's A rises with B. A dedicated machine has nothing to mirror. A random clock stands half a
  /// week further, still the same for all workstations: two runs from about the same hour would have more in common than
  /// mirrored owners take away.
  OwnerPtr reflected() const override {
    const OwnerPtr other = base_->is_dedicated() ? base_ : base_->reflected();
    return other ? std::make_shared<const DiurnalOwner>(other, pattern_, !is_opposite_) : nullptr;
  }
  bool is_measured() const override { return base_->is_measured(); }
  std::vector<Measurement> measurements() const override { return base_->measurements(); }
  OwnerPtr as_drawn(std::uint64_t seed, const FitDraw& draw) const override {
    const OwnerPtr base = base_->as_drawn(seed, draw);
    if (!base) return nullptr;
    auto drawn = std::make_shared<DiurnalOwner>(*this);
    drawn->base_ = base;  // the hours' laws stay: what a draw leaves less of is less in every hour
    return drawn;
  }
  /// What is seen is of the hour; where that is random, nothing can be said of the model below.
  OwnerPtr under_way(const OwnerSight& sight) const override {
    if (!pattern_.start_s) return nullptr;
    auto later = std::make_shared<DiurnalOwner>(*this);
    const double start_s = std::fmod(*pattern_.start_s + sight.elapsed_s, static_cast<double>(laws_.size()) * kHour_s);
    later->pattern_.start_s = start_s;
    OwnerSight below = sight;
    if (sight.availability) {
      const HourLaw& law = laws_[std::min(static_cast<std::size_t>(start_s / kHour_s), laws_.size() - 1)];
      if (law.scale > 0) below.availability = std::clamp((*sight.availability - law.shift) / law.scale, 0.0, 1.0);
      else below.availability.reset();
    }
    later->base_ = owner_under_way(base_, below);
    return later;
  }
  std::optional<RecordedSeries> recording() const override {
    const RecordedOwner* recorded = recorded_owner(*base_);
    return recorded == nullptr ? std::nullopt : recorded->recording();
  }
  std::uint64_t content_hash() const override { return recorded_owner(*base_)->content_hash(); }
  OwnerPtr replayed_together(const ClockSpans& kept, std::uint64_t set, SharedParts& shared) const override {
    const OwnerPtr base = recorded_owner(*base_)->replayed_together(kept, set, shared);
    return base ? std::make_shared<const DiurnalOwner>(base, pattern_, is_opposite_) : nullptr;
  }
  std::string in_common() const override {
    const std::string common = base_->in_common();
    return common.empty() ? "clock" : common;
  }
  std::string describe() const override {
    return base_->describe() + ", diurnal by " + std::to_string(laws_.size()) + " hours mean=" + short_number(mean_) +
           " start=" + (pattern_.start_s ? clock_text(*pattern_.start_s, laws_.size()) : "random");
  }
  std::string identity() const override {
    std::string text = "diurnal start=" + (pattern_.start_s ? number_text(*pattern_.start_s) : "random");
    if (is_opposite_) text += " opposite";
    for (const double mean : pattern_.mean_by_hour) text += " " + number_text(mean);
    return text + " over " + base_->identity();
  }

 private:
  OwnerPtr base_;
  DiurnalPattern pattern_;
  bool is_opposite_;
  std::vector<HourLaw> laws_;  ///< by hour
  double mean_ = 0, sd_ = 0;
};

void check(const OwnerModel& base, const DiurnalPattern& pattern) {
  const std::size_t n = pattern.mean_by_hour.size();
  if (base.jobs() != nullptr && std::isfinite(base.replayed_after_s()))
    throw InputError("a log of owner jobs says itself at which hours they come: no pattern can be laid over it");
  if (n != kHoursOfDay && n != kHoursOfWeek)
    throw InputError("a pattern has 24 mean availabilities, one per hour of a day, or 168, of a week; not " +
                     std::to_string(n));
  for (const double mean : pattern.mean_by_hour)
    if (!(mean >= 0 && mean <= 1))
      throw InputError("an hour's mean availability must be in [0, 1], not " + short_number(mean));
  const double start = pattern.start_s.value_or(0);
  if (!(start >= 0 && start < static_cast<double>(n) * kHour_s))
    throw InputError("a job starts within the pattern's " + std::to_string(n) + " hours, not at " +
                     short_number(start) + " s");
}

/// Owner jobs that come by the hour.
OwnerPtr diurnal_jobs(const OwnerJobs& base, const DiurnalPattern& pattern) {
  const auto& means = pattern.mean_by_hour;
  if (std::ranges::all_of(means, [](double mean) { return mean == 1; })) return dedicated_owner();
  const std::string label = base.plain_label() + ", diurnal by " + std::to_string(means.size()) + " hours start=" +
                            (pattern.start_s ? clock_text(*pattern.start_s, means.size()) : "random");
  return std::make_shared<const OwnerJobs>(jobs_by_hour(base.shared_source(), pattern, base.cores()), base.discipline(),
                                           base.cores(), label,
                                           "diurnal start=" + diurnal_text(pattern) + " over " + base.identity(), base.start());
}

}  // namespace

/// Workstations with a pattern by day and by week share the clock: the moment is always one of a week.
double diurnal_start_s(const DiurnalPattern& pattern, const StreamKey& key, bool opposite) {
  if (pattern.start_s) return *pattern.start_s;
  const double week = static_cast<double>(kHoursOfWeek) * kHour_s;
  const double moment = week * Stream({key.seed, key.replication, kAllWorkstations, Purpose::clock}).uniform();
  return std::fmod(moment + (opposite ? 0.5 * week : 0), static_cast<double>(pattern.mean_by_hour.size()) * kHour_s);
}

double integral_by_hour(const std::vector<double>& by_hour, double start_s, double seconds) {
  const double round_s = static_cast<double>(by_hour.size()) * kHour_s, rounds = std::floor(seconds / round_s);
  double sum = rounds > 0 ? rounds * kHour_s * std::accumulate(by_hour.begin(), by_hour.end(), 0.0) : 0;
  for_hours(by_hour.size(), start_s, seconds - rounds * round_s,
            [&](std::size_t hour, double from_s, double to_s) { sum += by_hour[hour] * (to_s - from_s); });
  return sum;
}

std::string diurnal_text(const DiurnalPattern& pattern) {
  std::string text = pattern.start_s ? number_text(*pattern.start_s) : "random";
  for (const double mean : pattern.mean_by_hour) text += " " + number_text(mean);
  return text;
}

OwnerPtr diurnal_owner(OwnerPtr base, DiurnalPattern pattern) {
  check(*base, pattern);
  if (const OwnerJobs* jobs = base->jobs()) return diurnal_jobs(*jobs, pattern);
  return std::make_shared<const DiurnalOwner>(std::move(base), std::move(pattern));
}

OwnerModelInfo diurnal_pattern() {
  static constexpr Bounds kAvailability{0, 1};
  const auto hours = [](const char* name, std::optional<std::string> fallback, const char* help) {
    return Key{std::string("diurnal.") + name, KeyType::share, std::move(fallback), help, kAvailability, {}, true};
  };
  return {"diurnal",
          "over any model: mean availability by hour of the day or week, on a clock that all share; jobs come so often",
          {hours("hours", kMustBeGiven, "24 from midnight, or 168 from Monday's; or give weekdays"),
           hours("weekdays", kMustBeGiven, "24 of each weekday; or give hours"),
           hours("saturday", "", "24 of Saturday; as on weekdays where it is not given"),
           hours("sunday", "", "24 of Sunday; likewise"),
           {"diurnal.start", KeyType::text, "random", "when the job starts: \"Mon 18:00\", 18h, or random"}},
          nullptr};
}

}  // namespace nowsim
