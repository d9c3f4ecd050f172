// Writing points before the run and their estimates after it, and reading both back.
#include "experiments/driver/sweeps/experiment_store.hpp"

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "experiments/driver/running/store_database.hpp"
#include "experiments/driver/running/store_schema.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

std::int64_t id_of(const StatementUse& find, const std::string& name) {
  find->bind(1, name);
  return find->executeStep() ? find->getColumn(0).getInt64() : 0;
}

std::string text_of(const StatementUse& find, const std::string& name) {
  find->bind(1, name);
  return find->executeStep() ? find->getColumn(0).getString() : "";
}

/// Two different files of one name: each would replace the other's points and CSV. A file that has gone, or moved, or
/// been changed may replace its own.
void refuse_namesake(const std::string& name, const std::string& file, const std::string& old) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(old, ignored) || std::filesystem::equivalent(file, old, ignored)) return;
  if (read_user_file(file, kMostDescriptionBytes) == read_user_file(old, kMostDescriptionBytes)) return;
  throw InputError("the store has an experiment '" + name + "' of another file, " + old + "; rename " + file +
                   " or choose another --out");
}

/// NULL stands for a number that is not known.
double number_of(const SQLite::Column& column) {
  return column.isNull() ? std::numeric_limits<double>::quiet_NaN() : column.getDouble();
}

/// Removes an experiment's rows, in all tables that refer to it.
void forget(SQLite::Database& database, std::int64_t experiment) {
  const std::string id = std::to_string(experiment), points = " WHERE point IN (SELECT id FROM point WHERE experiment = " + id + ")";
  if (database.tableExists("decision")) database.exec("DELETE FROM decision" + points);
  for (const char* table : {"estimate", "axis_value"}) database.exec(std::string("DELETE FROM ") + table + points);
  for (const char* table : {"point", "metric", "axis"}) database.exec(std::string("DELETE FROM ") + table + " WHERE experiment = " + id);
  database.exec("DELETE FROM experiment WHERE id = " + id);
}

/// Rows of an experiment that was lost to damage, and of its points, whose ids the next ones may get.
void forget_orphans(SQLite::Database& database) {
  for (const char* table : {"point", "metric", "axis", "origin"})
    if (database.tableExists(table))
      database.exec(std::string("DELETE FROM ") + table + " WHERE experiment NOT IN (SELECT id FROM experiment)");
  for (const char* table : {"axis_value", "estimate", "decision"})
    if (database.tableExists(table))
      database.exec(std::string("DELETE FROM ") + table + " WHERE point NOT IN (SELECT id FROM point)");
}

/// Names with their positions from 0.
void insert_names(const StatementUse& insert, std::int64_t experiment, const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) run(insert, experiment, static_cast<std::int64_t>(k), names[k]);
}

/// None for a point without a scenario.
const VarianceReduction& variance_reduction_of(StoreDatabase& store, std::int64_t scenario) {
  if (!store.database->tableExists("variance_reduction")) return kNoVarianceReduction;
  const auto find = store.statement("SELECT name FROM variance_reduction WHERE scenario = ?");
  find->bind(1, scenario);
  if (!find->executeStep()) return kNoVarianceReduction;
  const std::string name = find->getColumn(0).getString();
  for (const auto& way : kVarianceReductions)
    if (name == way.name) return way;
  refuse_damaged(store.file, "there is no variance reduction '" + name + "'");
}

constexpr const char* kDecisionOf =
    "SELECT key, metric, asked, indifference, standing, cell FROM decision WHERE point = ?";

void forget_decision(StoreDatabase& store, std::int64_t point) {
  if (store.database->tableExists("decision")) run(store.statement("DELETE FROM decision WHERE point = ?"), point);
}

void note_decision(StoreDatabase& store, std::int64_t point, const Decided& d) {
  store.database->exec(kDecisionTable);
  run(store.statement("INSERT INTO decision(point, key, metric, asked, indifference, standing, cell)"
                      " VALUES(?,?,?,?,?,?,?)"),
      point, d.key, d.metric, d.asked, d.indifference, standing_name(d.standing), static_cast<std::int64_t>(d.cell));
}

