// Writing points before the run and their estimates after it, and reading both back.
#include "experiments/driver/sweeps/experiment_store.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "experiments/driver/running/replication_rows.hpp"
#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/text.hpp"
#include "sim/base/user_file.hpp"

namespace nowsim {
namespace {

/// Two different files of one name: each would replace the other's points and CSV. A file that has gone, or moved, or
/// been changed may replace its own.
void refuse_namesake(const std::string& name, const std::string& file, const std::string& old) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(old, ignored) || std::filesystem::equivalent(file, old, ignored)) return;
  if (read_user_file(file, kMostDescriptionBytes) == read_user_file(old, kMostDescriptionBytes)) return;
  throw InputError("the store has an experiment '" + name + "' of another file, " + old + "; rename " + file +
                   " or choose another --out");
}

/// The tables whose rows are of an experiment, and of a point.
constexpr const char* kOfExperiment[] = {"point", "metric", "axis", "origin"};
constexpr const char* kOfPoint[] = {"decision", "estimate", "axis_value"};

/// Removes an experiment's rows; and those of one that was lost to damage, and of its points, whose ids the next may
/// get.
void forget(SQLite::Database& database, std::int64_t experiment) {
  database.exec("DELETE FROM experiment WHERE id = " + std::to_string(experiment));
  for (const std::string table : kOfExperiment)
    database.exec("DELETE FROM " + table + " WHERE experiment NOT IN (SELECT id FROM experiment)");
  for (const std::string table : kOfPoint)
    database.exec("DELETE FROM " + table + " WHERE point NOT IN (SELECT id FROM point)");
}

/// Of a row of an experiment: with its table and its id.
template <class Row>
std::uint64_t share_of_sum(const Row& row) {
  Seal seal;
  seal.add(std::string_view(Row::table.name));
  each_column<Row>([&]<class Value>(const Column<Row, Value>& c) {
    if constexpr (std::is_integral_v<Value>)
      if (c.kind == ColumnKind::id) seal.add(row.*c.member);
  });
  return static_cast<std::uint64_t>(sum_of(row, seal));
}

/// None for a point without a scenario.
const VarianceReduction& variance_reduction_of(StoreDatabase& store, std::int64_t scenario) {
  const auto row = row_of<VarianceReductionRow>(store, "WHERE scenario = ?", scenario);
  if (!row) return kNoVarianceReduction;
  for (const auto& way : kVarianceReductions)
    if (row->name == way.name) return way;
  refuse_damaged(store.file, "there is no variance reduction '" + row->name + "'");
}

/// Names with their positions from 0.
template <class Row>
std::vector<Row> named_rows(std::int64_t experiment, const std::vector<std::string>& names) {
  std::vector<Row> rows;
  for (const auto& name : names) rows.push_back({experiment, static_cast<std::int64_t>(rows.size()), name});
  return rows;
}

/// A point with what is written of it.
struct StoredPoint {
  PointRow row;
  std::vector<AxisValueRow> values = {};
  std::vector<EstimateRow> estimates = {};  // by metric and workstation
  std::optional<DecisionRow> decision = {};
  const VarianceReduction* variance_reduction = &kNoVarianceReduction;  // its scenario's

  [[nodiscard]] std::uint64_t sum() const {
    std::uint64_t sum = share_of_sum(row);
    sum += share_of_sum(VarianceReductionRow{row.id, variance_reduction->name});
    for (const auto& value : values) sum += share_of_sum(value);
    for (const auto& estimate : estimates) sum += share_of_sum(estimate);
    return decision ? sum + share_of_sum(*decision) : sum;
  }
};

/// An experiment with all that is written of it.
struct WholeExperiment {
  ExperimentRow row;
  std::vector<AxisRow> axes = {};
  std::vector<MetricRow> metrics = {};
  std::vector<OriginRow> origin = {};
  std::vector<StoredPoint> points = {};

  [[nodiscard]] std::uint64_t sum() const {
    ExperimentRow unsealed = row;
    unsealed.checksum = 0;
    std::uint64_t sum = share_of_sum(unsealed);
    for (const auto& axis : axes) sum += share_of_sum(axis);
    for (const auto& metric : metrics) sum += share_of_sum(metric);
    for (const auto& of : origin) sum += share_of_sum(of);
    for (const auto& point : points) sum += point.sum();
    return sum;
  }
};

