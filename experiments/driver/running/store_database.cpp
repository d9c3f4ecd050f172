// Opening a store, and what is wrong with one.
#include "experiments/driver/running/store_database.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <thread>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/running/stored_tables.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

/// The folder of a store that is to be written.
void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || !fs::is_directory(folder))
    throw InputError("the folder " + folder + " cannot be made: " + (error ? error.message() : "it is a file"));
}

std::string present_file(const std::string& folder) {
  const std::string file = (fs::path(folder) / kStoreFile).string();
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    throw InputError("there is no store of results in " + folder + " (no file " + kStoreFile +
                     "); 'nowsim sweep SPEC.yaml --out " + folder + "' makes one");
  return file;
}

/// A log without its database may be anyone's, and SQLite would take it for this store's and remove it.
void refuse_strangers(const std::string& file) {
  refuse_other_kinds(file);
  std::error_code ignored;
  if (fs::exists(file, ignored)) return;
  for (const char* ending : {"-journal", "-wal", "-shm"})
    if (fs::exists(fs::symlink_status(file + ending, ignored)))
      throw InputError("there is " + file + ending + " without " + kStoreFile +
                       ", so that it is of something else; move it away, or choose another folder");
}

/// What is in the place of a database's log or of the store is opened as one, and a pipe never ends.
void refuse_pipes(const std::string& file) {
  std::error_code ignored;
  for (const char* ending : {"", "-journal", "-wal", "-shm"})
    if (const fs::file_status status = fs::status(file + ending, ignored);
        fs::exists(status) && !fs::is_regular_file(status))
      throw InputError("cannot use " + file + ": " + file + ending + " is no ordinary file; move it away");
}

/// What SQLite says where something has to be written first, or the log cannot be had.
bool is_barred(const SQLite::Exception& e) {
  return e.getErrorCode() == SQLITE_READONLY || e.getErrorCode() == SQLITE_CANTOPEN;
}

bool is_writable(const std::string& file) {
  const auto may = [](const fs::path& path, int mode) {
    return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
  };
  return may(file, W_OK) && may(fs::absolute(file).parent_path(), W_OK | X_OK);
}

/// What SQLite's own layer for files takes, with its endings.
constexpr std::size_t kLongestPath = 500;

bool is_too_long(const std::string& file) {
  std::error_code ignored;
  return fs::absolute(file, ignored).string().size() > kLongestPath;
}

/// A batch of 100 replications on 8 workstations takes 14 KB. Where a page holds it, it is written and read as a whole.
constexpr int kPageSize = 16384;
/// Of which a small file has one per table, empty or not.
constexpr int kSmallPageSize = 4096;

constexpr int kPatience_ms = 10'000;

/// Does it again while another process is in the way. SQLite itself waits so for most locks, but not for all: for one that
/// a process holds that takes back what a killed one had begun, or that changes the kind of journal, it may not.
template <class Action>
void patiently(const Action& action) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatience_ms);
  while (true) {
    try {
      return action();
    } catch (const SQLite::Exception& e) {
      if (e.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() > end) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

/// What SQLite's results mean for who has the file: what was found, and what is wanted.
struct ToldResult {
  int code;
  const char* sentence;
};
constexpr ToldResult kToldResults[] = {
    {SQLITE_NOTADB, "it begins as no database does, and one of results is wanted"},
    {SQLITE_CORRUPT, "its pages do not fit together, as those of a database do"},
    {SQLITE_ERROR, "its tables are others than nowsim makes"},  // our statements are right
    {SQLITE_TOOBIG, "a value in it is larger than any that nowsim writes"},
    {SQLITE_CONSTRAINT, "rows in it contradict each other, and each is to have its own place"},
    {SQLITE_FULL, "there is no room"},
    {SQLITE_IOERR, "the file system reports an error"},
    {SQLITE_CANTOPEN, "it, or a file beside it, cannot be opened"},
    {SQLITE_READONLY, "it may be read and not written"},
    {SQLITE_PERM, "it may not be opened"},
    {SQLITE_NOMEM, "there is no memory for it"},
};

std::string told_result(int code) {
  const auto* const known = std::ranges::find(kToldResults, code, &ToldResult::code);
  return known != std::end(kToldResults) ? known->sentence : "SQLite's error " + std::to_string(code);
}

}  // namespace

void refuse_damaged(const std::string& file, const std::string& what, const char* mend) {
  throw InputError(file + " is damaged (" + what + "); nothing in it was changed: " + mend);
}

/// Behind a link an empty file would be filled; what is no file would be replaced.
void refuse_other_kinds(const std::string& file) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(file, ignored);
  if (fs::is_symlink(status))
    throw InputError("cannot use " + file + ": it is a link; move it away, or choose another folder");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw InputError("cannot use " + file + ": it is no ordinary file; choose another folder");
}

