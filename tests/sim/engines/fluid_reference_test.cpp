// The fluid model of the network, computed plainly, with both engines beside it; what verify takes for agreement, for
// another order of simultaneous events, and for a difference.
#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/text.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/engines/engine_agreement.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

using Links = std::vector<FluidLink>;
using Flows = std::vector<FluidFlow>;

/// Ends computed without rounding.
std::vector<double> exact_ends(const Links& links, const Flows& flows) {
  std::vector<double> ends;
  for (const Exact& end : fluid_ends<Exact>(links, flows)) ends.push_back(static_cast<double>(end));
  return ends;
}

std::string link_xml(const std::string& name, double bandwidth_Bps, double latency_s, bool shared) {
  return "<link id=\"" + name + "\" bandwidth=\"" + number_text(bandwidth_Bps) + "Bps\" latency=\"" +
         number_text(latency_s) + "s\" sharing_policy=\"" + (shared ? "SHARED" : "FATPIPE") + "\"/>\n";
}

/// Flow f goes from workstation 2f to 2f + 1, through the links and a fat pipe of its own that has its latency.
Scenario of_flows(const Links& links, const Flows& flows) {
  Platform platform;
  platform.source = "flows";
  std::string network;
  const auto add_link = [&](const std::string& name, double bandwidth_Bps, double latency_s, bool shared) {
    network += link_xml(name, bandwidth_Bps, latency_s, shared);
    platform.links.push_back({name, bandwidth_Bps, latency_s, shared});
  };
  for (std::size_t l = 0; l < links.size(); ++l)
    add_link("L" + std::to_string(l), links[l].bandwidth_Bps, 0, links[l].shared);
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const std::string number = std::to_string(f);
    platform.workstations.push_back({"from" + number, 1, 1, {}});
    platform.workstations.push_back({"to" + number, 1, 1, {}});
    add_link("way" + number, 1e12, flows[f].latency_s, false);
  }
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const std::string number = std::to_string(f);
    network += "<route src=\"from" + number + "\" dst=\"to" + number + "\"><link_ctn id=\"way" + number + "\"/>";
    for (const std::size_t l : flows[f].links) network += "<link_ctn id=\"L" + std::to_string(l) + "\"/>";
    network += "</route>\n";
  }
  platform.xml = platform_xml(platform.workstations, "Full", network);
  return scenario(std::make_shared<const Platform>(std::move(platform)), [flows](Rank& self) -> Process {
    const FluidFlow& flow = flows[index_of(self.index() / 2)];
    if (self.index() % 2 == 1) co_await self.receive(self.index() - 1);
    else {
      co_await self.sleep_until(flow.start_s);
      co_await self.isend(self.index() + 1, flow.bytes);
    }
  });
}

std::vector<double> ends_of(const RunResult& result) {
  std::vector<double> ends;
  for (std::size_t i = 1; i < result[Quantity::finish_s].size(); i += 2) ends.push_back(result[Quantity::finish_s][i]);
  return ends;
}

void check_ends(const std::vector<double>& ends, const std::vector<double>& expected) {
  REQUIRE(ends.size() == expected.size());
  for (std::size_t f = 0; f < ends.size(); ++f) {
    INFO("flow " << f);
    CHECK(ends[f] == Approx(expected[f]).epsilon(1e-9).margin(1e-12));
  }
}

/// Both engines against the third computation.
void check_engines(const Links& links, const Flows& flows, const std::vector<double>& expected) {
  const Scenario s = of_flows(links, flows);
  {
    INFO("simgrid");
    check_ends(ends_of(run_batch_simgrid(s, {0, 1})[0]), expected);
  }
  INFO("direct");
  check_ends(ends_of(run_batch_direct(s, {0, 1})[0]), expected);
}

void check_by_hand(const Links& links, const Flows& flows, const std::vector<double>& expected) {
  check_ends(exact_ends(links, flows), expected);
  check_engines(links, flows, expected);
}

/// Numbers on a grid, so that ends are equal often, or anywhere.
double draw(Stream& stream, double least, double most, bool on_grid) {
  const double u = stream.uniform();
  if (on_grid) return least * std::pow(2, std::floor(u * 3));
  return least * std::pow(most / least, u);
}

