// A store's experiments: their points before the run, their estimates after it, and both read back.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "experiments/store_impl.hpp"
#include "sim/error.hpp"
#include "sim/formula.hpp"
#include "sim/scenario_identity.hpp"

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

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Two different files of one name: each would replace the other's points and CSV. A file that has gone, or moved, or
/// been changed may replace its own.
void refuse_namesake(const std::string& name, const std::string& file, const std::string& old) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(old, ignored) || std::filesystem::equivalent(file, old, ignored)) return;
  if (content_of(file) == content_of(old)) return;
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
  for (const char* table : {"estimate", "axis_value"}) database.exec(std::string("DELETE FROM ") + table + points);
  for (const char* table : {"point", "metric", "axis"}) database.exec(std::string("DELETE FROM ") + table + " WHERE experiment = " + id);
  database.exec("DELETE FROM experiment WHERE id = " + id);
}

/// Names with their positions from 0.
void insert_names(const StatementUse& insert, std::int64_t experiment, const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) run(insert, experiment, static_cast<std::int64_t>(k), names[k]);
}

}  // namespace

void ResultStore::Impl::insert_point(std::int64_t experiment, const Experiment& e, const PointNeeds& needs,
                                     const std::vector<StoredScenario>& scenarios, std::size_t p) {
  const Point& point = e.points[p];
  const auto id_of_series = [&](const std::optional<std::size_t>& s) { return s ? scenarios[*s].id : 0; };
  const bool feasible = needs.series.has_value(), failed = !point.failure.empty();
  run(statement("INSERT INTO point(experiment, position, status, reason, seed, confidence, engine, scenario, baseline, replications, version)"
                " VALUES(?,?,?,?,?,?,?,nullif(?,0),nullif(?,0),0,'')"),
      experiment, static_cast<std::int64_t>(p), feasible ? "pending" : failed ? "failed" : "infeasible",
      failed ? point.failure : point.infeasible,
      static_cast<std::int64_t>(point.plan.seed), point.plan.confidence, feasible ? engine_name(point.plan.engine) : "",
      id_of_series(needs.series), id_of_series(needs.baseline));
  points.push_back(database->getLastInsertRowid());
  const auto insert = statement("INSERT INTO axis_value(point, position, name, value) VALUES(?,?,?,?)");
  for (std::size_t a = 0; a < point.values.size(); ++a)
    run(insert, points.back(), static_cast<std::int64_t>(a), e.axes[a], point.values[a]);
}

std::vector<StoredScenario> ResultStore::begin_experiment(const std::string& name, const Experiment& experiment,
                                                          const Study& study, std::vector<StoredScenario> scenarios) {
  return impl_->guarded([&] {
    impl_->begin_write();
    add_missing_scenarios(scenarios, study);
    if (const auto old = id_of(impl_->statement("SELECT id FROM experiment WHERE name = ?"), name)) {
      refuse_namesake(name, experiment.file, text_of(impl_->statement("SELECT file FROM experiment WHERE name = ?"), name));
      forget(*impl_->database, old);
    }
    run(impl_->statement("INSERT INTO experiment(name, title, file) VALUES(?,?,?)"), name, experiment.title, experiment.file);
    const std::int64_t id = impl_->database->getLastInsertRowid();
    insert_names(impl_->statement("INSERT INTO axis(experiment, position, name) VALUES(?,?,?)"), id, experiment.axes);
    std::vector<std::string> metrics;
    for (const Metric* metric : experiment.metrics) metrics.push_back(metric->name);
    insert_names(impl_->statement("INSERT INTO metric(experiment, position, name) VALUES(?,?,?)"), id, metrics);
    impl_->points.clear();
    for (std::size_t p = 0; p < experiment.points.size(); ++p) impl_->insert_point(id, experiment, study.points[p], scenarios, p);
    impl_->commit();
    return scenarios;
  });
}

void ResultStore::finish_point(std::size_t point, const SummaryRow& row, const std::vector<const Metric*>& metrics,
                               std::int64_t scenario, std::int64_t baseline) {
  impl_->guarded([&] {
    const std::int64_t id = impl_->points.at(point);
    impl_->begin_write();
    run(impl_->statement("UPDATE point SET status = ?, reason = ?, replications = ?, version = ?, engine = ?,"
                         " scenario = ?, baseline = nullif(?,0) WHERE id = ?"),
        row.status, row.reason, static_cast<std::int64_t>(row.replications), row.version, row.engine, scenario,
        baseline, id);
    const auto insert = impl_->statement("INSERT INTO estimate(point, metric, workstation, name, value, low, high) VALUES(?,?,?,?,?,?,?)");
    for (std::size_t m = 0; m < row.estimates.size(); ++m)
      for (std::size_t i = 0; i < row.estimates[m].size(); ++i) {
        const Estimate& e = row.estimates[m][i];
        const bool each = metrics[m]->per_workstation;
        run(insert, id, metrics[m]->name, static_cast<std::int64_t>(each ? i + 1 : 0), each ? row.workstations[i] : std::string(), e.value, e.low, e.high);
      }
  });
}