void rethrow_for_users(const std::string& file, const SQLite::Exception& e) {
  std::error_code ignored;
  if (e.getErrorCode() == SQLITE_CANTOPEN && is_too_long(file))
    throw InputError("cannot use " + file + ": its whole path is longer than " + std::to_string(kLongestPath) +
                     " bytes; choose a shorter one");
  const bool was_left = fs::exists(file + "-wal", ignored) || fs::exists(file + "-journal", ignored);
  if (is_barred(e) && was_left && !is_writable(file))
    throw InputError("cannot use " + file + " where it cannot be written: the program that wrote it last was killed, and"
                     " left some results beside it; copy the folder to where you may write");
  switch (e.getErrorCode()) {
    case SQLITE_FULL:
    case SQLITE_IOERR:
      throw RunError("cannot write to " + file + ": " + told_result(e.getErrorCode()) +
                     "; what was stored is kept: make room, and the same command goes on");
    case SQLITE_ERROR:
    case SQLITE_CORRUPT:
    case SQLITE_TOOBIG:
    case SQLITE_NOTADB: refuse_damaged(file, told_result(e.getErrorCode()));
    case SQLITE_INTERRUPT:
      refuse_damaged(file, "it has more rows than there is room for in it");
    case SQLITE_BUSY:
    case SQLITE_LOCKED: throw InputError(file + " is in use by another program");
    default: throw InputError("cannot use " + file + ": " + told_result(e.getErrorCode()));
  }
}

