// Sweeps in shards as users run them: whatever is killed, lost, damaged or at work at once, the CSV is that of a sweep
// alone.
#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

#include "experiments/driver/running/store_database.hpp"
#include "experiments/driver/shards/piece.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr const char* kExperiment =
    "nowsim: 1\ntitle: A sweep\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 300f}\n"
    "owner: {model: intervals, TH: 0.3}\nrun: {replications: 700}\nmetrics: [tau, sigma_T, speedup]\n"
    "sweep: {owner.TH: [0.1, 0.2, 0.4], platform.workstations: [1, 3]}\n";

/// A folder with an experiment that is swept in shards.
struct Sharded : Folder {
  explicit Sharded(Words more = {}, const std::string& text = kExperiment) : more_(std::move(more)) { file("e.yaml", text); }

  [[nodiscard]] Words words(const Words& flags, const std::string& out = "out") const {
    Words all{"sweep", "e.yaml", "--out", out};
    all.insert(all.end(), more_.begin(), more_.end());
    all.insert(all.end(), flags.begin(), flags.end());
    return all;
  }
  [[nodiscard]] ProgramRun sweep(const Words& flags = {}) const { return start_program(words(flags), path()); }
  [[nodiscard]] ProgramRun shard(int one, int all) const {
    return sweep({"--shard", std::to_string(one) + "/" + std::to_string(all)});
  }
  void all_shards(int shards) const {
    for (int one = 1; one <= shards; ++one) {
      const ProgramRun r = shard(one, shards);
      INFO(r.error);
      REQUIRE(r.status == 0);
    }
  }
  [[nodiscard]] std::string csv(const std::string& out = "out") const { return content_of(path() + "/" + out + "/e.csv"); }
  /// What a sweep without shards gives.
  [[nodiscard]] std::string alone() const {
    const ProgramRun r = start_program(words({}, "alone"), path());
    INFO(r.error);
    REQUIRE(r.status == 0);
    return csv("alone");
  }
  /// Names in out/shards that end so.
  [[nodiscard]] std::vector<std::string> published(const std::string& ending = ".piece") const {
    std::vector<std::string> names;
    if (!fs::exists(path() + "/out/shards")) return names;
    for (const auto& entry : fs::directory_iterator(path() + "/out/shards"))
      if (entry.path().filename().string().ends_with(ending)) names.push_back(entry.path().string());
    std::ranges::sort(names);
    return names;
  }

 private:
  Words more_;
};

/// Takes in and simulates nothing, since everything is there.
void check_taken_in(const Sharded& sweep, const std::string& alone) {
  const ProgramRun r = sweep.sweep();
  INFO(r.error);
  CHECK(r.status == 0);
  CHECK_THAT(r.error, Contains(" 0 replications simulated"));
  CHECK(sweep.csv() == alone);
}

}  // namespace

TEST_CASE("Splits and sizes that are searched for are found once, and shards find them", "[reads][cli][shards]") {
  const std::string text =
      "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 300f}\n"
      "owner: {model: intervals, TH: 0.3}\nrun: {replications: 300, deadline: 200s}\nmetrics: [tau, RF, solved]\n"
      "sweep: {owner.TH: [0.1, 0.3]}\nsolve: {key: job.work, metric: RF, equals: 10%, from: 10f, to: 3000f}\n";
  const Sharded sweep({}, text);
  const std::string alone = sweep.alone();
  REQUIRE(start_program({"submit", "e.yaml", "--out", "out", "--dry-run", "--quiet"}, sweep.path()).status == 0);
  CHECK(sql_number(sweep.path() + "/out", "SELECT count(*) FROM trial") > 0);
  sweep.all_shards(2);
  check_taken_in(sweep, alone);
}

TEST_CASE("A published file that is cut, changed or empty is set aside, and its batches are simulated again", "[cli][shards]") {
  const Sharded sweep;
  const std::string alone = sweep.alone();
  sweep.all_shards(3);
  const auto pieces = sweep.published();
  REQUIRE(pieces.size() == 3);
  fs::resize_file(pieces[0], fs::file_size(pieces[0]) / 2);
  std::fstream(pieces[1], std::ios::in | std::ios::out | std::ios::binary).seekp(500).put('x');
  fs::resize_file(pieces[2], 0);
  const ProgramRun r = sweep.sweep();
  INFO(r.error);
  CHECK(r.status == 0);
  CHECK(sweep.csv() == alone);
  for (const auto& piece : pieces) {
    CHECK_THAT(r.error,
               Contains("/" + fs::path(piece).filename().string() + " is not as it was published; it is now "));
    CHECK_FALSE(fs::exists(piece));
  }
}

