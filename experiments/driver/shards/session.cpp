#include "experiments/driver/shards/session.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "experiments/driver/running/store_database.hpp"
#include "experiments/driver/running/stored_rows.hpp"
#include "experiments/driver/shards/piece.hpp"
#include "sim/base/error.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr const char* kLeftOut = "; it is left out, and stays where it is";

/// All of a folder's pieces in one transaction.
class TakingIn {
 public:
  TakingIn(StoreDatabase& store, const ShardFolder& folder) : store_(store), folder_(folder) {}

  TakenIn all(const std::vector<std::string>& names, Pieces pieces) {
    try {
      store_.guarded([&] { store_.begin_write(); });
      for (const auto& name : names) look_at(name);
      store_.guarded([&] { store_.commit(); });
    } catch (...) {
      store_.transaction.reset();
      throw;
    }
    if (pieces == Pieces::go && is_on_disk())
      for (const auto& name : in_store_) folder_.remove(name);
    return std::move(taken_);
  }

 private:
  /// Whether what was committed outlasts a power failure: a reader may be in the way, and then pieces stay for the next
  /// sweep to remove.
  bool is_on_disk() {
    return store_.guarded([&] { return store_.database->execAndGet("PRAGMA wal_checkpoint(FULL)").getInt() == 0; });
  }

  void look_at(const std::string& name) {
    if (store_.guarded([&] { return row_of<PieceRow>(store_, "WHERE name = ?", name).has_value(); }))
      return in_store_.push_back(name);  // a kill left it
    std::optional<Piece> piece;
    try {
      open(name, piece);
    } catch (const std::runtime_error& e) {  // damaged, of another version, or unreadable: it costs nothing but itself
      taken_.remarks.push_back(e.what() + std::string(kLeftOut));
    } catch (const std::exception& e) {  // there is no memory for what it says it has
      taken_.remarks.push_back((folder_.path() / name).string() + " cannot be read (" + e.what() + ")" + kLeftOut);
    }
    if (piece) store_.guarded([&] { add(name, *piece); });
  }

  void open(const std::string& name, std::optional<Piece>& piece) {
    auto bytes = folder_.bytes(name);
    if (!bytes) return;  // another sweep has set it aside
    const std::string file = (folder_.path() / name).string();
    if (ShardFolder::is_whole(name, *bytes))
      piece.emplace(std::move(*bytes), file);
    else
      taken_.remarks.push_back(file + " is not as it was published; " + folder_.set_aside(name) +
                               ", and its batches are simulated again");
  }

  void add(const std::string& name, const Piece& piece) {
    const PieceHead& head = piece.head();
    if (const std::string key = differing_key(head); !key.empty()) {
      taken_.remarks.push_back((folder_.path() / name).string() + " has another scenario under the key " + key +
                               " than " + store_.file + kLeftOut);
      return;
    }
    std::vector<std::int64_t> ids;
    for (const auto& scenario : head.scenarios) {
      const std::int64_t id = scenario_id(store_, scenario.key);
      ids.push_back(id != 0 ? id : insert_scenario(store_, scenario));
    }
    for (std::size_t k = 0; k < head.batches.size(); ++k) add_batch(name, piece, k, ids[head.batches[k].scenario]);
    note_piece(head.info(name));
    in_store_.push_back(name);
    ++taken_.pieces;
  }

  /// The key of a scenario that the store has otherwise than a piece; "": there is none.
  std::string differing_key(const PieceHead& head) {
    for (const auto& scenario : head.scenarios) {
      const std::int64_t there = scenario_id(store_, scenario.key);
      if (there != 0 && !scenario_row(store_, there).is_alike(scenario)) return scenario.key;
    }
    return "";
  }

  void add_batch(const std::string& name, const Piece& piece, std::size_t k, std::int64_t scenario) {
    const BatchRow batch = piece.row(k);
    const auto there = row_of<BatchRow>(store_, "WHERE scenario = ? AND first = ? AND replications = ?", scenario,
                                        batch.first, batch.replications);
    if (!there) {
      ++taken_.batches;
      return insert_batch(store_, scenario, batch);
    }
    ++taken_.again;
    if (there->checksum != batch.checksum) refuse(name, piece, k, there->version);
  }

