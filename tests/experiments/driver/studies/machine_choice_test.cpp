// Machines: which sets of them are tried and which one each rank gets, by judges without simulation; a core's speed.
#include "experiments/driver/studies/machine_choice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/studies/machine_measurement.hpp"
#include "experiments/driver/studies/placement_choice.hpp"
#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/error.hpp"
#include "tests/cache_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

MachineField field_of(std::size_t n) {
  MachineField f;
  f.machines = n;
  f.orders.emplace_back(n);
  std::iota(f.orders.front().begin(), f.orders.front().end(), std::size_t{0});
  f.kinds = f.orders.front();
  return f;
}

/// tau of 1000 units of work where each machine adds one unit of speed and costs `cost` for synchronising, but machines
/// of `bad` add nothing.
JudgeSets judge_of(double cost, const std::set<std::size_t>& bad = {}) {
  return [=](const std::vector<MachineSet>& sets) {
    std::vector<SetOutcome> out;
    for (const auto& set : sets) {
      const auto good = std::ranges::count_if(set, [&](std::size_t i) { return !bad.contains(i); });
      out.push_back({0, 0, 1000 / (static_cast<double>(good) + 1e-9) + cost * static_cast<double>(set.size())});
    }
    return out;
  };
}

/// A core on which every run takes so long, and others want it for a part of the time.
struct ToldCore : MeasuredCore {
  double run_s = 0.01, waited = 0;  ///< of a run, and the part of all time that others have the core
  std::uint64_t other_ticks_per_s = 0;
  std::size_t runs = 0, stops_after = 1'000'000;

  double run() {
    own += run_s;
    now += run_s / (1 - waited);
    ++runs;
    return 2e6;
  }
  double now_s() const override { return now; }
  double own_s() const override { return own; }
  ProcStat look() override {
    ProcStat stat;
    stat.cores = 4;
    stat.busy = static_cast<std::uint64_t>(100 * own + static_cast<double>(other_ticks_per_s) * now);
    stat.idle = static_cast<std::uint64_t>(400 * now) - stat.busy;
    stat.job["1"] = {own, now - own};
    return stat;
  }
  bool is_stopped() const override { return runs >= stops_after; }

  double now = 100, own = 0;
};

MachineSpeed measured(ToldCore& core, const SpeedPlan& plan = {5, 0.2}) {
  return measure_speed(core, plan, [&] { return core.run(); });
}

/// Ranks that compute so much and send nothing, on machines of one core each, all of other kinds.
PlacementField field_of(const std::vector<double>& speeds_flops, const std::vector<double>& rank_flop) {
  PlacementField f;
  for (std::size_t m = 0; m < speeds_flops.size(); ++m) f.machines.push_back({speeds_flops[m], 1, 0, m});
  f.loads.rank_flop = rank_flop;
  f.loads.with.resize(rank_flop.size());
  f.loads.with_all.resize(rank_flop.size());
  allow_ranks(f);
  find_alike_machines(f);
  return f;
}

void exchange(PlacementField& f, std::size_t a, std::size_t b, double bytes) {
  f.loads.with[a][b] += {1, bytes};
  f.loads.with[b][a] += {1, bytes};
}

/// When the last rank is through that nothing makes wait.
JudgeSets judge_of(const PlacementField& f) {
  return [&f](const std::vector<Placement>& placements) {
    std::vector<SetOutcome> out;
    for (const auto& placement : placements) {
      const auto ranks = ranks_by_machine(placement, f.machines.size());
      double last_s = 0;
      for (std::size_t m = 0; m < ranks.size(); ++m) last_s = std::max(last_s, f.computing_s(m, ranks[m]));
      out.push_back({0, 0, last_s});
    }
    return out;
  };
}

Placement named(const std::vector<NamedPlacement>& placements, const std::string& name) {
  const auto found = std::ranges::find(placements, name, &NamedPlacement::name);
  return found == placements.end() ? Placement() : found->machines;
}

const Placement kInTurn{0, 1, 2, 3};

}  // namespace

