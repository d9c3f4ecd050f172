// A folder's results while something runs into them: the store, with all that shards have published taken in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/shards/shard_folder.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/temporary_folder.hpp"

namespace nowsim {

class StoreLock;
struct PieceInfo;

/// What became of taking in.
struct TakenIn {
  std::size_t pieces = 0;                ///< that were new
  std::uint64_t batches = 0, again = 0;  ///< that were new; that were there
  std::vector<std::string> remarks;      ///< sentences: files that are damaged, or cannot be read
};

/// Takes what is published into a store, each batch once, and who published it; pieces that are in it go, or stay where
/// they are. Where a batch has other results than the store or another piece nothing is taken in. @throws RunError that
/// names both, and what the store throws.
enum class Pieces { go, stay };
TakenIn take_in(BatchStore& store, const ShardFolder& folder, Pieces pieces = Pieces::go);
/// Who published what a store has taken in, in the order of the pieces' names (piece.hpp).
std::vector<PieceInfo> pieces_taken_in(BatchStore& store);

/// What whoever runs into a folder's store has of it. What was simulated is there whatever ends it.
class StoreSession {
 public:
  /// Opens the store, or makes it, and takes in. Where there are shards it waits for others that do.
  /// @throws InputError where the store is damaged, or in use; RunError as take_in() does; Interrupted while it waits.
  explicit StoreSession(const std::string& folder);
  ~StoreSession();
  StoreSession(const StoreSession&) = delete;
  StoreSession& operator=(const StoreSession&) = delete;

  BatchStore& store() { return *store_; }
  /// Whether shards have published into the folder, now or before.
  [[nodiscard]] bool has_shards() const { return lock_ != nullptr; }
  [[nodiscard]] const TakenIn& taken_in() const { return taken_in_; }
  /// sweep_into() this store (sweeps/stored_sweep.hpp).
  SweepOutcome run(const std::string& name, const Experiment& ready, const RunContext& context);

 private:
  std::unique_ptr<StoreLock> lock_;
  std::unique_ptr<BatchStore> store_;
  TakenIn taken_in_;
};

/// A copy of a folder's store, which is let alone: for looking into it, and for shards, which search in it for what
/// they do not find there. Empty where there is none, or somebody writes into it.
class StoreCopy : public BatchStore {
 public:
  /// @throws InputError where the store is damaged; RunError where it cannot be copied.
  explicit StoreCopy(const ShardFolder& folder);

 private:
  StoreCopy(const std::filesystem::path& out, std::unique_ptr<TemporaryFolder> place);
  std::unique_ptr<TemporaryFolder> place_;
};

}  // namespace nowsim