struct Case {
  Links links;
  Flows flows;
};
Case random_case(std::uint64_t number) {
  Stream stream({number, 0, 0, Purpose::workload});
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(stream.uniform() * static_cast<double>(n)); };
  const bool on_grid = below(2) == 0, has_zero_latencies = below(3) == 0;
  Case made;
  for (std::size_t l = 1 + below(5); l > 0; --l) made.links.push_back({draw(stream, 1e5, 1e7, on_grid), below(4) > 0});
  for (std::size_t f = 1 + below(12); f > 0; --f) {
    FluidFlow flow{on_grid ? 0.25 * static_cast<double>(below(3)) : 3 * stream.uniform(),
                   std::round(draw(stream, 1e4, 1e6, on_grid)), draw(stream, 1e-4, 0.1, on_grid), {}};
    if (has_zero_latencies && below(2) == 0) flow.latency_s = 0;
    for (std::size_t k = 1 + below(3); k > 0; --k) flow.links.push_back(below(made.links.size()));
    made.flows.push_back(flow);
  }
  return made;
}

using Kind = Agreement::Kind;
using Change = std::function<void(RunResult& simgrid, RunResult& direct)>;

/// Three machines of unit speed that compute 10, 20 and 5; rank 1 sends two messages.
Process three_ranks(Rank& self) {
  const double work_flop[] = {10, 12, 5};
  co_await self.compute(work_flop[self.index()]);
  if (self.index() != 1) co_return;
  co_await self.isend(0, 7);
  co_await self.compute(8);
  co_await self.isend(2, 9);
}

/// The same as a job that ends with its first rank, which waits for the others.
Process three_ranks_and_the_end(Rank& self) {
  co_await three_ranks(self);
  if (self.index() == 0) co_await self.sleep_until(30);
}

/// As if another order had given the work and the messages of the second machine to the first one, and back.
void swap_first_two(RunResult& r) {
  for (const Quantity q : {Quantity::work_flop, Quantity::active_s, Quantity::finish_s, Quantity::messages,
                           Quantity::sent_bytes})
    std::swap(r[q][0], r[q][1]);
}

Agreement compared(const Scenario& s, const Change& change, std::uint64_t ties) {
  auto simgrid = run_batch_simgrid(s, {4, 1}), direct = run_batch_direct(s, {4, 1});
  direct[0].ties = ties;
  change(simgrid[0], direct[0]);
  return compare_results(s, simgrid, direct);
}

/// Called so only where events were simultaneous; a difference without.
void check_reordered(const Scenario& s, const Change& change) {
  const Agreement agreement = compared(s, change, 1);
  CHECK(agreement.kind == Kind::reordered);
  CHECK(agreement.reordered == 1);
  CHECK(compared(s, change, 0).kind == Kind::differ);
}

/// Whatever was simultaneous.
void check_differs(const Scenario& s, const Change& change, const std::string& where) {
  for (const std::uint64_t ties : {0, 5}) {
    const Agreement agreement = compared(s, change, ties);
    CHECK(agreement.kind == Kind::differ);
    CHECK(agreement.largest > kEngineTolerance);
    if (ties > 0) CHECK(agreement.where == where + " in replication 4");
  }
}

}  // namespace

TEST_CASE("Flows share a link equally when their latencies are equal, and the last ones get all", "[computes][reads][fluid]") {
  // 1000 bytes each at 500 B/s until 2.1 s; the second has 1000 bytes left then.
  check_by_hand({{1000}}, {{0, 1000, 0.1, {0}}, {0, 2000, 0.1, {0}}}, {2.1, 3.1});
  // The second comes when 500 bytes of the first are left: 1 s more at half the rate.
  check_by_hand({{1000}}, {{0, 1000, 0.1, {0}}, {0.5, 1000, 0.1, {0}}}, {1.6, 2.1});
  check_by_hand({{1000}}, {{0, 0, 0.1, {0}}, {0, 1000, 0, {0}}}, {0.1, 1.0});
}

TEST_CASE("Unequal latencies share by 1/latency, and a flow without latency counts as one with a second", "[fluid]") {
  // Weights 4 and 1: 800 and 200 B/s from 0.4 s on, when the first has 850 bytes left.
  check_by_hand({{1000}}, {{0.25, 1000, 0.1, {0}}, {0, 1000, 0.4, {0}}}, {0.4 + 0.95 / 0.8, 2.35});
  // Weights 1 and 9.
  check_by_hand({{1000}}, {{0, 1000, 0, {0}}, {0, 900, 1. / 9, {0}}}, {1.9, 1. / 9 + 1});
}

