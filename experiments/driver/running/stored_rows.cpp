// Rows of scenarios and batches, bound and sealed.
#include "experiments/driver/running/stored_rows.hpp"

#include "experiments/driver/running/store_schema.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

constexpr const char* kSelectScenario =
    "SELECT key, engine, model_version, seed, workstations, description, checksum FROM scenario WHERE id = ?";

void note_variance_reduction(StoreDatabase& store, std::int64_t scenario, const std::string& name) {
  store.database->exec(kVarianceReductionTable);
  run(store.statement("INSERT INTO variance_reduction(scenario, name) VALUES(?,?)"), scenario, name);
}

std::string variance_reduction_name(StoreDatabase& store, std::int64_t scenario) {
  if (!store.database->tableExists("variance_reduction")) return "";
  const auto find = store.statement("SELECT name FROM variance_reduction WHERE scenario = ?");
  find->bind(1, scenario);
  return find->executeStep() ? find->getColumn(0).getString() : "";
}

}  // namespace

ScenarioRow scenario_row(const Series& series) {
  const Scenario& scenario = *series.scenario;
  const auto& how = *scenario.variance_reduction;
  return {series.key, engine_name(series.engine), kModelVersion, static_cast<std::int64_t>(scenario.seed),
          static_cast<std::int64_t>(scenario.size()), describe(scenario), &how == &kNoVarianceReduction ? "" : how.name};
}

ScenarioRow scenario_row(StoreDatabase& store, std::int64_t id) {
  const auto find = store.statement(kSelectScenario);
  find->bind(1, id);
  if (!find->executeStep()) refuse_damaged(store.file, "scenario " + std::to_string(id) + " is missing");
  store.check_scenario(*find);
  return {find->getColumn(0).getString(), find->getColumn(1).getString(), find->getColumn(2).getInt64(),
          find->getColumn(3).getInt64(),  find->getColumn(4).getInt64(),  find->getColumn(5).getString(),
          variance_reduction_name(store, id)};
}

std::int64_t scenario_id(StoreDatabase& store, const std::string& key) {
  const auto find = store.statement("SELECT id FROM scenario WHERE key = ?");
  find->bind(1, key);
  return find->executeStep() ? find->getColumn(0).getInt64() : 0;
}

std::int64_t insert_scenario(StoreDatabase& store, const ScenarioRow& row) {
  const Seal seal = Seal().add(row.key).add(row.engine).add(row.model_version).add(row.seed).add(row.workstations)
                        .add(row.description);
  run(store.statement("INSERT INTO scenario(key, engine, model_version, seed, workstations, description, checksum)"
                      " VALUES(?,?,?,?,?,?,?)"),
      row.key, row.engine, row.model_version, row.seed, row.workstations, row.description, seal.value());
  const std::int64_t id = store.database->getLastInsertRowid();
  if (!row.variance_reduction.empty()) note_variance_reduction(store, id, row.variance_reduction);
  return id;
}

BatchRow batch_row(const Batch& range, const Moments& makespan_s, std::string_view packed, double seconds) {
  return {static_cast<std::int64_t>(range.first), static_cast<std::int64_t>(range.count), makespan_s.mean(),
          makespan_s.central(2) * static_cast<double>(makespan_s.count()), makespan_s.min(), makespan_s.max(), seconds,
          version(), checksum(packed), packed};
}

void insert_batch(StoreDatabase& store, std::int64_t scenario, const BatchRow& row) {
  const std::string program(row.version);
  const Seal seal = Seal().add(scenario).add(row.first).add(row.replications).add(row.mean_makespan_s)
                        .add(row.m2_makespan_s2).add(row.min_makespan_s).add(row.max_makespan_s).add(row.seconds)
                        .add(program).add(row.checksum);
  const auto insert = store.statement(
      "INSERT INTO batch(scenario, first, replications, mean_makespan_s, m2_makespan_s2, min_makespan_s,"
      " max_makespan_s, seconds, version, checksum, row_checksum, results) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)");
  insert->bindNoCopy(12, row.results.data(), static_cast<int>(row.results.size()));
  run(insert, scenario, row.first, row.replications, row.mean_makespan_s, row.m2_makespan_s2, row.min_makespan_s,
      row.max_makespan_s, row.seconds, program, row.checksum, seal.value());
}

void insert_failure(StoreDatabase& store, std::int64_t scenario, const Batch& range, const std::string& reason) {
  store.has_failures = true;
  run(store.statement("INSERT OR REPLACE INTO failure(scenario, first, replications, reason, version) VALUES(?,?,?,?,?)"),
      scenario, static_cast<std::int64_t>(range.first), static_cast<std::int64_t>(range.count), reason, version());
}

void insert_split(StoreDatabase& store, const std::string& key, const SplitReport& report) {
  store.database->exec(kSplitTable);
  const std::string bytes = pack(report);
  const auto insert = store.statement(
      "INSERT OR REPLACE INTO split(key, policy, objective, version, checksum, report) VALUES(?,?,?,?,?,?)");
  insert->bindNoCopy(6, bytes.data(), static_cast<int>(bytes.size()));
  run(insert, key, report.policy, objective_text(report.objective), version(), checksum(bytes));
}

}  // namespace nowsim
