// What comes before a sweep's points: which have splits to find, that it costs nothing twice, what becomes of those that
// have none; what a store holds of searches and origins.
#include "experiments/driver/sweeps/prepare.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

std::string spec(const std::string& split, const std::string& more = "") {
  return "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 300f}\nsplit: " + split +
         "\nowner: {model: intervals, TH: 0.3, SH: 0.2}\n" +
         (more.find("run:") == std::string::npos ? "run: {replications: 100}\n" : "") + more;
}
const std::string kOptimal = "{policy: optimal, replications: 200, gap_samples: 0}";

/// Counts what it was asked to keep.
class CountedSplits final : public BatchStore {
 public:
  explicit CountedSplits(const Folder& folder) : BatchStore(folder.path(), Access::write) {}
  void keep_split(const std::string& key, const SplitReport& report) override {
    ++kept;
    BatchStore::keep_split(key, report);
  }
  int kept = 0;
};

Experiment resolved(const Experiment& experiment, int jobs = 1) { return resolve_splits(experiment, nullptr, {jobs}); }

/// Resolved out of a store and swept into it.
SweepOutcome resolved_and_swept(const std::string& folder, const Experiment& experiment) {
  BatchStore store(folder, BatchStore::Access::write);
  return sweep_into(store, "e", resolve_splits(experiment, &store), {});
}

/// The work that six machines with owners do in some time.
Experiment sought(const std::string& run, const std::string& more = "") {
  return loaded("nowsim: 1\nplatform: {workstations: 6, speed: 1f}\njob: {workload: base-task, work: 100f}\n"
                "owner: {model: intervals, TH: 0.28, interval: 10s}\nlet: {t: 500}\nrun: {" + run + "}\n"
                "solve: {key: job.work, metric: tau, equals: = let.t, from: 10, to: 1e7}\nmetrics: [solved]\n" + more);
}

}  // namespace

TEST_CASE("Loading finds no split that takes simulation, and says which do", "[reads][splits]") {
  const Experiment e = loaded(spec(kOptimal));
  REQUIRE(e.points.front().as<OpenSplit>());
  CHECK(e.points.front().scenario()->share_flop == std::vector<double>{100, 100, 100});
  CHECK(e.has_open_splits());
  CHECK_THROWS_AS(run_experiment(e, {1}), std::logic_error);
  const Experiment r = resolved(e);
  CHECK_FALSE(r.has_open_splits());
  CHECK(r.points.front().scenario()->share_flop == r.points.front().as<ReadyPoint>()->split_report->share_flop);
  CHECK(r.points.front().scenario()->share_flop[0] > 100.5);
}

TEST_CASE("Policies that need no simulation have their shares when they are loaded", "[splits]") {
  for (const char* split : {"{policy: equal}", "{policy: proportional}", "{policy: formula, weight: 1/sigma}",
                            "{policy: equalize, guard: false}", "{policy: equalize-linear, guard: false}"})
    CHECK_FALSE(loaded(spec(split)).has_open_splits());
  for (const char* split : {"{policy: equalize}", "{policy: equalize-linear, guard: true}"})
    CHECK(loaded(spec(split)).has_open_splits());
}

TEST_CASE("One workstation gets all the work by any policy", "[splits]") {
  for (const char* split : {"{policy: optimal}", "{policy: equalize}"}) {
    const Experiment e = loaded(spec(split), {"platform.workstations=1", "owner.SH=0"});
    CHECK_FALSE(e.has_open_splits());
    CHECK(e.points.front().scenario()->share_flop == std::vector<double>{300});
  }
}

TEST_CASE("A formula with sigma, and equalising, are for owners of every model", "[splits]") {
  for (const char* owner : {"owner={model: duty-cycle, u: 40%, period: 20s}", "owner={model: jobs, u: 40%, demand: 5s}"})
    for (const char* split : {"{policy: formula, weight: 1/(1 + sigma)}", "{policy: equalize, guard: false}"}) {
      const Experiment r = resolved(loaded(spec(split), {owner}));
      const SplitReport& report = *r.points.front().as<ReadyPoint>()->split_report;
      CHECK(report.sigma_s[0] > 0);
      CHECK(report.replications == 0);
    }
}

