// Which machine each rank gets: cases that are known by hand, by judges that need no simulation.
#include "experiments/driver/studies/placement_choice.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "tests/cache_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using Catch::Contains;

namespace {

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

TEST_CASE("Heavy ranks begin on the fastest machines", "[computes][placement]") {
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
