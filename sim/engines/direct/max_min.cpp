// Filling links progressively.
#include "sim/engines/direct/max_min.hpp"

#include <algorithm>
#include <cassert>

#include "sim/base/infinity.hpp"

namespace nowsim {

void MaxMin::clear() {
  links_.clear();
  flows_.clear();
  crossings_.clear();
}

std::uint32_t MaxMin::add_link(double capacity_Bps, bool is_shared) {
  links_.push_back({.capacity_Bps = capacity_Bps, .left_Bps = capacity_Bps, .is_shared = is_shared});
  return static_cast<std::uint32_t>(links_.size() - 1);
}

std::uint32_t MaxMin::add_flow(double penalty_s, double bound_Bps) {
  flows_.push_back({penalty_s, bound_Bps, 0, static_cast<std::uint32_t>(crossings_.size())});
  return static_cast<std::uint32_t>(flows_.size() - 1);
}

void MaxMin::cross(std::uint32_t number, double times) {
  Link& link = links_[number];
  const auto flow = static_cast<std::uint32_t>(flows_.size() - 1);
  crossings_.push_back({flow, number, link.crossing, times});
  link.crossing = static_cast<std::uint32_t>(crossings_.size() - 1);
  ++link.rising;
  const double weight = times / flows_[flow].penalty_s;
  link.weight = link.is_shared ? link.weight + weight : std::max(link.weight, weight);
}

void MaxMin::solve() {
  level_ = 0;
  active_.clear();
  for (std::uint32_t k = 0; k < links_.size(); ++k)
    if (links_[k].rising > 0) {
      links_[k].level = links_[k].left_Bps / links_[k].weight;
      active_.push_back(k);
    }
  while (!active_.empty()) {
    rise_to_least_level();
    for (const std::uint32_t k : changed_) update(links_[k]);
    changed_.clear();
    std::erase_if(active_, [this](std::uint32_t k) { return links_[k].rising == 0; });
  }
  for (std::uint32_t f = 0; f < flows_.size(); ++f)
    if (flows_[f].is_rising) flows_[f].rate_Bps = flows_[f].bound_Bps;  // it has no link
}

/// To where the next links are used up. Flows on them stop there, or, where some have their bounds before, these alone.
void MaxMin::rise_to_least_level() {
  double least = kInfinity;
  for (const std::uint32_t k : active_) least = std::min(least, links_[k].level);
  level_ = least;
  full_.clear();
  for (const std::uint32_t k : active_)
    if (links_[k].level == least) full_.push_back(k);
  if (stop_bounded(least)) return;
  for (const std::uint32_t k : full_)
    for (std::uint32_t c = links_[k].crossing; c != kNone; c = crossings_[c].next)
      if (const Flow& flow = flows_[crossings_[c].flow]; flow.is_rising) stop(crossings_[c].flow, least / flow.penalty_s);
}

bool MaxMin::stop_bounded(double level) {
  bool any = false;
  for (const std::uint32_t k : full_)
    for (std::uint32_t c = links_[k].crossing; c != kNone; c = crossings_[c].next) {
      const Flow& flow = flows_[crossings_[c].flow];
      if (!flow.is_rising || flow.bound_Bps * flow.penalty_s >= level) continue;
      stop(crossings_[c].flow, flow.bound_Bps);
      any = true;
    }
  return any;
}

void MaxMin::stop(std::uint32_t number, double rate_Bps) {
  Flow& flow = flows_[number];
  flow.rate_Bps = rate_Bps;
  flow.is_rising = false;
  for (std::uint32_t c = flow.crossings, end = end_of_crossings(number); c < end; ++c) {
    Link& link = links_[crossings_[c].link];
    --link.rising;
    if (link.is_shared) {
      link.left_Bps -= crossings_[c].times * rate_Bps;
      link.weight -= crossings_[c].times / flow.penalty_s;
    }
    if (!link.is_changed) changed_.push_back(crossings_[c].link);
    link.is_changed = true;
  }
}

/// Levels never fall: where one seems to, what is left of a link is rounding.
void MaxMin::update(Link& link) {
  link.is_changed = false;
  if (link.rising == 0) return;
  if (!link.is_shared) {
    link.weight = 0;
    for (std::uint32_t c = link.crossing; c != kNone; c = crossings_[c].next)
      if (const Flow& flow = flows_[crossings_[c].flow]; flow.is_rising)
        link.weight = std::max(link.weight, 1 / flow.penalty_s);
  }
  link.level = link.weight > 0 ? std::max(link.left_Bps / link.weight, level_) : level_;
}

}  // namespace nowsim
