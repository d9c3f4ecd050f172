// Moments, memory, laws: each step of a fit a function.
#include "sim/owners/load_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/owners/recordings.hpp"
#include "sim/statistics/portable.hpp"
#include "sim/statistics/user_laws.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kLeastSamples = 20;

/// Laws of lengths that one number determines, the autocorrelations that they give, and E[L²]/E[L] over the mean.
struct LengthShape {
  std::string_view name;
  double memory_per_mean;
  double (*autocorrelation)(double lag_in_means);
};
constexpr std::array kLengthShapes{
    LengthShape{"uniform", 4.0 / 3,
                [](double h) {
                  const double left = std::max(0.0, 1 - h / 2);
                  return left * left;
                }},
    LengthShape{"exponential", 2, [](double h) { return portable::exp(-h); }},
    LengthShape{"constant", 1, [](double h) { return std::max(0.0, 1 - h); }},
};

const LengthShape& shape_of(std::string_view name) {
  const auto* const found = std::ranges::find(kLengthShapes, name, &LengthShape::name);
  if (found != kLengthShapes.end()) return *found;
  throw InputError("the law of lengths '" + std::string(name) +
                   "' cannot be fitted; there are uniform, exponential and constant");
}

/// As many independent observations as n correlated ones are worth, at least two.
std::uint64_t effective_count(std::size_t n, double time) {
  return static_cast<std::uint64_t>(std::max(2.0, std::floor(static_cast<double>(n) / time)));
}

/// Of a mean of correlated values.
struct MeanError {
  double se = 0;
  std::uint64_t observations = 2;
  [[nodiscard]] double half_width(double confidence) const { return student_quantile(observations, confidence) * se; }
};

MeanError error_of_mean(const std::vector<double>& x) {
  const auto n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double squares = 0;
  for (const double v : x) squares += (v - mean) * (v - mean);
  const IntegratedTime memory = integrated_time(x);
  // The series' own mean, from which it deviates, takes of every autocorrelation what the mean's variance is (Wolff,
  // Comput. Phys. Commun. 156, 2004, (49)).
  const double taken = 1 + (2 * static_cast<double>(memory.window) + 1) / n;
  return {std::sqrt(squares / n * memory.time * taken / n), effective_count(x.size(), memory.time)};
}

void fit_moments(LoadFit& fit, const std::vector<double>& x, double mean, double sd, double confidence) {
  fit.mean = exactly(mean);
  fit.th = exactly(sd / mean);
  if (!(sd > 0)) return;
  // The delta method: log TH changes with a value x by (x - a)²/(2 sd²) - 1/2 - (x - a)/a, whose mean is 0.
  std::vector<double> influence;
  for (const double v : x) influence.push_back((v - mean) * (v - mean) / (2 * sd * sd) - (v - mean) / mean);
  const MeanError of_mean = error_of_mean(x), of_th = error_of_mean(influence);
  const double half = of_mean.half_width(confidence);
  fit.mean = {mean, std::max(mean - half, 0.0), std::min(mean + half, 1.0)};
  fit.th = log_interval(sd / mean, of_th.half_width(confidence));
  fit.errors.mean_se = of_mean.se;
  fit.errors.th_share = of_th.se;
}

/// Values by the law that is near, or by themselves.
void fit_values(LoadFit& fit, const LoadSeries& series, double mean, double sd) {
  constexpr std::size_t kParts = 20, kOfEach = 100, kAll = kParts * kOfEach;
  const std::vector<double> measured = load_quantiles(series, kAll);
  for (const ValueLaw& law : value_laws()) {
    fit.values.push_back({law.name, std::nullopt});
    ValueFit& found = fit.values.back();
    try {
      const DistributionPtr d = make_value_law(law.name, std::min(mean, 1.0), fit.th.value);
      double sum = 0;
      for (std::size_t i = 0; i < kAll; ++i)
        sum += std::abs(d->quantile((static_cast<double>(i) + 0.5) / kAll) - measured[i]);
      found.distance = sum / kAll;
    } catch (const InfeasibleError&) {
      continue;  // that is what no distance says
    }
    // The closest; of a series without spread the constant, which any law then is.
    const bool is_constant = fit.th.value == 0 && law.name == "constant";
    if (!fit.value || *found.distance < *fit.values[*fit.value].distance || is_constant)
      fit.value = fit.values.size() - 1;
  }
  if (fit.value && (!(sd > 0) || *fit.values[*fit.value].distance <= kFarLaw * sd)) return;
  std::vector<double> means;
  for (std::size_t k = 0; k < measured.size(); k += kOfEach)
    means.push_back(std::accumulate(&measured[k], &measured[k] + kOfEach, 0.0) / kOfEach);
  const DistributionPtr own = brought_to(*empirical(means), mean, sd / mean);  // the spread within parts, too
  for (std::size_t k = 0; k < kParts; ++k) fit.own_values.push_back(own->quantile((static_cast<double>(k) + 0.5) / kParts));
  for (std::size_t i = 0; i < measured.size(); ++i)
    fit.own_distance += std::abs(fit.own_values[i / kOfEach] - measured[i]) / kAll;
}