/// Where there is none nothing is added: a seal is then what it was before there were decisions.
void seal_decision(StoreDatabase& store, std::int64_t point, Seal& seal) {
  if (!store.database->tableExists("decision")) return;
  const auto find = store.statement(kDecisionOf);
  find->bind(1, point);
  if (find->executeStep()) seal.add_row(*find, find->getColumnCount());
}

std::optional<Decided> stored_decision(StoreDatabase& store, std::int64_t point) {
  if (!store.database->tableExists("decision")) return std::nullopt;
  const auto find = store.statement(kDecisionOf);
  find->bind(1, point);
  if (!find->executeStep()) return std::nullopt;
  const auto standing = std::ranges::find(standing_names(), find->getColumn(4).getString());
  const std::string metric = find->getColumn(1).getString();
  if (standing == standing_names().end() || deciding_metric(metric) == nullptr)
    refuse_damaged(store.file, "a decision by '" + metric + "' cannot be read");
  return Decided{find->getColumn(0).getString(), metric, find->getColumn(2).getDouble(), find->getColumn(3).getDouble(),
                 static_cast<Standing>(standing - standing_names().begin()),
                 static_cast<std::size_t>(find->getColumn(5).getInt64())};
}

/// What a point that was read lacks of what whoever reads on takes for granted; "" where it is whole. A point without a
/// seal may have lost any of it.
std::string missing_of(const ResultRow& row, const ResultTable& of) {
  if (row.values.size() != of.axes.size()) return "not one value for each axis";
  if (row.decided && std::ranges::count(of.axes, row.decided->key) == 0) return "a decision about what is not swept";
  if (row.status == PointStatus::ok && row.replications == 0) return "no replications";
  for (std::size_t m = 0; m < row.estimates.size(); ++m)
    if (row.estimates[m].size() != (of.metrics[m]->per_workstation ? row.workstations.size() : 1))
      return "not all estimates of " + of.metrics[m]->name;
  return "";
}

}  // namespace

struct ExperimentStore::Impl {
  Impl(BatchStore& of, const Registry<Metric>& metrics) : batches(of), store(of.database()), known(metrics) {}
  void insert_point(std::int64_t experiment, const Experiment& e, const PointNeeds& needs,
                    const std::vector<StoredScenario>& scenarios, std::size_t p);
  /// Of the point at a position of an experiment, with its axis values and estimates.
  Seal point_seal(const std::string& experiment, std::int64_t position, std::int64_t point);
  void seal_point(std::int64_t position);
  Seal experiment_seal(std::int64_t experiment);
  ResultRow read_point(const std::string& experiment, const ResultTable& of, SQLite::Statement& point);
  ResultTable read_experiment(std::int64_t experiment, const std::string& name);

  BatchStore& batches;
  StoreDatabase& store;
  Registry<Metric> known;
  std::string begun;                 // name of the experiment that is written
  std::vector<std::int64_t> points;  // its points' ids, by position
};

ExperimentStore::ExperimentStore(BatchStore& batches, const Registry<Metric>& metrics)
    : impl_(std::make_unique<Impl>(batches, metrics)) {}
ExperimentStore::~ExperimentStore() = default;

void ExperimentStore::Impl::insert_point(std::int64_t experiment, const Experiment& e, const PointNeeds& needs,
                                     const std::vector<StoredScenario>& scenarios, std::size_t p) {
  const Point& point = e.points[p];
  const auto id_of_series = [&](const std::optional<std::size_t>& s) { return s ? scenarios[*s].id : 0; };
  const bool feasible = needs.series.has_value();
  run(store.statement("INSERT INTO point(experiment, position, status, reason, seed, confidence, engine, scenario, baseline, replications, version)"
                " VALUES(?,?,?,?,?,?,?,nullif(?,0),nullif(?,0),0,'')"),
      experiment, static_cast<std::int64_t>(p), status_name(point.status()), point.reason(),
      static_cast<std::int64_t>(point.plan.seed), point.plan.confidence, feasible ? engine_name(point.plan.engine) : "",
      id_of_series(needs.series), id_of_series(needs.baseline));
  points.push_back(store.database->getLastInsertRowid());
  for (const char* leftovers : {"DELETE FROM axis_value WHERE point = ?", "DELETE FROM estimate WHERE point = ?"})
    run(store.statement(leftovers), points.back());  // of a point that was lost to damage
  forget_decision(store, points.back());
  const auto insert = store.statement("INSERT INTO axis_value(point, position, name, value) VALUES(?,?,?,?)");
  for (std::size_t a = 0; a < point.values.size(); ++a)
    run(insert, points.back(), static_cast<std::int64_t>(a), e.axes[a], point.values[a]);
  seal_point(static_cast<std::int64_t>(p));
}

