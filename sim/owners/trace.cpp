// How long samples last, and what a series comes to over time.
#include "sim/owners/trace.hpp"

#include <algorithm>
#include <cmath>

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

constexpr double kGap = 1.5;  ///< times the median step

/// How long each sample's value lasts: to the next sample, the last one's for a median step.
std::vector<double> durations(const std::vector<TraceSample>& samples, GapRule gaps, const std::string& file) {
  std::vector<double> steps;
  const auto time_s = [&](std::size_t i) { return seconds_between(samples.front().stamp, samples[i].stamp); };
  for (std::size_t i = 1; i < samples.size(); ++i) steps.push_back(time_s(i) - time_s(i - 1));
  const double usual = median(steps);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i] <= kGap * usual || gaps == GapRule::hold) continue;
    if (gaps == GapRule::fail)
      throw InputError({file, samples[i + 1].line, ""},
                       "there is a gap of " + number_text(steps[i]) +
                           " s before this sample, where samples come every " + number_text(usual) +
                           " s; hold the last value through gaps, drop them, or mend the file.");
    steps[i] = usual;
  }
  steps.push_back(usual);
  return steps;
}

}  // namespace

Trace trace_of_samples(const std::vector<TraceSample>& samples, GapRule gaps, const std::string& file) {
  Trace trace;
  const Stamp& first = samples.front().stamp;
  trace.stamps = first.kind;
  trace.first_s = first.whole_s;
  trace.first_rest_s = first.rest_s;
  trace.duration_s = durations(samples, gaps, file);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    trace.availability.push_back(samples[i].availability);
    trace.start_s.push_back(trace.total_s);
    trace.total_s += trace.duration_s[i];
  }
  return trace;
}

double median_step_s(const Trace& trace) { return median(trace.duration_s); }

std::size_t count_gaps(const Trace& trace) {
  const double most = kGap * median_step_s(trace);
  return static_cast<std::size_t>(
      std::count_if(trace.duration_s.begin(), trace.duration_s.end(), [most](double d) { return d > most; }));
}

double Trace::mean() const {
  double sum = 0;
  for (std::size_t i = 0; i < duration_s.size(); ++i) sum += duration_s[i] * availability[i];
  return sum / total_s;
}

double Trace::sd() const {
  const double m = mean();
  double sum = 0;
  for (std::size_t i = 0; i < duration_s.size(); ++i)
    sum += duration_s[i] * (availability[i] - m) * (availability[i] - m);
  return std::sqrt(sum / total_s);
}

const std::vector<std::string>& gap_rule_names() {
  static const std::vector<std::string> names{"hold", "drop", "fail"};
  return names;
}

}  // namespace nowsim
