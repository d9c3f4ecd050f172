// Chunks by the tasks' variance and the farm's overhead: published sequences, and formulas worked out apart from the
// code.
#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/techniques_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Sizes = std::vector<std::int64_t>;

TechniqueParameters varying(double cv, double overhead_s = 0) {
  TechniqueParameters p;
  p.cv = cv;
  p.overhead_s = overhead_s;
  return p;
}

/// Workers of one speed that ask in turn.
Sizes sizes(const std::string& name, std::int64_t tasks, std::size_t workers, const TechniqueParameters& p) {
  LoopState state(tasks, std::vector<double>(workers, 1.0), p);
  Sizes all;
  while (state.remaining > 0) all.push_back(next_chunk(technique(name), state, all.size() % workers));
  return all;
}

/// Each worker asks again when its chunk is done: after `times` as long as its tasks in the mean and the overhead.
Sizes sizes_in_time(const std::string& name, std::int64_t tasks, const std::vector<double>& times,
                    const TechniqueParameters& p) {
  LoopState state(tasks, std::vector<double>(times.size(), 1.0), p);
  using Event = std::pair<double, std::size_t>;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> asking;
  for (std::size_t i = 0; i < times.size(); ++i) asking.emplace(0, i);
  Sizes all;
  while (state.remaining > 0) {
    const auto [now_s, worker] = asking.top();
    asking.pop();
    state.now_s = now_s;
    all.push_back(next_chunk(technique(name), state, worker));
    asking.emplace(now_s + times[worker] * (static_cast<double>(all.back()) + p.overhead_s), worker);
  }
  return all;
}

}  // namespace

TEST_CASE("FSC follows Kruskal & Weiss's formula", "[reads][self-scheduling]") {
  // (sqrt(2)·1000·0.5/(1·4·sqrt(ln 4)))^(2/3) = (707.107/4.70964)^(2/3) = 28.25
  CHECK(sizes("FSC", 1000, 4, varying(1, 0.5)) == [] {
    Sizes s(34, 29);
    s.push_back(1000 - 34 * 29);
    return s;
  }());
  // (sqrt(2)·10000·0.1/(2·16·sqrt(ln 16)))^(2/3) = (1414.21/53.2837)^(2/3) = 8.90
  CHECK(sizes("FSC", 10000, 16, varying(2, 0.1)).front() == 9);
  CHECK(sizes("FSC", 524288, 64, varying(1, 0.5)).front() == 201);
}

TEST_CASE("FSC leaves nobody idle, and hands out single tasks where that costs nothing", "[self-scheduling]") {
  CHECK(sizes("FSC", 1000, 3, varying(0, 0.5)) == Sizes{334, 334, 332});
  CHECK(sizes("FSC", 1000, 1, varying(1, 0.5)) == Sizes{1000});
  CHECK(sizes("FSC", 1000, 4, varying(1, 1e6)) == Sizes(4, 250));
  CHECK(sizes("FSC", 10, 4, varying(1, 0)) == Sizes(10, 1));
}

TEST_CASE("FSC knows tasks' times from the machines' speeds", "[self-scheduling]") {
  TechniqueParameters p = varying(1, 0.5);
  p.mean_flop = 6;  // 2 s at 3 flop/s in the mean: sigma is twice as large, 28.25/2^(2/3) = 17.8
  LoopState state(1000, std::vector<double>{1, 1, 1, 1}, p, {1, 2, 4, 5});
  CHECK(next_chunk(technique("FSC"), state, 0) == 18);
}

