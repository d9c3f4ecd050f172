// What is remembered where there is not room for all.
#include "sim/owners/drawn_owners.hpp"

#include "sim/owners/habits.hpp"
#include "sim/owners/owner.hpp"

namespace nowsim {

namespace {

/// Whose paths, if they take long to draw, are drawn once.
OwnerPtr with_remembered_paths(const OwnerPtr& owner, const std::shared_ptr<std::size_t>& room) {
  const auto* habits = std::get_if<HabitsOwner>(&owner->kind);
  if (habits == nullptr) return owner;
  auto out = std::make_shared<Owner>(*owner);
  std::get<HabitsOwner>(out->kind).remembered = std::make_shared<RememberedPaths>(
      [of = *habits](const StreamKey& key) { return habits_path(of.habits, of.levels, key); }, room);
  return out;
}

}  // namespace

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
    room_ = nullptr;
  }
  sample_ = sample;
  auto& draws = known_[measured];
  const Key key{seed, draw.number, draw.step == 0 ? 0 : draw.block, draw.step};
  if (const auto found = draws.find(key); found != draws.end()) return found->second;
  const OwnerPtr made = drawn(*measured, seed, draw);
  if (count_ >= kMost) return made;
  ++count_;
  constexpr std::size_t kMostSteps = 1 << 23;
  if (!room_) room_ = std::make_shared<std::size_t>(kMostSteps);
  return draws.emplace(key, with_remembered_paths(made, room_)).first->second;
}

}  // namespace nowsim