  /// `version`: of the program whose results the store has.
  [[noreturn]] void refuse(const std::string& name, const Piece& piece, std::size_t k,
                           const std::string& version) const {
    const PieceHead& head = piece.head();
    const PublishedBatch batch = head.published(head.batches[k]);
    const auto& [key, first, count] = batch;
    std::string other = store_.file + ", by nowsim " + version;
    for (const auto& earlier : in_store_)
      if (const auto there = head_of(folder_, earlier);
          there && std::ranges::any_of(there->batches, [&](const auto& b) { return there->published(b) == batch; }))
        other = (folder_.path() / earlier).string() + ", by " + told_attempt(there->attempt);
    throw RunError(
        "replications " + std::to_string(first) + " to " + std::to_string(first + count - 1) + " of scenario " + key +
        " have two results, and those of all machines should be the same: one in " + other + "; another one in " +
        (folder_.path() / name).string() + ", by " + told_attempt(head.attempt) +
        ". Nothing was taken in: move the file away whose machine is wrong (damaged memory, another compiler's"
        " program), and the same command goes on");
  }

  void note_piece(const PieceInfo& p) {
    const Attempt& a = p.attempt;
    const auto whole = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
    insert_row(store_, PieceRow{0, p.name, a.id, a.experiment, whole(a.shard), whole(a.shards), 0, a.host, a.processor,
                                a.program, a.version, a.job, a.began, p.ended, whole(p.batches), whole(p.replications),
                                whole(p.failures), p.seconds});
  }

  StoreDatabase& store_;
  const ShardFolder& folder_;
  TakenIn taken_;
  std::vector<std::string> in_store_;  // pieces
};

/// When a store was written last; nothing where there is none, or somebody writes into it.
std::optional<fs::file_time_type> written_at(const fs::path& store) {
  std::error_code error, ignored;
  const auto time = fs::last_write_time(store, error);
  if (error || fs::exists(store.string() + "-wal", ignored) || fs::exists(store.string() + "-journal", ignored))
    return std::nullopt;
  return time;
}

/// A place for a copy of a folder's store; none where there is nothing to be copied.
std::unique_ptr<TemporaryFolder> place_of_copy(const fs::path& store) {
  refuse_other_kinds(store.string());
  return written_at(store) ? std::make_unique<TemporaryFolder>() : nullptr;
}

/// Without a place it is in memory, and where somebody has written into the store while it was copied.
std::unique_ptr<StoreDatabase> copied(const fs::path& out, const TemporaryFolder* place) {
  if (place == nullptr) return std::make_unique<StoreDatabase>();
  const auto before = written_at(out / kStoreFile);
  std::error_code error;
  if (!fs::copy_file(out / kStoreFile, place->path() / kStoreFile, error))
    throw RunError((out / kStoreFile).string() + " cannot be copied to " + place->path().string() + ": " +
                   error.message());
  if (!before || written_at(out / kStoreFile) != before) return std::make_unique<StoreDatabase>();
  return std::make_unique<StoreDatabase>(out.string(), place->path().string());
}

}  // namespace

TakenIn take_in(BatchStore& store, const ShardFolder& folder, Pieces pieces) {
  const auto names = folder.names(kPieceEnding);
  return names.empty() ? TakenIn() : TakingIn(store.database(), folder).all(names, pieces);
}

std::vector<PieceInfo> pieces_taken_in(BatchStore& store) {
  StoreDatabase& database = store.database();
  return database.guarded([&] {
    const auto whole = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    std::vector<PieceInfo> found;
    for (const auto& row : rows_of<PieceRow>(database, "ORDER BY name"))
      found.push_back({row.name,
                       {row.id, row.experiment, whole(row.shard), whole(row.shards), "", 0, row.host, row.processor,
                        row.program, row.version, row.job, row.began},
                       row.ended,
                       whole(row.batches),
                       whole(row.replications),
                       whole(row.failures),
                       row.seconds});
    return found;
  });
}

StoreSession::StoreSession(const std::string& folder) {
  const ShardFolder shards(folder);
  if (shards.exists()) lock_ = std::make_unique<StoreLock>(folder, StoreLock::IfHeld::wait);
  store_ = std::make_unique<BatchStore>(folder, BatchStore::Access::write);
  if (!shards.exists()) return;
  shards.remove_leftovers();
  taken_in_ = take_in(*store_, shards);
}

StoreSession::~StoreSession() = default;

SweepOutcome StoreSession::run(const std::string& name, const Experiment& ready, const RunContext& context) {
  return sweep_into(*store_, name, ready, {context});
}

StoreCopy::StoreCopy(const ShardFolder& folder) : StoreCopy(folder.out(), place_of_copy(folder.out() / kStoreFile)) {}

StoreCopy::StoreCopy(const fs::path& out, std::unique_ptr<TemporaryFolder> place)
    : BatchStore(copied(out, place.get())), place_(std::move(place)) {}

}  // namespace nowsim
