// The store's database: one writer's lock, opened and checked, prepared statements, and errors as users' sentences.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/stored_tables.hpp"
#include "sim/base/plain_file.hpp"

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

/// Holds a store's lock. POSIX record locks belong to a process, so children do not inherit it and a killed process
/// leaves none behind. (Within one process a second lock of the same folder succeeds.)
class StoreLock {
 public:
  enum class IfHeld { refuse, wait };
  /// @throws InputError where another process holds it, which is named, where it is a link, or where the folder cannot be
  /// written; Interrupted where a signal comes while it waits.
  explicit StoreLock(const std::string& folder, IfHeld if_held = IfHeld::refuse);
  StoreLock(const StoreLock&) = delete;
  StoreLock& operator=(const StoreLock&) = delete;

 private:
  FileHandle file_;
};

struct ResetStatement {
  void operator()(SQLite::Statement* statement) const noexcept { statement->tryReset(); }
};
/// A statement while it is used.
using StatementUse = std::unique_ptr<SQLite::Statement, ResetStatement>;

/// What batches and experiments are read and written through.
class StoreDatabase {
 public:
  using Access = BatchStore::Access;
  StoreDatabase(const std::string& folder, Access access);
  /// One for writing whose database lies elsewhere, where nobody else looks, so that there is no lock. Sentences are
  /// about the folder's, of which it is a copy.
  StoreDatabase(const std::string& folder, const std::string& elsewhere);
  /// An empty one in memory.
  StoreDatabase();
  /// Opens a transaction where none is open: a commit takes longer than a row, so rows of some milliseconds share one.
  void begin_write();
  void commit();
  /// A statement, prepared once, ready to be bound. It is reset when the user is done with it: one that has rows left is
  /// a read in progress, which would keep SQLite from moving its log into the database.
  StatementUse statement(const std::string& sql);
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
  std::unordered_map<std::string, std::unique_ptr<SQLite::Statement>> statements;  // by their texts; go before the database
  std::optional<SQLite::Transaction> transaction;                        // goes before both
  std::chrono::steady_clock::time_point transaction_start;
  bool is_tuned = false;
  bool has_failures = false;                                             // there may be rows in `failure`
  bool is_of_format_before = false;                                      // it is read, and has other checksums
  bool is_unproven = false;                                              // an experiment was read that has none

 private:
  void open();
  void connect(bool write);
  /// Whether the database holds a store that can be read; false: it is empty.
  bool check_format();
  void add_tables_to_read();
  void bring_up_to_date();
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
