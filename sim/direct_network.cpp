// Asking for routes in a few large questions, and keeping links' loads.
#include "sim/direct_network.hpp"

#include <algorithm>
#include <limits>

#include "sim/error.hpp"
#include "sim/platform_xml.hpp"
#include "sim/rank_checks.hpp"
#include "sim/text.hpp"

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
  auto known = paths_.find({from, to});
  if (known == paths_.end()) {
    load(from, to);
    known = paths_.find({from, to});
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

/// All pairs, or those of one sender; the pair alone where some of the others have no route. A workstation's route to
/// itself is rarely needed, and may not be there.
void RouteTable::load(std::size_t from, std::size_t to) {
  const std::size_t n = platform_->workstations.size();
  std::vector<std::pair<std::size_t, std::size_t>> pairs{{from, to}};
  for (std::size_t a = 0; from != to && a < n; ++a)
    for (std::size_t b = 0; b < n; ++b)
      if (a != b && (n <= kMostForAllPairs || a == from)) pairs.emplace_back(a, b);
  std::vector<Route> routes;
  try {
    routes = find_routes(*platform_, pairs);
  } catch (const InputError&) {
    pairs.resize(1);
    routes = find_routes(*platform_, pairs);
  }
  for (std::size_t k = 0; k < pairs.size(); ++k) paths_.emplace(pairs[k], described(routes[k]));
}

/// The number of a link that transfers share; nothing for others. A full-duplex link's directions have names of their
/// own in routes, unless a link is called so. One that the platform does not list is SimGrid's loopback, or gives each
/// flow its bandwidth.
std::optional<std::size_t> RouteTable::shared_link(const std::string& name) {
  if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
  const auto& all = platform_->links;
  auto link = std::ranges::find(all, name, &Link::name);
  if (link == all.end())
    link = std::ranges::find_if(all, [&](const Link& l) { return l.name + "_UP" == name || l.name + "_DOWN" == name; });
  std::optional<std::size_t> number;
  if (link != all.end() && link->shared) {
    number = links_.size();
    links_.push_back({name, link->bandwidth_Bps});
  }
  return numbers_.emplace(name, number).first->second;
}

RouteTable::Path RouteTable::described(const Route& route) {
  Path path;
  path.latency_s = route.latency_s;
  path.bandwidth_Bps = route.links.empty() ? std::numeric_limits<double>::infinity() : route.bandwidth_Bps;
  path.is_own = !route.links.empty() && route.links.front() != "__loopback__";
  for (const auto& name : route.links)
    if (const auto number = shared_link(name)) path.shared.push_back(*number);
  return path;
}

double LinkLoads::transfer(std::size_t from, std::size_t to, double bytes, double start_s) {
  const RouteTable::Path& path = routes_->find(from, to);
  const double begin = start_s + path.latency_s, end = begin + bytes / path.bandwidth_Bps;
  for (const std::size_t link : path.shared) occupy(link, {begin, end, path.bandwidth_Bps, from, to}, start_s);
  return end;
}

void LinkLoads::occupy(std::size_t link, const Flow& flow, double now_s) {
  auto& flows = flows_[link];
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
        throw Contended("link '" + routes_->links()[link].name + "' is shared by " + transfer_text(f.from, f.to) +
                        " and " + transfer_text(flow.from, flow.to) + " at t = " + short_number(t) + " s");
  };
  check(flow.begin_s);
  for (const Flow& f : flows)
    if (f.begin_s > flow.begin_s && overlap(f, flow)) check(f.begin_s);
  flows.push_back(flow);
}

}  // namespace nowsim
