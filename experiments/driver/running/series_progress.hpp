// A series on its way: batches come back in any order and count in the order of their index, until its rule is content.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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

/// Knows no clock: what replications took is told. A series of which some are done goes on as it was measured; the
/// others take as much more, or less, than estimated as those that were measured did.
class TimeLeft {
 public:
  /// So many replications of a series are still to come, each of which is estimated to take so long [s].
  void expect(std::size_t series, double replications, double each_s);
  /// Some of them have been simulated, in so many seconds.
  void simulated(std::size_t series, double replications, double seconds);
  /// Some of them need not be: they are stored, or the series is over.
  void spared(std::size_t series, double replications);

  /// What is left, and what was measured [s].
  [[nodiscard]] double left_s() const;
  [[nodiscard]] double measured_s() const { return measured_s_; }

 private:
  struct Part {
    double to_come = 0, estimated_s = 0, done = 0, took_s = 0;
    [[nodiscard]] double left_s() const { return to_come * (done > 0 ? took_s / done : estimated_s); }
  };
  void change(std::size_t series, const auto& how);

  std::vector<Part> parts_;
  double left_measured_s_ = 0, left_estimated_s_ = 0;  // of series of which some are done, and of the others
  double measured_s_ = 0, measured_as_estimated_s_ = 0;  // of what is done: what it took, and was expected to
};

}  // namespace nowsim
