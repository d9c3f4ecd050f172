// Stores for tests: experiments swept into a folder and counted, and what is in the database, by SQL.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/driver/sweeps/experiment_store.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "sim/base/text.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"
#include "tests/thrown.hpp"

namespace nowsim::test {

inline std::string store_file(const std::string& folder) { return (std::filesystem::path(folder) / kStoreFile).string(); }

/// The experiment of this name in the store of a folder.
inline ResultTable stored_summary(const std::string& folder, const std::string& name = "e") {
  BatchStore store(folder, BatchStore::Access::read);
  return ExperimentStore(store).summary(name);
}

/// The rows that a query gives, their fields joined by '|'.
inline std::vector<std::string> sql(const std::string& folder, const std::string& query) {
  SQLite::Database database(store_file(folder), SQLite::OPEN_READWRITE);
  SQLite::Statement statement(database, query);
  std::vector<std::string> rows;
  while (statement.executeStep()) {
    std::string row;
    for (int c = 0; c < statement.getColumnCount(); ++c) {
      const auto column = statement.getColumn(c);
      row += (c > 0 ? "|" : "") + (column.isNull() ? "NULL" : column.isFloat() ? number_text(column.getDouble()) : column.getString());
    }
    rows.push_back(row);
  }
  return rows;
}

/// The first field of the first row, as a number.
inline double sql_number(const std::string& folder, const std::string& query) { return std::stod(sql(folder, query).at(0)); }

/// How many batches there are, as one sees who looks on while a program is at work and changes nothing.
inline double stored_batches(const std::string& folder) {
  if (!std::filesystem::exists(store_file(folder) + "-wal")) return 0;  // not at work yet, or no more
  try {
    SQLite::Database database(store_file(folder), SQLite::OPEN_READONLY);
    return database.execAndGet("SELECT count(*) FROM batch").getDouble();
  } catch (const SQLite::Exception&) {
    return 0;  // no table yet
  }
}

/// Changes a store behind its back.
inline void sql_exec(const std::string& folder, const std::string& statements) {
  SQLite::Database(store_file(folder), SQLite::OPEN_READWRITE).exec(statements);
}

/// Sweeps into a store that is opened for this alone.
inline SweepOutcome swept(const std::string& folder, const Experiment& experiment, int jobs = 2, const std::string& name = "e") {
  BatchStore store(folder, BatchStore::Access::write);
  RunOptions options;
  options.jobs = jobs;
  return sweep_into(store, name, experiment, options);
}

/// A YAML list of two platform files of two machines: one that the direct engine refuses, since a link's latency varies,
/// and the same without that.
inline std::string platforms_for_one_engine_and_both(const Folder& folder) {
  folder.file("latency.profile", "1 0.5\n");
  const auto platform = [&](const std::string& name, const std::string& profile) {
    return folder.file(name, "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                             "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1f\"/>"
                             "<host id=\"b\" speed=\"1f\"/><link id=\"l\" bandwidth=\"1kBps\" latency=\"1ms\"" + profile +
                             "/><route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>\n");
  };
  return "[" + platform("varies.xml", " latency_file=\"latency.profile\"") + ", " + platform("plain.xml", "") + "]";
}

}  // namespace nowsim::test
