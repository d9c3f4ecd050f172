// How long samples last, and what a series comes to over time.
#include "sim/owners/load_series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// Of two middle values, their mean.
double median(std::vector<double> x) {
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return x.size() % 2 == 1 ? *middle : (*middle + *std::max_element(x.begin(), middle)) / 2;
}

/// A value before a gap, and the gap.
void add_gap(LoadSeries& series, double step_s, double usual_s, double availability, GapRule rule) {
  const double missing_s = step_s - usual_s;
  ++series.gaps.count;
  series.gaps.missing_s += missing_s;
  series.add(rule == GapRule::hold ? step_s : usual_s, availability);
  if (rule == GapRule::off) {
    series.add(missing_s, 0);
    series.gaps.off_s += missing_s;
    ++series.gaps.off_steps;
  } else if (rule != GapRule::hold) {
    series.gaps.left_out_s += missing_s;
    if (rule == GapRule::left_out) series.cuts.push_back({series.duration_s.size(), missing_s});
  }
}

/// "12.3 %".
std::string share_text(double part, double whole) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %%", 100 * part / whole);
  return text.data();
}

}  // namespace

LoadSeries series_of_samples(const std::vector<LoadSample>& samples, GapRule gaps, const std::string& file) {
  LoadSeries series;
  series.first = samples.front().stamp;
  std::vector<double> steps(samples.size());  // from each sample to the next [s]
  std::ranges::transform(samples, steps.begin(),
                         [&](const LoadSample& sample) { return seconds_between(series.first, sample.stamp); });
  std::adjacent_difference(steps.begin(), steps.end(), steps.begin());
  steps.erase(steps.begin());
  const double usual_s = median(steps);
  for (auto* column : {&series.duration_s, &series.availability, &series.start_s}) column->reserve(samples.size());
  const bool by_length = gaps == GapRule::left_out || gaps == GapRule::off;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const LoadSample& next = samples[i + 1];
    const double step_s = steps[i];
    series.gaps.span_s += step_s;
    if (!(step_s > kGapSteps * usual_s)) {
      series.add(step_s, samples[i].availability);
      continue;
    }
    if (gaps == GapRule::fail)
      throw InputError({file, next.line, ""},
                       "there is a gap of " + number_text(step_s) + " s before this sample, where samples come every " +
                           number_text(usual_s) +
                           " s; say what became of it (left-out, off, hold the last value), or mend the file.");
    if (next.after_restart) series.gaps.restart_s += step_s - usual_s;
    const bool is_held = by_length && step_s <= kHeldSteps * usual_s;
    add_gap(series, step_s, usual_s, samples[i].availability,
            next.after_restart ? GapRule::off : is_held ? GapRule::hold : gaps);
  }
  series.add(usual_s, samples.back().availability);
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
    if (duration_s > kRounding * series.duration_s[i]) out.add(duration_s, series.availability[i]);
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

void LoadSeries::add(double seconds, double value) {
  duration_s.push_back(seconds);
  availability.push_back(value);
  start_s.push_back(total_s);
  total_s += seconds;
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

}  // namespace nowsim