TEST_CASE("The same splits for any number of jobs, and points that want the same share it", "[splits]") {
  const std::string sweep = "sweep: {owner.SH: [0.1, 0.2], run.replications: [100, 200]}\n";
  const Experiment e = loaded(spec(kOptimal, sweep));
  const Experiment one = resolved(e, 1), four = resolved(e, 4);
  const Folder folder;
  CountedSplits memory(folder);
  resolve_splits(e, &memory);
  CHECK(memory.kept == 2);
  const auto report = [](const Experiment& of, std::size_t p) { return of.points[p].as<ReadyPoint>()->split_report; };
  for (std::size_t p = 0; p < 4; ++p) CHECK(pack(*report(one, p)) == pack(*report(four, p)));
  CHECK(report(one, 0) == report(one, 1));
  CHECK(csv(summarise(one, run_experiment(one, {2}))) == csv(summarise(four, run_experiment(four, {1}))));
}

TEST_CASE("Progress tells splits that were remembered from those that are found", "[splits]") {
  const Folder folder;
  CountedSplits memory(folder);
  resolve_splits(loaded(spec(kOptimal, "sweep: {owner.SH: [0.1]}\n")), &memory);
  SplitProgress last;
  resolve_splits(loaded(spec(kOptimal, "sweep: {owner.SH: [0.05, 0.1, 0.2]}\n")), &memory,
                 {1, [&](const SplitProgress& p) { last = p; }});
  CHECK(last.recalled == 1);
  CHECK(last.wanted == 2);
  CHECK(last.found == 2);
}

TEST_CASE("What is remembered is not found again", "[splits]") {
  const Experiment e = loaded(spec(kOptimal));
  const Folder folder;
  CountedSplits memory(folder);
  const Experiment first = resolve_splits(e, &memory), second = resolve_splits(e, &memory);
  CHECK(memory.kept == 1);
  CHECK(first.points[0].scenario()->share_flop == second.points[0].scenario()->share_flop);
  const Experiment recalled = recall_splits(e, memory);
  CHECK(open_splits(e).size() == 1);
  CHECK(open_splits(recalled).empty());
  CHECK(recalled.points[0].scenario()->share_flop == first.points[0].scenario()->share_flop);
}

TEST_CASE("A store keeps splits, so that a sweep that goes on simulates none again", "[splits][store]") {
  const Folder folder;
  const std::string store = folder.path() + "/store";
  const Experiment e = loaded(spec(kOptimal)), more = loaded(spec(kOptimal), {"run.replications=300"});
  const auto first = resolved_and_swept(store, e);
  CHECK(sql(store, "SELECT policy, objective FROM split") == std::vector<std::string>{"optimal|tau"});
  // An answer that nobody would find again: a report that was changed behind the program's back is taken as it is.
  SplitReport report = *first.summary.rows.front().split;
  report.share_flop = {120, 100, 80};
  {
    BatchStore open(store, BatchStore::Access::write);
    open.keep_split(split_key(*e.points.front().as<OpenSplit>()->task), report);
  }
  const auto second = resolved_and_swept(store, more);
  CHECK(second.summary.rows.front().split->share_flop == report.share_flop);
  CHECK(resolved_and_swept(store, more).progress.replications_done == 0);
}

TEST_CASE("Stores without splits can be asked", "[splits][store]") {
  const Folder folder;
  const std::string store = folder.path() + "/store";
  swept(store, loaded(spec("{policy: equal}")));
  sql_exec(store, "DROP TABLE split");
  BatchStore open(store, BatchStore::Access::read);
  CHECK_FALSE(open.find_split("anything"));
}

TEST_CASE("A split that is damaged in the store is refused", "[splits][store][error]") {
  const Folder folder;
  const std::string store = folder.path() + "/store";
  const Experiment e = loaded(spec(kOptimal));
  resolved_and_swept(store, e);
  sql_exec(store, "UPDATE split SET checksum = checksum + 1");
  CHECK_THAT(sentence_of<InputError>([&] { resolved_and_swept(store, e); }),
             Contains("damaged") && Contains("checksum"));
}

