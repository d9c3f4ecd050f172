// Damage to a store: whatever byte is changed, what is read is what was written, or an error says that it is not; pages
// that lead to the same ones again and again.
#include <SQLiteCpp/SQLiteCpp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/replication_rows.hpp"
#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/shards/session.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "sim/platform/worker_process.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string kSmall =
    "nowsim: 1\n"
    "title: a test\n"
    "platform: {workstations: 2, speed: 1f}\n"
    "job: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "run: {replications: 3, deadline: 80s}\n"
    "metrics: [tau, RF, T_i]\n"
    "sweep: {owner.TH: [0.1, 0.3, 0.2]}\n";

/// All that `show` prints comes from.
std::string told(const std::string& folder) {
  BatchStore store(folder, BatchStore::Access::read);
  std::ostringstream out;
  for (const auto& e : ExperimentStore(store).experiments())
    out << e.name << ' ' << e.title << ' ' << e.points << ' ' << e.complete << ' ' << e.pending << ' ' << e.infeasible
        << ' ' << e.failed << '\n' << csv(ExperimentStore(store).summary(e.name));
  const StoreSize size = store.size();
  out << size.replications << ' ' << size.batches << ' ' << size.scenarios << ' ' << size.other_models << ' '
      << size.seconds;
  return out.str();
}

struct SmallStore : Folder {
  SmallStore() : e(loaded(kSmall)), whole(csv(swept(path(), e).summary)), said(told(path())) {}
  [[nodiscard]] std::string file_name() const { return store_file(path()); }
  void put(const std::string& content) const {
    for (const char* ending : {"-wal", "-shm", "-journal"}) fs::remove(file_name() + ending);
    std::ofstream(file_name(), std::ios::binary) << content;
  }

  Experiment e;
  std::string whole, said;
};

/// The same numbers, or an error that names the file.
void check_told(const SmallStore& store) {
  std::string said = store.said, sentence = store.file_name();
  try {
    said = told(store.path());
  } catch (const InputError& error) {
    sentence = error.what();
  } catch (const RunError& error) {
    sentence = error.what();
  }
  CHECK(said == store.said);
  CHECK_THAT(sentence, Contains(store.file_name()));
}

void check_swept(const SmallStore& store) {
  std::string got = store.whole;
  try {
    got = csv(swept(store.path(), store.e).summary);
  } catch (const InputError&) {
  } catch (const RunError&) {
  }
  CHECK(got == store.whole);
}

/// Flips a bit of every n-th byte that says something; a store's pages are empty for the most part.
void flip(std::size_t every, bool sweeps) {
  const SmallStore store;
  const std::string bytes = content_of(store.file_name());
  std::size_t said = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const std::string around = bytes.substr(std::max<std::size_t>(at, 4) - 4, 9);
    if (around.find_first_not_of('\0') == std::string::npos || ++said % every != 0) continue;
    INFO("byte " << at);
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (said / every % 8)));
    store.put(damaged);
    if (sweeps) check_swept(store);
    else check_told(store);
  }
}

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

TEST_CASE("No flipped bit of a store is believed by who reads it", "[reads][store][error]") { flip(43, false); }
TEST_CASE("No flipped bit of a store is believed by a sweep", "[store][error]") { flip(499, true); }
TEST_CASE("No flipped bit in any byte of a store is believed by who reads it", "[.long][store]") { flip(1, false); }
TEST_CASE("No flipped bit in any byte of a store is believed by a sweep", "[.long][store]") { flip(7, true); }