TEST_CASE("Of few machines every set is tried", "[computes][machines]") {
  const MachineSearch search = search_machines(field_of(5), judge_of(0));
  CHECK(search.is_exhaustive);
  CHECK(search.tried.size() == 31);
  CHECK(search.best(1).front().size() == 5);
  CHECK(search.best_by_size().size() == 5);
}

TEST_CASE("Machines that are alike are counted, not told apart", "[machines]") {
  MachineField f = field_of(6);
  f.kinds = {0, 1, 1, 1, 1, 5};
  const MachineSearch search = search_machines(f, judge_of(0));
  CHECK(search.tried.size() == 2 * 5 * 2 - 1);
  CHECK(search.tried.contains({1, 2}));
  CHECK_FALSE(search.tried.contains({1, 3}));
}

TEST_CASE("More machines are taken only as long as they pay", "[machines]") {
  // 1000/k + 10 k is least at k = 10.
  const MachineSearch search = search_machines(field_of(30), judge_of(10));
  CHECK_FALSE(search.is_exhaustive);
  CHECK(search.best(1).front().size() == 10);
  CHECK(search.tried.size() < 5000);
}

TEST_CASE("Machines that are in the way of every order's prefix are dropped one by one", "[machines]") {
  const std::set<std::size_t> bad{3, 7, 11};
  const MachineSearch search = search_machines(field_of(20), judge_of(1, bad));
  const MachineSet best = search.best(1).front();
  CHECK(best.size() == 17);
  for (const std::size_t i : bad) CHECK(std::ranges::count(best, i) == 0);
}

TEST_CASE("A job that needs several machines is not tried on fewer", "[machines]") {
  MachineField f = field_of(4);
  f.least = 3;
  CHECK(search_machines(f, judge_of(1000)).best(1).front().size() == 3);
}

TEST_CASE("RF is the objective where it tells sets apart, else the quantile or tau", "[machines]") {
  const auto judged_by = [](double late_of_small, double late_of_large, bool has_risk, double tau_of_small = 1) {
    MachineField f = field_of(3);
    f.has_deadline = true;
    f.has_risk = has_risk;
    return search_machines(f,
                           [=](const std::vector<MachineSet>& sets) {
                             std::vector<SetOutcome> out;
                             for (const auto& set : sets)
                               out.push_back(set.size() < 3 ? SetOutcome{late_of_small, 1, tau_of_small}
                                                            : SetOutcome{late_of_large, 1, 1});
                             return out;
                           })
        .objective;
  };
  CHECK(judged_by(0.5, 0.2, true) == SetObjective::late);
  CHECK(judged_by(1, 0.9, false) == SetObjective::late);
  CHECK(judged_by(0.5, 0, true) == SetObjective::late);  // one that never misses the deadline tells most of all
  CHECK(judged_by(0, 0.3, false) == SetObjective::late);
  CHECK(judged_by(0, 0, true) == SetObjective::quantile);
  CHECK(judged_by(0, 0, false) == SetObjective::tau);
  CHECK(judged_by(1, 1, false) == SetObjective::tau);
  CHECK(judged_by(1, 0, false, HUGE_VAL) == SetObjective::tau);  // those that cannot run tell nothing
}

TEST_CASE("Sets of one RF are ordered by the quantile, then by tau", "[machines]") {
  MachineSearch search;
  search.objective = SetObjective::late;
  CHECK(search.is_better({0.1, 9, 9}, {0.2, 1, 1}));
  CHECK(search.is_better({0.1, 1, 9}, {0.1, 2, 1}));
  CHECK(search.is_better({0.1, 1, 1}, {0.1, 1, 2}));
}

TEST_CASE("Of a size, sets judged by all replications come before lucky ones", "[machines]") {
  MachineSearch search;
  search.tried = {{{0}, {0, 0, 5}}, {{1}, {0, 0, 4}}, {{2}, {0, 0, 3}}, {{0, 1}, {1, HUGE_VAL, HUGE_VAL}}};
  CHECK(search.best_by_size() == std::vector<MachineSet>{{2}});  // nor is there one of two that can run
  search.confirmed = {{0}, {1}};
  CHECK(search.best_by_size() == std::vector<MachineSet>{{1}});
}

