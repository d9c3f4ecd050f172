// Taking in: a piece is a transaction, a batch counts once.
#include "experiments/driver/shards/merged_store.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "experiments/driver/text/output_file.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kColumnsOfPieces =
    "name, id, experiment, shard, shards, round, host, processor, program, version, job, began, ended, batches, replications,"
    " failures, seconds";

constexpr const char* kLeftOut = "; it is left out, and stays where it is";

/// Its number.
std::int64_t insert_piece(StoreDatabase& store, const PieceInfo& p) {
  const Attempt& a = p.attempt;
  static const std::string insert =
      "INSERT INTO piece(" + std::string(kColumnsOfPieces) + ") VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
  run(store.statement(insert), p.name, a.id, a.experiment, static_cast<std::int64_t>(a.shard),
      static_cast<std::int64_t>(a.shards), a.round, a.host, a.processor, a.program, a.version, a.job, a.began, p.ended,
      p.batches, p.replications, p.failures, p.seconds);
  return store.database->getLastInsertRowid();
}

PieceInfo piece_in(SQLite::Statement& row) {
  const auto text = [&](int column) { return row.getColumn(column).getString(); };
  const auto size = [&](int column) { return static_cast<std::size_t>(row.getColumn(column).getInt64()); };
  return {text(0),
          {text(1), text(2), size(3), size(4), row.getColumn(5).getInt(), text(6), text(7), text(8), text(9), text(10), text(11)},
          text(12), row.getColumn(13).getInt64(), row.getColumn(14).getInt64(), row.getColumn(15).getInt64(),
          row.getColumn(16).getDouble()};
}

/// Who published a batch that is in the store.
std::string who_has(StoreDatabase& store, std::int64_t batch, const std::string& version) {
  static const std::string select = "SELECT " + std::string(kColumnsOfPieces) +
                                    " FROM piece JOIN batch_piece ON piece = number WHERE batch = ?";
  const auto find = store.statement(select);
  find->bind(1, batch);
  return find->executeStep() ? told_attempt(piece_in(*find).attempt) : "the folder's store (nowsim " + version + ")";
}

/// Adds a piece's batches and splits to a store; `piece`: its number. Whatever fails is the store's fault: the piece
/// has been checked.
class Adding {
 public:
  Adding(StoreDatabase& to, StoreDatabase& from, std::int64_t piece, std::string who, TakenIn& taken)
      : to_(to), from_(from), piece_(piece), who_(std::move(who)), taken_(taken) {}

  void add_all() {
    const auto scenarios = from_.statement("SELECT id FROM scenario ORDER BY id");
    std::vector<std::int64_t> ids;
    while (scenarios->executeStep()) ids.push_back(scenarios->getColumn(0).getInt64());
    for (const std::int64_t id : ids) add_scenario(id);
    add_searches();
  }

 private:
  void add_scenario(std::int64_t id) {
    const ScenarioRow row = scenario_row(from_, id);
    std::int64_t to = scenario_id(to_, row.key);
    if (to == 0) to = insert_scenario(to_, row);
    const auto add = [&](const BatchRow& batch) { add_batch(row.key, to, batch); };
    each_row<BatchRow>(from_, Bytes::read, add, "WHERE scenario = ?", id);
  }

  void add_batch(const std::string& key, std::int64_t scenario, const BatchRow& batch) {
    const auto find = to_.statement(
        "SELECT id, checksum, version, results FROM batch WHERE scenario = ? AND first = ? AND replications = ?");
    find->bind(1, scenario);
    find->bind(2, batch.first);
    find->bind(3, batch.replications);
    if (!find->executeStep()) {
      ++taken_.batches;
      return insert(scenario, batch);
    }
    ++taken_.again;
    if (find->getColumn(1).getInt64() == batch.checksum) return note_piece(find->getColumn(0).getInt64());
    settle(key, scenario, *find, batch);
  }

  void insert(std::int64_t scenario, const BatchRow& batch) {
    insert_batch(to_, scenario, batch);
    note_piece(to_.database->getLastInsertRowid());
  }

  /// Where a batch came from: the first piece that had it.
  void note_piece(std::int64_t batch) {
    run(to_.statement("INSERT OR IGNORE INTO batch_piece(batch, piece) VALUES(?,?)"), batch, piece_);
  }

  /// Which one counts does not depend on which was first.
  void settle(const std::string& key, std::int64_t scenario, SQLite::Statement& there, const BatchRow& batch) {
    const std::int64_t id = there.getColumn(0).getInt64(), sum = there.getColumn(1).getInt64();
    const std::string by = who_has(to_, id, there.getColumn(2).getString());
    if (batch.checksum > sum) return quarantine(key, batch, batch.checksum, sum, who_, by, batch.results);
    const auto blob = there.getColumn(3);
    quarantine(key, batch, sum, batch.checksum, by, who_,
               {static_cast<const char*>(blob.getBlob()), static_cast<std::size_t>(blob.getBytes())});
    run(to_.statement("DELETE FROM batch_piece WHERE batch = ?"), id);
    run(to_.statement("DELETE FROM batch WHERE id = ?"), id);
    insert(scenario, batch);
  }

