// Asking for routes in a few large questions.
#include "sim/engines/direct/route_table.hpp"

#include <algorithm>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/platform/routes.hpp"

namespace nowsim {
namespace {

/// Up to this many workstations all pairs are asked for at once; each question costs a process that loads the platform.
constexpr std::size_t kMostForAllPairs = 64;

/// Up to this many all pairs have a place, of a megabyte in all.
constexpr std::size_t kMostAtHand = 360;

}  // namespace

RouteTable::RouteTable(std::shared_ptr<const Platform> platform) : platform_(std::move(platform)) {
  const std::size_t n = platform_->workstations.size();
  if (n <= kMostAtHand) at_hand_.resize(n * n);
}

const RouteTable::Route& RouteTable::look_up(std::size_t from, std::size_t to) {
  auto known = paths_.find(key({from, to}));
  if (known == paths_.end()) {
    load(from, to);
    known = paths_.find(key({from, to}));
  }
  if (!at_hand_.empty()) at_hand_[known->first] = &known->second;
  return known->second;
}

const RouteTable::Route& RouteTable::find_own(std::size_t workstation) {
  const std::string& name = platform_->workstations.at(workstation).name;
  try {
    if (const Route& path = find(workstation, workstation); path.is_own) return path;
  } catch (const InputError&) {
  }
  throw InputError(no_own_path_text(name));
}

/// The pair itself first, then all others that are not known; of many workstations those that have its sender, its
/// receiver (a server's clients) or its distance (neighbours). Workstations' routes to themselves are rarely needed,
/// and may not be there: they are asked for together, apart from the others.
std::vector<RouteTable::Pair> RouteTable::asked_together(std::size_t from, std::size_t to) const {
  const std::size_t n = platform_->workstations.size();
  std::vector<Pair> pairs{{from, to}};
  const auto add = [&](std::size_t a, std::size_t b) {
    if (!paths_.contains(key({a, b}))) pairs.emplace_back(a, b);
  };
  for (std::size_t a = 0; a < n; ++a) {
    if (from == to) {
      add(a, a);
    } else if (n <= kMostForAllPairs) {
      for (std::size_t b = 0; b < n; ++b)
        if (a != b) add(a, b);
    } else {
      if (a != from) add(from, a);
      if (a != to) add(a, to);
      add(a, (a + n + to - from) % n);
    }
  }
  return pairs;
}

/// With as many others as are likely to be needed; alone where some of the others have no route.
void RouteTable::load(std::size_t from, std::size_t to) {
  auto pairs = asked_together(from, to);
  std::vector<nowsim::Route> routes;
  try {
    routes = find_routes(*platform_, pairs);
  } catch (const InputError&) {
    pairs.resize(1);
    routes = find_routes(*platform_, pairs);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) paths_.try_emplace(key(pairs[k]), described(routes[k]));
}

/// The number of a link that the platform lists. Others are SimGrid's loopback, or limit nothing.
std::optional<std::uint32_t> RouteTable::number_of(const std::string& name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  const Link* link = platform_->link_on_route(name);
  std::optional<std::uint32_t> number;
  if (link != nullptr) {
    number = static_cast<std::uint32_t>(links_.size());
    links_.push_back({name, link->bandwidth_Bps, link->shared});
  }
  return numbers_.emplace(name, number).first->second;
}

RouteTable::Route RouteTable::described(const nowsim::Route& route) {
  Route path;
  path.latency_s = route.latency_s;
  path.bandwidth_Bps = route.links.empty() ? kInfinity : route.bandwidth_Bps;
  path.is_own = route.is_own();
  for (const auto& name : route.links) {
    const auto number = number_of(name);
    if (!number) continue;
    const auto known = std::ranges::find(path.crossings, *number, &Crossing::link);
    if (!links_[*number].is_shared) path.fat.push_back(*number);
    else if (known == path.crossings.end()) path.crossings.push_back({*number, 1});
    else known->times += 1;
  }
  return path;
}

}  // namespace nowsim