TEST_CASE("A choice that is surely worse on fresh random numbers is not the plan's", "[machines]") {
  const auto judged = [](const Estimate& late_less, const Estimate& takes_less) {
    MachineChoice choice;
    choice.objective = SetObjective::late;
    choice.by_size.resize(2);
    choice.late_less = late_less;
    choice.takes_less = takes_less;
    reject_if_worse(choice);
    return choice;
  };
  const MachineChoice worse = judged({-0.2, -0.3, -0.1}, {5, 4, 6});
  CHECK(worse.takes_all());
  CHECK(worse.rejected == 0U);
  CHECK(judged({-0.1, -0.3, 0.1}, {-5, -6, -4}).takes_all());  // RF does not tell, tau does
  const MachineChoice better = judged({0.2, 0.1, 0.3}, {-5, -6, -4});
  CHECK_FALSE(better.takes_all());
  CHECK_FALSE(better.rejected);
}

TEST_CASE("A core's speed is what it computes per second that it computes", "[machine_speed]") {
  ToldCore core;
  const MachineSpeed speed = measured(core);
  CHECK(speed.median_flops() == Approx(2e8));
  CHECK(speed.part_flops(0) == Approx(2e8));
  CHECK(speed.repeats_flops.size() == 25);
  CHECK(speed.passed_s == Approx(5).epsilon(0.05));
  CHECK(core.runs >= 26 * 20);  // with the repeat that is not counted
  CHECK(speed.other_cores == Approx(0).margin(0.02));
  CHECK(speed.disturbances().empty());
}

TEST_CASE("Others who want the core, or other cores, are told of", "[machine_speed]") {
  ToldCore shared;
  shared.waited = 0.25;
  const MachineSpeed turns = measured(shared);
  CHECK(turns.median_flops() == Approx(2e8));  // waiting is not counted
  CHECK(turns.waited == Approx(0.25));
  REQUIRE(turns.disturbances().size() == 1);
  CHECK_THAT(turns.disturbances().front(), Contains("others had its core for 25 % of the time"));
  ToldCore crowded;
  crowded.other_ticks_per_s = 150;
  const MachineSpeed beside = measured(crowded);
  CHECK(beside.other_cores == Approx(1.5).epsilon(0.02));
  REQUIRE(beside.disturbances().size() == 1);
  CHECK_THAT(beside.disturbances().front(), Contains("others kept 1.5 of 4 cores busy"));
}

TEST_CASE("There are five repeats at least, and a measurement can be stopped", "[machine_speed]") {
  ToldCore slow;
  slow.run_s = 3;
  CHECK(measured(slow, {1, 0.2}).repeats_flops.size() == 5);
  ToldCore stopped;
  stopped.stops_after = 30;
  CHECK_THROWS_AS(measured(stopped), Interrupted);
}

TEST_CASE("The median and parts lie between neighbours in proportion", "[machine_speed]") {
  MachineSpeed speed;
  speed.repeats_flops = {1, 2, 4, 8};
  CHECK(speed.median_flops() == 3);
  CHECK(speed.part_flops(0) == 1);
  CHECK(speed.part_flops(1) == 8);
  CHECK(speed.part_flops(0.25) == 1.75);
}

TEST_CASE("The product that is timed is a product", "[machine_speed]") {
  DenseProduct product;
  CHECK(product.run() == 2.0 * 128 * 128 * 128);
  CHECK(product.run() == DenseProduct::kFlop);
  double harmonic = 0;
  for (int k = 1; k <= 128; ++k) harmonic += 1.0 / k;
  CHECK(product.element(0, 0) == Approx(2 * harmonic));
  CHECK(product.element(3, 6) == Approx(2 * 4 * harmonic / 7));
}

