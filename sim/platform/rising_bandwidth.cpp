// Each profile's values in their order, the first after the last where it goes round.
#include "sim/platform/rising_bandwidth.hpp"

namespace nowsim {
namespace {

bool may_rise(const Profile& profile, double nominal_Bps) {
  double before_Bps = nominal_Bps;
  for (const ProfileEvent& event : profile.events) {
    if (event.value.kind != ProfileLaw::Kind::fixed) return true;
    const bool is_at_0 = &event == profile.events.data() && event.date.kind == ProfileLaw::Kind::fixed && event.date.a == 0;
    if (event.value.a > before_Bps && !is_at_0) return true;
    before_Bps = event.value.a;
  }
  return profile.loop && profile.events.front().value.a > before_Bps;
}

}  // namespace

std::optional<std::string> link_whose_bandwidth_rises(const Platform& platform) {
  for (const LinkProfile& varying : platform.link_profiles) {
    if (varying.quantity != ProfileQuantity::bandwidth) continue;
    const Link* link = platform.link_on_route(varying.link);
    if (link != nullptr && may_rise(*varying.profile, link->bandwidth_Bps)) return varying.link;
  }
  return std::nullopt;
}

}  // namespace nowsim
