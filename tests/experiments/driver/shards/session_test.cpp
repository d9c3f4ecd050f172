// Shards: batches are dealt out once and evenly; what is taken in counts once, and what differs is refused or named.
#include "experiments/driver/shards/session.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "experiments/driver/shards/shard_report.hpp"
#include "experiments/driver/shards/shard_run.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "sim/engines/batch_record.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

using Means = std::vector<std::string>;

ScenarioRow scenario() {
  ScenarioRow row;
  row.key = "key";
  row.engine = "direct";
  row.model_version = 4;
  row.seed = 1;
  row.workstations = 2;
  row.description = "two machines";
  return row;
}

Attempt attempt_on(const std::string& host, std::uint64_t shard = 1) {
  return {unique_name(),         "e", shard, 2, "plan", 3, host, "a processor of " + host, "0123", "1.2.3", "",
          "2026-01-01T00:00:00Z"};
}

/// A batch with a mean of its own, so that its bytes are too.
struct OneBatch {
  explicit OneBatch(double value, std::uint64_t first = 0) : range{first, 2} {
    moments.add(value);
    moments.add(value + 1);
    BatchRecord record{range, 2, {value, value + 1}, {1, 1}, {}, {}, {}};
    for (const Quantity q : kAllQuantities)
      if (const QuantityKind& kind = quantity_kind(q); kind.has_total && kind.is_recorded == nullptr)
        record.totals[q] = {2, 2};
    bytes = pack(record);
  }
  [[nodiscard]] BatchRow row() const { return batch_row(range, moments, bytes, 0.5); }
  std::string bytes;
  Batch range;
  Moments moments;
};

void publish(const ShardFolder& folder, const Attempt& attempt, const std::vector<OneBatch>& batches,
             const ScenarioRow& of = scenario()) {
  PieceWriter writer(folder, attempt);
  for (const auto& batch : batches) writer.keep(of, batch.row());
  writer.publish();
}

struct Taken : Folder {
  Taken() : folder(path()) { folder.make(); }
  /// What is in the store after taking in: the means of its batches.
  Means means() {
    taken = StoreSession(path()).taken_in();
    return stored();
  }
  Means stored() const { return sql(path(), "SELECT mean_makespan_s FROM batch ORDER BY first"); }
  std::size_t pieces() const { return folder.names(kPieceEnding).size(); }
  ShardFolder folder;
  TakenIn taken;
};

const std::string kSweep =
    "nowsim: 1\nplatform: {workstations: 3, speed: 1f}\njob: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\nmetrics: [tau, speedup]\nrun: {replications: 950}\n"
    "sweep: {platform.workstations: [1, 2, 30], owner.TH: [0.1, 0.2]}\n";

}  // namespace

TEST_CASE("Batches count once, however often they are published and taken in, and pieces go", "[reads][shards]") {
  Taken t;
  const auto from_b = [&] { publish(t.folder, attempt_on("b", 2), {OneBatch(2, 2), OneBatch(3, 4)}); };
  publish(t.folder, attempt_on("a"), {OneBatch(1), OneBatch(2, 2)});
  from_b();
  const Means all{"1.5", "2.5", "3.5"};
  {
    StoreCopy copy(t.folder);
    CHECK(take_in(copy, t.folder, Pieces::stay).batches == 3);
  }
  CHECK(t.pieces() == 2);
  CHECK(t.means() == all);
  CHECK(t.taken.pieces == 2);
  CHECK(t.taken.batches == 3);
  CHECK(t.taken.again == 1);
  CHECK(t.taken.remarks.empty());
  CHECK(t.pieces() == 0);
  from_b();
  CHECK(t.means() == all);
  CHECK(t.taken.pieces == 1);
  CHECK(t.taken.again == 2);
  BatchStore store(t.path(), BatchStore::Access::read);
  const auto attempts = attempts_of(pieces_taken_in(store));
  REQUIRE(attempts.size() == 3);
  CHECK(attempts[0].sum.attempt.host == "a");
  CHECK(attempts[0].sum.batches == 2);
  CHECK(attempts[0].sum.seconds == 1);
  CHECK(attempts[1].sum.attempt.host == "b");
  CHECK(StoreCopy(t.folder).size().batches == 3);
}

