// Stamps read and written; spans that recordings share, the clocks that they are by, and telling their data apart.
#include "sim/owners/recordings.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "sim/base/text.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {
namespace {

/// The digits of `text` where `pattern` has a '0', with every other character as in the pattern ('T' matches ' ' too).
bool matches(std::string_view text, std::string_view pattern) {
  return std::equal(text.begin(), text.end(), pattern.begin(), pattern.end(), [](char c, char p) {
    if (p == '0') return c >= '0' && c <= '9';
    return c == p || (p == 'T' && c == ' ');
  });
}

int digits(std::string_view text, std::size_t at, std::size_t count) {
  int n = 0;
  for (const char c : text.substr(at, count)) n = 10 * n + (c - '0');
  return n;
}

/// ".25" behind the seconds as 0.25, nothing as 0.
std::optional<double> fraction_of_second(std::string_view text) {
  if (text.empty()) return 0.0;
  if (text.size() < 2 || text.front() != '.' || text.find_first_not_of("0123456789", 1) != text.npos)
    return std::nullopt;
  return to_number("0" + std::string(text));
}

std::optional<Stamp> civil_stamp(std::string_view text) {
  constexpr std::string_view kPattern = "0000-00-00T00:00:00";
  const bool utc = text.ends_with('Z');
  if (utc) text.remove_suffix(1);
  const bool has_seconds = text.size() != 16;  // YYYY-MM-DD HH:MM
  const std::string_view date_time = text.substr(0, kPattern.size());
  if (!matches(date_time, has_seconds ? kPattern : kPattern.substr(0, 16))) return std::nullopt;
  const auto fraction = fraction_of_second(text.substr(date_time.size()));
  using namespace std::chrono;
  const auto day_number = [text](std::size_t at) { return static_cast<unsigned>(digits(text, at, 2)); };
  const year_month_day date{year{digits(text, 0, 4)}, month{day_number(5)}, day{day_number(8)}};
  const int h = digits(text, 11, 2), m = digits(text, 14, 2), s = has_seconds ? digits(text, 17, 2) : 0;
  if (!fraction || !date.ok() || h > 23 || m > 59 || s > 59) return std::nullopt;
  const std::int64_t days = sys_days{date}.time_since_epoch().count();
  return Stamp{utc ? StampKind::utc : StampKind::civil, 86400 * days + 3600 * h + 60 * m + s, *fraction};
}

}  // namespace

double seconds_between(const Stamp& a, const Stamp& b) {
  return static_cast<double>(b.whole_s - a.whole_s) + (b.rest_s - a.rest_s);
}

const char* name_of(StampKind kind) {
  constexpr const char* kNames[] = {"plain seconds", "a date and time without Z", "a date and time with Z"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<Stamp> parse_stamp(std::string_view text) {
  constexpr double kMost = 1e15;  // 30 million years: what lies beyond is no time, and its differences would lose seconds
  const auto seconds = to_number(text);
  if (!seconds) return civil_stamp(text);
  if (std::abs(*seconds) > kMost) return std::nullopt;
  return Stamp{StampKind::seconds, 0, *seconds};
}

std::string stamp_text(const Stamp& stamp) {
  if (stamp.kind == StampKind::seconds) return number_text(static_cast<double>(stamp.whole_s) + stamp.rest_s);
  constexpr double kMicrosecond = 1e6;  // finer, the sum of many steps is noise
  const double whole = std::floor(stamp.rest_s);
  const auto micros = static_cast<std::int64_t>(std::llround((stamp.rest_s - whole) * kMicrosecond));
  using namespace std::chrono;
  const sys_seconds moment{seconds{stamp.whole_s + static_cast<std::int64_t>(whole) + micros / 1'000'000}};
  const auto day = floor<days>(moment);
  const year_month_day date{day};
  const hh_mm_ss time{moment - day};
  const bool is_utc = stamp.kind == StampKind::utc;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%04d-%02u-%02u%c%02d:%02d:%02d.%06d", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), is_utc ? 'T' : ' ',
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()), static_cast<int>(micros % 1'000'000));
  std::string text = buffer;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text + (is_utc ? "Z" : "");
}

RecordingClock clock_of(const Stamp& first, const std::string& file, bool is_one_for_all) {
  using Kind = RecordingClock::Kind;
  constexpr double kSince1970_s = 1e8;  // 1973: what counts from a beginning of its own is not three years old
  if (first.kind == StampKind::civil) return {Kind::civil};
  const double seconds = static_cast<double>(first.whole_s) + first.rest_s;
  if (first.kind == StampKind::utc || seconds >= kSince1970_s) return {Kind::utc};
  if (is_one_for_all) return {Kind::own};
  return file.empty() ? RecordingClock{} : RecordingClock{Kind::own, file};
}

std::uint64_t hash_of(const std::vector<double>& numbers, std::uint64_t before) {
  for (const double x : numbers) before = SplitMix64::mix(before + SplitMix64::kGolden + std::bit_cast<std::uint64_t>(x));
  return before;
}

ClockSpans in_both(const ClockSpans& a, const ClockSpans& b) {
  ClockSpans both;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const ClockSpan span{std::max(x->from_s, y->from_s), std::min(x->to_s, y->to_s)};
    if (span.from_s < span.to_s) both.push_back(span);
    x->to_s < y->to_s ? ++x : ++y;
  }
  return both;
}

ClockSpans shifted(ClockSpans spans, double seconds) {
  for (auto& span : spans) span = {span.from_s + seconds, span.to_s + seconds};
  return spans;
}

double length_s(const ClockSpans& spans) {
  double sum_s = 0;
  for (const auto& span : spans) sum_s += span.to_s - span.from_s;
  return sum_s;
}

}  // namespace nowsim
