// Tests of a store whose pages lead to the same ones again and again: a small file with very many rows.
#include <SQLiteCpp/SQLiteCpp.h>

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/stored_rows.hpp"
#include "sim/base/error.hpp"
#include "tests/experiments/driver/store_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

void put_number(std::string& bytes, std::size_t at, std::size_t number, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) bytes.at(at + k) = static_cast<char>(number >> 8 * (size - 1 - k) & 0xffU);
}

/// A database of a few pages, in which the list of tables leads to the same page again and again: 300^3 rows.
std::string endless_database() {
  constexpr std::size_t kPage = 4096, kHeader = 100, kLevels = 3, kChildren = 300;
  const Folder place;
  const std::string file = place.path() + "/t.db";
  {
    SQLite::Database database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    database.exec("PRAGMA page_size = 4096; PRAGMA application_id = " + std::to_string(kStoreApplication) +
                  "; PRAGMA user_version = " + std::to_string(kStoreFormat) + "; CREATE TABLE t(a TEXT PRIMARY KEY)");
  }
  std::string bytes = content_of(file);
  std::string leaf = bytes.substr(0, kPage);  // whose cells stand where they stood
  leaf.replace(0, kPage - 4 * kHeader, leaf.substr(kHeader, kPage - 4 * kHeader));
  bytes += leaf;
  const std::size_t whole = bytes.size() / kPage;
  leaf[4] = 1;  // the table's index alone, which may be listed again
  leaf.replace(8, 2, leaf.substr(10, 2));
  bytes += leaf;
  const auto put_interior = [&](std::size_t page, std::size_t header, std::size_t child) {
    const std::size_t begin = (page - 1) * kPage, cells = kChildren - 1;
    bytes.replace(begin + header, kPage - header, kPage - header, '\0');
    bytes[begin + header] = 5;
    put_number(bytes, begin + header + 3, cells, 2);
    put_number(bytes, begin + header + 5, kPage - 5 * cells, 2);
    put_number(bytes, begin + header + 8, child, 4);
    for (std::size_t k = 0; k < cells; ++k) {
      const std::size_t cell = kPage - 5 * (k + 1);
      put_number(bytes, begin + header + 12 + 2 * k, cell, 2);
      put_number(bytes, begin + cell, child, 4);
      bytes[begin + cell + 4] = 1;
    }
  };
  for (std::size_t level = 1; level < kLevels; ++level) {
    bytes.resize(bytes.size() + kPage);
    put_interior(bytes.size() / kPage, 0, bytes.size() / kPage - 1);
  }
  put_interior(1, kHeader, bytes.size() / kPage);
  put_number(bytes, kPage - 5, whole, 4);  // the first of all
  put_number(bytes, 28, bytes.size() / kPage, 4);
  return bytes;
}

}  // namespace

TEST_CASE("A small database of very many rows is refused", "[reads][store][error]") {
  const Folder store;
  store.file(kStoreFile, endless_database());
  for (const auto access : {BatchStore::Access::read, BatchStore::Access::write})
    CHECK_THAT(sentence_of<InputError>([&] { BatchStore(store.path(), access); }),
               Catch::Contains("has more rows than there is room for"));
}
