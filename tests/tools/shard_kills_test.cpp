// Shards and the sweep that takes them in, killed between every two calls that change files, and at random: nothing is
// lost, nothing counts twice.
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <thread>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/shards/piece.hpp"
#include "tests/experiments/driver/store_fixture.hpp"
#include "tests/paths.hpp"
#include "tests/skips.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr const char* kExperiment =
    "nowsim: 1\nplatform: {workstations: 2, speed: 1f}\njob: {workload: base-task, work: 200f}\n"
    "owner: {model: intervals, TH: 0.3}\nrun: {replications: 300}\nmetrics: [tau]\nsweep: {owner.TH: [0.1, 0.2]}\n";

/// While it lives, programs end before their N-th call that changes files (NOWSIM_END_AT_CALL), or find a full disk from
/// then on (NOWSIM_FULL_FROM_CALL).
class WrongFromCall {
 public:
  WrongFromCall(const char* what, long call) : what_(what) {
    setenv("LD_PRELOAD", end_at_call_file().c_str(), 1);
    setenv(what_, std::to_string(call).c_str(), 1);
  }
  ~WrongFromCall() {
    unsetenv("LD_PRELOAD");
    unsetenv(what_);
  }
  WrongFromCall(const WrongFromCall&) = delete;
  WrongFromCall& operator=(const WrongFromCall&) = delete;

 private:
  const char* what_;
};

