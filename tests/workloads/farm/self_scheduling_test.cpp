// Chunks of self-scheduling techniques, built in and as formulas, against published sequences and others by hand.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/engines/simgrid/engine.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/techniques_fixture.hpp"
#include "workloads/farm/technique_variables.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

LoopState loop(std::int64_t tasks, std::size_t workers, const TechniqueParameters& parameters = {}) {
  return {tasks, std::vector<double>(workers, 1.0), parameters};
}

/// What stands at a technique's keys.
TechniqueParameters told(const std::map<std::string, double>& numbers, double cv = 0) {
  TechniqueParameters p;
  p.numbers.insert(numbers.begin(), numbers.end());
  p.cv = cv;
  return p;
}

TechniqueParameters varying(double cv, double overhead_s = 0) {
  TechniqueParameters p;
  p.cv = cv;
  p.overhead_s = overhead_s;
  return p;
}

/// Workers of one speed that ask in turn.
Chunks sizes(const std::string& name, std::int64_t tasks, std::size_t workers, const TechniqueParameters& p = {}) {
  return chunks_in_turn(technique(name), loop(tasks, workers, p));
}

/// Each worker asks again when its chunk is done: after `times` as long as its tasks in the mean and the overhead.
Chunks sizes_in_time(const std::string& name, std::int64_t tasks, const std::vector<double>& times,
                     const TechniqueParameters& p) {
  const auto report = [&](std::size_t worker, std::int64_t, std::int64_t chunk) -> ChunkReport {
    return {chunk, times[worker] * (static_cast<double>(chunk) + p.overhead_s)};
  };
  return chunks_in_time(technique(name), loop(tasks, times.size(), p), report);
}

/// Of techniques without versions themselves.
std::vector<Technique> all_versions() {
  std::vector<Technique> all;
  for (const Technique& t : techniques()) {
    if (t.versions.empty()) all.push_back(t);
    for (const auto& version : t.versions) {
      Technique& as_told = all.emplace_back(t);
      as_told.become(version);
      as_told.name += " as " + version.name;
    }
  }
  return all;
}

using Formulas = std::map<std::string, std::string>;

/// A built-in technique as a formula.
struct Twin {
  const char* name;
  Formulas formulas;
};
const std::vector<Twin> kTwins{
    {"GSS", {{"chunk", "ceil(R/P)"}}},
    // f = max(floor(N/(2P)), 1), less floor((f - 1)/(ceil(2N/(f + 1)) - 1)) for each chunk so far
    {"TSS",
     {{"chunk",
       "max(1, max(floor(N/(2*P)), 1) - c*(ceil(2*N/(max(floor(N/(2*P)), 1) + 1)) > 1 ? "
       "floor((max(floor(N/(2*P)), 1) - 1)/(ceil(2*N/(max(floor(N/(2*P)), 1) + 1)) - 1)) : 0))"}}},
    {"FAC2", {{"batch", "P*ceil(R/(2*P))"}, {"chunk", "K/P"}}},
    {"WF", {{"batch", "P*ceil(R/(2*P))"}, {"chunk", "max(1, floor(w*(K/P) + 0.5))"}}},
};

WrittenFormula written(const std::string& text, const std::map<std::string, double>& keys = {}) {
  return {text, std::make_shared<const Formula>(text), keys};
}

TechniqueParameters as_told(const Formulas& formulas) {
  TechniqueParameters p;
  for (const auto& [key, text] : formulas) p.formulas[key] = written(text);
  return p;
}

std::shared_ptr<const Workload> farm_workload(const std::string& technique, const Formulas& formulas, double tasks,
                                              double overhead_s = 0) {
  constexpr double kExponential = 3;
  return made("task-farm", FixedParameters({{"technique", position_of(technique)},
                                            {"tasks", tasks},
                                            {"cost", 2},
                                            {"law", kExponential},
                                            {"request", 10},
                                            {"result", 3},
                                            {"overhead", overhead_s}},
                                           formulas));
}

