// Counting what replications will do, without doing it: intervals, messages, phases, tables.
#pragma once

#include <map>
#include <set>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/cost_table.hpp"

namespace nowsim {

/// Counts one scenario after another; what several of them share, tables and routes, it counts once.
class WorkCounter {
 public:
  /// What so many replications do.
  WorkCounts count(const Scenario& scenario, Engine engine, std::uint64_t replications);

 private:
  struct OwnerCount {
    const Owner* model;
    double workstations;
  };
  [[nodiscard]] std::vector<OwnerCount> grouped(const std::vector<OwnerPtr>& models) const;
  double mean_step_s(const Owner& model);
  void add_owner(const OwnerCount& owner, const Scenario& scenario, Engine engine, double time_s, double replications,
                 WorkCounts& work);
  void add_draws_of(const OwnerCount& owner, const Scenario& scenario, Engine engine, double time_s, double replications,
                    WorkCounts& work);
  void add_intervals(const RenewalDraws& laws, double lanes, double intervals, bool with_controls,
                     WorkCounts& work);
  void add_draws(const InverseTransform& law, double draws, WorkCounts& work);

  std::map<const Owner*, double> steps_s_;
  std::set<const QuantileTable*> tables_;
  std::set<const Platform*> platforms_;
};

/// About how long the job takes [s]: its computing at the mean speeds, and what messages cost where there is a closed form.
double expected_time_s(const Scenario& scenario);
/// What a law's table takes in memory, about: 45 to 170 kB [bytes].
inline constexpr double kTableBytes = 1e5;

}  // namespace nowsim