  void quarantine(const std::string& key, const BatchRow& batch, std::int64_t sum, std::int64_t kept, const std::string& by,
                  const std::string& kept_by, std::string_view results) {
    const auto insert = to_.statement(
        "INSERT OR REPLACE INTO quarantine(scenario, first, replications, checksum, kept, other_by, kept_by, results)"
        " VALUES(?,?,?,?,?,?,?,?)");
    insert->bindNoCopy(8, results.data(), static_cast<int>(results.size()));
    run(insert, key, batch.first, batch.replications, sum, kept, by, kept_by);
  }

  void add_searches() {
    const auto add = [&](const auto& row) { insert_row(to_, row, "INSERT OR IGNORE"); };
    each_row<SplitRow>(from_, Bytes::read, add, "");
    each_row<TrialRow>(from_, Bytes::read, add, "");
  }

  StoreDatabase& to_;
  StoreDatabase& from_;
  std::int64_t piece_;
  std::string who_;
  TakenIn& taken_;
};

/// The key of a scenario that a store has otherwise than a piece; "": there is none.
std::string differing_key(StoreDatabase& store, StoreDatabase& piece) {
  const auto scenarios = piece.statement("SELECT id FROM scenario");
  while (scenarios->executeStep()) {
    const ScenarioRow row = scenario_row(piece, scenarios->getColumn(0).getInt64());
    const std::int64_t there = scenario_id(store, row.key);
    if (there != 0 && !scenario_row(store, there).is_alike(row)) return row.key;
  }
  return "";
}

bool was_left_by_kill(const fs::path& out) {
  std::error_code ignored;
  return fs::exists(out / (std::string(kStoreFile) + "-wal"), ignored) || fs::exists(out / (std::string(kStoreFile) + "-journal"), ignored);
}

/// One sweep at a time makes the store that all of them put into the folder; others wait. A killed writer may have left a
/// log beside it, which belongs to it.
std::unique_ptr<StoreLock> lock_whole(const fs::path& out) {
  while (true) {
    auto lock = std::make_unique<StoreLock>(out.string(), StoreLock::IfHeld::wait);
    if (!was_left_by_kill(out)) return lock;
    const BatchStore finished(out.string(), BatchStore::Access::write);  // its end gives up this process's lock too
  }
}

std::unique_ptr<StoreDatabase> private_store(const ShardFolder& folder, const fs::path& place, MergedStore::Begins begins) {
  std::error_code ignored;
  const fs::path there = folder.out() / kStoreFile;
  refuse_other_kinds(there.string());
  const bool is_whole = begins == MergedStore::Begins::with_store || !was_left_by_kill(folder.out());
  if (is_whole && fs::is_regular_file(there, ignored)) {
    std::error_code error;
    if (fs::file_size(there, ignored) > fs::space(place, ignored).available)
      error = std::make_error_code(std::errc::no_space_on_device);
    if (error || !fs::copy_file(there, place / kStoreFile, error))
      throw RunError(there.string() + " cannot be copied to " + place.string() +
                     ", where it is made: " + error.message());
  }
  return std::make_unique<StoreDatabase>(folder.out().string(), place.string());
}

}  // namespace

MergedStore::MergedStore(const ShardFolder& folder, const Attempt& attempt, double publish_every_s, Begins begins)
    : MergedStore(folder, attempt, publish_every_s, begins, std::make_unique<TemporaryFolder>(),
                  begins == Begins::with_store ? lock_whole(folder.out()) : nullptr) {}

MergedStore::MergedStore(const ShardFolder& folder, const Attempt& attempt, double publish_every_s, Begins begins,
                         std::unique_ptr<TemporaryFolder> place, std::unique_ptr<StoreLock> lock)
    : BatchStore(private_store(folder, place->path(), begins)), lock_(std::move(lock)), place_(std::move(place)), folder_(folder),
      writer_(folder, attempt, publish_every_s) {
  database().guarded([&] { database().database->exec(kMergedTables); });
}

