// Series by the clock on the wall, and habits as keys and sentences.
#include "experiments/driver/points/fitted_habits.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr std::int64_t kFirstMonday = 4;  // 5 January 1970, in days since 1970

/// "[0.1, 0.3]", in three digits.
std::string short_list(const std::vector<double>& values, const char* unit = "") {
  Words texts;
  for (const double value : values) texts.push_back(fmt::format("{:.3g}{}", value, unit));
  return "[" + joined(texts) + "]";
}

/// One for all parts where they are alike.
template <class Of>
std::string parts_text(const HabitsLayer& layer, const Of& of, const char* unit = "") {
  std::vector<double> values;
  for (const HabitsPart& part : layer.parts) values.push_back(of(part));
  if (std::ranges::count(values, values.front()) == std::ssize(values)) values.resize(1);
  return values.size() == 1 ? fmt::format("{:.3g}{}", values.front(), unit) : short_list(values, unit);
}

std::vector<std::pair<std::string, std::string>> layer_keys(const HabitsLayer& layer, const std::vector<double>& level_se) {
  const auto day = [&](std::size_t weekday) {
    const auto begin = layer.mean_by_hour.begin() + static_cast<std::ptrdiff_t>(weekday * kHoursOfDay);
    return std::vector<double>(begin, begin + kHoursOfDay);
  };
  constexpr std::size_t kSaturday = 5, kSunday = 6;
  std::vector<std::pair<std::string, std::string>> keys{{"weekdays", short_list(day(0))}};
  if (day(kSaturday) != day(0)) keys.emplace_back("saturday", short_list(day(kSaturday)));
  if (day(kSunday) != day(0)) keys.emplace_back("sunday", short_list(day(kSunday)));
  if (!layer.turns_s.empty()) {
    std::vector<double> hours;
    for (const double turn_s : layer.turns_s) hours.push_back(turn_s / kHour_s);
    keys.emplace_back("turns", short_list(hours, "h"));
    keys.emplace_back("slow", parts_text(layer, [](const HabitsPart& p) { return p.slow; }));
  }
  keys.emplace_back("interval", parts_text(layer, [](const HabitsPart& p) { return p.interval_s; }, "s"));
  const auto are_some = [&](double HabitsPart::*of) {
    return std::ranges::any_of(layer.parts, [of](const HabitsPart& p) { return p.*of > 0; });
  };
  if (are_some(&HabitsPart::common)) keys.emplace_back("common", parts_text(layer, [](const HabitsPart& p) { return p.common; }));
  if (are_some(&HabitsPart::slow_common)) keys.emplace_back("slow_common", parts_text(layer, [](const HabitsPart& p) { return p.slow_common; }));
  keys.emplace_back("level_se", short_list(level_se));
  return keys;
}

std::string hours_text(double seconds) { return fmt::format("{:02.0f}:00", seconds / kHour_s); }

std::string about_days(const HabitsFit& fit) {
  const auto days = [](std::size_t n, const char* one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); };
  std::string text = "on days that were held out the hour of the day explains " + fmt::format("{:.0f}", 100 * fit.explained) +
                     " % of how the mean of all machines varies from hour to hour (" + days(fit.working_days, "working day");
  if (fit.saturdays > 0) text += ", " + days(fit.saturdays, "Saturday");
  if (fit.sundays > 0) text += ", " + days(fit.sundays, "Sunday");
  text += "): the owner block has the pattern, ";
  if (fit.kinds == DayKinds::three) return text + "Saturdays, Sundays and other days each with their own";
  if (fit.kinds == DayKinds::working_and_free) return text + "Saturdays and Sundays with one of their own";
  if (fit.saturdays + fit.sundays == 0) return text + "which Saturdays and Sundays are taken to have too, for there are none in it";
  return text + "the same on all days";
}

