// The store: what is kept is found again, only what is missing is simulated, and nothing that goes wrong costs results.
#include "experiments/driver/running/batch_store.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "sim/base/error.hpp"
#include "sim/platform/worker_process.hpp"
#include "sim/program/scenario.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "workloads/built_in.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string kSweep =
    "nowsim: 1\n"
    "title: a test\n"
    "platform: {workstations: 3, speed: 1f}\n"
    "job: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "run: {replications: 250, deadline: 80s}\n"
    "metrics: [tau, sigma_T, RF, T_i]\n"
    "sweep: {owner.TH: [0.1, 0.3], owner.length: [uniform, exponential]}\n";
constexpr std::uint64_t kBatches = 4 * 3;

/// The experiment's CSV without any store.
std::string unstored(const Experiment& e) { return csv(summarise(e, run_experiment(e, {2}))); }

std::uint64_t batches_in(const std::string& folder) {
  if (sql_number(folder, "SELECT count(*) FROM sqlite_master") == 0) return 0;
  return static_cast<std::uint64_t>(sql_number(folder, "SELECT count(*) FROM batch"));
}

void write_bytes(const std::string& file, const std::string& bytes) { std::ofstream(file, std::ios::binary) << bytes; }

/// A workload that computes while no file of this name is there, and does something else while there is.
Additions disturbed_by(const std::string& file, const std::function<void()>& disturbance) {
  Additions additions;
  additions.workloads.push_back({"touchy", "a test", {{"work", KeyType::work, kMustBeGiven, "of all"}}, [=](KeyReader& read) {
                  return std::make_shared<const LambdaWorkload>(
                      [=](Rank& self) -> Process {
                        if (self.share() > 50 && fs::exists(file)) disturbance();
                        co_await self.compute(self.share());
                      },
                      read.value("work"));
                }});
  return additions;
}

const std::string kTouchy =
    "nowsim: 1\nplatform: {workstations: 2}\njob: {workload: touchy, work: 40f}\n"
    "owner: {model: intervals, TH: 0.4}\nrun: {replications: 200}\nsweep: {job.work: [40f, 120f, 80f]}\n";

}  // namespace

TEST_CASE("A sweep into a store gives what a run without one gives, with any number of jobs",
          "[computes][reads][store]") {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{}, {"run.precision=3%", "run.replications=2000"}, {"metrics=[tau, speedup]", "run.precision=5%", "run.precision_of=speedup"}}) {
    const Experiment e = loaded(kSweep, flags);
    const std::string expected = unstored(e);
    for (const int jobs : {1, 2, 5}) {
      const Folder folder;
      CHECK(csv(swept(folder.path(), e, jobs).summary) == expected);
      CHECK(csv(swept(folder.path(), e, jobs).summary) == expected);  // all out of the store
      CHECK(csv(stored_summary(folder.path())) == expected);
    }
  }
}

TEST_CASE("What is kept is not simulated again", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSweep);
  const Progress first = swept(folder.path(), e).progress, second = swept(folder.path(), e, 3).progress;
  CHECK(first.batches_done == kBatches);
  CHECK(first.batches_stored == 0);
  CHECK(first.replications_done == 4 * 250);
  CHECK(second.batches_done == 0);
  CHECK(second.batches_stored == kBatches);
  CHECK(second.replications_stored == 4 * 250);
  CHECK(second.points_done == 4);
  CHECK(sql_number(folder.path(), "SELECT count(*) FROM batch") == kBatches);
}

TEST_CASE("A batch that is kept is loaded with the same bits", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSweep);
  const ExecutionPlan execution = plan_execution(e);
  const Scenario& scenario = *execution.series[0].scenario;
  const Batch range{0, 5};
  const BatchRecord record = make_record(scenario, range, run(scenario, 5));
  {
    BatchStore store(folder.path(), BatchStore::Access::write);
    const Moments makespan_s = statistics_of(record, *execution.series[0].scenario, 0, {}).makespan_s;
    store.keep(ExperimentStore(store).begin_experiment("e", e, execution)[0], range, makespan_s, pack(record), 0.5);
  }
  BatchStore store(folder.path(), BatchStore::Access::read);
  const auto found = store.find_scenarios(execution);
  CHECK(found[0].has(range));
  CHECK_FALSE(found[0].has({0, 4}));
  CHECK_FALSE(found[0].has({5, 5}));
  CHECK_FALSE(found[1].has(range));
  const StoredBatch back = store.load(found[0], range);
  CHECK(pack(back.record) == pack(record));
  CHECK(back.version == version());
  CHECK(store.seconds_per_replication(found[0]) == 0.1);
  CHECK(store.seconds_per_replication(found[1]) == 0);
}

