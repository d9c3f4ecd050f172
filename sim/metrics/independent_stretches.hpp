// Replications that see stretches of one recorded series: how many of these do not overlap, and intervals that go by
// them.
#pragma once

#include "sim/program/scenario.hpp"
#include "sim/statistics/sample.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// How many independent observations replications are at most, by a scenario's recorded series. One where such a series
/// is replayed and all replications are the same, since they cannot differ; where it is seen from random moments on, as
/// many stretches of the mean makespan as do not overlap in the shortest; infinite where all is drawn.
double independent_stretches(const Scenario& scenario, const Moments& makespan_s);

/// The estimate with an interval of so many observations, where these are fewer than its replications: a proportion's
/// of as many, else as much wider as Student's interval of their mean were, and without ends where there are fewer than
/// two. What nothing varies in by itself stays as it is.
/// @param is_positive whatever the replications were: then the lower end is above 0.
Estimate of_stretches(const Estimate& e, double stretches, std::uint64_t replications, bool is_positive,
                      const Confidence& confidence);

}  // namespace nowsim
