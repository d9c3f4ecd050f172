// A rough idea, beforehand, of how long replications take: what they will do, counted without doing it, times what each costs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "experiments/driver/points/execution_plan.hpp"

namespace nowsim {

/// What takes time.
enum class Cost : std::size_t {
  replication,      ///< direct engine: begun and recorded, on one machine
  rank,             ///< each further workstation of it, where all values are kept
  wide_rank,        ///< the same where moments are
  interval,         ///< an interval of an owner's path, of lanes side by side, with laws that need no more than a line
  rank_step,        ///< a rank's superstep, of many replications side by side
  lane,             ///< an owner's path of intervals begun
  tree_step,        ///< a rank's superstep with a broadcast, likewise side by side
  alike_step,       ///< the same where no owner makes replications differ
  exponential,      ///< a length by a logarithm, on top of its interval
  table,            ///< a law's table made
  table_draw,       ///< a length or value by a table, on top of its interval
  control,          ///< the control variates of an interval, likewise
  message,          ///< a message between ranks' coroutines
  process,          ///< a rank's coroutine begun
  turn,             ///< a step of an owner's path of two steps in turn, of lanes side by side
  path_step,        ///< a step of an owner's path that is followed one by one
  path,             ///< such a path begun
  path_superstep,   ///< a rank's superstep along one, on top of the superstep
  factor_step,      ///< a step of one that has a factor in common with others
  owner_job,        ///< an owner's job that feels the program
  phase,            ///< a compute and a barrier of a coroutine
  meeting,          ///< a message that shares a link with others at the time
  routes,           ///< a platform's routes asked for
  simgrid_batch,    ///< SimGrid: a batch begun
  simgrid_message,  ///< a message
  simgrid_step,     ///< a step of an owner's path
  simgrid_rank,     ///< a rank begun
  simgrid_phase,    ///< a compute and a barrier
  simgrid_meeting,  ///< a message beside others on a link
  worker,           ///< a worker process
  batch,            ///< a batch handed out and kept in a store
  stored,           ///< a workstation's values of a replication kept in a store
  point,            ///< a point planned, put into a store, and summarised
  picture,          ///< a picture drawn
};
inline constexpr std::size_t kCosts = static_cast<std::size_t>(Cost::picture) + 1;

/// A number per kind of thing.
struct PerCost : std::array<double, kCosts> {
  using Base = std::array<double, kCosts>;
  double& operator[](Cost c) { return Base::operator[](static_cast<std::size_t>(c)); }
  double operator[](Cost c) const { return Base::operator[](static_cast<std::size_t>(c)); }
  PerCost& operator+=(const PerCost& o) {
    for (std::size_t k = 0; k < kCosts; ++k) at(k) += o.at(k);
    return *this;
  }
  PerCost& operator*=(double factor) {
    for (double& value : *this) value *= factor;
    return *this;
  }
};
/// How many there are of each.
struct WorkCounts : PerCost {};
/// What each takes [s].
struct CostTable : PerCost {
  [[nodiscard]] double seconds(const WorkCounts& work) const {
    return std::inner_product(begin(), end(), work.begin(), 0.0);
  }
};

/// The table that is a part of the program: the same on every machine. What decides anything uses this one, so that
/// results do not depend on the machine.
const CostTable& shipped_costs();

/// Counts one scenario after another; what several of them share, tables and routes, it counts once.
class WorkCounter {
 public:
  /// What so many replications do.
  WorkCounts count(const Scenario& scenario, Engine engine, std::uint64_t replications);

 private:
  double mean_step_s(const Owner& model);
  void add_owner(const Owner& model, double workstations, const Scenario& scenario, Engine engine, double time_s,
                 double replications, WorkCounts& work);
  void add_draws_of(const Owner& model, double workstations, const Scenario& scenario, Engine engine, double time_s,
                    double replications, WorkCounts& work);
  void add_draws(const InverseTransform& law, double draws, WorkCounts& work);

  std::map<const Owner*, double> steps_s_;
  std::set<const QuantileTable*> tables_;
  std::set<const Platform*> platforms_;
};

/// About how long the job takes [s]: its computing at the mean speeds, and what messages cost where there is a closed form.
double expected_time_s(const Scenario& scenario);
/// What a law's table takes in memory, about: 45 to 170 kB [bytes].
inline constexpr double kTableBytes = 1e5;

/// What a point does with what it is compared with: at the most replications, or at so many.
WorkCounts point_work(const Point& point, WorkCounter& counter, std::optional<std::uint64_t> replications = {});
/// What the search for a split is expected to do.
WorkCounts split_work(const SplitTask& task, WorkCounter& counter);
/// How many splits a search for the optimum is expected to try, those of the gap's samples too.
double expected_evaluations(const SplitTask& task);

// Seconds on one core by shipped_costs(), which every machine has alike: decisions rest on them.

/// How long a number of replications takes [s].
double estimated_cost_s(const Scenario& scenario, Engine engine, std::uint64_t replications);
/// The same of a point with what it is compared with and the most replications.
double estimated_cost_s(const Point& point);
/// The least that a point takes: of a stopping rule the fewest replications, of a split that is found by simulation the
/// search; of a size that is still to be found nothing.
double least_cost_s(const Point& point);
/// The experiment without the points that estimated_cost_s() has at more than this: they are unsolved, the reason says
/// how long they would take. Points whose size is still to be found stay as they are.
Experiment without_costly_points(Experiment experiment, double most_s);
/// Whether a series is quicker simulated again than kept and read: so that a store of such series does not grow by more
/// than 4 MB with each second on one core. Only of series without a rule that stops them, that would take more than 100 kB
/// and take less than a minute: what is stopped is simulated anew.
bool is_quick(const Series& series);
/// How much memory the record of one replication takes (timeline.hpp) [bytes].
double recorded_bytes(const Scenario& scenario);

}  // namespace nowsim
