// A series on its way: batches come back in any order and count in the order of their index, until its rule is content.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "experiments/driver/points/execution_plan.hpp"
#include "sim/metrics/point_statistics.hpp"

namespace nowsim {

/// What a batch came to: what its replications leave behind, or why it could not be completed.
struct BatchOutcome {
  std::optional<BatchStatistics> statistics;
  std::string failure;
  std::string version;     ///< of the program that simulated it
};

/// Only whole batches in the order of their index count, failures too; what a stopping rule leaves over is ignored. So
/// nothing depends on which batch ends first.
class SeriesProgress {
 public:
  /// The series must outlive it.
  explicit SeriesProgress(const Series& series);

  /// Whether there is a batch to give out.
  [[nodiscard]] bool has_next() const { return !over_ && next_ < batches_; }
  [[nodiscard]] bool over() const { return over_; }
  /// The index of the next batch to give out.
  [[nodiscard]] std::uint64_t next() const { return next_; }
  std::uint64_t hand_out() { return next_++; }
  /// How many batches are given out and not reduced: what may turn out to be surplus.
  [[nodiscard]] std::uint64_t ahead() const { return next_ - reduced_; }
  /// A batch has come back: reduces it, and those behind it that waited for it. `baseline` is what the stopping
  /// rule's metric may need.
  void bring(std::uint64_t index, BatchOutcome outcome, const PointStatistics* baseline);

  /// From now on batches are reduced by reduce_next() alone, and somebody else says when it is over.
  void hold() { is_held_ = true; }
  /// Of a held one: whether the batch that is to be reduced next has come back.
  [[nodiscard]] bool has_arrived() const { return !over_ && waiting_.contains(reduced_); }
  void reduce_next();
  void end();

  [[nodiscard]] const std::shared_ptr<PointStatistics>& statistics() const { return statistics_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }
  /// The versions of the program that simulated what has been reduced, joined by +.
  [[nodiscard]] const std::string& versions() const { return versions_; }

 private:
  void reduce(const BatchOutcome& batch, const PointStatistics* baseline);
  [[nodiscard]] bool is_precise_enough(const PointStatistics* baseline) const;

  const Series* series_;
  std::uint64_t batches_;
  std::uint64_t next_ = 0, reduced_ = 0;
  std::map<std::uint64_t, BatchOutcome> waiting_;
  std::shared_ptr<PointStatistics> statistics_;
  std::string failure_, versions_;
  bool over_ = false, is_held_ = false;
};

}  // namespace nowsim
