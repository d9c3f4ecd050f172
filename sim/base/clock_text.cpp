// Words of a moment taken apart; days counted on or back to the one that is meant.
#include "sim/base/clock_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

using Day = ClockText::Day;

constexpr double kDayLength_s = static_cast<double>(kSecondsOfDay);

[[noreturn]] void refuse(std::string_view text, const std::string& why) { throw InputError(quoted(text) + why); }

[[noreturn]] void refuse_text(std::string_view text) {
  refuse(text,
         " is no moment by the clock, such as '18:00', 'fri 20:00' or '2026-12-01 18:00'; a day has 24 hours, from 00:00 "
         "to 23:59");
}

/// Digits where the pattern has a '0', else its own character.
bool is_like(std::string_view text, std::string_view pattern) {
  return std::ranges::equal(text, pattern, [](char c, char p) { return p == '0' ? c >= '0' && c <= '9' : c == p; });
}

int number_at(std::string_view text, std::size_t at, std::size_t count) {
  int n = 0;
  for (const char c : text.substr(at, count)) n = 10 * n + (c - '0');
  return n;
}

constexpr std::string_view kDate = "0000-00-00";

/// 0 for Monday; nothing for what is no day. Three letters are enough.
std::optional<int> weekday_named(std::string_view word) {
  static constexpr std::string_view kDays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                               "friday", "saturday", "sunday"};
  const std::string low = lower_case(std::string(word));
  for (int day = 0; day < 7; ++day)
    if (low.size() >= 3 && kDays[day].starts_with(low)) return day;
  return std::nullopt;
}

std::optional<int> days_from_today(std::string_view word) {
  static constexpr std::pair<std::string_view, int> kDays[] = {{"yesterday", -1}, {"today", 0}, {"tomorrow", 1}};
  for (const auto& [name, days] : kDays)
    if (name == lower_case(std::string(word))) return days;
  return std::nullopt;
}

/// Days since 1970. @param text the whole, for a message.
std::int64_t day_of(std::string_view date, std::string_view text) {
  using namespace std::chrono;
  const year_month_day said{year{number_at(date, 0, 4)}, month{static_cast<unsigned>(number_at(date, 5, 2))},
                            day{static_cast<unsigned>(number_at(date, 8, 2))}};
  if (!said.ok()) refuse(text, ": there is no day " + std::string(date));
  return sys_days{said}.time_since_epoch().count();
}

/// "18:00", "8:00", "18:00:30" as seconds since midnight; nothing for what is no time of day.
std::optional<double> time_of_day(std::string_view word) {
  const std::string padded = (word.find(':') == 1 ? "0" : "") + std::string(word);
  const bool has_seconds = is_like(padded, "00:00:00");
  if (!has_seconds && !is_like(padded, "00:00")) return std::nullopt;
  const int hours = number_at(padded, 0, 2), minutes = number_at(padded, 3, 2), s = has_seconds ? number_at(padded, 6, 2) : 0;
  if (hours > 23 || minutes > 59 || s > 59) return std::nullopt;
  return 3600.0 * hours + 60.0 * minutes + s;
}

std::vector<std::string> words_of(std::string_view text) {
  std::string plain(text);
  if (plain.size() > kDate.size() && plain[kDate.size()] == 'T' && is_like(text.substr(0, kDate.size()), kDate))
    plain[kDate.size()] = ' ';
  std::vector<std::string> words;
  std::string_view rest = plain;
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) words.emplace_back(word);
  return words;
}

/// Takes the day that a word names; whether it names one.
bool take_day(const std::string& word, std::string_view text, ClockText& said) {
  if (said.day != Day::open) return false;
  if (is_like(word, kDate)) said.day = Day::date, said.number = day_of(word, text);
  else if (const auto weekday = weekday_named(word)) said.day = Day::weekday, said.number = *weekday;
  else if (const auto days = days_from_today(word)) said.day = Day::from_today, said.number = *days;
  return said.day != Day::open;
}

/// Takes a time of day, and an offset right behind it; whether it is one.
bool take_time(const std::string& word, ClockText& said) {
  if (said.of_day_s) return false;
  const auto end = word.find_first_of("+-Z");
  said.of_day_s = time_of_day(std::string_view(word).substr(0, end));
  if (!said.of_day_s || end == std::string::npos) return said.of_day_s.has_value();
  said.zone = word.substr(end);
  return parse_utc_offset(said.zone).has_value();
}

TimeZone zone_of(const ClockText& said, const TimeZone& otherwise) {
  return said.zone.empty() ? otherwise : TimeZone::named(said.zone);
}

/// The moment on a day; where clocks show it twice the second one, if only that is no earlier than another.
double on_day(const LocalMoments& found, double from_s) {
  const auto first_s = static_cast<double>(found.first_s);
  const auto second_s = static_cast<double>(found.second_s);
  return first_s < from_s && second_s >= from_s ? second_s : first_s;
}

std::int64_t local_day(double utc_s, const TimeZone& zone) {
  return static_cast<std::int64_t>(std::floor(zone.local_s(utc_s) / kDayLength_s));
}