TEST_CASE("Speeds are written as platforms have them", "[machine_speed]") {
  CHECK(speed_text(3.412e9) == "3.412Gf");
  CHECK(speed_text(250) == "250f");
  CHECK(speed_text(2e12) == "2Tf");
}

TEST_CASE("A measured speed is kept for plans", "[machine_speed]") {
  const CacheFolder cache;
  CHECK(!recorded_speed());
  CHECK(record_speed({3.5e9, "2026-11-26"}));
  REQUIRE(recorded_speed());
  CHECK(recorded_speed()->flops == 3.5e9);
  CHECK(recorded_speed()->day == "2026-11-26");
  const std::string file = speed_file();
  CHECK(write_cached(file, "another machine", "1 2026-01-01\n"));
  CHECK(!recorded_speed());
}

TEST_CASE("Heavy ranks begin on the fastest machines", "[placement]") {
  const PlacementField f = field_of({1, 2, 1, 2}, {2, 1, 4, 3});
  CHECK(named(first_placements(f, kInTurn), "heavy ranks first") == Placement{0, 2, 1, 3});
  CHECK(named(first_placements(f, kInTurn), "fastest machines") == Placement{1, 3, 0, 2});
}

TEST_CASE("A search finds the heavy ranks' machines from any beginning", "[placement]") {
  const PlacementField f = field_of({1, 2, 1, 2}, {2, 1, 4, 3});
  const MachineSearch search = search_placements(f, {{"in turn", kInTurn}}, judge_of(f));
  const Placement best = search.best(1).front();
  CHECK(search.tried.at(best).tau_s == 2);  // of 4 flop at 2 flop/s, and no less
  CHECK(f.machines[best[2]].speed_flops == 2);
  CHECK(f.machines[best[3]].speed_flops == 2);
}

TEST_CASE("Machines of which owners leave nothing get no rank", "[placement]") {
  const PlacementField f = field_of({0, 1, 1, 1}, {1, 1});
  const auto first = first_placements(f, {0, 1});
  const MachineSearch search = search_placements(f, first, judge_of(f));
  for (const auto& [placement, outcome] : search.tried) CHECK(std::ranges::count(placement, std::size_t{0}) == 0);
  CHECK(named(first, "in turn") == Placement{1, 2});
  CHECK_THROWS_WITH(field_of({0, 0}, {1}), Contains("their owners leave nothing"));
}

TEST_CASE("More ranks than machines go by cores, and round again", "[placement]") {
  PlacementField f = field_of({1, 1}, {1, 1, 1, 1, 1, 1});
  f.machines[0].cores = 4;
  f.machines[1].cores = 2;
  allow_ranks(f);
  for (const auto& one : first_placements(f, {0, 0, 0, 0, 1, 1}))
    CHECK(std::ranges::count(one.machines, std::size_t{0}) == 4);
  f.loads = field_of({1}, std::vector<double>(12, 1)).loads;
  allow_ranks(f);
  CHECK(f.machines[0].most_ranks == 8);
  CHECK(f.computing_s(0, {0, 1, 2, 3, 4, 5, 6, 7}) == 2);  // 8 flop on 4 cores of 1 flop/s
}

TEST_CASE("So many ranks at most are on a machine, or the program has too many", "[placement][error]") {
  PlacementField f = field_of({1, 1}, {1, 1, 1});
  allow_ranks(f, 2);
  CHECK(f.machines[0].most_ranks == 2);
  CHECK_THROWS_WITH(allow_ranks(f, 1), Contains("--per-machine 1: the program has 3 ranks, and 2 machines take no more "
                                                "than 2"));
}

TEST_CASE("Ranks that exchange much begin near each other", "[placement]") {
  PlacementField f = field_of({1, 1, 1, 1}, {1, 1, 1, 1});
  f.distances.assign(16, {1, 0.01});  // all far from each other but for 0 and 2, and 1 and 3
  for (const std::size_t near : {0 * 4 + 2, 2 * 4 + 0, 1 * 4 + 3, 3 * 4 + 1}) f.distances[near] = {0, 1e-6};
  exchange(f, 0, 1, 1000);
  exchange(f, 2, 3, 1000);
  find_alike_machines(f);
  CHECK_FALSE(f.has_alike_machines);
  const Placement near = named(first_placements(f, kInTurn), "near each other");
  CHECK(near[0] % 2 == near[1] % 2);
  CHECK(near[2] % 2 == near[3] % 2);
}

