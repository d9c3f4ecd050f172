// What tables should be is read from an empty store in memory.
#include "experiments/driver/running/stored_tables.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "experiments/driver/running/stored_rows.hpp"

namespace nowsim {
namespace {

/// A column as it is declared.
struct Declared {
  std::string name, type;
  bool is_needed = false;  ///< NOT NULL
  int key = 0;             ///< its place in the primary key, from 1
  int hidden = 0;          ///< it is computed
  auto operator<=>(const Declared&) const = default;
};
using Columns = std::vector<Declared>;  // in the order of their names: those that were added later stand elsewhere

/// Which stores have that were of the format before: it is not read.
bool is_left(const std::string& table, const std::string& column) { return table == "point" && column == "checksum"; }

Columns columns_of(SQLite::Database& database, const std::string& table) {
  SQLite::Statement rows(database, "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?, 'main')");
  rows.bind(1, table);
  Columns columns;
  while (rows.executeStep())
    columns.push_back({rows.getColumn(0).getString(), rows.getColumn(1).getString(), rows.getColumn(2).getInt() != 0,
                       rows.getColumn(3).getInt(), rows.getColumn(4).getInt()});
  std::erase_if(columns, [&](const Declared& column) { return is_left(table, column.name); });
  std::ranges::sort(columns);
  return columns;
}

/// The words of a statement that makes a table, comments left out; nothing where it has more than words, commas and
/// parentheses: a default, a check or a computed column would be executed.
std::optional<std::set<std::string>> words_of(std::string_view sql) {
  std::set<std::string> words;
  for (std::size_t at = 0; at < sql.size();) {
    const auto is_of_word = [&](std::size_t k) {
      return k < sql.size() && (sql[k] == '_' || std::isalnum(static_cast<unsigned char>(sql[k])) != 0);
    };
    std::size_t end = at;
    while (is_of_word(end)) ++end;
    if (end > at)
      words.emplace(sql.substr(at, end - at));
    else if (sql.substr(at, 2) == "--")
      end = std::min(sql.find('\n', at), sql.size());
    else if (std::string_view(" \t\r\n(),").find(sql[at]) != std::string_view::npos)
      ++end;
    else
      return std::nullopt;
    at = end;
  }
  return words;
}

/// What nowsim makes.
struct Known {
  std::map<std::string, Columns> tables;
  std::set<std::string> needed, words;  // tables of every store; of all statements that make them
};

Known make_known() {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  Known known;
  const auto add = [&](const std::string& statements, std::set<std::string>* names) {
    database.exec(statements);
    SQLite::Statement rows(database, "SELECT name, sql FROM sqlite_master WHERE type = 'table'");
    while (rows.executeStep()) {
      const std::string name = rows.getColumn(0).getString();
      if (!known.tables.emplace(name, columns_of(database, name)).second) continue;
      if (names != nullptr) names->insert(name);
      known.words.merge(words_of(rows.getColumn(1).getString()).value());
    }
  };
  for (const auto& [table, statement] : needed_tables()) add(statement, &known.needed);
  for (const auto& [table, statement] : later_tables()) add(statement, nullptr);
  return known;
}

const Known& known() {
  static const Known all = make_known();
  return all;
}

/// As SQLite compares names.
std::string lower(std::string name) {
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return c < 128 ? std::tolower(c) : c; });
  return name;
}

bool is_plain(const std::string& sql) {
  const auto words = words_of(sql);
  return words && std::ranges::includes(known().words, *words);
}

/// Something that a database has, as it says in sqlite_master.
struct Entry {
  std::string type, name, of, sql;  // of: of which table it is
};

constexpr std::size_t kMostInSchema = 1000;  // users may have added some

