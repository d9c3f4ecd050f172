// Asking for routes in a few large questions, and keeping links' loads.
#include "sim/engines/direct/network.hpp"

#include <algorithm>
#include <limits>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/ranks/operation_checks.hpp"
#include "sim/platform/routes.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

/// Transfers that overlap by less than this part of the shorter are taken to follow each other, and rates that exceed a
/// link's bandwidth by less to fit it: both are rounding. So is what two dates that should be one may differ by.
constexpr double kRounding = 1e-9;
double rounding_of_date(double t_s) { return 64 * std::numeric_limits<double>::epsilon() * t_s; }

/// Up to this many workstations all pairs are asked for at once; each question costs a process that loads the platform.
constexpr std::size_t kMostForAllPairs = 64;


std::string transfer_text(std::size_t from, std::size_t to) {
  if (from == to) return "the transfer of rank " + std::to_string(from);
  return "the transfer from rank " + std::to_string(from) + " to " + std::to_string(to);
}

}  // namespace

RouteTable::RouteTable(std::shared_ptr<const Platform> platform) : platform_(std::move(platform)) {}

const RouteTable::Path& RouteTable::find(std::size_t from, std::size_t to) {
  auto known = paths_.find(key({from, to}));
  if (known == paths_.end()) {
    load(from, to);
    known = paths_.find(key({from, to}));
  }
  return known->second;
}

