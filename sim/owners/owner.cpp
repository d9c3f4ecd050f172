// What an owner says of itself, from what it is and what is laid over it, in the order of the struct.
#include "sim/owners/owner.hpp"

#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/owners/habits.hpp"
#include "sim/owners/measured_owner.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/owners/path.hpp"

namespace nowsim {
namespace {

template <class T>
const T& itself(const T& kind) {
  return kind;
}
template <class T>
const T& itself(const std::shared_ptr<const T>& kind) {
  return *kind;
}

/// f of what an owner is.
template <class F>
auto of_kind(const Owner& owner, F f) {
  return std::visit([&](const auto& kind) { return f(itself(kind)); }, owner.kind);
}

OwnerMoments moments_of_kind(const Owner& owner) {
  return of_kind(owner, [](const auto& kind) { return kind.moments(); });
}

/// What an owner is expected to leave without what is laid over it.
std::optional<double> left_of_kind(const Owner& owner, double seconds) {
  return of_kind(owner, [&](const auto& kind) { return kind.expected_left_s(seconds); });
}

OwnerPtr shared(Owner owner) { return std::make_shared<const Owner>(std::move(owner)); }

/// The same, found under way but for the hours; null where that is the same.
OwnerPtr kind_under_way(const Owner& owner, const OwnerSight& sight) {
  return of_kind(owner, [&](const auto& kind) -> OwnerPtr {
    if constexpr (requires { kind.under_way(sight); })
      if (auto later = kind.under_way(sight)) {
        Owner out = owner;
        out.kind = std::move(*later);
        return shared(std::move(out));
      }
    return nullptr;
  });
}

}  // namespace

std::unique_ptr<Path> Owner::path(const StreamKey& key) const {
  if (fit) return drawn(*this, key.seed, key.replication / kReplicationsPerDraw)->path(key);
  if (odd && key.replication % 2 == 1) return odd->path({key.seed, key.replication - 1, key.workstation, key.purpose});
  std::unique_ptr<Path> path =
      hours && hours->mean == 0 ? constant_path(0) : of_kind(*this, [&](const auto& it) { return it.path(key); });
  if (hours && hours->mean > 0) path = path_by_hour(std::move(path), hours, key);
  return later_s > 0 ? later_path(std::move(path), later_s) : std::move(path);
}

OwnerPtr user_owner(std::shared_ptr<const UserOwner> owner) { return shared({std::move(owner)}); }

LaneForm lane_form(const Owner& owner, const StreamKey& key) {
  if (owner.fit || owner.hours || owner.later_s > 0) return ByPath{};
  LaneForm form = of_kind(owner, [&](const auto& kind) { return kind.lane_form(key); });
  if (auto* draws = std::get_if<RenewalDraws>(&form); draws != nullptr && owner.odd)
    draws->odd_value = std::get<RenewalOwner>(owner.odd->kind).value->transform();
  return form;
}

OwnerMoments Owner::moments() const {
  const OwnerMoments own = moments_of_kind(*this);
  return hours ? OwnerMoments{hours->mean, hours->sd, own.are_exact} : own;
}

std::optional<IntervalModel> Owner::renewal() const {
  if (hours || later_s > 0) return std::nullopt;
  return of_kind(*this, [](const auto& it) { return it.renewal(); });
}

Dependence Owner::dependence() const {
  const Dependence own = of_kind(*this, [](const auto& it) { return it.dependence(); });
  return hours && own.kind == Dependence::Kind::none ? Dependence{Dependence::Kind::clock} : own;
}

double Owner::replayed_after_s() const {
  return of_kind(*this, [](const auto& it) { return it.replayed_after_s(); });
}

bool Owner::begins_at_random() const {
  return of_kind(*this, [](const auto& it) { return it.begins_at_random(); });
}

double Owner::moments_to_begin() const {
  return of_kind(*this, [](const auto& it) { return it.moments_to_begin(); });
}

std::optional<RecordedSeries> Owner::recording() const {
  return of_kind(*this, [](const auto& it) { return it.recording(); });
}

std::uint64_t Owner::content_hash() const {
  return of_kind(*this, [](const auto& it) { return it.content_hash(); });
}

std::optional<double> Owner::expected_left_s(double seconds) const {
  if (odd) return std::nullopt;
  if (later_s > 0) {
    OwnerDraws draws(*this);
    return sampled_left_s([&](const StreamKey& key) { return draws.of(key.seed, key.replication).path(key); }, seconds);
  }
  if (!hours) return left_of_kind(*this, seconds);
  return hours->expected_left_s(seconds, [this](double until_s) { return left_of_kind(*this, until_s); });
}

bool Owner::is_dedicated() const { return std::holds_alternative<DedicatedOwner>(kind) && !hours; }

const OwnerJobs* Owner::jobs() const {
  const auto* jobs = std::get_if<std::shared_ptr<const OwnerJobs>>(&kind);
  return jobs == nullptr ? nullptr : jobs->get();
}

std::string Owner::describe() const {
  std::string text = of_kind(*this, [](const auto& it) { return it.describe(); });
  if (fit) text += ", measured: worth " + short_number(fit->worth) + " observations";
  if (hours) text += hours->text();
  return later_s > 0 ? text + ", " + number_text(later_s) + "s later" : text;
}

std::string Owner::identity() const {
  std::string text = of_kind(*this, [](const auto& it) { return it.identity(); });
  if (fit) text += " measured with steps " + fit->identity;
  if (hours) text = "diurnal start=" + diurnal_text(hours->pattern) + " over " + text;
  if (later_s > 0) text += ", " + number_text(later_s) + "s later";
  return odd ? "antithetic " + text : text;
}

OwnerPtr under_way(const Owner& owner, const OwnerSight& sight) {
  if (owner.odd || owner.later_s > 0) return nullptr;
  if (!owner.hours) return kind_under_way(owner, sight);
  if (!owner.hours->pattern.start_s) return nullptr;  // what is seen is of an hour that nobody knows
  const auto [hours, below] = owner.hours->under_way(sight);
  const OwnerPtr later = kind_under_way(owner, below);
  Owner out = later ? *later : owner;
  out.hours = hours;
  return shared(std::move(out));
}

OwnerPtr owner_under_way(const OwnerPtr& owner, const OwnerSight& sight) {
  const OwnerPtr later = under_way(*owner, sight);
  return later ? later : owner;
}

OwnerPtr later_owner(const Owner& owner, double seconds) {
  Owner later = owner;
  later.later_s += seconds;
  if (later.odd) later.odd = later_owner(*later.odd, seconds);
  return shared(std::move(later));
}

OwnerPtr replayed_together(const Owner& owner, const ClockSpans& kept, std::uint64_t set, SharedParts& parts) {
  return of_kind(owner, [&](const auto& kind) -> OwnerPtr {
    if constexpr (requires { kind.replayed_together(kept, set, parts); })
      if (auto together = kind.replayed_together(kept, set, parts)) {
        Owner out = owner;
        out.kind = std::move(*together);
        if (owner.hours) out.hours = owner.hours->over(moments_of_kind(out));
        return shared(std::move(out));
      }
    return nullptr;
  });
}

/// By the hour, a random clock stands half a week further, still the same for all workstations: two runs from about the
/// same hour would have more in common than mirrored owners take away.
OwnerPtr mirrored(const Owner& owner) {
  if (owner.odd) return nullptr;
  Owner other = owner;
  if (auto* renewal = std::get_if<RenewalOwner>(&other.kind)) renewal->value = reflected(renewal->value);
  else if (!owner.hours || !std::holds_alternative<DedicatedOwner>(owner.kind)) return nullptr;
  if (owner.hours) other.hours = owner.hours->opposite();
  return shared(std::move(other));
}

OwnerPtr antithetic_owner(const OwnerPtr& owner) {
  Owner both = *owner;
  both.odd = mirrored(*owner);
  return both.odd ? shared(std::move(both)) : owner;
}

}  // namespace nowsim
