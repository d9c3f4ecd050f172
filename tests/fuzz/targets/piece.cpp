// Pieces of a sweep in shards: a file's bytes are refused, or all that is read of them holds.
#include "experiments/driver/shards/piece.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "experiments/driver/running/stored_tables.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/engines/batch_record.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/targets/read_record.hpp"

namespace nowsim::test {

namespace {

/// With the checksums that changed rows and results should have; as it is where that cannot be written.
std::string sealed(std::string_view input) try {
  SQLite::Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
  sqlite3* const handle = database.getHandle();
  forbid_code(database);
  bound_steps(database, input.size());
  auto* const bytes = static_cast<unsigned char*>(sqlite3_malloc64(input.size() + 1));
  std::ranges::copy(input, bytes);
  auto size = static_cast<sqlite3_int64>(input.size());
  sqlite3_deserialize(handle, "main", bytes, size, size,
                      SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  std::vector<std::pair<std::int64_t, std::int64_t>> sums;  // by the rows' numbers
  SQLite::Statement rows(database, "SELECT id, results FROM batch LIMIT 100");
  while (rows.executeStep()) sums.emplace_back(rows.getColumn(0).getInt64(), checksum(rows.getColumn(1).getString()));
  rows.reset();
  for (const auto& [id, sum] : sums)
    database.exec("UPDATE batch SET checksum = " + std::to_string(sum) + " WHERE id = " + std::to_string(id));
  database.exec("UPDATE batch SET row_checksum = NULL; UPDATE scenario SET checksum = NULL");
  const std::unique_ptr<unsigned char, void (*)(void*)> out(sqlite3_serialize(handle, "main", &size, 0), sqlite3_free);
  return out ? std::string(reinterpret_cast<const char*>(out.get()), static_cast<std::size_t>(size))
             : std::string(input);
} catch (const SQLite::Exception&) {
  return std::string(input);
}

void read_batches(StoreDatabase& store) {
  const auto rows = store.statement(
      "SELECT first, replications, workstations, results FROM batch JOIN scenario ON scenario.id = scenario");
  while (rows->executeStep()) {
    const auto number = [&](int column) { return static_cast<std::uint64_t>(rows->getColumn(column).getInt64()); };
    read_record(unpack_record(rows->getColumn(3).getString(), {number(0), number(1)}, number(2)));
  }
}

}  // namespace

void fuzz_piece(std::string_view input) {
  Piece piece{sealed(input), "a.piece"};
  const PieceInfo& info = piece.info();
  if (info.batches < 0 || info.attempt.round < 0 || told_attempt(info.attempt).empty())
    throw std::logic_error("a piece that says what cannot be");
  for (const auto& [key, first, count] : piece.batches())
    if (count == 0 || scenario_id(piece.store(), key) == 0) throw std::logic_error("a batch of nothing");
  read_batches(piece.store());
}

}  // namespace nowsim::test
