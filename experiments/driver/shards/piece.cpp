// Pieces: tables of a store with one more, in memory until they are published.
#include "experiments/driver/shards/piece.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "experiments/driver/running/stored_tables.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {
namespace {

/// Where a file system does not take a piece: when it is tried again, and how long.
constexpr double kRetry_s = 5, kPatience_s = 300;

std::optional<PieceInfo> read_info(SQLite::Database& database) {
  SQLite::Statement row(database,
                        "SELECT id, experiment, shard, shards, round, host, processor, program, version, job, began, ended,"
                        " batches, replications, failures, seconds FROM attempt");
  if (!row.executeStep()) return std::nullopt;
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

constexpr const char* kNobodys = "it does not say whose it is";

/// @throws InputError where numbers are none.
std::vector<PublishedBatch> read_batches(SQLite::Database& database, const std::string& file) {
  SQLite::Statement rows(database, "SELECT key, first, replications FROM batch JOIN scenario ON scenario.id = batch.scenario");
  const auto number = [&](int column) {
    const auto value = rows.getColumn(column);
    if (!is_replication(value)) refuse_damaged(file, "a batch is of no replications");
    return static_cast<std::uint64_t>(value.getInt64());
  };
  std::vector<PublishedBatch> batches;
  while (rows.executeStep()) batches.emplace_back(rows.getColumn(0).getString(), number(1), number(2));
  return batches;
}

/// Reads from a piece in its place, without a lock, which nobody changes: its first pages, and not what is in batches.
/// Nothing where it is gone. @throws InputError where it is none.
template <class Read>
auto read_in_place(const ShardFolder& folder, const std::string& name, const Read& read)
    -> std::optional<decltype(read(std::declval<SQLite::Database&>(), name))> {
  const std::string file = (folder.path() / name).string();
  if (!folder.has(name)) return std::nullopt;
  std::string uri = "file:";
  for (const char c : file)
    uri += std::string_view("%?#").find(c) != std::string_view::npos ? fmt::format("%{:02X}", c) : std::string(1, c);
  try {
    SQLite::Database database(uri + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    forbid_code(database);
    bound_steps(database, std::filesystem::file_size(file));
    if (const std::string fault = fault_of_tables(database, TablesOf::piece); !fault.empty())
      refuse_damaged(file, fault);
    return read(database, file);
  } catch (const SQLite::Exception& e) {
    rethrow_for_users(file, e);
  } catch (const std::filesystem::filesystem_error&) {
    return std::nullopt;
  }
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
  if (is_new) {
    known->second = insert_scenario(*store_, scenario);
    bytes_ += scenario.description.size();
  }
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

void PieceWriter::keep_trial(const std::string& key, const TrialEstimate& trial) {
  begin();
  store_->guarded([&] {
    store_->begin_write();
    insert_trial(*store_, key, trial);
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
    if (seconds_since(*failing_since_) > kPatience_s || bytes_ > kMostPublished_bytes / 2) throw;
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

Piece::Piece(std::string bytes, const std::string& file) : bytes_(std::move(bytes)), store_(bytes_, file) {
  store_.guarded([&] {
    if (const auto info = read_info(*store_.database))
      info_ = *info;
    else
      refuse_damaged(file, kNobodys);
    check_batches();
    check_splits();
  });
}

/// What a sweep reads of it later it would refuse then, as a whole.
void Piece::check_batches() {
  const auto scenarios = store_.statement("SELECT id FROM scenario");
  while (scenarios->executeStep()) {
    const std::int64_t id = scenarios->getColumn(0).getInt64();
    const ScenarioRow scenario = scenario_row(store_, id);
    const std::string which = "a batch of scenario " + scenario.key;
    const auto& ways = kVarianceReductions;
    if (!scenario.variance_reduction.empty() &&
        std::ranges::count(ways, scenario.variance_reduction, &VarianceReduction::name) == 0)
      refuse_damaged(store_.file, "there is no variance reduction '" + scenario.variance_reduction + "'");
    const auto check = [&](const BatchRow& batch) {
      check_results(store_, batch);
      check_unpacks(which, [&] {
        unpack_record(std::string(batch.results),
                      {static_cast<std::uint64_t>(batch.first), static_cast<std::uint64_t>(batch.replications)},
                      static_cast<std::size_t>(scenario.workstations));
      });
    };
    each_row<BatchRow>(store_, Bytes::read, check, "WHERE scenario = ?", id);
  }
}

void Piece::check_splits() {
  each_row<SplitRow>(store_, Bytes::read, [&](const SplitRow& row) { report_of(store_, row); }, "");
}

template <class Unpack>
void Piece::check_unpacks(const std::string& which, const Unpack& unpack) try {
  unpack();
} catch (const std::runtime_error& e) {
  refuse_damaged(store_.file, which + ": " + e.what());
}

std::vector<PublishedBatch> Piece::batches() {
  return store_.guarded([&] { return read_batches(*store_.database, store_.file); });
}

std::optional<PieceInfo> info_of(const ShardFolder& folder, const std::string& name) {
  return read_in_place(folder, name, [&](SQLite::Database& database, const std::string& file) {
    const std::string fault = fault_of_values(database, "attempt");
    if (!fault.empty()) refuse_damaged(file, fault);
    auto info = read_info(database);
    if (!info) refuse_damaged(file, kNobodys);
    info->name = name;
    return *info;
  });
}

std::vector<PublishedBatch> batches_of_piece(const ShardFolder& folder, const std::string& name) {
  return read_in_place(folder, name, read_batches).value_or(std::vector<PublishedBatch>());
}

}  // namespace nowsim
