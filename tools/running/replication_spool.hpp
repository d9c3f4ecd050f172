// The flag that has every replication of a run written: batches go through a store that is there for the run alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/temporary_folder.hpp"

namespace nowsim {

struct Session;

/// Keeps a run's replications among the system's temporary files, so that memory does not grow with their number; they
/// go with the object.
class ReplicationSpool {
 public:
  ReplicationSpool();
  /// Runs a ready experiment; what may end it may end write() as well. @throws what execute() throws.
  std::vector<PointOutcome> run(const Experiment& experiment, const RunContext& context);
  /// Writes the file (replication_rows.hpp), and says so unless quiet: of what run() gave. @throws RunError.
  void write(Session& session, const std::string& file, ResultTable summary, const std::vector<PointOutcome>& outcomes, bool quiet);

 private:
  std::function<bool()> interrupted_;
  TemporaryFolder folder_;
  BatchStore store_;
  std::vector<StoredScenario> stored_;  // per series
};

}  // namespace nowsim
