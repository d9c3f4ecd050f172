// Running what an experiment needs: batches over child processes or out of a store, reduced in order, so that any
// number of jobs and any interruption give the same bytes; who is told how far it is, and who may end it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/points/point.hpp"
#include "sim/base/infinity.hpp"

namespace nowsim {

class BatchRunner;
class BatchStore;
struct StoredScenario;

/// How far a run is.
struct Progress {
  std::size_t points_done = 0, points = 0;
  std::uint64_t replications_done = 0;      ///< simulated now
  std::uint64_t replications_stored = 0;    ///< taken from the store
  std::uint64_t replications_expected = 0;  ///< the most there can be, both together
  std::uint64_t batches_done = 0, batches_stored = 0;
  double left_s = 0, measured_s = 0;  ///< on one core: what is left, and what was simulated now; 0 in the first seconds
};

/// How far a search for splits is.
struct SplitProgress {
  std::size_t found = 0, wanted = 0;  ///< splits, each once, without those that were remembered
  std::size_t recalled = 0;           ///< those
  double seconds = 0;                 ///< since the first was begun
};

/// How far a search for sizes is.
struct SizeProgress {
  std::size_t round = 0;              ///< from 1 on
  std::size_t found = 0, wanted = 0;  ///< sizes; those of which is known that there are none count as found
  double share = 0;                   ///< of the whole search, from 0 to 1, roughly: how many rounds there will be is
                                      ///< not known where a size is narrowed down
  double simulated = 0;               ///< the share of the whole search that was simulated; the rest of `share` was
                                      ///< stored
};

/// Who is told: a function of one of these, or of all (a generic lambda).
class ProgressListener {
 public:
  ProgressListener(std::nullptr_t = nullptr) {}
  template <class Tell>
  requires(std::is_invocable_v<Tell&, const Progress&> || std::is_invocable_v<Tell&, const SplitProgress&> ||
           std::is_invocable_v<Tell&, const SizeProgress&>) ProgressListener(Tell tell) {
    if constexpr (std::is_constructible_v<bool, Tell>)  // a std::function may be empty
      if (!static_cast<bool>(tell)) return;
    tell_ = [tell = std::move(tell)](const AnyProgress& any) mutable {
      std::visit(
          [&](const auto& progress) {
            if constexpr (std::is_invocable_v<Tell&, decltype(progress)>) tell(progress);
          },
          any);
    };
  }
  explicit operator bool() const { return static_cast<bool>(tell_); }
  template <class Of>
  void operator()(const Of& progress) const {
    if (tell_) tell_(progress);
  }

 private:
  using AnyProgress = std::variant<Progress, SplitProgress, SizeProgress>;
  std::function<void(const AnyProgress&)> tell_;
};

/// The run was ended by its user; what a store has is kept.
class Interrupted : public std::exception {};

/// What runs and searches may use. What they come to does not depend on it, but for `most_s`.
struct RunContext {
  int jobs = 1;                                 ///< child processes at a time
  ProgressListener on_progress = nullptr;       ///< after a batch or a search, and twice a second between them
  std::function<bool()> interrupted = nullptr;  ///< asked now and then; true ends it
  double most_s = kInfinity;                    ///< of one core: prepare() leaves out points and trials that would take longer

  /// @throws Interrupted where it has to end.
  void end_if_interrupted() const {
    if (interrupted && interrupted()) throw Interrupted();
  }
};

/// What running a point gave.
struct PointOutcome {
  std::shared_ptr<const PointStatistics> statistics;  ///< null for an infeasible point
  std::optional<Sample> baseline_s;                   ///< T of the baseline
  std::shared_ptr<const PointStatistics> step1;       ///< of the split in proportion, where a metric compares with it
  std::shared_ptr<const PointStatistics> reference;   ///< of the point that it is compared with; null where that failed
  std::vector<std::shared_ptr<const PointStatistics>> rivals;  ///< of those that share its reference and did not fail
  std::string failure;                                ///< why the point could not be completed
  Engine engine = Engine::direct;                     ///< that ran
  std::optional<Decided> decided;  ///< where something is
  std::optional<std::size_t> series, baseline;        ///< of the execution plan, whose replications these are
  std::string version = nowsim::version();            ///< the program's that simulated it; several are joined by +
};

/// What a run may use besides, and whom it tells.
struct RunOptions : RunContext {
  BatchStore* store = nullptr;                           ///< where batches are taken from and kept; may be null
  const std::vector<StoredScenario>* stored = nullptr;  ///< with a store: what it has, per series
  /// With a store: whether it keeps series too that are quicker simulated again than read (is_quick()); else it keeps
  /// their moments alone.
  bool keeps_quick = true;
  BatchRunner* here = nullptr;  ///< simulates in this process, without time-outs, instead of child processes; may be null
  std::function<void(std::size_t, const PointOutcome&)> on_point = nullptr;  ///< when a point is complete
};

/// Runs all series of an execution plan and gives every point its outcome.
/// A point that fails costs only itself; its failure is that of its first batch that fails, whichever child ends first.
/// What it kept is committed to the options' store, if there is one; also where it is interrupted.
/// @throws Interrupted; what the store throws; InputError where the only point cannot be simulated as the input has it.
std::vector<PointOutcome> execute(const Experiment& experiment, const ExecutionPlan& execution, const RunOptions& options);

/// The same without a store.
std::vector<PointOutcome> run_experiment(const Experiment& experiment, const RunContext& context = {});

}  // namespace nowsim