TEST_CASE("Whatever a store says of a point is under its checksum, and a sweep mends it", "[store][error]") {
  const SmallStore store;
  const std::string bytes = content_of(store.file_name());
  for (const char* change :
       {"UPDATE estimate SET value = value / 2 WHERE metric = 'tau'", "UPDATE estimate SET low = 0 WHERE workstation = 2",
        "UPDATE estimate SET name = 'x' WHERE workstation = 1", "DELETE FROM estimate WHERE metric = 'RF'",
        "UPDATE estimate SET high = NULL", "UPDATE point SET replications = 30", "UPDATE point SET seed = 2",
        "UPDATE point SET status = 'infeasible' WHERE position = 1", "UPDATE point SET reason = 'x'",
        "UPDATE point SET confidence = 0.9", "UPDATE point SET engine = 'simgrid'", "UPDATE point SET version = '9'",
        "UPDATE point SET position = 7 WHERE position = 1", "DELETE FROM point WHERE position = 2",
        "UPDATE axis_value SET value = '0.9' WHERE position = 0", "UPDATE axis SET name = 'x'",
        "UPDATE metric SET name = 'sigma_T' WHERE position = 0", "UPDATE experiment SET title = 'x'",
        "UPDATE experiment SET file = 'x'"}) {
    INFO(change);
    store.put(bytes);
    sql_exec(store.path(), change);
    CHECK_THAT(sentence_of<InputError>([&] { told(store.path()); }),
               Contains("is damaged (") && Contains("checksum") && Contains("'nowsim sweep' of that experiment"));
    CHECK(csv(swept(store.path(), store.e).summary) == store.whole);
    CHECK(csv(stored_summary(store.path())) == store.whole);
  }
}

TEST_CASE("Whatever a store says of a batch or a scenario is under a checksum", "[store][error]") {
  const SmallStore store;
  const std::string bytes = content_of(store.file_name());
  for (const char* change :
       {"UPDATE batch SET seconds = 10", "UPDATE batch SET replications = 30", "UPDATE batch SET first = 3 WHERE id = 1",
        "UPDATE batch SET mean_makespan_s = 1", "UPDATE batch SET version = '9'", "UPDATE scenario SET model_version = 0",
        "UPDATE scenario SET description = 'x'"}) {
    INFO(change);
    store.put(bytes);
    sql_exec(store.path(), change);
    CHECK_THAT(sentence_of<InputError>([&] { told(store.path()); }),
               Contains("is damaged (") && Contains("checksum") && Contains("changed: put a copy back"));
  }
  // A batch under another's scenario: its own checksum is right.
  store.put(bytes);
  sql_exec(store.path(), "UPDATE batch SET first = 1000 WHERE scenario = 1; UPDATE batch SET scenario = 1, first = 0 WHERE scenario = 2");
  CHECK_THAT(sentence_of<InputError>([&] { swept(store.path(), store.e); }), Contains("is damaged (replications 0 to 2"));
}

