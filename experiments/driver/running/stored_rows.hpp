// The store's tables: each column described once, by which tables are made, written, read and checked, and the rows.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/store_database.hpp"
#include "sim/splitting/split_task.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// "nows": what the database's header says it is.
inline constexpr int kStoreApplication = 0x6e6f7773;
/// Of the tables; to be raised with every change of them.
inline constexpr int kStoreFormat = 4;
/// The format before, which has a checksum for each point and none over an experiment's rows, and lacks some tables: it
/// is read as it is, and brought up to date where it is written. A nowsim that writes this one reads
/// format 2.
inline constexpr int kFormatBefore = 3;

// ---- columns --------------------------------------------------------------------------------------------------------

/// value: never NULL; maybe: NULL stands for 0 and for NaN; id: of the row, given by SQLite; sum: the row's checksum
/// over its values, made where it is written and checked where it is read, NULL where nothing is known.
enum class ColumnKind { value, maybe, id, sum };

/// The member's type is the column's: a std::string_view is of bytes, which are not copied.
template <class Row, class Value>
struct Column {
  const char* name;
  Value Row::*member;
  ColumnKind kind;
  const char* more;  ///< behind its type
};

template <class Row, class Value>
constexpr Column<Row, Value> column(const char* name, Value Row::*member, const char* more = "") {
  return {name, member, ColumnKind::value, more};
}
template <class Row, class Value>
constexpr Column<Row, Value> column(const char* name, Value Row::*member, ColumnKind kind, const char* more = "") {
  return {name, member, kind, more};
}

/// A table's name, and what stands behind its columns.
struct StoredTable {
  const char* name;
  const char* unique = "";
  bool has_rowid = true;
};

template <class Row, class Do>
constexpr void each_column(const Do& action) {
  std::apply([&](const auto&... columns) { (action(columns), ...); }, Row::columns());
}
template <class Value>
inline constexpr bool kIsBytes = std::is_same_v<Value, std::string_view>;

/// "CREATE TABLE IF NOT EXISTS batch (id INTEGER PRIMARY KEY, ...)"; `temporary`: of the connection alone.
template <class Row>
std::string create_statement(bool temporary = false) {
  std::string sql = std::string(temporary ? "CREATE TEMP TABLE" : "CREATE TABLE") + " IF NOT EXISTS " + Row::table.name;
  std::string separator = " (";
  each_column<Row>([&]<class Value>(const Column<Row, Value>& c) {
    const char* type = std::is_integral_v<Value>       ? " INTEGER"
                       : std::is_same_v<Value, double> ? " REAL"
                       : kIsBytes<Value>               ? " BLOB"
                                                       : " TEXT";
    const char* may_be = c.kind == ColumnKind::id ? " PRIMARY KEY" : c.kind == ColumnKind::value ? " NOT NULL" : "";
    sql += separator + c.name + type + may_be + c.more;
    separator = ", ";
  });
  if (*Row::table.unique != '\0') sql += std::string(", ") + Row::table.unique;
  return sql + (Row::table.has_rowid ? ")" : ") WITHOUT ROWID");
}

/// A checksum over values one after the other, with their types: a number that damage has changed is never shown.
class Seal {
 public:
  Seal& add(std::int64_t value);
  /// NaN is as NULL, and of a zero no sign is kept.
  Seal& add(double value);
  Seal& add(std::string_view value);
  Seal& add_null();
  [[nodiscard]] std::int64_t value() const;

 private:
  Seal& add_bytes(char type, const void* bytes, std::size_t size);
  std::string bytes_;
};

/// Over a row's values; bytes have a checksum among these.
template <class Row>
std::int64_t sum_of(const Row& row, Seal seal = {}) {
  each_column<Row>([&]<class Value>(const Column<Row, Value>& c) {
    if (kIsBytes<Value> || c.kind == ColumnKind::id || c.kind == ColumnKind::sum) return;
    if constexpr (std::is_integral_v<Value>)
      if (c.kind == ColumnKind::maybe && row.*c.member == 0) return void(seal.add_null());
    seal.add(row.*c.member);
  });
  return seal.value();
}