Seal ExperimentStore::Impl::point_seal(const std::string& experiment_name, std::int64_t position, std::int64_t id) {
  const auto point = store.statement(
      "SELECT status, reason, replications, seed, confidence, engine, version, baseline, scenario FROM point"
      " WHERE id = ?");
  const auto values = store.statement("SELECT position, name, value FROM axis_value WHERE point = ? ORDER BY position");
  const auto estimates = store.statement(
      "SELECT metric, workstation, name, value, low, high FROM estimate WHERE point = ? ORDER BY metric, workstation");
  for (const auto* rows : {&point, &values, &estimates}) (*rows)->bind(1, id);
  Seal seal;
  seal.add(experiment_name).add(position);
  if (point->executeStep())
    seal.add_row(*point, point->getColumnCount()).add(variance_reduction_of(store, point->getColumn(8).getInt64()).name);
  seal.add_rows(*values).add_rows(*estimates);
  seal_decision(store, id, seal);
  return seal;
}

/// Of what is written, as it is read: nothing depends on how SQLite keeps a number.
void ExperimentStore::Impl::seal_point(std::int64_t position) {
  const std::int64_t id = points.at(static_cast<std::size_t>(position));
  run(store.statement("UPDATE point SET checksum = ? WHERE id = ?"), point_seal(begun, position, id).value(), id);
}

Seal ExperimentStore::Impl::experiment_seal(std::int64_t id) {
  const auto all = store.statement("SELECT name, title, file FROM experiment WHERE id = ?");
  const auto axes = store.statement("SELECT position, name FROM axis WHERE experiment = ? ORDER BY position");
  const auto metrics = store.statement("SELECT position, name FROM metric WHERE experiment = ? ORDER BY position");
  const auto count = store.statement("SELECT count(*) FROM point WHERE experiment = ?");
  for (const auto* rows : {&all, &axes, &metrics, &count}) (*rows)->bind(1, id);
  Seal seal;
  seal.add_rows(*all).add_rows(*axes).add_rows(*metrics).add_rows(*count);
  seal_origin(store, id, seal);
  return seal;
}

std::vector<StoredScenario> ExperimentStore::begin_experiment(const std::string& name, const Experiment& experiment,
                                                          const ExecutionPlan& execution, std::vector<StoredScenario> scenarios) {
  check_stored_name(name, experiment.file);
  const StoredOrigin origin = origin_to_store(experiment);
  return impl_->store.guarded([&] {
    impl_->store.begin_write();
    impl_->batches.add_missing(scenarios, execution);
    if (const auto old = id_of(impl_->store.statement("SELECT id FROM experiment WHERE name = ?"), name)) {
      refuse_namesake(name, experiment.file, text_of(impl_->store.statement("SELECT file FROM experiment WHERE name = ?"), name));
      forget_origin(impl_->store, old);
      forget(*impl_->store.database, old);
    }
    forget_orphans(*impl_->store.database);
    run(impl_->store.statement("INSERT INTO experiment(name, title, file) VALUES(?,?,?)"), name, experiment.title, experiment.file);
    const std::int64_t id = impl_->store.database->getLastInsertRowid();
    insert_names(impl_->store.statement("INSERT INTO axis(experiment, position, name) VALUES(?,?,?)"), id, experiment.axes);
    std::vector<std::string> metrics;
    for (const Metric* metric : experiment.metrics) metrics.push_back(metric->name);
    insert_names(impl_->store.statement("INSERT INTO metric(experiment, position, name) VALUES(?,?,?)"), id, metrics);
    write_origin(impl_->store, id, origin);
    impl_->points.clear();
    impl_->begun = name;
    for (std::size_t p = 0; p < experiment.points.size(); ++p) impl_->insert_point(id, experiment, execution.points[p], scenarios, p);
    run(impl_->store.statement("UPDATE experiment SET checksum = ? WHERE id = ?"), impl_->experiment_seal(id).value(), id);
    impl_->store.commit();
    return scenarios;
  });
}

