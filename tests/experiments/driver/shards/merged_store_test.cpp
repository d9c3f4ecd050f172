// Tests of taking in: results of one batch that differ, pieces that are read again, and what is published.
#include "experiments/driver/shards/merged_store.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/shards/shard_report.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const ScenarioRow kScenario{"key", "direct", 4, 1, 2, "two machines", ""};

Attempt attempt_on(const std::string& host, std::size_t shard = 1) {
  return {unique_name(), "e", shard, 2, 0, host, "a processor of " + host, "0123", "1.2.3", "", "2026-01-01T00:00:00Z"};
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

void publish(const ShardFolder& folder, const Attempt& attempt, const std::vector<OneBatch>& batches) {
  PieceWriter writer(folder, attempt);
  for (const auto& batch : batches) writer.keep(kScenario, batch.row());
  writer.publish();
}

struct Taken : Folder {
  Taken() : folder(path()) { folder.make(); }
  /// What is in the store after taking in: the means of its batches.
  std::vector<std::string> means() {
    MergedStore store(folder, attempt_on("here", 0));
    taken = store.take_in();
    conflicts = store.conflicts();
    store.publish();
    return sql(path(), "SELECT mean_makespan_s FROM batch ORDER BY first");
  }
  ShardFolder folder;
  TakenIn taken;
  std::vector<Conflict> conflicts;
};

}  // namespace

TEST_CASE("Batches count once, however often they are published and taken in", "[reads][shards]") {
  Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1), OneBatch(2, 2)});
  publish(t.folder, attempt_on("b"), {OneBatch(2, 2), OneBatch(3, 4)});
  const std::vector<std::string> all{"1.5", "2.5", "3.5"};
  CHECK(t.means() == all);
  CHECK(t.taken.pieces == 2);
  CHECK(t.taken.batches == 3);
  CHECK(t.taken.again == 1);
  CHECK(t.conflicts.empty());
  CHECK(t.means() == all);
  CHECK(t.taken.pieces == 0);
}

TEST_CASE("Of results that differ the same ones count in whatever order they come, and both machines are named", "[shards]") {
  const bool first_is_lower = OneBatch(1).row().checksum < OneBatch(2).row().checksum;
  const std::string lower = first_is_lower ? "1.5" : "2.5", lower_host = first_is_lower ? "a" : "b";
  for (const bool a_first : {true, false}) {
    Taken t;
    const auto from_a = [&] { publish(t.folder, attempt_on("a"), {OneBatch(1)}); };
    const auto from_b = [&] { publish(t.folder, attempt_on("b", 2), {OneBatch(2)}); };
    if (a_first) from_a();
    else from_b();
    t.means();
    if (a_first) from_b();
    else from_a();
    CHECK(t.means() == std::vector<std::string>{lower});
    REQUIRE(t.conflicts.size() == 1);
    CHECK_THAT(t.conflicts[0].kept_by, Contains("on " + lower_host + " (a processor of " + lower_host + ", nowsim 1.2.3, program 0123)"));
    CHECK_THAT(t.conflicts[0].other_by, !Contains("on " + lower_host + " "));
    CHECK(t.conflicts[0].kept_checksum < t.conflicts[0].other_checksum);
    CHECK((sql(t.path(), "SELECT results FROM quarantine") ==
           std::vector<std::string>{first_is_lower ? OneBatch(2).bytes : OneBatch(1).bytes}));
    CHECK(t.means() == std::vector<std::string>{lower});  // for good
    CHECK(t.conflicts.size() == 1);
  }
}

TEST_CASE("A piece says whose it is without being taken in", "[shards]") {
  const Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1), OneBatch(2, 2)});
  const auto names = t.folder.names(kPieceEnding);
  REQUIRE(names.size() == 1);
  CHECK_THAT(names[0], Catch::EndsWith("-e-r0-1of2.piece"));
  const auto info = info_of(t.folder, names[0]);
  REQUIRE(info);
  CHECK(info->attempt.host == "a");
  CHECK(info->batches == 2);
  CHECK(info->replications == 4);
  CHECK(info->seconds == 1);
  CHECK_FALSE(info_of(t.folder, "none.piece"));
}

