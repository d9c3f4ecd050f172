// How SimGrid's links are changed while flows are on their way.
#include "sim/engines/simgrid/varying_links.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/engines/ranks/diagnostics.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {
namespace {

namespace s4u = simgrid::s4u;

/// Of a workstation's route to itself.
std::vector<s4u::Link*> links_to_itself(const s4u::Host* host) {
  std::vector<s4u::Link*> links;
  double latency_s = 0;
  host->route_to(host, links, &latency_s);
  return links;
}

/// A link's name, or those of both directions where it is split.
std::vector<s4u::Link*> links_named(const std::string& name) {
  if (auto* link = s4u::Link::by_name_or_null(name)) return {link};
  return {s4u::Link::by_name(name + "_UP"), s4u::Link::by_name(name + "_DOWN")};
}

/// Bandwidth that can rise while a flow is on its way. SimGrid bounds a flow by the links' bandwidth at its start, so
/// the link itself gets a bandwidth beyond all bounds, and its capacity comes from a callback. A FATPIPE link cannot
/// have one: there a flow keeps at most the bandwidth it started with.
void vary_bandwidth(s4u::Link* link, const std::shared_ptr<double>& capacity_Bps) {
  constexpr double kBeyondBounds = 1e30;
  if (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE) {
    link->set_bandwidth(*capacity_Bps);
    return;
  }
  if (link->get_sharing_policy() != s4u::Link::SharingPolicy::NONLINEAR)
    link->set_sharing_policy(s4u::Link::SharingPolicy::NONLINEAR, [capacity_Bps](double, int) { return *capacity_Bps; });
  link->set_bandwidth(kBeyondBounds);  // also makes SimGrid ask the callback again
}

/// What varies of a link: its nominal value, the least it may become, its stream, and how it is changed.
struct LinkAspect {
  double initial, least;
  Purpose purpose;
  LinkDriver::Apply apply;
};
LinkAspect aspect_of(ProfileQuantity quantity, const std::vector<s4u::Link*>& links) {
  const auto each = [links](auto change) {
    return [links, change](double value) {
      for (auto* link : links) change(link, value);
    };
  };
  if (quantity == ProfileQuantity::latency)
    return {links.front()->get_latency(), 0, Purpose::latency, each([](s4u::Link* l, double v) { l->set_latency(v); })};
  if (quantity == ProfileQuantity::state)
    return {1, 0, Purpose::state, each([](s4u::Link* l, double v) { v > 0 ? l->turn_on() : l->turn_off(); })};
  const double nominal = links.front()->get_bandwidth();
  return {nominal, kLeastAvailability * nominal, Purpose::bandwidth,
          each([capacity = std::make_shared<double>(nominal)](s4u::Link* l, double v) {
            *capacity = v;
            vary_bandwidth(l, capacity);
          })};
}

/// What is left of the links of a workstation's own path: of each the same part.
std::unique_ptr<LinkDriver> driver_of_own_path(const std::shared_ptr<ScenarioDraws>& draws, std::uint64_t seed,
                                               std::size_t i, const s4u::Host* host,
                                               const std::function<bool()>& go_on) {
  std::vector<LinkDriver::Apply> changes;
  for (s4u::Link* link : links_to_itself(host))
    changes.push_back([link, nominal = link->get_bandwidth(), capacity = std::make_shared<double>()](double part) {
      *capacity = part * nominal;
      vary_bandwidth(link, capacity);
    });
  return std::make_unique<LinkDriver>(
      [draws, seed, i](std::uint64_t replication) {
        return draws->of(replication).bandwidth[i]->path({seed, replication, i, Purpose::bandwidth});
      },
      [changes](double part) {
        for (const auto& change : changes) change(part);
      },
      go_on);
}

std::unique_ptr<LinkDriver> driver_of_link(const LinkProfile& described, std::size_t number, std::uint64_t seed,
                                           const std::function<bool()>& go_on) {
  const LinkAspect aspect = aspect_of(described.quantity, links_named(described.link));
  // Links have streams of their own, counted from the far end of the workstations' numbers.
  const std::uint64_t who = kAllWorkstations - 1 - number;
  return std::make_unique<LinkDriver>(
      [described, who, initial = aspect.initial, least = aspect.least, purpose = aspect.purpose,
       seed](std::uint64_t replication) {
        return profile_path(described.profile, described.quantity, initial, least, {seed, replication, who, purpose});
      },
      aspect.apply, go_on);
}

}  // namespace

void LinkDriver::start(const ClockOrigin& origin) {
  path_ = open_(origin.replication);
  date_s_ = origin.date_s;
  step();
}

void LinkDriver::stop() {
  if (timer_ != nullptr) timer_->remove();
  timer_ = nullptr;
}

void LinkDriver::step() {
  const Step now = path_->next();
  apply_(now.value);
  if (std::isinf(now.duration_s)) return;
  date_s_ += now.duration_s;
  timer_ = SimGridTimer::set(date_s_, [this] {
    timer_ = nullptr;
    if (go_on_()) step();
  });
}

void OwnPaths::require(const s4u::Host* host) {
  if (checked_.contains(host)) return;
  const auto links = links_to_itself(host);
  if (links.empty() || links.front()->get_name() == "__loopback__")
    throw InputError(no_own_path_text(host->get_name()));
  checked_.insert(host);
}

std::vector<std::unique_ptr<LinkDriver>> varying_links(const Scenario& scenario, const std::vector<s4u::Host*>& hosts,
                                                       OwnPaths& own_paths, const std::function<bool()>& go_on) {
  std::vector<std::unique_ptr<LinkDriver>> drivers;
  const auto draws = std::make_shared<ScenarioDraws>(scenario);
  for (std::size_t i = 0; i < scenario.bandwidth.size(); ++i) {
    if (scenario.bandwidth[i]->is_dedicated()) continue;
    check_network(*scenario.platform);
    own_paths.require(hosts[i]);
    drivers.push_back(driver_of_own_path(draws, scenario.seed, i, hosts[i], go_on));
  }
  const auto& links = scenario.platform->link_profiles;
  for (std::size_t k = 0; k < links.size(); ++k) drivers.push_back(driver_of_link(links[k], k, scenario.seed, go_on));
  return drivers;
}

}  // namespace nowsim
