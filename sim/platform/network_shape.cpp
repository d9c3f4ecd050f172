// Looking at routes: between workstations, of few all, of many in a star each one's own links; and from each to itself.
#include "sim/platform/network_shape.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/routes.hpp"

namespace nowsim {
namespace {

/// Up to this many workstations all pairs are looked at; of more, a star's 2·p routes tell all.
constexpr std::size_t kMostComparedPairwise = 32;

constexpr double kSameRouteRounding = 1e-12;
bool is_same(double a, double b) { return a == b || std::abs(a - b) <= kSameRouteRounding * std::max(std::abs(a), std::abs(b)); }

bool is_same(const UniformNetwork& a, const UniformNetwork& b) {
  return is_same(a.latency_s, b.latency_s) && is_same(a.bandwidth_Bps, b.bandwidth_Bps);
}

using Links = std::set<const Link*>;

/// A way between two workstations.
struct Way {
  Links links;
  UniformNetwork figures;
};

bool is_fatpipe(const Link* link) { return !link->shared; }

/// What a message finds that passes these links alone.
UniformNetwork figures_of(const Links& links) {
  UniformNetwork figures{0, kInfinity};
  for (const auto* link : links) {
    figures.latency_s += link->latency_s;
    figures.bandwidth_Bps = std::min(figures.bandwidth_Bps, link->bandwidth_Bps);
  }
  return figures;
}

/// Ways between pairs, over links that each have a figure of their own in each direction.
class Ways {
 public:
  Ways(const Platform& platform, WorkstationPairs pairs, double limit_s)
      : platform_(platform), listed_(links_by_route_name(platform)), pairs_(std::move(pairs)),
        found_(look_for_routes(platform, pairs_, limit_s)) {}

  [[nodiscard]] bool hang_on_one_star() const { return found_.hang_on_one_star; }
  /// Of the k-th pair; nothing over wireless links. @throws InputError where there is no route.
  std::optional<Way> at(std::size_t k) {
    const Route& route = found_.routes.at(k);
    const auto name = [&](std::size_t i) { return platform_.workstations[i].name; };
    if (route.no_route_reason == kNoRoute) refuse_without_route(platform_, name(pairs_[k].first), name(pairs_[k].second));
    if (!route.no_route_reason.empty()) return std::nullopt;
    Links links;
    for (const auto& link : route.links) links.insert(known(link));
    return Way{links, {route.latency_s, figures_of(links).bandwidth_Bps}};
  }

 private:
  /// One that the platform does not list limits nothing.
  const Link* known(const std::string& name) {
    const auto [link, is_new] = links_.try_emplace(name, Link{name, kInfinity, 0, false});
    if (const auto listed = listed_.find(name); is_new && listed != listed_.end()) link->second = *listed->second;
    return &link->second;
  }

