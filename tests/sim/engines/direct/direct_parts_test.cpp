// Parts of the direct engine: the queue of events, routes asked for in any order, and flows that share links.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <vector>

#include "sim/engines/direct/event_queue.hpp"
#include "sim/engines/direct/flow_sharing.hpp"
#include "sim/engines/direct/route_table.hpp"
#include "sim/platform/generate_platform.hpp"
#include "sim/statistics/random.hpp"

using namespace nowsim;

namespace {

constexpr std::size_t kMany = 70;  // more than are asked for all at once

std::shared_ptr<const Platform> switched(std::size_t n) {
  GeneratedPlatform d;
  for (std::size_t i = 0; i < n; ++i) d.names.push_back("ws" + std::to_string(i));
  d.speed_flops.assign(n, 1);
  d.network = NetworkKind::network_switch;
  d.bandwidth_Bps = 100;
  d.latency_s = 0.25;
  return std::make_shared<const Platform>(generate_platform(d));
}

std::vector<std::string> links_between(RouteTable& routes, std::size_t from, std::size_t to) {
  std::vector<std::string> names;
  for (const auto& [link, times] : routes.find(from, to).crossings) names.push_back(routes.links()[link].name);
  return names;
}

void check_route(RouteTable& routes, std::size_t from, std::size_t to) {
  const std::string a = "ws" + std::to_string(from), b = "ws" + std::to_string(to);
  INFO(a << " to " << b);
  CHECK(links_between(routes, from, to) == std::vector<std::string>{a + "_link_UP", b + "_link_DOWN"});
  CHECK(routes.find(from, to).latency_s == 0.25);
  CHECK(routes.find(from, to).bandwidth_Bps == 100);
}

struct TestFlow {
  double penalty_s, bound_Bps;
  std::vector<std::uint32_t> links;
};

std::vector<double> rates(MaxMin& problem, const std::vector<double>& capacities_Bps, const std::vector<TestFlow>& flows) {
  problem.clear();
  for (const double c : capacities_Bps) problem.add_link(c);
  for (const TestFlow& f : flows) {
    problem.add_flow(f.penalty_s, f.bound_Bps);
    for (const std::uint32_t link : f.links) problem.cross(link, 1);
  }
  problem.solve();
  std::vector<double> out;
  for (std::uint32_t k = 0; k < flows.size(); ++k) out.push_back(problem.rate_Bps(k));
  return out;
}

TestFlow drawn_flow(std::mt19937_64& random, std::size_t links) {
  TestFlow flow{1e-3 * static_cast<double>(1 + random() % 7), kInfinity, {}};
  for (std::size_t k = 1 + random() % 3; k > 0; --k)
    if (const auto link = static_cast<std::uint32_t>(random() % links); std::ranges::count(flow.links, link) == 0)
      flow.links.push_back(link);
  if (random() % 2) flow.bound_Bps = static_cast<double>(1 + random() % 100);
  return flow;
}

struct Start {
  double date_s;
  FlowSharing::Demand demand;
};

/// A change of a link's capacity.
struct Change {
  double date_s;
  std::uint32_t link;
  double capacity_Bps;
};

/// All rates anew, of all flows, at whatever happens.
std::vector<double> plain_ends(std::vector<RouteTable::Capacity> links, const std::vector<Start>& starts,
                               const std::vector<Change>& changes) {
  const std::size_t n = starts.size();
  std::vector<double> left(n), end(n, -1);
  for (std::size_t f = 0; f < n; ++f) left[f] = starts[f].demand.bytes;
  MaxMin problem;
  for (double now_s = 0;;) {
    problem.clear();
    for (const auto& link : links) problem.add_link(link.bandwidth_Bps);
    std::vector<std::size_t> here;
    double next_s = kInfinity;
    for (std::size_t f = 0; f < n; ++f) {
      if (starts[f].date_s > now_s) next_s = std::min(next_s, starts[f].date_s);
      if (starts[f].date_s > now_s || end[f] >= 0) continue;
      here.push_back(f);
      problem.add_flow(starts[f].demand.penalty_s, starts[f].demand.bound_Bps);
      for (const auto& [k, times] : starts[f].demand.path->crossings) problem.cross(k, times);
    }
    for (const Change& change : changes)
      if (change.date_s > now_s) next_s = std::min(next_s, change.date_s);
    problem.solve();
    for (std::uint32_t k = 0; k < here.size(); ++k)
      next_s = std::min(next_s, now_s + left[here[k]] / problem.rate_Bps(k));
    if (next_s == kInfinity) return end;
    for (std::uint32_t k = 0; k < here.size(); ++k) {
      const std::size_t f = here[k];
      left[f] -= problem.rate_Bps(k) * (next_s - now_s);
      if (left[f] <= 1e-9 * starts[f].demand.bytes) end[f] = next_s;
    }
    now_s = next_s;
    for (const Change& change : changes)
      if (change.date_s == now_s) links[change.link].bandwidth_Bps = change.capacity_Bps;
  }
}

std::vector<double> ends(const std::vector<RouteTable::Capacity>& links, const std::vector<Start>& starts,
                         const std::vector<Change>& changes, FlowSharing& sharing) {
  sharing.clear();
  sharing.know(links);
  for (const Change& change : changes) sharing.set_capacity(change.link, links[change.link].bandwidth_Bps, 0);
  std::vector<double> out(starts.size(), -1);
  std::vector<std::uint32_t> ended;
  std::size_t start = 0, change = 0;
  for (;;) {
    const double start_s = start < starts.size() ? starts[start].date_s : kInfinity;
    const double change_s = change < changes.size() ? changes[change].date_s : kInfinity;
    const double next_s = sharing.next_s();
    if (next_s == kInfinity && start_s == kInfinity) return out;
    if (next_s <= std::min(start_s, change_s)) {
      ended.clear();
      sharing.take_ended(next_s, ended);
      REQUIRE(!ended.empty());
      for (const std::uint32_t f : ended) out[f] = next_s;
    } else if (change_s < start_s) {
      sharing.set_capacity(changes[change].link, changes[change].capacity_Bps, change_s);
      ++change;
    } else {
      sharing.enter(static_cast<std::uint32_t>(start), starts[start].demand, start_s);
      ++start;
    }
  }
}

/// Networks of few links, so that there are queues, parts that join and fall apart, and flows by themselves.
struct RandomCase {
  std::vector<RouteTable::Capacity> links;
  std::vector<RouteTable::Route> paths;
  std::vector<Start> starts;
  std::vector<Change> changes;

