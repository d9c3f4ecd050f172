// A task in words.
#include "experiments/driver/points/size_task.hpp"

#include <algorithm>

#include "sim/base/text.hpp"

namespace nowsim {

std::string SizeTask::size_text(double size) const { return number_text(size); }

std::string SizeTask::value_text(double value) const {
  const double shown = in_percent && metric->unit != "%" ? 100 * value : value;
  const std::string unit = in_percent ? "%" : metric->unit;
  return short_number(shown) + (unit.empty() ? "" : " " + unit);
}

std::string SizeTask::range_text() const { return key + " from " + size_text(from) + " to " + size_text(to); }

std::string SizeTask::goal_text() const {
  return metric->name + (goal == Goal::equals ? " = " + value_text(target) : std::string(" is ") + goal_word(goal));
}

std::string SizeTask::none_text() const { return "no " + range_text() + " has " + goal_text(); }

const char* goal_word(SizeTask::Goal goal) { return std::ranges::find(kGoals, goal, &GoalWord::goal)->word; }

}  // namespace nowsim