TEST_CASE("More replications need only the batches that are missing, a partial last batch a new one", "[store]") {
  const Folder folder;
  swept(folder.path(), loaded(kSweep));
  const Experiment more = loaded(kSweep, {"run.replications=450"});
  const SweepOutcome outcome = swept(folder.path(), more);
  CHECK(outcome.progress.batches_stored == 4 * 2);  // two whole batches; 200 to 249 are part of a whole one now
  CHECK(outcome.progress.batches_done == 4 * 3);
  CHECK(csv(outcome.summary) == unstored(more));
  CHECK(swept(folder.path(), loaded(kSweep)).progress.batches_done == 0);  // and the partial one is still there
  const Experiment fewer = loaded(kSweep, {"run.replications=100"});
  const SweepOutcome few = swept(folder.path(), fewer);
  CHECK(few.progress.batches_done == 0);
  CHECK(csv(few.summary) == unstored(fewer));
}

TEST_CASE("More values of an axis, metrics and a stopping rule need only what is missing", "[store]") {
  const Folder folder;
  swept(folder.path(), loaded(kSweep));
  const auto run_with = [&](const std::vector<std::string>& flags) {
    const Experiment e = loaded(kSweep, flags);
    const SweepOutcome outcome = swept(folder.path(), e);
    CHECK(csv(outcome.summary) == unstored(e));
    return outcome.progress;
  };
  CHECK(run_with({"sweep.owner.TH=[0.1, 0.2, 0.3]"}).batches_done == 2 * 3);
  CHECK(run_with({"metrics=[P_deg, tau, overhead, sigma_Ti, owner]"}).batches_done == 0);
  CHECK(run_with({"run.deadline=50s", "run.confidence=99%"}).batches_done == 0);
  CHECK(run_with({"metrics=[speedup]"}).batches_done == 4 * 3);  // the baselines
  CHECK(run_with({"run.precision=50%"}).batches_done == 0);
  CHECK(run_with({"run.precision=0.1%"}).batches_done == 0);
}

TEST_CASE("Of series that are quicker simulated again than read moments alone are kept where that is asked for", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSweep, {"run.replications=20000", "sweep={owner.TH: [0.1, 0.3]}"});
  const std::string expected = unstored(e);
  for (const int jobs : {1, 3}) {
    BatchStore store(folder.path(), BatchStore::Access::write);
    RunOptions options;
    options.jobs = jobs;
    options.keeps_quick = false;
    const SweepOutcome outcome = sweep_into(store, "e", e, options);
    CHECK(csv(outcome.summary) == expected);
    CHECK(outcome.progress.replications_done == 2 * 20000);
  }
  CHECK(csv(stored_summary(folder.path())) == expected);
  CHECK(sql(folder.path(), "SELECT count(*), (SELECT sum(replications) FROM moments) FROM batch") ==
        std::vector<std::string>{"0|40000"});
  {
    BatchStore store(folder.path(), BatchStore::Access::read);
    CHECK(store.size().replications == 2 * 20000);
    const StoredScenario first = store.find_scenarios(plan_execution(e)).front();
    CHECK(store.seconds_per_replication(first) > 0);
    CHECK(store.replications_as_moments(first) == 20000);
    const SweepForecast forecast = forecast_sweep(&store, e);
    CHECK(forecast.batches_stored == 0);
    CHECK(forecast.batches_as_moments == forecast.batches);
    CHECK_THAT(sentence_of<InputError>([&] { store.load(first, {0, 100}); }),
               Contains("were not kept") && Contains("'nowsim sweep' of the experiment into that folder"));
  }
  CHECK(csv(swept(folder.path(), e).summary) == expected);  // which keeps them all
  CHECK(sql_number(folder.path(), "SELECT sum(replications) FROM batch") == 2 * 20000);
  BatchStore store(folder.path(), BatchStore::Access::read);
  CHECK(store.size().replications == 2 * 20000);
}

TEST_CASE("Other seeds and other models' results are never taken", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSweep), other = loaded(kSweep, {"run.seed=2"});
  swept(folder.path(), e);
  const SweepOutcome of_other = swept(folder.path(), other);
  CHECK(of_other.progress.batches_done == kBatches);
  CHECK(csv(of_other.summary) == unstored(other));
  CHECK(swept(folder.path(), e).progress.batches_done == 0);
  // As another version of the model would have left them.
  sql_exec(folder.path(), "UPDATE scenario SET checksum = NULL, model_version = 0, key = 'of version 0' || substr(key, 13) WHERE seed = 1");
  const SweepOutcome again = swept(folder.path(), e);
  CHECK(again.progress.batches_done == kBatches);
  CHECK(csv(again.summary) == unstored(e));
  BatchStore store(folder.path(), BatchStore::Access::read);
  CHECK(store.size().other_models == 4);
  CHECK(store.size().scenarios == 12);
  CHECK(store.size().replications == 3 * 1000);
  CHECK(sql(folder.path(), "SELECT DISTINCT model_version, engine FROM scenario ORDER BY 1") ==
        std::vector<std::string>{"0|direct", std::to_string(kModelVersion) + "|direct"});
}

