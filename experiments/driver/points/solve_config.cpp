// Reading the `solve:` block.
#include "experiments/driver/points/solve_config.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "experiments/driver/reading/formula_values.hpp"
#include "experiments/driver/reading/machine_time.hpp"
#include "experiments/driver/reading/metric_choice.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// What a value of a metric may be written in.
struct TargetUnit {
  const char* unit;  ///< of the metric
  Dimension dimension;
};
constexpr TargetUnit kTargetUnits[] = {
    {"s", Dimension::time}, {"flop", Dimension::work}, {"", Dimension::fraction}, {"%", Dimension::fraction}};

Dimension dimension_of(const Metric& metric) {
  const auto found = std::ranges::find(kTargetUnits, metric.unit, &TargetUnit::unit);
  return found == std::end(kTargetUnits) ? Dimension::number : found->dimension;
}

/// What stands at a key, or "" where that is a formula or no single value.
std::string written(const Reading& reading, const std::string& key) {
  const auto found = reading.settings.find(key);
  const bool is_value = found != reading.settings.end() && !found->second.is_list && !found->second.broken;
  return is_value && !is_formula(found->second) ? std::string(trimmed(found->second.texts.front())) : "";
}

void read_target(Reader& read, const Reading& reading, SizeTask& task) {
  task.target = read.quantity("equals", dimension_of(*task.metric), kAnyNumber);
  task.in_percent = written(reading, "solve.equals").ends_with('%');
  if (task.in_percent && task.metric->unit == "%") task.target *= 100;
}

Words goal_words() {
  Words words;
  for (const auto& goal : kGoals) words.emplace_back(goal.word);
  return words;
}

/// `equals`, or else `goal`.
void read_goal(Reader& read, const Reading& reading, SizeTask& task) {
  const bool has_value = read.has("equals"), has_goal = read.has("goal");
  if (has_value && has_goal) return read.problem("equals", "either this or 'goal' is wanted, not both");
  if (!has_value && !has_goal)
    return read.problem("equals", "a value that the metric is to have is wanted (equals: 30%), or 'goal: largest'");
  if (has_value && task.metric != nullptr) read_target(read, reading, task);
  if (!has_goal) {
    task.rising = read.word("crossing") == 1;
    return;
  }
  task.goal = kGoals[read.word("goal")].goal;
}

/// Notes that an end is told as time: a size is tried as a bare number, which of the job's work is flop.
bool refuse_time(Reader& read, const std::string& name, const std::string& text) try {
  if (!machine_time_of(text)) return false;
  read.problem(name, quoted(text) + " is a time on a machine; work that is sought is told in flop, such as 3.6Tf");
  return true;
} catch (const InputError& e) {
  read.problem(name, e.what());
  return true;
}

/// 0 after a problem.
double read_end(Reader& read, const Reading& reading, const std::string& name, const SizeTask& task) {
  if (task.key == kWorkKey && refuse_time(read, name, written(reading, "solve." + name))) return 0;
  const double end = read.value(name);
  if (task.whole && end != std::floor(end))
    read.problem(name, "whole numbers are sought, and " + number_text(end) +
                           " is none; one is wanted, or 'whole: false'");
  return end;
}

void read_range(Reader& read, const Reading& reading, SizeTask& task) {
  task.from = read_end(read, reading, "from", task);
  task.to = read_end(read, reading, "to", task);
}

void check_range(Reader& read, const SizeTask& task) {
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

const KeyTable& solve_keys() {
  static const KeyTable keys{
      {"key", KeyType::text, kMustBeGiven, "the key that is sought, of platform, job, owner, bandwidth, split or let"},
      {"metric", KeyType::text, kMustBeGiven, "the metric that decides"},
      {"equals", KeyType::quantity, kMustBeGiven, "the value it is to have; or give goal"},
      {"crossing", KeyType::word, "any", "with equals (rising: not where the metric falls through the value)", {},
       {"any", "rising"}},
      {"goal", KeyType::word, kMustBeGiven, "that it be so; or give equals", {}, goal_words()},
      {"from", KeyType::quantity, kMustBeGiven, "the least value of the key", kPositive},
      {"to", KeyType::quantity, kMustBeGiven, "the largest", kPositive},
      {"whole", KeyType::word, "true", "whether whole numbers are sought", {}, flag_words()},
      {"tolerance", KeyType::share, "1%", "how far from the value the metric may be, by the value", kPositive}};
  return keys;
}

std::shared_ptr<const SizeTask> read_size_task(Reading& reading, const std::string& sought,
                                               const Registry<Metric>& metrics) {
  const std::size_t problems = reading.problems.found();
  const auto is_wrong = [&] { return reading.problems.found() > problems; };
  Reader read(reading, {"solve"}, solve_keys());
  SizeTask task;
  task.key = sought;
  read.text("key");
  task.metric = read_metric(read, "metric", MetricUse::solving, metrics);
  task.whole = read.flag("whole");
  task.tolerance = read.value("tolerance");
  if (task.tolerance >= 1)
    read.problem("tolerance", "this must be less than 1: with 100 % of the target any value would do");
  read_goal(read, reading, task);
  read_range(read, reading, task);
  if (!is_wrong()) check_range(read, task);
  return is_wrong() || task.metric == nullptr ? nullptr : std::make_shared<const SizeTask>(task);
}

std::string in_unit_of(const Reading& reading, const std::string& key, double size) {
  const std::string text = written(reading, key);
  const std::size_t number = text.find_last_of("0123456789.") + 1;
  const std::string unit(trimmed(std::string_view(text).substr(number)));
  const auto one = any_quantity("1" + unit);
  return unit.empty() || !one ? "" : number_text(size / *one) + unit;
}

}  // namespace nowsim
