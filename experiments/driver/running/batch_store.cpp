// Batches kept and found again; splits, and files that were written.
#include "experiments/driver/running/batch_store.hpp"

#include <algorithm>
#include <stdexcept>

#include "experiments/driver/running/store_database.hpp"
#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/variance_reduction.hpp"

namespace nowsim {
BatchStore::BatchStore(const std::string& folder, Access access)
    : database_(std::make_unique<StoreDatabase>(folder, access)) {}
BatchStore::BatchStore(std::unique_ptr<StoreDatabase> database) : database_(std::move(database)) {}
BatchStore::~BatchStore() {
  try {
    if (!database_) return;
    database_->commit();
    if (database_->is_tuned) database_->database->exec("PRAGMA journal_mode=DELETE");  // no log: readable anywhere
  } catch (const std::exception&) {  // it was said when it was written, or is rolled back
  }
}
BatchStore::BatchStore(BatchStore&&) noexcept = default;
const std::string& BatchStore::folder() const { return database_->folder; }

namespace {

/// What is read of it later is indexed by its control variates.
bool has_controls(const BatchRecord& record, std::size_t controls) {
  const auto has_them = [&](const BatchRecord& r) { return r.controls.size() >= controls; };
  return has_them(record) && std::ranges::all_of(record.stepped, has_them);
}

}  // namespace

StoredScenario BatchStore::find_scenario(const Series& series) {
  const auto& controls = series.scenario->controls;
  StoredScenario found{
      scenario_id(*database_, series.key), series.scenario->size(), {}, controls ? controls->count() : 0};
  if (found.id == 0) return found;
  if (!scenario_row(*database_, found.id).is_alike(scenario_row(series)))
    refuse_damaged(database_->file, "scenario " + series.key + " is another one than its key says");
  read_ranges(found);
  return found;
}

void BatchStore::read_ranges(StoredScenario& scenario) {
  const auto batches = database_->statement("SELECT first, replications FROM batch WHERE scenario = ?");
  batches->bind(1, scenario.id);
  while (batches->executeStep())
    scenario.batches.emplace(static_cast<std::uint64_t>(batches->getColumn(0).getInt64()),
                             static_cast<std::uint64_t>(batches->getColumn(1).getInt64()));
}

StoredScenario BatchStore::scenario(std::int64_t id) {
  return database_->guarded([&] {
    StoredScenario found{id, static_cast<std::size_t>(scenario_row(*database_, id).workstations), {}};
    read_ranges(found);
    return found;
  });
}

void BatchStore::add_scenario(StoredScenario& scenario, const Series& series) {
  scenario.id = insert_scenario(*database_, scenario_row(series));
}

std::shared_ptr<void> BatchStore::read_together() {
  if (sqlite3_get_autocommit(database_->database->getHandle()) == 0) return nullptr;  // it is so already
  return database_->guarded([&] { return std::make_shared<SQLite::Transaction>(*database_->database); });
}

/// Series may differ in their plans alone.
void BatchStore::add_missing(std::vector<StoredScenario>& scenarios, const ExecutionPlan& execution) {
  database_->guarded([&] {
    database_->begin_write();
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
  });
}

std::vector<StoredScenario> BatchStore::find_scenarios(const ExecutionPlan& execution) {
  return database_->guarded([&] {
    std::vector<StoredScenario> found;
    for (const auto& series : execution.series) found.push_back(find_scenario(series));
    return found;
  });
}

std::vector<StoredScenario> BatchStore::add_scenarios(const ExecutionPlan& execution) {
  auto scenarios = find_scenarios(execution);
  add_missing(scenarios, execution);
  commit();
  return scenarios;
}

StoredBatch BatchStore::load(const StoredScenario& scenario, const Batch& range) {
  return database_->guarded([&] {
    std::optional<StoredBatch> batch;
    const auto unpack = [&](const BatchRow& row) {
      check_results(*database_, row);
      try {
        batch = {unpack_record(std::string(row.results), range, scenario.workstations), row.version};
        if (!has_controls(batch->record, scenario.controls)) throw std::runtime_error("control variates are missing");
      } catch (const std::runtime_error& e) {
        refuse_damaged(database_->file, row.told() + ": " + e.what());
      }
    };
    BatchRow wanted;
    wanted.scenario = scenario.id;
    wanted.first = static_cast<std::int64_t>(range.first);
    wanted.replications = static_cast<std::int64_t>(range.count);
    each_row<BatchRow>(*database_, Bytes::read, unpack, "WHERE scenario = ? AND first = ? AND replications = ?",
                       wanted.scenario, wanted.first, wanted.replications);
    if (!batch && row_of<MomentsRow>(*database_, "WHERE scenario = ?", scenario.id))
      throw InputError(wanted.told() + " in " + database_->file + " were not kept, since they are quick to simulate" +
                       " again: 'nowsim sweep' of the experiment into that folder does so, and keeps them");
    if (!batch) refuse_damaged(database_->file, wanted.told() + " are missing");
    return std::move(*batch);
  });
}

void BatchStore::keep(const StoredScenario& scenario, const Batch& range, const Moments& makespan_s,
                       std::string_view packed, double seconds) {
  database_->guarded([&] {
    database_->begin_write();
    insert_batch(*database_, scenario.id, batch_row(range, makespan_s, packed, seconds));
  });
}

void BatchStore::keep_moments(const StoredScenario& scenario, const Moments& makespan_s, double seconds,
                              const std::string& version) {
  database_->guarded([&] {
    database_->begin_write();
    const auto count = static_cast<double>(makespan_s.count());
    if (database_->has_failures)
      run(database_->statement("DELETE FROM failure WHERE scenario = ? AND first < ?"), scenario.id,
          static_cast<std::int64_t>(makespan_s.count()));
    if (replications_as_moments(scenario) > makespan_s.count()) return;
    insert_row(*database_,
               MomentsRow{scenario.id, static_cast<std::int64_t>(makespan_s.count()), makespan_s.mean(),
                          makespan_s.central(2) * count, makespan_s.min(), makespan_s.max(), seconds, version},
               "INSERT OR REPLACE");
  });
}

void BatchStore::note_failure(const StoredScenario& scenario, const Batch& range, const std::string& reason) {
  database_->guarded([&] {
    database_->begin_write();
    insert_failure(*database_, scenario.id, range, reason);
  });
}

std::optional<SplitReport> BatchStore::find_split(const std::string& key) {
  return database_->guarded([&] {
    std::optional<SplitReport> found;
    const auto unpack = [&](const SplitRow& row) { found = report_of(*database_, row); };
    each_row<SplitRow>(*database_, Bytes::read, unpack, "WHERE key = ?", key);
    return found;
  });
}

void BatchStore::keep_split(const std::string& key, const SplitReport& report) {
  database_->guarded([&] {
    database_->begin_write();
    insert_split(*database_, key, report);
  });
}

std::optional<TrialEstimate> BatchStore::find_trial(const std::string& key) {
  return database_->guarded([&]() -> std::optional<TrialEstimate> {
    const auto row = row_of<TrialRow>(*database_, "WHERE key = ?", key);
    if (!row) return std::nullopt;
    return TrialEstimate{row->value, row->low, row->high, static_cast<std::uint64_t>(row->replications), row->longest_s};
  });
}

void BatchStore::keep_trial(const std::string& key, const TrialEstimate& trial) {
  database_->guarded([&] {
    database_->begin_write();
    insert_trial(*database_, key, trial);
  });
}

void BatchStore::commit() {
  database_->guarded([&] { database_->commit(); });
}

double BatchStore::commit_if_due() {
  if (!database_->transaction) return kInfinity;
  const std::chrono::duration<double> age = std::chrono::steady_clock::now() - database_->transaction_start;
  if (age.count() < kCommitAfter_s) return kCommitAfter_s - age.count();
  commit();
  return kInfinity;
}

double BatchStore::seconds_per_replication(const StoredScenario& scenario) {
  return database_->guarded([&] {
    double seconds = 0, replications = 0;
    const auto add = [&](const auto& row) {
      seconds += row.seconds;
      replications += static_cast<double>(row.replications);
    };
    each_row<BatchRow>(*database_, Bytes::left, add, "WHERE scenario = ?", scenario.id);
    each_row<MomentsRow>(*database_, Bytes::left, add, "WHERE scenario = ?", scenario.id);
    return replications > 0 ? seconds / replications : 0.0;
  });
}

std::uint64_t BatchStore::replications_as_moments(const StoredScenario& scenario) {
  return database_->guarded([&]() -> std::uint64_t {
    const auto find = database_->statement("SELECT replications FROM moments WHERE scenario = ?");
    find->bind(1, scenario.id);
    return find->executeStep() ? static_cast<std::uint64_t>(find->getColumn(0).getInt64()) : 0;
  });
}

std::string BatchStore::remark() const {
  if (!database_->is_unproven) return "";
  return "points of " + database_->file + " were stored by an older nowsim, whose checksums are not read, so that damage"
         " to them would not be noticed; 'nowsim sweep' of their experiments makes them anew, and simulates nothing that"
         " is there";
}

StoreSize BatchStore::size() {
  return database_->guarded([&] {
    StoreSize size;
    const auto count_scenario = [&](const ScenarioRow& row) {
      ++size.scenarios;
      size.other_models += row.model_version == kModelVersion ? 0 : 1;
    };
    each_row<ScenarioRow>(*database_, Bytes::left, count_scenario, "");
    std::pair<std::int64_t, std::int64_t> before{-1, -1};  // of a scenario's batches with one start the longest counts
    const auto count_batch = [&](const BatchRow& row) {
      const std::pair start{row.scenario, row.first};
      ++size.batches;
      if (start != before) size.replications += static_cast<std::uint64_t>(row.replications);
      size.seconds += row.seconds;
      before = start;
    };
    each_row<BatchRow>(*database_, Bytes::left, count_batch, "ORDER BY scenario, first, replications DESC");
    const auto count_series = [&](const MomentsRow& row) {
      ++size.batches;
      size.replications += static_cast<std::uint64_t>(row.replications);
      size.seconds += row.seconds;
    };
    each_row<MomentsRow>(*database_, Bytes::left, count_series, "WHERE scenario NOT IN (SELECT scenario FROM batch)");
    return size;
  });
}

std::optional<std::int64_t> BatchStore::written_file(const std::string& name) {
  return database_->guarded([&]() -> std::optional<std::int64_t> {
    const auto row = row_of<WrittenFileRow>(*database_, "WHERE name = ?", name);
    return row ? std::optional(row->checksum) : std::nullopt;
  });
}

void BatchStore::note_written_file(const std::string& name, std::int64_t checksum) {
  database_->guarded([&] { insert_row(*database_, WrittenFileRow{name, checksum}, "INSERT OR REPLACE"); });
}

}  // namespace nowsim