namespace {

/// A store's tables that hold rows, and their columns.
std::map<std::string, std::vector<std::string>> columns_of(const SmallStore& store) {
  std::map<std::string, std::vector<std::string>> columns;
  for (const auto& table : sql(store.path(), "SELECT name FROM sqlite_master WHERE type = 'table'"))
    columns[table] = sql(store.path(), "SELECT name FROM pragma_table_info('" + table + "')");
  return columns;
}

const std::string kNoSeals =
    "UPDATE scenario SET checksum = NULL; UPDATE batch SET row_checksum = NULL; UPDATE experiment SET checksum = NULL;";

/// Behind the back of what would refuse it: a table without its conditions takes nearly any value. Whether it took it.
bool change_anyhow(const std::string& folder, const std::string& statements) {
  const auto rewrite = [&](const std::string& how) {
    SQLite::Database database(store_file(folder), SQLite::OPEN_READWRITE);
    database.exec(
        "PRAGMA writable_schema = ON; CREATE TABLE IF NOT EXISTS as_it_was AS SELECT name AS n, sql AS s FROM "
        "sqlite_master;"
        "UPDATE sqlite_master SET sql = " +
        how + " WHERE type = 'table' AND name <> 'as_it_was'");
  };
  rewrite("replace(sql, ' NOT NULL', '')");
  bool is_taken = true;
  try {
    sql_exec(folder, statements);
  } catch (const SQLite::Exception&) {  // a row's number is a number
    is_taken = false;
  }
  rewrite("(SELECT s FROM as_it_was WHERE n = name)");
  sql_exec(folder, "DROP TABLE as_it_was");
  return is_taken;
}

/// Whoever reads the store, sweeps into it, or takes in into it gets what is right or a sentence that says where;
/// with seals it is never another number.
void check_known(const SmallStore& store, bool has_seals, bool sweeps) {
  if (has_seals) {
    check_told(store);
    if (sweeps) check_swept(store);
    return;
  }
  const auto ends_well = [&](const std::function<void()>& action) {
    try {
      action();
    } catch (const InputError& e) {
      CHECK_THAT(e.what(), Contains(store.path()));
    } catch (const RunError& e) {
      CHECK_THAT(e.what(), Contains(store.path()));
    }
  };
  ends_well([&] { told(store.path()); });
  ends_well([&] {
    BatchStore reader(store.path(), BatchStore::Access::read);
    ResultTable summary = ExperimentStore(reader).summary("e");
    std::ostringstream out;
    write_summary(summary, Format::table, out);
    write_summary(summary, Format::json, out);
    write_replications(reader, summary, out);
    read_makespans(reader, summary);
  });
  if (!sweeps) return;
  ends_well([&] { swept(store.path(), store.e); });
  const ShardFolder folder(store.path());
  folder.make();
  ends_well([&] {
    StoreCopy copy(folder);
    take_in(copy, folder);
    copy.find_scenarios(plan_execution(store.e));
  });
}

/// Of the values that each column may have instead one of another type, and of the others every so many-th.
void change_values(std::size_t every) {
  const SmallStore store;
  const std::string bytes = content_of(store.file_name());
  std::size_t number = 0;
  for (const auto& [table, columns] : columns_of(store))
    for (const auto& column : columns) {
      store.put(bytes);
      const bool is_text =
          sql(store.path(), "SELECT type FROM pragma_table_info('" + table + "') WHERE name = '" + column + "'")
              .at(0) == "TEXT";
      const std::string other = is_text ? "x'00ff'" : "'text'";
      for (const std::string value : {"NULL", "'text'", "x'00ff'", "-1", "9223372036854775807", "1e300", "0"}) {
        if (value != other && number++ % every != 0) continue;
        const std::string change = "UPDATE OR IGNORE " + table + " SET " + column + " = " + value;
        store.put(bytes);
        if (!change_anyhow(store.path(), change)) continue;
        const bool sweeps = table == "batch" || table == "scenario" || table == "written_file";
        for (const bool has_seals : {true, false}) {
          INFO(change << (has_seals ? "" : ", without seals"));
          if (!has_seals && column.find("checksum") == column.npos) sql_exec(store.path(), kNoSeals);
          check_known(store, has_seals, sweeps);
        }
      }
    }
}

}  // namespace

TEST_CASE("Whatever table of a store is empty, gone, or a view, or whatever column, there is a sentence",
          "[store][error]") {
  const SmallStore store;
  const std::string bytes = content_of(store.file_name());
  const std::string endless =
      " AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k AS id FROM n";
  const auto check = [&](const std::string& change, bool is_refused) {
    for (const bool has_seals : {true, false}) {
      INFO(change << (has_seals ? "" : ", without seals"));
      store.put(bytes);
      if (!has_seals) sql_exec(store.path(), kNoSeals);
      sql_exec(store.path(), change);
      if (is_refused)
        for (const auto access : {BatchStore::Access::read, BatchStore::Access::write})
          CHECK_THAT(sentence_of<InputError>([&] { BatchStore(store.path(), access); }),
                     Catch::StartsWith(store.file_name() + " is damaged (") && Contains("unlike in format 4"));
      check_known(store, has_seals, !is_refused);
    }
  };
  for (const auto& [table, columns] : columns_of(store)) {
    check("DELETE FROM " + table, false);
    check("DROP TABLE " + table, !later_tables().contains(table));
    check("DROP TABLE " + table + "; CREATE VIEW " + table + endless, true);
    for (const auto& column : columns) check("ALTER TABLE " + table + " RENAME COLUMN " + column + " TO another", true);
    check("ALTER TABLE " + table + " ADD COLUMN another", true);
    check("CREATE TRIGGER t_" + table + " BEFORE DELETE ON " + table + " BEGIN SELECT raise(ABORT, 'no'); END", false);
  }
}

