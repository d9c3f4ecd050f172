// The store of a sweep in shards: made of what was published, in a place of its own, and put into the sweep's folder
// whole. It is only a copy: whatever was simulated is in pieces, its own batches too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/store_database.hpp"
#include "experiments/driver/shards/piece.hpp"
#include "experiments/driver/text/temporary_folder.hpp"

namespace nowsim {

/// Two results of one batch, which should be the same bytes: the one with the lower checksum counts.
struct Conflict {
  std::string scenario;  ///< its key
  std::int64_t first = 0, replications = 0;
  std::int64_t kept_checksum = 0, other_checksum = 0;
  std::string kept_by, other_by;  ///< told_attempt(), or the version in a store
};

/// What became of taking in.
struct TakenIn {
  std::size_t pieces = 0;                 ///< that were new
  std::uint64_t batches = 0, again = 0;   ///< that were new; that were there
  std::vector<std::string> remarks;       ///< sentences: files that are damaged, or cannot be read
};

/// Everything that is simulated into it is published too, at the latest when it is destroyed.
class MergedStore : public BatchStore {
 public:
  /// With the folder's store, whose lock it holds from then on, so that it waits for others; or with a copy alone, which
  /// is never put back.
  enum class Begins { with_store, with_copy };
  /// @throws InputError where the store is damaged; Interrupted while it waits.
  MergedStore(const ShardFolder& folder, const Attempt& attempt, double publish_every_s = kPublishEvery_s,
              Begins begins = Begins::with_store);
  ~MergedStore() override;
  MergedStore(const MergedStore&) = delete;
  MergedStore& operator=(const MergedStore&) = delete;

  /// Takes in what has been published since the last time; pieces of searches alone, or all.
  TakenIn take_in(bool searches_alone = false);
  /// All that were ever found.
  std::vector<Conflict> conflicts();
  /// Who published what, in the order of their names.
  std::vector<PieceInfo> pieces();
  void set_searching(bool searching) { writer_.set_searching(searching); }

  void keep(const StoredScenario& scenario, const Batch& range, const Moments& makespan_s, std::string_view packed,
            double seconds) override;
  void note_failure(const StoredScenario& scenario, const Batch& range, const std::string& reason) override;
  void keep_split(const std::string& key, const SplitReport& report) override;
  void keep_trial(const std::string& key, const TrialEstimate& trial) override;
  void commit() override;
  double commit_if_due() override;
  /// Publishes what was simulated.
  void publish_pieces();
  /// The same, and puts the store into the folder.
  void publish();

 private:
  MergedStore(const ShardFolder& folder, const Attempt& attempt, double publish_every_s, Begins begins,
              std::unique_ptr<TemporaryFolder> place, std::unique_ptr<StoreLock> lock);
  /// Reads a piece and checks it, or says what has become of it. @throws InputError or RunError where it cannot be
  /// read.
  void open(const std::string& name, std::optional<Piece>& piece, TakenIn& taken) const;
  void take_in(const std::string& name, Piece& piece, TakenIn& taken);
  const ScenarioRow& row_of(std::int64_t scenario);

  std::unique_ptr<StoreLock> lock_;
  std::unique_ptr<TemporaryFolder> place_;
  ShardFolder folder_;
  PieceWriter writer_;
  std::unordered_map<std::int64_t, ScenarioRow> rows_;
};

}  // namespace nowsim
