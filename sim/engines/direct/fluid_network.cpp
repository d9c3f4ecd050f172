// Latencies, links that vary or fail, and the order in which transfers end.
#include "sim/engines/direct/fluid_network.hpp"

#include <algorithm>
#include <tuple>

#include "sim/owners/profile.hpp"

namespace nowsim {
namespace {

/// Of a link on a route, whether a profile of the platform's file is its. A link's profile is that of both directions
/// where it is split, unless another link has the name of one.
bool is_of(const LinkProfile& profile, const std::string& on_route, const Platform& platform) {
  if (profile.link == on_route) return true;
  const bool is_direction = profile.link + "_UP" == on_route || profile.link + "_DOWN" == on_route;
  return is_direction && std::ranges::find(platform.links, profile.link, &Link::name) == platform.links.end();
}

}  // namespace

/// All links of a workstation's own path vary by the same part.
FluidNetwork::FluidNetwork(RouteTable& routes, const Scenario& scenario) : routes_(&routes), scenario_(&scenario) {
  for (std::size_t i = 0; i < scenario.bandwidth.size(); ++i) {
    if (scenario.bandwidth[i]->is_dedicated()) continue;
    for (const auto& crossing : routes_->find_own(i).crossings)
      add({.link = crossing.link, .is_state = false, .unit = routes_->links()[crossing.link].bandwidth_Bps,
           .open = [&scenario, i](std::uint64_t replication) {
             return scenario.bandwidth[i]->path({scenario.seed, replication, i, Purpose::bandwidth});
           }});
  }
}

void FluidNetwork::add(Variation variation) {
  const std::uint32_t link = variation.link;
  if (link >= variations_of_.size()) variations_of_.resize(link + 1);
  variations_of_[link].push_back(static_cast<std::uint32_t>(variations_.size()));
  variations_.push_back(std::move(variation));
}

/// Links that routes have come to name, and their profiles, whose streams count from the far end of workstations'.
void FluidNetwork::know_links() {
  const auto& profiles = scenario_->platform->link_profiles;
  const auto& links = routes_->links();
  for (; known_ < links.size(); ++known_)
    for (std::size_t p = 0; p < profiles.size(); ++p) {
      if (!is_of(profiles[p], links[known_].name, *scenario_->platform)) continue;
      const bool is_state = profiles[p].quantity == ProfileQuantity::state;
      const double initial = is_state ? 1 : links[known_].bandwidth_Bps;
      const double least = is_state ? 0 : kLeastAvailability * initial;
      add({.link = static_cast<std::uint32_t>(known_), .is_state = is_state, .unit = 1,
           .open = [this, &profile = profiles[p], p, is_state, initial, least](std::uint64_t replication) {
             const StreamKey key{scenario_->seed, replication, kAllWorkstations - 1 - p,
                                 is_state ? Purpose::state : Purpose::bandwidth};
             return profile_path(profile.profile, profile.quantity, initial, least, key);
           }});
    }
  if (!variations_.empty()) variations_of_.resize(std::max(variations_of_.size(), links.size()));
  sharing_.know(links);
}

void FluidNetwork::open(std::uint64_t replication) {
  replication_ = replication;
  now_s_ = 0;
  dates_.clear();
  sharing_.clear();
  free_flows_.clear();
  for (std::uint32_t k = 0; k < flows_.size(); ++k) {
    flows_[k].state = State::free;
    free_flows_.push_back(k);
  }
  under_way_ = 0;
  any_went_off_ = false;
  for (Variation& variation : variations_) {
    variation.path = {};
    variation.users = 0;
  }
}

// ---- transfers ---------------------------------------------------------------------------------------------------

bool FluidNetwork::start(const Transfer& transfer) {
  now_s_ = transfer.begin_s;
  const auto& path = routes_->find(static_cast<std::size_t>(transfer.from), static_cast<std::size_t>(transfer.to));
  if (known_ < routes_->links().size()) know_links();
  use_variations(path);
  if (!is_on(path)) {
    unuse_variations(path);
    return false;
  }
  if (free_flows_.empty()) {
    free_flows_.push_back(static_cast<std::uint32_t>(flows_.size()));
    flows_.emplace_back();
  }
  const std::uint32_t number = free_flows_.back();
  free_flows_.pop_back();
  flows_[number] = {transfer, &path, bound_of(path), State::latent};
  ++under_way_;
  if (path.latency_s > 0 || transfer.bytes == 0) dates_.set(of_flow(number), transfer.begin_s + path.latency_s);
  else begin_to_flow(number);
  return true;
}

double FluidNetwork::end_alone_s(const Transfer& transfer) {
  if (!is_idle() || !variations_.empty()) return kInfinity;
  const auto& path = routes_->find(static_cast<std::size_t>(transfer.from), static_cast<std::size_t>(transfer.to));
  if (known_ < routes_->links().size()) return kInfinity;
  if (std::ranges::any_of(path.crossings, [](const auto& crossing) { return crossing.times > 1; })) return kInfinity;
  const double flows_from_s = transfer.begin_s + path.latency_s;
  return transfer.bytes == 0 ? flows_from_s : flows_from_s + transfer.bytes / path.bandwidth_Bps;
}

void FluidNetwork::release(std::uint32_t number) {
  unuse_variations(*flows_[number].path);
  flows_[number].state = State::free;
  free_flows_.push_back(number);
  --under_way_;
}

/// SimGrid keeps a flow to what the links have at its start, but for those that vary, whose capacity is a callback's.
double FluidNetwork::bound_of(const RouteTable::Route& path) const {
  const auto varies = [this](std::uint32_t link) {
    return std::ranges::any_of(variations_of_[link], [this](std::uint32_t v) { return !variations_[v].is_state; });
  };
  if (variations_.empty() || std::ranges::none_of(path.crossings, varies, &RouteTable::Crossing::link))
    return path.bandwidth_Bps;
  double bound_Bps = kInfinity;
  const auto add = [&](std::uint32_t link) { bound_Bps = std::min(bound_Bps, routes_->links()[link].bandwidth_Bps); };
  for (const auto& [link, times] : path.crossings)
    if (!varies(link)) add(link);
  std::ranges::for_each(path.fat, add);
  return bound_Bps;
}

void FluidNetwork::begin_to_flow(std::uint32_t number) {
  Flow& flow = flows_[number];
  flow.state = State::flowing;
  const double penalty_s = flow.path->latency_s > 0 ? flow.path->latency_s : 1;
  sharing_.enter(number, {flow.path, penalty_s, flow.bound_Bps, flow.transfer.bytes}, now_s_);
}

double FluidNetwork::next_s() { return std::min(sharing_.next_s(), dates_.empty() ? kInfinity : dates_.top_s()); }

const std::vector<FluidNetwork::Ended>& FluidNetwork::proceed() {
  ended_.clear();
  ended_flows_.clear();
  const double flows_end_s = sharing_.next_s();
  now_s_ = std::min(flows_end_s, dates_.empty() ? kInfinity : dates_.top_s());
  if (flows_end_s <= now_s_) sharing_.take_ended(now_s_, ended_flows_);
  while (!dates_.empty() && dates_.top_s() <= now_s_) {
    const std::uint32_t top = dates_.top(), number = top / 2;
    dates_.remove(top);
    if (top != of_flow(number)) change(number);
    else if (flows_[number].transfer.bytes == 0) ended_flows_.push_back(number);
    else begin_to_flow(number);
  }
  for (const std::uint32_t f : ended_flows_) {
    ended_.push_back({flows_[f].transfer, false});
    release(f);
  }
  if (any_went_off_) fail_where_off();
  std::ranges::sort(ended_, {}, [](const Ended& e) { return std::tuple(e.transfer.to, e.transfer.from, e.transfer.id); });
  return ended_;
}

template <class IsLost>
std::vector<Transfer> FluidNetwork::take_out(IsLost is_lost) {
  std::vector<Transfer> lost;
  for (std::uint32_t k = 0; k < flows_.size(); ++k) {
    const Flow& flow = flows_[k];
    if (flow.state == State::free || !is_lost(flow)) continue;
    if (flow.state == State::flowing) sharing_.leave(k, now_s_);
    dates_.remove(of_flow(k));
    lost.push_back(flow.transfer);
    release(k);
  }
  return lost;
}

std::vector<Transfer> FluidNetwork::cancel(int rank, double now_s) {
  if (is_idle()) return {};
  now_s_ = now_s;
  return take_out([rank](const Flow& flow) { return flow.transfer.from == rank || flow.transfer.to == rank; });
}

// ---- links that vary ---------------------------------------------------------------------------------------------

template <class Do>
void FluidNetwork::for_variations(const RouteTable::Route& path, Do todo) {
  if (variations_.empty()) return;
  const auto all_of = [&](std::uint32_t link) {
    for (const std::uint32_t v : variations_of_[link]) todo(v);
  };
  for (const auto& crossing : path.crossings) all_of(crossing.link);
  std::ranges::for_each(path.fat, all_of);
}

void FluidNetwork::use_variations(const RouteTable::Route& path) {
  for_variations(path, [this](std::uint32_t v) {
    Variation& variation = variations_[v];
    if (variation.users++ > 0) return;
    if (!variation.path.has_path()) variation.path = PathCursor(variation.open(replication_));
    change(v);
  });
}

void FluidNetwork::unuse_variations(const RouteTable::Route& path) {
  for_variations(path, [this](std::uint32_t v) {
    if (--variations_[v].users == 0) dates_.remove(of_variation(v));
  });
}

void FluidNetwork::change(std::uint32_t number) {
  Variation& variation = variations_[number];
  variation.path.go_to(now_s_);
  if (!variation.is_state) sharing_.set_capacity(variation.link, variation.path.value() * variation.unit, now_s_);
  else if (variation.path.value() <= 0) any_went_off_ = true;
  if (variation.path.end_s() < kInfinity) dates_.set(of_variation(number), variation.path.end_s());
}

/// Of one that is used.
bool FluidNetwork::is_on(const RouteTable::Route& path) {
  bool is_on = true;
  for_variations(path, [&](std::uint32_t v) { is_on &= !variations_[v].is_state || variations_[v].path.value() > 0; });
  return is_on;
}

void FluidNetwork::fail_where_off() {
  any_went_off_ = false;
  for (const Transfer& lost : take_out([this](const Flow& flow) { return !is_on(*flow.path); }))
    ended_.push_back({lost, true});
}

}  // namespace nowsim
