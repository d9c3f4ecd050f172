// SimGrid's fluid model of a network (CM02) as plainly as it can be computed: slow, and in whatever numbers one likes,
// so that where engines differ there is a third computation that decides.
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace nowsim::test {

/// Numbers without rounding.
using Exact = boost::multiprecision::cpp_rational;

/// A link, by itself. Flows share its bandwidth; of a fat pipe each may have all.
struct FluidLink {
  double bandwidth_Bps;
  bool shared = true;
  std::vector<std::pair<double, double>> changes = {};  ///< dates in order, and the bandwidth from then on
};

/// A message: at start_s it begins its latency; then its bytes flow. A link that its way passes twice it names twice.
struct FluidFlow {
  double start_s, bytes, latency_s;
  std::vector<std::size_t> links;
};

/// What the rates of flows under way are computed from. A flow's weight is 1/latency, or 1 without latency.
template <class Number>
struct FluidDemand {
  Number penalty;  ///< one over its weight: latency, or 1
  const std::vector<std::size_t>* links;
  std::optional<Number> at_most_Bps = {};
};

/// Progressive filling: rates of flows times their penalties rise together, until a link is full or a flow has what it
/// may have at most; the flows concerned stay so, the others go on. @param capacities_Bps of the links at the moment.
template <class Number>
std::vector<Number> fluid_rates(const std::vector<FluidLink>& links, const std::vector<Number>& capacities_Bps,
                                const std::vector<FluidDemand<Number>>& flows) {
  std::vector<std::optional<Number>> rates(flows.size());
  for (;;) {
    std::optional<Number> level;  // rate times penalty at which the next ones stop
    std::vector<bool> stops(flows.size(), false);
    const auto consider = [&](const Number& at, const std::vector<std::size_t>& who) {
      if (level && *level < at) return;
      if (!level || at < *level) stops.assign(flows.size(), false);
      level = at;
      for (const std::size_t f : who) stops[f] = true;
    };
    for (std::size_t l = 0; l < links.size(); ++l) {
      if (!links[l].shared) continue;
      Number left = capacities_Bps[l], weights = 0;
      std::vector<std::size_t> rising;
      for (std::size_t f = 0; f < flows.size(); ++f) {
        const auto times = static_cast<int>(std::count(flows[f].links->begin(), flows[f].links->end(), l));
        if (times == 0) continue;
        if (rates[f]) {
          left -= times * *rates[f];
        } else {
          rising.push_back(f);
          weights += times / flows[f].penalty;
        }
      }
      if (!rising.empty()) consider(left / weights, rising);
    }
    for (std::size_t f = 0; f < flows.size(); ++f)
      if (!rates[f] && flows[f].at_most_Bps) consider(*flows[f].at_most_Bps * flows[f].penalty, {f});
    if (!level) break;
    for (std::size_t f = 0; f < flows.size(); ++f)
      if (stops[f]) rates[f] = *level / flows[f].penalty;
  }
  std::vector<Number> all;
  for (const auto& rate : rates) all.push_back(rate.value_or(Number(0)));
  return all;
}

/// When each flow ends [s]. On a fat pipe a flow never gets more than the pipe has, nor than it had at the flow's start.
template <class Number>
std::vector<Number> fluid_ends(const std::vector<FluidLink>& links, const std::vector<FluidFlow>& flows) {
  enum class Phase { latency, bytes, over };
  const auto bandwidth_at = [](const FluidLink& link, const Number& time) {
    double bandwidth_Bps = link.bandwidth_Bps;
    for (const auto& [date, changed_Bps] : link.changes)
      if (Number(date) <= time) bandwidth_Bps = changed_Bps;
    return Number(bandwidth_Bps);
  };
  std::vector<Phase> phases(flows.size(), Phase::latency);
  std::vector<Number> left(flows.size()), ends(flows.size());
  for (std::size_t f = 0; f < flows.size(); ++f) left[f] = flows[f].bytes;
  for (Number now = 0;;) {
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const FluidFlow& flow = flows[f];
      if (phases[f] == Phase::latency && Number(flow.start_s) + Number(flow.latency_s) <= now) phases[f] = Phase::bytes;
      if (phases[f] == Phase::bytes && (left[f] <= 0 || flow.links.empty())) {
        phases[f] = Phase::over;
        ends[f] = now;
      }
    }
    std::vector<std::size_t> under_way;
    std::vector<FluidDemand<Number>> demands;
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (phases[f] != Phase::bytes) continue;
      under_way.push_back(f);
      demands.push_back({Number(flows[f].latency_s > 0 ? flows[f].latency_s : 1), &flows[f].links});
      std::optional<Number>& most = demands.back().at_most_Bps;
      for (const std::size_t l : flows[f].links)
        for (const Number& date : {Number(flows[f].start_s), now})
          if (const Number bandwidth = bandwidth_at(links[l], date); !links[l].shared && (!most || bandwidth < *most))
            most = bandwidth;
    }
    std::vector<Number> capacities_Bps;
    for (const FluidLink& link : links) capacities_Bps.push_back(bandwidth_at(link, now));
    const std::vector<Number> rates = fluid_rates(links, capacities_Bps, demands);
    std::optional<Number> next;
    const auto at = [&](const Number& date) {
      if (!next || date < *next) next = date;
    };
    for (std::size_t f = 0; f < flows.size(); ++f)
      if (phases[f] == Phase::latency) at(Number(flows[f].start_s) + Number(flows[f].latency_s));
    for (std::size_t k = 0; k < under_way.size(); ++k) at(now + left[under_way[k]] / rates[k]);
    if (!next) return ends;  // before links' changes, which concern nobody then
    for (const FluidLink& link : links)
      for (const auto& [date, bandwidth_Bps] : link.changes)
        if (Number(date) > now) at(Number(date));
    for (std::size_t k = 0; k < under_way.size(); ++k) {
      Number& bytes = left[under_way[k]];
      if (now + bytes / rates[k] <= *next) bytes = 0;
      else bytes -= rates[k] * (*next - now);
    }
    now = *next;
  }
}

}  // namespace nowsim::test