/// Writes a row; `how`: INSERT, INSERT OR REPLACE, INSERT OR IGNORE. Returns its id. To be called in a transaction.
template <class Row>
std::int64_t insert_row(StoreDatabase& store, const Row& row, const char* how = "INSERT") {
  static const std::string into = [] {
    std::string names, marks;
    each_column<Row>([&](const auto& c) {
      names += (names.empty() ? "" : ", ") + std::string(c.name);
      marks += marks.empty() ? "?" : ",?";
    });
    return std::string(" INTO ") + Row::table.name + "(" + names + ") VALUES(" + marks + ")";
  }();
  const auto insert = store.statement(how + into);
  int index = 0;
  each_column<Row>([&]<class Value>(const Column<Row, Value>& c) {
    const Value& value = row.*c.member;
    ++index;
    if constexpr (kIsBytes<Value>) {
      insert->bindNoCopy(index, value.data(), static_cast<int>(value.size()));
    } else if constexpr (std::is_integral_v<Value>) {
      const std::int64_t number = c.kind == ColumnKind::sum ? sum_of(row) : value;
      if (number == 0 && c.kind != ColumnKind::value)
        insert->bind(index);
      else
        insert->bind(index, number);
    } else {
      bind(*insert, index, value);
    }
  });
  run(insert);
  return store.database->getLastInsertRowid();
}

/// Of a statement's row, of which `select_statement` begins the columns.
template <class Row>
Row read_row(SQLite::Statement& from, bool with_bytes) {
  Row row;
  int index = 0;
  each_column<Row>([&]<class Value>(const Column<Row, Value>& c) {
    if (kIsBytes<Value> && !with_bytes) return;
    const auto value = from.getColumn(index++);
    if constexpr (kIsBytes<Value>) {
      const void* bytes = value.getBlob();  // before its size is asked for
      row.*c.member = {static_cast<const char*>(bytes), static_cast<std::size_t>(value.getBytes())};
    } else if constexpr (std::is_integral_v<Value>) {
      row.*c.member = value.getInt64();
    } else if constexpr (std::is_same_v<Value, double>) {
      row.*c.member = value.isNull() ? std::numeric_limits<double>::quiet_NaN() : value.getDouble();
    } else {
      row.*c.member = value.getString();
    }
  });
  return row;
}

/// @throws InputError where a row's own checksum is another one; told() says which row.
template <class Row>
void check_sum(StoreDatabase& store, const Row& row) {
  if constexpr (requires { row.told(); })
    each_column<Row>([&]<class Value>(const Column<Row, Value>& c) {
      if constexpr (std::is_integral_v<Value>)
        if (c.kind == ColumnKind::sum && row.*c.member != 0 && row.*c.member != sum_of(row))
          refuse_damaged(store.file, row.told() + " has a wrong checksum");
    });
}

enum class Bytes { read, left };
/// Reads rows of a table, "WHERE ..." these values, and checks each. Bytes are there as long as a row is looked at;
/// without them they are not read. @throws InputError where a checksum is wrong.
template <class Row, class Do, class... Values>
void each_row(StoreDatabase& store, Bytes bytes, const Do& action, const std::string& where, const Values&... values) {
  std::string sql = "SELECT ";
  each_column<Row>([&]<class Value>(const Column<Row, Value>& c) {
    if (!kIsBytes<Value> || bytes == Bytes::read) sql += (sql.size() > 7 ? ", " : "") + std::string(c.name);
  });
  const auto rows = store.statement(sql + " FROM " + Row::table.name + " " + where);
  int index = 0;
  (bind(*rows, ++index, values), ...);
  while (rows->executeStep()) {
    const Row row = read_row<Row>(*rows, bytes == Bytes::read);
    check_sum(store, row);
    action(row);
  }
}
/// Likewise, all of them; without bytes.
template <class Row, class... Values>
std::vector<Row> rows_of(StoreDatabase& store, const std::string& where, const Values&... values) {
  std::vector<Row> rows;
  each_row<Row>(
      store, Bytes::left, [&](const Row& row) { rows.push_back(row); }, where, values...);
  return rows;
}
/// The first of them, if there is one.
template <class Row, class... Values>
std::optional<Row> row_of(StoreDatabase& store, const std::string& where, const Values&... values) {
  auto rows = rows_of<Row>(store, where, values...);
  return rows.empty() ? std::nullopt : std::optional<Row>(std::move(rows.front()));
}

