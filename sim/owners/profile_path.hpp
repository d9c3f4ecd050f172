// A profile's steps as a path.
#pragma once

#include <memory>

#include "sim/owners/path.hpp"
#include "sim/owners/profile.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// Steps of a profile as a path, for links and states too; values at least `least`.
std::unique_ptr<Path> profile_path(std::shared_ptr<const Profile> profile, ProfileQuantity quantity, double initial,
                                   double least, const StreamKey& key);

}  // namespace nowsim