TEST_CASE("Points of one scenario with other plans share its batches", "[store]") {
  const Experiment e = loaded(kSweep, {"sweep={run.replications: [250, 100, 150]}"});
  for (const int jobs : {1, 2, 5}) {
    const Folder folder;
    INFO(jobs << " jobs");
    SweepForecast forecast;
    {
      BatchStore store(folder.path(), BatchStore::Access::write);
      forecast = forecast_sweep(&store, e);
    }
    const SweepOutcome outcome = swept(folder.path(), e, jobs);
    CHECK(csv(outcome.summary) == unstored(e));
    // 0 to 99, 100 to 199, 200 to 249, and 100 to 149.
    CHECK(outcome.progress.batches_done == 4);
    CHECK(outcome.progress.batches_stored == 2);
    CHECK(sql_number(folder.path(), "SELECT count(*) FROM batch") == 4);
    CHECK(forecast.batches == 4);
    CHECK(forecast.replications == 300);
    CHECK(swept(folder.path(), e, jobs).progress.batches_done == 0);
  }
  const Experiment deadlines = loaded(kSweep, {"sweep={run.deadline: [60s, 70s, 80s]}"});
  const Folder folder;
  CHECK(csv(swept(folder.path(), deadlines, 3).summary) == unstored(deadlines));
}

TEST_CASE("A forecast comes true", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSweep, {"metrics=[tau, speedup]"}), more = loaded(kSweep, {"metrics=[tau, speedup]", "run.replications=400"});
  CHECK(forecast_sweep(nullptr, e).batches == 2 * kBatches);
  swept(folder.path(), e);
  BatchStore store(folder.path(), BatchStore::Access::read);
  const SweepForecast none = forecast_sweep(&store, e), some = forecast_sweep(&store, more);
  CHECK(none.batches_stored == none.batches);
  CHECK(none.seconds(shipped_costs()) == 0);
  CHECK(some.points == 4);
  CHECK(some.scenarios == 8);
  CHECK(some.batches == 8 * 4);
  CHECK(some.batches_stored == 8 * 2);
  CHECK(some.replications - some.replications_stored == 8 * 200);
  CHECK(some.seconds(shipped_costs()) > 0);
  const Progress p = swept(folder.path(), more).progress;
  CHECK(p.batches_done == some.batches - some.batches_stored);
  CHECK(p.batches_stored == some.batches_stored);
}

TEST_CASE("A run that is interrupted keeps its batches, and goes on from there to the same bytes", "[store]") {
  const Experiment e = loaded(kSweep);
  const std::string expected = unstored(e);
  for (const int jobs : {1, 3}) {
    const Folder folder;
    std::uint64_t simulated = 0;
    for (int attempt = 0; attempt < 40; ++attempt) {
      BatchStore store(folder.path(), BatchStore::Access::write);
      std::uint64_t now = 0;
      RunOptions options;
      options.jobs = jobs;
      options.on_progress = [&](const Progress& p) { now = p.batches_done; };
      options.interrupted = [&] { return now >= 2; };
      try {
        const SweepOutcome outcome = sweep_into(store, "e", e, options);
        CHECK(csv(outcome.summary) == expected);
        simulated += now;
        break;
      } catch (const Interrupted&) {
        CHECK(now >= 2);
        simulated += now;
        CHECK(batches_in(folder.path()) == simulated);
        const auto known = ExperimentStore(store).experiments();
        REQUIRE(known.size() == 1);
        CHECK(known[0].complete + known[0].pending == 4);
        CHECK(known[0].failed == 0);
        const ResultTable summary = ExperimentStore(store).summary("e");
        CHECK(summary.count(PointStatus::pending) == known[0].pending);
      }
    }
    CHECK(simulated == kBatches);
    CHECK(csv(stored_summary(folder.path())) == expected);
  }
}

TEST_CASE("A point that aborts is kept as failed with its reason, the others as complete, and a repeat tries it again", "[store]") {
  const Folder folder, switches;
  const std::string flag = switches.path() + "/on";
  const Additions additions = disturbed_by(flag, [] { std::abort(); });
  const Experiment e = loaded(kTouchy, {}, additions);
  const std::string expected = unstored(e);
  for (const int jobs : {1, 3}) {
    const std::string store = folder.path() + "/" + std::to_string(jobs);
    write_bytes(flag, "");
    const SweepOutcome bad = swept(store, e, jobs);
    CHECK(bad.summary.rows[0].status == PointStatus::ok);
    CHECK(bad.summary.rows[1].status == PointStatus::failed);
    CHECK_THAT(bad.summary.rows[1].reason, Contains("Aborted"));
    CHECK(bad.summary.rows[2].status == PointStatus::ok);
    CHECK(sql(store, "SELECT status FROM point ORDER BY position") == std::vector<std::string>{"ok", "failed", "ok"});
    CHECK(sql_number(store, "SELECT count(*) FROM failure WHERE reason LIKE '%Aborted%'") >= 1);
    CHECK(sql_number(store, "SELECT count(*) FROM batch") == 4);
    CHECK(csv(stored_summary(store)) == csv(bad.summary));
    fs::remove(flag);
    const SweepOutcome good = swept(store, e, jobs);
    CHECK(good.progress.batches_done == 2);
    CHECK(csv(good.summary) == expected);
    CHECK(sql_number(store, "SELECT count(*) FROM failure") == 0);
  }
}

