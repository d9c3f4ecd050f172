// The store's database: opened and checked, its prepared statements, and errors as users' sentences.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/store_lock.hpp"
#include "experiments/driver/running/store_seal.hpp"
#include "experiments/driver/running/stored_tables.hpp"

namespace nowsim {

/// An SQLite error as a user's sentence. @throws InputError or RunError.
[[noreturn]] void rethrow_for_users(const std::string& file, const SQLite::Exception& e);
/// What mends damage, for people: of what replications gave only another copy; what is written of experiments and their
/// points follows from that.
inline constexpr const char* kMendedByCopy = "put a copy back, or move it away and run again";
inline constexpr const char* kMendedBySweep =
    "'nowsim sweep' of that experiment writes its rows anew, and simulates nothing that is there; or put a copy back";
/// @throws InputError that a store is damaged, and what of it.
[[noreturn]] void refuse_damaged(const std::string& file, const std::string& what, const char* mend = kMendedByCopy);

/// @throws InputError where a store's file is a link, behind which is one of somewhere else, or no ordinary file.
void refuse_other_kinds(const std::string& file);

struct ResetStatement {
  void operator()(SQLite::Statement* statement) const noexcept { statement->tryReset(); }
};
/// A statement while it is used.
using StatementUse = std::unique_ptr<SQLite::Statement, ResetStatement>;

/// Selects of a batch what its seal is of, and the seal behind it: the first columns of a row for check_batch().
inline constexpr const char* kSelectBatch =
    "SELECT scenario, first, replications, mean_makespan_s, m2_makespan_s2, min_makespan_s, max_makespan_s, seconds,"
    " version, checksum, row_checksum";
inline constexpr int kSealedColumns = 10, kVersionColumn = 8, kChecksumColumn = 9;

/// What batches and experiments are read and written through.
class StoreDatabase {
 public:
  using Access = BatchStore::Access;
  StoreDatabase(const std::string& folder, Access access);
  /// One for writing whose database lies elsewhere, where nobody else looks, so that there is no lock. Sentences are
  /// about the folder's, of which it is a copy.
  StoreDatabase(const std::string& folder, const std::string& elsewhere);
  /// An empty one in memory, which bytes() makes a file of.
  StoreDatabase();
  /// One in memory, for reading, of such a file's bytes, which must outlive it. `file`: what it is called in sentences.
  StoreDatabase(std::string& bytes, const std::string& file);
  /// Of one in memory: a database file. All is to be committed.
  [[nodiscard]] std::string bytes();
  /// Compares a seal with the one that is stored. @throws InputError where they differ.
  void check_seal(const Seal& seal, const SQLite::Column& stored, const std::string& what, const char* mend);
  /// Of a row that kSelectBatch begins; those of the format before have no seal.
  void check_batch(SQLite::Statement& row, const std::string& which);
  /// Likewise.
  void check_scenario(SQLite::Statement& row);
  /// Opens a transaction where none is open: a commit takes longer than a row, so rows of some milliseconds share one.
  void begin_write();
  void commit();
  /// A statement, prepared once, ready to be bound. It is reset when the user is done with it: one that has rows left is
  /// a read in progress, which would keep SQLite from moving its log into the database.
  StatementUse statement(std::string_view sql);
  template <class Action>
  auto guarded(const Action& action) {
    try {
      return action();
    } catch (const SQLite::Exception& e) {
      const bool is_of_place = e.getErrorCode() == SQLITE_FULL || e.getErrorCode() == SQLITE_IOERR;
      rethrow_for_users(is_of_place ? path : file, e);
    }
  }

  std::string folder, file;
  std::string path;  // where it lies: the file itself, or a copy's place
  Access access = Access::write;
  std::optional<StoreLock> lock;
  std::optional<SQLite::Database> database;
  std::unordered_map<std::string_view, std::unique_ptr<SQLite::Statement>> statements;  // their texts stay; go before the database
  std::optional<SQLite::Transaction> transaction;                        // goes before both
  std::chrono::steady_clock::time_point transaction_start;
  bool is_tuned = false;
  bool has_failures = false;                                             // there may be rows in `failure`
  bool has_seals = true;                                                 // false: of the format before
  bool is_unproven = false;                                              // a point was read that has no seal

 private:
  void open();
  void connect(bool write);
  /// Whether the database holds a store that can be read; false: it is empty.
  bool check_format(TablesOf of);
  void add_seals();
  void check_structure();
  void check_values(RowsOf rows);
  void tune();
  void make_tables(int page_size);
};

/// Texts are not copied: the statement is over before they are.
inline void bind(SQLite::Statement& statement, int index, const auto& value) { statement.bind(index, value); }
inline void bind(SQLite::Statement& statement, int index, const std::string& text) {
  statement.bindNoCopy(index, text);
}
inline void bind(SQLite::Statement& statement, int index, const char* text) { statement.bindNoCopy(index, text); }

/// Binds the values from the first parameter on, and executes.
template <class... Values>
void run(const StatementUse& statement, const Values&... values) {
  int index = 0;
  (bind(*statement, ++index, values), ...);
  statement->exec();
  statement->reset();
}

}  // namespace nowsim