/// The same to the bit, for each workstation.
void check_same(const std::vector<RunResult>& a, const std::vector<RunResult>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t r = 0; r < a.size(); ++r) {
    CHECK(a[r].makespan_s == b[r].makespan_s);
    for (std::size_t q = 0; q < kQuantities; ++q)
      CHECK(a[r][static_cast<Quantity>(q)] == b[r][static_cast<Quantity>(q)]);
  }
}

std::string error_at(const Formulas& formulas, std::int64_t remaining) {
  LoopState state(100, std::vector<double>{1, 1, 1, 1}, as_told(formulas));
  state.remaining = remaining;
  state.chunks = 3;
  try {
    return "no error but " + std::to_string(next_chunk(technique("formula"), state, 1));
  } catch (const RunError& e) {
    return e.what();
  }
}

}  // namespace

TEST_CASE("Techniques hand out the chunks that are published, or worked out by hand", "[reads][self-scheduling]") {
  struct Sequence {
    const char* technique;
    std::int64_t tasks;
    std::size_t workers;
    Chunks expected;
    TechniqueParameters parameters = {};
  };
  TechniqueParameters ten_at_least;
  ten_at_least.min_chunk = 10;
  Chunks of_29(34, 29);
  of_29.push_back(1000 - 34 * 29);
  const std::vector<Sequence> table{
      {"SS", 5, 4, Chunks(5, 1)},
      {"CSS", 100, 4, {30, 30, 30, 10}, told({{"chunk", 30}})},
      // Published of 1000 tasks on 4 machines.
      {"GSS", 1000, 4, {250, 188, 141, 106, 79, 59, 45, 33, 25, 19, 14, 11, 8, 6, 4, 3, 3, 2, 1, 1, 1, 1}},
      {"GSS", 100, 4, {25, 19, 14, 11, 8, 6, 5, 3, 3, 2, 1, 1, 1, 1}},
      {"GSS", 100, 2, {50, 25, 13, 10, 2}, ten_at_least},
      // Published likewise.
      {"TSS", 1000, 4, {125, 117, 109, 101, 93, 85, 77, 69, 61, 53, 45, 37, 28}},
      // ceil(200/24) = 9 chunks, the step is floor(16/8) = 2
      {"TSS", 100, 4, {20, 18, 16, 14, 12, 10, 8, 2}, told({{"first", 20}, {"last", 4}})},
      {"TSS", 100, 4, {12, 12, 12, 12, 12, 12, 12, 12, 4}},  // the step is floor(11/15)
      // TSS: 125 117 109 101 | 93 85 77 69 | 61 53 45 37 | 29 21 13 5
      {"TFSS", 1000, 4, {113, 113, 113, 113, 81, 81, 81, 81, 49, 49, 49, 49, 17, 11}},
      // TSS: 20 18 | 16 14 | 12 10 | 8 6
      {"TFSS", 100, 2, {19, 19, 15, 15, 11, 11, 7, 3}, told({{"first", 20}, {"last", 4}})},
      {"FAC2", 1000, 4, {125, 125, 125, 125, 63, 63, 63, 63, 31, 31, 31, 31, 16, 16, 16, 16,
                         8,   8,   8,   8,   4,  4,  4,  4,  2,  2,  2,  2,  1,  1,  1,  1}},
      {"FAC2", 100, 4, {13, 13, 13, 13, 6, 6, 6, 6, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1}},
      {"FAC", 1000, 4, Chunks(4, 250)},  // tasks that are all the same: b = 0, x_0 = 1
      // R = 100: b = 4/20 = 0.2, x_0 = 1.04 + 0.2·sqrt(2.04) = 1.32566, 100/5.30264 = 18.86
      // R = 24: b = 4/(2·4.89898) = 0.40825, x_1 = 2.16667 + 0.40825·sqrt(4.16667) = 3, 24/12 = 2
      // R = 16: b = 0.5, x_2 = 2.25 + 0.5·sqrt(4.25) = 3.28078, 16/13.12 = 1.22
      // R = 8: b = 0.70711, x_3 = 2.5 + 0.70711·sqrt(4.5) = 4, 8/16; R = 4: likewise below 1
      {"FAC", 100, 4, {19, 19, 19, 19, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1}, varying(1)},
      // Kruskal & Weiss: (sqrt(2)·1000·0.5/(1·4·sqrt(ln 4)))^(2/3) = (707.107/4.70964)^(2/3) = 28.25
      {"FSC", 1000, 4, of_29, varying(1, 0.5)},
      // Nobody is left idle, and single tasks are handed out where that costs nothing.
      {"FSC", 1000, 3, {334, 334, 332}, varying(0, 0.5)},
      {"FSC", 1000, 1, {1000}, varying(1, 0.5)},
      {"FSC", 1000, 4, Chunks(4, 250), varying(1, 1e6)},
      {"FSC", 10, 4, Chunks(10, 1), varying(1, 0)},
      {"mFSC", 100, 4, Chunks(20, 5)},  // 25·ln 2/ln 25 = 5.38
      {"mFSC", 4, 4, Chunks(4, 1)},
      {"mFSC", 8, 4, Chunks(4, 2)},
      // Lucco. T = 25: 25 + 1/2 - sqrt(50 + 1/4) = 18.41; R = 81: 20.25 + 0.5 - sqrt(40.75) = 14.37; ..
      {"TAP", 100, 4, {19, 15, 12, 9, 7, 6, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, varying(1)},
      {"TAP", 1000, 4, sizes("GSS", 1000, 4), varying(0)},
      {"TAP", 100, 4, sizes("TAP", 100, 4, varying(1.3)), told({{"alpha", 1.3}}, 1)},
      // Without variance everything at once, without overhead single tasks.
      {"BOLD", 1000, 4, Chunks(4, 250), varying(0, 0.5)},
      {"BOLD", 10, 4, Chunks(10, 1), varying(1, 0)},
      {"WF", 1000, 4, sizes("FAC2", 1000, 4)}};
  for (const auto& [name, tasks, workers, expected, parameters] : table) {
    INFO(name << ", " << tasks << " tasks, " << workers << " workers");
    CHECK(sizes(name, tasks, workers, parameters) == expected);
  }
  // 25 + 0.845 - 1.3·sqrt(50 + 0.4225) = 16.61
  CHECK(sizes("TAP", 100, 4, varying(1.3)).front() == 17);
  // (sqrt(2)·10000·0.1/(2·16·sqrt(ln 16)))^(2/3) = (1414.21/53.2837)^(2/3) = 8.90
  CHECK(sizes("FSC", 10000, 16, varying(2, 0.1)).front() == 9);
  CHECK(sizes("FSC", 524288, 64, varying(1, 0.5)).front() == 201);
  CHECK(sizes("mFSC", 1000, 4).front() == 31);  // 250·ln 2/ln 250 = 31.38
}

TEST_CASE("FSC knows tasks' times from the machines' speeds", "[self-scheduling]") {
  TechniqueParameters p = varying(1, 0.5);
  p.mean_flop = 6;  // 2 s at 3 flop/s in the mean: sigma is twice as large, 28.25/2^(2/3) = 17.8
  LoopState state(1000, std::vector<double>{1, 1, 1, 1}, p, {1, 2, 4, 5});
  CHECK(next_chunk(technique("FSC"), state, 0) == 18);
}

TEST_CASE("mFSC makes about as many chunks as FAC2", "[self-scheduling]") {
  for (const auto& [tasks, workers] : {std::pair{1000, 4}, {100, 4}, {100'000, 50}}) {
    const auto count = [&](const char* name) {
      return static_cast<double>(sizes(name, tasks, static_cast<std::size_t>(workers)).size());
    };
    CHECK(count("mFSC") == Approx(count("FAC2")).epsilon(0.25));
  }
}

TEST_CASE("BOLD follows Hagerup's rule, with workers that are as fast as expected, and with a slow one",
          "[self-scheduling]") {
  // a = 2, b = 16·ln 16 = 44.36, c1 = 0.5/ln 2 = 0.7213, c2 = 1.8081. First q = 250, t = 250, v = 0.8493,
  // d = 1000/(1 + 1/5.5215 - 0.8493) = 3012.8, s = 2·(ln 3012.8 - ln 1.8081)·(1 + 1/4) = 18.546,
  // w = ln(0.8493·5.5215) + ln 44.36 = 5.338: 250 + 3.850 + 9.273 - sqrt(18.546·254.64) = 194.4.
  CHECK(sizes_in_time("BOLD", 1000, {1, 1, 1, 1}, varying(1, 0.5)) ==
        Chunks{194, 195, 196, 198, 34, 35, 35, 36, 13, 12, 12, 10, 5, 5, 4, 3, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1});
  CHECK(sizes_in_time("BOLD", 1000, {1, 1, 1, 2}, varying(1, 0.5)) ==
        Chunks{194, 195, 196, 198, 34, 35, 35, 16, 14, 11, 10, 8, 7, 6, 5, 4, 4, 3, 3,
              2,   2,   2,   1,   1,  1,  1,  1,  1,  1,  1,  1, 1, 1, 1, 1, 1, 1, 1});
  CHECK(sizes_in_time("BOLD", 1000, {1, 1, 1, 1}, varying(0.3, 0.5)) ==
        Chunks{230, 230, 231, 232, 13, 14, 14, 14, 4, 4, 3, 3, 2, 1, 2, 1, 1, 1});
  CHECK(sizes_in_time("BOLD", 1000, {1, 1, 1, 1}, varying(0.1, 0.5)) ==
        Chunks{244, 244, 244, 244, 4, 5, 5, 5, 1, 1, 1, 1, 1});
}

TEST_CASE("WF divides FAC2's batches by weights, without any equally", "[self-scheduling]") {
  LoopState state(1000, std::vector<double>{5, 10, 10, 15}, {});  // weights 0.5, 1, 1, 1.5
  // Batches: 4·125, 4·63 (31.5 and 94.5 rounded up, the last gets what is left), 4·31 (15.5, 46.5: likewise), ..
  const Chunks chunks = chunks_in_turn(technique("WF"), state);
  CHECK(Chunks(chunks.begin(), chunks.begin() + 8) == Chunks{63, 125, 125, 187, 32, 63, 63, 94});
  CHECK(std::accumulate(chunks.begin(), chunks.end(), std::int64_t{0}) == 1000);
  const LoopState none(100, std::vector<double>{0, 0, 0, 0}, {});
  CHECK(chunks_in_turn(technique("WF"), none) == sizes("FAC2", 100, 4));
}

TEST_CASE("AWF-B takes what workers measured into account as soon as they have reported", "[self-scheduling]") {
  LoopState state = loop(1000, 4);
  const Technique& awf = technique("AWF-B");
  CHECK(next_chunk(awf, state, 0) == 125);
  CHECK(next_chunk(awf, state, 1) == 125);
  state.records.add(0, {125, 125, 0});   // 1 task/s
  state.records.add(1, {125, 62.5, 0});  // 2 tasks/s
  // The first batch goes on, K = 125: 2/3 and 4/3 of it, rounded up, whether or not others have asked.
  CHECK(next_chunk(awf, state, 0) == 84);
  CHECK(next_chunk(awf, state, 1) == 167);
  // The second batch: K = ceil(125/2) = 63, whatever remains.
  CHECK(next_chunk(awf, state, 0) == 42);
  CHECK(next_chunk(awf, state, 1) == 84);
  state.records.add(2, {125, 31.25, 0});  // 4 tasks/s: 3·4/7·63 = 108
  CHECK(next_chunk(awf, state, 2) == 108);
  CHECK(next_chunk(awf, state, 3) == 63);  // has not reported
}

TEST_CASE("AWF-C takes what workers measured into account at every chunk", "[self-scheduling]") {
  LoopState state = loop(1000, 4);
  const Technique& awf = technique("AWF-C");
  CHECK(next_chunk(awf, state, 0) == 125);
  state.records.add(0, {125, 125, 0});
  state.records.add(1, {125, 62.5, 0});
  CHECK(next_chunk(awf, state, 1) == 147);  // ceil(875/8) = 110, times 4/3
  CHECK(next_chunk(awf, state, 0) == 61);   // ceil(728/8) = 91, times 2/3
}

TEST_CASE("AWF counts a worker's k-th chunk k times", "[self-scheduling]") {
  WorkerRecord record;
  record.add({10, 10, 0});
  record.add({20, 5, 0});
  CHECK(record.weighted_time_s == 20);
  CHECK(record.weighted_tasks == 50);
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

TEST_CASE("AF follows its formula", "[self-scheduling]") {
  const Technique& af = technique("AF");
  LoopState state = loop(110, 2, told({{"trial", 10}}));
  CHECK(next_chunk(af, state, 0) == 10);
  state.records.add(0, {10, 10, 36});  // mean 1, variance 36/9 = 4
  state.records.add(1, {10, 20, 18});  // mean 2, variance 2
  // D = 4/1 + 2/2 = 5, T = 1/(1 + 1/2) = 2/3, R = 100, D + 2TR = 138.3333, D² + 4DTR = 1358.333, root 36.8556:
  // 101.4777/(2·1) = 50.74 and 101.4777/4 = 25.37
  LoopState other = state;
  CHECK(next_chunk(af, state, 0) == 51);
  CHECK(next_chunk(af, other, 1) == 25);
}

TEST_CASE("AF without variance deals everything out by speeds", "[self-scheduling]") {
  LoopState state = loop(90, 2);
  state.records.add(0, {10, 10, 0});
  state.records.add(1, {10, 5, 0});
  CHECK(next_chunk(technique("AF"), state, 0) == 30);
  CHECK(next_chunk(technique("AF"), state, 1) == 40);  // of the 60 that are left, two thirds
}

TEST_CASE("AF has no upper bound, and takes who has not reported for the fastest", "[self-scheduling]") {
  LoopState state = loop(600, 3);
  state.records.add(0, {10, 10, 0});  // mean 1
  state.records.add(1, {10, 40, 0});  // mean 4; the third as the first: T = 1/(1 + 1/4 + 1)
  CHECK(next_chunk(technique("AF"), state, 0) == 267);  // 600/2.25; DLS4LB would stop at 100
}

TEST_CASE("Totals of many workers are the sums over their records", "[self-scheduling]") {
  Stream random = Stream::Family(1, 0).stream(0, Purpose::workload);
  for (const std::size_t workers : {1, 2, 3, 7, 64, 100}) {
    WorkerRecords records(workers);
    for (std::size_t i = 0; i < 3 * workers; ++i) {
      const auto worker = static_cast<std::size_t>(random.uniform() * static_cast<double>(workers));
      records.add(worker, {1 + static_cast<std::int64_t>(9 * random.uniform()), 1 + random.uniform(), random.uniform()});
    }
    WorkerTotals all;
    double least_s = 1e9;
    for (std::size_t i = 0; i < workers; ++i) {
      const WorkerRecord& r = records[i];
      if (!r.has_mean()) continue;
      all.with_mean += 1;
      all.speeds += r.speed();
      all.spreads_s += r.variance_s2() / r.mean_s;
      all.rates += 1 / r.mean_s;
      if (r.mean_s < least_s) all.fastest_spread_s = r.variance_s2() / r.mean_s;
      least_s = std::min(least_s, r.mean_s);
    }
    const WorkerTotals& kept = records.totals();
    CHECK(kept.with_mean == all.with_mean);
    CHECK(kept.speeds == Approx(all.speeds));
    CHECK(kept.spreads_s == Approx(all.spreads_s));
    CHECK(kept.rates == Approx(all.rates));
    CHECK(kept.fastest_rate == Approx(1 / least_s));
    CHECK(kept.fastest_spread_s == Approx(all.fastest_spread_s));
  }
}

TEST_CASE("Chunks' means and variances together are those of all tasks", "[self-scheduling]") {
  WorkerRecord record;
  record.add({3, 6, 2});        // 1, 2, 3
  record.add({2, 20, 2});       // 9, 11
  CHECK(record.mean_s == Approx(5.2));
  CHECK(record.squares_s2 == Approx(1 + 4 + 9 + 81 + 121 - 5 * 5.2 * 5.2));
  CHECK(record.variance_s2() == Approx((216 - 135.2) / 4));
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

TEST_CASE("Every technique hands out all tasks once, never more than remain, and no chunk that is too small",
          "[self-scheduling]") {
  Stream random = Stream::Family(1, 0).stream(0, Purpose::workload);
  const WrittenFormula half{"R/(2*P)", std::make_shared<const Formula>("R/(2*P)")};
  const auto whole = [&](double most) { return 1 + static_cast<std::int64_t>(random.uniform() * most); };
  for (int trial = 0; trial < 300; ++trial) {
    TechniqueParameters p{{}, whole(20), 2 * random.uniform()};
    p.numbers = {{"chunk", static_cast<double>(whole(50))}, {"last", static_cast<double>(whole(5))}};
    p.overhead_s = random.uniform() < 0.3 ? 0 : random.uniform();
    p.formulas["chunk"] = half;
    if (random.uniform() < 0.5) p.numbers["first"] = p.numbers["last"] + static_cast<double>(whole(100));
    std::vector<double> weights(static_cast<std::size_t>(whole(20)));
    for (double& w : weights) w = random.uniform() < 0.2 ? 0 : random.uniform();
    const std::int64_t tasks = whole(3000);
    for (const Technique& t : all_versions()) {
      if (!t.next) continue;
      INFO(t.name << ", " << tasks << " tasks, " << weights.size() << " workers");
      LoopState state(tasks, weights, p);
      for (std::int64_t out = 0; out < tasks;) {
        const auto worker = static_cast<std::size_t>(random.uniform() * static_cast<double>(weights.size()));
        const std::int64_t chunk = next_chunk(t, state, worker);
        REQUIRE(chunk <= tasks - out);
        out += chunk;
        REQUIRE(state.remaining == tasks - out);
        if (t.has_least && out < tasks) REQUIRE(chunk >= p.min_chunk);
        REQUIRE(chunk >= 1);
        const double time_s = random.uniform() * static_cast<double>(chunk);
        if (random.uniform() < 0.7) state.records.add(worker, {chunk, time_s, time_s * random.uniform()});
      }
      REQUIRE(next_chunk(t, state, 0) == 0);
    }
  }
}

TEST_CASE("Techniques say whose they are", "[self-scheduling]") {
  for (const Technique& t : techniques()) {
    CHECK(t.citation.empty() == (!t.next || t.name == "formula"));
    CHECK(t.user_code.identity.empty());
  }
}

TEST_CASE("Built-in techniques written as formulas hand out the same chunks, whoever asks",
          "[task-farm][formula]") {
  Stream random = Stream::Family(5, 0).stream(0, Purpose::workload);
  for (const Twin& twin : kTwins) {
    INFO(twin.name);
    for (int trial = 0; trial < 100; ++trial) {
      std::vector<double> weights(1 + static_cast<std::size_t>(20 * random.uniform()));
      for (double& w : weights) w = random.uniform() < 0.2 ? 0 : random.uniform();
      const auto tasks = 1 + static_cast<std::int64_t>(5000 * random.uniform());
      LoopState built_in(tasks, weights, {}), formula(tasks, weights, as_told(twin.formulas));
      while (built_in.remaining > 0) {
        const auto worker = static_cast<std::size_t>(random.uniform() * static_cast<double>(weights.size()));
        REQUIRE(next_chunk(technique(twin.name), built_in, worker) ==
                next_chunk(technique("formula"), formula, worker));
      }
      REQUIRE(formula.remaining == 0);
    }
  }
}

TEST_CASE("Farms by formulas give the bytes of farms by the techniques they are, on both engines",
          "[task-farm][formula]") {
  const std::vector<std::vector<double>> speeds{{1, 1}, {1, 2, 3, 4}, {1, 1, 2, 3, 1, 1, 5, 0.5}};
  for (const Twin& twin : kTwins)
    for (const auto& speeds_flops : speeds)
      for (const double tasks : {1.0, 50.0, 333.0}) {
        INFO(twin.name << ", " << tasks << " tasks, " << speeds_flops.size() << " machines");
        Scenario s = job("task-farm", {{"tasks", 1}, {"cost", 1}}, machines(speeds_flops, NetworkKind::network_switch));
        s.share_flop = speeds_flops;
        s.share_flop.front() = 0;
        for (std::size_t i = 1; i < s.size(); i += 2) s.owners[i] = duty_cycle_owner(9, 0.4, true);
        Scenario t = s;
        s.workload = farm_workload(twin.name, {}, tasks, 0.01);
        t.workload = farm_workload("formula", twin.formulas, tasks, 0.01);
        check_same(run_batch_direct(s, {0, 3}), run_batch_direct(t, {0, 3}));
        if (tasks == 50) check_same(run_batch_simgrid(s, {0, 2}), run_batch_simgrid(t, {0, 2}));
      }
}

TEST_CASE("Variables of techniques are what the state of the loop says", "[task-farm][formula]") {
  TechniqueParameters p;
  p.cv = 0.5;
  p.mean_flop = 12;
  p.overhead_s = 0.25;
  LoopState s(100, std::vector<double>{1, 3}, p, {2, 4});
  s.remaining = 40;
  s.chunks = 7;
  s.now_s = 30;
  s.batch_tasks = 50;
  s.batch_left = 20;
  s.batches = 2;
  const std::map<std::string, double> before{
      {"R", 40},     {"N", 100},     {"P", 2},      {"c", 7},         {"i", 2},    {"w", 1.5},  {"speed", 4},
      {"mu", 3},     {"sigma", 1.5}, {"mu_all", 4}, {"sigma_all", 2}, {"mean", 3}, {"sd", 1.5}, {"mean_all", 4},
      {"sd_all", 2}, {"h", 0.25},    {"t", 30},     {"K", 50},        {"L", 20},   {"j", 2}};
  CHECK(before.size() == technique_variables().size());
  for (const auto& v : technique_variables()) {
    INFO(v.name);
    CHECK(v.value(s, 1) == before.at(v.name));
  }
  s.records.add(1, {3, 6, 2});  // 1, 2 and 3 s
  s.records.add(0, {1, 6, 0});  // 6 s
  const auto value = [&s](const std::string& name, std::size_t worker) {
    return variables_by_name(std::vector{name})[0]->value(s, worker);
  };
  CHECK(value("mean", 1) == Approx(2));
  CHECK(value("sd", 1) == Approx(1));
  CHECK(value("mean", 0) == Approx(6));
  CHECK(value("sd", 0) == Approx(3));  // of one task there is none: sigma
  CHECK(value("mean_all", 0) == Approx(3));
  CHECK(value("sd_all", 0) == Approx(std::sqrt(14.0 / 3)));  // 1, 2, 3, 6
}

TEST_CASE("Chunks of formulas are rounded up, and batches limit them", "[task-farm][formula]") {
  const auto chunks = [](const Formulas& formulas) {
    return chunks_in_turn(technique("formula"), {20, std::vector<double>{1, 1}, as_told(formulas)});
  };
  CHECK(chunks({{"chunk", "R/(2*P)"}}) == Chunks{5, 4, 3, 2, 2, 1, 1, 1, 1});
  CHECK(chunks({{"chunk", "1e300"}}) == Chunks{20});
  // Batches of 10, 7 (6.67) and what is left, in chunks of 4 (3.5) at most.
  CHECK(chunks({{"chunk", "min(3.5, L)"}, {"batch", "10 - 10*j/3"}}) == Chunks{4, 4, 2, 4, 3, 3});
}

TEST_CASE("What a formula names decides what workers report, and whether shares count", "[task-farm][formula]") {
  const auto needs = [](const std::string& text) {
    Technique t = technique("formula");
    add_needs(variables_of(written(text)), t);
    return std::pair{t.learns, t.uses_shares};
  };
  using Learns = Technique::Learns;
  CHECK(needs("R/P + h + mu_all*sigma_all + mu + sigma + speed + t") == std::pair{Learns::nothing, false});
  CHECK(needs("w*R/P") == std::pair{Learns::nothing, true});
  CHECK(needs("R/mean") == std::pair{Learns::chunk_times, false});
  CHECK(needs("w*R/mean_all") == std::pair{Learns::chunk_times, true});
  CHECK(needs("mean/sd") == std::pair{Learns::task_times, false});
  CHECK(needs("sd_all") == std::pair{Learns::task_times, false});
  CHECK(farm_workload("formula", {{"chunk", "w*R/P"}}, 10)->program().uses_shares);
  CHECK(!farm_workload("formula", {{"chunk", "R/P"}}, 10)->program().uses_shares);
}

TEST_CASE("A formula by measured times gives a slow machine less", "[task-farm][formula]") {
  const auto platform = machines({1, 1, 4}, NetworkKind::network_switch);
  for (const char* text : {"ceil(R/(4*P)*mean_all/mean)", "ceil(R/(4*P)*(mean_all + 0*sd)/mean)"}) {
    FixedParameters read({{"technique", position_of("formula")}, {"tasks", 2000}, {"cost", 1}}, {{"chunk", text}});
    Scenario s = job("task-farm", {{"tasks", 2000}, {"cost", 1}}, platform);
    s.workload = made("task-farm", read);
    const RunResult r = run_on_both(s);
    CHECK(r[Quantity::work_flop][2] / r[Quantity::work_flop][1] == Approx(4).epsilon(0.1));
  }
}

TEST_CASE("Values of formulas that are no chunks are told with the state in which they came",
          "[task-farm][formula][error]") {
  struct Wrong {
    Formulas formulas;
    std::int64_t remaining;
    const char* told;  ///< but for how the sentence begins and ends
  };
  const std::vector<Wrong> table{
      {{{"chunk", "R - 50"}}, 50, "chunk: 'R - 50' gives 0 tasks with R = 50, P = 4, c = 3, i = 2"},
      {{{"chunk", "w*(R - 50)/K"}, {"batch", "8"}}, 42,
       "chunk: 'w*(R - 50)/K' gives -1 tasks with K = 8, R = 42, w = 1, P = 4, c = 3, i = 2"},
      {{{"chunk", "1/(R - 50)"}}, 50, "chunk: '1/(R - 50)' gives inf tasks with R = 50, P = 4, c = 3, i = 2"},
      {{{"chunk", "sqrt(R - 50)"}}, 40,
       "chunk: 'sqrt(R - 50)' gives no number of tasks with R = 40, P = 4, c = 3, i = 2"},
      {{{"chunk", "1"}, {"batch", "0*N"}}, 50, "batch: '0*N' gives 0 tasks with N = 100, R = 50, P = 4, c = 3, i = 2"}};
  for (const auto& [formulas, remaining, told] : table)
    CHECK(error_at(formulas, remaining) == "the formula " + std::string(told) + "; it must be more than 0 and finite");
  CHECK(error_at({{"chunk", "R - 50"}}, 60) == "no error but 10");
}

TEST_CASE("A farm whose formula fails says when, and is estimated as one of single tasks",
          "[task-farm][formula][error]") {
  Scenario s = job("task-farm", {{"tasks", 1}, {"cost", 1}}, machines(3));
  s.workload = farm_workload("formula", {{"chunk", "R - 8"}}, 20);
  for (const bool is_direct : {true, false})
    CHECK_THROWS_WITH(
        is_direct ? run_batch_direct(s, {0, 1}) : run_batch_simgrid(s, {0, 1}),
        Catch::Contains("rank 0 on ws1 stopped at t = ") &&
            Catch::Contains(": the formula chunk: 'R - 8' gives 0 tasks with R = 8, P = 2, c = 1, i = 2"));
  CHECK(s.workload->program().messages(3) == 2 * (2 + 20));
}

TEST_CASE("Variables are named once each, and names that are none are told with the nearest",
          "[task-farm][formula][error]") {
  CHECK_THROWS_WITH(variables_by_name(std::vector<std::string>(100, "K")), "'K' is named twice");
  CHECK_THROWS_WITH(variables_by_name(std::vector<std::string>{"R", "P", "R"}), "'R' is named twice");
  CHECK_THROWS_WITH(variables_by_name(std::vector<std::string>{"mena"}),
                    "techniques know of nothing named 'mena'; did you mean 'mean'?");
  CHECK_THROWS_WITH(variables_of(written("ceil(mena/P)")),
                    "the formula 'ceil(mena/P)' needs 'mena', which is not given; did you mean 'mean'?");
  TechniqueParameters p;
  p.formulas["chunk"] = written("job.tasks/P + let.x", {{"job.tasks", 6}, {"let.x", 2}});
  LoopState state(9, std::vector<double>{1, 1}, p);
  CHECK(next_chunk(technique("formula"), state, 0) == 5);
}