TEST_CASE("A batch that takes too long fails its point, and more patience completes it", "[store]") {
  const Folder folder, switches;
  const std::string flag = switches.path() + "/on";
  const Additions additions = disturbed_by(flag, [] { sleep(100); });
  // Only the point that is disturbed has a limit: a machine that is held up for a while must not fail the others.
  const std::string limited = "sweep={zip: {job.work: [40f, 120f, 80f], run.timeout: [0, 400ms, 0]}}";
  const Experiment e = loaded(kTouchy, {limited}, additions), patient = loaded(kTouchy, {}, additions);
  write_bytes(flag, "");
  const SweepOutcome bad = swept(folder.path(), e);
  CHECK(bad.summary.rows[1].status == PointStatus::failed);
  CHECK(bad.summary.rows[1].reason == "a batch of 100 replications took longer than 0.4 s (run.timeout)");
  CHECK(bad.progress.points_done == 3);
  fs::remove(flag);
  const SweepOutcome good = swept(folder.path(), patient);
  CHECK(good.progress.batches_done == 2);
  CHECK(csv(good.summary) == unstored(patient));
}

TEST_CASE("Infeasible, failed and pending points are read back as they were, with metrics of each workstation", "[store]") {
  const Folder folder, switches;
  const std::string flag = switches.path() + "/on";
  write_bytes(flag, "");
  const Additions additions = disturbed_by(flag, [] { throw std::runtime_error("cursed, \"twice\"\nover"); });
  const Experiment e = loaded(kTouchy, {"sweep={job.work: [120f, 40f], owner.TH: [0.9, 0.1]}", "run.infeasible=skip", "metrics=[T_i, tau, speedup, X_i]"}, additions);
  const SweepOutcome outcome = swept(folder.path(), e);
  CHECK(outcome.summary.rows[0].status == PointStatus::infeasible);
  CHECK(outcome.summary.rows[1].status == PointStatus::failed);
  CHECK(outcome.summary.rows[3].status == PointStatus::ok);
  BatchStore store(folder.path(), BatchStore::Access::read);
  const ResultTable back = ExperimentStore(store).summary("e");
  CHECK(csv(back) == csv(outcome.summary));
  std::ostringstream json, json_back, table, table_back;
  write_summary(outcome.summary, Format::json, json);
  write_summary(back, Format::json, json_back);
  CHECK(json_back.str() == json.str());
  write_summary(outcome.summary, Format::table, table);
  write_summary(back, Format::table, table_back);
  CHECK(table_back.str() == table.str());
  const auto known = ExperimentStore(store).experiments();
  CHECK(known[0].infeasible == 2);
  CHECK(known[0].failed == 1);
  CHECK(known[0].complete == 1);
  CHECK(known[0].pending == 0);
}

TEST_CASE("Where the largest point has failed, what is shown has the columns that were written", "[store]") {
  const Folder folder, switches;
  const std::string flag = switches.path() + "/on";
  write_bytes(flag, "");
  const Additions additions = disturbed_by(flag, [] { throw std::runtime_error("cursed"); });
  const Experiment e = loaded(
      kTouchy, {"sweep={zip: {platform.workstations: [1, 2], job.work: [40f, 120f]}}", "metrics=[T_i]"}, additions);
  const ResultTable summary = swept(folder.path(), e).summary;
  CHECK(summary.rows[1].status == PointStatus::failed);
  CHECK_THAT(csv(summary), Contains(",T_i_1_high,replications,"));
  CHECK(csv(stored_summary(folder.path())) == csv(summary));
}

TEST_CASE("A store holds several experiments, which share scenarios and replace their own namesakes", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSweep), part = loaded(kSweep, {"owner.TH=0.3"});
  const std::string whole = csv(swept(folder.path(), e, 2, "whole").summary);
  CHECK(swept(folder.path(), part, 2, "part").progress.batches_done == 0);
  CHECK(swept(folder.path(), part, 2, "part").progress.batches_done == 0);
  BatchStore store(folder.path(), BatchStore::Access::read);
  const auto known = ExperimentStore(store).experiments();
  REQUIRE(known.size() == 2);
  CHECK(known[0].name == "part");
  CHECK(known[0].points == 2);
  CHECK(known[0].axes == std::vector<std::string>{"owner.length"});
  CHECK(known[1].title == "a test");
  CHECK(csv(ExperimentStore(store).summary("whole")) == whole);
  CHECK(sentence_of<InputError>([&] { ExperimentStore(store).summary("hole"); }) == "the store in " + folder.path() + " has no experiment 'hole'; did you mean 'whole'?");
  CHECK(sql_number(folder.path(), "SELECT count(*) FROM point") == 6);
  CHECK(sql_number(folder.path(), "SELECT count(*) FROM estimate WHERE point NOT IN (SELECT id FROM point)") == 0);
}

