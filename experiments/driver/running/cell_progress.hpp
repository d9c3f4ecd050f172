// Points that decide together how far they run: their series go on in step until the best of them is told.
#pragma once

#include <cstdint>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/points/point.hpp"
#include "experiments/driver/running/series_progress.hpp"

namespace nowsim {

/// Looks at whole batches in the order of their index: a series reduces its next batch when the selection needs one
/// more observation of all that are in, and only once each of them has one or has failed. So nothing depends on which batch
/// ends first.
class CellProgress {
 public:
  /// The runs are those of the execution plan's series; all three must outlive it.
  CellProgress(const ExecutionPlan& execution, const Cell& cell, std::vector<SeriesProgress>& runs);

  /// Batches have come back: goes on as far as they allow. Series that need no more are over.
  void advance();
  /// Nothing more happens, to none of its series.
  [[nodiscard]] bool over() const { return over_; }
  /// How far a series may run ahead of what has been reduced.
  [[nodiscard]] std::uint64_t most_ahead(std::size_t series, std::size_t jobs) const;
  /// How a point compares; of one that failed `open`. At the end.
  [[nodiscard]] Decided decided(std::size_t point, const Experiment& experiment) const;

 private:
  [[nodiscard]] SeriesProgress& run(std::size_t system) const { return (*runs_)[cell_->series[system]]; }
  [[nodiscard]] std::size_t system_of(std::size_t point) const;
  [[nodiscard]] bool lacks_observation(std::size_t system) const;
  [[nodiscard]] double next_observation(std::size_t system) const;
  bool supply();
  void observe();
  void end_those_out();

  const ExecutionPlan* execution_;
  const Cell* cell_;
  std::vector<SeriesProgress>* runs_;
  const DecidingMetric* metric_;
  SelectionOfBest selection_;
  bool over_ = false;
};

}  // namespace nowsim