/// The share of the variance that is between the means of the 24 parts of a period: eta squared.
double explained(const LoadSeries& series, double period_s) {
  constexpr std::size_t kParts = 24;
  std::array<double, kParts> time{}, sum{};
  double mean = 0, square = 0;
  const double origin = static_cast<double>(series.first.whole_s % 86400) + series.first.rest_s;
  const std::vector<double> clock_s = series.clock_s();
  for (std::size_t i = 0; i < series.availability.size(); ++i) {
    const double d = series.duration_s[i], x = series.availability[i];
    const double at = std::fmod(origin + clock_s[i], period_s) / period_s;
    const auto part = std::min(static_cast<std::size_t>(std::max(0.0, at) * kParts), kParts - 1);
    time[part] += d;
    sum[part] += d * x;
    mean += d * x / series.total_s;
  }
  for (std::size_t i = 0; i < series.availability.size(); ++i)
    square += series.duration_s[i] * (series.availability[i] - mean) * (series.availability[i] - mean);
  double between = 0;
  for (std::size_t p = 0; p < kParts; ++p)
    if (time[p] > 0) between += time[p] * (sum[p] / time[p] - mean) * (sum[p] / time[p] - mean);
  return square > 0 ? between / square : 0;
}

std::optional<DayPattern> day_pattern(const LoadSeries& series) {
  constexpr double kHour = 3600, kDay = 24 * kHour;
  if (series.clock_end_s() <= 2 * kDay) return std::nullopt;
  DayPattern day{explained(series, kDay), 0};
  for (const double hours : {17, 18, 19, 20, 21, 27, 28, 29, 30, 31, 32})  // none near 24, its half or its double
    day.share_of_other_periods = std::max(day.share_of_other_periods, explained(series, hours * kHour));
  return day;
}

void fit_memory(LoadFit& fit, const std::vector<double>& x, const LoadFitOptions& options) {
  const IntegratedTime memory = integrated_time(x);
  const double t = student_quantile(effective_count(x.size(), memory.time), options.confidence);
  fit.is_resolved = memory.is_resolved;
  fit.window = memory.window;
  fit.memory_s = log_interval(memory.time * fit.step_s, t * memory.relative_se);
  constexpr std::size_t kMostLags = 500;
  const std::size_t stride = memory.window / kMostLags + 1;
  const std::vector<double> rho = autocorrelation(x, std::max(memory.window, stride), stride);
  for (const LengthShape& shape : kLengthShapes) {
    const double mean_s = fit.memory_s.value / shape.memory_per_mean;
    double squares = 0;
    for (std::size_t k = 1; k < rho.size(); ++k) {
      const double off = rho[k] - shape.autocorrelation(static_cast<double>(k * stride) * fit.step_s / mean_s);
      squares += off * off;
    }
    fit.lengths.push_back({shape.name, mean_s, std::sqrt(squares / static_cast<double>(rho.size() - 1))});
  }
  const auto chosen = options.length.empty() ? std::ranges::min_element(fit.lengths, {}, &LengthFit::distance)
                                             : std::ranges::find(fit.lengths, options.length, &LengthFit::name);
  fit.length = static_cast<std::size_t>(chosen - fit.lengths.begin());
  fit.interval_s = log_interval(fit.length_fit().interval_s, t * memory.relative_se);
  fit.errors.worth = std::max(2.0, static_cast<double>(x.size()) / std::max(1.0, memory.time));
  fit.errors.interval_share = memory.relative_se;
}

// --- What series have in common ---

/// The time that all have, since the first one's beginning; empty where that is too little.
ClockSpans shared_by_all(const std::vector<const LoadSeries*>& all) {
  ClockSpans shared = spans_of(*all.front());
  double shortest_s = length_s(shared);
  const RecordingClock clock = clock_of(all.front()->first);
  for (const LoadSeries* series : all) {
    if (clock.kind == RecordingClock::Kind::unknown || clock_of(series->first) != clock) return {};
    const ClockSpans own = shifted(spans_of(*series), seconds_between(all.front()->first, series->first));
    shortest_s = std::min(shortest_s, length_s(own));
    shared = in_both(shared, own);
  }
  return length_s(shared) < kLeastShared * shortest_s ? ClockSpans{} : shared;
}