struct KilledSweep : Folder {
  explicit KilledSweep(const std::string& text = kExperiment) {
    file("e.yaml", text);
    REQUIRE(sweep("alone").status == 0);
    alone = content_of(path() + "/alone/e.csv");
    batches = sql_number(path() + "/alone", "SELECT count(*) FROM batch");
  }
  [[nodiscard]] static Words words(const std::string& out, const Words& more) {
    Words all{"sweep", "e.yaml", "--out", out, "--quiet"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  [[nodiscard]] ProgramRun sweep(const std::string& out, const Words& more = {}) const {
    return start_program(words(out, more), path());
  }

  /// Batches in pieces, which are whole, and in the store.
  [[nodiscard]] std::set<nowsim::PublishedBatch> published(const std::string& out) const {
    const nowsim::ShardFolder folder(path() + "/" + out);
    std::set<nowsim::PublishedBatch> found;
    for (const auto& name : folder.names(nowsim::kPieceEnding)) {
      const nowsim::PieceHead head = nowsim::head_of(folder, name).value();
      CHECK(nowsim::ShardFolder::is_whole(name, folder.bytes(name).value()));
      for (const auto& batch : head.batches) found.insert(head.published(batch));
    }
    if (!fs::exists(path() + "/" + out + "/results.sqlite")) return found;
    const Folder look;
    for (const auto& file : fs::directory_iterator(path() + "/" + out))
      if (file.is_regular_file()) fs::copy(file, look.path());
    const nowsim::BatchStore store(look.path(), nowsim::BatchStore::Access::write);  // finishes what was killed
    for (const auto& row : sql(look.path(), "SELECT key, first, batch.replications FROM batch JOIN scenario ON scenario.id"
                                            " = scenario")) {
      std::istringstream fields(row);
      std::string key, first, count;
      std::getline(std::getline(std::getline(fields, key, '|'), first, '|'), count, '|');
      found.emplace(key, std::stoull(first), std::stoull(count));
    }
    return found;
  }

  /// Goes on after whatever has happened: what was published is taken in, and not simulated again. Returns how many
  /// batches that were.
  std::size_t check_goes_on(const std::string& out) const {
    const auto there = published(out);
    const ProgramRun r = start_program({"sweep", "e.yaml", "--out", out}, path());
    INFO(r.error);
    CHECK(r.status == 0);
    CHECK(content_of(path() + "/" + out + "/e.csv") == alone);
    CHECK(sql_number(path() + "/" + out, "SELECT count(*) FROM batch") == batches);
    if (fs::exists(path() + "/" + out + "/shards")) {
      std::smatch simulated;
      REQUIRE(std::regex_search(r.error, simulated, std::regex("(\\d+) replications? simulated")));
      CHECK(std::stod(simulated[1]) <= 100 * (batches - static_cast<double>(there.size())));
      CHECK(nowsim::ShardFolder(path() + "/" + out).names(nowsim::kPieceEnding).empty());
    }
    CHECK(sql(path() + "/" + out, "PRAGMA integrity_check") == Words{"ok"});
    return there.size();
  }

  /// Lets things go wrong at a command's calls, at some of them in a short run, each time from the same beginning.
  /// `said`: what the command then says, where it can. Returns how many batches were published by then, in all.
  std::size_t go_wrong_at_calls(const char* what, const std::string& said, const Words& more, const std::string& beginning) const {
    const bool is_short = beginning.empty();  // a shard's calls are few
    const long step = is_long_run() || is_short ? 1 : 7;
    long wrong = 0;
    std::size_t kept = 0;
    for (long call = 1;; call += step) {
      fs::remove_all(path() + "/out");
      if (!beginning.empty()) fs::copy(path() + "/" + beginning, path() + "/out", fs::copy_options::recursive);
      INFO(what << " " << call);
      ProgramRun r;
      {
        const WrongFromCall going(what, call);
        r = sweep("out", more);
      }
      INFO(r.error);
      if (r.status != 0) ++wrong;
      if (r.status != 0 && r.status != 128 + SIGKILL) CHECK_THAT(r.error, Catch::Contains(said));
      const std::size_t there = check_goes_on("out");
      if (r.status == 0) break;
      kept += there;
    }
    CHECK(wrong >= 3);
    return kept;
  }
  void kill_at_calls(const Words& more, const std::string& beginning) const {
    CHECK(go_wrong_at_calls("NOWSIM_END_AT_CALL", "", more, beginning) > 0);
  }

  std::string alone;
  double batches = 0;
};

bool cannot_preload() {
  if (is_sanitized()) skipped("sanitizers", "the address sanitizer's library wants to be the first that is loaded");
  return is_sanitized();
}

}  // namespace

TEST_CASE("A shard may be killed between any two calls", "[computes][reads][cli][shards]") {
  if (cannot_preload()) return;
  KilledSweep().kill_at_calls({"--shard", "1/2"}, "");
}

TEST_CASE("The sweep that takes in may be killed between any two calls", "[cli][shards]") {
  if (cannot_preload()) return;
  const KilledSweep sweep;
  REQUIRE(sweep.sweep("begun", {"--shard", "1/2"}).status == 0);  // the other one is missing
  sweep.kill_at_calls({}, "begun");
}

TEST_CASE("A disk that gets full while a sweep takes in is told, and costs what was not published", "[cli][shards][error]") {
  if (cannot_preload()) return;
  const KilledSweep sweep;
  REQUIRE(sweep.sweep("begun", {"--shard", "1/2"}).status == 0);
  sweep.go_wrong_at_calls("NOWSIM_FULL_FROM_CALL", "", {}, "begun");
}

TEST_CASE("A disk that gets full while a shard publishes is told, and costs what was not published", "[cli][shards][error]") {
  if (cannot_preload()) return;
  KilledSweep().go_wrong_at_calls("NOWSIM_FULL_FROM_CALL", "No space left on device", {"--shard", "1/2", "--publish-every", "1ms"}, "");
}

TEST_CASE("Shards and sweeps that are killed at any moment lose nothing and double nothing", "[cli][shards]") {
  const KilledSweep sweep(std::string(kExperiment) + "# more\n");
  std::mt19937 random(5);
  const int rounds = is_long_run() ? 500 : 8;
  for (int round = 0; round < rounds; ++round) {
    INFO("round " << round);
    fs::remove_all(sweep.path() + "/out");
    for (int kill_of = 0; kill_of < 4; ++kill_of) {
      const int shard = static_cast<int>(random() % 4);
      const Words more = shard == 0 ? Words{} : Words{"--shard", std::to_string(shard) + "/3", "--publish-every", "1ms"};
      RunningProgram program(KilledSweep::words("out", more), sweep.path());
      std::this_thread::sleep_for(std::chrono::milliseconds(random() % 120));
      kill(program.pid(), SIGKILL);
      program.finish();
    }
    sweep.check_goes_on("out");
  }
}
