// Dates and times of day taken apart, and put into one form.
#include "experiments/driver/reading/monitor_clock.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "sim/base/text.hpp"
#include "sim/owners/recordings.hpp"

namespace nowsim {
namespace {

using ClockWords = std::vector<std::string>;

constexpr double kHalfDay_s = 43200;
constexpr int kCentury = 2000;
constexpr std::size_t kDateLength = 10;  // of "2026-11-30"

/// A count of up to four digits and nothing else.
std::optional<int> count_in(std::string_view word) {
  int n = 0;
  if (word.empty() || word.size() > 4) return std::nullopt;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), n);
  if (error != std::errc() || end != word.data() + word.size() || n < 0) return std::nullopt;
  return n;
}

/// The counts between separators; none where there is anything else.
std::vector<int> counts_in(std::string_view text, std::string_view separators) {
  std::vector<int> counts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    const auto n = count_in(text.substr(at, end - at));
    if (!n) return {};
    counts.push_back(*n);
    at = end + 1;
  }
  return counts;
}

std::optional<std::int64_t> day_since_1970(int year, int month, int day) {
  using namespace std::chrono;
  const year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                            std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return sys_days{date}.time_since_epoch().count();
}

/// The days that "26-11-30" may be, with the year first or last; none of a date in another form.
std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> days_of_short_year(std::string_view text, const std::vector<int>& counts) {
  constexpr std::size_t kLength = 8;
  if (text.size() != kLength || text[2] != '-' || text[5] != '-') return {};
  return {day_since_1970(kCentury + counts[0], counts[1], counts[2]), day_since_1970(kCentury + counts[2], counts[1], counts[0])};
}

/// 1 for January, by the first three letters in English or German.
std::optional<int> month_named(std::string_view word) {
  constexpr std::string_view kMonths = "jan feb mar apr may jun jul aug sep oct nov dec ";
  constexpr std::pair<std::string_view, int> kOthers[] = {{"m\u00e4r", 3}, {"mai", 5}, {"okt", 10}, {"dez", 12}};
  const std::string low = lower_case(std::string(word));
  for (const auto& [name, month] : kOthers)
    if (low.starts_with(name)) return month;
  if (low.size() < 3) return std::nullopt;
  const auto at = kMonths.find(low.substr(0, 3) + " ");
  return at == kMonths.npos || at % 4 != 0 ? std::nullopt : std::optional(static_cast<int>(at / 4) + 1);
}

std::string civil_text(std::int64_t day, double of_day_s) {
  constexpr std::int64_t kDay_s = 86400;
  return stamp_text({StampKind::civil, day * kDay_s, of_day_s, {}});
}

}  // namespace

std::optional<MonitorTime> monitor_time(const ClockWords& words, std::size_t at) {
  if (at >= words.size() || words[at].find(':') == std::string::npos) return std::nullopt;
  const std::string_view whole = words[at];
  const std::size_t point = std::min(whole.find('.'), whole.size());
  const auto counts = counts_in(whole.substr(0, point), ":");
  if (counts.size() < 2 || counts.size() > 3 || counts[0] > 23 || counts[1] > 59 || counts.back() > 59) return std::nullopt;
  const auto fraction = point == whole.size() ? std::optional(0.0) : to_number("0" + std::string(whole.substr(point)));
  if (!fraction) return std::nullopt;
  MonitorTime time{3600.0 * counts[0] + 60.0 * counts[1] + (counts.size() == 3 ? counts[2] : 0) + *fraction, false, 1};
  const std::string half = at + 1 < words.size() ? lower_case(words[at + 1]) : "";
  if (half == "am" || half == "pm" || half == "a.m." || half == "p.m.") {
    if (counts[0] < 1 || counts[0] > 12) return std::nullopt;
    time.is_12h = true;
    time.words = 2;
    if (counts[0] == 12) time.of_day_s -= kHalfDay_s;
    if (half.front() == 'p') time.of_day_s += kHalfDay_s;
  }
  return time;
}