TEST_CASE("A point whose split cannot be found costs only itself", "[splits][error]") {
  const Folder files;
  const std::string e = "nowsim: 1\nplatform: {}\njob: {workload: base-task, work: 300f}\n"
                        "owner: {model: intervals, TH: 0.3}\nsplit: " + kOptimal +
                        "\nrun: {replications: 100, engine: direct}\nmetrics: [tau]\nsweep: {platform.file: " + platforms_for_one_engine_and_both(files) + "}\n";
  const Experiment r = resolved(loaded(e), 2);
  const ResultTable s = summarise(r, run_experiment(r, {2}));
  CHECK(s.rows[0].status == PointStatus::failed);
  CHECK_THAT(s.rows[0].reason, Contains("its split could not be found") && Contains("the engine direct cannot run this"));
  CHECK(s.rows[1].status == PointStatus::ok);
  CHECK(s.has_failures());
  const Folder folder;
  const auto stored = swept(folder.path() + "/store", r);
  CHECK(sql(folder.path() + "/store", "SELECT status FROM point ORDER BY position") ==
        std::vector<std::string>{"failed", "ok"});
}

TEST_CASE("Reducing the variance of the estimates does not change the split", "[splits]") {
  const Experiment plain = resolved(loaded(spec(kOptimal)));
  const Experiment reduced = resolved(loaded(spec(kOptimal), {"run.variance_reduction=both"}));
  CHECK(plain.points[0].scenario()->share_flop == reduced.points[0].scenario()->share_flop);
  CHECK(reduced.points[0].scenario()->controls);
  CHECK(run_experiment(reduced, {1}).front().failure.empty());
}

TEST_CASE("Speedups of optimal splits compare with one machine that has all the work", "[splits]") {
  for (const char* baseline : {"fastest", "one"}) {
    const Experiment r = resolved(loaded(spec(kOptimal, "metrics: [speedup]\n"),
                                         {"run.baseline=" + std::string(baseline), "owner.SH=0"}));
    REQUIRE(r.points[0].simulated()->baseline);
    const ResultTable s = summarise(r, run_experiment(r, {1}));
    CHECK(s.rows[0].estimates[0][0].value > 2);
  }
}

TEST_CASE("What split blocks get wrong is said with its key", "[splits][error]") {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"{policy: optimal, objective: RF}", "split.objective: RF needs a deadline"},
      {"{policy: optimal, objective: rf}", "'rf' is not one of: tau, RF, quantile"},
      {"{policy: optimal, objective: quantile, quantile: 100%}", "split.quantile"},
      {"{policy: optimal, objective: quantile, quantile: 0}", "split.quantile"},
      {"{policy: optimal, objective: quantile, quantile: 99.99%}", "split.quantile"},
      {"{policy: optimal, quantile: 90%}", "split.quantile: this is for 'objective: quantile'; the objective is tau"},
      {"{policy: optimal, replications: 10}", "split.replications"},
      {"{policy: optimal, replications: -5}", "split.replications"},
      {"{policy: equalize, guard: maybe}", "split.guard"},
      {"{policy: optimal, guard: true}", "split.guard"},
      {"{policy: optimum}", "did you mean 'optimal'"}};
  for (const auto& [split, sentence] : wrong) CHECK_THAT(problems_of(spec(split)), Contains(sentence));
  CHECK_THAT(problems_of(spec("{policy: optimal}"), {"job={workload: ping-pong, rounds: 3, bytes: 10}",
                                                      "platform.network=switch",
                                                      "platform.bandwidth=1kBps", "platform.latency=1ms"}),
             Contains("split.policy: 'optimal' has no work to split"));
  CHECK_THAT(problems_of(spec("{policy: optimal}"), {"owner={model: duty-cycle, u: 1}"}),
             Contains("no workstation has any available speed"));
}

TEST_CASE("Infeasible points stay blank beside those whose split is found", "[splits]") {
  const Experiment r = resolved(
      loaded(spec(kOptimal, "run: {replications: 100, infeasible: skip}\nsweep: {owner.TH: [0.3, 0.9]}\n")));
  CHECK(r.points[0].as<ReadyPoint>()->split_report);
  CHECK_FALSE(r.points[1].scenario());
  CHECK(summarise(r, run_experiment(r, {1})).rows[1].status == PointStatus::infeasible);
}

