// The owner model `intervals` that is closest to a measured load series, how close that is; what series have in common.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/owners/load_series.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/statistics/data_fits.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// A law of the values, with the trace's mean and TH.
struct ValueFit {
  std::string_view name;
  /// The area between the quantile functions of law and trace (Wasserstein's distance of order 1), in units of
  /// availability; nothing where the law cannot hold that TH at that mean. Samples are correlated: no p-value goes
  /// with it.
  std::optional<double> distance;
};

/// A law of the intervals' lengths, with the trace's integrated autocorrelation.
struct LengthFit {
  std::string_view name;
  double interval_s;  ///< its mean
  double distance;    ///< root mean square of the difference of the autocorrelations, up to the window
};

/// How much of the variance the hour of the day explains: the share of the variance between the means of 24 hours.
struct DayPattern {
  double share;
  /// The same at the worst of other periods, of 17 to 32 h: what long memory does without any clock.
  double share_of_other_periods;
};

/// A law further from the values than this share of their standard deviation is none of theirs: it leaves nothing for
/// whole intervals, say, where the machine never left less than a tenth.
inline constexpr double kFarLaw = 0.25;

struct LoadFit {
  std::size_t samples = 0;
  double step_s = 0;   ///< the median step
  double span_s = 0;   ///< from the first sample to the end of the last, gaps included
  double taken_s = 0;  ///< of that, what the fit is of: all but gaps that are left out
  LoadGaps gaps;
  Estimate mean;  ///< a, of the availability over time
  Estimate th;    ///< TH, that of the series as measured
  /// E[L²]/E[L] [s], which is what Var T_i depends on (model.md section 5; HL (3) takes it as 1): the integral of the
  /// autocorrelation over all lags, negative ones too.
  Estimate memory_s;
  bool is_resolved = true;           ///< the trace is long beside its memory
  FitErrors errors;  ///< what the owner block says of all this; standard errors of 0 where the series has no spread
  std::size_t window = 0;            ///< lags summed, in steps
  std::vector<LengthFit> lengths;    ///< uniform, exponential, constant
  std::size_t length = 0;            ///< the one chosen
  Estimate interval_s;               ///< its mean length
  std::vector<ValueFit> values;      ///< as in value_laws()
  std::optional<std::size_t> value;  ///< the closest; nothing where no law holds that TH
  /// Where none is near (kFarLaw), the values themselves: the means of twenty equal parts of them in order, with all of TH.
  std::vector<double> own_values;
  double own_distance = 0;           ///< of those, as of laws
  std::optional<DayPattern> day;     ///< of traces longer than two days

  [[nodiscard]] const LengthFit& length_fit() const { return lengths[length]; }
  [[nodiscard]] bool is_near() const { return own_values.empty(); }
  /// "histogram" of its own values.
  [[nodiscard]] std::string value_name() const { return is_near() ? std::string(values[*value].name) : "histogram"; }
  [[nodiscard]] double value_distance() const { return is_near() ? *values[*value].distance : own_distance; }
};

/// What the user fixes of a fit.
struct LoadFitOptions {
  std::string length;  ///< the law of lengths; "": the one whose autocorrelation is closest
  double confidence = 0.95;
};

/// The trace's values at steps of its median step, from its start: what autocorrelations are taken of. Stretches between
/// which a gap is left out follow each other: over so few seams the values are as good as independent, which takes of an
/// autocorrelation no more than the usual division by n does.
std::vector<double> even_samples(const LoadSeries& series);

/// The autocorrelation that intervals of this law and mean have at a lag: E[(L - lag)+]/E[L].
double interval_autocorrelation(std::string_view length, double mean_s, double lag_s);

/// Fits `intervals` to a trace by moments. The mean is that over time; its interval is Student's with as many degrees
/// of freedom as there are independent observations. TH = sd/mean of the series; its interval by the delta method, from
/// the integrated autocorrelation of its influence function. The mean length of the intervals is such that E[L²]/E[L]
/// is the integrated autocorrelation (integrated_time()): for values that are drawn anew after each interval the
/// autocorrelation at lag h is E[(L - h)+]/E[L], the chance that h later the interval is still the same, whose integral
/// over both signs of h is E[L²]/E[L]. So whatever the true process is, the fitted one has the same mean, the same TH
/// and the same variance of T_i for long tasks. Samples are taken for averages over the step that they begin, as those
/// of /proc/stat are. Averaging changes no long-run variance, but takes some of the spread: TH is less than that of
/// instants by a part of about step/(6·interval).
/// @throws InputError for fewer than 20 samples, a machine that never had anything left, an unknown law of lengths.
LoadFit fit_load(const LoadSeries& series, const std::string& file, const LoadFitOptions& options);

/// Quantiles of the trace's values over time, at the middles of n equal parts of [0, 1].
std::vector<double> load_quantiles(const LoadSeries& series, std::size_t n);

/// The mean of the correlations of availability between all pairs of traces over the time that all were recorded; at most
/// some twenty thousand moments of it are looked at. None of fewer than two traces that vary, or where they share less
/// than kLeastShared of the shortest one's time, or nothing says so. Traces that do not vary do not count.
std::optional<double> mean_correlation(const std::vector<const LoadSeries*>& all);

}  // namespace nowsim
