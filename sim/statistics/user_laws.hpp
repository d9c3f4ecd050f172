// Laws that are said value by value, as data has them, or as a formula of the uniform number.
#pragma once

#include <string>
#include <vector>

#include "sim/base/formula.hpp"
#include "sim/statistics/laws.hpp"

namespace nowsim {

/// Part of a histogram: uniform on [low, high], or one value where these are equal, with a probability in proportion to
/// the weight.
struct HistogramBin {
  double low, high, weight;
};

/// The law of a histogram: exactly, its quantile function being the steps and slopes of the bins in order. Its borders,
/// sums of weights in proportion to all, are right to 2^-53. A draw takes some 15 ns, of a million bins 140.
/// @throws InputError unless there is a bin, none has ends out of order or overlaps another, all is finite, no weight
/// is negative and some are positive.
DistributionPtr histogram(std::vector<HistogramBin> bins);
/// Each of these values equally likely. @throws InputError unless there is one and all are finite.
DistributionPtr empirical(const std::vector<double>& values);

/// A law of availabilities brought to this mean, in (0, 1], and TH: its values are spread about their mean, shifted, and
/// cut at 0 and 1, so that all that these hold of the TH is there; with one value alone none is. Of its quantiles in the
/// middles of 200 equal parts.
DistributionPtr brought_to(const Distribution& law, double mean, double th);

/// What values a formula may give, both ends included.
struct FormulaRange {
  double least, most;
  std::string what;  ///< "an availability"
};
/// How exactly a formula's mean is integrated, and its variance (of that, or of the square of the mean).
inline constexpr double kFormulaError = 1e-8;
/// The value of a formula of u at a uniform number u in [0, 1), whether it rises with u or not. Mean and variance are
/// integrated by Gauss's rule of 15 points, on panels that are halved until the sum of the differences that this makes
/// is at most kFormulaError. What is narrower than the 1/1400 from one place of the first panels to the next may be
/// overlooked. The lower and upper end are the range's. @throws InputError where the formula needs another variable, or
/// is not finite or not in the range: where it is integrated, on a grid of 4096 from 0 on, at 1 - 2^-53, and at draws,
/// naming u and the value; where mean or variance cannot be told so exactly, or the latter is infinite; or where the mean is 0.
DistributionPtr formula_law(const WrittenFormula& written, const FormulaRange& range);

}  // namespace nowsim