/// What a store has of an experiment, whatever it is.
WholeExperiment whole_experiment(StoreDatabase& store, const ExperimentRow& row) {
  WholeExperiment whole{row};
  whole.axes = rows_of<AxisRow>(store, "WHERE experiment = ? ORDER BY position", row.id);
  whole.metrics = rows_of<MetricRow>(store, "WHERE experiment = ? ORDER BY position", row.id);
  whole.origin = rows_of<OriginRow>(store, "WHERE experiment = ? ORDER BY kind, position", row.id);
  std::unordered_map<std::int64_t, std::size_t> places;
  for (auto& point : rows_of<PointRow>(store, "WHERE experiment = ? ORDER BY position", row.id)) {
    places[point.id] = whole.points.size();
    whole.points.push_back({std::move(point)});
    whole.points.back().variance_reduction = &variance_reduction_of(store, whole.points.back().row.scenario);
  }
  const auto of = [&](std::int64_t point) -> StoredPoint& { return whole.points[places.at(point)]; };
  const std::string theirs = "WHERE point IN (SELECT id FROM point WHERE experiment = ?) ORDER BY point";
  for (auto& value : rows_of<AxisValueRow>(store, theirs + ", position", row.id))
    of(value.point).values.push_back(std::move(value));
  for (auto& estimate : rows_of<EstimateRow>(store, theirs + ", metric, workstation", row.id))
    of(estimate.point).estimates.push_back(std::move(estimate));
  for (auto& decision : rows_of<DecisionRow>(store, theirs, row.id)) of(decision.point).decision = std::move(decision);
  return whole;
}

std::optional<Decided> decided(StoreDatabase& store, const std::optional<DecisionRow>& row) {
  if (!row) return std::nullopt;
  const auto standing = std::ranges::find(standing_names(), row->standing);
  if (standing == standing_names().end() || deciding_metric(row->metric) == nullptr)
    refuse_damaged(store.file, "a decision by '" + row->metric + "' cannot be read");
  return Decided{row->key,
                 row->metric,
                 row->asked,
                 row->indifference,
                 static_cast<Standing>(standing - standing_names().begin()),
                 static_cast<std::size_t>(row->cell)};
}

/// What a point that was read lacks of what whoever reads on takes for granted; "" where it is whole. A point of
/// an experiment without a checksum may have lost any of it.
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
  void insert_point(const Experiment& e, const PointNeeds& needs, const std::vector<StoredScenario>& scenarios,
                    std::size_t p);
  /// Of the experiment that is written, after a change by so much.
  void change_sum(std::uint64_t by);
  ResultRow read_point(const std::string& name, const ResultTable& of, const StoredPoint& point);
  ResultTable read_experiment(const ExperimentRow& row);

  BatchStore& batches;
  StoreDatabase& store;
  Registry<Metric> known;
  WholeExperiment begun;  // that is written, but for the estimates of its points
};

ExperimentStore::ExperimentStore(BatchStore& batches, const Registry<Metric>& metrics)
    : impl_(std::make_unique<Impl>(batches, metrics)) {}
ExperimentStore::~ExperimentStore() = default;

void ExperimentStore::Impl::insert_point(const Experiment& e, const PointNeeds& needs,
                                         const std::vector<StoredScenario>& scenarios, std::size_t p) {
  const Point& point = e.points[p];
  const auto id_of_series = [&](const std::optional<std::size_t>& s) { return s ? scenarios[*s].id : 0; };
  StoredPoint& added = begun.points.emplace_back();
  added.row = {0,
               begun.row.id,
               static_cast<std::int64_t>(p),
               id_of_series(needs.series),
               id_of_series(needs.baseline),
               status_name(point.status()),
               point.reason(),
               0,
               static_cast<std::int64_t>(point.plan.seed),
               point.plan.confidence,
               needs.series ? engine_name(point.plan.engine) : "",
               ""};
  added.row.id = insert_row(store, added.row);
  added.variance_reduction = &variance_reduction_of(store, added.row.scenario);
  for (std::size_t a = 0; a < point.values.size(); ++a) {
    added.values.push_back({added.row.id, static_cast<std::int64_t>(a), e.axes[a], point.values[a]});
    insert_row(store, added.values.back());
  }
}