TEST_CASE("Whatever a colleague puts into a shared folder, status and sweep end, name it and do the rest",
          "[cli][shards][error]") {
  const Sharded sweep;
  const std::string alone = sweep.alone();
  sweep.all_shards(2);
  const std::string shards = sweep.path() + "/out/shards/", hash(nowsim::kContentNameLength, '0');
  REQUIRE(mkfifo((shards + hash + "-e-1of2.piece").c_str(), 0600) == 0);
  fs::resize_file(sweep.file("out/shards/" + hash + "-e-2of2.piece", "nowsim piece 1"), std::uintmax_t{15} << 40U);
  const auto check_named = [&](const ProgramRun& r) {
    INFO(r.error);
    CHECK(r.status == 0);
    for (const std::string& name : {hash + "-e-1of2.piece is a pipe", hash + "-e-2of2.piece has 16492674416640 bytes"})
      CHECK_THAT(r.error, Contains("note: out/shards/" + name));
  };
  const ProgramRun status = start_program({"status", "out"}, sweep.path());
  check_named(status);
  CHECK_THAT(status.out, Contains("done"));
  check_named(start_program({"show", "out", "--shards"}, sweep.path()));
  REQUIRE(sweep.shard(1, 2).status == 0);
  check_named(start_program({"submit", "e.yaml", "--out", "out", "--dry-run"}, sweep.path()));
  check_named(sweep.sweep());
  CHECK(sweep.csv() == alone);
  for (const char* store : {"results.sqlite", "results.sqlite-journal"}) {
    INFO(store);
    fs::remove(sweep.path() + "/out/" + store);
    REQUIRE(mkfifo((sweep.path() + "/out/" + store).c_str(), 0600) == 0);
    for (const ProgramRun& r : {sweep.sweep(), start_program({"show", "out"}, sweep.path())}) CHECK(r.status == 2);
    fs::remove(sweep.path() + "/out/" + store);
    CHECK(sweep.sweep().status == 0);
  }
}

TEST_CASE("Results that differ end a sweep with both files and machines, until one of them is moved away", "[cli][shards][error]") {
  const Sharded sweep;
  const std::string alone = sweep.alone();
  sweep.all_shards(2);
  const nowsim::ShardFolder folder(sweep.path() + "/out");
  const std::string name = folder.names(nowsim::kPieceEnding).front();
  const nowsim::Piece piece(folder.bytes(name).value(), name);
  const nowsim::PieceHead& head = piece.head();
  const nowsim::ScenarioRow& scenario = head.scenarios[head.batches[0].scenario];
  const nowsim::Batch range{head.batches[0].first, head.batches[0].replications};
  nowsim::BatchRecord record =
      nowsim::unpack_record(std::string(piece.row(0).results), range, static_cast<std::size_t>(scenario.workstations));
  record.makespan_s[0] += 1;
  const std::string results = nowsim::pack(record);
  nowsim::Attempt other = head.attempt;
  other.id = other.host = "elsewhere";
  other.processor = "a 486";
  nowsim::PieceWriter writer(folder, other);
  nowsim::Moments moments;
  moments.add(1);
  writer.keep(scenario, nowsim::batch_row(range, moments, results, 1));
  writer.publish();
  for (int time = 0; time < 2; ++time) {
    const ProgramRun r = sweep.sweep();
    INFO(r.error);
    CHECK(r.status == 1);
    CHECK_THAT(r.error, Contains(" have two results") && Contains(name) && Contains("on elsewhere (a 486, nowsim"));
    CHECK_FALSE(fs::exists(sweep.path() + "/out/e.csv"));
  }
  for (const auto& published : folder.names(nowsim::kPieceEnding))
    if (nowsim::head_of(folder, published)->attempt.host == "elsewhere") folder.remove(published);
  check_taken_in(sweep, alone);
}

TEST_CASE("Two sweeps that take in at once both come to the same bytes", "[cli][shards]") {
  const Sharded sweep;
  const std::string alone = sweep.alone();
  sweep.all_shards(2);
  fs::remove(sweep.published().front());  // so that there is something to simulate
  RunningProgram one(sweep.words({}), sweep.path()), two(sweep.words({}), sweep.path());
  CHECK(one.finish().status == 0);
  CHECK(two.finish().status == 0);
  CHECK(sweep.csv() == alone);
  check_taken_in(sweep, alone);
}

TEST_CASE("A sweep that takes in waits for another one that does", "[cli][shards]") {
  const Sharded sweep;
  sweep.all_shards(2);
  std::optional<nowsim::StoreLock> another(std::in_place, sweep.path() + "/out");
  RunningProgram waiting(sweep.words({}), sweep.path());
  std::this_thread::sleep_for(std::chrono::seconds(1));  // without waiting it takes a tenth of that
  CHECK(is_alive(waiting.pid()));
  CHECK_FALSE(fs::exists(sweep.path() + "/out/e.csv"));
  another.reset();
  CHECK(waiting.finish().status == 0);
  CHECK(sweep.csv() == sweep.alone());
}

TEST_CASE("A shard that is interrupted publishes what it has, and goes on when it is started again", "[cli][shards]") {
  const Sharded sweep({"--set", "job.work=300Mf", "--set", "platform.speed=1Mf", "--set", "owner.interval=3ms"});
  RunningProgram program(sweep.words({"--shard", "1/2", "--publish-every", "50ms"}), sweep.path());
  REQUIRE(comes_true([&] { return !is_alive(program.pid()) || !sweep.published().empty(); }));
  kill(program.pid(), SIGTERM);
  const ProgramRun r = program.finish();
  INFO(r.error);
  CHECK(r.status == 128 + SIGTERM);
  CHECK_THAT(r.error, Contains("every batch that was complete is published in out/shards") && Contains("go on with:"));
  REQUIRE(sweep.shard(1, 2).status == 0);
  REQUIRE(sweep.shard(2, 2).status == 0);
  check_taken_in(sweep, sweep.alone());
}
