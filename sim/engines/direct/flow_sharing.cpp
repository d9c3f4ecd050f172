// Which links are tight, what they connect, and when the next flow ends.
#include "sim/engines/direct/flow_sharing.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace nowsim {
namespace {

/// What flows could use beyond this is more than a link has; less is rounding.
constexpr double kFull = 1 + 1e-12;

/// What a flow could use, where nothing bounds it either: no link has more, and sums stay finite.
double load_of(double bound_Bps) { return std::min(bound_Bps, 1e30); }

}  // namespace

/// What links' capacities have become stays.
void FlowSharing::clear() {
  now_s_ = 0;
  for (const std::uint32_t k : used_) {
    Link& link = links_[k];
    link.is_tight = link.is_touched = link.is_queue = link.is_used = false;
    link.mixed = 0;
    link.load_Bps = {};
    link.flows.clear();
    link.queue.begin(0);
  }
  used_.clear();
  touched_.clear();
  freed_.clear();
  ends_.clear();
  for (Flow& flow : flows_) {
    flow.is_here = false;
    flow.part = kNone;
  }
  dissolved_.clear();
  free_parts_.clear();
  for (std::uint32_t k = 0; k < parts_.size(); ++k) {
    parts_[k].clear();
    free_parts_.push_back(k);
  }
}

void FlowSharing::know(std::span<const RouteTable::Capacity> links) {
  for (std::size_t k = links_.size(); k < links.size(); ++k)
    links_.push_back({.capacity_Bps = links[k].bandwidth_Bps});
}

// ---- flows come, go, and feel links ------------------------------------------------------------------------------

void FlowSharing::enter(std::uint32_t number, const Demand& demand, double now_s) {
  now_s_ = now_s;
  if (number >= flows_.size()) flows_.resize(number + 1);
  Flow& flow = flows_[number];
  flow.path = demand.path;
  flow.penalty_s = demand.penalty_s;
  flow.bound_Bps = demand.bound_Bps;
  flow.left_bytes = demand.bytes;
  flow.rate_Bps = 0;
  flow.since_s = now_s;
  flow.end_s = kInfinity;
  flow.tight = 0;
  flow.part = kNone;
  flow.is_queued = false;
  flow.is_here = true;
  flow.places.clear();
  for (const auto& [k, times] : flow.path->crossings) {
    Link& link = links_[k];
    if (!std::exchange(link.is_used, true)) used_.push_back(k);
    flow.places.push_back(static_cast<std::uint32_t>(link.flows.size()));
    link.flows.push_back(number);
    if (!link.varies) link.load_Bps.add(times * load_of(flow.bound_Bps));
    if (flow.tight > 1) ++link.mixed;
    if (link.is_tight) count_tight(number, true);
    refresh(k);
  }
  if (flow.tight == 0) return go_alone(number);
  for (const auto& [k, times] : flow.path->crossings) {
    if (!links_[k].is_tight) continue;
    if (links_[k].is_queue && flow.tight == 1) add_to_queue(k, number);
    touch(k);
  }
}

void FlowSharing::leave(std::uint32_t number, double now_s) {
  now_s_ = now_s;
  Flow& flow = flows_[number];
  flow.is_here = false;
  ends_.remove(entry(number, kFlow));
  if (flow.part != kNone) dissolve(std::exchange(flow.part, kNone));
  const auto& crossings = flow.path->crossings;
  for (std::size_t c = 0; c < crossings.size(); ++c) {
    Link& link = links_[crossings[c].link];
    if (flow.tight > 1) --link.mixed;
    if (flow.is_queued && link.is_queue) link.queue.remove(number, weight_on(crossings[c].link, flow), now_s_);
    const std::uint32_t place = flow.places[c], last = link.flows.back();
    link.flows[place] = last;
    link.flows.pop_back();
    if (last != number) {
      const auto& of_last = flows_[last].path->crossings;
      const auto at = std::ranges::find(of_last, crossings[c].link, &RouteTable::Crossing::link) - of_last.begin();
      flows_[last].places[static_cast<std::size_t>(at)] = place;
    }
    if (!link.varies) link.load_Bps.add(-(crossings[c].times * load_of(flow.bound_Bps)));
    touch(crossings[c].link);
    refresh(crossings[c].link);
  }
  flow.is_queued = false;
}

void FlowSharing::set_capacity(std::uint32_t number, double capacity_Bps, double now_s) {
  now_s_ = now_s;
  Link& link = links_[number];
  link.varies = true;
  link.capacity_Bps = capacity_Bps;
  refresh(number);
  touch(number);
}

