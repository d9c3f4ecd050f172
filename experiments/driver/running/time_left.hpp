// How long a run still takes on one core: what was estimated of each series, corrected by what has been measured since.
#pragma once

#include <cstddef>
#include <vector>

namespace nowsim {

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
