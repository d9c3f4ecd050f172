// Filling links progressively.
#include "sim/engines/direct/max_min.hpp"

#include <algorithm>

namespace nowsim {
namespace {

/// Where so little of a link's weight is left, it is summed anew.
constexpr double kSmallPart = 1.0 / 64;

}  // namespace

void MaxMin::clear() {
  links_.clear();
  flows_.clear();
  crossings_.clear();
}

std::uint32_t MaxMin::add_link(double capacity_Bps) {
  links_.push_back({capacity_Bps});
  return static_cast<std::uint32_t>(links_.size() - 1);
}

std::uint32_t MaxMin::add_flow(double penalty_s, double bound_Bps) {
  const auto begin = static_cast<std::uint32_t>(crossings_.size());
  flows_.push_back({.weight = 1 / penalty_s, .bound_Bps = bound_Bps, .bound_level = bound_Bps * penalty_s,
                    .crossings = begin, .end = begin});
  return static_cast<std::uint32_t>(flows_.size() - 1);
}

void MaxMin::cross(std::uint32_t number, double times) {
  Flow& flow = flows_.back();
  Link& link = links_[number];
  const double weight = times * flow.weight;
  crossings_.push_back({weight, static_cast<std::uint32_t>(flows_.size() - 1), number, link.crossing});
  link.crossing = flow.end++;
  link.summed = link.weight += weight;
  ++link.rising;
}

void MaxMin::solve() {
  active_.clear();
  levels_.clear();
  for (std::uint32_t k = 0; k < links_.size(); ++k)
    if (links_[k].rising > 0) {
      active_.push_back(k);
      levels_.push_back(links_[k].left_Bps / links_[k].weight);
    }
  while (!active_.empty()) {
    rise_to_least_level();
    update_levels();
  }
  for (Flow& flow : flows_)
    if (flow.is_rising) flow.rate_Bps = flow.bound_Bps;  // it has no link
}

/// To where the next links are used up. Flows on them stop there, or, where some have their bounds before, these alone.
void MaxMin::rise_to_least_level() {
  const double level = *std::ranges::min_element(levels_);
  bool any_bounded = false;
  to_stop_.clear();
  for (std::size_t at = 0; at < levels_.size(); ++at) {
    if (levels_[at] != level) continue;
    for (std::uint32_t c = links_[active_[at]].crossing; c != kNone; c = crossings_[c].next) {
      Flow& flow = flows_[crossings_[c].flow];
      if (!flow.is_rising) continue;
      if (flow.bound_level >= level) {
        to_stop_.push_back(crossings_[c].flow);
        continue;
      }
      stop(flow, flow.bound_Bps);
      any_bounded = true;
    }
  }
  if (any_bounded) return;
  for (const std::uint32_t f : to_stop_)
    if (flows_[f].is_rising) stop(flows_[f], level * flows_[f].weight);
}

void MaxMin::stop(Flow& flow, double rate_Bps) {
  flow.rate_Bps = rate_Bps;
  flow.is_rising = false;
  const double level = rate_Bps / flow.weight;
  for (std::uint32_t c = flow.crossings; c < flow.end; ++c) {
    Link& link = links_[crossings_[c].link];
    --link.rising;
    link.left_Bps -= crossings_[c].weight * level;
    link.weight -= crossings_[c].weight;
    link.is_changed = true;
  }
}

/// Differences keep the rounding of all that was taken away.
void MaxMin::sum_weight(Link& link) {
  link.weight = 0;
  for (std::uint32_t c = link.crossing; c != kNone; c = crossings_[c].next)
    if (flows_[crossings_[c].flow].is_rising) link.weight += crossings_[c].weight;
  link.summed = link.weight;
}

/// Levels never fall: where one seems to, it is rounding.
void MaxMin::update_levels() {
  std::size_t left = 0;
  for (std::size_t at = 0; at < active_.size(); ++at) {
    Link& link = links_[active_[at]];
    double level = levels_[at];
    if (link.is_changed) {
      link.is_changed = false;
      if (link.rising == 0) continue;
      if (link.weight < kSmallPart * link.summed) sum_weight(link);
      level = std::max(level, link.left_Bps / link.weight);
    }
    levels_[left] = level;
    active_[left++] = active_[at];
  }
  active_.resize(left);
  levels_.resize(left);
}

}  // namespace nowsim