  explicit RandomCase(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t n) { return static_cast<double>(random() % n); };
    for (std::size_t k = 1 + random() % 6; k > 0; --k)
      links.push_back({"l", random() % 2 ? 100.0 : 20 + below(300), true});
    for (std::size_t k = 1 + random() % 8; k > 0; --k) {
      RouteTable::Route path{.latency_s = random() % 2 ? 1e-3 : 1e-3 * (1 + below(5)), .bandwidth_Bps = kInfinity};
      for (std::size_t c = 1 + random() % 3; c > 0; --c) {
        const auto link = static_cast<std::uint32_t>(random() % links.size());
        if (std::ranges::find(path.crossings, link, &RouteTable::Crossing::link) != path.crossings.end()) continue;
        path.crossings.push_back({link, random() % 8 == 0 ? 2.0 : 1.0});
        path.bandwidth_Bps = std::min(path.bandwidth_Bps, links[link].bandwidth_Bps);
      }
      paths.push_back(path);
    }
    double date_s = 0;
    const bool are_bursts = random() % 2;
    for (std::size_t k = 1 + random() % 30; k > 0; --k) {
      if (!are_bursts || random() % 4 == 0) date_s += 1e-3 * below(3000);
      const auto& path = paths[random() % paths.size()];
      const double bytes = random() % 3 ? 100.0 : 1 + below(500);
      starts.push_back({date_s, {&path, path.latency_s, path.bandwidth_Bps, bytes}});
    }
    if (random() % 2) return;
    for (double at_s = 0.25; at_s < 10; at_s += 0.1 + 1e-3 * below(2000)) changes.push_back({at_s, 0, 1 + below(200)});
    for (auto& start : starts)  // a flow is not bounded by what a varying link has at its start
      if (std::ranges::find(start.demand.path->crossings, 0u, &RouteTable::Crossing::link) !=
          start.demand.path->crossings.end())
        start.demand.bound_Bps = 150;
  }
};