/// Whether the link limits anybody now.
void FlowSharing::refresh(std::uint32_t number) {
  Link& link = links_[number];
  if (link.flows.empty()) link.load_Bps = {};  // what is left is rounding
  const bool is_full = link.load_Bps.value() > link.capacity_Bps * kFull;
  const bool is_tight = !link.flows.empty() && (link.varies || is_full);
  if (is_tight == link.is_tight) return;
  if (!is_tight && link.is_queue) end_queue(number);
  link.is_tight = is_tight;
  for (const std::uint32_t f : link.flows) {
    count_tight(f, is_tight);
    if (is_tight) continue;
    for (const auto& [k, times] : flows_[f].path->crossings)
      if (links_[k].is_tight) touch(k);
  }
  touch(number);
}

/// One more of the flow's links is tight, or one less.
void FlowSharing::count_tight(std::uint32_t number, bool is_more) {
  Flow& flow = flows_[number];
  const std::uint32_t before = is_more ? flow.tight++ : flow.tight--;
  if (flow.tight == 0) freed_.push_back(number);
  if (before == 0) ends_.remove(entry(number, kFlow));
  if (std::max(before, flow.tight) != 2) return;
  for (std::size_t c = 0; c < flow.places.size(); ++c) {  // those it has entered already
    Link& link = links_[flow.path->crossings[c].link];
    if (is_more) ++link.mixed;
    else --link.mixed;
    touch(flow.path->crossings[c].link);
  }
}

void FlowSharing::touch(std::uint32_t number) {
  Link& link = links_[number];
  if (link.is_touched) return;
  link.is_touched = true;
  touched_.push_back(number);
}

/// What is left now.
void FlowSharing::settle(Flow& flow) const {
  flow.left_bytes = std::max(0.0, flow.left_bytes - flow.rate_Bps * (now_s_ - flow.since_s));
  flow.since_s = now_s_;
}

/// On slack links.
void FlowSharing::go_alone(std::uint32_t number) {
  Flow& flow = flows_[number];
  if (flow.part != kNone) dissolve(std::exchange(flow.part, kNone));
  if (flow.rate_Bps != flow.bound_Bps) {
    settle(flow);
    flow.rate_Bps = flow.bound_Bps;
    flow.end_s = now_s_ + flow.left_bytes / flow.rate_Bps;
  }
  ends_.set(entry(number, kFlow), flow.end_s);
}

// ---- parts -------------------------------------------------------------------------------------------------------

/// Its flows get to other parts before the next end is asked for. Its number is free from then on.
void FlowSharing::dissolve(std::uint32_t number) {
  if (parts_[number].empty()) return;
  parts_[number].clear();
  ends_.remove(entry(number, kPart));
  dissolved_.push_back(number);
}

double FlowSharing::next_s() {
  if (!touched_.empty() || !freed_.empty()) solve();
  return ends_.empty() ? kInfinity : ends_.top_s();
}

void FlowSharing::solve() {
  ++visit_;
  for (const std::uint32_t f : freed_)
    if (flows_[f].is_here && flows_[f].tight == 0) go_alone(f);
  freed_.clear();
  for (const std::uint32_t k : touched_) {
    Link& link = links_[k];
    link.is_touched = false;
    if (!link.is_tight || link.visit == visit_) continue;
    if (!goes_on_as_queue(k)) {
      gather(k);
    } else {
      link.queue.go_on(link.capacity_Bps, now_s_);
      ends_.set(entry(k, kQueue), link.queue.next_s());
    }
  }
  touched_.clear();
  free_parts_.insert(free_parts_.end(), dissolved_.begin(), dissolved_.end());
  dissolved_.clear();
}

/// All that is connected with a link by tight links: one problem.
void FlowSharing::gather(std::uint32_t first_link) {
  problem_.clear();
  gathered_.clear();
  const auto visit = [this](std::uint32_t k) {
    Link& link = links_[k];
    if (link.is_queue) end_queue(k);
    link.visit = visit_;
    link.number = problem_.add_link(link.capacity_Bps);
    to_visit_.push_back(k);
  };
  for (visit(first_link); !to_visit_.empty();) {
    const std::uint32_t at = to_visit_.back();
    to_visit_.pop_back();
    for (const std::uint32_t f : links_[at].flows) {
      Flow& flow = flows_[f];
      if (flow.visit == visit_) continue;
      flow.visit = visit_;
      if (flow.part != kNone) dissolve(flow.part);
      gathered_.push_back(f);
      problem_.add_flow(flow.penalty_s, flow.bound_Bps);
      for (const auto& [k, times] : flow.path->crossings) {
        if (!links_[k].is_tight) continue;
        if (links_[k].visit != visit_) visit(k);
        problem_.cross(links_[k].number, times);
      }
    }
  }
  give_rates();
}

/// The same as MaxMin's, without rounding.
double FlowSharing::rate_alone(const Flow& flow) const {
  double rate_Bps = flow.bound_Bps;
  for (const auto& [k, times] : flow.path->crossings) rate_Bps = std::min(rate_Bps, links_[k].capacity_Bps / times);
  return rate_Bps;
}