// ---- rows -----------------------------------------------------------------------------------------------------------

/// Machines, owners, program, split and seed, as resolved.
struct ScenarioRow {
  std::int64_t id = 0;
  std::string key, engine;                                     ///< the key: a hash of all that the results depend on
  std::int64_t model_version = 0, seed = 0, workstations = 0;  ///< the model's version is part of the key
  std::string description;
  std::int64_t checksum = 0;
  std::string variance_reduction;  ///< its name, which has a table of its own; "": none
  static constexpr StoredTable table{"scenario"};
  static constexpr auto columns() {
    using R = ScenarioRow;
    return std::tuple(column("id", &R::id, ColumnKind::id), column("key", &R::key, " UNIQUE"),
                      column("engine", &R::engine), column("model_version", &R::model_version),
                      column("seed", &R::seed), column("workstations", &R::workstations),
                      column("description", &R::description), column("checksum", &R::checksum, ColumnKind::sum));
  }
  [[nodiscard]] std::string told() const { return "scenario " + key; }
  /// Whether all is the same that results are read by; other versions may describe it in other words.
  [[nodiscard]] bool is_alike(const ScenarioRow& o) const {
    return std::tie(key, engine, model_version, seed, workstations, variance_reduction) ==
           std::tie(o.key, o.engine, o.model_version, o.seed, o.workstations, o.variance_reduction);
  }
};

/// antithetic, control-variates, both: of the scenarios that have one.
struct VarianceReductionRow {
  std::int64_t scenario = 0;
  std::string name;
  static constexpr StoredTable table{"variance_reduction"};
  static constexpr auto columns() {
    using R = VarianceReductionRow;
    return std::tuple(column("scenario", &R::scenario, ColumnKind::id, " REFERENCES scenario"),
                      column("name", &R::name));
  }
};

/// A range of replications, simulated at once.
struct BatchRow {
  std::int64_t id = 0, scenario = 0, first = 0, replications = 0;
  double mean_makespan_s = 0, m2_makespan_s2 = 0, min_makespan_s = 0, max_makespan_s = 0;  ///< m2: sum of (T - mean)^2
  double seconds = 0;         ///< it took, on the wall clock
  std::string version;        ///< of the program
  std::int64_t checksum = 0;  ///< of the results: XXH3, 64 bits
  std::int64_t row_checksum = 0;
  std::string_view results;  ///< everything, packed; whose bytes they are must outlive it
  static constexpr StoredTable table{"batch", "UNIQUE (scenario, first, replications)"};
  static constexpr auto columns() {
    using R = BatchRow;
    return std::tuple(column("id", &R::id, ColumnKind::id), column("scenario", &R::scenario, " REFERENCES scenario"),
                      column("first", &R::first), column("replications", &R::replications),
                      column("mean_makespan_s", &R::mean_makespan_s), column("m2_makespan_s2", &R::m2_makespan_s2),
                      column("min_makespan_s", &R::min_makespan_s), column("max_makespan_s", &R::max_makespan_s),
                      column("seconds", &R::seconds), column("version", &R::version), column("checksum", &R::checksum),
                      column("row_checksum", &R::row_checksum, ColumnKind::sum), column("results", &R::results));
  }
  [[nodiscard]] std::string told() const;
};

