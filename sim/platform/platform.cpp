// Looking machines and links up, and comparing machines' speeds.
#include "sim/platform/platform.hpp"

#include <algorithm>
#include <numeric>

#include "sim/base/text.hpp"
#include "sim/platform/generate_platform.hpp"

namespace nowsim {
namespace {

/// Its values in their order, the first after the last where it goes round.
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

std::string Platform::simgrid_xml() const { return xml.empty() ? platform_xml(workstations, "None", "") : xml; }

bool Platform::has_state_profiles() const {
  return std::ranges::any_of(workstations, [](const Workstation& w) { return w.extras->state_profile != nullptr; });
}

const Link* Platform::link_on_route(const std::string& name) const {
  auto link = std::ranges::find(links, name, &Link::name);
  const auto has_direction = [&](const Link& l) { return l.name + "_UP" == name || l.name + "_DOWN" == name; };
  if (link == links.end()) link = std::ranges::find_if(links, has_direction);
  return link == links.end() ? nullptr : &*link;
}

std::string about_idle_host(const Platform& platform, const std::string& name) {
  if (std::ranges::find(platform.idle_hosts, name) == platform.idle_hosts.end()) return "";
  return "the host " + quoted(name) + " has the speed 0 in " + platform.source + ": nothing computes there";
}

std::unordered_map<std::string, const Link*> links_by_route_name(const Platform& platform) {
  std::unordered_map<std::string, const Link*> by_name;
  for (const Link& link : platform.links) by_name.try_emplace(link.name, &link);
  for (const Link& link : platform.links)
    for (const char* direction : {"_UP", "_DOWN"}) by_name.try_emplace(link.name + direction, &link);
  return by_name;
}

Platform Platform::with(const std::vector<std::size_t>& chosen) const {
  Platform out = *this;
  out.workstations.clear();
  for (std::size_t i : chosen) out.workstations.push_back(workstations.at(i));
  return out;
}

std::optional<std::string> link_whose_bandwidth_rises(const Platform& platform) {
  for (const LinkProfile& varying : platform.link_profiles) {
    if (varying.quantity != ProfileQuantity::bandwidth) continue;
    const Link* link = platform.link_on_route(varying.link);
    if (link != nullptr && may_rise(*varying.profile, link->bandwidth_Bps)) return varying.link;
  }
  return std::nullopt;
}

double fastest_flops(const Platform& platform) {
  double most = 0;
  for (const auto& w : platform.workstations) most = std::max(most, w.speed_flops);
  return most;
}

std::vector<double> power_weights(const Platform& platform) {
  const double most = fastest_flops(platform);
  std::vector<double> weight;
  for (const auto& w : platform.workstations) weight.push_back(w.speed_flops / most);
  return weight;
}

double total_power(const Platform& platform) {
  const std::vector<double> weight = power_weights(platform);
  return std::accumulate(weight.begin(), weight.end(), 0.0);
}

double heterogeneity(const Platform& platform) {
  return 1 - total_power(platform) / static_cast<double>(platform.workstations.size());
}

}  // namespace nowsim