TEST_CASE("Of results that differ nothing is taken in, and both files and machines are named", "[shards][error]") {
  for (const bool is_stored : {true, false}) {
    INFO(is_stored);
    Taken t;
    publish(t.folder, attempt_on("a"), {OneBatch(1)});
    const std::string first = t.folder.names(kPieceEnding).at(0);
    if (is_stored) t.means();
    publish(t.folder, attempt_on("b", 2), {OneBatch(2), OneBatch(7, 4)});
    const auto names = t.folder.names(kPieceEnding);
    const std::string second = names.front() == first ? names.back() : names.front();
    for (int time = 0; time < 2; ++time) {
      const std::string said = sentence_of<RunError>([&] { StoreSession(t.path()); });
      CHECK_THAT(said, Contains("replications 0 to 1 of scenario key have two results") &&
                           Contains((t.folder.path() / second).string() +
                                    ", by shard 2 of 2 on b (a processor of b, nowsim 1.2.3"));
      if (is_stored)
        CHECK_THAT(said, Contains(store_file(t.path()) + ", by nowsim 1.2.3"));
      else
        CHECK_THAT(said, Contains((t.folder.path() / first).string() + ", by shard 1 of 2 on a (a processor of a"));
      CHECK(t.stored().size() == (is_stored ? 1 : 0));
      CHECK(t.pieces() == names.size());
    }
    t.folder.remove(second);
    CHECK(t.means() == Means{"1.5"});
  }
}

TEST_CASE("A piece says whose it is, and how far the sweep is, without being taken in", "[shards]") {
  const Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1), OneBatch(2, 2)});
  const auto names = t.folder.names(kPieceEnding);
  REQUIRE(names.size() == 1);
  CHECK_THAT(names[0], Catch::EndsWith("-e-1of2.piece"));
  const auto head = head_of(t.folder, names[0]);
  REQUIRE(head);
  const PieceInfo info = head->info(names[0]);
  CHECK(info.attempt.host == "a");
  CHECK(info.batches == 2);
  CHECK(info.replications == 4);
  CHECK(info.seconds == 1);
  CHECK_FALSE(head_of(t.folder, "none.piece"));
  publish(t.folder, attempt_on("b"), {OneBatch(2, 2)});
  std::vector<std::string> remarks;
  const auto status = status_of(t.folder, remarks);
  REQUIRE(status.size() == 1);
  CHECK(status[0].experiment == "e");
  CHECK(status[0].batches == 3);
  CHECK(status[0].published == 2);
  CHECK(status[0].left() == 1);
  CHECK(status[0].attempts == 2);
}

TEST_CASE("What is published twice is there once, and is known when it is not whole", "[shards]") {
  const Taken t;
  const std::string name = t.folder.publish("bytes", "x.piece");
  CHECK(t.folder.publish("bytes", "x.piece") == name);
  CHECK(t.folder.names(".piece") == std::vector<std::string>{name});
  CHECK(t.folder.bytes(name) == "bytes");
  CHECK(t.folder.bytes(name, 2) == "by");
  CHECK(ShardFolder::is_whole(name, "bytes"));
  CHECK_FALSE(ShardFolder::is_whole(name, "byt"));
  fs::resize_file(t.folder.path() / name, 3);
  fs::remove(t.folder.path() / "damaged");
  const std::string aside = t.folder.set_aside(name);
  CHECK(aside.starts_with("it is now " + (t.folder.path() / "damaged").string()));
  CHECK(fs::file_size(aside.substr(std::string("it is now ").size())) == 3);
  CHECK(t.folder.names(".piece").empty());
}

TEST_CASE("Leftovers of attempts that were killed go after a day by the file system's clock, and nothing of a user's",
          "[shards]") {
  const Taken t;
  const std::string killed = "incoming/" + unique_name(), at_work = "incoming/" + unique_name();
  for (const std::string& name : {killed, at_work, std::string("incoming/mine-2026"), std::string("mine-1-2-3")}) {
    t.file("shards/" + name, "x");
    if (name != at_work) fs::last_write_time(t.folder.path() / name, t.folder.now() - std::chrono::hours(25));
  }
  t.folder.remove_leftovers();
  for (const std::string& name : {at_work, std::string("incoming/mine-2026"), std::string("mine-1-2-3")})
    CHECK(fs::exists(t.folder.path() / name));
  CHECK_FALSE(fs::exists(t.folder.path() / killed));
}

namespace {

std::string good_piece() {
  const Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1), OneBatch(2, 2)});
  return t.folder.bytes(t.folder.names(kPieceEnding).at(0)).value();
}

/// A good piece with something else in it, whose name will fit.
std::string changed(const std::function<void(PieceHead&, std::string& results)>& change) {
  const Taken t;
  static_cast<void>(t.folder.publish(good_piece(), "e-2of2.piece"));
  PieceHead head = head_of(t.folder, t.folder.names(kPieceEnding).at(0)).value();
  std::string results = OneBatch(1).bytes + OneBatch(2, 2).bytes;
  change(head, results);
  return piece_of(head, results);
}

