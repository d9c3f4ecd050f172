// Making ready, with what people are told meanwhile.
#include "tools/running/prepare.hpp"

#include <spdlog/spdlog.h>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/run_bounds.hpp"
#include "experiments/driver/sweeps/prepare.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {

RunContext shown_on(ProgressLine* line, int jobs, double most_s) {
  RunContext context{jobs, nullptr, interruption_requested, most_s};
  if (line != nullptr) context.on_progress = [line](const auto& progress) { line->show(progress); };
  return context;
}

Experiment ready_to_run(const Experiment& described, BatchStore* store, const RunContext& context, ProgressLine* line,
                        bool tells_long_runs) {
  const Experiment experiment = without_costly_points(described, context.most_s);
  const auto missing_s = [&] {  // of what is not in the store yet
    return store == nullptr ? kInfinity : forecast_sweep(store, experiment).seconds(shipped_costs());
  };
  const std::string remark = long_run_remark(experiment, context.jobs, missing_s);
  if (!remark.empty() && tells_long_runs) {
    if (line != nullptr) line->clear();
    spdlog::warn("{}", remark);
  }
  Experiment ready = prepare(experiment, store, context);
  if (line == nullptr) return ready;
  line->clear();
  print_remarks(ready);
  return ready;
}

Experiment ready_to_run(const Experiment& described, BatchStore* store, int jobs, bool quiet,
                        const std::function<bool()>& interrupted) {
  ProgressLine line;
  RunContext context = shown_on(quiet ? nullptr : &line, jobs);
  if (interrupted) context.interrupted = interrupted;
  return ready_to_run(described, store, context, quiet ? nullptr : &line, !quiet);
}

}  // namespace nowsim