TEST_CASE("What is published twice is there once, and is known when it is not whole", "[shards]") {
  const Taken t;
  const std::string name = t.folder.publish("bytes", "x.round");
  CHECK(t.folder.publish("bytes", "x.round") == name);
  CHECK(t.folder.names(".round") == std::vector<std::string>{name});
  CHECK(t.folder.whole(name) == "bytes");
  std::filesystem::resize_file(t.folder.path() / name, 3);
  CHECK_FALSE(t.folder.whole(name));
  const std::string aside = t.folder.set_aside(name);
  CHECK(aside.starts_with("it is now " + (t.folder.path() / "damaged").string()));
  CHECK(std::filesystem::file_size(aside.substr(std::string("it is now ").size())) == 3);
  CHECK(t.folder.names(".round").empty());
}

TEST_CASE("Leftovers of attempts that were killed go after a day by the file system's clock, and nothing of a user's",
          "[shards]") {
  const Taken t;
  const std::string killed = unique_name(), at_work = unique_name();
  const std::vector<std::string> others{"incoming/" + at_work, "incoming/mine-2026", ".notes", ".nfs0001",
                                        "mine-1-2-3"};
  const std::vector<std::string> old{"incoming/" + killed, "." + killed, "." + killed + "-renamed"};
  for (const auto& name : others) t.file("shards/" + name, "x");
  for (const auto& name : old) t.file("shards/" + name, "x");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(t.folder.path()))
    if (entry.is_regular_file() && entry.path().filename() != at_work)
      std::filesystem::last_write_time(entry.path(), t.folder.now() - std::chrono::hours(25));
  t.folder.remove_leftovers();
  for (const auto& name : others) CHECK(std::filesystem::exists(t.folder.path() / name));
  for (const auto& name : old) CHECK_FALSE(std::filesystem::exists(t.folder.path() / name));
}

namespace {

/// Changes a good piece's database and publishes what comes of it, so that its name fits.
std::string publish_changed(const ShardFolder& folder, const std::string& good, const std::string& statements) {
  const Folder place;
  const std::string file = place.file("changed.piece", good);
  {
    SQLite::Database database(file, SQLite::OPEN_READWRITE);
    database.exec(statements);
  }
  return folder.publish(content_of(file), "e-r0-2of2.piece");
}

std::string good_piece() {
  Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1), OneBatch(2, 2)});
  return t.folder.whole(t.folder.names(kPieceEnding).at(0)).value();
}

const char* const kEndless = " AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT ";

}  // namespace

TEST_CASE("A piece whose name fits and whose contents do not is named by its path, and the others are taken in",
          "[shards][error]") {
  const std::string good = good_piece();
  const std::string seal = "UPDATE scenario SET checksum = NULL; UPDATE batch SET row_checksum = NULL;";
  const std::vector<std::string> changes{
      "DROP TABLE attempt",
      "DELETE FROM attempt",
      "DROP TABLE batch",
      "DROP TABLE failure",
      "ALTER TABLE batch RENAME COLUMN first TO last",
      "DROP TABLE batch; CREATE VIEW batch" + std::string(kEndless) +
          "k AS id, 1 AS scenario, 0 AS first, 2 AS replications, 1.0 AS mean_makespan_s, 1.0 AS m2_makespan_s2,"
          " 1.0 AS min_makespan_s, 1.0 AS max_makespan_s, 1.0 AS seconds, '' AS version, 0 AS checksum, NULL AS"
          " row_checksum, x'' AS results FROM n",
      "DROP TABLE attempt; CREATE VIEW attempt" + std::string(kEndless) +
          "'' AS id, '' AS experiment, 1 AS shard, 1 AS shards, 0 AS round, '' AS host, '' AS processor, '' AS"
          " program, '' AS version, '' AS job, '' AS began, '' AS ended, 0 AS batches, 0 AS replications, 0 AS"
          " failures, 0.0 AS seconds FROM n WHERE k < 0",
      "CREATE TABLE more(x)",
      "CREATE VIEW more AS SELECT 1",
      "CREATE INDEX more ON batch(hex(zeroblob(100000000)))",
      "CREATE TRIGGER more AFTER INSERT ON batch BEGIN DELETE FROM batch; END",
      "ALTER TABLE batch ADD COLUMN more AS (hex(zeroblob(100000000)))",
      "ALTER TABLE failure ADD COLUMN more DEFAULT 1",
      "UPDATE attempt SET shard = -1",
      "UPDATE attempt SET host = x'00'",
      "UPDATE attempt SET batches = 9223372036854775807",
      "UPDATE attempt SET seconds = 1e999",
      seal + "UPDATE batch SET results = x'07' WHERE id = 2",
      seal + "UPDATE batch SET replications = 1 << 40 WHERE id = 2",
      seal + "UPDATE batch SET replications = 3 WHERE id = 2",
      seal + "UPDATE batch SET first = -2 WHERE id = 2",
      seal + "UPDATE batch SET seconds = 'long' WHERE id = 2",
      seal + "UPDATE scenario SET workstations = 1 << 40",
      "UPDATE batch SET seconds = 2 WHERE id = 2",
      "CREATE TABLE split (key TEXT PRIMARY KEY, policy TEXT NOT NULL, objective TEXT NOT NULL, version TEXT NOT NULL,"
      " checksum INTEGER NOT NULL, report BLOB NOT NULL) WITHOUT ROWID; INSERT INTO split VALUES ('k', '', '', '', 1, "
      "x'07')",
      "CREATE TABLE variance_reduction (scenario INTEGER PRIMARY KEY REFERENCES scenario, name TEXT NOT NULL);"
      "INSERT INTO variance_reduction VALUES (1, 'magic')",
      "PRAGMA user_version = 9",
      "PRAGMA application_id = 9"};
  for (const auto& change : changes) {
    INFO(change);
    Taken t;
    publish(t.folder, attempt_on("b"), {OneBatch(3, 4)});
    const std::string name = publish_changed(t.folder, good, change);
    CHECK(t.means() == std::vector<std::string>{"3.5"});
    REQUIRE(t.taken.remarks.size() == 1);
    CHECK_THAT(t.taken.remarks[0],
               Contains((t.folder.path() / name).string()) && Contains("it is left out, and stays where it is"));
    CHECK(std::filesystem::exists(t.folder.path() / name));
    std::vector<std::string> remarks;
    CHECK(attempts_in(t.folder, remarks).size() <= 2);  // what does not show in its place is found where it is taken in
    CHECK(status_of(t.folder, remarks).empty());
    CHECK(t.means() == std::vector<std::string>{"3.5"});  // once more
  }
}