TEST_CASE("A store that is damaged is refused in a sentence and not changed by trying", "[store][error]") {
  const Folder folder;
  const Experiment e = loaded(kSweep), more = loaded(kSweep, {"run.replications=350"});
  swept(folder.path(), e);
  const std::string file = store_file(folder.path()), whole = content_of(file);
  const auto page_size = static_cast<std::size_t>(sql_number(folder.path(), "PRAGMA page_size"));
  REQUIRE(whole.size() > 10 * page_size);
  const auto check_refused = [&](const std::string& bytes) {
    write_bytes(file, bytes);
    const std::string sentence = sentence_of<InputError>([&] { swept(folder.path(), more); });
    CHECK_THAT(sentence, Contains(file + " is damaged (") && Contains("nothing in it was changed: put a copy back"));
    CHECK((content_of(file) == bytes));
  };
  for (std::size_t page = 0; page < whole.size() / page_size; ++page) {
    INFO("page " << page + 1 << " overwritten");
    std::string bytes = whole;
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(page * page_size), page_size, '\xa5');
    check_refused(bytes);
  }
  for (const std::size_t size : {page_size, whole.size() / 2, whole.size() - page_size}) {
    INFO("cut to " << size);
    check_refused(whole.substr(0, size));
  }
  check_refused("this is no database, but a text that someone has put there; it is longer than a header of a hundred bytes, though");
  // The same, put back, is as good as before.
  write_bytes(file, whole);
  CHECK(swept(folder.path(), e).progress.batches_done == 0);
}

TEST_CASE("A flipped byte in any batch's results is found before anything is written", "[store][error]") {
  const Folder folder;
  const Experiment e = loaded(kSweep);
  swept(folder.path(), e);
  const std::string file = store_file(folder.path()), whole = content_of(file);
  for (int batch = 1; batch <= static_cast<int>(kBatches); batch += 3) {
    const std::string some = SQLite::Database(file).execAndGet("SELECT substr(results, 60, 24) FROM batch WHERE id = " + std::to_string(batch)).getString();
    REQUIRE(some.size() == 24);
    const auto at = whole.find(some);
    REQUIRE(at != std::string::npos);
    std::string bytes = whole;
    bytes[at + 7] = static_cast<char>(bytes[at + 7] ^ 4);
    write_bytes(file, bytes);
    const std::string sentence = sentence_of<InputError>([&] { swept(folder.path(), e); });
    CHECK_THAT(sentence, Contains(file + " is damaged (replications ") && Contains(" have a wrong checksum"));
    CHECK((content_of(file) == bytes));
    write_bytes(file, whole);
  }
}

TEST_CASE("Files that are no store of this program are refused, in a sentence", "[store][error]") {
  const Folder folder;
  const std::string file = store_file(folder.path());
  const auto refusal = [&](BatchStore::Access access) {
    const std::string before = content_of(file);
    std::string sentence = sentence_of<InputError>([&] { BatchStore(folder.path(), access); });
    CHECK((content_of(file) == before));
    return sentence;
  };
  using enum BatchStore::Access;
  CHECK(sentence_of<InputError>([&] { BatchStore(folder.path(), read); }) ==
        "there is no store of results in " + folder.path() + " (no file results.sqlite); 'nowsim sweep SPEC.yaml --out " + folder.path() + "' makes one");
  write_bytes(file, "");
  CHECK(refusal(read) == "the store " + file + " is empty");
  CHECK_NOTHROW(BatchStore(folder.path(), write));  // what a program leaves that is killed at its very beginning
  for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(file + suffix);
  SQLite::Database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE).exec("CREATE TABLE mine(x); INSERT INTO mine VALUES(3)");
  for (const auto access : {read, write}) CHECK(refusal(access) == file + " is a database of another program; choose another folder");
  SQLite::Database(file, SQLite::OPEN_READWRITE).exec("PRAGMA application_id=17");
  for (const auto access : {read, write}) CHECK(refusal(access) == file + " is a database of another program; choose another folder");
  fs::remove(file);
  { BatchStore(folder.path(), write); }
  sql_exec(folder.path(), "PRAGMA user_version=99");
  for (const auto access : {read, write})
    CHECK(refusal(access) == file + " has format 99, this program reads 4 and 3: choose another folder, or the other program");
}

