// Fat pipes that limit flows by these flows' own bounds alone.
#include "sim/engines/simgrid/fat_pipes.hpp"

#include <simgrid/s4u.hpp>

#include <algorithm>

namespace nowsim {

void open_fat_pipes(const Platform& platform) {
  namespace s4u = simgrid::s4u;
  const auto varies = [&](const std::string& link) {
    return std::ranges::any_of(platform.link_profiles, [&](const LinkProfile& p) {
      return p.link == link && p.quantity == ProfileQuantity::bandwidth;
    });
  };
  // SimGrid bounds a flow by the least bandwidth on its way anyway. A capacity that no flows exhaust leaves it at that.
  const auto beyond_bounds = [](double, int) { return 1e300; };
  for (s4u::Link* link : s4u::Engine::get_instance()->get_all_links())
    if (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE && !varies(link->get_name()))
      link->set_sharing_policy(s4u::Link::SharingPolicy::NONLINEAR, beyond_bounds);
}

}  // namespace nowsim
