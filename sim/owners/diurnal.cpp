// Scaling a path hour by hour, and the moments over all hours.
#include "sim/owners/diurnal.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/owners/owner_models.hpp"

namespace nowsim {
namespace {

std::string clock_text(double seconds, std::size_t hours) {
  static constexpr const char* kDays[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  const auto minutes = static_cast<long>(seconds / 60), day = minutes / 1440, of_day = minutes % 1440;
  const auto two = [](long n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  return (hours == kHoursOfWeek ? std::string(kDays[day]) + " " : "") + two(of_day / 60) + ":" + two(of_day % 60);
}

std::size_t hour_of(double start_s, std::size_t hours) {
  return std::min(static_cast<std::size_t>(start_s / kHour_s), hours - 1);
}

/// Calls f(hour, from_s, to_s) for each part of so many seconds that is in one hour of the pattern.
template <class F>
void for_hours(std::size_t hours, double start_s, double seconds, F f) {
  auto hour = hour_of(start_s, hours);
  double end_s = static_cast<double>(hour + 1) * kHour_s - start_s;
  for (double from_s = 0; from_s < seconds; from_s = end_s, end_s += kHour_s, hour = (hour + 1) % hours)
    f(hour, from_s, std::min(end_s, seconds));
}

HourLaw law_of(double mean, double base_mean) {
  if (mean <= base_mean) return {0, base_mean > 0 ? mean / base_mean : 0};
  const double scale = (1 - mean) / (1 - base_mean);
  return {1 - scale, scale};
}

void check(const Owner& base, const DiurnalPattern& pattern) {
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
  return jobs_owner(jobs_by_hour(base.shared_source(), pattern, base.cores()), base.discipline(), base.cores(), label,
                    "diurnal start=" + diurnal_text(pattern) + " over " + base.identity(), base.start());
}

}  // namespace

OwnerHours::OwnerHours(DiurnalPattern pattern_, const OwnerMoments& below) : pattern(std::move(pattern_)) {
  const auto& means = pattern.mean_by_hour;
  for (const double of_hour : means) laws.push_back(law_of(of_hour, below.mean));
  const auto n = static_cast<double>(laws.size());
  mean = std::accumulate(means.begin(), means.end(), 0.0) / n;
  double variance = 0;  // within the hours and between them
  for (std::size_t h = 0; h < laws.size(); ++h) {
    const double within = laws[h].scale * below.sd, between = means[h] - mean;
    variance += (within * within + between * between) / n;
  }
  sd = std::sqrt(variance);
}

std::shared_ptr<const OwnerHours> OwnerHours::opposite() const {
  auto other = std::make_shared<OwnerHours>(*this);
  other->is_opposite = !is_opposite;
  return other;
}

std::shared_ptr<const OwnerHours> OwnerHours::over(const OwnerMoments& below) const {
  auto other = std::make_shared<OwnerHours>(pattern, below);
  other->is_opposite = is_opposite;
  return other;
}

std::pair<std::shared_ptr<const OwnerHours>, OwnerSight> OwnerHours::under_way(const OwnerSight& sight) const {
  auto later = std::make_shared<OwnerHours>(*this);
  const double start_s = std::fmod(*pattern.start_s + sight.elapsed_s, static_cast<double>(laws.size()) * kHour_s);
  later->pattern.start_s = start_s;
  OwnerSight below = sight;
  if (sight.availability) {
    const HourLaw& law = laws[hour_of(start_s, laws.size())];
    if (law.scale > 0) below.availability = std::clamp((*sight.availability - law.shift) / law.scale, 0.0, 1.0);
    else below.availability.reset();
  }
  return {std::move(later), below};
}

/// What is seen of the owner below, or its own clock, counts for some days.
std::optional<double> OwnerHours::expected_left_s(double seconds,
                                                  const std::function<std::optional<double>(double)>& below) const {
  if (!pattern.start_s) return std::nullopt;
  constexpr double kDays = 10;
  if (seconds > kDays * kHoursOfDay * kHour_s || !below(seconds))
    return integral_by_hour(pattern.mean_by_hour, *pattern.start_s, seconds);
  double sum_s = 0, below_s = 0;
  for_hours(laws.size(), *pattern.start_s, seconds, [&](std::size_t hour, double from_s, double to_s) {
    const double until_s = *below(to_s);
    sum_s += laws[hour].shift * (to_s - from_s) + laws[hour].scale * (until_s - std::exchange(below_s, until_s));
  });
  return sum_s;
}

std::string OwnerHours::text() const {
  return ", diurnal by " + std::to_string(laws.size()) + " hours mean=" + short_number(mean) +
         " start=" + (pattern.start_s ? clock_text(*pattern.start_s, laws.size()) : "random");
}

std::unique_ptr<Path> path_by_hour(std::unique_ptr<Path> below, std::shared_ptr<const OwnerHours> hours,
                                   const StreamKey& key) {
  const double start_s = diurnal_start_s(hours->pattern, key, hours->is_opposite);
  const std::size_t first = hour_of(start_s, hours->laws.size());
  return drawn_path([below = std::move(below), hours = std::move(hours), hour = first,
                     hour_left_s = static_cast<double>(first + 1) * kHour_s - start_s,
                     step = Step{0, 0}]() mutable {  // what is left of the step below
    while (!(step.duration_s > 0)) step = below->next();
    if (!(hour_left_s > 0)) {
      hour = (hour + 1) % hours->laws.size();
      hour_left_s = kHour_s;
    }
    const double duration = std::min(step.duration_s, hour_left_s);
    const HourLaw& law = hours->laws[hour];
    step.duration_s -= duration;
    hour_left_s -= duration;
    return Step{duration, std::clamp(law.shift + law.scale * step.value, 0.0, 1.0)};
  });
}

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
  Owner by_hour = *base;
  by_hour.hours = std::make_shared<OwnerHours>(std::move(pattern), base->moments());
  return std::make_shared<const Owner>(std::move(by_hour));
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
