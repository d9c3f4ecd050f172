// Asking SimGrid for the routes: of few workstations all, of many in a star each one's own links.
#include "sim/platform/uniform_network.hpp"

#include <simgrid/kernel/routing/StarZone.hpp>
#include <simgrid/s4u.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/base/serialization.hpp"
#include "sim/platform/ask_simgrid.hpp"
#include "sim/platform/simgrid_session.hpp"

namespace nowsim {
namespace {

namespace s4u = simgrid::s4u;

/// Up to this many workstations all pairs are looked at; of more, a star's 2·p routes tell all.
constexpr std::size_t kMostComparedPairwise = 32;

constexpr double kSameRouteRounding = 1e-12;
bool is_same(double a, double b) { return a == b || std::abs(a - b) <= kSameRouteRounding * std::max(std::abs(a), std::abs(b)); }

using Hosts = std::vector<s4u::Host*>;
using Links = std::set<s4u::Link*>;

/// A way between two workstations, or a part of it that is one workstation's.
struct Way {
  Links links;
  UniformNetwork figures{0, kInfinity};
};

bool is_fatpipe(const s4u::Link* link) { return link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE; }
/// Wireless links, and those whose capacity is a function, are of other kinds.
bool is_known(const s4u::Link* link) {
  return is_fatpipe(link) || link->get_sharing_policy() == s4u::Link::SharingPolicy::SHARED;
}
bool are_known(const Links& links) { return std::ranges::all_of(links, is_known); }

bool is_same(const UniformNetwork& a, const UniformNetwork& b) {
  return is_same(a.latency_s, b.latency_s) && is_same(a.bandwidth_Bps, b.bandwidth_Bps);
}

/// What a message finds that passes these links alone.
UniformNetwork figures_of(const Links& links) {
  Way way;
  for (const auto* link : links) {
    way.figures.latency_s += link->get_latency();
    way.figures.bandwidth_Bps = std::min(way.figures.bandwidth_Bps, link->get_bandwidth());
  }
  return way.figures;
}

Way route(const Platform& platform, const s4u::Host* from, const s4u::Host* to) {
  std::vector<s4u::Link*> links;
  Way way;
  from->route_to(to, links, &way.figures.latency_s);
  if (links.empty() && way.figures.latency_s <= 0) refuse_without_route(platform, from->get_name(), to->get_name());
  way.links.insert(links.begin(), links.end());
  way.figures.bandwidth_Bps = figures_of(way.links).bandwidth_Bps;
  return way;
}

/// Of all pairs. Two messages between others meet on a link unless all that pass it have one sender, or one receiver.
class AllPairs {
 public:
  /// Whether the pair is like those before, and has no link in common with others that would have to share it.
  [[nodiscard]] bool add(std::size_t from, std::size_t to, const Way& way) {
    if (!first_) first_ = way.figures;
    for (auto* link : way.links)
      if (!is_fatpipe(link) && !users_.try_emplace(link, Users{from, to}).first->second.admit(from, to)) return false;
    return are_known(way.links) && is_same(way.figures, *first_);
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
  std::map<s4u::Link*, Users> users_;
};

std::optional<UniformNetwork> compare_all(const Platform& platform, const Hosts& hosts) {
  AllPairs pairs;
  for (std::size_t a = 0; a < hosts.size(); ++a)
    for (std::size_t b = 0; b < hosts.size(); ++b)
      if (a != b && !pairs.add(a, b, route(platform, hosts[a], hosts[b]))) return std::nullopt;
  return pairs.figures();
}

// In a star SimGrid 3.32 makes every route of the links up from its sender and those down to its receiver, each link
// once (kernel/routing/StarZone). So the links up from a workstation are what its routes to two others have in common.
// If these two also had a link down in common, it would be taken for a link of several workstations, which it is.

/// A bypass would be another route for some pair.
bool is_star(const Platform& platform, const Hosts& hosts) {
  const auto* zone = hosts.front()->get_englobing_zone();
  return std::ranges::all_of(hosts, [&](const s4u::Host* host) { return host->get_englobing_zone() == zone; }) &&
         dynamic_cast<const simgrid::kernel::routing::StarZone*>(zone->get_impl()) != nullptr &&
         platform.xml.find("<bypass") == std::string::npos;
}

Links common(const Links& a, const Links& b) {
  Links both;
  std::ranges::set_intersection(a, b, std::inserter(both, both.end()));
  return both;
}

/// The ways up from all workstations, then those down to all: at least three of them, around a ring.
std::vector<Links> ways_up_and_down(const Platform& platform, const Hosts& hosts) {
  const std::size_t n = hosts.size();
  std::vector<Links> onward(n), back(n);  // from i to its next, and from its next to i
  for (std::size_t i = 0; i < n; ++i) {
    onward[i] = route(platform, hosts[i], hosts[(i + 1) % n]).links;
    back[i] = route(platform, hosts[(i + 1) % n], hosts[i]).links;
  }
  std::vector<Links> ways;
  for (std::size_t i = 0; i < n; ++i) ways.push_back(common(onward[i], back[(i + n - 1) % n]));
  for (std::size_t i = 0; i < n; ++i) ways.push_back(common(onward[(i + n - 1) % n], back[i]));
  return ways;
}

/// A way's links that others have too, which must be the same for all and give everybody their whole bandwidth; and
/// the figures of those that are its own.
class OwnAndCommon {
 public:
  explicit OwnAndCommon(const std::vector<Links>& ways) {
    for (const auto& way : ways)
      for (auto* link : way) ++users_[link];
  }
  [[nodiscard]] std::pair<UniformNetwork, Links> parts(const Links& way) const {
    Links own, others;
    for (auto* link : way) (users_.at(link) > 1 ? others : own).insert(link);
    return {figures_of(own), others};
  }