/// A scenario's first replications, of which moments alone were kept.
struct MomentsRow {
  std::int64_t scenario = 0, replications = 0;
  double mean_makespan_s = 0, m2_makespan_s2 = 0, min_makespan_s = 0, max_makespan_s = 0;  ///< as BatchRow's
  double seconds = 0;                                                                      ///< they took
  std::string version;                                                                     ///< of the program(s)
  std::int64_t checksum = 0;
  static constexpr StoredTable table{"moments", "PRIMARY KEY (scenario)", false};
  static constexpr auto columns() {
    using R = MomentsRow;
    return std::tuple(column("scenario", &R::scenario, " REFERENCES scenario"),
                      column("replications", &R::replications), column("mean_makespan_s", &R::mean_makespan_s),
                      column("m2_makespan_s2", &R::m2_makespan_s2), column("min_makespan_s", &R::min_makespan_s),
                      column("max_makespan_s", &R::max_makespan_s), column("seconds", &R::seconds),
                      column("version", &R::version), column("checksum", &R::checksum, ColumnKind::sum));
  }
  [[nodiscard]] std::string told() const { return "the moments of scenario " + std::to_string(scenario); }
};

/// A batch that could not be completed, until it is.
struct FailureRow {
  std::int64_t scenario = 0, first = 0, replications = 0;
  std::string reason, version;
  static constexpr StoredTable table{"failure", "PRIMARY KEY (scenario, first, replications)"};
  static constexpr auto columns() {
    using R = FailureRow;
    return std::tuple(column("scenario", &R::scenario, " REFERENCES scenario"), column("first", &R::first),
                      column("replications", &R::replications), column("reason", &R::reason),
                      column("version", &R::version));
  }
};

/// A split that was found by simulation.
struct SplitRow {
  std::string key;  ///< of the scenario but for its shares, and in words what was asked for
  std::string policy, objective, version;
  std::int64_t checksum = 0;  ///< of the report: XXH3, 64 bits
  std::string_view report;    ///< the shares and all that is known of them, packed
  static constexpr StoredTable table{"split", "", false};
  static constexpr auto columns() {
    using R = SplitRow;
    return std::tuple(column("key", &R::key, " PRIMARY KEY"), column("policy", &R::policy),
                      column("objective", &R::objective), column("version", &R::version),
                      column("checksum", &R::checksum), column("report", &R::report));
  }
};

/// What a trial of a search for a size came to, whose replications are not kept.
struct TrialRow {
  std::string key;  ///< the scenarios', and in words what was estimated, of how many replications, by which program
  double value = 0, low = 0, high = 0;
  std::int64_t replications = 0;
  double longest_s = 0;  ///< T
  std::int64_t checksum = 0;
  static constexpr StoredTable table{"trial", "", false};
  static constexpr auto columns() {
    using R = TrialRow;
    return std::tuple(column("key", &R::key, " PRIMARY KEY"), column("value", &R::value, ColumnKind::maybe),
                      column("low", &R::low, ColumnKind::maybe), column("high", &R::high, ColumnKind::maybe),
                      column("replications", &R::replications), column("longest_s", &R::longest_s),
                      column("checksum", &R::checksum, ColumnKind::sum));
  }
  [[nodiscard]] std::string told() const { return "a trial (" + key + ")"; }
};

struct ExperimentRow {
  std::int64_t id = 0;
  std::string name, title, file;
  std::int64_t checksum = 0;  ///< over all of the experiment's rows: the sum of theirs
  static constexpr StoredTable table{"experiment"};
  static constexpr auto columns() {
    using R = ExperimentRow;
    return std::tuple(column("id", &R::id, ColumnKind::id), column("name", &R::name, " UNIQUE"),
                      column("title", &R::title), column("file", &R::file),
                      column("checksum", &R::checksum, ColumnKind::maybe));
  }
};

/// The last axis runs fastest.
struct AxisRow {
  std::int64_t experiment = 0, position = 0;
  std::string name;
  static constexpr StoredTable table{"axis", "PRIMARY KEY (experiment, position)"};
  static constexpr auto columns() {
    using R = AxisRow;
    return std::tuple(column("experiment", &R::experiment, " REFERENCES experiment"), column("position", &R::position),
                      column("name", &R::name));
  }
};