TEST_CASE("What a flow cannot use others get: max-min over several links", "[fluid]") {
  // The first is held to 200 B/s by its own link; the others share the 800 that it leaves on the common one.
  check_by_hand({{200}, {1000}}, {{0, 1000, 0.1, {0, 1}}, {0, 800, 0.1, {1}}, {0, 800, 0.1, {1}}}, {5.1, 2.1, 2.1});
  // The classical line: one flow through both links, one on each.
  check_by_hand({{1000}, {3000}}, {{0, 500, 0.1, {0, 1}}, {0, 500, 0.1, {0}}, {0, 2500, 0.1, {1}}}, {1.1, 1.1, 1.1});
}

TEST_CASE("A way that passes a link twice loads it twice", "[fluid]") {
  check_by_hand({{1000}}, {{0, 1000, 0.1, {0, 0}}}, {2.1});
  // 2r + r = 1000.
  check_by_hand({{900}}, {{0, 300, 0.1, {0, 0}}, {0, 300, 0.1, {0}}}, {1.1, 1.1});
}

TEST_CASE("On a fat pipe each flow has the whole bandwidth, whatever its latency", "[fluid]") {
  check_by_hand({{1000, false}}, {{0, 1000, 0.1, {0}}, {0, 2000, 0.1, {0}}}, {1.1, 2.1});
  check_by_hand({{1000, false}}, {{0, 1000, 0.1, {0}}, {0, 1000, 0.2, {0}}}, {1.1, 1.2});
  // The first is held to 1000 of 3000 B/s, the second has the rest.
  check_by_hand({{1000, false}, {3000}}, {{0, 1000, 0.1, {0, 1}}, {0, 2000, 0.1, {1}}}, {1.1, 1.1});
}

TEST_CASE("Links that change while bytes flow", "[fluid]") {
  check_ends(exact_ends({{1000, true, {{1, 500}, {2, 2000}}}}, {{0, 3500, 0, {0}}}), {3});
  // A fat pipe never gives a flow more than it had at the flow's start.
  check_ends(exact_ends({{1000, false, {{1, 500}, {2, 2000}}}}, {{0, 3500, 0, {0}}, {2.5, 2000, 0, {0}}}), {4, 3.5});
}

TEST_CASE("Both engines end random flows as the plain computation does", "[fluid][slow]") {
  for (std::uint64_t number = 0; number < 30; ++number) {
    INFO("case " << number);
    const Case made = random_case(number);
    std::vector<double> expected;
    for (const long double end : fluid_ends<long double>(made.links, made.flows))
      expected.push_back(static_cast<double>(end));
    if (number < 3) check_ends(exact_ends(made.links, made.flows), expected);
    check_engines(made.links, made.flows, expected);
  }
}

TEST_CASE("Ten thousand messages at once on one bus end as they should on both engines", "[fluid][slow]") {
  constexpr int kRanks = 51, kEach = 200;
  constexpr double kBandwidth_Bps = 1000, kLatency_s = 1e-3;
  // Rank r sends two hundred messages of r·1000 bytes to rank r + 1. So many share the bus while any are left.
  const auto program = [](Rank& self) -> Process {
    for (int k = 0; k < kEach && self.index() > 0; ++k)
      co_await self.isend((self.index() + 1) % kRanks, 1000. * self.index());
    for (int k = 0; k < kEach && self.index() != 1; ++k) co_await self.receive((self.index() + kRanks - 1) % kRanks);
  };
  const Scenario s = scenario(machines(kRanks, NetworkKind::bus), program);
  std::vector<double> expected(kRanks, 0.0);
  double end_s = kLatency_s;
  for (int r = 1; r < kRanks; ++r)
    expected[index_of((r + 1) % kRanks)] = end_s += 1000. * kEach * (kRanks - r) / kBandwidth_Bps;
  check_ends(run(s)[0][Quantity::finish_s], expected);
}

/// Messages of many sizes, whose flows begin while others end on the same links. SimGrid's lazy updates of rates end it
/// at 0.1635018 s.
TEST_CASE("An exchange over a star ends on both engines when shares at every moment say", "[fluid]") {
  const auto bytes = [](int rank, int round, int distance) {
    const double place = 0.6180339887498949 * ((round * 2 + distance) * 3 + rank + 1);
    return std::floor(1e6 * (1 + place - std::floor(place)));
  };
  const auto star = machines({1, 1, 1}, NetworkKind::network_switch, 125e6, 1e-5);
  const auto results = run(scenario(star, [&](Rank& self) -> Process {
    for (int round = 0; round < 5; ++round) {
      for (int d = 1; d <= 2; ++d) co_await self.isend((self.index() + d) % 3, bytes(self.index(), round, d));
      for (int d = 1; d <= 2; ++d) co_await self.receive((self.index() + 3 - d) % 3);
    }
  }));
  // By an integration of max-min shares from event to event.
  CHECK(results.front().makespan_s == Approx(0.16582954933333333).epsilon(1e-9));
}