 private:
  std::map<s4u::Link*, int> users_;
};

/// Whether ways of one direction are alike, and none has to be shared.
bool are_alike(const OwnAndCommon& links, std::span<const Links> ways) {
  const auto [first_own, first_common] = links.parts(ways.front());
  if (!std::ranges::all_of(first_common, is_fatpipe)) return false;
  return std::ranges::all_of(ways, [&, own = first_own, shared = first_common](const Links& way) {
    const auto [its_own, its_common] = links.parts(way);
    return are_known(way) && its_common == shared && is_same(its_own, own);
  });
}

std::optional<UniformNetwork> compare_in_star(const Platform& platform, const Hosts& hosts) {
  const std::vector<Links> ways = ways_up_and_down(platform, hosts);
  const OwnAndCommon links(ways);
  const std::span all(ways);
  if (!are_alike(links, all.first(hosts.size())) || !are_alike(links, all.last(hosts.size()))) return std::nullopt;
  return route(platform, hosts[0], hosts[1]).figures;
}

std::optional<UniformNetwork> compare(const Platform& platform) {
  open_simgrid(platform.simgrid_xml(), platform.source, kPlatformPrecision);
  Hosts hosts;
  for (const auto& workstation : platform.workstations) hosts.push_back(s4u::Host::by_name(workstation.name));
  if (hosts.size() <= kMostComparedPairwise) return compare_all(platform, hosts);
  return is_star(platform, hosts) ? compare_in_star(platform, hosts) : std::nullopt;
}

}  // namespace

std::optional<UniformNetwork> uniform_network(const Platform& platform, double limit_s) {
  if (platform.workstations.size() < 2 || !platform.has_network()) return std::nullopt;
  if (!platform.link_profiles.empty()) return std::nullopt;
  const auto compared = [&] {
    Serializer out;
    if (const auto network = compare(platform)) out.put(*network);
    return out.take();
  };
  const std::string answer = ask_child(platform, compared, limit_s);
  Deserializer in(answer);
  return in.at_end() ? std::nullopt : std::optional(in.get<UniformNetwork>());
}

}  // namespace nowsim