struct MetricRow {
  std::int64_t experiment = 0, position = 0;
  std::string name;
  static constexpr StoredTable table{"metric", "PRIMARY KEY (experiment, position)"};
  static constexpr auto columns() {
    using R = MetricRow;
    return std::tuple(column("experiment", &R::experiment, " REFERENCES experiment"), column("position", &R::position),
                      column("name", &R::name));
  }
};

/// Of what an experiment was read from.
struct OriginRow {
  std::int64_t experiment = 0;
  std::string kind;           ///< file (the first is the description), flag, code, folder (of flags' paths)
  std::int64_t position = 0;  ///< from 0
  std::string value;          ///< a file's absolute path, key=value, workload 'mine'
  std::int64_t checksum = 0;  ///< of a file's bytes: XXH3, 64 bits; 0: not known
  static constexpr StoredTable table{"origin", "PRIMARY KEY (experiment, kind, position)", false};
  static constexpr auto columns() {
    using R = OriginRow;
    return std::tuple(column("experiment", &R::experiment, " REFERENCES experiment"), column("kind", &R::kind),
                      column("position", &R::position), column("value", &R::value),
                      column("checksum", &R::checksum, ColumnKind::maybe));
  }
};

struct PointRow {
  std::int64_t id = 0, experiment = 0, position = 0;  ///< from 0, in the order of the sweep
  std::int64_t scenario = 0, baseline = 0;            ///< 0: infeasible; none
  std::string status, reason;                         ///< pending, ok, infeasible, failed; of the latter two
  std::int64_t replications = 0, seed = 0;
  double confidence = 0;
  std::string engine, version;  ///< of the program(s) that simulated it
  static constexpr StoredTable table{"point", "UNIQUE (experiment, position)"};
  static constexpr auto columns() {
    using R = PointRow;
    return std::tuple(
        column("id", &R::id, ColumnKind::id), column("experiment", &R::experiment, " REFERENCES experiment"),
        column("position", &R::position), column("scenario", &R::scenario, ColumnKind::maybe, " REFERENCES scenario"),
        column("baseline", &R::baseline, ColumnKind::maybe, " REFERENCES scenario"), column("status", &R::status),
        column("reason", &R::reason), column("replications", &R::replications), column("seed", &R::seed),
        column("confidence", &R::confidence), column("engine", &R::engine), column("version", &R::version));
  }
};

/// A swept key's value at a point, as written, with its unit.
struct AxisValueRow {
  std::int64_t point = 0, position = 0;  ///< of the axis
  std::string name, value;
  static constexpr StoredTable table{"axis_value", "PRIMARY KEY (point, position)", false};
  static constexpr auto columns() {
    using R = AxisValueRow;
    return std::tuple(column("point", &R::point, " REFERENCES point"), column("position", &R::position),
                      column("name", &R::name), column("value", &R::value));
  }
};

/// Of a complete point, in SI units.
struct EstimateRow {
  std::int64_t point = 0;
  std::string metric;
  std::int64_t workstation = 0;         ///< 0: of the whole run; else from 1
  std::string name;                     ///< of the workstation
  double value = 0, low = 0, high = 0;  ///< NaN: not known; ends of the interval at the point's confidence
  static constexpr StoredTable table{"estimate", "PRIMARY KEY (point, metric, workstation)", false};
  static constexpr auto columns() {
    using R = EstimateRow;
    return std::tuple(column("point", &R::point, " REFERENCES point"), column("metric", &R::metric),
                      column("workstation", &R::workstation), column("name", &R::name),
                      column("value", &R::value, ColumnKind::maybe), column("low", &R::low, ColumnKind::maybe),
                      column("high", &R::high, ColumnKind::maybe));
  }
};

