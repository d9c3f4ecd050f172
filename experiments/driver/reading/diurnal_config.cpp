// The block `diurnal:` within an owner's: hours as lists by day or by week, and a start by the clock.
#include "experiments/driver/reading/owner_config.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"

namespace nowsim {
namespace {

const std::string kStart = "diurnal.start";

/// A list of `wanted` means (or of another number that `or_else` says); empty after a problem.
std::vector<double> read_hours(Reader& read, const std::string& key, bool week_too = false) {
  const std::size_t problems = read.reading().problems.found();
  auto hours = read.values(key);
  if (read.reading().problems.found() > problems) return {};
  if (hours.size() == kHoursOfDay || (week_too && hours.size() == kHoursOfWeek)) return hours;
  const std::string found =
      hours.size() == 1 ? "there is 1 value" : "there are " + std::to_string(hours.size()) + " values";
  read.problem(key, found + "; a mean availability per hour is wanted, 24 of a day" +
                        (week_too ? " or 168 of a week from Monday on" : ""));
  return {};
}

/// Five weekdays, Saturday and Sunday; empty after a problem.
std::vector<double> read_days(Reader& read) {
  const auto weekdays = read_hours(read, "diurnal.weekdays");
  std::vector<double> week;
  bool complete = !weekdays.empty();
  for (int day = 0; day < 5; ++day) week.insert(week.end(), weekdays.begin(), weekdays.end());
  for (const std::string key : {"diurnal.saturday", "diurnal.sunday"}) {
    const auto hours = read.has(key) ? read_hours(read, key) : weekdays;
    complete &= !hours.empty();
    week.insert(week.end(), hours.begin(), hours.end());
  }
  return complete ? week : std::vector<double>{};
}

/// Who describes one day of the weekend has thought of the other, which counts as a weekday where it is not given.
std::string remark_on_weekend(Reader& read) {
  const bool has_saturday = read.has("diurnal.saturday"), has_sunday = read.has("diurnal.sunday");
  if (has_saturday == has_sunday) return "";
  const std::string given = has_saturday ? "saturday" : "sunday", other = has_saturday ? "sunday" : "saturday";
  return read.place("diurnal." + given).text() + ": there is no '" + other +
         "' beside it: that day then is as a weekday; give its 24 hours, the same again or those of weekdays";
}

/// The hours by either way of writing them; empty after a problem.
std::vector<double> read_pattern(Reader& read) {
  const bool by_day = read.has("diurnal.weekdays") || read.has("diurnal.saturday") || read.has("diurnal.sunday");
  if (!by_day && !read.has("diurnal.hours")) {
    read.problem("diurnal.hours",
                 "this key is missing: 24 mean availabilities, one per hour of the day, or 168 of the "
                 "week; or in its place weekdays, saturday and sunday, 24 each");
    return {};
  }
  if (!by_day) return read_hours(read, "diurnal.hours", true);
  if (!read.has("diurnal.hours")) return read_days(read);
  read.problem("diurnal.hours", "hours and weekdays, saturday, sunday say the same in two ways: give one of them");
  return {};
}

/// 0 for Monday; nothing for what is no day. Three letters are enough.
std::optional<int> day_number(std::string_view word) {
  static constexpr std::string_view kDays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                               "friday", "saturday", "sunday"};
  std::string low(word);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (int day = 0; day < 7; ++day)
    if (low.size() >= 3 && kDays[day].starts_with(low)) return day;
  return std::nullopt;
}

/// "18:00" as seconds since midnight; nothing for what is no time of day.
std::optional<double> time_of_day(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == text.npos || colon == 0 || colon > 2 || text.size() != colon + 3) return std::nullopt;
  const auto number = [](std::string_view digits) {
    int n = 0;
    for (const char c : digits) n = c >= '0' && c <= '9' ? 10 * n + (c - '0') : 1000;
    return n;
  };
  const int hours = number(text.substr(0, colon)), minutes = number(text.substr(colon + 1));
  if (hours > 23 || minutes > 59) return std::nullopt;
  return 3600.0 * hours + 60.0 * minutes;
}

/// A day, a time of day, or both; seconds since the pattern's beginning, or nothing after a problem.
std::optional<double> read_clock(Reader& read, std::string_view text, bool by_week) {
  const auto blank = text.find(' ');
  const auto time = time_of_day(blank == text.npos ? text : trimmed(text.substr(blank)));
  const auto day = blank == text.npos ? std::nullopt : day_number(text.substr(0, blank));
  if (!time || (blank != text.npos && !day)) {
    read.problem(kStart, quoted(text) +
                             " is no time at which a job can start, such as '18:00', 'Mon 18:00' or random; "
                             "a day has 24 hours, from 00:00 to 23:59");
    return std::nullopt;
  }
  if (by_week && !day) {
    read.problem(kStart, quoted(text) +
                             " leaves open which day: this pattern is one of a week, so it starts at, say, "
                             "'Mon " +
                             std::string(text) + "'");
    return std::nullopt;
  }
  return *time + (by_week ? 86400.0 * *day : 0.0);
}

/// @returns whether the start could be read.
bool read_start(Reader& read, DiurnalPattern& pattern) {
  const std::size_t problems = read.reading().problems.found();
  const std::string text = read.text(kStart);
  const bool by_week = pattern.mean_by_hour.size() == kHoursOfWeek;
  if (text == "random" || read.reading().problems.found() > problems)
    return read.reading().problems.found() == problems;
  if (!text.starts_with('=') && text.find(':') != text.npos) {
    pattern.start_s = read_clock(read, text, by_week);
    return pattern.start_s.has_value();
  }
  if (const auto bare = to_number(text); bare && *bare != 0) {
    read.problem(kStart, "is that " + text + ":00, " + text + "h, or seconds? Say it with a unit or as a time of day");
    return false;
  }
  const double period = kHour_s * static_cast<double>(pattern.mean_by_hour.size());
  const double start = read.quantity(kStart, Dimension::time, {0, period});
  if (start >= period)
    read.problem(kStart, "a job starts before the end of the pattern, which is as long as " +
                             number_text(period / kHour_s) + "h; its beginning is 0h");
  pattern.start_s = start;
  return read.reading().problems.found() == problems;
}

}  // namespace

std::optional<DiurnalPattern> read_diurnal(Reader& read_block, std::string& remark) {
  if (!read_block.has_block("diurnal")) return std::nullopt;
  const KeyTable& keys = owner_patterns().front().keys;
  Reader read = read_block.with(keys);
  DiurnalPattern pattern{read_pattern(read), {}};
  if (pattern.mean_by_hour.empty()) {
    (void)read.has(kStart);  // known, though nothing can be said of it
    return std::nullopt;
  }
  if (std::string weekend = remark_on_weekend(read); !weekend.empty()) remark = std::move(weekend);
  return read_start(read, pattern) ? std::optional(pattern) : std::nullopt;
}

}  // namespace nowsim