TEST_CASE("What is no ordinary file or too large is named, and never waited for", "[shards][error]") {
  namespace fs = std::filesystem;
  const std::string good = good_piece();
  for (const char* kind : {"pipe", "folder", "link", "link to a pipe", "huge", "link to nothing"}) {
    INFO(kind);
    Taken t;
    publish(t.folder, attempt_on("b"), {OneBatch(3, 4)});
    const fs::path file = t.folder.path() / (content_name(good) + "-e-r0-2of2.piece"), pipe = t.path() + "/pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    if (kind == std::string("pipe"))
      fs::rename(pipe, file);
    else if (kind == std::string("folder"))
      fs::create_directory(file);
    else if (kind == std::string("link"))
      fs::create_symlink(t.file("elsewhere", good), file);
    else if (kind == std::string("link to a pipe"))
      fs::create_symlink(pipe, file);
    else if (kind == std::string("link to nothing"))
      fs::create_symlink("nothing", file);
    else
      fs::resize_file(t.file("shards/" + file.filename().string(), good), std::uintmax_t{15} << 40U);
    CHECK(t.means() == std::vector<std::string>{"3.5"});
    REQUIRE(t.taken.remarks.size() == 1);
    CHECK_THAT(
        t.taken.remarks[0],
        Catch::StartsWith(file.string() + (kind == std::string("huge") ? " has 16492674416640 bytes" : " is a ")));
    CHECK(fs::exists(fs::symlink_status(file)));
    std::vector<std::string> remarks;
    CHECK(attempts_in(t.folder, remarks).size() == 1);
    CHECK(remarks.size() == 1);
    CHECK_THROWS_AS(t.folder.get(file.filename().string()), InputError);
  }
}

TEST_CASE("A piece with another scenario under a key that is there is named, and the store stays as it was",
          "[shards][error]") {
  Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1)});
  REQUIRE(t.means().size() == 1);
  ScenarioRow other = kScenario;
  other.workstations = 1;
  PieceWriter writer(t.folder, attempt_on("b"));
  writer.keep(other, OneBatch(2, 2).row());
  writer.publish();
  for (int time = 0; time < 2; ++time) {
    CHECK(t.means() == std::vector<std::string>{"1.5"});
    REQUIRE(t.taken.remarks.size() == 1);
    CHECK_THAT(t.taken.remarks[0], Contains(" has another scenario under the key key than "));
  }
  publish(t.folder, attempt_on("b"), {OneBatch(3, 4)});
  CHECK(t.means() == std::vector<std::string>{"1.5", "3.5"});
}

