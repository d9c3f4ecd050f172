// Opening a store, and its batches.
#include "experiments/driver/running/store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "experiments/driver/running/store_impl.hpp"
#include "experiments/driver/running/store_schema.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "sim/program/scenario_identity.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// The folder of a store that is to be written.
void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder)) throw InputError("the folder " + folder + " cannot be made: " + (error ? error.message() : "it is a file"));
}

std::string present_file(const std::string& folder) {
  const std::string file = (fs::path(folder) / kStoreFile).string();
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    throw InputError("there is no store of results in " + folder + " (no file " + kStoreFile + "); 'nowsim sweep SPEC.yaml --out " + folder + "' makes one");
  return file;
}

/// A log without its database may be anyone's, and SQLite would take it for this store's and remove it; behind a link is
/// a file of somewhere else, and an empty one would be filled.
void refuse_strangers(const std::string& file) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(file, ignored);
  if (fs::is_symlink(status))
    throw InputError("cannot use " + file + ": it is a link; move it away, or choose another folder");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw InputError("cannot use " + file + ": it is no ordinary file; choose another folder");
  if (fs::exists(status)) return;
  for (const char* ending : {"-journal", "-wal", "-shm"})
    if (fs::exists(fs::symlink_status(file + ending, ignored)))
      throw InputError("there is " + file + ending + " without " + kStoreFile +
                       ", so that it is of something else; move it away, or choose another folder");
}

/// What SQLite says where something has to be written first, or the log cannot be had.
bool is_barred(const SQLite::Exception& e) {
  return e.getErrorCode() == SQLITE_READONLY || e.getErrorCode() == SQLITE_CANTOPEN;
}

bool is_writable(const std::string& file) {
  const auto may = [](const fs::path& path, int mode) {
    return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
  };
  return may(file, W_OK) && may(fs::absolute(file).parent_path(), W_OK | X_OK);
}

/// What SQLite's own layer for files takes, with its endings.
constexpr std::size_t kLongestPath = 500;

bool is_too_long(const std::string& file) {
  std::error_code ignored;
  return fs::absolute(file, ignored).string().size() > kLongestPath;
}

}  // namespace

void refuse_damaged(const std::string& file, const std::string& what, const char* mend) {
  throw InputError(file + " is damaged (" + what + "); nothing in it was changed: " + mend);
}

void rethrow_for_users(const std::string& file, const SQLite::Exception& e) {
  std::error_code ignored;
  if (e.getErrorCode() == SQLITE_CANTOPEN && is_too_long(file))
    throw InputError("cannot use " + file + ": its whole path is longer than " + std::to_string(kLongestPath) +
                     " bytes; choose a shorter one");
  const bool was_left = fs::exists(file + "-wal", ignored) || fs::exists(file + "-journal", ignored);
  if (is_barred(e) && was_left && !is_writable(file))
    throw InputError("cannot use " + file + " where it cannot be written: the program that wrote it last was killed, and"
                     " left some results beside it; copy the folder to where you may write");
  switch (e.getErrorCode()) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
      throw RunError("cannot write to " + file + ": " + e.what() + "; what was stored is kept: make room, and the same command goes on");
    case SQLITE_ERROR:  // our statements are right: the tables are not as they were made
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: refuse_damaged(file, e.what());
    case SQLITE_BUSY:
    case SQLITE_LOCKED: throw InputError(file + " is in use by another program");
    default: throw InputError("cannot use " + file + ": " + std::string(e.what()));
  }
}

ResultStore::Impl::Impl(const std::string& folder_, Access access_) : folder(folder_), access(access_) {
  if (folder.empty()) throw InputError("the folder of the store has no name; '.' is the one where you are");
  if (access == Access::write) {
    make_folder(folder);
    lock.emplace(folder);
  }
  file = access == Access::write ? (fs::path(folder) / kStoreFile).string() : present_file(folder);
  if (access == Access::write) refuse_strangers(file);
  guarded([&] { open(); });
}

