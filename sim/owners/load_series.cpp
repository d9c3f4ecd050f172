// Stamps, how long samples last, and what a series comes to over time.
#include "sim/owners/load_series.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ranges>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

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

/// Of two middle values, their mean.
double median(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return x.size() % 2 == 1 ? *middle : (*middle + *std::max_element(x.begin(), middle)) / 2;
}

/// From each sample to the next [s].
std::vector<double> sample_steps(const std::vector<LoadSample>& samples) {
  std::vector<double> steps;
  steps.reserve(samples.size());
  double before_s = 0;
  for (const LoadSample& sample : samples | std::views::drop(1)) {
    const double time_s = seconds_between(samples.front().stamp, sample.stamp);
    steps.push_back(time_s - before_s);
    before_s = time_s;
  }
  return steps;
}

void add_step(LoadSeries& series, double duration_s, double availability) {
  series.duration_s.push_back(duration_s);
  series.availability.push_back(availability);
  series.start_s.push_back(series.total_s);
  series.total_s += duration_s;
}

/// A value before a gap, and the gap.
void add_gap(LoadSeries& series, double step_s, double usual_s, double availability, GapRule rule) {
  const double missing_s = step_s - usual_s;
  ++series.gaps.count;
  series.gaps.missing_s += missing_s;
  add_step(series, rule == GapRule::hold ? step_s : usual_s, availability);
  if (rule == GapRule::off) {
    add_step(series, missing_s, 0);
    series.gaps.off_s += missing_s;
    ++series.gaps.off_steps;
  } else if (rule != GapRule::hold) {
    series.gaps.left_out_s += missing_s;
    if (rule == GapRule::left_out) series.cuts.push_back({series.duration_s.size(), missing_s});
  }
}

[[noreturn]] void refuse_gap(const LoadSample& next, double step_s, double usual_s, const std::string& file) {
  throw InputError({file, next.line, ""},
                   "there is a gap of " + number_text(step_s) + " s before this sample, where samples come every " +
                       number_text(usual_s) +
                       " s; say what became of it (left-out, off, hold the last value), or mend the file.");
}

/// "12.3 %".
std::string share_text(double part, double whole) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %%", 100 * part / whole);
  return text.data();
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

LoadSeries series_of_samples(const std::vector<LoadSample>& samples, GapRule gaps, const std::string& file) {
  LoadSeries series;
  series.first = samples.front().stamp;
  const std::vector<double> steps = sample_steps(samples);
  const double usual_s = median(steps);
  for (auto* column : {&series.duration_s, &series.availability, &series.start_s}) column->reserve(samples.size());
  const bool by_length = gaps == GapRule::left_out || gaps == GapRule::off;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const LoadSample& next = samples[i + 1];
    const double step_s = steps[i];
    series.gaps.span_s += step_s;
    if (!(step_s > kGapSteps * usual_s)) {
      add_step(series, step_s, samples[i].availability);
      continue;
    }
    if (gaps == GapRule::fail) refuse_gap(next, step_s, usual_s, file);
    if (next.after_restart) series.gaps.restart_s += step_s - usual_s;
    const bool is_held = by_length && step_s <= kHeldSteps * usual_s;
    add_gap(series, step_s, usual_s, samples[i].availability,
            next.after_restart ? GapRule::off : is_held ? GapRule::hold : gaps);
  }
  add_step(series, usual_s, samples.back().availability);
  series.gaps.span_s += usual_s;
  return series;
}

ClockSpans spans_of(const LoadSeries& series) {
  ClockSpans spans;
  double from_s = 0, left_out_s = 0;
  for (const LoadCut& cut : series.cuts) {
    spans.push_back({from_s, series.start_s[cut.step] + left_out_s});
    left_out_s += cut.length_s;
    from_s = spans.back().to_s + cut.length_s;
  }
  spans.push_back({from_s, series.clock_end_s()});
  return spans;
}

LoadSeries in_spans(const LoadSeries& series, const ClockSpans& spans) {
  LoadSeries out;
  out.first = series.first;
  out.first.rest_s += spans.empty() ? 0 : spans.front().from_s;
  const std::vector<double> clock_s = series.clock_s();
  auto span = spans.begin();
  for (std::size_t i = 0; i < series.duration_s.size() && span != spans.end();) {
    const double from_s = clock_s[i], to_s = from_s + series.duration_s[i];
    const double duration_s = std::min(to_s, span->to_s) - std::max(from_s, span->from_s);
    constexpr double kRounding = 1e-9;  // of sums of steps
    if (duration_s > kRounding * series.duration_s[i]) add_step(out, duration_s, series.availability[i]);
    if (span->to_s < to_s) ++span;
    else ++i;
  }
  return out;
}

double median_step_s(const LoadSeries& series) { return median(series.duration_s); }

std::string gaps_text(const LoadGaps& gaps) {
  if (gaps.count == 0) return "";
  const std::pair<double, const char*> parts[] = {
      {gaps.left_out_s, "left out"},
      {gaps.restart_s, "switched off, for the file tells of a restart"},
      {gaps.off_s - gaps.restart_s, "counted as switched off"},
      {gaps.missing_s - gaps.left_out_s - gaps.off_s, "held at the value before"}};
  std::string text;
  for (const auto& [part_s, what] : parts) {
    constexpr double kRounding = 1e-9;
    if (part_s <= kRounding * gaps.span_s) continue;
    const bool is_all = part_s >= (1 - kRounding) * gaps.missing_s;
    text += (text.empty() ? "" : ", ") + (is_all ? "" : share_text(part_s, gaps.span_s) + " ") + what;
  }
  return share_text(gaps.missing_s, gaps.span_s) + " of the span has no data (" + std::to_string(gaps.count) +
         (gaps.count == 1 ? " gap): " : " gaps): ") + text;
}

double LoadSeries::mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < duration_s.size(); ++i) sum += duration_s[i] * availability[i];
  return sum / total_s;
}

double LoadSeries::sd() const {
  const double m = mean();
  double sum = 0;
  for (std::size_t i = 0; i < duration_s.size(); ++i)
    sum += duration_s[i] * (availability[i] - m) * (availability[i] - m);
  return std::sqrt(sum / total_s);
}

std::vector<double> LoadSeries::clock_s() const {
  std::vector<double> clock = start_s;
  double left_out_s = 0;
  for (std::size_t c = 0; c < cuts.size(); ++c) {
    left_out_s += cuts[c].length_s;
    const std::size_t end = c + 1 < cuts.size() ? cuts[c + 1].step : clock.size();
    for (std::size_t i = cuts[c].step; i < end; ++i) clock[i] += left_out_s;
  }
  return clock;
}

double LoadSeries::clock_end_s() const {
  double end_s = total_s;
  for (const LoadCut& cut : cuts) end_s += cut.length_s;
  return end_s;
}

const std::vector<std::string>& gap_rule_names() {
  static const std::vector<std::string> names{"left-out", "off", "hold", "drop", "fail"};
  return names;
}

}  // namespace nowsim
