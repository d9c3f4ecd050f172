// What has to be simulated for an experiment: each scenario once, points and their baselines alike.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/points/experiment.hpp"
#include "sim/engines/engine.hpp"

namespace nowsim {

/// Replications of one scenario, until a number or a precision is reached. Points that need the same share it.
struct Series {
  std::shared_ptr<const Scenario> scenario;
  std::string key;                      ///< of the scenario, engine and model (ScenarioKeys)
  RunPlan plan;                         ///< its precision is this series' own
  Engine engine = Engine::direct;
  Gathering gathering;                  ///< what the experiment's metrics and the stopping rule read
  std::optional<std::size_t> baseline;  ///< the series whose outcome the stopping rule needs, which therefore goes first
  std::optional<std::size_t> cell;      ///< of the execution plan, which stops it
};

/// Points that differ in the decided key alone, whose series stop each other.
struct Cell {
  RunPlan plan;                         ///< of its first point
  std::vector<std::size_t> points;
  std::vector<std::size_t> series;      ///< theirs, each once, in the order of the points
};

/// The series of a point; an infeasible one has none.
struct PointNeeds {
  std::optional<std::size_t> series;
  std::optional<std::size_t> baseline;
  std::optional<std::size_t> step1;
  std::optional<std::size_t> reference;  ///< that of the point that it is compared with

  std::vector<std::size_t> rivals;       ///< those of all points that share its reference, where a metric compares them

  [[nodiscard]] std::vector<std::size_t> all() const;
};

/// An experiment's series, a baseline before those that wait for it, and what each point takes from them.
struct ExecutionPlan {
  std::vector<Series> series;
  std::vector<PointNeeds> points;
  std::vector<Cell> cells;
};

/// Plans an experiment. Baselines are ordinary series: tau(1) of a sweep that has a point with one workstation costs
/// nothing more. With a stopping rule a baseline runs until its tau is as precise as the rule wants the point; if the
/// rule is about a metric that needs the baseline, half as wide.
ExecutionPlan plan_execution(const Experiment& experiment);

/// The engine that a choice means for a scenario.
Engine engine_for(EngineChoice choice, const Scenario& scenario);

/// The batch of a series with this index: whole but for the last one.
Batch batch_of(const Series& series, std::uint64_t index);
/// How many batches there are at most.
std::uint64_t batches_of(const Series& series);

}  // namespace nowsim
