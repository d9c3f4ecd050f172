// What the commands that run into a store share: progress, interruption, and what they say at the end.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"

namespace nowsim {

class MergedStore;
class ProgressLine;

/// "1 batch", "2 batches".
std::string counted(std::uint64_t n, const std::string& what);

/// A folder's store for a command that runs into it, with what shards have published taken in where there are any.
class StoreSession {
 public:
  /// Opens or makes the store, and tells what was taken in. `name`: of the experiment that asks; `takes_shards`: also
  /// where none has published yet. @throws InputError where the store is damaged; Interrupted while it waits for
  /// another.
  StoreSession(const std::string& folder, const std::string& name, bool quiet, double publish_every_s,
               bool takes_shards = false);

  BatchStore& store() { return *store_; }
  [[nodiscard]] bool has_shards() const { return merged_ != nullptr; }
  /// ready_to_run() of an experiment of this name; what its searches find is published as such, and shards are told
  /// what they are to agree with. `line` is the context's; null: none.
  Experiment ready(const Experiment& described, const std::string& name, const RunContext& context, ProgressLine* line);
  /// The same with a line of its own, unless quiet.
  Experiment ready(const Experiment& described, const std::string& name, int jobs, bool quiet);
  /// Commits, or publishes where there are shards.
  void publish();
  /// The same, and tells of results of one batch that differ between shards; whether there are none.
  bool finish();
  /// Does the work, finishes, and returns the exit status. Where a signal ends the work, what was simulated is published.
  int run(const std::function<int()>& work);

 private:
  std::unique_ptr<BatchStore> store_;
  MergedStore* merged_ = nullptr;  ///< the same, where there are shards
};

/// Refuses what cannot be meant before a store is made for it; where there is one, or shards, it may be done already.
/// @throws what long_run_remark() throws (run_bounds.hpp).
void refuse_before_store(const Experiment& described, const std::string& folder, int jobs);

/// Does `work` and returns its exit status. @throws Stopped (parting.hpp) on Ctrl-C: the same command goes on.
int run_into_store(const std::string& folder, const std::function<int()>& work);

/// Says on the error stream what came of an experiment: "fig05: 45 points, 25 complete, ..." unless quiet, and which
/// points failed and why, the first of them if there are many. `folder` is where `nowsim show` finds them all.
void report_outcome(const SweepOutcome& outcome, const std::string& name, const std::string& folder, bool quiet);

/// Says where a user's version of a file has gone, if there was one.
void report_kept(const WrittenFile& file);

}  // namespace nowsim