/// Of a point about which something is decided.
struct DecisionRow {
  std::int64_t point = 0;
  std::string key, metric;             ///< the swept key whose best value is told, and by which metric
  double asked = 0, indifference = 0;  ///< as it was asked for, and in the metric's unit
  std::string standing;                ///< best, equal, worse, open
  std::int64_t cell = 0;               ///< position of the first point that it was compared with
  static constexpr StoredTable table{"decision"};
  static constexpr auto columns() {
    using R = DecisionRow;
    return std::tuple(column("point", &R::point, ColumnKind::id, " REFERENCES point"), column("key", &R::key),
                      column("metric", &R::metric), column("asked", &R::asked),
                      column("indifference", &R::indifference), column("standing", &R::standing),
                      column("cell", &R::cell));
  }
};

struct WrittenFileRow {
  std::string name;
  std::int64_t checksum = 0;
  static constexpr StoredTable table{"written_file", "", false};
  static constexpr auto columns() {
    using R = WrittenFileRow;
    return std::tuple(column("name", &R::name, " PRIMARY KEY"), column("checksum", &R::checksum));
  }
};

/// What shards have published (shards/piece.hpp) and is taken in.
struct PieceRow {
  std::int64_t number = 0;
  std::string name, id, experiment;  ///< of its file; the attempt's
  std::int64_t shard = 0, shards = 0;
  std::int64_t round = 0;  ///< of the format before, which had several
  std::string host, processor, program, version, job, began, ended;
  std::int64_t batches = 0, replications = 0, failures = 0;
  double seconds = 0;
  static constexpr StoredTable table{"piece"};
  static constexpr auto columns() {
    using R = PieceRow;
    return std::tuple(column("number", &R::number, ColumnKind::id), column("name", &R::name, " UNIQUE"),
                      column("id", &R::id), column("experiment", &R::experiment), column("shard", &R::shard),
                      column("shards", &R::shards), column("round", &R::round), column("host", &R::host),
                      column("processor", &R::processor), column("program", &R::program),
                      column("version", &R::version), column("job", &R::job), column("began", &R::began),
                      column("ended", &R::ended), column("batches", &R::batches),
                      column("replications", &R::replications), column("failures", &R::failures),
                      column("seconds", &R::seconds));
  }
};

/// Statements that make the tables, by their names: those that every store has, and those that one of the format before
/// may lack.
using TableStatements = std::map<std::string, std::string>;
TableStatements needed_tables();
TableStatements later_tables(bool temporary = false);

// ---- what runs and other stores ask of them --------------------------------------------------------------------------

ScenarioRow scenario_row(const Series& series);
/// @throws InputError where it is damaged or missing.
ScenarioRow scenario_row(StoreDatabase& store, std::int64_t id);
/// The id of the scenario with this key; 0: there is none.
std::int64_t scenario_id(StoreDatabase& store, const std::string& key);
/// Its new id. To be called in a transaction.
std::int64_t insert_scenario(StoreDatabase& store, const ScenarioRow& row);

/// Of this program.
BatchRow batch_row(const Batch& range, const Moments& makespan_s, std::string_view packed, double seconds);
/// To be called in a transaction. The batch must not be there; that it could not be completed is forgotten.
void insert_batch(StoreDatabase& store, std::int64_t scenario, BatchRow row);
/// @throws InputError where its results, which were read with it, are not those that it had.
void check_results(StoreDatabase& store, const BatchRow& row);
/// Why a batch could not be completed; in the place of what was said of it before. To be called in a transaction.
void insert_failure(StoreDatabase& store, std::int64_t scenario, const Batch& range, const std::string& reason);
/// What a split's row holds, read with it. @throws InputError where that is damaged.
SplitReport report_of(StoreDatabase& store, const SplitRow& row);
/// Likewise of a split that was found by simulation, and of a trial.
void insert_split(StoreDatabase& store, const std::string& key, const SplitReport& report);
void insert_trial(StoreDatabase& store, const std::string& key, const TrialEstimate& trial);

}  // namespace nowsim