void ExperimentStore::Impl::change_sum(std::uint64_t by) {
  begun.row.checksum = static_cast<std::int64_t>(static_cast<std::uint64_t>(begun.row.checksum) + by);
  run(store.statement("UPDATE experiment SET checksum = ? WHERE id = ?"), begun.row.checksum, begun.row.id);
}

std::vector<StoredScenario> ExperimentStore::begin_experiment(const std::string& name, const Experiment& experiment,
                                                              const ExecutionPlan& execution,
                                                              std::vector<StoredScenario> scenarios) {
  check_stored_name(name, experiment.file);
  const StoredOrigin origin = origin_to_store(experiment);
  StoreDatabase& store = impl_->store;
  return store.guarded([&] {
    store.begin_write();
    impl_->batches.add_missing(scenarios, execution);
    const auto old = row_of<ExperimentRow>(store, "WHERE name = ?", name);
    if (old) refuse_namesake(name, experiment.file, old->file);
    forget(*store.database, old ? old->id : 0);
    WholeExperiment& begun = impl_->begun = {{0, name, experiment.title, experiment.file, 0}};
    begun.row.id = insert_row(store, begun.row);
    const auto add_all = [&]<class Row>(std::vector<Row>& to, std::vector<Row> rows) {
      for (const Row& row : rows) insert_row(store, row);
      to = std::move(rows);
    };
    add_all(begun.axes, named_rows<AxisRow>(begun.row.id, experiment.axes));
    std::vector<std::string> metrics;
    for (const Metric* metric : experiment.metrics) metrics.push_back(metric->name);
    add_all(begun.metrics, named_rows<MetricRow>(begun.row.id, metrics));
    add_all(begun.origin, rows_of_origin(origin, begun.row.id));
    for (std::size_t p = 0; p < experiment.points.size(); ++p)
      impl_->insert_point(experiment, execution.points[p], scenarios, p);
    impl_->change_sum(begun.sum());
    store.commit();
    return scenarios;
  });
}

void ExperimentStore::finish_point(std::size_t point, const ResultRow& row, const std::vector<const Metric*>& metrics,
                                   std::int64_t scenario, std::int64_t baseline) {
  StoreDatabase& store = impl_->store;
  store.guarded([&] {
    StoredPoint now = impl_->begun.points.at(point);
    const std::uint64_t before = now.sum();
    store.begin_write();
    now.row = {now.row.id,   now.row.experiment,      now.row.position, scenario,
               baseline,     status_name(row.status), row.reason,       static_cast<std::int64_t>(row.replications),
               now.row.seed, now.row.confidence,      row.engine,       row.version};
    insert_row(store, now.row, "INSERT OR REPLACE");
    now.variance_reduction = &variance_reduction_of(store, scenario);
    for (std::size_t m = 0; m < row.estimates.size(); ++m)
      for (std::size_t i = 0; i < row.estimates[m].size(); ++i) {
        const Estimate& e = row.estimates[m][i];
        const bool each = metrics[m]->per_workstation;
        now.estimates.push_back({now.row.id, metrics[m]->name, static_cast<std::int64_t>(each ? i + 1 : 0),
                                 each ? row.workstations[i] : std::string(), e.value, e.low, e.high});
        insert_row(store, now.estimates.back());
      }
    if (const auto& d = row.decided) {
      now.decision = DecisionRow{now.row.id,
                                 d->key,
                                 d->metric,
                                 d->asked,
                                 d->indifference,
                                 standing_name(d->standing),
                                 static_cast<std::int64_t>(d->cell)};
      insert_row(store, *now.decision);
    }
    impl_->change_sum(now.sum() - before);
  });
}

