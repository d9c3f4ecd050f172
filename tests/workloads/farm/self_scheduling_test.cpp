// Chunks of self-scheduling techniques, against sequences worked out by hand and published ones.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/statistics/random.hpp"
#include "tests/workloads/techniques_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Chunks = std::vector<std::int64_t>;

LoopState loop(std::int64_t tasks, std::size_t workers, const TechniqueParameters& parameters = {}) {
  return {tasks, std::vector<double>(workers, 1.0), parameters};
}

/// Workers ask in turn.
Chunks all_chunks(const std::string& name, LoopState state) {
  Chunks chunks;
  for (std::size_t worker = 0; state.remaining > 0; worker = (worker + 1) % state.records.size())
    chunks.push_back(next_chunk(technique(name), state, worker));
  return chunks;
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

std::int64_t sum(const Chunks& chunks) { return std::accumulate(chunks.begin(), chunks.end(), std::int64_t{0}); }

}  // namespace

TEST_CASE("SS hands out single tasks, CSS as many as it is told", "[reads][self-scheduling]") {
  CHECK(all_chunks("SS", loop(5, 4)) == Chunks(5, 1));
  TechniqueParameters p;
  p.numbers["chunk"] = 30;
  CHECK(all_chunks("CSS", loop(100, 4, p)) == Chunks{30, 30, 30, 10});
}

TEST_CASE("GSS gives the published chunks of 1000 tasks on 4 machines", "[self-scheduling]") {
  CHECK(all_chunks("GSS", loop(1000, 4)) ==
        Chunks{250, 188, 141, 106, 79, 59, 45, 33, 25, 19, 14, 11, 8, 6, 4, 3, 3, 2, 1, 1, 1, 1});
}

TEST_CASE("GSS halves what remains for two workers, down to the least chunk", "[self-scheduling]") {
  CHECK(all_chunks("GSS", loop(100, 4)) == Chunks{25, 19, 14, 11, 8, 6, 5, 3, 3, 2, 1, 1, 1, 1});
  TechniqueParameters p;
  p.min_chunk = 10;
  CHECK(all_chunks("GSS", loop(100, 2, p)) == Chunks{50, 25, 13, 10, 2});
}

TEST_CASE("TSS gives the published chunks of 1000 tasks on 4 machines", "[self-scheduling]") {
  CHECK(all_chunks("TSS", loop(1000, 4)) == Chunks{125, 117, 109, 101, 93, 85, 77, 69, 61, 53, 45, 37, 28});
}

TEST_CASE("TSS goes from the first chunk to the last", "[self-scheduling]") {
  TechniqueParameters p;  // ceil(200/24) = 9 chunks, the step is floor(16/8) = 2
  p.numbers = {{"first", 20}, {"last", 4}};
  CHECK(all_chunks("TSS", loop(100, 4, p)) == Chunks{20, 18, 16, 14, 12, 10, 8, 2});
  CHECK(all_chunks("TSS", loop(100, 4)) == Chunks{12, 12, 12, 12, 12, 12, 12, 12, 4});  // the step is floor(11/15)
}

TEST_CASE("FAC2 hands out half of what remains in each batch", "[self-scheduling]") {
  CHECK(all_chunks("FAC2", loop(1000, 4)) == Chunks{125, 125, 125, 125, 63, 63, 63, 63, 31, 31, 31, 31, 16, 16, 16, 16,
                                                    8,   8,   8,   8,   4,  4,  4,  4,  2,  2,  2,  2,  1,  1,  1,  1});
  CHECK(all_chunks("FAC2", loop(100, 4)) ==
        Chunks{13, 13, 13, 13, 6, 6, 6, 6, 3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1});
}

TEST_CASE("FAC with tasks that are all the same hands out everything at once", "[self-scheduling]") {
  CHECK(all_chunks("FAC", loop(1000, 4)) == Chunks(4, 250));  // b = 0, x_0 = 1
}

TEST_CASE("FAC hands out less the more tasks vary", "[self-scheduling]") {
  TechniqueParameters p;
  p.cv = 1;
  // R = 100: b = 4/20 = 0.2, x_0 = 1.04 + 0.2·sqrt(2.04) = 1.32566, 100/5.30264 = 18.86
  // R = 24: b = 4/(2·4.89898) = 0.40825, x_1 = 2.16667 + 0.40825·sqrt(4.16667) = 3, 24/12 = 2
  // R = 16: b = 0.5, x_2 = 2.25 + 0.5·sqrt(4.25) = 3.28078, 16/13.12 = 1.22
  // R = 8: b = 0.70711, x_3 = 2.5 + 0.70711·sqrt(4.5) = 4, 8/16; R = 4: likewise below 1
  CHECK(all_chunks("FAC", loop(100, 4, p)) == Chunks{19, 19, 19, 19, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1});
}

TEST_CASE("WF divides FAC2's batches by weights", "[self-scheduling]") {
  LoopState state(1000, std::vector<double>{5, 10, 10, 15}, {});  // weights 0.5, 1, 1, 1.5
  // Batches: 4·125, 4·63 (31.5 and 94.5 rounded up, the last gets what is left), 4·31 (15.5, 46.5: likewise), ..
  const Chunks chunks = all_chunks("WF", state);
  CHECK(Chunks(chunks.begin(), chunks.begin() + 8) == Chunks{63, 125, 125, 187, 32, 63, 63, 94});
  CHECK(sum(chunks) == 1000);
}

TEST_CASE("WF without weights is FAC2", "[self-scheduling]") {
  CHECK(all_chunks("WF", loop(1000, 4)) == all_chunks("FAC2", loop(1000, 4)));
  LoopState none(100, std::vector<double>{0, 0, 0, 0}, {});
  CHECK(all_chunks("WF", none) == all_chunks("FAC2", loop(100, 4)));
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

TEST_CASE("AF follows its formula", "[self-scheduling]") {
  const Technique& af = technique("AF");
  TechniqueParameters p;
  p.numbers["trial"] = 10;
  LoopState state = loop(110, 2, p);
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
