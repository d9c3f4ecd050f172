// The clocks that recordings are by, and telling their data apart.
#include "sim/owners/recordings.hpp"

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

}  // namespace nowsim