TEST_CASE("Engines' equal results agree, with ties and without", "[agreement]") {
  const Scenario s = scenario(machines(3), three_ranks, profile_of("PERIODICITY 3\n0 1\n2 0.5\n"));
  for (const std::uint64_t ties : {0, 5})
    CHECK(compared(
              s, [](RunResult&, RunResult&) {}, ties)
              .kind == Kind::agree);
}

TEST_CASE("Another order of simultaneous events moves work, times and messages between workstations", "[agreement]") {
  const Scenario s = scenario(machines(3), three_ranks);
  check_reordered(s, [](RunResult&, RunResult& direct) { swap_first_two(direct); });
  check_reordered(s, [](RunResult&, RunResult& direct) { direct.makespan_s += 1; });
}

TEST_CASE("No order leaves all times equal while something else differs", "[agreement]") {
  const auto more_work = [](RunResult&, RunResult& direct) { direct[Quantity::work_flop][1] *= 1 - 1e-6; };
  const auto a_message = [](RunResult&, RunResult& direct) { direct[Quantity::messages][1] = 1; };
  const auto bytes = [](RunResult&, RunResult& direct) {
    std::swap(direct[Quantity::sent_bytes][0], direct[Quantity::sent_bytes][1]);
  };
  for (const Scenario& s :
       {scenario(machines(3), three_ranks), ending_with_first(machines(3), three_ranks_and_the_end)}) {
    check_differs(s, more_work, "work of workstation 2");
    check_differs(s, a_message, "number of messages of workstation 2");
    check_differs(s, bytes, "number of bytes of workstation 1");
  }
}

TEST_CASE("No order changes what all do together, but where the job ends with its first rank", "[agreement]") {
  const auto less_work = [](RunResult&, RunResult& direct) {
    swap_first_two(direct);
    direct[Quantity::work_flop][2] = direct[Quantity::active_s][2] = direct[Quantity::finish_s][2] = 4;
  };
  const auto one_more = [](RunResult&, RunResult& direct) {
    swap_first_two(direct);
    direct[Quantity::messages][2] += 1;
  };
  const auto more_bytes = [](RunResult&, RunResult& direct) {
    swap_first_two(direct);
    direct[Quantity::sent_bytes][2] += 1;
  };
  const Scenario s = scenario(machines(3), three_ranks);
  check_differs(s, less_work, "work of all workers");
  check_differs(s, one_more, "number of all messages");
  check_differs(s, more_bytes, "number of all bytes");
  for (const auto& change : {Change(less_work), Change(one_more), Change(more_bytes)})
    check_reordered(ending_with_first(machines(3), three_ranks_and_the_end), change);
}

TEST_CASE("No order changes an owner who does not feel the task while the makespan stays", "[agreement]") {
  const auto owner_s = [](RunResult&, RunResult& direct) {
    swap_first_two(direct);
    direct[Quantity::owner_s][2] += 1e-3;
  };
  check_differs(scenario(machines(3), three_ranks), owner_s, "owner's time of workstation 3");
  check_reordered(scenario(machines(3), three_ranks, regular_jobs(1000, 1, kDisciplines[0])), owner_s);
}

TEST_CASE("A result that cannot be is a difference although both engines give it", "[agreement]") {
  const Scenario s = scenario(machines(3), three_ranks);
  const auto on_both = [](const std::function<void(RunResult&)>& change) {
    return [change](RunResult& simgrid, RunResult& direct) {
      change(simgrid);
      change(direct);
    };
  };
  for (const std::uint64_t ties : {0, 1}) {
    const auto where = [&](const std::function<void(RunResult&)>& change) {
      const Agreement agreement = compared(s, on_both(change), ties);
      CHECK(agreement.kind == Kind::differ);
      return agreement.where;
    };
    CHECK(where([](RunResult& r) { r[Quantity::work_flop][1] = 25; }) ==
          "work beyond the computing time of workstation 2 on simgrid in replication 4");
    CHECK(where([](RunResult& r) { r[Quantity::work_flop][2] = 0; }) ==
          "computing time beyond work and owner's time of workstation 3 on simgrid in replication 4");
    CHECK(where([](RunResult& r) { r[Quantity::finish_s][0] = 9; }) ==
          "computing time beyond the finish time of workstation 1 on simgrid in replication 4");
    CHECK(where([](RunResult& r) { r[Quantity::finish_s][1] = 21; }) ==
          "finish time beyond the makespan of workstation 2 on simgrid in replication 4");
  }
}
