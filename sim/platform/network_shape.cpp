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

using Links = std::set<const Link*>;

/// A way between two workstations, or a part of it that is one workstation's.
struct Way {
  Links links;
  UniformNetwork figures{0, kInfinity};
};

bool is_fatpipe(const Link* link) { return !link->shared; }

bool is_same(const UniformNetwork& a, const UniformNetwork& b) {
  return is_same(a.latency_s, b.latency_s) && is_same(a.bandwidth_Bps, b.bandwidth_Bps);
}

/// What a message finds that passes these links alone.
UniformNetwork figures_of(const Links& links) {
  Way way;
  for (const auto* link : links) {
    way.figures.latency_s += link->latency_s;
    way.figures.bandwidth_Bps = std::min(way.figures.bandwidth_Bps, link->bandwidth_Bps);
  }
  return way.figures;
}

using Pair = std::pair<std::size_t, std::size_t>;

std::vector<Pair> all_pairs(std::size_t n) {
  std::vector<Pair> pairs;
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      if (a != b) pairs.emplace_back(a, b);
  return pairs;
}

/// From each workstation to its next, and back.
std::vector<Pair> ring_pairs(std::size_t n) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < n; ++i) {
    pairs.emplace_back(i, (i + 1) % n);
    pairs.emplace_back((i + 1) % n, i);
  }
  return pairs;
}

/// Ways between pairs, over links that each have a figure of their own in each direction.
class Ways {
 public:
  Ways(const Platform& platform, std::vector<Pair> pairs, double limit_s)
      : platform_(platform), listed_(links_by_route_name(platform)), pairs_(std::move(pairs)),
        found_(routes_and_shape(platform, pairs_, limit_s)) {}

  [[nodiscard]] bool hang_on_one_star() const { return found_.hang_on_one_star; }
  /// Of the k-th pair; nothing over wireless links. @throws InputError where there is no route.
  std::optional<Way> at(std::size_t k) {
    const Route& route = found_.routes.at(k);
    const auto name = [&](std::size_t i) { return platform_.workstations[i].name; };
    if (route.no_route_reason == kNoRoute) refuse_without_route(platform_, name(pairs_[k].first), name(pairs_[k].second));
    if (!route.no_route_reason.empty()) return std::nullopt;
    Way way;
    for (const auto& link : route.links) way.links.insert(known(link));
    way.figures = {route.latency_s, figures_of(way.links).bandwidth_Bps};
    return way;
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
  std::vector<Pair> pairs_;
  FoundRoutes found_;
};

/// Of all pairs. Two messages between others meet on a link unless all that pass it have one sender, or one receiver.
class AllPairs {
 public:
  /// Whether the pair is like those before, and has no link in common with others that would have to share it.
  [[nodiscard]] bool add(std::size_t from, std::size_t to, const Way& way) {
    if (!first_) first_ = way.figures;
    for (const auto* link : way.links)
      if (!is_fatpipe(link) && !users_.try_emplace(link, Users{from, to}).first->second.admit(from, to)) return false;
    return is_same(way.figures, *first_);
  }
  /// That all have; none before the first.
  [[nodiscard]] const std::optional<UniformNetwork>& figures() const { return first_; }

 private:
  struct Users {
    std::size_t from, to;
    bool one_sender = true, one_receiver = true;
    bool admit(std::size_t other_from, std::size_t other_to) {
      one_sender &= from == other_from;
      one_receiver &= to == other_to;
      return one_sender || one_receiver;
    }
  };
  std::optional<UniformNetwork> first_;
  std::map<const Link*, Users> users_;
};

std::optional<UniformNetwork> compare_all(const Platform& platform, double limit_s) {
  const std::vector<Pair> pairs = all_pairs(platform.workstations.size());
  Ways ways(platform, pairs, limit_s);
  AllPairs compared;
  for (std::size_t k = 0; k < pairs.size(); ++k)
    if (const auto way = ways.at(k); !way || !compared.add(pairs[k].first, pairs[k].second, *way)) return std::nullopt;
  return compared.figures();
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

/// A way's links that others have too, which must be the same for all and give everybody their whole bandwidth; and
/// the figures of those that are its own.
class OwnAndCommon {
 public:
  explicit OwnAndCommon(const std::vector<Links>& ways) {
    for (const auto& way : ways)
      for (const auto* link : way) ++users_[link];
  }
  [[nodiscard]] std::pair<UniformNetwork, Links> parts(const Links& way) const {
    Links own, others;
    for (const auto* link : way) (users_.at(link) > 1 ? others : own).insert(link);
    return {figures_of(own), others};
  }

 private:
  std::map<const Link*, int> users_;
};

/// Whether ways of one direction are alike, and none has to be shared.
bool are_alike(const OwnAndCommon& links, std::span<const Links> ways) {
  const auto [first_own, first_common] = links.parts(ways.front());
  if (!std::ranges::all_of(first_common, is_fatpipe)) return false;
  return std::ranges::all_of(ways, [&, own = first_own, shared = first_common](const Links& way) {
    const auto [its_own, its_common] = links.parts(way);
    return its_common == shared && is_same(its_own, own);
  });
}

std::optional<UniformNetwork> compare_in_star(const Platform& platform, double limit_s) {
  const std::size_t n = platform.workstations.size();
  Ways ring(platform, ring_pairs(n), limit_s);
  if (!ring.hang_on_one_star()) return std::nullopt;
  std::vector<Links> on_ring;
  for (std::size_t k = 0; k < 2 * n; ++k) {
    const auto way = ring.at(k);
    if (!way) return std::nullopt;
    on_ring.push_back(way->links);
  }
  const std::vector<Links> ways = ways_up_and_down(on_ring);
  const OwnAndCommon links(ways);
  const std::span all(ways);
  if (!are_alike(links, all.first(n)) || !are_alike(links, all.last(n))) return std::nullopt;
  return ring.at(0)->figures;
}

}  // namespace

std::optional<UniformNetwork> uniform_network(const Platform& platform, double limit_s) {
  const std::size_t n = platform.workstations.size();
  if (n < 2 || !platform.has_network() || !platform.link_profiles.empty()) return std::nullopt;
  return n <= kMostComparedPairwise ? compare_all(platform, limit_s) : compare_in_star(platform, limit_s);
}

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
