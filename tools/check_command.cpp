// `nowsim check`: reads everything, runs nothing.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>

#include "experiments/cost_estimate.hpp"
#include "experiments/open_searches.hpp"
#include "experiments/quantity.hpp"
#include "tools/command.hpp"

namespace nowsim {
namespace {

std::uint64_t batches_of(const Point& point) {
  if (!point.scenario) return 0;
  const std::uint64_t size = batch_size(*point.scenario);
  return (point.plan.replications + size - 1) / size * point.scenarios().size();
}

void print(const Experiment& experiment) {
  std::uint64_t batches = 0, replications = 0;
  double cost = 0;
  std::size_t infeasible = 0;
  const OpenSearches open = open_searches(experiment);
  for (const auto& point : experiment.points) {
    batches += batches_of(point);
    replications += point.plan.replications * point.scenarios().size();
    cost += estimated_cost_s(point);
    if (!point.scenario && !point.size_task) ++infeasible;
  }
  std::cout << experiment.title << "\n\n";
  std::cout << "  points        " << experiment.points.size();
  for (std::size_t a = 0; a < experiment.axes.size(); ++a)
    std::cout << (a == 0 ? " over " : ", ") << experiment.axes[a];
  std::cout << "\n  infeasible    " << infeasible << (infeasible > 0 ? " (left blank)" : "") << "\n  replications  "
            << replications
            << (open.splits > 0 ? "\n  splits        " + open.splits_text() : "")
            << (open.sizes > 0 ? "\n  sizes         " + open.sizes_text() : "")
            << "\n  batches       " << batches << "\n  estimated     "
            << format_quantity(std::max(cost, 1e-3), Dimension::time) << " on one core, a rough figure"
            << open.without_text() << "\n\nno problems found\n";
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
