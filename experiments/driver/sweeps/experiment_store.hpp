// The experiments in a store of results: their points before the run, their estimates after it, and both read back; and
// what user code behind them is not the code at hand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/sweeps/stored_origin.hpp"

namespace nowsim {

/// The identity of user code that cannot be told from what it was begins so: it is never that of results there are, and
/// whoever registers it has said so.
inline constexpr const char* kUntoldCode = "untold-";

/// An experiment in a store, in numbers.
struct StoredExperiment {
  std::string name, title, file;
  std::vector<std::string> axes;
  std::size_t points = 0, complete = 0, infeasible = 0, failed = 0, pending = 0;
};

/// Reads and writes in a store of batches, which outlives it; throws as that does.
class ExperimentStore {
 public:
  /// `metrics`: those that results are read back of; what is stored of others is left out.
  explicit ExperimentStore(BatchStore& batches, const Registry<Metric>& metrics = builtin_metrics());
  ~ExperimentStore();

  /// Writes an experiment's points down as pending; those of an experiment of the same name before are replaced. Of the
  /// scenarios of its series, as BatchStore::find_scenarios() found them, those that are missing are added.
  /// @throws InputError where the one before is of another file.
  std::vector<StoredScenario> begin_experiment(const std::string& name, const Experiment& experiment,
                                               const ExecutionPlan& execution, std::vector<StoredScenario> scenarios);
  std::vector<StoredScenario> begin_experiment(const std::string& name, const Experiment& experiment,
                                               const ExecutionPlan& execution);
  /// Writes a point's estimates down, and the scenarios that they are of (`baseline` 0: none).
  void finish_point(std::size_t point, const ResultRow& row, const std::vector<const Metric*>& metrics,
                    std::int64_t scenario, std::int64_t baseline);

  std::vector<StoredExperiment> experiments();
  /// An experiment's rows; points that are not complete have the status `pending`. @throws InputError where there is
  /// none of that name.
  ResultTable summary(const std::string& name);
  /// Whether of some of its points moments alone were kept, and no replications.
  bool lacks_replications(const std::string& name);
  /// What it was read from; nothing where that is not known. To be asked for behind summary(), which checks it.
  StoredOrigin origin(const std::string& name);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Sentences for people, none where all is as it was: metrics that nothing is known of here, so that what is stored of
/// them is left out; a workload or technique that was edited since. Of policies, owner models and metrics a store does
/// not know the code. Throws as BatchStore does.
std::vector<std::string> remarks_on_code(BatchStore& batches, const std::string& experiment, const Registries& known);

}  // namespace nowsim
