// By the variance of the mean of standardised series: with n of them it is (1 + (n - 1) r)/n.
#include "sim/owners/trace_correlation.hpp"

#include <algorithm>
#include <cmath>

#include "sim/owners/recorded_owner.hpp"
#include "sim/owners/replay_together.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {
namespace {

Stamp first_of(const Trace& trace) { return {trace.stamps, trace.first_s, trace.first_rest_s}; }

/// The time that all have, since the first one's beginning; empty where that is too little.
ClockSpans shared_by_all(const std::vector<const Trace*>& traces) {
  ClockSpans shared = spans_of(*traces.front());
  double shortest_s = length_s(shared);
  const std::string clock = clock_of(first_of(*traces.front()), "");
  for (const Trace* trace : traces) {
    if (clock.empty() || clock_of(first_of(*trace), "") != clock) return {};
    const ClockSpans own = shifted(spans_of(*trace), seconds_between(first_of(*traces.front()), first_of(*trace)));
    shortest_s = std::min(shortest_s, length_s(own));
    shared = in_both(shared, own);
  }
  return length_s(shared) < kLeastShared * shortest_s ? ClockSpans{} : shared;
}

/// The values at so many moments, equally far apart, as multiples of their standard deviation from their mean; empty where
/// they do not vary.
std::vector<double> standardised(const Trace& trace, std::size_t moments) {
  std::vector<double> values;
  Moments all;
  std::size_t row = 0;
  for (std::size_t k = 0; k < moments; ++k) {
    const double at_s = (static_cast<double>(k) + 0.5) / static_cast<double>(moments) * trace.total_s;
    while (row + 1 < trace.start_s.size() && trace.start_s[row + 1] <= at_s) ++row;
    values.push_back(trace.availability[row]);
    all.add(values.back());
  }
  if (!(all.max() > all.min())) return {};
  double squares = 0;
  for (const double x : values) squares += (x - all.mean()) * (x - all.mean());
  const double sd = std::sqrt(squares / static_cast<double>(moments));
  for (double& x : values) x = (x - all.mean()) / sd;
  return values;
}

}  // namespace

std::optional<double> mean_correlation(const std::vector<const Trace*>& traces) {
  constexpr std::size_t kMost = 20000;
  if (traces.size() < 2) return std::nullopt;
  const ClockSpans shared = shared_by_all(traces);
  if (shared.empty()) return std::nullopt;
  std::size_t moments = 0, varying = 0;
  for (const Trace* trace : traces) moments = std::max(moments, std::min(trace->availability.size(), kMost));
  std::vector<double> sum(moments);
  for (const Trace* trace : traces) {
    const ClockSpans own = shifted(shared, seconds_between(first_of(*trace), first_of(*traces.front())));
    const std::vector<double> values = standardised(in_spans(*trace, own), moments);
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