/// @param step 1 for the next such moment, -1 for the last one.
double nearest_moment(const ClockText& said, std::string_view text, const ClockContext& context, int step) {
  if (!said.of_day_s) return context.now_s;
  const TimeZone zone = zone_of(said, context.zone);
  const double at_least_s = step > 0 ? context.from_s : -kInfinity;
  const auto moments = [&](std::int64_t day) { return zone.moments_at(day * kSecondsOfDay + static_cast<std::int64_t>(*said.of_day_s)); };
  const auto at = [&](std::int64_t day) {
    const LocalMoments found = moments(day);
    if (found.count == 0) refuse(text, " is never: in " + zone.name() + " clocks are put forward over it");
    return on_day(found, at_least_s);
  };
  if (said.day == Day::date) return at(said.number);
  if (said.day == Day::from_today) return at(local_day(context.now_s, zone) + said.number);
  std::int64_t day = local_day(context.from_s, zone);
  const bool is_any = said.day == Day::open;
  while (!is_any && weekday_of(day) != said.number) day += step;
  const double first_s = on_day(moments(day), at_least_s);
  const bool is_over = step > 0 ? first_s < context.from_s : first_s > context.from_s;
  return at(is_over ? day + step * (is_any ? 1 : 7) : day);
}

std::string date_text(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()));
  return text;
}

std::string time_text(double of_day_s, bool with_seconds) {
  const int s = static_cast<int>(of_day_s);
  char text[32];
  if (with_seconds) std::snprintf(text, sizeof text, "%02d:%02d:%02d", s / 3600, s / 60 % 60, s % 60);
  else std::snprintf(text, sizeof text, "%02d:%02d", s / 3600, s / 60 % 60);
  return text;
}

constexpr const char* kDayNames[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

/// From a moment of the clock on the wall, to the minute or the second.
std::string written(double local_s, bool with_date, bool with_seconds) {
  const ClockMoment at = moment_at(local_s);
  return std::string(kDayNames[*at.weekday]) + (with_date ? " " + date_text(*at.day) : "") + " " +
         time_text(at.of_day_s, with_seconds);
}

constexpr double kShort_s = 600;  // less from the beginning is told with seconds

/// To whole minutes, or seconds, as durations are told.
double rounded(double seconds, double unit_s) { return std::round(seconds / unit_s) * unit_s; }

}  // namespace

bool is_about_clock(std::string_view text) {
  const auto words = words_of(text);
  if (words.empty()) return false;
  const std::string& first = words.front();
  return text.find(':') != text.npos || lower_case(first) == "now" || is_like(first, kDate) || weekday_named(first) ||
         days_from_today(first);
}

ClockText read_clock_text(std::string_view text) {
  const auto words = words_of(text);
  ClockText said;
  if (words.size() == 1 && lower_case(words.front()) == "now") return said;
  for (const auto& word : words) {
    if (take_day(word, text, said) || take_time(word, said)) continue;
    if (!said.of_day_s || !said.zone.empty()) refuse_text(text);
    said.zone = word;
  }
  if (!said.of_day_s && said.day != Day::open)
    refuse(text, " leaves open at what time: '" + std::string(text) + " 18:00', say");
  if (!said.of_day_s) refuse_text(text);
  return said;
}

ClockMoment lasting_moment(const ClockText& said, std::string_view text) {
  if (!said.zone.empty()) static_cast<void>(TimeZone::named(said.zone));
  if (!said.of_day_s || said.day == Day::from_today)
    refuse(text, " depends on when it is read: give a weekday or a date, such as 'fri 20:00' or '2026-12-01 18:00'");
  ClockMoment moment = said.day == Day::date ? moment_on(said.number, *said.of_day_s) : ClockMoment{*said.of_day_s};
  if (said.day == Day::weekday) moment.weekday = static_cast<int>(said.number);
  moment.zone = said.zone;
  return moment;
}

std::string clock_moment_text(const ClockMoment& moment) {
  const std::string time = time_text(moment.of_day_s, std::fmod(moment.of_day_s, 60) != 0) + (moment.zone.empty() ? "" : " " + moment.zone);
  if (moment.day) return date_text(*moment.day) + " " + time;
  return (moment.weekday ? std::string(kDayNames[*moment.weekday]) + " " : "") + time;
}

double moment_of(const ClockText& said, std::string_view text, const ClockContext& context) {
  return nearest_moment(said, text, context, 1);
}

double moment_before(const ClockText& said, std::string_view text, const ClockContext& context) {
  return nearest_moment(said, text, context, -1);
}

ClockMoment WallClock::moment() const {
  ClockMoment moment = moment_at(local_s(0));
  if (zone.name() != TimeZone().name()) moment.zone = zone.name();
  return moment;
}

std::string WallClock::text(double elapsed_s) const {
  constexpr double kWeek_s = 7 * kDayLength_s;
  const bool is_short = std::abs(elapsed_s) < kShort_s;
  return written(rounded(local_s(elapsed_s), is_short ? 1 : 60), std::abs(elapsed_s) >= kWeek_s - kDayLength_s, is_short);
}

std::string WallClock::full_text(double elapsed_s) const {
  const double clock_s = local_s(elapsed_s);
  const bool with_seconds = std::fmod(clock_s, 60) != 0 && std::abs(elapsed_s) < kShort_s;
  return written(rounded(clock_s, with_seconds ? 1 : 60), true, with_seconds);
}

std::string WallClock::iso(double elapsed_s) const {
  const double utc_s = rounded(start_s + elapsed_s, 1);
  const int offset_s = zone.offset_s(static_cast<std::int64_t>(utc_s));
  const std::string told = written(utc_s + offset_s, true, true);  // "Sat 2026-12-05 08:00:00"
  return told.substr(4, kDate.size()) + "T" + told.substr(5 + kDate.size()) + utc_offset_text(offset_s);
}

std::string WallClock::change_text(double elapsed_s) const {
  const auto at = static_cast<std::int64_t>(std::floor(start_s));
  const auto change = zone.next_change(at, at + static_cast<std::int64_t>(std::ceil(elapsed_s)));
  return change ? change->text() + " in " + zone.name() : "";
}

double clock_now_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::floor(std::chrono::duration<double>(now).count());
}

}  // namespace nowsim