void ExperimentStore::finish_point(std::size_t point, const ResultRow& row, const std::vector<const Metric*>& metrics,
                               std::int64_t scenario, std::int64_t baseline) {
  impl_->store.guarded([&] {
    const std::int64_t id = impl_->points.at(point);
    impl_->store.begin_write();
    run(impl_->store.statement("UPDATE point SET status = ?, reason = ?, replications = ?, version = ?, engine = ?,"
                         " scenario = ?, baseline = nullif(?,0) WHERE id = ?"),
        status_name(row.status), row.reason, static_cast<std::int64_t>(row.replications), row.version, row.engine,
        scenario, baseline, id);
    const auto insert = impl_->store.statement("INSERT INTO estimate(point, metric, workstation, name, value, low, high) VALUES(?,?,?,?,?,?,?)");
    for (std::size_t m = 0; m < row.estimates.size(); ++m)
      for (std::size_t i = 0; i < row.estimates[m].size(); ++i) {
        const Estimate& e = row.estimates[m][i];
        const bool each = metrics[m]->per_workstation;
        run(insert, id, metrics[m]->name, static_cast<std::int64_t>(each ? i + 1 : 0), each ? row.workstations[i] : std::string(), e.value, e.low, e.high);
      }
    if (row.decided) note_decision(impl_->store, id, *row.decided);
    impl_->seal_point(static_cast<std::int64_t>(point));
  });
}

ResultRow ExperimentStore::Impl::read_point(const std::string& name, const ResultTable& of, SQLite::Statement& point) {
  const std::int64_t id = point.getColumn(0).getInt64(), position = point.getColumn(9).getInt64();
  const std::string which = "point " + std::to_string(position + 1) + " of '" + name + "'";
  store.check_seal(point_seal(name, position, id), point.getColumn(10), which, kMendedBySweep);
  ResultRow row;
  const std::string status = point.getColumn(1).getString();
  if (!status_named(status)) refuse_damaged(store.file, which + " has the status '" + status + "'", kMendedBySweep);
  row.status = *status_named(status);
  row.reason = point.getColumn(2).getString();
  row.replications = static_cast<std::uint64_t>(point.getColumn(3).getInt64());
  row.seed = static_cast<std::uint64_t>(point.getColumn(4).getInt64());
  row.confidence = point.getColumn(5).getDouble();
  row.engine = point.getColumn(6).getString();
  row.version = point.getColumn(7).getString();
  row.stored_scenario = point.getColumn(8).getInt64();
  row.variance_reduction = &variance_reduction_of(store, row.stored_scenario);
  row.decided = stored_decision(store, id);
  const auto values = store.statement("SELECT value FROM axis_value WHERE point = ? ORDER BY position");
  values->bind(1, id);
  while (values->executeStep()) row.values.push_back(values->getColumn(0).getString());
  for (const Metric* metric : of.metrics) {
    if (row.status != PointStatus::ok) break;
    const auto estimates = store.statement("SELECT value, low, high, name FROM estimate WHERE point = ? AND metric = ? ORDER BY workstation");
    estimates->bind(1, id);
    estimates->bind(2, metric->name);
    auto& list = row.estimates.emplace_back();
    std::vector<std::string> names;
    while (estimates->executeStep()) {
      list.push_back({number_of(estimates->getColumn(0)), number_of(estimates->getColumn(1)), number_of(estimates->getColumn(2))});
      names.push_back(estimates->getColumn(3).getString());
    }
    if (metric->per_workstation) row.workstations = names;
  }
  const auto behind = store.statement("SELECT 1 FROM batch JOIN scenario ON scenario.id = scenario WHERE scenario = ?");
  behind->bind(1, row.stored_scenario);
  const bool is_behind = row.status != PointStatus::ok || row.stored_scenario == 0 || behind->executeStep();
  if (const std::string missing = is_behind ? missing_of(row, of) : "lost its batches"; !missing.empty())
    refuse_damaged(store.file, which + " has " + missing, kMendedBySweep);
  return row;
}

