// What a store has of a scenario and of a batch, whole, with its seal: written here alone, from runs and from other stores.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/store_database.hpp"
#include "sim/splitting/split_task.hpp"
#include "sim/statistics/statistics.hpp"

namespace nowsim {

/// A scenario's row.
struct ScenarioRow {
  std::string key, engine;
  std::int64_t model_version = 0, seed = 0, workstations = 0;
  std::string description;
  std::string variance_reduction;  ///< its name; "": none
  /// Whether all is the same that results are read by; other versions may describe it in other words.
  [[nodiscard]] bool is_alike(const ScenarioRow& o) const {
    return std::tie(key, engine, model_version, seed, workstations, variance_reduction) ==
           std::tie(o.key, o.engine, o.model_version, o.seed, o.workstations, o.variance_reduction);
  }
};
ScenarioRow scenario_row(const Series& series);
/// @throws InputError where it is damaged or missing.
ScenarioRow scenario_row(StoreDatabase& store, std::int64_t id);
/// The id of the scenario with this key; 0: there is none.
std::int64_t scenario_id(StoreDatabase& store, const std::string& key);
/// Its new id. To be called in a transaction.
std::int64_t insert_scenario(StoreDatabase& store, const ScenarioRow& row);

/// A batch's row; texts and bytes are whoever made it.
struct BatchRow {
  std::int64_t first = 0, replications = 0;
  double mean_makespan_s = 0, m2_makespan_s2 = 0, min_makespan_s = 0, max_makespan_s = 0;
  double seconds = 0;          ///< it took
  std::string_view version;    ///< of the program
  std::int64_t checksum = 0;   ///< of the results
  std::string_view results;    ///< packed
};
/// Of this program.
BatchRow batch_row(const Batch& range, const Moments& makespan_s, std::string_view packed, double seconds);
/// To be called in a transaction. The batch must not be there.
void insert_batch(StoreDatabase& store, std::int64_t scenario, const BatchRow& row);
/// Why a batch could not be completed; in the place of what was said of it before. To be called in a transaction.
void insert_failure(StoreDatabase& store, std::int64_t scenario, const Batch& range, const std::string& reason);
/// Likewise of a split that was found by simulation.
void insert_split(StoreDatabase& store, const std::string& key, const SplitReport& report);

}  // namespace nowsim