bool MonitorClock::set_date(const std::string& text, const Place& place) {
  const auto counts = counts_in(text, "-/.");
  if (counts.size() != 3 || text.find_first_of("-/.") == text.npos) return false;
  if (const auto [year_first, day_first] = days_of_short_year(text, counts); year_first && day_first && *year_first != *day_first)
    throw InputError(place, "the date " + quoted(text) + " may be " + civil_text(*year_first, 0).substr(0, kDateLength) + " or " +
                                civil_text(*day_first, 0).substr(0, kDateLength) +
                                ": write its year with four digits, as 'S_TIME_FORMAT=ISO sar' does.");
  open_date_ = text;
  return true;
}

void MonitorClock::settle_date(bool is_12h) {
  if (open_date_.empty()) return;
  const std::string text = std::exchange(open_date_, "");
  auto counts = counts_in(text, "-/.");
  const bool has_year_first = text.find_first_of("-/.") == 4;
  const bool has_short_year = !has_year_first && counts[2] < 100;
  std::optional<std::int64_t> day;
  if (const auto short_first = days_of_short_year(text, counts).first) {
    day = short_first;
    assumption_ = "the date " + text + " is taken for " + civil_text(*day, 0).substr(0, kDateLength) + ", with the year first";
  } else if (has_year_first) {
    day = day_since_1970(counts[0], counts[1], counts[2]);
  } else {
    const int year = counts[2] + (has_short_year ? kCentury : 0);
    const bool can_be_two = counts[0] <= 12 && counts[1] <= 12 && counts[0] != counts[1] && text.find('.') == text.npos;
    const bool is_month_first = can_be_two ? is_12h || has_short_year : text.find('.') == text.npos && counts[0] <= 12;
    day = is_month_first ? day_since_1970(year, counts[0], counts[1]) : day_since_1970(year, counts[1], counts[0]);
    if (day && can_be_two)
      assumption_ = "the date " + text + " is taken for " + civil_text(*day, 0).substr(0, kDateLength) + ", with the " +
                    (is_month_first ? "month" : "day") + " first";
  }
  if (!day) return;
  has_date_ = true;
  day_ = *day;
  last_s_.reset();
}

std::string MonitorClock::stamp(const MonitorTime& time) {
  settle_date(time.is_12h);
  if (last_s_ && time.of_day_s < *last_s_ - kHalfDay_s) ++day_;
  last_s_ = time.of_day_s;
  constexpr double kWholeDay_s = 2 * kHalfDay_s;
  return has_date_ ? civil_text(day_, time.of_day_s) : number_text(static_cast<double>(day_) * kWholeDay_s + time.of_day_s);
}

std::optional<std::string> moment_of_date(std::string_view text) {
  text = trimmed(text);
  if (parse_stamp(text)) return std::string(text);
  ClockWords words;
  constexpr std::size_t kMostWords = 9;
  for (auto word = next_word(text); !word.empty(); word = next_word(text)) {
    if (words.size() == kMostWords) return std::nullopt;
    words.emplace_back(word);
  }
  std::optional<int> month, day, year;
  std::optional<MonitorTime> time;
  bool is_utc = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (const auto found = monitor_time(words, i); found && !time) {
      time = found;
      i += found->words - 1;
    } else if (const auto n = count_in(word.substr(0, word.size() - (word.ends_with('.') ? 1 : 0)))) {
      (word.size() == 4 ? year : day) = n;
    } else if (!month && month_named(word)) {
      month = month_named(word);
    } else {
      is_utc = is_utc || word == "UTC" || word == "GMT";
    }
  }
  if (!month || !day || !year || !time) return std::nullopt;
  const auto since_1970 = day_since_1970(*year, *month, *day);
  if (!since_1970) return std::nullopt;
  return civil_text(*since_1970, time->of_day_s) + (is_utc ? "Z" : "");
}

}  // namespace nowsim