ResultTable ExperimentStore::Impl::read_experiment(std::int64_t id, const std::string& name) {
  const auto all = store.statement("SELECT title, file, checksum FROM experiment WHERE id = ?");
  all->bind(1, id);
  if (!all->executeStep()) refuse_damaged(store.file, "the experiment '" + name + "' is missing");
  store.check_seal(experiment_seal(id), all->getColumn(2), "the experiment '" + name + "'", kMendedBySweep);
  ResultTable summary{all->getColumn(0).getString(), all->getColumn(1).getString(), {}, {}, {}};
  const auto axes = store.statement("SELECT name FROM axis WHERE experiment = ? ORDER BY position");
  axes->bind(1, id);
  while (axes->executeStep()) summary.axes.push_back(axes->getColumn(0).getString());
  const auto metrics = store.statement("SELECT name FROM metric WHERE experiment = ? ORDER BY position");
  metrics->bind(1, id);
  while (metrics->executeStep())
    if (const Metric* metric = find_metric(metrics->getColumn(0).getString(), known)) summary.metrics.push_back(metric);
  const auto rows = store.statement(
      "SELECT id, status, reason, replications, seed, confidence, engine, version, scenario, position, checksum"
      " FROM point WHERE experiment = ? ORDER BY position");
  rows->bind(1, id);
  while (rows->executeStep()) summary.rows.push_back(read_point(name, summary, *rows));
  return summary;
}

std::vector<StoredScenario> ExperimentStore::begin_experiment(const std::string& name, const Experiment& experiment,
                                                              const ExecutionPlan& execution) {
  return begin_experiment(name, experiment, execution, impl_->batches.find_scenarios(execution));
}

std::vector<StoredExperiment> ExperimentStore::experiments() {
  const auto together = impl_->batches.read_together();  // points and their seals change together
  return impl_->store.guarded([&] {
    std::vector<StoredExperiment> found;
    const auto orphans =
        impl_->store.statement("SELECT 1 FROM point WHERE experiment NOT IN (SELECT id FROM experiment)");
    if (orphans->executeStep())
      refuse_damaged(impl_->store.file, "points are of an experiment that is missing", kMendedBySweep);
    const auto all = impl_->store.statement("SELECT id, name FROM experiment ORDER BY name");
    while (all->executeStep()) {
      const std::string name = all->getColumn(1).getString();
      const ResultTable summary = impl_->read_experiment(all->getColumn(0).getInt64(), name);
      found.push_back({name, summary.title, summary.file, summary.axes, summary.rows.size(),
                       summary.count(PointStatus::ok), summary.count(PointStatus::infeasible),
                       summary.count(PointStatus::failed), summary.count(PointStatus::pending)});
    }
    SQLite::Database& database = *impl_->store.database;
    for (const std::string table : {"axis_value", "estimate", "decision"})
      if (database.tableExists(table) &&
          SQLite::Statement(database, "SELECT 1 FROM " + table + " WHERE point NOT IN (SELECT id FROM point)")
              .executeStep())
        refuse_damaged(impl_->store.file, "rows of '" + table + "' are of points that are missing", kMendedBySweep);
    return found;
  });
}

StoredOrigin ExperimentStore::origin(const std::string& name) {
  const auto together = impl_->batches.read_together();
  return impl_->store.guarded([&] {
    return read_origin(impl_->store, id_of(impl_->store.statement("SELECT id FROM experiment WHERE name = ?"), name));
  });
}

ResultTable ExperimentStore::summary(const std::string& name) {
  const auto together = impl_->batches.read_together();
  return impl_->store.guarded([&] {
    if (const auto id = id_of(impl_->store.statement("SELECT id FROM experiment WHERE name = ?"), name))
      return impl_->read_experiment(id, name);
    std::vector<std::string> known;
    const auto all = impl_->store.statement("SELECT name FROM experiment ORDER BY name");
    while (all->executeStep()) known.push_back(all->getColumn(0).getString());
    throw InputError("the store in " + impl_->store.folder + " has no experiment '" + name + "'" +
                     did_you_mean(name, known));
  });
}

}  // namespace nowsim
