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

int run_command(const CommandInput& input) {
  namespace po = boost::program_options;
  const std::string usage = "nowsim run SPEC.yaml [flags]";
  po::options_description description("flags");
  add_experiment_flags(description);
  add_jobs_flag(description);
  description.add_options()
      ("format,f", po::value<std::string>()->default_value("table"), "table, csv or json")
      ("quiet,q", "no progress on the error stream");
  add_replication_flags(description);
  const ParsedFlags parsed = parse_flags(input.words, description, 1, 1, usage);
  if (print_help(parsed, usage, description)) return 0;
  const Format format = parse_format(parsed.flags["format"].as<std::string>());
  const int jobs = parse_jobs(parsed.flags["jobs"].as<std::string>());
  const ReplicationOutputs outputs = replication_outputs(parsed.flags);
  const bool quiet = parsed.flags.count("quiet") > 0;
  const Experiment described =
      read_experiment(find_experiment(parsed.words.front()), load_options(parsed.flags), input.registries, quiet);
  print_remarks(described);
  if (outputs.any()) point_to_record(described, outputs);  // what cannot be recorded is said before anything is run
  const Experiment experiment = ready_to_run(described, nullptr, jobs, quiet);
  const Point* recorded = outputs.any() ? &point_to_record(experiment, outputs) : nullptr;
  std::vector<PointOutcome> outcomes;
  {
    ProgressLine line;
    outcomes = run_experiment(experiment, jobs, [&](const Progress& p) { if (!quiet) line.show(p); });
  }
  const Summary summary = summarise(experiment, outcomes);
  write_summary(summary, format, std::cout);
  if (format == Format::table && has_found_splits(summary)) write_split_table(summary, std::cout << '\n');
  std::cout.flush();
  if (recorded != nullptr) write_replication(experiment, *recorded, outcomes.front(), outputs, quiet);
  return summary.has_failures() ? 1 : 0;
}

}  // namespace nowsim