/// `name` is left out and named, and the other one's batch is taken in.
void check_left_out(Taken& t, const std::string& name) {
  CHECK(t.means() == Means{"3.5"});
  REQUIRE(t.taken.remarks.size() == 1);
  CHECK_THAT(t.taken.remarks[0],
             Contains((t.folder.path() / name).string()) && Contains("it is left out, and stays where it is"));
  CHECK(fs::exists(fs::symlink_status(t.folder.path() / name)));
  std::vector<std::string> remarks;
  CHECK(published_pieces(t.folder, remarks).size() <=
        1);                          // what does not show in its place is found where it is taken in
  CHECK(t.means() == Means{"3.5"});  // once more
}

}  // namespace

TEST_CASE("A piece whose name fits and whose contents do not is named by its path, and the others are taken in",
          "[shards][error]") {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN(), kEndless = std::numeric_limits<double>::infinity();
  constexpr std::uint64_t kMany = std::uint64_t{1} << 60U;
  const std::vector<std::function<void(PieceHead&, std::string&)>> changes{
      [](PieceHead& head, std::string&) { head.attempt.shard = 0; },
      [](PieceHead& head, std::string&) { head.attempt.shard = 3; },
      [](PieceHead& head, std::string&) { head.attempt.shards = kMany; },
      [](PieceHead& head, std::string&) { head.failures = kMany; },
      [](PieceHead& head, std::string&) { head.scenarios[0].workstations = 0; },
      [](PieceHead& head, std::string&) { head.scenarios[0].workstations = std::int64_t{1} << 40U; },
      [](PieceHead& head, std::string&) { head.scenarios[0].variance_reduction = "magic"; },
      [](PieceHead& head, std::string&) { head.scenarios.clear(); },
      [](PieceHead& head, std::string&) { head.batches.pop_back(); },
      [](PieceHead& head, std::string&) { head.batches[1].scenario = 1; },
      [](PieceHead& head, std::string&) { head.batches[1].first = kMany; },
      [](PieceHead& head, std::string&) { head.batches[1].replications = 0; },
      [](PieceHead& head, std::string&) { head.batches[1].replications = 3; },
      [](PieceHead& head, std::string&) { head.batches[1].replications = kMany; },
      [](PieceHead& head, std::string&) { head.batches[1].mean_makespan_s = kNone; },
      [](PieceHead& head, std::string&) { head.batches[1].seconds = -1; },
      [](PieceHead& head, std::string&) { head.batches[1].seconds = kNone; },
      [](PieceHead& head, std::string&) { head.batches[1].seconds = kEndless; },
      [](PieceHead& head, std::string&) { head.batches[0].seconds = head.batches[1].seconds = 1e18; },
      [](PieceHead& head, std::string&) { head.batches[1].checksum += 1; },
      [](PieceHead& head, std::string&) { head.batches[1].bytes += 1; },
      [](PieceHead& head, std::string&) { head.batches[1].bytes = kMany; },
      [](PieceHead&, std::string& results) { results.back() = static_cast<char>(results.back() + 1); },
      [](PieceHead&, std::string& results) { results += "more"; },
      [](PieceHead&, std::string& results) { results.pop_back(); },
      [](PieceHead& head, std::string& results) {
        results.resize(results.size() - head.batches[1].bytes + 1);
        head.batches[1].bytes = 1;
        head.batches[1].checksum = checksum(results.substr(results.size() - 1));
      }};
  const std::string good = good_piece();
  std::vector<std::string> pieces{"", "SQLite format 3", "nowsim piece 1\n", "nowsim piece 2\n" + good.substr(15),
                                  "nowsim piece 1\n" + std::string(8, '\xff') + "x"};
  for (std::size_t size = 10; size < good.size(); size += 37) pieces.push_back(good.substr(0, size));
  for (const auto& change : changes) pieces.push_back(changed(change));
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    INFO("piece " << k);
    Taken t;
    publish(t.folder, attempt_on("b"), {OneBatch(3, 4)});
    check_left_out(t, t.folder.publish(pieces[k], "e-2of2.piece"));
  }
}

