// Spans that recordings share, the clocks that they are by, and telling their data apart.
#include "sim/owners/recordings.hpp"

#include <algorithm>
#include <bit>

#include "sim/statistics/random.hpp"

namespace nowsim {

RecordingClock clock_of(const Stamp& first, const std::string& file, bool is_one_for_all) {
  using Kind = RecordingClock::Kind;
  constexpr double kSince1970_s = 1e8;  // 1973: what counts from a beginning of its own is not three years old
  if (first.kind == StampKind::civil) return {Kind::civil};
  const double seconds = static_cast<double>(first.whole_s) + first.rest_s;
  if (first.kind == StampKind::utc || seconds >= kSince1970_s) return {Kind::utc};
  if (is_one_for_all) return {Kind::own};
  return file.empty() ? RecordingClock{} : RecordingClock{Kind::own, file};
}

std::uint64_t hash_of(const std::vector<double>& numbers, std::uint64_t before) {
  for (const double x : numbers) before = SplitMix64::mix(before + SplitMix64::kGolden + std::bit_cast<std::uint64_t>(x));
  return before;
}

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
