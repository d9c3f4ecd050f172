// Offsets read and written; local times looked up on both sides of a change.
#include "sim/base/time_zone.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "sim/base/clock_moment.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

constexpr int kHourSeconds = 3600, kMinuteSeconds = 60;

/// A zone that is meant by its city alone, or misspelt; "" where nothing is near.
std::string meant_zone(const std::string& name) {
  const auto names = zone_names();
  const std::string city = "/" + lower_case(name);
  const auto is_its = [&](const std::string& zone) { return lower_case(zone).ends_with(city); };
  const auto found = std::ranges::find_if(names, is_its);
  return found != names.end() ? *found : nearest_name(name, names);
}

[[noreturn]] void refuse_zone(const std::string& name) {
  const std::string meant = meant_zone(name);
  const bool is_known_none = zone_names().empty();
  throw InputError("there is no zone " + quoted(name) +
                   (!meant.empty()  ? "; did you mean " + quoted(meant) + "?"
                    : is_known_none ? ": no tz database is here (Debian's package tzdata), so say an offset, such as +01:00"
                                    : "; zones are called as Europe/Berlin, or are an offset, such as +01:00"));
}

std::string clock_text(std::int64_t local_s) {
  static constexpr const char* kDays[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  const ClockMoment at = moment_at(static_cast<double>(local_s));
  const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{*at.day}}};
  const int minutes = static_cast<int>(at.of_day_s) / kMinuteSeconds;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%s %04d-%02u-%02u %02d:%02d", kDays[*at.weekday], static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), minutes / 60, minutes % 60);
  return buffer;
}

}  // namespace

std::optional<int> parse_utc_offset(std::string_view text) {
  if (text == "Z") return 0;
  if (text.empty() || (text.front() != '+' && text.front() != '-')) return std::nullopt;
  const int sign = text.front() == '-' ? -1 : 1;
  std::string digits(text.substr(1));
  if (digits.size() == 5 && digits[2] == ':') digits.erase(2, 1);
  if (digits.size() == 2) digits += "00";
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (digits.size() != 4 || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  const auto number = [&](std::size_t at) { return 10 * (digits[at] - '0') + (digits[at + 1] - '0'); };
  constexpr int kMostHours = 15;  // a little beyond what any country has had
  if (number(0) > kMostHours || number(2) > 59) return std::nullopt;
  return sign * (kHourSeconds * number(0) + kMinuteSeconds * number(2));
}

std::string utc_offset_text(int offset_s) {
  const int minutes = std::abs(offset_s) / kMinuteSeconds;
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%c%02d:%02d", offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
  return buffer;
}

std::string OffsetChange::text() const {
  const int by_s = std::abs(to_s - from_s), hours = by_s / kHourSeconds, minutes = by_s % kHourSeconds / kMinuteSeconds;
  std::string by = hours > 0 ? std::to_string(hours) + " h" : "";
  if (minutes > 0) by += (by.empty() ? "" : " ") + std::to_string(minutes) + " min";
  return "clocks are put " + std::string(to_s < from_s ? "back" : "forward") + " by " + by + " at " + clock_text(utc_s + from_s);
}

TimeZone TimeZone::named(const std::string& name) {
  TimeZone zone;
  if (name == "UTC" || name == "Z") return zone;
  zone.name_ = name;
  if (const auto fixed = parse_utc_offset(name)) {
    zone.fixed_s_ = *fixed;
    return zone;
  }
  zone.rules_ = find_zone(name);
  if (zone.rules_ == nullptr) refuse_zone(name);
  return zone;
}

TimeZone TimeZone::of_system() {
  const std::string name = system_zone_name();
  return name.empty() || name == "Etc/UTC" ? TimeZone() : named(name);
}

int TimeZone::offset_s(std::int64_t utc_s) const { return rules_ == nullptr ? fixed_s_ : span_at(*rules_, utc_s).offset_s; }

double TimeZone::local_s(double utc_s) const {
  return utc_s + offset_s(static_cast<std::int64_t>(std::floor(utc_s)));
}

LocalMoments TimeZone::moments_at(std::int64_t local_s) const {
  const int before_s = offset_s(local_s - kSecondsOfDay), behind_s = offset_s(local_s + kSecondsOfDay);
  const std::int64_t first_s = local_s - before_s, second_s = local_s - behind_s;
  const bool is_first = offset_s(first_s) == before_s, is_second = offset_s(second_s) == behind_s;
  if (first_s == second_s) return {1, first_s, first_s};
  if (is_first && is_second) return {2, first_s, second_s};
  if (!is_first && !is_second) return {0, first_s, second_s};
  const std::int64_t only_s = is_first ? first_s : second_s;
  return {1, only_s, only_s};
}

std::optional<OffsetChange> TimeZone::next_change(std::int64_t after_s, std::int64_t until_s) const {
  if (rules_ == nullptr) return std::nullopt;
  ZoneSpan span = span_at(*rules_, after_s);
  while (span.end_s <= until_s) {  // a zone's letters may change without its offset
    const ZoneSpan next = span_at(*rules_, span.end_s);
    if (next.offset_s != span.offset_s) return OffsetChange{next.begin_s, span.offset_s, next.offset_s};
    if (next.end_s <= span.end_s) return std::nullopt;
    span = next;
  }
  return std::nullopt;
}

}  // namespace nowsim
