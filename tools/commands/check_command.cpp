// `nowsim check`: reads everything, and runs nothing but, where a way is missing, one replication.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <ostream>
#include <map>
#include <thread>

#include "experiments/driver/running/run_bounds.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/units.hpp"
#include "sim/base/error.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/watched_reading.hpp"
#include "tools/shipped/claim_listing.hpp"
#include "tools/shipped/shipped_experiments.hpp"

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

/// Which engine how many points get: "direct", "direct 70, simgrid 2"; "" where none is simulated.
std::string engines_text(const Experiment& experiment) {
  std::map<Engine, std::size_t> points;
  for (const Point& point : experiment.points)
    if (point.simulated() != nullptr) ++points[engine_for(point.plan.engine, *point.scenario())];
  std::string text;
  for (const auto& [engine, count] : points)
    text += (text.empty() ? "" : ", ") + std::string(engine_name(engine)) +
            (points.size() > 1 ? " " + std::to_string(count) : "");
  return text.empty() ? "" : "\n  engine        " + text;
}

/// What it took to read all that there is, as any command has to [s].
double reading_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// What tables of laws take in each process, where that is much.
std::string tables_text(const WorkCounts& work) {
  constexpr double kMuch = 1e8;
  const double bytes = kTableBytes * work[Cost::table];
  if (bytes < kMuch) return "";
  return "\n  memory        about " + format_quantity(bytes, Dimension::bytes) + " in each process, for " +
         format_quantity(work[Cost::table], Dimension::number) + " tables of laws";
}

/// What stays in memory of replications, where that is much.
std::string kept_text(const Experiment& experiment) {
  constexpr double kMuch = 1e7;
  const double bytes = kept_bytes(experiment);
  if (bytes < kMuch) return "";
  return "\n  memory        up to " + format_quantity(bytes, Dimension::bytes) +
         ", for what replications contribute to metrics";
}

void print(const Experiment& experiment, double reading_s, Session& session) {
  const SweepForecast forecast = forecast_sweep(nullptr, experiment);
  const double seconds = reading_s + forecast.seconds(machine_costs(session.known));
  const PendingSearches& open = forecast.open;
  const auto infeasible = std::ranges::count(experiment.points, PointStatus::infeasible, &Point::status);
  session.out << experiment.title << "\n\n";
  session.out << "  points        " << experiment.points.size();
  for (std::size_t a = 0; a < experiment.axes.size(); ++a)
    session.out << (a == 0 ? " over " : ", ") << experiment.axes[a];
  session.out << "\n  infeasible    " << infeasible << (infeasible > 0 ? " (left blank)" : "") << failed_text(experiment)
            << engines_text(experiment) << "\n  replications  "
            << (forecast.may_stop_earlier ? "at most " : "") << forecast.replications
            << (open.splits > 0 ? "\n  splits        " + open.splits_text() : "")
            << (open.sizes > 0 ? "\n  sizes         " + open.sizes_text() : "")
            << "\n  batches       " << (forecast.may_stop_earlier ? "at most " : "") << forecast.batches
            << "\n  estimated     " << (forecast.may_stop_earlier ? "at most " : "")
            << format_quantity(seconds, Dimension::time) << " on one core, a rough figure"
            << kept_text(experiment) << tables_text(forecast.work) << "\n\nno problems found\n";
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
  for (const std::string& said : {replaying_expected(experiment), endless_beginnings(experiment)})
    if (!said.empty()) spdlog::warn("{}", said);
}

int do_check(const Arguments& arguments, Session& session) {
  LoadOptions options = load_options(arguments);
  const std::string file = named_experiment(arguments.words.front(), session, options);
  const Experiment experiment = read_experiment(file, options, session.known, false);
  const double read_s = reading_s();
  const RunRefusals refusals = run_refusals(experiment);
  std::vector<InputProblem> problems = lost_variants(experiment);
  for (const std::string& certain : refusals.certain) problems.push_back({{}, certain});
  if (!problems.empty()) throw InputError(problems);
  print_remarks(experiment);
  for (const std::string& possible : refusals.possible) spdlog::warn("{}", possible);
  print_bounds(experiment);
  print(experiment, read_s, session);
  return 0;
}

}  // namespace

Command check_command() {
  return {.name = "check",
          .summary = "read everything, run nothing: points, time, problems",
          .places = Places{{.kinds = {Kind::experiment}}},
          .add_flags = add_experiment_flags,
          .run = do_check,
          .page = "commands"};
}

}  // namespace nowsim
