// Asking for the routes of all workstations to themselves, and looking at their links.
#include "sim/platform/access_links.hpp"

#include <algorithm>
#include <map>

#include "sim/base/error.hpp"
#include "sim/platform/routes.hpp"

namespace nowsim {
namespace {

std::vector<Route> own_routes(const Platform& platform, double limit_s) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < platform.workstations.size(); ++i) pairs.emplace_back(i, i);
  return find_routes(platform, pairs, limit_s);
}

bool has_bandwidth_profile(const Platform& platform, const std::string& link, const std::string& on_route) {
  return std::ranges::any_of(platform.link_profiles, [&](const LinkProfile& p) {
    return p.quantity == ProfileQuantity::bandwidth && (p.link == link || p.link == on_route);
  });
}

/// A flow that passes a link twice competes with itself there.
void check_once(const std::string& workstation, std::vector<std::string> links) {
  std::ranges::sort(links);
  if (const auto twice = std::ranges::adjacent_find(links); twice != links.end())
    throw InputError("the route of '" + workstation + "' to itself passes the link '" + *twice +
                     "' twice; one that varies can be passed once");
}

void check_alone(const std::string& workstation, const std::vector<std::string>& links,
                 std::map<std::string, std::string>& users) {
  for (const auto& link : links) {
    const auto& user = users.try_emplace(link, workstation).first->second;
    if (user != workstation)
      throw InputError("the workstations '" + user + "' and '" + workstation + "' have the link '" + link +
                       "' in common; each needs a link of its own (platform.network: links or switch)");
  }
}

void check_link(const Platform& platform, const std::string& on_route) {
  const Link* link = platform.link_on_route(on_route);
  if (link == nullptr || !link->shared)
    throw InputError("the link '" + on_route + "' gives every flow its whole bandwidth (FATPIPE), and cannot vary");
  if (has_bandwidth_profile(platform, link->name, on_route))
    throw InputError("the link '" + on_route + "' has a bandwidth profile of its own in " + platform.source +
                     ": give one of the two");
}

}  // namespace

void check_own_links(const Platform& platform, double limit_s) {
  if (!platform.has_network())
    throw InputError(
        "this platform has no network: each workstation needs a link of its own (platform.network: links"
        " or switch)");
  const auto routes = own_routes(platform, limit_s);
  std::map<std::string, std::string> users;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const std::string& name = platform.workstations[i].name;
    if (!routes[i].is_own()) throw InputError(no_own_path_text(name));
    check_once(name, routes[i].links);
    check_alone(name, routes[i].links, users);
  }
  for (const auto& route : routes)
    for (const auto& link : route.links) check_link(platform, link);
}

}  // namespace nowsim
