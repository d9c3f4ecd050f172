// The owner model `profile`: a SimGrid availability profile, deterministic or STOCHASTIC.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/text.hpp"
#include "sim/owners/owner_keys.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {

std::unique_ptr<Path> ProfileOwner::path(const StreamKey& key) const {
  std::unique_ptr<Path> path = profile_path(profile, ProfileQuantity::fraction, 1.0, kLeastAvailability, key);
  if (profile->loop && of_profile.mean == 0) {  // zeros: free until its first event, and then never again
    const Step first = path->next();
    path = constant_path(0);
    if (first.value == 1) path = path_behind(first, std::move(path));
  }
  return later_s > 0 ? later_path(std::move(path), later_s) : std::move(path);
}

std::optional<ProfileOwner> ProfileOwner::under_way(const OwnerSight& sight) const {
  if (later_s > 0 || !(sight.elapsed_s > 0)) return std::nullopt;
  ProfileOwner later = *this;
  later.later_s = sight.elapsed_s;
  return later;
}

/// Of a stochastic profile that loops nobody knows how far it is.
std::optional<double> ProfileOwner::expected_left_s(double seconds) const {
  const auto sampled = [&](double time_s, bool is_one) {
    return sampled_left_s([this](const StreamKey& key) { return path(key); }, time_s, is_one);
  };
  if (later_s > 0) return sampled(seconds, false);
  if (profile->stochastic && profile->loop) return std::nullopt;
  const double round_s = replayed_after_s();
  const double replayed_s = std::isfinite(round_s) ? std::max(0.0, std::floor(seconds / round_s) - 1) * round_s : 0;
  return replayed_s * of_profile.mean + sampled(seconds - replayed_s, std::isfinite(round_s));
}

/// The length of a round; none of a profile that does not loop, or in which something is drawn.
double ProfileOwner::replayed_after_s() const {
  const auto is_drawn = [](const ProfileEvent& e) { return e.value.kind != ProfileLaw::Kind::fixed; };
  if (!profile->loop || profile->stochastic || std::ranges::any_of(profile->events, is_drawn)) return kInfinity;
  return profile->periodicity.value_or(profile->events.back().date.a + profile->loop_after.value_or(0));
}

std::string ProfileOwner::describe() const { return label + later_text(); }

std::string ProfileOwner::identity() const { return "profile " + write_profile(*profile) + later_text(); }

std::string ProfileOwner::later_text() const { return later_s > 0 ? ", " + number_text(later_s) + "s later" : ""; }

OwnerPtr profile_owner(std::shared_ptr<const Profile> profile, std::string label) {
  const OwnerMoments moments = profile_moments(*profile, ProfileQuantity::fraction, 1.0);
  return std::make_shared<const Owner>(Owner{ProfileOwner{{}, std::move(profile), std::move(label), moments}});
}

OwnerModelInfo profile_model() {
  return {"profile", "a SimGrid availability profile, deterministic or STOCHASTIC",
          {file_key("the profile"), folder_key()},
          [](KeyReader& read, const OwnerContext& context) {
            const std::string file = read_file_of_host(read, context.host);
            if (file.empty()) return dedicated_owner();
            const auto read_it = [&] {
              return std::make_shared<const Profile>(read_profile(file, ProfileQuantity::fraction));
            };
            return profile_owner(context.shared.get<Profile>(file, read_it), "profile " + file);
          }};
}

}  // namespace nowsim