/// The values at so many moments, equally far apart, as multiples of their standard deviation from their mean; empty where
/// they do not vary.
std::vector<double> standardised(const LoadSeries& series, std::size_t moments) {
  const auto n = static_cast<double>(moments);
  std::vector<double> values =
      values_at(series, moments, [&](std::size_t k) { return (static_cast<double>(k) + 0.5) / n * series.total_s; });
  Moments all;
  for (const double x : values) all.add(x);
  if (!(all.max() > all.min())) return {};
  double squares = 0;
  for (const double x : values) squares += (x - all.mean()) * (x - all.mean());
  const double sd = std::sqrt(squares / n);
  for (double& x : values) x = (x - all.mean()) / sd;
  return values;
}

}  // namespace

std::vector<double> even_samples(const LoadSeries& series) {
  const double step = median_step_s(series);
  const auto n = static_cast<std::size_t>(std::max(1.0, std::round(series.total_s / step)));
  return values_at(series, n, [&](std::size_t k) { return (static_cast<double>(k) + 0.5) * step; });
}

double interval_autocorrelation(std::string_view length, double mean_s, double lag_s) {
  return shape_of(length).autocorrelation(std::abs(lag_s) / mean_s);
}

std::vector<double> load_quantiles(const LoadSeries& series, std::size_t n) {
  std::vector<std::size_t> order(series.availability.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return series.availability[a] < series.availability[b]; });
  std::vector<double> out;
  std::size_t i = 0;
  double passed_s = series.duration_s[order[0]];
  for (std::size_t k = 0; k < n; ++k) {
    const double at = (static_cast<double>(k) + 0.5) / static_cast<double>(n) * series.total_s;
    while (passed_s < at && i + 1 < order.size()) passed_s += series.duration_s[order[++i]];
    out.push_back(series.availability[order[i]]);
  }
  return out;
}

LoadFit fit_load(const LoadSeries& series, const std::string& file, const LoadFitOptions& options) {
  if (!options.length.empty()) shape_of(options.length);
  LoadFit fit;
  fit.samples = series.availability.size() - series.gaps.off_steps;
  if (fit.samples < kLeastSamples)
    throw InputError({file, 0, ""}, "this trace has " + std::to_string(fit.samples) + " samples; at least " +
                                        std::to_string(kLeastSamples) + " are needed to say anything of it.");
  const double mean = series.mean();
  if (!(mean > 0))
    throw InputError({file, 0, ""}, "nothing was available on this machine at any time; no job ends on it.");
  fit.gaps = series.gaps;
  fit.step_s = median_step_s(series);
  fit.span_s = series.gaps.span_s > 0 ? series.gaps.span_s : series.total_s;
  fit.taken_s = series.total_s;
  const std::vector<double> x = even_samples(series);
  // Rounding leaves a constant series a spread of 1e-16.
  const auto [least, most] = std::ranges::minmax(series.availability);
  const double sd = least == most ? 0 : series.sd();
  fit_moments(fit, x, mean, sd, options.confidence);
  fit_memory(fit, x, options);
  fit_values(fit, series, mean, sd);
  fit.day = day_pattern(series);
  return fit;
}

std::optional<double> mean_correlation(const std::vector<const LoadSeries*>& all) {
  constexpr std::size_t kMost = 20000;
  if (all.size() < 2) return std::nullopt;
  const ClockSpans shared = shared_by_all(all);
  if (shared.empty()) return std::nullopt;
  std::size_t moments = 0, varying = 0;
  for (const LoadSeries* series : all) moments = std::max(moments, std::min(series->availability.size(), kMost));
  std::vector<double> sum(moments);
  for (const LoadSeries* series : all) {
    const ClockSpans own = shifted(shared, seconds_between(series->first, all.front()->first));
    const std::vector<double> values = standardised(in_spans(*series, own), moments);
    if (values.empty()) continue;
    ++varying;
    for (std::size_t k = 0; k < moments; ++k) sum[k] += values[k];
  }
  if (varying < 2) return std::nullopt;
  double squares = 0;
  for (const double x : sum) squares += x * x;
  const auto n = static_cast<double>(varying);
  return (squares / static_cast<double>(moments) / n - 1) / (n - 1);
}

}  // namespace nowsim