TEST_CASE("Whatever value of a store is of another type or out of bounds, there is a sentence", "[store][error]") {
  change_values(13);
}
TEST_CASE("Whatever value of a store is of any other type, there is a sentence", "[.long][store]") { change_values(1); }

TEST_CASE("A scenario that is another one than its key says is not read from", "[store][error]") {
  const SmallStore store;
  sql_exec(store.path(), "UPDATE scenario SET workstations = 1, checksum = NULL WHERE id = 1");
  const std::string key = sql(store.path(), "SELECT key FROM scenario WHERE id = 1").at(0);
  CHECK_THAT(sentence_of<InputError>([&] { swept(store.path(), store.e); }),
             Contains(store.file_name() + " is damaged (scenario " + key + " is another one than its key says"));
}

TEST_CASE("A batch without the control variates of its scenario is damaged", "[store][error]") {
  const Folder folder;
  const Experiment e = loaded(kSmall, {"run.variance_reduction=control-variates", "run.replications=100"});
  const ExecutionPlan execution = plan_execution(e);
  swept(folder.path(), e);
  std::int64_t id = 0;
  std::string results;
  {
    BatchStore store(folder.path(), BatchStore::Access::read);
    const auto scenario = store.find_scenarios(execution).front();
    BatchRecord record = store.load(scenario, batch_of(execution.series.front(), 0)).record;
    REQUIRE_FALSE(record.controls.empty());
    record.controls.clear();
    id = scenario.id;
    results = pack(record);
  }
  {
    SQLite::Database database(store_file(folder.path()), SQLite::OPEN_READWRITE);
    SQLite::Statement change(
        database, "UPDATE batch SET results = ?, checksum = ?, row_checksum = NULL WHERE scenario = ? AND first = 0");
    change.bind(1, results.data(), static_cast<int>(results.size()));
    change.bind(2, checksum(results));
    change.bind(3, id);
    change.exec();
  }
  CHECK_THAT(sentence_of<InputError>([&] { swept(folder.path(), e); }), Contains("control variates are missing"));
}

TEST_CASE("A sweep removes what is left of an experiment or of points that were lost", "[store][error]") {
  for (const char* lost : {"DELETE FROM experiment", "DELETE FROM experiment; DELETE FROM point"}) {
    INFO(lost);
    const SmallStore store;
    sql_exec(store.path(), lost);
    CHECK_THAT(sentence_of<InputError>([&] { told(store.path()); }),
               Contains("are of ") && Contains("missing") && Contains("'nowsim sweep' of that experiment"));
    CHECK(csv(swept(store.path(), store.e).summary) == store.whole);
    CHECK(told(store.path()) == store.said);
  }
}

TEST_CASE("What users add to their store stays, and is not executed", "[store]") {
  const SmallStore store;
  sql_exec(store.path(),
           "CREATE TABLE mine(x CHECK (x <> 3)); INSERT INTO mine VALUES (1); CREATE INDEX quick ON batch(version);"
           "CREATE VIEW taus AS SELECT * FROM estimate; ANALYZE;"
           "CREATE TRIGGER log AFTER INSERT ON experiment BEGIN INSERT INTO mine VALUES (2); END");
  CHECK(told(store.path()) == store.said);
  CHECK(csv(swept(store.path(), store.e).summary) == store.whole);
  CHECK(sql(store.path(), "SELECT x FROM mine") == std::vector<std::string>{"1"});
  sql_exec(store.path(), "CREATE INDEX slow ON batch(hex(version))");
  CHECK_THAT(sentence_of<InputError>([&] { told(store.path()); }), Contains("its index 'slow' computes"));
}