TEST_CASE("Of machines that are alike the first ones stand for all", "[placement]") {
  PlacementField f = field_of({1, 1, 1, 2}, {1, 1});
  f.machines[1].kind = f.machines[2].kind = 0;
  CHECK(as_first_of_its_kind(f, {2, 1}) == Placement{0, 1});
  CHECK(as_first_of_its_kind(f, {2, 2}) == Placement{0, 0});
  CHECK(as_first_of_its_kind(f, {3, 2}) == Placement{3, 0});
  const MachineSearch search = search_placements(f, {{"in turn", {0, 1}}}, judge_of(f));
  CHECK(search.tried.size() == 3);  // both on slow ones, or either on the fast one: each takes one rank
}

TEST_CASE("A search tries no more than it may, and ends where its judge does", "[placement]") {
  const PlacementField f = field_of({1, 2, 3, 4}, {2, 1, 4, 3});
  CHECK(search_placements(f, {{"in turn", kInTurn}}, judge_of(f), 5).tried.size() == 5);
  const auto none = [](const std::vector<Placement>&) { return std::vector<SetOutcome>(); };
  CHECK(search_placements(f, {{"in turn", kInTurn}}, none).tried.empty());
}

TEST_CASE("Where there is little time, fewer placements are tried, then with fewer replications", "[placement]") {
  CHECK(trials_in_time(1e-6, 1000, 600, false).placements == 400);
  const PlacementTrials some = trials_in_time(1e-3, 1000, 60, false);  // 36 s of search, 20 of them for the best again
  CHECK(some.replications == 1000);
  CHECK(some.placements == 160);
  const PlacementTrials few = trials_in_time(1e-3, 1000, 15, false);
  CHECK(few.replications < 1000);
  CHECK(few.replications % 10 == 0);
  CHECK(few.placements >= 20);
  CHECK_THROWS_WITH(trials_in_time(1e-3, 1000, 15, true), Contains("with 1000 replications, and is given 15 s by"));
  CHECK_THROWS_AS(trials_in_time(1, 1000, 60, false), InputError);
}

TEST_CASE("A placement is told as ranks and as keys", "[placement]") {
  CHECK(ranks_text({0, 1, 2, 3, 7}) == "0-3, 7");
  CHECK(ranks_text({1, 2, 5}) == "1, 2, 5");
  std::vector<Workstation> machines(2);
  machines[0].name = "fast";
  machines[1].name = "7";
  CHECK(placement_keys({0, 1, 0}, machines).machines == "[fast, \"7\", fast]");
  const PlacementKeys rows = placement_keys({1, 1, 0, 0}, machines);
  CHECK(rows.machines == "[\"7\", fast]");
  CHECK(rows.ranks_per_machine == 2);
}

TEST_CASE("A trace's computing and messages are added up by rank", "[placement][mpi]") {
  const test::CacheFolder folder;
  (void)folder.file("a.txt", "0 init\n0 compute 1e9\n0 send 1 0 1000 6\n0 barrier\n0 finalize\n");
  (void)folder.file("b.txt", "1 init\n1 recv 0 0 1000 6\n1 compute 3e9\n1 barrier\n1 finalize\n");
  const auto trace = MpiTrace::open(folder.file("list.txt", "a.txt\nb.txt\n"));
  const MpiLoads loads = loads_of(*trace, 2);
  CHECK(loads.rank_flop == std::vector<double>{2e9, 6e9});
  CHECK(loads.with[1].at(0).messages == 1);
  CHECK(loads.with[1].at(0).bytes == Approx(1000));  // SMPI's type 6 is of one byte
  CHECK(loads.between(0, 1).messages == 3);  // and both calls of the barrier
  CHECK(loads.communicates());
}
