// Flows that come and go on random networks end when a plain simulation says, whichever way they were reckoned.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "sim/engines/direct/event_queue.hpp"
#include "sim/engines/direct/flow_sharing.hpp"

using namespace nowsim;

namespace {

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
    for (double at_s = 0.25; at_s < 10; at_s += 0.1 + 1e-3 * below(2000))
      changes.push_back({at_s, 0, 1 + below(200)});
    for (auto& start : starts)  // a flow is not bounded by what a varying link has at its start
      if (std::ranges::find(start.demand.path->crossings, 0u, &RouteTable::Crossing::link) !=
          start.demand.path->crossings.end())
        start.demand.bound_Bps = 150;
  }
};

}  // namespace

TEST_CASE("Flows on random networks end when a plain simulation says", "[computes][reads][network][flow_sharing][property]") {
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
  FlowSharing sharing;
  const std::vector<RouteTable::Capacity> bus{{"bus", 100, true}};
  sharing.know(bus);
  const RouteTable::Route path{.latency_s = 1, .bandwidth_Bps = 100, .crossings = {{0, 1}}};
  std::vector<std::uint32_t> ended;
  double now_s = 0;
  for (const std::uint32_t k : {1u, 2u, 7u, 1000u}) {
    for (std::uint32_t f = 0; f < k; ++f) sharing.enter(f, {&path, 1, 100, 50}, now_s);
    const double end_s = sharing.next_s();
    CHECK(end_s - now_s == Approx(0.5 * k).epsilon(1e-12));
    ended.clear();
    sharing.take_ended(end_s, ended);
    CHECK(ended.size() == k);
    now_s = end_s;
  }
  CHECK(sharing.next_s() == kInfinity);
}

TEST_CASE("A flow that leaves before its end leaves its part of the link to the others", "[network][flow_sharing]") {
  FlowSharing sharing;
  const std::vector<RouteTable::Capacity> bus{{"bus", 100, true}};
  sharing.know(bus);
  const RouteTable::Route path{.latency_s = 1, .bandwidth_Bps = 100, .crossings = {{0, 1}}};
  for (std::uint32_t f = 0; f < 4; ++f) sharing.enter(f, {&path, 1, 100, 100}, 0);
  CHECK(sharing.next_s() == 4);
  sharing.leave(2, 2);
  CHECK(sharing.next_s() == Approx(2 + 1.5).epsilon(1e-12));
  sharing.leave(1, 3);
  sharing.leave(0, 3);
  CHECK(sharing.next_s() == Approx(3 + (100 - 50 - 100.0 / 3) / 100).epsilon(1e-12));
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
