// What a task farm is told: its tasks, the technique that hands them out, what travels, and when work is overdue.
#pragma once

#include <memory>

#include "sim/base/infinity.hpp"
#include "sim/base/keys.hpp"
#include "workloads/farm/self_scheduling.hpp"
#include "workloads/farm/task_costs.hpp"

namespace nowsim {

struct FarmParameters {
  TaskLaw costs;
  std::shared_ptr<const Technique> technique;
  TechniqueParameters for_technique;
  double request_bytes;     ///< of every message
  double input_bytes;       ///< per task, to the client
  double result_bytes;      ///< per task, from the client
  double overhead_s;        ///< the server's time per chunk, on its own machine undisturbed
  double timeout_s;         ///< after which a chunk is overdue; infinite: never
  double timeout_per_task_s;

  [[nodiscard]] bool is_static() const { return !technique->next; }
  /// Whether chunks can be overdue, and are then handed out again.
  [[nodiscard]] bool recovers() const { return timeout_s < kInfinity; }
};

/// Those of all these techniques among them.
KeyTable farm_keys(const Registry<Technique>& techniques);
/// @throws InputError for values that do not go together.
FarmParameters read_farm(KeyReader& read, const Registry<Technique>& techniques);

}  // namespace nowsim
