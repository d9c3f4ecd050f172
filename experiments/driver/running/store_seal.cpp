// Values as bytes that cannot be read in two ways.
#include "experiments/driver/running/store_seal.hpp"

#include "experiments/driver/text/checksum.hpp"

namespace nowsim {

Seal& Seal::add_bytes(char type, const void* bytes, std::size_t size) {
  bytes_ += type;
  bytes_.append(reinterpret_cast<const char*>(&size), sizeof size);
  bytes_.append(static_cast<const char*>(bytes), size);
  return *this;
}

Seal& Seal::add(std::int64_t value) { return add_bytes('i', &value, sizeof value); }

Seal& Seal::add(double value) {
  if (value != value) return add_bytes('n', nullptr, 0);  // SQLite stores NULL
  const double stored = value == 0 ? 0 : value;           // and keeps no sign of a zero
  return add_bytes('d', &stored, sizeof stored);
}

Seal& Seal::add(std::string_view value) { return add_bytes('t', value.data(), value.size()); }

Seal& Seal::add(const SQLite::Column& column) {
  if (column.isInteger()) return add(column.getInt64());
  if (column.isFloat()) return add(column.getDouble());
  if (column.isNull()) return add_bytes('n', nullptr, 0);
  const void* bytes = column.getBlob();  // before its size is asked for
  return add_bytes(column.isText() ? 't' : 'b', bytes, static_cast<std::size_t>(column.getBytes()));
}

Seal& Seal::add_row(SQLite::Statement& statement, int columns) {
  for (int c = 0; c < columns; ++c) add(statement.getColumn(c));
  return *this;
}

Seal& Seal::add_rows(SQLite::Statement& statement) {
  std::int64_t rows = 0;
  for (; statement.executeStep(); ++rows) add_row(statement, statement.getColumnCount());
  return add(rows);
}

std::int64_t Seal::value() const { return checksum(bytes_); }

}  // namespace nowsim