ResultRow ExperimentStore::Impl::read_point(const std::string& name, const ResultTable& of, const StoredPoint& point) {
  const std::string which = "point " + std::to_string(point.row.position + 1) + " of '" + name + "'";
  if (!status_named(point.row.status))
    refuse_damaged(store.file, which + " has the status '" + point.row.status + "'", kMendedBySweep);
  ResultRow row;
  row.status = *status_named(point.row.status);
  row.reason = point.row.reason;
  row.replications = static_cast<std::uint64_t>(point.row.replications);
  row.seed = static_cast<std::uint64_t>(point.row.seed);
  row.confidence = point.row.confidence;
  row.engine = point.row.engine;
  row.version = point.row.version;
  row.stored_scenario = point.row.scenario;
  row.variance_reduction = point.variance_reduction;
  row.decided = decided(store, point.decision);
  for (const auto& value : point.values) row.values.push_back(value.value);
  for (const Metric* metric : of.metrics) {
    if (row.status != PointStatus::ok) break;
    auto& list = row.estimates.emplace_back();
    std::vector<std::string> names;
    for (const EstimateRow& e : std::ranges::equal_range(point.estimates, metric->name, {}, &EstimateRow::metric)) {
      list.push_back({e.value, e.low, e.high});
      names.push_back(e.name);
    }
    if (metric->per_workstation) row.workstations = names;
  }
  const auto behind = store.statement(
      "SELECT 1 FROM scenario WHERE id = ?1 AND (EXISTS (SELECT 1 FROM batch WHERE scenario = ?1) OR"
      " EXISTS (SELECT 1 FROM moments WHERE scenario = ?1))");
  behind->bind(1, row.stored_scenario);
  const bool is_behind = row.status != PointStatus::ok || row.stored_scenario == 0 || behind->executeStep();
  if (const std::string missing = is_behind ? missing_of(row, of) : "lost its batches"; !missing.empty())
    refuse_damaged(store.file, which + " has " + missing, kMendedBySweep);
  return row;
}

ResultTable ExperimentStore::Impl::read_experiment(const ExperimentRow& row) {
  const WholeExperiment whole = whole_experiment(store, row);
  if (store.is_of_format_before || row.checksum == 0)
    store.is_unproven = true;
  else if (static_cast<std::uint64_t>(row.checksum) != whole.sum())
    refuse_damaged(store.file, "the experiment '" + row.name + "' has a wrong checksum over its rows", kMendedBySweep);
  ResultTable summary{row.title, row.file, {}, {}, {}};
  for (const auto& axis : whole.axes) summary.axes.push_back(axis.name);
  for (const auto& name : whole.metrics)
    if (const Metric* metric = find_metric(name.name, known)) summary.metrics.push_back(metric);
  for (const auto& point : whole.points) summary.rows.push_back(read_point(row.name, summary, point));
  return summary;
}

std::vector<StoredScenario> ExperimentStore::begin_experiment(const std::string& name, const Experiment& experiment,
                                                              const ExecutionPlan& execution) {
  return begin_experiment(name, experiment, execution, impl_->batches.find_scenarios(execution));
}

std::vector<StoredExperiment> ExperimentStore::experiments() {
  const auto together = impl_->batches.read_together();  // rows and their checksum change together
  StoreDatabase& store = impl_->store;
  return store.guarded([&] {
    const auto has = [&](const std::string& query) { return store.statement(query)->executeStep(); };
    if (has("SELECT 1 FROM point WHERE experiment NOT IN (SELECT id FROM experiment)"))
      refuse_damaged(store.file, "points are of an experiment that is missing", kMendedBySweep);
    std::vector<StoredExperiment> found;
    for (const auto& row : rows_of<ExperimentRow>(store, "ORDER BY name")) {
      const ResultTable summary = impl_->read_experiment(row);
      found.push_back({row.name, summary.title, summary.file, summary.axes, summary.rows.size(),
                       summary.count(PointStatus::ok), summary.count(PointStatus::infeasible),
                       summary.count(PointStatus::failed), summary.count(PointStatus::pending)});
    }
    for (const std::string table : kOfPoint)
      if (has("SELECT 1 FROM " + table + " WHERE point NOT IN (SELECT id FROM point)"))
        refuse_damaged(store.file, "rows of '" + table + "' are of points that are missing", kMendedBySweep);
    return found;
  });
}

bool ExperimentStore::lacks_replications(const std::string& name) {
  StoreDatabase& store = impl_->store;
  return store.guarded([&] {
    const std::string of_moments = "WHERE experiment = (SELECT id FROM experiment WHERE name = ?) AND status = 'ok' AND"
                                   " scenario IN (SELECT scenario FROM moments)";
    const auto points = rows_of<PointRow>(store, of_moments, name);
    return std::ranges::any_of(points, [&](const PointRow& point) {
      const StoredScenario scenario = impl_->batches.scenario(point.scenario);
      const auto is_there = [&](const Batch& batch) { return scenario.has(batch); };
      return !std::ranges::all_of(batches_of_first(scenario, static_cast<std::uint64_t>(point.replications)), is_there);
    });
  });
}