TEST_CASE("Splits are written for people and for programs", "[splits]") {
  const Experiment r = resolved(loaded(spec(kOptimal, "sweep: {split.policy: [equal, equalize, optimal]}\n")));
  const ResultTable s = summarise(r, run_experiment(r, {1}));
  REQUIRE(has_found_splits(s));
  std::ostringstream table, written, json;
  write_split_table(s, table);
  CHECK_THAT(table.str(), Contains("splits found by simulation") && Contains("optimal") && !Contains("equal "));
  write_split_csv(s, written);
  const std::string text = written.str();
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
  const std::string head = text.substr(0, text.find('\n'));
  for (std::size_t at = 0, line = 0; line < 3; ++line, at = text.find('\n', at) + 1) {
    const std::string row = text.substr(at, text.find('\n', at) - at);
    CHECK(std::count(row.begin(), row.end(), ',') == std::count(head.begin(), head.end(), ','));
  }
  write_summary(s, Format::json, json);
  CHECK_THAT(json.str(), Contains("\"split\": {\n        \"policy\": \"optimal\"") && Contains("\"share_flop\": {\"ws1\": "));
}

TEST_CASE("A search for a split ends at the time-out, and costs its points alone", "[splits][timeout]") {
  const Experiment e = loaded(
      spec("{policy: optimal, replications: 1e6, gap_samples: 0}",
           "run: {replications: 100, timeout: 50ms}\nsweep: {split.policy: [optimal, proportional]}\n"));
  const Experiment r = resolved(e);
  CHECK_THAT(r.points[0].reason(),
             Contains("its split could not be found: the search took longer than 0.05 s (run.timeout)"));
  CHECK(r.points[1].reason().empty());
  CHECK(r.points[1].scenario());
}

TEST_CASE("A rehearsal of searches for sizes tells how many trials they will take", "[work_counts][solve]") {
  const Experiment e = sought("replications: 200", "sweep: {let.t: [200, 400, 800, 1600]}\n");
  const Folder folder;
  {
    BatchStore store(folder.path(), BatchStore::Access::write);
    static_cast<void>(solve_sizes(e, &store));
  }
  WorkCounter counter;
  const SizesWork expected = sizes_work(e, counter);
  CHECK(expected.rehearsed == 4);
  const auto simulated = static_cast<double>(sql_number(folder.path(), "SELECT sum(replications) FROM trial"));
  CHECK(expected.work[Cost::replication] > simulated / 2);
  CHECK(expected.work[Cost::replication] < simulated * 2);
}

TEST_CASE("Of many searches some are rehearsed, and stand for the others", "[work_counts][solve]") {
  const Experiment e = sought("replications: 200", "sweep: {let.t: {from: 200, to: 2000, step: 200}}\n");
  WorkCounter counter;
  const SizesWork few = sizes_work(e, counter, 5), all = sizes_work(e, counter);
  CHECK(few.rehearsed <= 5);
  CHECK(few.trials < all.trials);
  CHECK(few.work[Cost::replication] > all.work[Cost::replication] / 2);
  CHECK(few.work[Cost::replication] < all.work[Cost::replication] * 2);
}

TEST_CASE("The forecast of a sweep has its searches, and nothing of what is stored", "[work_counts][solve]") {
  const Experiment e = sought("replications: 200");
  const SweepForecast forecast = forecast_sweep(nullptr, e);
  CHECK(forecast.work[Cost::replication] > 4 * 200);  // a trial at 10, 40, 160, 640 at least
  CHECK(forecast_sweep(nullptr, loaded("nowsim: 1\njob: {workload: base-task, work: 1}\n")).work[Cost::batch] == 10);
}

TEST_CASE("Costs here are the shipped ones by one factor", "[costs]") {
  const Registries registries({}, builtin_checks(), builtin_figures());
  const CostTable costs = machine_costs(registries);
  const double factor = costs[Cost::interval] / shipped_costs()[Cost::interval];
  CHECK(factor > 0.01);
  CHECK(factor < 1000);
  for (std::size_t k = 0; k < kCosts; ++k) CHECK(costs.at(k) == Approx(factor * shipped_costs().at(k)));
}

TEST_CASE("A platform that came through a pipe is not read again", "[stored_origin]") {
  const Folder folder;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[1]);  // all has been read
  const std::string piped = "/dev/fd/" + std::to_string(ends[0]);
  FilesNoted noted;
  noted.platforms.insert(piped);
  Experiment experiment;
  experiment.file = folder.file("e.yaml", "nowsim: 1\n");
  experiment.origin.is_of_file = true;
  experiment.origin.files = std::make_shared<const FilesNoted>(noted);
  const StoredOrigin stored = origin_to_store(experiment);
  REQUIRE(stored.files.size() == 2);
  CHECK(stored.files[1].path == piped);
  CHECK_FALSE(stored.files[1].checksum);
  close(ends[0]);
}
