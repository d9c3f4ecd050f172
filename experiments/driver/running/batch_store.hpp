// The store of results: a folder with an SQLite database of batches, of splits and of the files written from them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "sim/engines/batch_record.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

class StoreDatabase;

/// A scenario in a store, and which of its batches are there.
struct StoredScenario {
  std::int64_t id = 0;
  std::size_t workstations = 0;
  std::set<std::pair<std::uint64_t, std::uint64_t>> batches;  ///< first replication and number of replications
  std::size_t controls = 0;  ///< control variates that its batches have at least, where that is known
  [[nodiscard]] bool has(const Batch& batch) const { return batches.contains({batch.first, batch.count}); }
};

/// A batch as stored.
struct StoredBatch {
  BatchRecord record;
  std::string version;  ///< of the program that simulated it
};

/// What a trial of a search for a size came to.
struct TrialEstimate {
  double value = 0, low = 0, high = 0;
  std::uint64_t replications = 0;
  double longest_s = 0;  ///< T
};

/// What a store holds altogether.
struct StoreSize {
  std::uint64_t scenarios = 0, batches = 0, replications = 0, other_models = 0;
  double seconds = 0;  ///< spent on the batches
};

/// One writer at a time; any number of readers. What was written is there, whatever happens to the process, as soon as
/// commit() or commit_if_due() has committed it. Methods throw InputError where the store cannot be used at all (no folder,
/// no right to write, in use, damaged, of a newer program) and RunError where writing fails on the way (a full disk):
/// what was kept stays. What a run asks of it is virtual, so that runs link where there is no SQLite.
class BatchStore {
 public:
  enum class Access { read, write };
  /// Opens the store in a folder; for writing, both are made where they are missing.
  BatchStore(const std::string& folder, Access access);
  virtual ~BatchStore();
  BatchStore(BatchStore&&) noexcept;

  /// While it lives, reading needs no lock for each row. To be dropped before anything is written.
  [[nodiscard]] std::shared_ptr<void> read_together();
  /// Finds the scenarios of an execution plan's series, in their order; those that are not there have the id 0.
  virtual std::vector<StoredScenario> find_scenarios(const ExecutionPlan& execution);
  /// The same, where those that are missing are added: for an execution plan that is no experiment of its own.
  virtual std::vector<StoredScenario> add_scenarios(const ExecutionPlan& execution);
  /// Adds those of find_scenarios() that are missing; not committed.
  void add_missing(std::vector<StoredScenario>& scenarios, const ExecutionPlan& execution);
  /// The scenario of this id, which a point of the store has. @throws InputError where it is missing.
  StoredScenario scenario(std::int64_t id);
  /// @throws InputError too where moments alone were kept.
  virtual StoredBatch load(const StoredScenario& scenario, const Batch& range);
  /// Keeps a batch: moments of its makespans, `packed` is pack() of its record, `seconds` what it took.
  virtual void keep(const StoredScenario& scenario, const Batch& range, const Moments& makespan_s, std::string_view packed,
            double seconds);
  /// Keeps of a series' makespans their moments alone, and what all of them took; those of more replications stay.
  virtual void keep_moments(const StoredScenario& scenario, const Moments& makespan_s, double seconds,
                            const std::string& version);
  /// Remembers why a batch could not be completed, until it can.
  virtual void note_failure(const StoredScenario& scenario, const Batch& range, const std::string& reason);
  /// A split that was found by simulation, under this key; nothing where none is stored.
  virtual std::optional<SplitReport> find_split(const std::string& key);
  virtual void keep_split(const std::string& key, const SplitReport& report);
  /// Likewise of a trial, whose replications are not kept.
  virtual std::optional<TrialEstimate> find_trial(const std::string& key);
  virtual void keep_trial(const std::string& key, const TrialEstimate& trial);
  /// Commits what was written since the last commit.
  virtual void commit();
  /// The same where the oldest of it is kCommitAfter old. Returns the time [s] until then; infinity if all is committed.
  virtual double commit_if_due();
  /// Mean time a replication of a scenario took [s], 0 where none is stored.
  double seconds_per_replication(const StoredScenario& scenario);
  /// Of how many of a scenario's first replications moments were kept.
  std::uint64_t replications_as_moments(const StoredScenario& scenario);

  StoreSize size();
  /// What is to be said of what was read so far: "" but for experiments from an older nowsim, which bear no checksum.
  [[nodiscard]] std::string remark() const;

  /// The checksum of the file that nowsim last wrote under this name; nothing where it wrote none.
  std::optional<std::int64_t> written_file(const std::string& name);
  void note_written_file(const std::string& name, std::int64_t checksum);

  [[nodiscard]] const std::string& folder() const;
  /// For what else the store holds (sweeps/experiment_store.hpp).
  [[nodiscard]] StoreDatabase& database() { return *database_; }

 protected:
  explicit BatchStore(std::unique_ptr<StoreDatabase> database);

 private:
  StoredScenario find_scenario(const Series& series);
  void read_ranges(StoredScenario& scenario);
  void add_scenario(StoredScenario& scenario, const Series& series);
  std::unique_ptr<StoreDatabase> database_;
};

/// The longest that a batch waits for its commit [s]: what an unlucky kill may cost.
inline constexpr double kCommitAfter_s = 0.02;

/// The database's name in its folder.
inline constexpr const char* kStoreFile = "results.sqlite";

}  // namespace nowsim