TEST_CASE("What is no ordinary file or too large is named, and never waited for", "[shards][error]") {
  const std::string good = good_piece();
  for (const std::string kind : {"pipe", "folder", "link", "link to a pipe", "huge", "link to nothing"}) {
    INFO(kind);
    Taken t;
    publish(t.folder, attempt_on("b"), {OneBatch(3, 4)});
    const fs::path file = t.folder.path() / (content_name(good) + "-e-2of2.piece"), pipe = t.path() + "/pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    if (kind == "pipe")
      fs::rename(pipe, file);
    else if (kind == "folder")
      fs::create_directory(file);
    else if (kind == "link")
      fs::create_symlink(t.file("elsewhere", good), file);
    else if (kind == "link to a pipe")
      fs::create_symlink(pipe, file);
    else if (kind == "link to nothing")
      fs::create_symlink("nothing", file);
    else
      fs::resize_file(t.file("shards/" + file.filename().string(), good), std::uintmax_t{15} << 40U);
    check_left_out(t, file.filename().string());
    CHECK_THAT(t.taken.remarks[0],
               Catch::StartsWith(file.string() + (kind == "huge" ? " has 16492674416640 bytes" : " is a ")));
    CHECK_THROWS_AS(t.folder.bytes(file.filename().string()), InputError);
  }
}

TEST_CASE("A piece with another scenario under a key that is there is named, and the store stays as it was",
          "[shards][error]") {
  Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1)});
  REQUIRE(t.means().size() == 1);
  ScenarioRow other = scenario();
  other.workstations = 2;
  other.seed = 2;
  publish(t.folder, attempt_on("b"), {OneBatch(2, 2)}, other);
  for (int time = 0; time < 2; ++time) {
    CHECK(t.means() == Means{"1.5"});
    REQUIRE(t.taken.remarks.size() == 1);
    CHECK_THAT(t.taken.remarks[0], Contains(" has another scenario under the key key than "));
  }
  publish(t.folder, attempt_on("b"), {OneBatch(3, 4)});
  CHECK(t.means() == Means{"1.5", "3.5"});
}

TEST_CASE("Names that would act on a terminal are nobody's", "[shards][error]") {
  const Taken t;
  t.file("shards/" + std::string(kContentNameLength, 'a') + "\x1b[2J-e-1of2.piece", "x");
  CHECK(t.folder.names(kPieceEnding).empty());
}

TEST_CASE("A store that is damaged is named by its own path where it is taken in into, and where it is copied",
          "[shards][error]") {
  Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1)});
  REQUIRE(t.means().size() == 1);
  sql_exec(t.path(), "DROP TABLE axis_value");
  for (const auto& open :
       {std::function<void()>([&] { StoreSession(t.path()); }), std::function<void()>([&] { StoreCopy(t.folder); })})
    CHECK_THAT(sentence_of<InputError>(open),
               Catch::StartsWith(store_file(t.path()) + " is damaged (its table 'axis_value' is missing"));
}

TEST_CASE("Each batch is one shard's, and shards have about the same to do", "[shards]") {
  const Experiment experiment = loaded(kSweep);
  const ExecutionPlan execution = plan_execution(experiment);
  for (const std::size_t shards : {1, 2, 7, 100}) {
    std::set<std::tuple<std::string, std::uint64_t, std::uint64_t>> seen;
    std::vector<double> costs;
    double longest = 0;
    for (std::size_t one = 1; one <= shards; ++one) {
      const auto tasks = batches_of_shard(execution, one, shards);
      costs.push_back(seconds_of(tasks, execution));
      for (const auto& task : tasks) {
        CHECK(seen.emplace(execution.series[task.series].key, task.batch.first, task.batch.count).second);
        longest = std::max(longest, seconds_of({task}, execution));
      }
    }
    CHECK(seen.size() == known_batches(execution).size());
    CHECK(std::ranges::max(costs) - std::ranges::min(costs) <= longest * 1.000001);
  }
}

TEST_CASE("Without a stopping rule all batches are known, with one as many as it wants at least", "[shards]") {
  const ExecutionPlan all = plan_execution(loaded(kSweep)),
                      rule = plan_execution(loaded(kSweep, {"run.precision=1%", "run.min_replications=300"}));
  CHECK(known_batches(all).size() == 6 * 10);  // points of one machine are the baselines of the others
  CHECK(known_batches(rule).size() == 6 * 3);
  std::vector<StoredScenario> stored(all.series.size());
  for (auto& scenario : stored) scenario.batches = {{500, 100}};
  CHECK(missing_batches(known_batches(all), stored).size() == 6 * 9);
}

TEST_CASE("A shard is I/N", "[shards][error]") {
  CHECK(parse_shard("3/64") == std::pair<std::size_t, std::size_t>(3, 64));
  for (const char* wrong : {"", "3", "0/2", "3/2", "1/0", "a/2", "1/b", "1/2x", " 1/2", "1/1000001"})
    CHECK_THROWS_AS(parse_shard(wrong), InputError);
}
