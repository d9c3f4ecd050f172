// A problem size that is to be found: what is asked for, before it is found.
#pragma once

#include <string>

#include "sim/metrics/metrics.hpp"

namespace nowsim {

/// The value of one key that a point is to have: where a metric reaches a value, or where it is best. Immutable.
struct SizeTask {
  enum class Goal { equals, largest, smallest };

  std::string key;  ///< the one that is sought
  const Metric* metric = nullptr;
  Goal goal = Goal::equals;
  double target = 0;        ///< equals: the metric's value, in its unit
  bool in_percent = false;  ///< how people wrote it
  double tolerance = 0.01;  ///< equals: |metric - target| <= tolerance·|target| ends the search
  double from = 1, to = 1;  ///< 0 < from < to; whole numbers where `whole`
  bool whole = true;        ///< the key takes whole numbers only
  bool rising = false;      ///< equals: only where the metric rises through it; a fall at the smallest sizes is passed

  /// A size as a setting's text: exact, and without a unit.
  [[nodiscard]] std::string size_text(double size) const;
  /// A value of the metric for people: "24.3 %", "200 s".
  [[nodiscard]] std::string value_text(double value) const;
  /// "job.size from 10 to 1e+07".
  [[nodiscard]] std::string range_text() const;
  /// What is asked for: "E = 30 %", "speedup is largest".
  [[nodiscard]] std::string goal_text() const;
  /// What is to be said where there is none: "no job.size from 10 to 1e+07 has E = 30 %".
  [[nodiscard]] std::string none_text() const;
};

/// What a goal is called, in `solve.goal` too but for `equals`.
struct GoalWord {
  SizeTask::Goal goal;
  const char* word;
};
inline constexpr GoalWord kGoals[] = {{SizeTask::Goal::largest, "largest"}, {SizeTask::Goal::smallest, "smallest"}};
/// "largest". Of those in kGoals.
const char* goal_word(SizeTask::Goal goal);

/// The most values of a range of which the best is sought: each is simulated.
inline constexpr double kMostSizesOfARange = 1000;

}  // namespace nowsim
