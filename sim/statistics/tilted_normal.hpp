// Normal densities cut off at 0, and at 1 or nowhere, also where the normal is so wide that hardly a curve is left.
#pragma once

#include "sim/statistics/log_concave_quantile.hpp"

namespace nowsim {

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

}  // namespace nowsim