std::string about_layer(const FittedLayer& layer) {
  const HabitsLayer& one = layer.machines.front();
  const std::string what = layer.block == "present" ? "whether a machine is there"
                           : layer.block == "comes" ? "whether it comes at all on a day"
                           : layer.block == "left"  ? "whether a job was left on it, for six hours and more"
                                                    : "what a machine leaves";
  Words texts;
  for (std::size_t k = 0; k < one.parts.size(); ++k) {
    const HabitsPart& p = one.parts[k];
    std::string text = one.turns_s.empty()      ? "at any time of the day"
                       : one.turns_s.size() == 1 ? "from " + hours_text(one.turns_s[0]) + " to the same hour of the next day"
                                                 : "from " + hours_text(one.turns_s[k]) + " to " + hours_text(one.turns_s[1 - k]);
    text += ": ";
    if (p.slow > 0) text += fmt::format("{:.0f} % of what varies stays for all of that time", 100 * p.slow);
    if (p.slow > 0 && p.slow < 1) text += ", the rest ";
    if (p.slow < 1) text += "changes every " + duration_text(std::round(p.interval_s / 60) * 60);
    if (p.slow * p.slow_common + (1 - p.slow) * p.common > 0.05)
      text += fmt::format("; machines share {:.0f} %", 100 * (p.slow * p.slow_common + (1 - p.slow) * p.common));
    texts.push_back(text);
  }
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : "; ") + text;
  return what + ", around the hour's mean: " + all;
}

}  // namespace

std::optional<ClockedSeries> clocked(const LoadSeries& series, const TimeZone& zone) {
  const auto first = wall_clock(series.first, &zone);
  if (!first || !first->day) return std::nullopt;
  ClockedSeries out{&series, static_cast<double>(*first->day - kFirstMonday) * kDay_s + first->of_day_s, {}};
  if (series.first.kind == StampKind::civil) return out;  // the clock that it is by is not known to change
  const std::int64_t from_s = series.first.whole_s + static_cast<std::int64_t>(std::floor(series.first.rest_s)),
                     until_s = from_s + static_cast<std::int64_t>(series.clock_end_s());
  double shift_s = 0;
  for (auto change = zone.next_change(from_s, until_s); change; change = zone.next_change(change->utc_s, until_s)) {
    shift_s += change->to_s - change->from_s;
    out.put_on.push_back({static_cast<double>(change->utc_s - from_s), shift_s});
  }
  return out;
}

HabitsAnswer fit_habits_of(std::vector<FittedHost>& hosts, const TimeZone& zone, const std::vector<std::int64_t>& held_out) {
  std::vector<ClockedSeries> series;
  for (const auto& host : hosts) {
    const auto one = clocked(host.trace, zone);
    if (!one) return {std::nullopt, "stamps that are seconds from a beginning of their own do not say at which hour of which day that was"};
    series.push_back(*one);
  }
  HabitsAnswer answer = fit_habits(series, held_out);
  if (!answer.fit) return answer;
  for (std::size_t m = 0; m < hosts.size(); ++m) {
    hosts[m].habits = FittedHabits{{}, {}, {}, answer.fit->worth};
    for (const FittedLayer& layer : answer.fit->layers) {
      hosts[m].habits->blocks.push_back(layer.block);
      hosts[m].habits->layers.push_back(layer.machines[m]);
      hosts[m].habits->level_se.push_back(layer.level_se);
    }
  }
  return answer;
}

std::vector<std::pair<std::string, std::string>> habits_keys(const FittedHabits& habits) {
  std::vector<std::pair<std::string, std::string>> keys{{"model", "habits"}, {"values", short_list(habits.layers.front().values)}};
  for (auto& key : layer_keys(habits.layers.front(), habits.level_se.front())) keys.push_back(std::move(key));
  for (std::size_t l = 1; l < habits.layers.size(); ++l) {
    Words entries;
    if (const double least = habits.layers[l].values.front(); least > 0) entries.push_back("value: " + fmt::format("{:.3g}", least));
    for (const auto& [key, value] : layer_keys(habits.layers[l], habits.level_se[l])) entries.push_back(key + ": " + value);
    keys.emplace_back(habits.blocks[l], "{" + joined(entries) + "}");
  }
  keys.emplace_back("worth", fmt::format("{:.3g}", habits.worth));
  return keys;
}

std::vector<std::string> habits_sentences(const HabitsAnswer& answer) {
  if (!answer.fit) return {"no habits by the hour are told: " + answer.why_not};
  std::vector<std::string> out{about_days(*answer.fit)};
  for (const FittedLayer& layer : answer.fit->layers) out.push_back(about_layer(layer));
  return out;
}

}  // namespace nowsim