  const Platform& platform_;
  std::unordered_map<std::string, const Link*> listed_;
  std::map<std::string, Link> links_;
  WorkstationPairs pairs_;
  FoundRoutes found_;
};

/// Whether all pairs are alike. Two messages between others meet on a link unless all that pass it have one sender, or
/// one receiver.
std::optional<UniformNetwork> compare_all(const Platform& platform, double limit_s) {
  const std::size_t n = platform.workstations.size();
  WorkstationPairs pairs;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      if (a != b) pairs.emplace_back(a, b);
  Ways ways(platform, pairs, limit_s);
  std::optional<UniformNetwork> first;
  std::map<const Link*, std::pair<std::set<std::size_t>, std::set<std::size_t>>> users;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto way = ways.at(k);
    if (!way) return std::nullopt;
    if (!first) first = way->figures;
    if (!is_same(way->figures, *first)) return std::nullopt;
    for (const auto* link : way->links) {
      auto& [senders, receivers] = users[link];
      senders.insert(pairs[k].first);
      receivers.insert(pairs[k].second);
      if (!is_fatpipe(link) && senders.size() > 1 && receivers.size() > 1) return std::nullopt;
    }
  }
  return first;
}

// In a star SimGrid 3.32 makes every route of the links up from its sender and those down to its receiver, each link
// once (kernel/routing/StarZone). So the links up from a workstation are what its routes to two others have in common.
// If these two also had a link down in common, it would be taken for a link of several workstations, which it is.

Links common(const Links& a, const Links& b) {
  Links both;
  std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
  return both;
}

/// The ways up from all workstations, then those down to all: at least three of them, around a ring, whose ways onward
/// and back follow one another.
std::vector<Links> ways_up_and_down(const std::vector<Links>& ring) {
  const std::size_t n = ring.size() / 2;
  const auto onward = [&](std::size_t i) -> const Links& { return ring[2 * (i % n)]; };  // from i to its next
  const auto back = [&](std::size_t i) -> const Links& { return ring[2 * (i % n) + 1]; };  // from its next to i
  std::vector<Links> ways;
  for (std::size_t i = 0; i < n; ++i) ways.push_back(common(onward(i), back(i + n - 1)));
  for (std::size_t i = 0; i < n; ++i) ways.push_back(common(onward(i + n - 1), back(i)));
  return ways;
}

std::optional<UniformNetwork> compare_in_star(const Platform& platform, double limit_s) {
  const std::size_t n = platform.workstations.size();
  WorkstationPairs pairs;  // from each workstation to its next, and back
  for (std::size_t i = 0; i < n; ++i) pairs.insert(pairs.end(), {{i, (i + 1) % n}, {(i + 1) % n, i}});
  Ways ring(platform, std::move(pairs), limit_s);
  if (!ring.hang_on_one_star()) return std::nullopt;
  std::vector<Links> on_ring;
  for (std::size_t k = 0; k < 2 * n; ++k) {
    const auto way = ring.at(k);
    if (!way) return std::nullopt;
    on_ring.push_back(way->links);
  }
  const std::vector<Links> ways = ways_up_and_down(on_ring);
  std::map<const Link*, int> users;
  for (const auto& way : ways)
    for (const auto* link : way) ++users[link];
  // The figures of the links that are a way's own, and those that others have too.
  const auto parts = [&](const Links& way) {
    Links own, others;
    for (const auto* link : way) (users.at(link) > 1 ? others : own).insert(link);
    return std::pair(figures_of(own), others);
  };
  // Of a direction all own parts must be alike, and the others the same, which give everybody their whole bandwidth.
  for (const std::size_t from : {std::size_t{0}, n}) {
    const auto first = parts(ways[from]);
    const auto is_like_first = [&](const Links& way) {
      const auto [own, others] = parts(way);
      return others == first.second && is_same(own, first.first);
    };
    if (!std::ranges::all_of(first.second, is_fatpipe) ||
        !std::ranges::all_of(std::span(ways).subspan(from, n), is_like_first))
      return std::nullopt;
  }
  return ring.at(0)->figures;
}

}  // namespace

std::optional<UniformNetwork> uniform_network(const Platform& platform, double limit_s) {
  const std::size_t n = platform.workstations.size();
  if (n < 2 || !platform.has_network() || !platform.link_profiles.empty()) return std::nullopt;
  return n <= kMostComparedPairwise ? compare_all(platform, limit_s) : compare_in_star(platform, limit_s);
}

namespace {

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
  const auto varies_it = [&](const LinkProfile& p) {
    return p.quantity == ProfileQuantity::bandwidth && (p.link == link->name || p.link == on_route);
  };
  if (std::ranges::any_of(platform.link_profiles, varies_it))
    throw InputError("the link '" + on_route + "' has a bandwidth profile of its own in " + platform.source +
                     ": give one of the two");
}

}  // namespace

void check_own_links(const Platform& platform, double limit_s) {
  if (!platform.has_network())
    throw InputError(
        "this platform has no network: each workstation needs a link of its own (platform.network: links"
        " or switch)");
  WorkstationPairs to_themselves;
  for (std::size_t i = 0; i < platform.workstations.size(); ++i) to_themselves.emplace_back(i, i);
  const auto routes = find_routes(platform, to_themselves, limit_s);
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
