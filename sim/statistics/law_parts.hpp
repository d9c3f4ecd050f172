// What laws are made of: what they ask of their parameters; the standard normal's quantiles; normals cut off at 0, and
// at 1 or nowhere, also where the normal is so wide that hardly a curve is left; the beta law.
#pragma once

#include <memory>
#include <string>

#include "sim/statistics/laws.hpp"
#include "sim/statistics/numerical_inversion.hpp"

namespace nowsim {

/// @throws InputError with this sentence unless it holds.
void require(bool holds, const std::string& sentence);
/// @throws InputError, naming what it is, unless x > 0 and finite.
void require_positive(double x, const std::string& what);
/// @throws InputError likewise; its square must be finite, too.
void require_sd(double sd, const std::string& what);

/// Exact, as a table is made of it.
TailQuantiles standard_normal_quantiles();
/// The one table of all normal laws.
const std::shared_ptr<const QuantileTable>& standard_normal_table();

/// A density proportional to exp(-slope x - curvature x^2/2) for 0 <= x <= end: of the normal with the curvature
/// 1/sigma^2 and the slope -mu/sigma^2. In these two everything stays finite where mu runs off to -infinity: the
/// truncated exponential has curvature 0.
struct TiltedNormal {
  double slope, curvature;
};

LogConcaveDensity density(const TiltedNormal& law, double end);

struct MeanVariance {
  double mean, variance;
};

/// Of the law on 0..1, to about 1e-13.
MeanVariance moments(const TiltedNormal& law);
/// The law on 0..1 with this mean, at most 1/2, and sd.
TiltedNormal tilted_normal(double mean, double sd);
/// The truncated exponential on 0..1 of this mean, at most 1/2: the widest of them.
TiltedNormal widest_tilted_normal(double mean);
/// The same law seen from 1: of 1 - x.
TiltedNormal mirrored(const TiltedNormal& law);

/// With this mean in (0, 1) and sd/mean in (0, sqrt((1 - mean)/mean)).
DistributionPtr beta(double mean, double th);

}  // namespace nowsim