namespace {

void put_number(std::string& bytes, std::size_t at, std::size_t number, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) bytes.at(at + k) = static_cast<char>(number >> 8 * (size - 1 - k) & 0xffU);
}

/// A database of a few pages, in which the list of tables leads to the same page again and again: 300^3 rows.
std::string endless_database() {
  constexpr std::size_t kPage = 4096, kHeader = 100, kLevels = 3, kChildren = 300;
  const Folder place;
  const std::string file = place.path() + "/t.db";
  {
    SQLite::Database database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("PRAGMA page_size = 4096; PRAGMA application_id = " + std::to_string(kStoreApplication) +
                  "; PRAGMA user_version = " + std::to_string(kStoreFormat) + "; CREATE TABLE t(a TEXT PRIMARY KEY)");
  }
  std::string bytes = content_of(file);
  std::string leaf = bytes.substr(0, kPage);  // whose cells stand where they stood
  leaf.replace(0, kPage - 4 * kHeader, leaf.substr(kHeader, kPage - 4 * kHeader));
  bytes += leaf;
  const std::size_t whole = bytes.size() / kPage;
  leaf[4] = 1;  // the table's index alone, which may be listed again
  leaf.replace(8, 2, leaf.substr(10, 2));
  bytes += leaf;
  const auto put_interior = [&](std::size_t page, std::size_t header, std::size_t child) {
    const std::size_t begin = (page - 1) * kPage, cells = kChildren - 1;
    bytes.replace(begin + header, kPage - header, kPage - header, '\0');
    bytes[begin + header] = 5;
    put_number(bytes, begin + header + 3, cells, 2);
    put_number(bytes, begin + header + 5, kPage - 5 * cells, 2);
    put_number(bytes, begin + header + 8, child, 4);
    for (std::size_t k = 0; k < cells; ++k) {
      const std::size_t cell = kPage - 5 * (k + 1);
      put_number(bytes, begin + header + 12 + 2 * k, cell, 2);
      put_number(bytes, begin + cell, child, 4);
      bytes[begin + cell + 4] = 1;
    }
  };
  for (std::size_t level = 1; level < kLevels; ++level) {
    bytes.resize(bytes.size() + kPage);
    put_interior(bytes.size() / kPage, 0, bytes.size() / kPage - 1);
  }
  put_interior(1, kHeader, bytes.size() / kPage);
  put_number(bytes, kPage - 5, whole, 4);  // the first of all
  put_number(bytes, 28, bytes.size() / kPage, 4);
  return bytes;
}

}  // namespace

TEST_CASE("A small database of very many rows is refused, as a piece and as a store", "[shards][store][error]") {
  const std::string endless = endless_database();
  Taken t;
  static_cast<void>(t.folder.publish(endless, "e-r0-2of2.piece"));
  CHECK(t.means().empty());
  REQUIRE(t.taken.remarks.size() == 1);
  CHECK_THAT(t.taken.remarks[0], Contains("has more rows than there is room for"));
  const Folder store;
  store.file(kStoreFile, endless);
  for (const auto access : {BatchStore::Access::read, BatchStore::Access::write})
    CHECK_THAT(sentence_of<InputError>([&] { BatchStore(store.path(), access); }),
               Contains("has more rows than there is room for"));
}

TEST_CASE("Names that would act on a terminal are nobody's", "[shards][error]") {
  const Taken t;
  t.file("shards/" + std::string(kContentNameLength, 'a') + "\x1b[2J-e-r0-1of2.piece", "x");
  t.file("shards/e\n.sweep", "x");
  CHECK(t.folder.names(kPieceEnding).empty());
  std::vector<std::string> remarks;
  CHECK(status_of(t.folder, remarks).empty());
  CHECK(remarks.empty());
}

TEST_CASE("A store that is damaged is named by its own path where it is taken in into", "[shards][error]") {
  Taken t;
  publish(t.folder, attempt_on("a"), {OneBatch(1)});
  REQUIRE(t.means().size() == 1);
  sql_exec(t.path(), "DROP TABLE axis_value");
  CHECK_THAT(sentence_of<InputError>([&] { t.means(); }),
             Catch::StartsWith(store_file(t.path()) + " is damaged (its table 'axis_value' is missing"));
}
