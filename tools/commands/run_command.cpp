// `nowsim run`: an experiment straight to the terminal, nothing stored.
#include <iostream>

#include "experiments/driver/running/runner.hpp"
#include "experiments/driver/running/split_output.hpp"
#include "experiments/driver/running/summary_output.hpp"
#include "tools/command.hpp"
#include "tools/prepare.hpp"
#include "tools/progress_line.hpp"
#include "tools/replication_outputs.hpp"
#include "tools/watched_reading.hpp"

namespace nowsim {
namespace {

void add_run_flags(boost::program_options::options_description& description) {
  add_experiment_flags(description);
  add_jobs_flag(description);
  add_output_flags(description);
  add_replication_flags(description);
}

int do_run(const ParsedFlags& parsed, const Registries& registries) {
  const auto [format, quiet, jobs] = output_flags(parsed.flags);
  const ReplicationOutputs outputs = replication_outputs(parsed.flags);
  const Experiment described =
      read_experiment(find_experiment(parsed.words.front()), load_options(parsed.flags), registries, quiet);
  print_remarks(described);
  if (outputs.any()) point_to_record(described, outputs);  // what cannot be recorded is said before anything is run
  const Experiment experiment = ready_to_run(described, nullptr, jobs, quiet);
  const Point* recorded = outputs.any() ? &point_to_record(experiment, outputs) : nullptr;
  std::vector<PointOutcome> outcomes;
  {
    ProgressLine line;
    outcomes = run_experiment(experiment, jobs, [&, is_quiet = quiet](const Progress& p) {
      if (!is_quiet) line.show(p);
    });
  }
  const Summary summary = summarise(experiment, outcomes);
  write_summary(summary, format, std::cout);
  if (format == Format::table && has_found_splits(summary)) write_split_table(summary, std::cout << '\n');
  std::cout.flush();
  if (recorded != nullptr) write_replication(experiment, *recorded, outcomes.front(), outputs, quiet);
  return summary.has_failures() ? 1 : 0;
}

}  // namespace

Command run_command() {
  return {"run", "run an experiment and print its estimates",
          "nowsim run SPEC.yaml [flags]", 1, 1, add_run_flags, do_run};
}

}  // namespace nowsim
