// Reading the `solve:` block.
#include "experiments/solve_config.hpp"

#include <cmath>

#include "experiments/words.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

/// Why a metric cannot be solved for, or "".
std::string obstacle(const Metric& metric) {
  const std::string wanted = "; a metric of the whole run that is measured is wanted, such as tau";
  if (metric.per_workstation) return "is a metric of each workstation" + wanted;
  if (metric.exact) return "follows from the description alone" + wanted;
  if (metric.needs_solved) return "is about the size that is found" + wanted;
  if (metric.needs_reference) return "compares with another point" + wanted;
  return "";
}

const Metric* read_metric(Reader& read) {
  const std::string name = read.text("metric");
  if (!read.has("metric")) return nullptr;  // missing, which is noted
  const Metric* metric = find_metric(name);
  if (metric == nullptr) {
    Words known;
    for (const auto& m : metrics())
      if (obstacle(m).empty()) known.push_back(m.name);
    const std::string near = did_you_mean(name, known);
    read.problem("metric",
                 "there is no metric '" + name + "'" + (near.empty() ? "; 'nowsim list metrics' names them" : near));
    return nullptr;
  }
  const std::string why = obstacle(*metric);
  if (!why.empty()) read.problem("metric", "'" + name + "' " + why);
  return why.empty() ? metric : nullptr;
}

bool is_written_in_percent(Reader& read, const Reading& reading) {
  if (!read.has("equals")) return false;
  const Setting& setting = reading.settings.at("solve.equals");
  return !setting.is_list && !setting.broken && trimmed(setting.texts.front()).ends_with('%');
}

/// `equals`, or else `goal`.
void read_goal(Reader& read, const Reading& reading, SizeTask& task) {
  const bool has_value = read.has("equals"), has_goal = read.has("goal");
  if (has_value == has_goal)
    read.problem(
        "equals",
        std::string(has_value ? "either this or 'goal' is wanted, not both"
                              : "a value that the metric is to have is wanted (equals: 30%), or 'goal: largest'"));
  if (has_goal)
    task.goal = read.choice("goal", {kLargest, kSmallest}, 0) == 0 ? SizeTask::Goal::largest : SizeTask::Goal::smallest;
  if (!has_value) return;
  task.target = read.number_with_unit("equals");
  task.in_percent = is_written_in_percent(read, reading);
  if (task.in_percent && task.metric != nullptr && task.metric->unit == "%") task.target *= 100;
}

double read_end(Reader& read, const std::string& name, bool is_whole) {
  const double end = read.number_with_unit(name, kPositive);
  if (is_whole && end != std::floor(end))
    read.problem(name, "whole numbers are sought, and " + number_text(end) +
                           " is none; one is wanted, or 'whole: false'");
  return end;
}

void read_range(Reader& read, SizeTask& task) {
  task.from = read_end(read, "from", task.whole);
  task.to = read_end(read, "to", task.whole);
  if (!(task.from < task.to))
    read.problem("from", "this must be less than 'to': " + number_text(task.from) + " and " + number_text(task.to));
  if (task.goal == SizeTask::Goal::equals) return;
  if (!task.whole)
    read.problem("whole", "the best is sought among whole numbers; 'equals' can do without");
  else if (task.to - task.from >= kMostSizesOfARange)
    read.problem("to", "the best of " + number_text(task.to - task.from + 1) +
                           " values is too much to ask: each is simulated, at most " + number_text(kMostSizesOfARange));
}

}  // namespace

std::shared_ptr<const SizeTask> read_size_task(Reading& reading, const std::string& sought) {
  const std::size_t problems = reading.problems.found();
  Reader read(reading, {"solve"});
  SizeTask task;
  task.key = sought;
  read.text("key");
  task.metric = read_metric(read);
  task.whole = read.choice("whole", {"false", "true"}, 1) == 1;
  task.tolerance = read.quantity("tolerance", Dimension::fraction, kPositive, task.tolerance);
  if (task.tolerance >= 1)
    read.problem("tolerance", "this must be less than 1: with 100 % of the target any value would do");
  read_goal(read, reading, task);
  read_range(read, task);
  return reading.problems.found() > problems ? nullptr : std::make_shared<const SizeTask>(task);
}

}  // namespace nowsim