StoreLock::StoreLock(const std::string& folder, IfHeld if_held) {
  const std::string file = (std::filesystem::path(folder) / "lock").string();
  file_ = FileHandle(open(file.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file_.is_open() && errno == ELOOP) throw InputError(file + " is a link; move it away");
  if (!file_.is_open()) throw InputError("the folder " + folder + " cannot be written: " + std::strerror(errno));
  struct flock whole{};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (fcntl(file_.get(), if_held == IfHeld::wait ? F_SETLKW : F_SETLK, &whole) == 0) return;
  const int error = errno;
  if (error == EINTR) throw Interrupted();
  const bool is_held = error == EACCES || error == EAGAIN;
  if (is_held) fcntl(file_.get(), F_GETLK, &whole);
  if (is_held)
    throw InputError("the store in " + folder + " is being written by another process (" + std::to_string(whole.l_pid) + "): wait for it, or choose another folder");
  throw InputError("the folder " + folder + " cannot be locked: " + std::strerror(error));
}

StoreDatabase::StoreDatabase(const std::string& folder_, Access access_) : folder(folder_), access(access_) {
  if (folder.empty()) throw InputError("the folder of the store has no name; '.' is the one where you are");
  if (access == Access::write) {
    make_folder(folder);
    lock.emplace(folder);
  }
  file = access == Access::write ? (fs::path(folder) / kStoreFile).string() : present_file(folder);
  if (access == Access::write) refuse_strangers(file);
  refuse_pipes(file);
  path = file;
  guarded([&] { patiently([&] { open(); }); });
}

StoreDatabase::StoreDatabase(const std::string& folder_, const std::string& elsewhere) : folder(folder_) {
  make_folder(folder);
  file = (fs::path(folder) / kStoreFile).string();
  refuse_other_kinds(file);
  path = (fs::path(elsewhere) / kStoreFile).string();
  guarded([&] { open(); });
}

StoreDatabase::StoreDatabase() : file("a store in memory"), path(file) {
  guarded([&] {
    database.emplace(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE | SQLite::OPEN_NOMUTEX);
    is_tuned = true;
    make_tables(kSmallPageSize);
  });
}

void StoreDatabase::connect(bool write) {
  const int how = access == Access::write ? SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE
                  : write                 ? SQLite::OPEN_READWRITE
                                          : SQLite::OPEN_READONLY;
  statements.clear();
  // A path with a folder is never taken for a URI, as "file:..." is, nor for a database in memory.
  database.emplace(fs::path(path).is_absolute() ? path : "./" + path, how | SQLite::OPEN_NOMUTEX);  // one thread
  forbid_code(*database);
  std::error_code none, no_log;
  std::uintmax_t bytes = fs::file_size(path, none);
  if (const std::uintmax_t log = fs::file_size(path + "-wal", no_log); !none && !no_log) bytes += log;
  if (!none && bytes <= kMostBounded_bytes) bound_steps(*database, bytes);
  database->setBusyTimeout(kPatience_ms);
}

void StoreDatabase::open() {
  bool is_there = false;
  try {
    connect(false);
    is_there = check_format();
  } catch (const SQLite::Exception& e) {
    if (access == Access::write || !is_barred(e) || !is_writable(file)) throw;
    connect(true);  // which finishes or takes back what a program that was killed had begun
    is_there = check_format();
  }
  if (!is_there) {
    if (access == Access::read) throw InputError("the store " + file + " is empty");
    unbound_steps(*database);
    return make_tables(kPageSize);
  }
  check_structure();
  check_values(RowsOf::results);
  if (access == Access::read) check_values(RowsOf::experiments);  // which a sweep writes anew
  unbound_steps(*database);
  if (access == Access::read) return add_tables_to_read();
  const auto is_there_now = [&](const auto& table) { return database->tableExists(table.first); };
  if (is_of_format_before || !std::ranges::all_of(later_tables(), is_there_now)) bring_up_to_date();
  has_failures = database->execAndGet("SELECT EXISTS(SELECT 1 FROM failure)").getInt() != 0;
}

bool StoreDatabase::check_format() {
  const SQLite::Transaction together(*database);  // another process may be making the tables
  const int application = database->execAndGet("PRAGMA application_id").getInt();
  if (application == 0 && database->execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0) return false;
  if (application != kStoreApplication)
    throw InputError(file + " is a database of another program; choose another folder");
  const int format = database->execAndGet("PRAGMA user_version").getInt();
  if (format != kStoreFormat && format != kFormatBefore)
    throw InputError(file + " has format " + std::to_string(format) + ", this program reads " +
                     std::to_string(kStoreFormat) + " and " + std::to_string(kFormatBefore) +
                     ": choose another folder, or the other program" +
                     (format == 2 ? " (one that writes format 3 reads it, and brings it up to date by a sweep)" : ""));
  is_of_format_before = format == kFormatBefore;
  if (const std::string fault = fault_of_tables(*database); !fault.empty())
    refuse_damaged(file, fault + ", unlike in format " + std::to_string(format));
  return true;
}

/// Those that one of the format before may lack, as empty ones that nobody else sees.
void StoreDatabase::add_tables_to_read() {
  database->exec("PRAGMA temp_store=MEMORY");
  for (const auto& [table, statement] : later_tables(true))
    if (!database->tableExists(table)) database->exec(statement);
}

/// Makes tables that are lacking. Rows of the format before stay as they are; what is there of experiments has no checksum,
/// until they are swept again.
void StoreDatabase::bring_up_to_date() {
  begin_write();
  for (const auto& [table, statement] : later_tables()) database->exec(statement);
  if (is_of_format_before) database->exec("UPDATE experiment SET checksum = NULL");
  database->exec("PRAGMA user_version=" + std::to_string(kStoreFormat));
  commit();
  is_of_format_before = false;
}

/// Damage to the database's structure is found before anything is written into it.
/// What others have put into a store may be anything, and an index is checked by computing it.
void StoreDatabase::check_structure() {
  std::vector<std::string> parts{"1"};
  if (has_others(*database)) {
    parts = tables_there(*database, RowsOf::results);
    for (auto& table : tables_there(*database, RowsOf::experiments)) parts.push_back(std::move(table));
  }
  for (const std::string& part : parts) {
    std::string found = database->execAndGet("PRAGMA integrity_check(" + part + ")").getString();
    std::replace(found.begin(), found.end(), '\n', ' ');
    if (found != "ok") refuse_damaged(file, found);
  }
}

void StoreDatabase::check_values(RowsOf rows) {
  for (const std::string& table : tables_there(*database, rows))
    if (const std::string fault = fault_of_values(*database, table); !fault.empty())
      refuse_damaged(file, fault, rows == RowsOf::experiments ? kMendedBySweep : kMendedByCopy);
}

/// Before anything is written: a commit survives the end of the process at once, and a power failure but for the last
/// moments.
void StoreDatabase::tune() {
  patiently([&] { database->exec("PRAGMA journal_mode=WAL"); });
  database->exec("PRAGMA synchronous=NORMAL");
  is_tuned = true;
}

void StoreDatabase::make_tables(int page_size) {
  database->exec("PRAGMA page_size=" + std::to_string(page_size));
  begin_write();
  database->exec("PRAGMA application_id=" + std::to_string(kStoreApplication));
  database->exec("PRAGMA user_version=" + std::to_string(kStoreFormat));
  for (const auto& tables : {needed_tables(), later_tables()})
    for (const auto& [table, statement] : tables) database->exec(statement);
  commit();
}

void StoreDatabase::begin_write() {
  if (!is_tuned) tune();
  if (transaction) return;
  transaction.emplace(*database);
  transaction_start = std::chrono::steady_clock::now();
}

void StoreDatabase::commit() {
  if (!transaction) return;
  transaction->commit();
  transaction.reset();
}

StatementUse StoreDatabase::statement(const std::string& sql) {
  auto [known, is_new] = statements.try_emplace(sql, nullptr);
  if (is_new) known->second = std::make_unique<SQLite::Statement>(*database, sql);
  return StatementUse(known->second.get());
}

}  // namespace nowsim
