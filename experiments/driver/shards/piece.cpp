// Pieces: tables of a store with one more, in memory until they are published.
#include "experiments/driver/shards/piece.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "experiments/driver/running/store_schema.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

/// Where a file system does not take a piece: when it is tried again, and how long.
constexpr double kRetry_s = 5, kPatience_s = 300;

constexpr const char* kAttemptTable = R"sql(
CREATE TABLE IF NOT EXISTS attempt (             -- who simulated what is here; one row
  id TEXT NOT NULL, experiment TEXT NOT NULL, shard INTEGER NOT NULL, shards INTEGER NOT NULL, round INTEGER NOT NULL,
  host TEXT NOT NULL, processor TEXT NOT NULL, program TEXT NOT NULL, version TEXT NOT NULL, job TEXT NOT NULL,
  began TEXT NOT NULL, ended TEXT NOT NULL,
  batches INTEGER NOT NULL, replications INTEGER NOT NULL, failures INTEGER NOT NULL, seconds REAL NOT NULL
);
)sql";

PieceInfo read_info(SQLite::Database& database) {
  SQLite::Statement row(database,
                        "SELECT id, experiment, shard, shards, round, host, processor, program, version, job, began, ended,"
                        " batches, replications, failures, seconds FROM attempt");
  if (!row.executeStep()) throw RunError("it does not say whose it is");
  const auto text = [&](int column) { return row.getColumn(column).getString(); };
  const auto size = [&](int column) { return static_cast<std::size_t>(row.getColumn(column).getInt64()); };
  PieceInfo info;
  info.attempt = {text(0), text(1), size(2), size(3), row.getColumn(4).getInt(), text(5), text(6), text(7), text(8), text(9), text(10)};
  info.ended = text(11);
  info.batches = row.getColumn(12).getInt64();
  info.replications = row.getColumn(13).getInt64();
  info.failures = row.getColumn(14).getInt64();
  info.seconds = row.getColumn(15).getDouble();
  return info;
}

std::vector<PublishedBatch> read_batches(SQLite::Database& database) {
  SQLite::Statement rows(database, "SELECT key, first, replications FROM batch JOIN scenario ON scenario.id = batch.scenario");
  const auto size = [&](int column) { return static_cast<std::uint64_t>(rows.getColumn(column).getInt64()); };
  std::vector<PublishedBatch> batches;
  while (rows.executeStep()) batches.emplace_back(rows.getColumn(0).getString(), size(1), size(2));
  return batches;
}

/// A piece for reading without a lock, which nobody changes.
SQLite::Database in_its_place(const ShardFolder& folder, const std::string& name) {
  std::string uri = "file:";
  for (const char c : (folder.path() / name).string()) uri += std::string_view("%?#").find(c) != std::string_view::npos ? fmt::format("%{:02X}", c) : std::string(1, c);
  return {uri + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI};
}

void write_info(StoreDatabase& store, const PieceInfo& info) {
  const Attempt& a = info.attempt;
  store.database->exec(kAttemptTable);
  store.database->exec("DELETE FROM attempt");  // of an earlier try to publish
  run(store.statement("INSERT INTO attempt VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"), a.id, a.experiment,
      static_cast<std::int64_t>(a.shard), static_cast<std::int64_t>(a.shards), a.round, a.host, a.processor, a.program,
      a.version, a.job, a.began, info.ended, info.batches, info.replications, info.failures, info.seconds);
}

}  // namespace

PieceWriter::PieceWriter(ShardFolder folder, Attempt attempt, double every_s)
    : folder_(std::move(folder)), attempt_(std::move(attempt)), every_s_(every_s) {}

void PieceWriter::begin() {
  if (store_) return;
  store_.emplace();
  ids_.clear();
  info_ = {};
  info_.attempt = attempt_;
  bytes_ = 0;
  begun_ = Clock::now();
}

std::int64_t PieceWriter::id_of(const ScenarioRow& scenario) {
  auto [known, is_new] = ids_.try_emplace(scenario.key, 0);
  if (is_new) known->second = insert_scenario(*store_, scenario);
  return known->second;
}

void PieceWriter::keep(const ScenarioRow& scenario, const BatchRow& batch) {
  begin();
  store_->guarded([&] {
    store_->begin_write();
    insert_batch(*store_, id_of(scenario), batch);
  });
  ++info_.batches;
  info_.replications += batch.replications;
  info_.seconds += batch.seconds;
  bytes_ += batch.results.size();
}

void PieceWriter::keep_split(const std::string& key, const SplitReport& report) {
  begin();
  store_->guarded([&] {
    store_->begin_write();
    insert_split(*store_, key, report);
  });
}

void PieceWriter::note_failure(const ScenarioRow& scenario, const Batch& range, const std::string& reason) {
  begin();
  store_->guarded([&] {
    store_->begin_write();
    insert_failure(*store_, id_of(scenario), range, reason);
  });
  ++info_.failures;
}

double PieceWriter::publish_if_due() {
  if (!store_) return kInfinity;
  const auto seconds_since = [](Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); };
  const double left_s = failing_since_ ? kRetry_s - seconds_since(last_try_) : every_s_ - seconds_since(begun_);
  if (left_s > 0 && (failing_since_ || bytes_ < kPublishAt_bytes)) return left_s;
  last_try_ = Clock::now();
  try {
    publish();
  } catch (const RunError&) {  // a file system may be away for a moment, or full
    if (!failing_since_) failing_since_ = last_try_;
    if (seconds_since(*failing_since_) > kPatience_s) throw;
    return kRetry_s;
  }
  failing_since_.reset();
  return kInfinity;
}

std::string PieceWriter::label() const {
  const std::string who = attempt_.shard == 0 ? "sweep" : std::to_string(attempt_.shard) + "of" + std::to_string(attempt_.shards);
  return attempt_.experiment + "-r" + std::to_string(attempt_.round) + "-" + who + (is_searching_ ? kSearchEnding : kPieceEnding);
}

void PieceWriter::publish() {
  if (!store_) return;
  info_.ended = utc_now();
  store_->guarded([&] {
    store_->begin_write();
    write_info(*store_, info_);
    store_->commit();
  });
  static_cast<void>(folder_.publish(store_->bytes(), label()));
  store_.reset();
}

void PieceWriter::set_searching(bool searching) {
  if (searching == is_searching_) return;
  publish();
  is_searching_ = searching;
}

Piece::Piece(std::string bytes, const std::string& file) : bytes_(std::move(bytes)), store_(bytes_, file) {}

PieceInfo Piece::info() {
  return store_.guarded([&] { return read_info(*store_.database); });
}

std::vector<PublishedBatch> Piece::batches() {
  return store_.guarded([&] { return read_batches(*store_.database); });
}

std::optional<PieceInfo> info_of(const ShardFolder& folder, const std::string& name) try {
  SQLite::Database database = in_its_place(folder, name);
  PieceInfo info = read_info(database);
  info.name = name;
  return info;
} catch (const std::exception&) {
  return std::nullopt;
}

std::vector<PublishedBatch> batches_of_piece(const ShardFolder& folder, const std::string& name) try {
  SQLite::Database database = in_its_place(folder, name);
  return read_batches(database);
} catch (const std::exception&) {
  return {};
}

}  // namespace nowsim
