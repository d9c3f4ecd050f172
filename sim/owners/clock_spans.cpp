// Intersecting spans, span by span.
#include "sim/owners/clock_spans.hpp"

#include <algorithm>

namespace nowsim {

ClockSpans in_both(const ClockSpans& a, const ClockSpans& b) {
  ClockSpans both;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    const ClockSpan span{std::max(x->from_s, y->from_s), std::min(x->to_s, y->to_s)};
    if (span.from_s < span.to_s) both.push_back(span);
    x->to_s < y->to_s ? ++x : ++y;
  }
  return both;
}

ClockSpans shifted(ClockSpans spans, double seconds) {
  for (auto& span : spans) span = {span.from_s + seconds, span.to_s + seconds};
  return spans;
}

double length_s(const ClockSpans& spans) {
  double sum_s = 0;
  for (const auto& span : spans) sum_s += span.to_s - span.from_s;
  return sum_s;
}

}  // namespace nowsim
