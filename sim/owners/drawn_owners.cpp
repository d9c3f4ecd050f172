// What is remembered where there is not room for all.
#include "sim/owners/drawn_owners.hpp"

#include "sim/owners/owner.hpp"

namespace nowsim {

/// Replications come round in the same order: of too many those of the first are worth most, since the latest ones would
/// push each other out. With a search's next sample (split_task.hpp) the one before is over, and so are the owners of a
/// scenario before where there is no room for others.
OwnerPtr DrawnOwners::of(const OwnerPtr& measured, std::uint64_t seed, const FitDraw& draw) {
  constexpr std::size_t kMost = 1 << 14;
  constexpr int kOfSample = 36;
  const std::uint64_t sample = draw.number >> kOfSample;
  if (sample != sample_ || (count_ >= kMost && !known_.contains(measured))) {
    known_.clear();
    count_ = 0;
  }
  sample_ = sample;
  auto& draws = known_[measured];
  const Key key{seed, draw.number, draw.step == 0 ? 0 : draw.block, draw.step};
  if (const auto found = draws.find(key); found != draws.end()) return found->second;
  const OwnerPtr made = drawn(*measured, seed, draw);
  if (count_ >= kMost) return made;
  ++count_;
  return draws.emplace(key, made).first->second;
}

}  // namespace nowsim
