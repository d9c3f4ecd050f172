// Spans of time of which there are data, and what two recordings share of theirs.
#pragma once

#include <vector>

namespace nowsim {

/// From a moment to before another [s].
struct ClockSpan {
  double from_s, to_s;
};
/// In order, apart from each other.
using ClockSpans = std::vector<ClockSpan>;

/// What is in both.
ClockSpans in_both(const ClockSpans& a, const ClockSpans& b);
/// So much later.
ClockSpans shifted(ClockSpans spans, double seconds);
double length_s(const ClockSpans& spans);

}  // namespace nowsim
