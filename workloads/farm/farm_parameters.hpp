// What a task farm is told: its tasks and what they cost, the technique that hands them out, what travels, and when work
// is overdue.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/infinity.hpp"
#include "sim/base/keys.hpp"
#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"
#include "workloads/farm/self_scheduling.hpp"

namespace nowsim {

/// Costs of consecutive tasks [flop].
class TaskCosts {
 public:
  /// All the same.
  TaskCosts(std::int64_t tasks, double flop) : tasks_(tasks), flop_(flop) {}
  /// @param sums costs of the first 0, 1, .. N tasks
  explicit TaskCosts(std::shared_ptr<const std::vector<double>> sums)
      : tasks_(static_cast<std::int64_t>(sums->size()) - 1), sums_(std::move(sums)) {}
  /// Of `count` tasks from `first` on, counted from 0.
  [[nodiscard]] double flop(std::int64_t first, std::int64_t count) const {
    if (!sums_) return static_cast<double>(count) * flop_;
    return (*sums_)[static_cast<std::size_t>(first + count)] - (*sums_)[static_cast<std::size_t>(first)];
  }
  [[nodiscard]] double all_flop() const { return flop(0, tasks_); }

 private:
  std::int64_t tasks_;
  double flop_ = 0;
  std::shared_ptr<const std::vector<double>> sums_;  // null: all cost flop_
};

/// How many tasks there are, and what their costs are drawn from. Immutable.
class TaskLaw {
 public:
  /// Reads tasks, cost, law, cv, costs. @throws InputError for values that no law has.
  explicit TaskLaw(KeyReader& read);
  [[nodiscard]] std::int64_t tasks() const { return tasks_; }
  /// Mean work of a task [flop]; of a file's tasks their mean.
  [[nodiscard]] double mean_flop() const { return mean_flop_; }
  /// Coefficient of variation.
  [[nodiscard]] double cv() const { return cv_; }
  /// Those of one replication, from one draw per task where they are random.
  [[nodiscard]] TaskCosts costs(Stream stream) const;

 private:
  void read_file(KeyReader& read);
  std::int64_t tasks_ = 0;
  double mean_flop_ = 0, cv_ = 0;
  DistributionPtr law_;                              // null: constant, or from a file
  std::shared_ptr<const std::vector<double>> sums_;  // of a file's
};

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
  double start_s;           ///< what a chunk costs its client before it computes
  bool is_server_outside;   ///< none of the job's machines: all compute, and no messages travel

  /// The first rank that computes.
  [[nodiscard]] int first_client() const { return is_server_outside ? 0 : 1; }
  [[nodiscard]] bool is_static() const { return !technique->next; }
  /// Whether chunks can be overdue, and are then handed out again.
  [[nodiscard]] bool recovers() const { return timeout_s < kInfinity; }
};

/// Those of all these techniques among them.
KeyTable farm_keys(const Registry<Technique>& techniques);
/// @throws InputError for values that do not go together.
FarmParameters read_farm(KeyReader& read, const Registry<Technique>& techniques);

/// Those of all techniques, each with the first technique of which it is; of one name there are several where they are
/// not of one type.
KeyTable keys_of_techniques(const Registry<Technique>& techniques);
/// What stands at a technique's keys; it learns from then on, and uses, what formulas there need. @throws InputError
/// where they do not go together, std::logic_error for a type of key that techniques do not have.
TechniqueParameters read_for(Technique& technique, KeyReader& read);

}  // namespace nowsim