void FlowSharing::give_rates() {
  if (free_parts_.empty()) {
    free_parts_.push_back(static_cast<std::uint32_t>(parts_.size()));
    parts_.emplace_back();
  }
  const std::uint32_t number = free_parts_.back();
  free_parts_.pop_back();
  std::vector<std::uint32_t>& part = parts_[number];
  part.swap(gathered_);
  const bool is_alone = part.size() == 1;
  if (!is_alone) problem_.solve();
  double next_s = kInfinity;
  for (std::uint32_t k = 0; k < part.size(); ++k) {
    Flow& flow = flows_[part[k]];
    flow.part = number;
    if (const double rate_Bps = is_alone ? rate_alone(flow) : problem_.rate_Bps(k); rate_Bps != flow.rate_Bps) {
      settle(flow);
      flow.rate_Bps = rate_Bps;
      flow.end_s = now_s_ + flow.left_bytes / rate_Bps;
    }
    next_s = std::min(next_s, flow.end_s);
  }
  ends_.set(entry(number, kPart), next_s);
}

// ---- queues ------------------------------------------------------------------------------------------------------

double FlowSharing::weight_on(std::uint32_t link, const Flow& flow) {
  return std::ranges::find(flow.path->crossings, link, &RouteTable::Crossing::link)->times / flow.penalty_s;
}

/// Whether the link's flows have no other tight link, and none its bound before the link is full. It is a queue then.
bool FlowSharing::goes_on_as_queue(std::uint32_t number) {
  Link& link = links_[number];
  if (link.is_queue && link.queue.size() != link.flows.size()) end_queue(number);  // one had several tight links meanwhile
  if (link.mixed > 0 || link.flows.size() < 2) return false;
  if (!link.is_queue) begin_queue(number);
  return link.queue.speed(link.capacity_Bps) <= link.least_reach;
}

void FlowSharing::begin_queue(std::uint32_t number) {
  Link& link = links_[number];
  link.is_queue = true;
  link.least_reach = kInfinity;
  link.queue.begin(now_s_);
  for (const std::uint32_t f : link.flows) {
    if (flows_[f].part != kNone) dissolve(std::exchange(flows_[f].part, kNone));
    settle(flows_[f]);
    add_to_queue(number, f);
  }
}

void FlowSharing::add_to_queue(std::uint32_t link, std::uint32_t number) {
  Flow& flow = flows_[number];
  flow.is_queued = true;
  links_[link].least_reach = std::min(links_[link].least_reach, flow.bound_Bps * flow.penalty_s);
  links_[link].queue.add(number, flow.left_bytes * flow.penalty_s, weight_on(link, flow), now_s_);
}

void FlowSharing::end_queue(std::uint32_t number) {
  links_[number].queue.for_each(now_s_, [this](std::uint32_t f, double needed, double speed) {
    Flow& flow = flows_[f];
    flow.left_bytes = needed / flow.penalty_s;
    flow.since_s = now_s_;
    flow.rate_Bps = speed / flow.penalty_s;
    flow.end_s = now_s_ + flow.left_bytes / flow.rate_Bps;
    flow.is_queued = false;
  });
  links_[number].queue.begin(now_s_);
  links_[number].is_queue = false;
  ends_.remove(entry(number, kQueue));
}

// ---- ends --------------------------------------------------------------------------------------------------------

void FlowSharing::take_ended_of_queue(std::uint32_t number, double latest_s, std::vector<std::uint32_t>& ended) {
  LinkQueue& queue = links_[number].queue;
  do {
    Flow& flow = flows_[queue.next()];
    flow.is_queued = false;
    ended.push_back(queue.pop(weight_on(number, flow)));
  } while (queue.size() > 0 && queue.next_s() <= latest_s);
}

void FlowSharing::take_ended(double date_s, std::vector<std::uint32_t>& ended) {
  now_s_ = date_s;
  constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();  // ends that differ by less are one event
  const double latest_s = date_s + kRounding * date_s;
  const std::size_t first = ended.size();
  while (!ends_.empty() && ends_.top_s() <= date_s) {
    const std::uint32_t top = ends_.top(), number = top / kKinds;
    ends_.remove(top);
    if (top % kKinds == kFlow) ended.push_back(number);
    else if (top % kKinds == kQueue) take_ended_of_queue(number, latest_s, ended);
    else
      std::ranges::copy_if(parts_[number], std::back_inserter(ended),
                           [&](std::uint32_t f) { return flows_[f].end_s <= latest_s; });
  }
  for (std::size_t k = first; k < ended.size(); ++k) leave(ended[k], date_s);
}

}  // namespace nowsim