/// Flows on a bus of 100 B/s.
struct OnBus {
  FlowSharing sharing;
  RouteTable::Route path{.latency_s = 1, .bandwidth_Bps = 100, .crossings = {{0, 1}}};
  OnBus() { sharing.know(std::vector<RouteTable::Capacity>{{"bus", 100, true}}); }
  void enter(std::uint32_t count, double bytes, double now_s) {
    for (std::uint32_t f = 0; f < count; ++f) sharing.enter(f, {&path, 1, 100, bytes}, now_s);
  }
};

}  // namespace

TEST_CASE("Events come in their order, put in while others are taken out", "[computes][reads][events]") {
  Stream random = Stream::Family(1, 0).stream(0, Purpose::workload);
  EventQueue<int> queue;
  std::priority_queue<int, std::vector<int>, std::greater<>> expected;
  for (int step = 0; step < 20'000; ++step) {
    if (random.uniform() < 0.5) {
      const int event = static_cast<int>(random.uniform() * 100);
      queue.push(event);
      expected.push(event);
    } else if (!expected.empty()) {
      REQUIRE(queue.top() == expected.top());
      queue.pop();
      expected.pop();
    }
    REQUIRE(queue.empty() == expected.empty());
  }
}

TEST_CASE("Many workstations' routes to a server, from it, and around a ring are those of each pair", "[network]") {
  RouteTable routes(switched(kMany));
  for (std::size_t i = 1; i < kMany; ++i) {
    check_route(routes, i, 0);
    check_route(routes, 0, i);
  }
  for (std::size_t i = 0; i < kMany; ++i) {
    check_route(routes, i, (i + 7) % kMany);
    check_route(routes, (i + 7) % kMany, i);
  }
}

TEST_CASE("Flows on random networks end when a plain simulation says", "[network][flow_sharing][property]") {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const RandomCase c(seed);
    const auto plain = plain_ends(c.links, c.starts, c.changes);
    FlowSharing sharing;
    const auto found = ends(c.links, c.starts, c.changes, sharing);
    for (std::size_t f = 0; f < plain.size(); ++f) {
      INFO("case " << seed << ", flow " << f);
      REQUIRE(found[f] == Approx(plain[f]).epsilon(1e-9));
    }
    REQUIRE(ends(c.links, c.starts, c.changes, sharing) == found);  // nothing is left of the first time
  }
}

TEST_CASE("k flows on a bus each take k times as long, whenever they come back", "[network][flow_sharing]") {
  OnBus bus;
  std::vector<std::uint32_t> ended;
  double now_s = 0;
  for (const std::uint32_t k : {1u, 2u, 7u, 1000u}) {
    bus.enter(k, 50, now_s);
    const double end_s = bus.sharing.next_s();
    CHECK(end_s - now_s == Approx(0.5 * k).epsilon(1e-12));
    ended.clear();
    bus.sharing.take_ended(end_s, ended);
    CHECK(ended.size() == k);
    now_s = end_s;
  }
  CHECK(bus.sharing.next_s() == kInfinity);
}

TEST_CASE("A flow that leaves before its end leaves its part of the link to the others", "[network][flow_sharing]") {
  OnBus bus;
  bus.enter(4, 100, 0);
  CHECK(bus.sharing.next_s() == 4);
  bus.sharing.leave(2, 2);
  CHECK(bus.sharing.next_s() == Approx(2 + 1.5).epsilon(1e-12));
  bus.sharing.leave(1, 3);
  bus.sharing.leave(0, 3);
  CHECK(bus.sharing.next_s() == Approx(3 + (100 - 50 - 100.0 / 3) / 100).epsilon(1e-12));
}