TEST_CASE("mFSC makes about as many chunks as FAC2", "[self-scheduling]") {
  CHECK(sizes("mFSC", 1000, 4, {}).front() == 31);   // 250·ln 2/ln 250 = 31.38
  CHECK(sizes("mFSC", 100, 4, {}) == Sizes(20, 5));  // 25·ln 2/ln 25 = 5.38
  CHECK(sizes("mFSC", 4, 4, {}) == Sizes(4, 1));
  CHECK(sizes("mFSC", 8, 4, {}) == Sizes(4, 2));
  for (const auto& [tasks, workers] : {std::pair{1000, 4}, {100, 4}, {100'000, 50}}) {
    const auto count = [&](const char* name) {
      return static_cast<double>(sizes(name, tasks, static_cast<std::size_t>(workers), {}).size());
    };
    CHECK(count("mFSC") == Approx(count("FAC2")).epsilon(0.25));
  }
}

TEST_CASE("TFSS gives batches of the mean of P chunks of TSS", "[self-scheduling]") {
  // TSS: 125 117 109 101 | 93 85 77 69 | 61 53 45 37 | 29 21 13 5
  CHECK(sizes("TFSS", 1000, 4, {}) == Sizes{113, 113, 113, 113, 81, 81, 81, 81, 49, 49, 49, 49, 17, 11});
  TechniqueParameters p;
  p.numbers = {{"first", 20}, {"last", 4}};  // TSS: 20 18 | 16 14 | 12 10 | 8 6
  CHECK(sizes("TFSS", 100, 2, p) == Sizes{19, 19, 15, 15, 11, 11, 7, 3});
}

TEST_CASE("TAP follows Lucco's formula", "[self-scheduling]") {
  // T = 25: 25 + 1/2 - sqrt(50 + 1/4) = 18.41; R = 81: 20.25 + 0.5 - sqrt(40.75) = 14.37; ..
  CHECK(sizes("TAP", 100, 4, varying(1)) ==
        Sizes{19, 15, 12, 9, 7, 6, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(sizes("TAP", 1000, 4, varying(0)) == sizes("GSS", 1000, 4, {}));
  TechniqueParameters p = varying(1);
  p.numbers["alpha"] = 1.3;  // 25 + 0.845 - 1.3·sqrt(50 + 0.4225) = 16.61
  CHECK(sizes("TAP", 100, 4, p).front() == 17);
  CHECK(sizes("TAP", 100, 4, p) == sizes("TAP", 100, 4, varying(1.3)));
}

TEST_CASE("BOLD follows Hagerup's rule, with workers that are as fast as expected, and with a slow one",
          "[self-scheduling]") {
  // a = 2, b = 16·ln 16 = 44.36, c1 = 0.5/ln 2 = 0.7213, c2 = 1.8081. First q = 250, t = 250, v = 0.8493,
  // d = 1000/(1 + 1/5.5215 - 0.8493) = 3012.8, s = 2·(ln 3012.8 - ln 1.8081)·(1 + 1/4) = 18.546,
  // w = ln(0.8493·5.5215) + ln 44.36 = 5.338: 250 + 3.850 + 9.273 - sqrt(18.546·254.64) = 194.4.
  CHECK(sizes_in_time("BOLD", 1000, {1, 1, 1, 1}, varying(1, 0.5)) ==
        Sizes{194, 195, 196, 198, 34, 35, 35, 36, 13, 12, 12, 10, 5, 5, 4, 3, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1});
  CHECK(sizes_in_time("BOLD", 1000, {1, 1, 1, 2}, varying(1, 0.5)) ==
        Sizes{194, 195, 196, 198, 34, 35, 35, 16, 14, 11, 10, 8, 7, 6, 5, 4, 4, 3, 3,
              2,   2,   2,   1,   1,  1,  1,  1,  1,  1,  1,  1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(sizes_in_time("BOLD", 1000, {1, 1, 1, 1}, varying(0.3, 0.5)) ==
        Sizes{230, 230, 231, 232, 13, 14, 14, 14, 4, 4, 3, 3, 2, 1, 2, 1, 1, 1});
  CHECK(sizes_in_time("BOLD", 1000, {1, 1, 1, 1}, varying(0.1, 0.5)) ==
        Sizes{244, 244, 244, 244, 4, 5, 5, 5, 1, 1, 1, 1, 1});
}

TEST_CASE("BOLD without variance deals everything out at once, without overhead single tasks", "[self-scheduling]") {
  CHECK(sizes("BOLD", 1000, 4, varying(0, 0.5)) == Sizes(4, 250));
  CHECK(sizes("BOLD", 10, 4, varying(1, 0)) == Sizes(10, 1));
}

TEST_CASE("Clients report the time from asking to the end where a technique wants it, else that of computing",
          "[task-farm]") {
  using enum Technique::Learns;
  for (const auto& [learns, expected] : {std::pair{whole_times, 2.002}, {chunk_times, 2.0}, {task_times, 2.0}}) {
    double reported_s = 0;  // of the chunks of two tasks of 1 s, each asked for in 1 ms and sent in 1 ms
    Registry<Technique> all = builtin_techniques();
    all.add({.name = "spy",
             .next =
                 [&reported_s](LoopState& s, std::size_t worker) {
                   if (s.records[worker].tasks > 0) reported_s = 2 * s.records[worker].mean_s;
                   return std::int64_t{2};
                 },
             .learns = learns});
    FixedParameters read({{"technique", static_cast<double>(techniques().size())}, {"tasks", 6}, {"cost", 1}});
    Scenario s = job("task-farm", {{"tasks", 6}, {"cost", 1}}, machines(2));
    s.workload = made("task-farm", read, builtin_workloads(all));
    run_batch_direct(s, {0, 1});
    CHECK(reported_s == near(expected));
  }
}

TEST_CASE("AWF-D and AWF-E hand out as AWF-B and AWF-C, by whole times", "[self-scheduling]") {
  for (const auto& [by_whole, by_chunk] : {std::pair{"AWF-D", "AWF-B"}, {"AWF-E", "AWF-C"}}) {
    CHECK(technique(by_whole).learns == Technique::Learns::whole_times);
    LoopState a(1000, std::vector<double>{1, 1, 1}, {}), b = a;
    for (std::size_t k = 0; a.remaining > 0; ++k) {
      const std::int64_t chunk = next_chunk(technique(by_whole), a, k % 3);
      REQUIRE(chunk == next_chunk(technique(by_chunk), b, k % 3));
      for (LoopState* s : {&a, &b}) s->records.add(k % 3, {chunk, static_cast<double>((1 + k % 3)) * 2.5, 0});
    }
  }
}
