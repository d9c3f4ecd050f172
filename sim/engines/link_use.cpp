// Following messages along their routes, and joining the times at which they are on a link.
#include "sim/engines/link_use.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/platform/routes.hpp"

namespace nowsim {
namespace {

using Pair = std::pair<std::size_t, std::size_t>;
using Routes = std::map<Pair, Route>;

constexpr std::size_t kFewestPairs = 3;

/// With the workstations that it travels between.
template <class Take>
void for_each_message(const Timeline& timeline, Take take) {
  const auto machine = [&](int row) {
    const auto at = static_cast<std::size_t>(row);
    return timeline.machine_of.empty() ? at : static_cast<std::size_t>(timeline.machine_of[at]);
  };
  for (const auto& w : timeline.workstations)
    for (const auto& m : w.messages)
      if (const Pair pair{machine(m.from), machine(m.to)}; pair.first != pair.second) take(m, pair);
}

/// From each workstation that sends or receives to the next, in a ring: of three or more every one is left out by some
/// pair, so that a link on routes of one workstation only can be told from a shared one, whoever sends.
std::vector<Pair> ring_of(const std::map<Pair, double>& sent) {
  std::set<std::size_t> members;
  for (const auto& [pair, bytes] : sent) members.insert({pair.first, pair.second});
  const std::vector<std::size_t> all(members.begin(), members.end());
  std::vector<Pair> out;
  for (std::size_t k = 0; all.size() > 1 && k < all.size(); ++k) out.emplace_back(all[k], all[(k + 1) % all.size()]);
  return out;
}

/// The routes of messages, and of the ring where they exist.
Routes routes_of(const std::map<Pair, double>& sent, const Platform& platform) {
  std::vector<Pair> pairs = ring_of(sent);
  const auto ring = static_cast<std::ptrdiff_t>(pairs.size());
  for (const auto& [pair, bytes] : sent) pairs.push_back(pair);
  std::vector<Route> found;
  try {
    found = find_routes(platform, pairs);
  } catch (const InputError&) {
    pairs.erase(pairs.begin(), pairs.begin() + ring);
    found = find_routes(platform, pairs);
  }
  Routes out;
  for (std::size_t k = 0; k < pairs.size(); ++k) out.emplace(pairs[k], found[k]);
  return out;
}

/// What crosses a link.
struct Traffic {
  std::size_t pairs = 0;  ///< of senders and receivers
  double bytes = 0;
  std::optional<std::set<std::size_t>> on_every_route;  ///< workstations that are an end of every route over the link

  void add_route(const Pair& ends) {
    if (!on_every_route) on_every_route.emplace({ends.first, ends.second});
    std::erase_if(*on_every_route, [&](std::size_t w) { return w != ends.first && w != ends.second; });
  }
  [[nodiscard]] bool is_shared() const { return pairs >= kFewestPairs && on_every_route->empty(); }
};

std::map<std::string, Traffic> traffic_of(const std::map<Pair, double>& sent, const Routes& routes,
                                          const Platform& platform) {
  std::map<std::string, Traffic> out;
  for (const auto& [ends, route] : routes)
    for (const auto& name : std::set<std::string>(route.links.begin(), route.links.end())) {
      const Link* link = platform.link_on_route(name);
      if (link == nullptr || !link->shared) continue;
      Traffic& traffic = out[name];
      traffic.add_route(ends);
      const auto known = sent.find(ends);
      if (known == sent.end()) continue;
      ++traffic.pairs;
      traffic.bytes += known->second;
    }
  return out;
}

/// Spans in order, those that touch joined.
std::vector<LinkUse::Span> joined(std::vector<LinkUse::Span> spans) {
  std::ranges::sort(spans, {}, &LinkUse::Span::begin_s);
  std::vector<LinkUse::Span> out;
  for (const auto& span : spans)
    if (!out.empty() && span.begin_s <= out.back().end_s)
      out.back().end_s = std::max(out.back().end_s, span.end_s);
    else
      out.push_back(span);
  return out;
}

LinkUse use_of(const std::string& link, const Timeline& timeline, const Routes& routes) {
  std::vector<LinkUse::Span> spans;
  for_each_message(timeline, [&](const TimelineMessage& m, const Pair& pair) {
    const Route& route = routes.at(pair);
    if (std::ranges::find(route.links, link) == route.links.end()) return;
    const LinkUse::Span span{m.begin_s + route.latency_s, std::min(m.end_s, timeline.makespan_s)};
    if (span.end_s > span.begin_s) spans.push_back(span);
  });
  return {link, joined(std::move(spans))};
}

}  // namespace

std::optional<LinkUse> busiest_shared_link(const Timeline& timeline, const Platform& platform) {
  std::map<Pair, double> sent;  // bytes per pair of sender and receiver
  for_each_message(timeline, [&](const TimelineMessage& m, const Pair& pair) { sent[pair] += m.bytes; });
  if (sent.size() < kFewestPairs) return std::nullopt;
  const Routes routes = routes_of(sent, platform);
  auto traffic = traffic_of(sent, routes, platform);
  std::erase_if(traffic, [](const auto& crossed) { return !crossed.second.is_shared(); });
  if (traffic.empty()) return std::nullopt;
  const auto bytes_of = [](const auto& crossed) { return crossed.second.bytes; };
  return use_of(std::ranges::max_element(traffic, {}, bytes_of)->first, timeline, routes);
}

std::vector<double> utilisation(const LinkUse& use, double makespan_s, std::size_t parts) {
  std::vector<double> out(parts, 0);
  const double width_s = makespan_s / static_cast<double>(parts);
  if (width_s <= 0) return out;
  for (const auto& [begin_s, end_s] : use.spans)
    for (auto k = std::min(static_cast<std::size_t>(begin_s / width_s), parts - 1);
         k < parts && static_cast<double>(k) * width_s < end_s; ++k) {
      const double from_s = static_cast<double>(k) * width_s;
      out[k] += std::max(0.0, std::min(end_s, from_s + width_s) - std::max(begin_s, from_s)) / width_s;
    }
  for (double& part : out) part = std::min(part, 1.0);  // rounding
  return out;
}

}  // namespace nowsim