TEST_CASE("A folder that cannot be made or written is refused, in a sentence", "[store][error]") {
  const Folder folder;
  const std::string file = folder.file("file", "");
  for (const std::string& bad : {file, file + "/below", std::string("/proc/nowhere")}) {
    const std::string sentence = sentence_of<InputError>([&] { BatchStore(bad, BatchStore::Access::write); });
    INFO(bad);
    CHECK_THAT(sentence, Catch::StartsWith("the folder " + bad + " cannot be made: "));
  }
  const std::string taken = folder.path() + "/taken";
  fs::create_directories(taken + "/results.sqlite");
  CHECK_THAT(sentence_of<InputError>([&] { BatchStore(taken, BatchStore::Access::write); }), Catch::StartsWith("cannot use " + taken + "/results.sqlite: "));
  const std::string locked = folder.path() + "/locked";
  fs::create_directories(locked + "/lock");
  CHECK_THAT(sentence_of<InputError>([&] { BatchStore(locked, BatchStore::Access::write); }), Contains("cannot be written"));
  if (geteuid() == 0) return;  // root may write anywhere
  const std::string closed = folder.path() + "/closed";
  fs::create_directories(closed);
  fs::permissions(closed, fs::perms::owner_read | fs::perms::owner_exec);
  CHECK_THAT(sentence_of<InputError>([&] { BatchStore(closed, BatchStore::Access::write); }), Contains("cannot be written: Permission denied"));
}

TEST_CASE("A full disk ends a sweep in a sentence, and with more room it goes on to the same bytes", "[store][error]") {
  const Folder folder;
  const Experiment e = loaded(kSweep, {"run.replications=900"});
  const std::string expected = unstored(e);
  swept(folder.path(), loaded(kSweep, {"run.replications=100"}));
  std::uint64_t kept = 4;
  bool failed_before = false;
  for (const rlim_t limit : {70'000, 120'000, 160'000, 200'000}) {
    // In a process that may not write files longer than this; writing fails as on a full disk.
    const std::string sentence = in_child_process([&] {
      std::signal(SIGXFSZ, SIG_IGN);
      const rlimit files{limit, limit};
      setrlimit(RLIMIT_FSIZE, &files);
      return "said: " + sentence_of<RunError>([&] { swept(folder.path(), e); });
    });
    INFO(limit << " bytes");
    if (sentence == "said: ") break;  // it had room enough
    failed_before = true;
    CHECK_THAT(sentence, Contains("said: cannot write to " + store_file(folder.path())) && Contains("what was stored is kept: make room, and the same command goes on"));
    const std::uint64_t now = batches_in(folder.path());
    CHECK(now >= kept);
    CHECK(now < 36);
    kept = now;
  }
  CHECK(failed_before);
  kept = batches_in(folder.path());
  const SweepOutcome outcome = swept(folder.path(), e);
  CHECK(outcome.progress.batches_stored == kept);
  CHECK(outcome.progress.batches_done == 36 - kept);
  CHECK(csv(outcome.summary) == expected);
}

TEST_CASE("A second process that writes the same store is refused and told who does, a reader is not", "[store][error]") {
  const Folder folder;
  const Experiment e = loaded(kSweep);
  swept(folder.path(), e);
  BatchStore first(folder.path(), BatchStore::Access::write);
  const auto in_another = [&](BatchStore::Access access) {
    return in_child_process([&] {
      return "said: " + sentence_of<InputError>([&] {
        BatchStore second(folder.path(), access);
        ExperimentStore(second).summary("e");
      });
    });
  };
  CHECK(in_another(BatchStore::Access::write) == "said: the store in " + folder.path() + " is being written by another process (" +
                                                      std::to_string(getpid()) + "): wait for it, or choose another folder");
  CHECK(in_another(BatchStore::Access::read) == "said: ");
  first.note_written_file("x", 3);  // and writing goes on
  BatchStore other(folder.path() + "/other", BatchStore::Access::write);
  BatchStore moved(std::move(first));
  CHECK_THAT(in_another(BatchStore::Access::write), Contains("is being written by another process"));
}

TEST_CASE("A lock ends with its store, and with its process however that ends", "[store]") {
  const Folder folder;
  { BatchStore(folder.path(), BatchStore::Access::write); }
  CHECK(in_child_process([&] { return sentence_of<InputError>([&] { BatchStore(folder.path(), BatchStore::Access::write); }) + "."; }) == ".");
  CHECK_THROWS(in_child_process([&]() -> std::string {
    const BatchStore store(folder.path(), BatchStore::Access::write);
    std::raise(SIGKILL);
    return "";
  }));
  CHECK_NOTHROW(BatchStore(folder.path(), BatchStore::Access::write));
}

