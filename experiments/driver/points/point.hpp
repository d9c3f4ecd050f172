// A point of a sweep: what is simulated for it, what of it is still to be found, or why it cannot be run.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiments/driver/points/run_plan.hpp"
#include "experiments/driver/points/size_task.hpp"
#include "sim/program/scenario.hpp"
#include "sim/splitting/split_task.hpp"

namespace nowsim {

/// What became of a point, or will.
enum class PointStatus { ok, infeasible, unsolved, failed, pending };
/// "ok", "infeasible" (of unsolved ones too), "failed", "pending": as files, stores and people have it.
const char* status_name(PointStatus status);
/// The status of this name; nothing where there is none.
std::optional<PointStatus> status_named(const std::string& name);

/// What is simulated for a point.
struct PointScenarios {
  std::shared_ptr<const Scenario> scenario;  ///< its own, never null
  std::shared_ptr<const Scenario> baseline;  ///< the whole work on one workstation, where speedup is asked for
  std::shared_ptr<const Scenario> step1;     ///< the same split in proportion, where a metric compares with it

  /// Those that there are.
  [[nodiscard]] std::vector<const Scenario*> all() const;
};

/// A problem kept it from being read: no experiment comes of it.
struct UnreadPoint {};
/// It cannot be realised.
struct InfeasiblePoint {
  std::string reason;
};
/// Infeasible since no size solves it, as simulation has shown, or since it would take too long: claims miss it.
struct UnsolvedPoint {
  std::string reason;
};
/// Its split or size could not be found, or its making took too long.
struct FailedPoint {
  std::string reason;
};
/// Its size is to be found by simulation (solve_sizes.hpp).
struct OpenSize {
  std::optional<PointScenarios> provisional;  ///< at the smallest size, or where that is infeasible the largest
  std::shared_ptr<const SizeTask> task;
};
/// Its split is to be found by simulation (resolve_splits.hpp).
struct OpenSplit {
  PointScenarios provisional;  ///< with the shares of step (1)
  std::shared_ptr<const SplitTask> task;
};
/// It can be run.
struct ReadyPoint {
  PointScenarios scenarios;
  std::shared_ptr<const SplitReport> split_report = nullptr;  ///< how its split was found; null: without simulation
  std::shared_ptr<const SolvedSize> solved = nullptr;         ///< the size that was solved for
};

struct Point {
  std::vector<std::string> values;  ///< of the swept keys, as written
  RunPlan plan;
  std::optional<std::size_t> reference;  ///< the experiment's point that this one is compared with
  std::optional<std::size_t> cell;  ///< where something is decided, the first point that differs in the decided key alone
  std::variant<UnreadPoint, InfeasiblePoint, UnsolvedPoint, FailedPoint, OpenSize, OpenSplit, ReadyPoint> state;

  /// Its state where it is this one, else null.
  template <class State>
  [[nodiscard]] const State* as() const {
    return std::get_if<State>(&state);
  }
  /// What is simulated for it, as far as it is known; of open points provisional. Null where there is nothing.
  [[nodiscard]] const PointScenarios* simulated() const;
  /// The first of these; null where there is nothing.
  [[nodiscard]] std::shared_ptr<const Scenario> scenario() const;
  /// Before it is run: pending, infeasible, unsolved or failed.
  [[nodiscard]] PointStatus status() const;
  /// Why it cannot be run; "" where it may be.
  [[nodiscard]] std::string reason() const;
};

}  // namespace nowsim
