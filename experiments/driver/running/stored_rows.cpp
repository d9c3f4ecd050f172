// Seals, the tables' statements, and rows of what was simulated.
#include "experiments/driver/running/stored_rows.hpp"

#include <stdexcept>

#include "experiments/driver/text/checksum.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

Seal& Seal::add_bytes(char type, const void* bytes, std::size_t size) {
  bytes_ += type;
  bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes_.append(static_cast<const char*>(bytes), size);
  return *this;
}

Seal& Seal::add(std::int64_t value) { return add_bytes('i', &value, sizeof value); }

Seal& Seal::add(double value) {
  if (value != value) return add_null();
  const double stored = value == 0 ? 0 : value;
  return add_bytes('d', &stored, sizeof stored);
}

Seal& Seal::add(std::string_view value) { return add_bytes('t', value.data(), value.size()); }

Seal& Seal::add_null() { return add_bytes('n', "", 0); }

std::int64_t Seal::value() const { return checksum(bytes_); }

std::string BatchRow::told() const {
  return "replications " + std::to_string(first) + " to " + std::to_string(first + replications - 1) + " of scenario " +
         std::to_string(scenario);
}

namespace {

template <class... Rows>
TableStatements statements_of(bool temporary) {
  return {{Rows::table.name, create_statement<Rows>(temporary)}...};
}

}  // namespace

TableStatements needed_tables() {
  return statements_of<ScenarioRow, BatchRow, FailureRow, ExperimentRow, AxisRow, MetricRow, PointRow, AxisValueRow,
                       EstimateRow, WrittenFileRow>(false);
}

TableStatements later_tables(bool temporary) {
  return statements_of<VarianceReductionRow, OriginRow, SplitRow, DecisionRow, TrialRow,
                       MomentsRow, PieceRow>(temporary);
}

ScenarioRow scenario_row(const Series& series) {
  const Scenario& scenario = *series.scenario;
  const auto& how = *scenario.variance_reduction;
  return {0,
          series.key,
          engine_name(series.engine),
          kModelVersion,
          static_cast<std::int64_t>(scenario.seed),
          static_cast<std::int64_t>(scenario.size()),
          describe(scenario),
          0,
          &how == &kNoVarianceReduction ? "" : how.name};
}

ScenarioRow scenario_row(StoreDatabase& store, std::int64_t id) {
  auto row = row_of<ScenarioRow>(store, "WHERE id = ?", id);
  if (!row) refuse_damaged(store.file, "scenario " + std::to_string(id) + " is missing");
  if (const auto how = row_of<VarianceReductionRow>(store, "WHERE scenario = ?", id))
    row->variance_reduction = how->name;
  return *row;
}

std::int64_t scenario_id(StoreDatabase& store, const std::string& key) {
  const auto find = store.statement("SELECT id FROM scenario WHERE key = ?");
  find->bind(1, key);
  return find->executeStep() ? find->getColumn(0).getInt64() : 0;
}

std::int64_t insert_scenario(StoreDatabase& store, const ScenarioRow& row) {
  ScenarioRow added = row;
  added.id = 0;
  const std::int64_t id = insert_row(store, added);
  if (!row.variance_reduction.empty()) insert_row(store, VarianceReductionRow{id, row.variance_reduction});
  return id;
}

BatchRow batch_row(const Batch& range, const Moments& makespan_s, std::string_view packed, double seconds) {
  return {0,
          0,
          static_cast<std::int64_t>(range.first),
          static_cast<std::int64_t>(range.count),
          makespan_s.mean(),
          makespan_s.central(2) * static_cast<double>(makespan_s.count()),
          makespan_s.min(),
          makespan_s.max(),
          seconds,
          version(),
          checksum(packed),
          0,
          packed};
}

void insert_batch(StoreDatabase& store, std::int64_t scenario, BatchRow row) {
  row.id = 0;
  row.scenario = scenario;
  insert_row(store, row);
  if (store.has_failures)
    run(store.statement("DELETE FROM failure WHERE scenario = ? AND first = ?"), scenario, row.first);
}

void check_results(StoreDatabase& store, const BatchRow& row) {
  if (checksum(row.results) != row.checksum) refuse_damaged(store.file, row.told() + " have a wrong checksum");
}

void insert_failure(StoreDatabase& store, std::int64_t scenario, const Batch& range, const std::string& reason) {
  store.has_failures = true;
  insert_row(store,
             FailureRow{scenario, static_cast<std::int64_t>(range.first), static_cast<std::int64_t>(range.count),
                        reason, version()},
             "INSERT OR REPLACE");
}

SplitReport report_of(StoreDatabase& store, const SplitRow& row) {
  const std::string which = "the split " + row.key, bytes(row.report);
  if (checksum(bytes) != row.checksum) refuse_damaged(store.file, which + " has a wrong checksum");
  try {
    return unpack_split_report(bytes);
  } catch (const std::runtime_error& e) {
    refuse_damaged(store.file, which + ": " + e.what());
  }
}

void insert_split(StoreDatabase& store, const std::string& key, const SplitReport& report) {
  const std::string bytes = pack(report);
  insert_row(store, SplitRow{key, report.policy, objective_text(report.objective), version(), checksum(bytes), bytes},
             "INSERT OR REPLACE");
}

void insert_trial(StoreDatabase& store, const std::string& key, const TrialEstimate& t) {
  insert_row(store, TrialRow{key, t.value, t.low, t.high, static_cast<std::int64_t>(t.replications), t.longest_s},
             "INSERT OR REPLACE");
}

}  // namespace nowsim