TEST_CASE("A file that nowsim wrote is replaced, one that a user changed is kept beside it", "[store]") {
  const Folder folder;
  BatchStore store(folder.path(), BatchStore::Access::write);
  const std::string path = folder.path() + "/e.csv";
  const auto write = [&](const std::string& text) {
    const WrittenFile written = write_file(store, "e.csv", text);
    CHECK(written.path == path);
    CHECK(content_of(path) == text);
    return written.kept;
  };
  CHECK(write("one\n").empty());
  CHECK(write("one\n").empty());
  CHECK(write("two\n").empty());
  write_bytes(path, "mine\n");
  CHECK(write("three\n") == path + ".~1~");
  CHECK(content_of(path + ".~1~") == "mine\n");
  CHECK(write("four\n").empty());
  write_bytes(path, "mine, too\n");
  CHECK(write("four\n") == path + ".~2~");
  CHECK(content_of(path + ".~1~") == "mine\n");
  CHECK(content_of(path + ".~2~") == "mine, too\n");
  write_bytes(path, "five\n");  // the same as what is to be written
  CHECK(write("five\n").empty());
  fs::remove(path);
  CHECK(write("six\n").empty());
  // One that was there before nowsim ever wrote any.
  folder.file("f.csv", "older\n");
  CHECK(write_file(store, "f.csv", "new\n").kept == folder.path() + "/f.csv.~1~");
  const auto names = [&] {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder.path())) count += entry.path().filename().string().rfind(".", 0) == 0 ? 1 : 0;
    return count;
  };
  CHECK(names() == 0);  // nothing half-made is left
}

TEST_CASE("A file that cannot be written is a sentence that says where the results are", "[store][error]") {
  const Folder folder;
  BatchStore store(folder.path(), BatchStore::Access::write);
  fs::create_directories(folder.path() + "/e.csv");
  CHECK(write_file(store, "e.csv", "one\n").kept == folder.path() + "/e.csv.~1~");  // a folder of that name is the user's, too
  CHECK_THAT(sentence_of<RunError>([&] { write_file(store, "none/f.csv", "one\n"); }),
             Contains("cannot write " + folder.path() + "/none/f.csv: ") && Contains("the results are in the store"));
}

TEST_CASE("A CSV that is not as nowsim wrote it is told of where it is compared", "[store][compare]") {
  const Folder folder;
  const std::string paper = folder.path() + "/paper";
  const ResultTable summary = swept(paper, loaded(kSweep)).summary;
  {
    BatchStore store(paper, BatchStore::Access::write);
    write_results(store, "e", summary);
  }
  CHECK(remarks_on_changed(folder.path(), {"paper/e", "other/f", "g"}).empty());
  write_bytes(paper + "/e.csv", content_of(paper + "/e.csv") + " ");
  CHECK(remarks_on_changed(folder.path(), {"paper/e"}) ==
        std::vector<std::string>{paper + "/e.csv is not as nowsim wrote it: edited, or damaged"});
  write_bytes(store_file(paper), std::string(1000, 'x'));
  CHECK_THAT(remarks_on_changed(folder.path(), {"paper/e"}).at(0), Contains("results.sqlite is damaged"));
}

TEST_CASE("An experiment whose results would have the name of another's claims or splits is refused", "[store][error]") {
  for (const std::string name : {"e-claims", "e-splits", "e-isoefficiency-fits"}) {
    const Folder folder;
    CHECK_THAT(sentence_of<InputError>([&] { swept(folder.path(), loaded(kSweep), 2, name); }),
               Contains("would be in " + name + ".csv") && Contains("rename the file"));
  }
}

TEST_CASE("What points say of their replications can be had from the batches by SQL", "[store][sql]") {
  const Folder folder;
  // Overlapping batches too: of 250 replications, then 450; and surplus ones of a stopping rule.
  swept(folder.path(), loaded(kSweep));
  swept(folder.path(), loaded(kSweep, {"run.replications=450", "metrics=[tau, sigma_T, speedup]"}), 3, "more");
  swept(folder.path(), loaded(kSweep, {"run.replications=2000", "run.precision=1%", "metrics=[tau, sigma_T]"}), 5, "precise");
  const auto rows = sql(folder.path(), R"sql(
    WITH used AS (  -- of the batches that begin at the same replication, the longest that the point has room for
      SELECT p.id AS point, b.first, max(b.replications) AS n, b.mean_makespan_s AS mean, b.m2_makespan_s2 AS m2
      FROM point p JOIN batch b ON b.scenario = p.scenario
      WHERE b.first + b.replications <= p.replications AND (b.replications = 100 OR b.first + b.replications = p.replications)
      GROUP BY p.id, b.first),
    pooled AS (SELECT point, sum(n) AS n, sum(n * mean) / sum(n) AS mean FROM used GROUP BY point),
    spread AS (SELECT point, sum(u.m2 + u.n * (u.mean - p.mean) * (u.mean - p.mean)) AS m2 FROM used u JOIN pooled p USING (point) GROUP BY point)
    SELECT pooled.n, point.replications, pooled.mean, tau.value, sqrt(spread.m2 / (pooled.n - 1)), sigma.value
    FROM pooled JOIN spread USING (point) JOIN point ON point.id = pooled.point
    JOIN estimate tau ON tau.point = point.id AND tau.metric = 'tau'
    JOIN estimate sigma ON sigma.point = point.id AND sigma.metric = 'sigma_T')sql");
  REQUIRE(rows.size() == 12);
  for (const auto& row : rows) {
    std::istringstream in(row);
    std::vector<double> x;
    for (std::string field; std::getline(in, field, '|');) x.push_back(std::stod(field));
    INFO(row);
    CHECK(x[0] == x[1]);
    CHECK(x[2] == Approx(x[3]).epsilon(1e-12));
    CHECK(x[4] == Approx(x[5]).epsilon(1e-12));
  }
}