std::vector<StoredExperiment> ResultStore::experiments() {
  return impl_->guarded([&] {
    std::vector<StoredExperiment> found;
    const auto all = impl_->statement(
        "SELECT e.id, e.name, e.title, e.file, count(p.id), sum(p.status = 'ok'), sum(p.status = 'infeasible'), sum(p.status = 'failed'),"
        " sum(p.status = 'pending') FROM experiment e LEFT JOIN point p ON p.experiment = e.id GROUP BY e.id ORDER BY e.name");
    while (all->executeStep()) {
      const auto count = [&](int column) { return static_cast<std::size_t>(all->getColumn(column).getInt64()); };
      found.push_back({all->getColumn(1).getString(), all->getColumn(2).getString(), all->getColumn(3).getString(), {}, count(4), count(5), count(6), count(7), count(8)});
      const auto axes = impl_->statement("SELECT name FROM axis WHERE experiment = ? ORDER BY position");
      axes->bind(1, all->getColumn(0).getInt64());
      while (axes->executeStep()) found.back().axes.push_back(axes->getColumn(0).getString());
    }
    return found;
  });
}

Summary ResultStore::summary(const std::string& name) {
  return impl_->guarded([&] {
    std::vector<std::string> known;
    Summary summary;
    for (const auto& experiment : experiments()) {
      known.push_back(experiment.name);
      if (experiment.name == name) summary = {experiment.title, experiment.file, experiment.axes, {}, {}};
    }
    const auto id = id_of(impl_->statement("SELECT id FROM experiment WHERE name = ?"), name);
    if (id == 0) {
      const std::string near = nearest_name(name, known);
      throw InputError("the store in " + impl_->folder + " has no experiment '" + name + "'" +
                       (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    const auto metrics = impl_->statement("SELECT name FROM metric WHERE experiment = ? ORDER BY position");
    metrics->bind(1, id);
    while (metrics->executeStep())
      if (const Metric* metric = find_metric(metrics->getColumn(0).getString())) summary.metrics.push_back(metric);
    const auto points = impl_->statement(
        "SELECT id, status, reason, replications, seed, confidence, engine, version, scenario FROM point"
        " WHERE experiment = ? ORDER BY position");
    points->bind(1, id);
    while (points->executeStep()) {
      SummaryRow row;
      const std::int64_t point = points->getColumn(0).getInt64();
      row.status = points->getColumn(1).getString();
      row.reason = points->getColumn(2).getString();
      row.replications = static_cast<std::uint64_t>(points->getColumn(3).getInt64());
      row.seed = static_cast<std::uint64_t>(points->getColumn(4).getInt64());
      row.confidence = points->getColumn(5).getDouble();
      row.engine = points->getColumn(6).getString();
      row.version = points->getColumn(7).getString();
      row.variance_reduction = &impl_->variance_reduction_of(points->getColumn(8).getInt64());
      const auto values = impl_->statement("SELECT value FROM axis_value WHERE point = ? ORDER BY position");
      values->bind(1, point);
      while (values->executeStep()) row.values.push_back(values->getColumn(0).getString());
      for (const Metric* metric : summary.metrics) {
        if (row.status != "ok") break;
        const auto estimates = impl_->statement("SELECT value, low, high, name FROM estimate WHERE point = ? AND metric = ? ORDER BY workstation");
        estimates->bind(1, point);
        estimates->bind(2, metric->name);
        auto& list = row.estimates.emplace_back();
        std::vector<std::string> names;
        while (estimates->executeStep()) {
          list.push_back({number_of(estimates->getColumn(0)), number_of(estimates->getColumn(1)), number_of(estimates->getColumn(2))});
          names.push_back(estimates->getColumn(3).getString());
        }
        if (metric->per_workstation) row.workstations = names;
      }
      summary.rows.push_back(std::move(row));
    }
    return summary;
  });
}

StoreSize ResultStore::size() {
  return impl_->guarded([&] {
    StoreSize size;
    const auto find = impl_->statement(
        "SELECT (SELECT count(*) FROM scenario), (SELECT count(*) FROM scenario WHERE model_version <> ?), count(*),"
        " (SELECT total(replications) FROM batch b WHERE NOT EXISTS (SELECT 1 FROM batch c WHERE c.scenario = b.scenario"
        " AND c.first = b.first AND c.replications > b.replications)), total(seconds) FROM batch");  // each replication once
    find->bind(1, kModelVersion);
    if (!find->executeStep()) return size;
    size.scenarios = static_cast<std::uint64_t>(find->getColumn(0).getInt64());
    size.other_models = static_cast<std::uint64_t>(find->getColumn(1).getInt64());
    size.batches = static_cast<std::uint64_t>(find->getColumn(2).getInt64());
    size.replications = static_cast<std::uint64_t>(find->getColumn(3).getDouble());
    size.seconds = find->getColumn(4).getDouble();
    return size;
  });
}

std::optional<std::int64_t> ResultStore::written_file(const std::string& name) {
  return impl_->guarded([&]() -> std::optional<std::int64_t> {
    const auto find = impl_->statement("SELECT checksum FROM written_file WHERE name = ?");
    find->bind(1, name);
    if (!find->executeStep()) return std::nullopt;
    return find->getColumn(0).getInt64();
  });
}

void ResultStore::note_written_file(const std::string& name, std::int64_t checksum) {
  impl_->guarded([&] {
    run(impl_->statement("INSERT OR REPLACE INTO written_file(name, checksum) VALUES(?,?)"), name, checksum);
  });
}

}  // namespace nowsim