TEST_CASE("What a damaged store is told of is what was found, and not what SQLite calls it", "[store][error]") {
  const SmallStore store;
  const std::string whole = content_of(store.file_name());
  const auto said = [&] { return sentence_of<InputError>([&] { told(store.path()); }); };
  store.put(std::string(20'000, 'x'));
  CHECK(said() == store.file_name() + " is damaged (it begins as no database does, and one of results is wanted); "
                  "nothing in it was changed: put a copy back, or move it away and run again");
  std::string broken = whole;  // the tables' list
  std::fill(broken.begin() + 100, broken.begin() + 4096, '\xff');
  store.put(broken);
  CHECK_THAT(said(), Contains(store.file_name() + " is damaged (its pages do not fit together"));
}

TEST_CASE("A pipe in the place of a store's log is not waited for", "[store][error]") {
  for (const char* ending : {"-journal", "-wal", "-shm"}) {
    const SmallStore store;
    REQUIRE(mkfifo((store.file_name() + ending).c_str(), 0600) == 0);
    for (const auto access : {BatchStore::Access::read, BatchStore::Access::write})
      CHECK_THAT(sentence_of<InputError>([&] { BatchStore(store.path(), access); }),
                 Contains(store.file_name() + ending + " is no ordinary file"));
  }
}

TEST_CASE("A store of the format before is read as it is, and brought up to date by a sweep", "[store]") {
  const SmallStore store;
  sql_exec(store.path(),
           "ALTER TABLE point ADD COLUMN checksum INTEGER; UPDATE point SET checksum = 7; UPDATE experiment SET checksum = 7;"
           "DROP TABLE variance_reduction; DROP TABLE split; DROP TABLE decision; DROP TABLE trial; PRAGMA user_version=3");
  const std::string old = content_of(store.file_name());
  const auto remark = [&] {
    BatchStore reader(store.path(), BatchStore::Access::read);
    CHECK(csv(ExperimentStore(reader).summary("e")) == store.whole);
    return reader.remark();
  };
  CHECK(told(store.path()) == store.said);
  CHECK_THAT(remark(), Contains("by an older nowsim, whose checksums are not read"));
  CHECK((content_of(store.file_name()) == old));
  const SweepOutcome other = swept(store.path(), store.e, 2, "other");
  CHECK(other.progress.batches_done == 0);
  CHECK_THAT(remark(), Contains("by an older nowsim"));  // of e, which was not swept again
  CHECK(swept(store.path(), store.e).progress.batches_done == 0);
  CHECK(remark().empty());
  CHECK(sql(store.path(), "PRAGMA user_version") == std::vector<std::string>{"4"});
  // Older ones are named.
  sql_exec(store.path(), "PRAGMA user_version=2");
  CHECK_THAT(sentence_of<InputError>(remark), Contains("has format 2, this program reads 4 and 3") && Contains("one that writes format 3 reads it"));
}

TEST_CASE("What a killed program had begun is taken back by the next that reads or writes", "[store]") {
  const SmallStore store;
  // Many pages are changed, so that some are in the database already, and the old ones in its journal.
  (void)run_forked([&]() -> std::string {
    SQLite::Database database(store.file_name(), SQLite::OPEN_READWRITE);
    database.exec("PRAGMA cache_size=1; BEGIN IMMEDIATE; UPDATE estimate SET value = 1;"
                  "UPDATE batch SET results = zeroblob(200000); UPDATE point SET reason = 'half'");
    _exit(0);
  });
  const std::string journal = store.file_name() + "-journal";
  REQUIRE(fs::exists(journal));
  using enum fs::perms;
  const Folder copy;
  for (const std::string& name : {std::string("results.sqlite"), std::string("results.sqlite-journal")})
    fs::copy_file(store.path() + "/" + name, copy.path() + "/" + name);
  CHECK(told(store.path()) == store.said);
  CHECK_FALSE(fs::exists(journal));
  fs::permissions(copy.path(), owner_read | owner_exec | group_read | group_exec | others_read | others_exec);
  const std::string got = in_child_process([&] {
    if (geteuid() == 0 && seteuid(65534) != 0) throw std::runtime_error("cannot give up root's rights");
    return sentence_of<InputError>([&] { told(copy.path()); });
  });
  fs::permissions(copy.path(), owner_all);
  CHECK_THAT(got, Contains("where it cannot be written: the program that wrote it last was killed"));
}

TEST_CASE("A folder's name is a name, whatever SQLite makes of it", "[store]") {
  const Folder folder;
  const Experiment e = loaded(kSmall);
  const fs::path here = fs::current_path();
  fs::current_path(folder.path());
  for (const std::string name : {"file:target", "file:x?mode=memory", ":memory:", "a?b=c#d", "100%25", "two\nlines",
                                 "trailing/", "'quote\"", "-x"}) {
    INFO(name);
    const std::string whole = csv(swept(name, e).summary);
    CHECK(fs::is_regular_file(folder.path() + "/" + name + "/results.sqlite"));
    CHECK(fs::is_regular_file(folder.path() + "/" + name + "/lock"));
    CHECK(csv(stored_summary(name)) == whole);
  }
  fs::current_path(here);
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 9);
  CHECK_THAT(sentence_of<InputError>([&] { swept("", e); }), Contains("has no name"));
  std::string deep = folder.path();
  while (deep.size() < 600) deep += "/" + std::string(90, 'x');
  CHECK_THAT(sentence_of<InputError>([&] { swept(deep, e); }), Contains("longer than 500 bytes"));
  CHECK_THAT(sentence_of<InputError>([&] { swept(folder.path() + "/" + std::string(300, 'x'), e); }),
             Contains("cannot be made: File name too long"));
}

TEST_CASE("A log of something else is not taken for a new store's", "[store][error]") {
  for (const char* ending : {"-journal", "-wal", "-shm"}) {
    const Folder folder;
    const std::string mine = folder.file(std::string("results.sqlite") + ending, "mine");
    CHECK_THAT(sentence_of<InputError>([&] { BatchStore(folder.path(), BatchStore::Access::write); }),
               Contains(mine) && Contains("without results.sqlite"));
    CHECK(content_of(mine) == "mine");
  }
}

TEST_CASE("A link is neither a store nor its lock for who writes, and its target stays as it is", "[store][error]") {
  for (const auto& [name, sentence] : std::map<std::string, std::string>{
           {"results.sqlite", "cannot use %: it is a link; move it away, or choose another folder"},
           {"lock", "% is a link; move it away"}})
    for (const char* target : {"mine", "nowhere"}) {
      const Folder folder;
      const std::string mine = folder.file("mine", ""), link = folder.path() + "/" + name;
      fs::create_symlink(target, link);
      CHECK(sentence_of<InputError>([&] { BatchStore(folder.path(), BatchStore::Access::write); }) ==
            std::string(sentence).replace(sentence.find('%'), 1, link));
      CHECK(fs::is_symlink(link));
      CHECK(content_of(mine).empty());
      CHECK_FALSE(fs::exists(folder.path() + "/nowhere"));
    }
}

TEST_CASE("A small database of very many rows is refused", "[store][error]") {
  const Folder store;
  store.file(kStoreFile, endless_database());
  for (const auto access : {BatchStore::Access::read, BatchStore::Access::write})
    CHECK_THAT(sentence_of<InputError>([&] { BatchStore(store.path(), access); }),
               Catch::Contains("has more rows than there is room for"));
}