TEST_CASE("Batches say their extremes, their time and their version by SQL", "[store][sql]") {
  const Folder folder;
  const Experiment e = loaded(kSweep, {"sweep={}", "run.replications=130"});
  swept(folder.path(), e);
  const auto all = run_batch_direct(*e.points[0].scenario(), {0, 130});
  double least = 1e9, most = 0;
  for (const auto& r : all) {
    least = std::min(least, r.makespan_s);
    most = std::max(most, r.makespan_s);
  }
  CHECK(sql_number(folder.path(), "SELECT min(min_makespan_s) FROM batch") == least);
  CHECK(sql_number(folder.path(), "SELECT max(max_makespan_s) FROM batch") == most);
  CHECK(sql_number(folder.path(), "SELECT min(seconds) FROM batch") > 0);
  CHECK(sql(folder.path(), "SELECT DISTINCT version FROM batch") == std::vector<std::string>{version()});
  CHECK(sql(folder.path(), "SELECT value FROM estimate e JOIN point p ON p.id = e.point WHERE metric = 'T_i'").size() == 3);
}

TEST_CASE("A store at rest is one file, which reading does not change, and readable where nothing can be written", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSweep);
  const std::string whole = csv(swept(folder.path(), e).summary);
  const auto names = [&] {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder.path())) found.insert(entry.path().filename().string());
    return found;
  };
  const std::set<std::string> expected{"lock", "results.sqlite"};
  CHECK((names() == expected));
  const auto read = [&] { return csv(stored_summary(folder.path())); };
  CHECK(read() == whole);
  CHECK((names() == expected));
  // As a user without rights, in a process of its own: root may write anywhere.
  using enum fs::perms;
  fs::permissions(folder.path(), owner_read | owner_exec | group_read | group_exec | others_read | others_exec);
  const std::string got = in_child_process([&] {
    if (geteuid() == 0 && seteuid(65534) != 0) throw std::runtime_error("cannot give up root's rights");
    return read();
  });
  fs::permissions(folder.path(), owner_all);
  CHECK(got == whole);
}

TEST_CASE("A store's log goes into the database while a sweep goes on from what is there", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSweep);
  swept(folder.path(), e);
  BatchStore store(folder.path(), BatchStore::Access::write);
  const ExecutionPlan execution = plan_execution(e);
  const auto log_is_free = [&] {
    store.commit();
    SQLite::Database other(store_file(folder.path()), SQLite::OPEN_READWRITE);
    return other.execAndGet("PRAGMA wal_checkpoint(TRUNCATE)").getInt() == 0;  // 1: a read is in progress
  };
  const auto stored = store.find_scenarios(execution);
  CHECK(log_is_free());
  store.load(stored.front(), batch_of(execution.series.front(), 0));
  CHECK(log_is_free());
  store.seconds_per_replication(stored.front());
  CHECK(log_is_free());
  store.size();
  CHECK(log_is_free());
  store.note_written_file("x", 1);
  store.written_file("x");
  CHECK(log_is_free());
  ExperimentStore(store).begin_experiment("e", e, execution);
  CHECK(log_is_free());
  CHECK_THROWS_AS(ExperimentStore(store).summary("none"), InputError);
  CHECK(log_is_free());
}

TEST_CASE("Two files of one name do not replace each other's results", "[store][error]") {
  const Folder folder, a, b, c;
  const auto load = [&](const Folder& f, const std::string& more) {
    return load_experiment(f.file("e.yaml", kSweep + more), {}, Registries({}, builtin_checks(), builtin_figures()));
  };
  const std::string store = folder.path();
  const Experiment mine = load(a, ""), same = load(b, "");
  swept(store, mine);
  CHECK_NOTHROW(swept(store, same));
  const Experiment other = load(c, "description: another\n");
  CHECK_THAT(sentence_of<InputError>([&] { swept(store, other); }), Contains("of another file") && Contains("choose another --out"));
  CHECK(sql(store, "SELECT count(*) FROM experiment") == std::vector<std::string>{"1"});
  fs::remove(b.path() + "/e.yaml");
  CHECK_NOTHROW(swept(store, other));  // the old one has gone, as if renamed
}
