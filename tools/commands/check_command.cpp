// `nowsim check`: reads everything, runs nothing.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>

#include "experiments/driver/running/run_bounds.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "tools/command.hpp"
#include "tools/watched_reading.hpp"

namespace nowsim {
namespace {

/// How many points have failed before anything is run, and why the first has; "" where none has.
std::string failed_text(const Experiment& experiment) {
  const auto has_failed = [](const Point& point) { return point.as<FailedPoint>() != nullptr; };
  const auto first = std::ranges::find_if(experiment.points, has_failed);
  if (first == experiment.points.end()) return "";
  return "\n  failed        " + std::to_string(std::ranges::count_if(experiment.points, has_failed)) + " (" +
         first->reason() + ")";
}

void print(const Experiment& experiment) {
  const SweepForecast forecast = forecast_sweep(nullptr, experiment);
  const PendingSearches& open = forecast.open;
  const auto infeasible = std::ranges::count(experiment.points, PointStatus::infeasible, &Point::status);
  std::cout << experiment.title << "\n\n";
  std::cout << "  points        " << experiment.points.size();
  for (std::size_t a = 0; a < experiment.axes.size(); ++a)
    std::cout << (a == 0 ? " over " : ", ") << experiment.axes[a];
  std::cout << "\n  infeasible    " << infeasible << (infeasible > 0 ? " (left blank)" : "") << failed_text(experiment)
            << "\n  replications  " << forecast.replications
            << (open.splits > 0 ? "\n  splits        " + open.splits_text() : "")
            << (open.sizes > 0 ? "\n  sizes         " + open.sizes_text() : "")
            << "\n  batches       " << forecast.batches << "\n  estimated     "
            << format_quantity(std::max(forecast.seconds, 1e-3), Dimension::time) << " on one core, a rough figure"
            << open.without_text() << "\n\nno problems found\n";
}

/// What `run` says beforehand, or refuses, with all cores.
void print_bounds(const Experiment& experiment) {
  std::string remark;
  try {
    remark = long_run_remark(experiment, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  } catch (const InputError& e) {
    remark = e.what();
  }
  if (!remark.empty()) spdlog::warn("{}", remark);
}

void add_check_flags(boost::program_options::options_description& description) {
  add_experiment_flags(description);
}

int do_check(const ParsedFlags& parsed, const Registries& registries) {
  const Experiment experiment =
      read_experiment(find_experiment(parsed.words.front()), load_options(parsed.flags), registries, false);
  print_remarks(experiment);
  print_bounds(experiment);
  print(experiment);
  return 0;
}

}  // namespace

Command check_command() {
  return {"check", "read everything, run nothing: points, time, problems",
          "nowsim check SPEC.yaml [flags]", 1, 1, add_check_flags, do_check};
}

}  // namespace nowsim