const RouteTable::Path& RouteTable::find_own(std::size_t workstation) {
  const std::string& name = platform_->workstations.at(workstation).name;
  try {
    if (const Path& path = find(workstation, workstation); path.is_own) return path;
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
  std::vector<Route> routes;
  try {
    routes = find_routes(*platform_, pairs);
  } catch (const InputError&) {
    pairs.resize(1);
    routes = find_routes(*platform_, pairs);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) paths_.try_emplace(key(pairs[k]), described(routes[k]));
}

/// The number of a link that transfers share; nothing for others. One that the platform does not list is SimGrid's
/// loopback, or gives each flow its bandwidth.
std::optional<std::size_t> RouteTable::shared_link(const std::string& name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  const Link* link = platform_->link_on_route(name);
  std::optional<std::size_t> number;
  if (link != nullptr && link->shared) {
    number = links_.size();
    links_.push_back({name, link->bandwidth_Bps});
  }
  return numbers_.emplace(name, number).first->second;
}

RouteTable::Path RouteTable::described(const Route& route) {
  Path path;
  path.latency_s = route.latency_s;
  path.bandwidth_Bps = route.links.empty() ? kInfinity : route.bandwidth_Bps;
  path.is_own = route.is_own();
  for (const auto& name : route.links)
    if (const auto number = shared_link(name)) path.shared.push_back(*number);
  return path;
}

LinkLoads::LinkLoads(RouteTable& routes, const Scenario& scenario) : routes_(&routes), scenario_(&scenario) {
  for (std::size_t i = 0; i < scenario.bandwidth.size(); ++i)
    if (!scenario.bandwidth[i]->is_dedicated())
      for (const std::size_t link : routes.find_own(i).shared)
        varying_.emplace(link, VaryingLink{i, nullptr, 0, 1, {}});
}

void LinkLoads::open(std::uint64_t replication) {
  replication_ = replication;
  for (const std::size_t link : used_) flows_[link].clear();
  used_.clear();
  for (auto& [number, link] : varying_) link.path.reset();
}

double LinkLoads::transfer(std::size_t from, std::size_t to, double bytes, double start_s, double cut_s) {
  const RouteTable::Path& path = routes_->find(from, to);
  const double begin = start_s + path.latency_s;
  Flow flow{begin, begin + bytes / path.bandwidth_Bps, path.bandwidth_Bps, from, to};
  const auto varies = [&](std::size_t link) { return !varying_.empty() && varying_.contains(link); };
  if (bytes > 0 && !varying_.empty() && std::ranges::any_of(path.shared, varies))
    flow.end_s = along_varying(path, flow, bytes);
  const double end_s = flow.end_s;
  flow.end_s = std::min(end_s, std::max(cut_s, flow.begin_s));
  for (const std::size_t link : path.shared)
    if (!varies(link)) occupy(link, flow, start_s);
  return end_s;
}

/// Takes the path to a time, and into the step that begins there.
void LinkLoads::VaryingLink::go_to(double time_s) {
  while (step_ends_s <= time_s) {
    const Step step = path->next();
    step_ends_s += step.duration_s;
    share = step.value;
  }
}

/// The link, standing where a flow begins. On a link that varies flows have to follow each other.
LinkLoads::VaryingLink& LinkLoads::varying_at(std::size_t number, const Flow& flow) {
  VaryingLink& link = varying_.at(number);
  if (!link.path) {
    const StreamKey key{scenario_->seed, replication_, link.workstation, Purpose::bandwidth};
    link.path = scenario_->bandwidth[link.workstation]->path(key);
    link.step_ends_s = 0;
  } else if (const Flow& last = link.last;
             last.end_s - flow.begin_s > kRounding * (last.end_s - last.begin_s) + rounding_of_date(last.end_s)) {
    refuse(number, last, flow, flow.begin_s);
  }
  link.go_to(flow.begin_s);
  return link;
}

/// When a flow ends on whose way links vary: at each moment it has what the narrowest of them has. Goes from step to
/// step of any of them.
double LinkLoads::along_varying(const RouteTable::Path& path, Flow flow, double bytes) {
  struct Narrow {
    VaryingLink* link;
    double nominal_Bps;
  };
  std::vector<Narrow> links;
  for (const std::size_t number : path.shared)
    if (varying_.contains(number)) links.push_back({&varying_at(number, flow), routes_->links()[number].bandwidth_Bps});
  for (double time_s = flow.begin_s, rate_Bps = 0, room = 0, until_s = kInfinity;; time_s = until_s, bytes -= room) {
    rate_Bps = path.bandwidth_Bps;
    until_s = kInfinity;
    for (const auto& [link, nominal_Bps] : links) {
      link->go_to(time_s);
      rate_Bps = std::min(rate_Bps, link->share * nominal_Bps);
      until_s = std::min(until_s, link->step_ends_s);
    }
    room = rate_Bps * (until_s - time_s);
    flow.end_s = time_s + bytes / rate_Bps;
    if (bytes <= room) break;
  }
  for (const auto& [link, nominal_Bps] : links) link->last = flow;
  return flow.end_s;
}

void LinkLoads::refuse(std::size_t link, const Flow& one, const Flow& other, double time_s) const {
  throw Contended("link '" + routes_->links()[link].name + "' is shared by " + transfer_text(one.from, one.to) +
                  " and " + transfer_text(other.from, other.to) + " at t = " + short_number(time_s) + " s");
}

void LinkLoads::occupy(std::size_t link, const Flow& flow, double now_s) {
  if (link >= flows_.size()) flows_.resize(routes_->links().size());
  auto& flows = flows_[link];
  if (flows.empty()) used_.push_back(link);
  std::erase_if(flows, [&](const Flow& f) { return f.end_s <= now_s; });
  const auto overlap = [](const Flow& a, const Flow& b) {
    const double begin = std::max(a.begin_s, b.begin_s), end = std::min(a.end_s, b.end_s);
    const double shorter = std::min(a.end_s - a.begin_s, b.end_s - b.begin_s);
    return end - begin > kRounding * shorter + rounding_of_date(end);
  };
  const double capacity = routes_->links()[link].bandwidth_Bps * (1 + kRounding);
  // The load changes where a flow begins: there it is looked at, as far as the new flow has a part in it.
  const auto check = [&](double t) {
    double load = flow.rate_Bps;
    for (const Flow& f : flows)
      if (overlap(f, flow) && f.begin_s <= t && t < f.end_s && (load += f.rate_Bps) > capacity)
        refuse(link, f, flow, t);
  };
  check(flow.begin_s);
  for (const Flow& f : flows)
    if (f.begin_s > flow.begin_s && overlap(f, flow)) check(f.begin_s);
  flows.push_back(flow);
}

}  // namespace nowsim