StoredOrigin ExperimentStore::origin(const std::string& name) {
  const auto together = impl_->batches.read_together();
  StoreDatabase& store = impl_->store;
  return store.guarded([&] {
    const auto row = row_of<ExperimentRow>(store, "WHERE name = ?", name);
    return row ? origin_of(rows_of<OriginRow>(store, "WHERE experiment = ? ORDER BY kind, position", row->id))
               : StoredOrigin();
  });
}

ResultTable ExperimentStore::summary(const std::string& name) {
  const auto together = impl_->batches.read_together();
  StoreDatabase& store = impl_->store;
  return store.guarded([&] {
    if (const auto row = row_of<ExperimentRow>(store, "WHERE name = ?", name)) return impl_->read_experiment(*row);
    std::vector<std::string> known;
    for (const auto& row : rows_of<ExperimentRow>(store, "ORDER BY name")) known.push_back(row.name);
    throw InputError("the store in " + store.folder + " has no experiment '" + name + "'" + did_you_mean(name, known));
  });
}

// ---- user code
// -------------------------------------------------------------------------------------------------------

namespace {

/// The word behind `mark`, where it stands last; "" where it does not.
std::string word_behind(const std::string& mark, const std::string& text) {
  const auto found = text.rfind(mark);
  if (found == std::string::npos) return "";
  const auto begin = found + mark.size();
  return text.substr(begin, text.find(' ', begin) - begin);
}

const std::string& code_of(const WorkloadInfo& workload) { return workload.code; }
const std::string& code_of(const Technique& technique) { return technique.user_code.identity; }

template <class Thing>
std::string remark_on_edit(const char* kind, const std::string& name, const Registry<Thing>& known,
                           const std::string& code) {
  const Thing* thing = known.find(name);
  if (thing == nullptr || code_of(*thing).empty() || code_of(*thing) == code ||
      code_of(*thing).starts_with(kUntoldCode))
    return "";
  return "these results are of other code: the " + std::string(kind) + " " + quoted(name) +
         " is not the one of then; 'nowsim sweep' simulates what is missing of the one at hand";
}

/// Of a scenario, from its identity in words (make_workload()).
std::string remark_on(const std::string& description, const Registries& known) {
  const std::string of_workload = description.substr(0, description.find(" on "));  // behind it are machines and owners
  const std::string code = word_behind(" code=", of_workload);
  if (code.empty()) return "";
  const std::string workload = of_workload.substr(0, of_workload.find(' '));
  const std::string remark = remark_on_edit("workload", workload, known.workloads, code);
  if (!remark.empty()) return remark;
  return remark_on_edit("technique", word_behind(" technique=", of_workload), known.techniques, code);
}

}  // namespace

std::vector<std::string> remarks_on_code(BatchStore& batches, const std::string& experiment, const Registries& known) {
  std::vector<std::string> remarks;
  const auto add = [&remarks](const std::string& remark) {
    if (!remark.empty() && std::ranges::count(remarks, remark) == 0) remarks.push_back(remark);
  };
  StoreDatabase& store = batches.database();
  store.guarded([&] {
    const auto metrics = store.statement(
        "SELECT name FROM metric"
        " WHERE experiment = (SELECT id FROM experiment WHERE name = ?) ORDER BY position");
    metrics->bind(1, experiment);
    while (metrics->executeStep())
      if (const std::string name = metrics->getColumn(0).getString(); find_metric(name, known.metrics) == nullptr)
        add("there is no metric " + quoted(name) +
            " here, so that what is stored of it is left out; where it is user "
            "code, --plugin FILE (or importing it in Python) takes that along");
    const auto scenarios = store.statement(
        "SELECT DISTINCT description FROM scenario WHERE id IN (SELECT scenario FROM point"
        " WHERE experiment = (SELECT id FROM experiment WHERE name = ?)) ORDER BY description");
    scenarios->bind(1, experiment);
    while (scenarios->executeStep()) add(remark_on(scenarios->getColumn(0).getString(), known));
  });
  return remarks;
}

}  // namespace nowsim
