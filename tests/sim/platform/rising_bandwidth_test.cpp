// Which profiles let a link's bandwidth rise while messages may be under way.
#include "sim/platform/platform.hpp"

#include <catch2/catch.hpp>
#include <memory>

using namespace nowsim;

namespace {

/// A link of 1000 B/s with a profile.
bool rises(const std::string& profile, ProfileQuantity quantity = ProfileQuantity::bandwidth) {
  Platform platform;
  platform.links.push_back({"l", 1000, 0.001});
  platform.link_profiles.push_back({"l", quantity, std::make_shared<const Profile>(parse_profile(profile, "p", quantity))});
  return link_whose_bandwidth_rises(platform) == "l";
}

}  // namespace

TEST_CASE("Bandwidth rises where a later value is more, also when a profile begins again", "[reads][rising_bandwidth]") {
  CHECK(rises("0 1000\n1 2000\n"));
  CHECK(rises("5 1500\n"));  // above its own
  CHECK(rises("PERIODICITY 10\n0 1000\n5 500\n"));
  CHECK(rises("STOCHASTIC\nDET 1 UNIF 10 20\n"));
  CHECK_FALSE(rises("0 2000\n"));  // nothing is under way before
  CHECK_FALSE(rises("0 1000\n5 500\n"));
  CHECK_FALSE(rises("5 500\n7 500\n"));
  CHECK_FALSE(rises("0 0.001\n1 0.002\n", ProfileQuantity::latency));
  CHECK_FALSE(link_whose_bandwidth_rises(Platform()));
}
