// `nowsim check`: reads everything, runs nothing.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>

#include "experiments/cost_estimate.hpp"
#include "experiments/quantity.hpp"
#include "experiments/solve_sizes.hpp"
#include "tools/command.hpp"

namespace nowsim {
namespace {

std::uint64_t batches_of(const Point& point) {
  if (!point.scenario) return 0;
  const std::uint64_t size = batch_size(*point.scenario);
  return (point.plan.replications + size - 1) / size * point.scenarios().size();
}

/// "E = 30 %, by job.size"; the rest of what is printed is for the smallest sizes.
std::string what_is_sought(const Experiment& experiment) {
  const auto open = std::ranges::find_if(experiment.points, [](const Point& p) { return p.size_task != nullptr; });
  return open->size_task->goal_text() + ", by " + open->size_task->key;
}

void print(const Experiment& experiment) {
  std::uint64_t batches = 0, replications = 0;
  double cost = 0;
  std::size_t infeasible = 0, splits = 0, sizes = open_sizes(experiment);
  for (const auto& point : experiment.points) {
    batches += batches_of(point);
    replications += point.plan.replications * point.scenarios().size();
    cost += estimated_cost_s(point);
    if (!point.scenario && !point.size_task) ++infeasible;
    splits += point.split_task ? 1 : 0;
  }
  std::cout << experiment.title << "\n\n";
  std::cout << "  points        " << experiment.points.size();
  for (std::size_t a = 0; a < experiment.axes.size(); ++a) std::cout << (a == 0 ? " over " : ", ") << experiment.axes[a];
  std::cout << "\n  infeasible    " << infeasible << (infeasible > 0 ? " (left blank)" : "") << "\n  replications  "
            << replications
            << (splits > 0 ? "\n  splits        " + std::to_string(splits) + " points' are to be found by simulation" : "")
            << (sizes > 0 ? "\n  sizes         " + std::to_string(sizes) + " points' are to be found by simulation: " +
                                what_is_sought(experiment)
                          : "")
            << "\n  batches       " << batches << "\n  estimated     "
            << format_quantity(std::max(cost, 1e-3), Dimension::time) << " on one core, a rough figure\n\nno problems found\n";
}

}  // namespace

int check_command(const CommandInput& input) {
  const std::string usage = "nowsim check SPEC.yaml [flags]";
  boost::program_options::options_description description("flags");
  add_experiment_flags(description);
  const ParsedFlags parsed = parse_flags(input.words, description, 1, 1, usage);
  if (print_help(parsed, usage, description)) return 0;
  const Experiment experiment =
      load_experiment(find_experiment(parsed.words.front()), load_options(parsed.flags), input.workloads);
  print_remarks(experiment);
  print(experiment);
  return 0;
}

}  // namespace nowsim
