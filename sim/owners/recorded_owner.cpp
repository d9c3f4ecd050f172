// The clocks that recordings are by, and telling their data apart.
#include "sim/owners/recorded_owner.hpp"

#include <bit>

#include "sim/statistics/random.hpp"

namespace nowsim {

std::string clock_of(const Stamp& first, const std::string& otherwise) {
  constexpr double kSince1970_s = 1e8;  // 1973: what counts from a beginning of its own is not three years old
  if (first.kind == StampKind::civil) return "dates";
  const double seconds = static_cast<double>(first.whole_s) + first.rest_s;
  return first.kind == StampKind::utc || seconds >= kSince1970_s ? "UTC" : otherwise;
}

const RecordedOwner* recorded_owner(const OwnerModel& model) {
  const auto* recorded = dynamic_cast<const RecordedOwner*>(&model);
  return recorded != nullptr && recorded->recording() ? recorded : nullptr;
}

std::uint64_t hash_of(const std::vector<double>& numbers, std::uint64_t before) {
  for (const double x : numbers) before = SplitMix64::mix(before + SplitMix64::kGolden + std::bit_cast<std::uint64_t>(x));
  return before;
}

}  // namespace nowsim
