// Which tables a store has, and whether a database that anybody may have made or damaged has them so.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>
#include <vector>

namespace nowsim {

/// Nothing that a database brings along is executed any more: no views, no triggers, no functions that act.
void forbid_code(SQLite::Database& database);

/// A row takes a hundred bytes on average, and SQLite fewer than eight hundred steps to read and check it: pages that
/// lead to the same ones again and again take more, and what reads them is interrupted then. `bytes`: of the file.
void bound_steps(SQLite::Database& database, std::uintmax_t bytes);
inline constexpr std::uintmax_t kStepsPerByte = 8;
/// Of more there is no number of steps that SQLite could count to.
inline constexpr std::uintmax_t kMostBounded_bytes = std::uintmax_t{200} << 20U;
/// As before.
void unbound_steps(SQLite::Database& database);

/// What is wrong with the tables themselves, for people: one is missing, is a view, or has other columns than nowsim's;
/// "" where nothing is. Nothing of them is executed for that. Tables and views of the user's own are let alone.
std::string fault_of_tables(SQLite::Database& database);

/// The tables that are there of those that hold results, or of those that are written anew by a sweep of an experiment.
enum class RowsOf { results, experiments };
std::vector<std::string> tables_there(SQLite::Database& database, RowsOf rows);

/// What is wrong with the values in a table that has no fault: one is of another type, or no number that nowsim writes
/// there; "" where nothing is.
std::string fault_of_values(SQLite::Database& database, const std::string& table);

/// Whether a table of somebody else's, or an index, is there besides.
bool has_others(SQLite::Database& database);

}  // namespace nowsim