std::vector<Entry> entries_of(SQLite::Database& database) {
  SQLite::Statement rows(database, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master");
  std::vector<Entry> entries;
  while (entries.size() <= kMostInSchema && rows.executeStep())
    entries.push_back({rows.getColumn(0).getString(), lower(rows.getColumn(1).getString()),
                       lower(rows.getColumn(2).getString()), rows.getColumn(3).getString()});
  return entries;
}

/// SQLite makes those itself for primary keys and the like.
bool is_automatic(const Entry& e) { return e.type == "index" && e.sql.empty() && known().tables.contains(e.of); }

bool is_known(const Entry& e) { return known().tables.contains(e.name); }

/// An index over columns; one over expressions executes them.
bool is_over_columns(const Entry& e) { return std::ranges::count(e.sql, '(') == 1; }

std::string fault_of(const Entry& e) {
  if (is_automatic(e)) return "";
  if (is_known(e))
    return e.type == "table" && is_plain(e.sql) ? "" : "'" + e.name + "' is no table as nowsim makes it";
  if (e.type == "index" && known().tables.contains(e.of) && !is_over_columns(e))
    return "its index '" + e.name + "' computes";
  return "";
}

// Far above what anybody simulates, and sums of as many as there are stay numbers.
constexpr std::int64_t kMostReplications = std::int64_t{1} << 46U;
constexpr std::int64_t kMostCount = std::int64_t{1} << 30U;
/// batch_size() is a tenth of it at most.
constexpr std::int64_t kMostInBatch = 1000;

/// A condition that numbers in a column meet; "" where any will do.
std::string bounds_of(const std::string& table, const std::string& column) {
  static const std::set<std::string> counts{"position", "workstation", "cell",    "shard",
                                            "shards",   "round",       "batches", "failures"};
  const auto between = [](std::int64_t low, std::int64_t high) {
    return "BETWEEN " + std::to_string(low) + " AND " + std::to_string(high);
  };
  if (column == "seconds") return "BETWEEN 0 AND 1e18";
  if (column == "workstations") return between(1, kMostCount);
  if (table == "batch" && column == "replications") return between(1, kMostInBatch);
  if (column == "replications" || column == "first") return between(0, kMostReplications);
  return counts.contains(column) ? between(0, kMostCount) : "";
}

/// A condition that holds where a value is not what it should be.
std::string is_wrong(const std::string& table, const Declared& column) {
  const std::string name = "[" + column.name + "]", bounds = bounds_of(table, column.name);
  const bool may_be_null = !column.is_needed && !(column.key > 0 && column.type == "INTEGER");
  const std::string is_other =
      "typeof(" + name + ") NOT IN ('" + lower(column.type) + "'" + (may_be_null ? ", 'null')" : ")");
  return bounds.empty() ? is_other : is_other + " OR " + name + " NOT " + bounds;
}

}  // namespace

void forbid_code(SQLite::Database& database) {
  sqlite3* const handle = database.getHandle();
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  for (const int what : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW})
    sqlite3_db_config(handle, what, 0, nullptr);
  database.exec("PRAGMA cell_size_check=ON");
}

void bound_steps(SQLite::Database& database, std::uintmax_t bytes) {
  constexpr std::uintmax_t kLeast = 1'000'000, kMost = std::numeric_limits<int>::max();
  const auto steps = static_cast<int>(std::min(kMost, kLeast + kStepsPerByte * bytes));
  sqlite3_progress_handler(
      database.getHandle(), steps, [](void*) { return 1; }, nullptr);
}

void unbound_steps(SQLite::Database& database) { sqlite3_progress_handler(database.getHandle(), 0, nullptr, nullptr); }

std::string fault_of_tables(SQLite::Database& database) {
  std::set<std::string> there;
  const std::vector<Entry> entries = entries_of(database);
  if (entries.size() > kMostInSchema) return "it has more tables than nowsim reads";
  for (const Entry& e : entries) {
    if (std::string fault = fault_of(e); !fault.empty()) return fault;
    if (e.type == "table" && is_known(e)) there.insert(e.name);
  }
  for (const std::string& table : known().needed)
    if (!there.contains(table)) return "its table '" + table + "' is missing";
  for (const std::string& table : there)
    if (columns_of(database, table) != known().tables.at(table))
      return "its table '" + table + "' has other columns";
  return "";
}

std::vector<std::string> tables_there(SQLite::Database& database, RowsOf rows) {
  static const std::set<std::string> of_experiments{"experiment", "axis",     "metric", "point",
                                                    "axis_value", "estimate", "origin", "decision"};
  std::vector<std::string> tables;
  for (const Entry& e : entries_of(database))
    if (e.type == "table" && known().tables.contains(e.name) &&
        of_experiments.contains(e.name) == (rows == RowsOf::experiments))
      tables.push_back(e.name);
  return tables;
}

std::string fault_of_values(SQLite::Database& database, const std::string& table) {
  std::string select = "SELECT CASE";
  for (const Declared& column : known().tables.at(table))
    select += " WHEN " + is_wrong(table, column) + " THEN '" + column.name + "'";
  SQLite::Statement rows(database, select + " END AS wrong FROM main.[" + table + "] WHERE wrong IS NOT NULL LIMIT 1");
  if (!rows.executeStep()) return "";
  return "its table '" + table + "' has a value in '" + rows.getColumn(0).getString() + "' that nowsim does not write";
}

bool has_others(SQLite::Database& database) {
  return std::ranges::any_of(entries_of(database),
                             [](const Entry& e) { return !is_automatic(e) && !is_known(e); });
}

}  // namespace nowsim
