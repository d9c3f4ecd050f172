// Stamps read and written; spans that recordings share, the clocks that they are by, and telling their data apart.
#include "sim/owners/recordings.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "sim/base/error.hpp"
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

/// Takes "Z", "+01:00" or " +0100" from behind a date and time.
std::optional<int> taken_offset(std::string_view& text) {
  constexpr std::size_t kTime = 16;  // YYYY-MM-DD HH:MM, whose dashes are no signs
  const auto at = text.find_first_of("+-Z", kTime);
  if (at == text.npos) return std::nullopt;
  const auto offset = parse_utc_offset(text.substr(at));
  if (offset) text = trimmed(text.substr(0, at));
  return offset;
}

/// As ISO 8601 has it what monitors write otherwise: "23.11.2026 08:00", where days come first, "... UTC", a date alone.
std::string as_iso(std::string_view text) {
  constexpr std::size_t kDate = 10;
  std::string out(text);
  if (matches(text.substr(0, kDate), "00.00.0000"))
    out = std::string(text.substr(6, 4)) + "-" + std::string(text.substr(3, 2)) + "-" + std::string(text.substr(0, 2)) + std::string(text.substr(kDate));
  if (out.size() == kDate && matches(out, "0000-00-00")) out += " 00:00";
  for (const std::string_view zone : {" UTC", " GMT"})
    if (out.ends_with(zone)) out.replace(out.size() - zone.size(), zone.size(), "Z");
  return out;
}

std::optional<Stamp> civil_stamp(std::string_view as_written) {
  const std::string iso = as_iso(as_written);
  std::string_view text = iso;
  constexpr std::string_view kPattern = "0000-00-00T00:00:00";
  const bool is_z = text.ends_with('Z');
  const auto offset = taken_offset(text);
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
  const std::int64_t clock_s = 86400 * days + 3600 * h + 60 * m + s;
  if (!offset) return Stamp{StampKind::civil, clock_s, *fraction};
  // Z says that a moment is told in UTC, not what clocks showed where it was recorded.
  return Stamp{StampKind::utc, clock_s - *offset, *fraction, is_z ? std::nullopt : offset};
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
  const std::int64_t offset_s = stamp.offset_s.value_or(0);
  const sys_seconds moment{seconds{stamp.whole_s + offset_s + static_cast<std::int64_t>(whole) + micros / 1'000'000}};
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
  return text + (!is_utc ? "" : stamp.offset_s ? utc_offset_text(*stamp.offset_s) : "Z");
}

namespace {

constexpr double kSince1970_s = 1e8;  // 1973: what counts from a beginning of its own is not three years old

double seconds_of(const Stamp& stamp) { return static_cast<double>(stamp.whole_s) + stamp.rest_s; }

bool is_of_utc(const Stamp& stamp) {
  return stamp.kind == StampKind::utc || (stamp.kind == StampKind::seconds && seconds_of(stamp) >= kSince1970_s);
}

}  // namespace

std::optional<ClockMoment> wall_clock(const Stamp& stamp, const TimeZone* zone) {
  const double stamp_s = seconds_of(stamp);
  if (stamp.kind == StampKind::civil) return moment_at(stamp_s);
  if (!is_of_utc(stamp)) return std::nullopt;
  return moment_at(zone != nullptr ? zone->local_s(stamp_s) : stamp_s + stamp.offset_s.value_or(0));
}

Stamp ZonedStamps::next(const Stamp& stamp) {
  if (stamp.kind != StampKind::civil) {
    if (!is_of_utc(stamp)) return stamp;
    return {StampKind::utc, stamp.whole_s, stamp.rest_s,
            zone_.offset_s(static_cast<std::int64_t>(std::floor(seconds_of(stamp))))};
  }
  const LocalMoments moments = zone_.moments_at(stamp.whole_s);
  if (moments.count == 0)
    throw InputError("the stamp " + quoted(stamp_text(stamp)) + " has never been in " + zone_.name() +
                     ": clocks were put forward over it; a recorder whose clock did not follow daylight saving has an "
                     "offset for its zone, such as " + utc_offset_text(static_cast<int>(stamp.whole_s - moments.first_s)));
  const auto is_later = [&](std::int64_t whole_s) { return !last_s_ || static_cast<double>(whole_s) + stamp.rest_s > *last_s_; };
  const std::int64_t utc_s = is_later(moments.first_s) ? moments.first_s : moments.second_s;
  last_s_ = static_cast<double>(utc_s) + stamp.rest_s;
  return {StampKind::utc, utc_s, stamp.rest_s, static_cast<int>(stamp.whole_s - utc_s)};
}

bool goes_back_by_an_hour(const Stamp& before, const Stamp& stamp) {
  constexpr double kPutBack_s = 3600;
  const double back_s = -seconds_between(before, stamp);
  return stamp.kind == StampKind::civil && back_s > 0 && back_s <= kPutBack_s;
}

RecordingClock clock_of(const Stamp& first, const std::string& file, bool is_one_for_all) {
  using Kind = RecordingClock::Kind;
  if (first.kind == StampKind::civil) return {Kind::civil};
  if (is_of_utc(first)) return {Kind::utc};
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