TakenIn MergedStore::take_in(bool searches_alone) {
  TakenIn taken;
  std::set<std::string> there;
  for (const auto& piece : pieces()) there.insert(piece.name);
  for (const auto& name : folder_.names(searches_alone ? kSearchEnding : kPieceEnding)) {
    if (there.contains(name)) continue;
    std::optional<Piece> piece;
    try {
      open(name, piece, taken);
    } catch (const std::runtime_error& e) {  // damaged, of another version, or unreadable: it costs nothing but itself
      taken.remarks.push_back(e.what() + std::string(kLeftOut));
    } catch (const std::exception& e) {  // there is no memory for what it says it has
      taken.remarks.push_back((folder_.path() / name).string() + " cannot be read (" + e.what() + ")" + kLeftOut);
    }
    if (piece) take_in(name, *piece, taken);
  }
  return taken;
}

void MergedStore::open(const std::string& name, std::optional<Piece>& piece, TakenIn& taken) const {
  auto bytes = folder_.bytes(name);
  if (!bytes) return;  // another sweep has set it aside
  const std::string file = (folder_.path() / name).string();
  if (ShardFolder::is_whole(name, *bytes))
    piece.emplace(std::move(*bytes), file);
  else
    taken.remarks.push_back(file + " is not as it was published; " + folder_.set_aside(name) +
                            ", and its batches are simulated again");
}

void MergedStore::take_in(const std::string& name, Piece& piece, TakenIn& taken) {
  PieceInfo info = piece.info();
  info.name = name;
  if (const auto key = database().guarded([&] { return differing_key(database(), piece.store()); }); !key.empty()) {
    taken.remarks.push_back((folder_.path() / name).string() + " has another scenario under the key " + key + " than " +
                            database().file + kLeftOut);
    return;
  }
  database().guarded([&] {
    database().begin_write();
    Adding(database(), piece.store(), insert_piece(database(), info), told_attempt(info.attempt), taken).add_all();
    database().commit();
  });
  ++taken.pieces;
}

std::vector<Conflict> MergedStore::conflicts() {
  return database().guarded([&] {
    std::vector<Conflict> found;
    const auto rows = database().statement(
        "SELECT scenario, first, replications, kept, checksum, kept_by, other_by FROM quarantine ORDER BY 1, 2, 3, 5");
    while (rows->executeStep())
      found.push_back({rows->getColumn(0).getString(), rows->getColumn(1).getInt64(), rows->getColumn(2).getInt64(),
                       rows->getColumn(3).getInt64(), rows->getColumn(4).getInt64(), rows->getColumn(5).getString(),
                       rows->getColumn(6).getString()});
    return found;
  });
}

std::vector<PieceInfo> MergedStore::pieces() {
  return database().guarded([&] {
    static const std::string select = "SELECT " + std::string(kColumnsOfPieces) + " FROM piece ORDER BY name";
    std::vector<PieceInfo> found;
    const auto rows = database().statement(select);
    while (rows->executeStep()) found.push_back(piece_in(*rows));
    return found;
  });
}

const ScenarioRow& MergedStore::row_of(std::int64_t scenario) {
  auto [known, is_new] = rows_.try_emplace(scenario);
  if (is_new) known->second = scenario_row(database(), scenario);
  return known->second;
}

void MergedStore::keep(const StoredScenario& scenario, const Batch& range, const Moments& makespan_s,
                       std::string_view packed, double seconds) {
  BatchStore::keep(scenario, range, makespan_s, packed, seconds);
  writer_.keep(row_of(scenario.id), batch_row(range, makespan_s, packed, seconds));
}

void MergedStore::note_failure(const StoredScenario& scenario, const Batch& range, const std::string& reason) {
  BatchStore::note_failure(scenario, range, reason);
  writer_.note_failure(row_of(scenario.id), range, reason);
}

void MergedStore::keep_split(const std::string& key, const SplitReport& report) {
  BatchStore::keep_split(key, report);
  writer_.keep_split(key, report);
  writer_.publish();  // it took a search
}

void MergedStore::keep_trial(const std::string& key, const TrialEstimate& trial) {
  BatchStore::keep_trial(key, trial);
  writer_.keep_trial(key, trial);
}

/// What waits to be published is not yet safe from a kill, as with shards: searches commit after every few trials.
void MergedStore::commit() {
  BatchStore::commit();
  writer_.publish_if_due();
}

void MergedStore::publish_pieces() {
  BatchStore::commit();
  writer_.publish();
}

double MergedStore::commit_if_due() { return std::min(BatchStore::commit_if_due(), writer_.publish_if_due()); }

void MergedStore::publish() {
  publish_pieces();
  database().guarded([&] { database().database->exec("PRAGMA journal_mode=DELETE"); });
  database().is_tuned = false;
  folder_.put_into_out(kStoreFile, place_->path() / kStoreFile);
}

/// What was simulated is kept whatever ends a sweep.
MergedStore::~MergedStore() {
  try {
    publish_pieces();
  } catch (const std::exception&) {  // then it is lost, as with a kill
  }
}

}  // namespace nowsim