TEST_CASE("Entries of a heap of dates come in their order, moved or not", "[network][date_heap][property]") {
  std::mt19937_64 random(3);
  DateHeap heap;
  std::vector<std::optional<double>> dates(40);
  for (int step = 0; step < 20'000; ++step) {
    const auto entry = static_cast<std::uint32_t>(random() % dates.size());
    if (random() % 3 == 0) {
      heap.remove(entry);
      dates[entry].reset();
    } else {
      heap.set(entry, *(dates[entry] = static_cast<double>(random() % 100)));
    }
    double least = kInfinity;
    for (const auto& date : dates) least = std::min(least, date.value_or(kInfinity));
    REQUIRE(heap.empty() == (least == kInfinity));
    if (!heap.empty()) {
      REQUIRE(heap.top_s() == least);
      REQUIRE(dates[heap.top()] == least);
    }
  }
  heap.clear();
  CHECK(heap.empty());
}

TEST_CASE("Flows share links in proportion to their weights, and what bounded ones and fuller links leave",
          "[network][max_min]") {
  MaxMin problem;
  CHECK(rates(problem, {90}, {{1, kInfinity, {0}}, {1, kInfinity, {0}}, {1, kInfinity, {0}}}) ==
        std::vector<double>{30, 30, 30});
  CHECK(rates(problem, {90}, {{1, kInfinity, {0}}, {2, kInfinity, {0}}}) == std::vector<double>{60, 30});
  CHECK(rates(problem, {90}, {{1, 10, {0}}, {1, kInfinity, {0}}, {1, kInfinity, {0}}}) ==
        std::vector<double>{10, 40, 40});
  // The classic line: one flow over both links, one on each.
  CHECK(rates(problem, {10, 30}, {{1, kInfinity, {0, 1}}, {1, kInfinity, {0}}, {1, kInfinity, {1}}}) ==
        std::vector<double>{5, 5, 25});
  CHECK(rates(problem, {}, {{1, 7, {}}}) == std::vector<double>{7});
}

TEST_CASE("A flow of little weight has all that heavy ones leave, however many they are", "[network][max_min]") {
  MaxMin problem;
  problem.add_link(0.3);
  problem.add_link(1);
  const auto add = [&](double penalty_s, std::initializer_list<std::uint32_t> links) {
    const std::uint32_t flow = problem.add_flow(penalty_s, kInfinity);
    for (const std::uint32_t link : links) problem.cross(link, 1);
    return flow;
  };
  for (int k = 0; k < 1000; ++k) add(1e-9, {0, 1});
  const std::uint32_t light = add(1, {1}), other = add(1, {1});
  problem.solve();
  CHECK(problem.rate_Bps(light) == Approx(0.35).epsilon(1e-12));
  CHECK(problem.rate_Bps(other) == Approx(0.35).epsilon(1e-12));
}

/// What defines the allocation: no link has more than it can carry, and every flow has its bound, or a link that is used
/// up and on which nobody has a higher rate per weight.
TEST_CASE("On random networks every flow is stopped by its bound or by a full link", "[network][max_min][property]") {
  std::mt19937_64 random(1);
  MaxMin problem;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> capacities_Bps;
    for (std::size_t k = 1 + random() % 10; k > 0; --k)
      capacities_Bps.push_back(random() % 2 ? 100 : static_cast<double>(1 + random() % 1000));
    std::vector<TestFlow> flows;
    for (std::size_t k = 1 + random() % 20; k > 0; --k) flows.push_back(drawn_flow(random, capacities_Bps.size()));
    const auto rate = rates(problem, capacities_Bps, flows);
    std::vector<double> load(capacities_Bps.size(), 0), highest(capacities_Bps.size(), 0);
    for (std::size_t f = 0; f < flows.size(); ++f)
      for (const std::uint32_t k : flows[f].links) {
        load[k] += rate[f];
        highest[k] = std::max(highest[k], rate[f] * flows[f].penalty_s);
      }
    for (std::size_t k = 0; k < load.size(); ++k) REQUIRE(load[k] <= capacities_Bps[k] * (1 + 1e-12));
    for (std::size_t f = 0; f < flows.size(); ++f) {
      const bool has_bound = rate[f] == flows[f].bound_Bps;
      const bool is_stopped = std::ranges::any_of(flows[f].links, [&](std::uint32_t k) {
        return load[k] >= capacities_Bps[k] * (1 - 1e-12) && rate[f] * flows[f].penalty_s >= highest[k] * (1 - 1e-12);
      });
      INFO("round " << round << ", flow " << f);
      REQUIRE((has_bound || is_stopped));
    }
  }
}
