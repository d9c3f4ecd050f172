// Checksums of what a store says in its columns: a number that damage has changed is never shown.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace nowsim {

/// A checksum over values one after the other, with their types; the same for values before they are stored and for the
/// columns that they are read back from.
class Seal {
 public:
  Seal& add(std::int64_t value);
  Seal& add(double value);
  Seal& add(std::string_view value);
  /// A column of the statement's row.
  Seal& add(const SQLite::Column& column);
  /// The first columns of the statement's row, so many of them.
  Seal& add_row(SQLite::Statement& statement, int columns);
  /// All columns of all rows that are left, and their number.
  Seal& add_rows(SQLite::Statement& statement);
  [[nodiscard]] std::int64_t value() const;

 private:
  Seal& add_bytes(char type, const void* bytes, std::size_t size);
  std::string bytes_;
};

}  // namespace nowsim