void ResultStore::Impl::connect(bool write) {
  const int how = access == Access::write ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE
                  : write                 ? SQLite::OPEN_READWRITE
                                          : SQLite::OPEN_READONLY;
  statements.clear();
  // A path with a folder is never taken for a URI, as "file:..." is, nor for a database in memory.
  const std::string path = fs::path(file).is_absolute() ? file : "./" + file;
  database.emplace(path, how | SQLite::OPEN_NOMUTEX);  // one thread
  database->setBusyTimeout(10'000);
}

void ResultStore::Impl::open() {
  bool is_there = false;
  try {
    connect(false);
    is_there = check_format();
  } catch (const SQLite::Exception& e) {
    if (access == Access::write || !is_barred(e) || !is_writable(file)) throw;
    connect(true);  // which finishes or takes back what a program that was killed had begun
    is_there = check_format();
  }
  if (!is_there) {
    if (access == Access::read) throw InputError("the store " + file + " is empty");
    return make_tables();
  }
  check_structure();
  if (access == Access::read) {
    if (!has_seals) database->exec(kViewsWithoutSeals);
    return;
  }
  if (!has_seals) add_seals();
  has_failures = database->execAndGet("SELECT EXISTS(SELECT 1 FROM failure)").getInt() != 0;
}

bool ResultStore::Impl::check_format() {
  const SQLite::Transaction together(*database);  // another process may be making the tables
  const int application = database->execAndGet("PRAGMA application_id").getInt();
  if (application == 0 && database->execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0) return false;
  if (application != kStoreApplication)
    throw InputError(file + " is a database of another program; choose another folder");
  const int format = database->execAndGet("PRAGMA user_version").getInt();
  if (format != kStoreFormat && format != kUnsealedFormat)
    throw InputError(file + " has format " + std::to_string(format) + ", this program reads " +
                     std::to_string(kStoreFormat) + ": choose another folder, or the other program");
  const char* seals = "SELECT count(*) FROM pragma_table_info('point') WHERE name = 'checksum'";
  has_seals = database->execAndGet(seals).getInt() != 0;
  if (has_seals != (format == kStoreFormat))
    refuse_damaged(file, "its tables are not those of format " + std::to_string(format));
  return true;
}

/// Brings the tables of the format before up to date; what is in them stays without seals.
void ResultStore::Impl::add_seals() {
  begin_write();
  database->exec(kAddSeals);
  database->exec("PRAGMA user_version=" + std::to_string(kStoreFormat));
  commit();
  has_seals = true;
}

void ResultStore::Impl::check_batch(SQLite::Statement& row, const std::string& which) {
  const auto stored = row.getColumn(kSealedColumns);
  if (!stored.isNull()) check_seal(Seal().add_row(row, kSealedColumns), stored, which, kMendedByCopy);
}

void ResultStore::Impl::check_scenario(SQLite::Statement& row) {
  constexpr int kColumns = 6;
  const auto stored = row.getColumn(kColumns);
  const std::string which = "scenario " + row.getColumn(0).getString();
  if (!stored.isNull()) check_seal(Seal().add_row(row, kColumns), stored, which, kMendedByCopy);
}

void ResultStore::Impl::check_seal(const Seal& seal, const SQLite::Column& stored, const std::string& what,
                                   const char* mend) {
  if (stored.isNull())
    is_unproven = true;
  else if (stored.getInt64() != seal.value())
    refuse_damaged(file, what + " has a wrong checksum", mend);
}

/// Damage to the database's structure is found before anything is written into it.
void ResultStore::Impl::check_structure() {
  std::string found = database->execAndGet("PRAGMA integrity_check(1)").getString();
  std::replace(found.begin(), found.end(), '\n', ' ');
  if (found != "ok") refuse_damaged(file, found);
}

/// Before anything is written: a commit survives the end of the process at once, and a power failure but for the last moments.
void ResultStore::Impl::tune() {
  database->exec("PRAGMA journal_mode=WAL");
  database->exec("PRAGMA synchronous=NORMAL");
  is_tuned = true;
}

/// A batch of 100 replications on 8 workstations takes 14 KB. Where a page holds it, it is written and read as a whole.
constexpr int kPageSize = 16384;

void ResultStore::Impl::make_tables() {
  database->exec("PRAGMA page_size=" + std::to_string(kPageSize));
  begin_write();
  database->exec("PRAGMA application_id=" + std::to_string(kStoreApplication));
  database->exec("PRAGMA user_version=" + std::to_string(kStoreFormat));
  database->exec(kStoreSchema);
  commit();
}

void ResultStore::Impl::begin_write() {
  if (!is_tuned) tune();
  if (transaction) return;
  transaction.emplace(*database);
  transaction_start = std::chrono::steady_clock::now();
}

void ResultStore::Impl::commit() {
  if (!transaction) return;
  transaction->commit();
  transaction.reset();
}

StatementUse ResultStore::Impl::statement(std::string_view sql) {
  auto [known, is_new] = statements.try_emplace(sql, nullptr);
  if (is_new) known->second = std::make_unique<SQLite::Statement>(*database, std::string(sql));
  return StatementUse(known->second.get());
}

ResultStore::ResultStore(const std::string& folder, Access access) : impl_(std::make_unique<Impl>(folder, access)) {}
ResultStore::~ResultStore() {
  try {
    if (!impl_) return;
    impl_->commit();
    if (impl_->is_tuned) impl_->database->exec("PRAGMA journal_mode=DELETE");  // no log: readable anywhere
  } catch (const std::exception&) {  // it was said when it was written, or is rolled back
  }
}
ResultStore::ResultStore(ResultStore&&) noexcept = default;
const std::string& ResultStore::folder() const { return impl_->folder; }

StoredScenario ResultStore::find_scenario(const Series& series) {
  StoredScenario found{0, series.scenario->size(), {}};
  const auto find = impl_->statement(
      "SELECT key, engine, model_version, seed, workstations, description, checksum, id FROM scenario WHERE key = ?");
  find->bind(1, series.key);
  if (!find->executeStep()) return found;
  found.id = find->getColumn(7).getInt64();
  impl_->check_scenario(*find);
  const auto batches = impl_->statement("SELECT first, replications FROM batch WHERE scenario = ?");
  batches->bind(1, found.id);
  while (batches->executeStep())
    found.batches.emplace(static_cast<std::uint64_t>(batches->getColumn(0).getInt64()),
                          static_cast<std::uint64_t>(batches->getColumn(1).getInt64()));
  return found;
}

void ResultStore::add_scenario(StoredScenario& scenario, const Series& series) {
  const std::string engine = engine_name(series.engine), description = describe(*series.scenario);
  const auto seed = static_cast<std::int64_t>(series.scenario->seed);
  const auto workstations = static_cast<std::int64_t>(series.scenario->size());
  const std::int64_t model = kModelVersion;
  const Seal seal = Seal().add(series.key).add(engine).add(model).add(seed).add(workstations).add(description);
  run(impl_->statement("INSERT INTO scenario(key, engine, model_version, seed, workstations, description, checksum)"
                       " VALUES(?,?,?,?,?,?,?)"),
      series.key, engine, model, seed, workstations, description, seal.value());
  scenario.id = impl_->database->getLastInsertRowid();
  if (const auto& how = *series.scenario->variance_reduction; &how != &kNoVarianceReduction)
    impl_->note_variance_reduction(scenario.id, how);
}

void ResultStore::Impl::note_variance_reduction(std::int64_t scenario, const VarianceReduction& how) {
  database->exec(kVarianceReductionTable);
  run(statement("INSERT INTO variance_reduction(scenario, name) VALUES(?,?)"), scenario, std::string(how.name));
}

const VarianceReduction& ResultStore::Impl::variance_reduction_of(std::int64_t scenario) {
  if (!database->tableExists("variance_reduction")) return kNoVarianceReduction;
  const auto find = statement("SELECT name FROM variance_reduction WHERE scenario = ?");
  find->bind(1, scenario);
  if (!find->executeStep()) return kNoVarianceReduction;
  const std::string name = find->getColumn(0).getString();
  for (const auto& way : kVarianceReductions)
    if (name == way.name) return way;
  refuse_damaged(file, "there is no variance reduction '" + name + "'");
}

std::shared_ptr<void> ResultStore::read_together() {
  if (sqlite3_get_autocommit(impl_->database->getHandle()) == 0) return nullptr;  // it is so already
  return impl_->guarded([&] { return std::make_shared<SQLite::Transaction>(*impl_->database); });
}

/// Series may differ in their plans alone.
void ResultStore::add_missing_scenarios(std::vector<StoredScenario>& scenarios, const ExecutionPlan& execution) {
  std::unordered_map<std::string_view, std::int64_t> added;
  for (std::size_t s = 0; s < scenarios.size(); ++s) {
    if (scenarios[s].id != 0) continue;
    auto& id = added[execution.series[s].key];
    if (id == 0) {
      add_scenario(scenarios[s], execution.series[s]);
      id = scenarios[s].id;
    }
    scenarios[s].id = id;
  }
}

std::vector<StoredScenario> ResultStore::find_scenarios(const ExecutionPlan& execution) {
  return impl_->guarded([&] {
    std::vector<StoredScenario> found;
    for (const auto& series : execution.series) found.push_back(find_scenario(series));
    return found;
  });
}

std::vector<StoredScenario> ResultStore::add_scenarios(const ExecutionPlan& execution) {
  auto scenarios = find_scenarios(execution);
  impl_->guarded([&] {
    impl_->begin_write();
    add_missing_scenarios(scenarios, execution);
    impl_->commit();
  });
  return scenarios;
}

StoredBatch ResultStore::load(const StoredScenario& scenario, const Batch& range) {
  return impl_->guarded([&] {
    static const std::string select =
        std::string(kSelectBatch) + ", results FROM batch WHERE scenario = ? AND first = ? AND replications = ?";
    const auto find = impl_->statement(select);
    find->bind(1, scenario.id);
    find->bind(2, static_cast<std::int64_t>(range.first));
    find->bind(3, static_cast<std::int64_t>(range.count));
    const std::string which = "replications " + std::to_string(range.first) + " to " + std::to_string(range.first + range.count - 1) +
                              " of scenario " + std::to_string(scenario.id);
    if (!find->executeStep()) refuse_damaged(impl_->file, which + " are missing");
    impl_->check_batch(*find, which);
    const auto blob = find->getColumn(kSealedColumns + 1);
    const std::string bytes(static_cast<const char*>(blob.getBlob()), static_cast<std::size_t>(blob.getBytes()));
    if (checksum(bytes) != find->getColumn(kChecksumColumn).getInt64()) refuse_damaged(impl_->file, which + " have a wrong checksum");
    try {
      return StoredBatch{unpack_record(bytes, range, scenario.workstations), find->getColumn(kVersionColumn).getString()};
    } catch (const std::runtime_error& e) {
      refuse_damaged(impl_->file, which + ": " + e.what());
    }
  });
}

void ResultStore::keep(const StoredScenario& scenario, const Batch& range, const Moments& makespan_s,
                       std::string_view packed, double seconds) {
  impl_->guarded([&] {
    impl_->begin_write();
    const auto first = static_cast<std::int64_t>(range.first), count = static_cast<std::int64_t>(range.count);
    const double m2_s2 = makespan_s.central(2) * static_cast<double>(makespan_s.count());
    const std::int64_t sum = checksum(packed);
    const Seal seal = Seal().add(scenario.id).add(first).add(count).add(makespan_s.mean()).add(m2_s2)
                          .add(makespan_s.min()).add(makespan_s.max()).add(seconds).add(version()).add(sum);
    const auto insert = impl_->statement(
        "INSERT INTO batch(scenario, first, replications, mean_makespan_s, m2_makespan_s2, min_makespan_s,"
        " max_makespan_s, seconds, version, checksum, row_checksum, results) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)");
    insert->bindNoCopy(12, packed.data(), static_cast<int>(packed.size()));
    run(insert, scenario.id, first, count, makespan_s.mean(), m2_s2, makespan_s.min(), makespan_s.max(), seconds,
        version(), sum, seal.value());
    if (impl_->has_failures)
      run(impl_->statement("DELETE FROM failure WHERE scenario = ? AND first = ?"), scenario.id, first);
  });
}

void ResultStore::note_failure(const StoredScenario& scenario, const Batch& range, const std::string& reason) {
  impl_->guarded([&] {
    impl_->begin_write();
    impl_->has_failures = true;
    run(impl_->statement("INSERT OR REPLACE INTO failure(scenario, first, replications, reason, version) VALUES(?,?,?,?,?)"),
        scenario.id, static_cast<std::int64_t>(range.first), static_cast<std::int64_t>(range.count), reason, version());
  });
}

std::optional<SplitReport> ResultStore::find_split(const std::string& key) {
  return impl_->guarded([&]() -> std::optional<SplitReport> {
    if (!impl_->database->tableExists("split")) return std::nullopt;
    const auto find = impl_->statement("SELECT report, checksum FROM split WHERE key = ?");
    find->bind(1, key);
    if (!find->executeStep()) return std::nullopt;
    const auto blob = find->getColumn(0);
    const std::string bytes(static_cast<const char*>(blob.getBlob()), static_cast<std::size_t>(blob.getBytes()));
    if (checksum(bytes) != find->getColumn(1).getInt64())
      refuse_damaged(impl_->file, "the split " + key + " has a wrong checksum");
    try {
      return unpack_split_report(bytes);
    } catch (const std::runtime_error& e) {
      refuse_damaged(impl_->file, "the split " + key + ": " + e.what());
    }
  });
}

void ResultStore::keep_split(const std::string& key, const SplitReport& report) {
  impl_->guarded([&] {
    impl_->begin_write();
    impl_->database->exec(kSplitTable);
    const std::string bytes = pack(report);
    const auto insert = impl_->statement(
        "INSERT OR REPLACE INTO split(key, policy, objective, version, checksum, report) VALUES(?,?,?,?,?,?)");
    insert->bindNoCopy(6, bytes.data(), static_cast<int>(bytes.size()));
    run(insert, key, report.policy, objective_text(report.objective), version(), checksum(bytes));
  });
}

void ResultStore::commit() {
  impl_->guarded([&] { impl_->commit(); });
}

double ResultStore::commit_if_due() {
  if (!impl_->transaction) return std::numeric_limits<double>::infinity();
  const std::chrono::duration<double> age = std::chrono::steady_clock::now() - impl_->transaction_start;
  if (age.count() < kCommitAfter_s) return kCommitAfter_s - age.count();
  commit();
  return std::numeric_limits<double>::infinity();
}

double ResultStore::seconds_per_replication(const StoredScenario& scenario) {
  return impl_->guarded([&] {
    static const std::string select = std::string(kSelectBatch) + " FROM batch WHERE scenario = ?";
    const auto rows = impl_->statement(select);
    rows->bind(1, scenario.id);
    double seconds = 0, replications = 0;
    while (rows->executeStep()) {
      impl_->check_batch(*rows, "a batch of scenario " + std::to_string(scenario.id));
      seconds += rows->getColumn("seconds").getDouble();
      replications += rows->getColumn("replications").getDouble();
    }
    return replications > 0 ? seconds / replications : 0.0;
  });
}

}  // namespace nowsim
