// `nowsim run`: an experiment straight to the terminal, nothing stored.
#include <filesystem>
#include <ostream>
#include <optional>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/running/runner.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/line/command_table.hpp"
#include "tools/running/output_files.hpp"
#include "tools/running/prepare.hpp"
#include "tools/running/replication_outputs.hpp"
#include "tools/running/replication_spool.hpp"
#include "tools/running/watched_reading.hpp"
#include "tools/shipped/shipped_experiments.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/parting.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {
namespace {

void add_run_flags(Flags& flags) {
  add_experiment_flags(flags);
  add_jobs_flag(flags);
  add_output_flags(flags);
  add_replication_flags(flags);
  add_splits_flag(flags);
  flags.add({{"replications-csv", written_file({".csv"}, "a table of replications is CSV"),
              "every replication's T, sums and workstations' values, a row each"}});
}

/// What `run` was asked to write besides its table.
struct RunOutputs {
  OutputFlags how;
  ReplicationOutputs one;    ///< of one replication
  std::string replications;  ///< of all of them, a CSV file; "": none
  bool shows_splits = false;
};

std::vector<PointOutcome> run_shown(const Experiment& experiment, const OutputFlags& how, ReplicationSpool* spool) {
  ProgressLine line;
  const RunContext context = shown_on(how.quiet ? nullptr : &line, how.jobs);
  return spool != nullptr ? spool->run(experiment, context) : run_experiment(experiment, context);
}

int run_and_tell(Session& session, const Experiment& experiment, const RunOutputs& outputs) {
  const auto [format, quiet, jobs] = outputs.how;
  const Point* recorded = outputs.one.any() ? &point_to_record(experiment, outputs.one) : nullptr;
  std::optional<ReplicationSpool> spool;
  if (!outputs.replications.empty()) spool.emplace();
  const auto outcomes = run_shown(experiment, outputs.how, spool ? &*spool : nullptr);
  const ResultTable summary = summarise(experiment, outcomes);
  if (!outputs.one.replaces_estimates()) write_summary(summary, format, session.out);
  if (format == Format::table) write_found_splits(summary, outputs.shows_splits, session.out);
  session.out.flush();
  if (spool) spool->write(session, outputs.replications, summary, outcomes, quiet);
  if (recorded != nullptr) write_replication(session, experiment, *recorded, outcomes.front(), outputs.one, quiet);
  return summary.has_failures() ? 1 : 0;
}

/// Ctrl-C takes what was kept for a moment away too.
int run_interruptibly(Session& session, const Experiment& experiment, const RunOutputs& outputs) {
  const InterruptionWatch watch;
  try {
    return run_and_tell(session, experiment, outputs);
  } catch (const Interrupted&) {
    throw Stopped(kNothingKept, watch.exit_status(), false);
  }
}

int do_run(const Arguments& arguments, Session& session) {
  const OutputFlags how = output_flags(arguments);
  const RunOutputs outputs{
      how, replication_outputs(arguments, how.format),
      arguments.text("replications-csv"),
      asks_for_splits(arguments)};
  const bool quiet = how.quiet;
  const Experiment described =
      read_experiment(find_experiment(arguments.words.front()), load_options(arguments), session.known, quiet);
  print_remarks(described);
  if (outputs.one.any()) point_to_record(described, outputs.one);  // what cannot be recorded is said before anything is run
  const Experiment experiment = ready_to_run(described, nullptr, how.jobs, quiet);
  return outputs.replications.empty() ? run_and_tell(session, experiment, outputs) : run_interruptibly(session, experiment, outputs);
}

/// The same experiment as a sweep into a store: without the flags that a sweep has not, and their values.
std::vector<std::string> sweep_words(const std::vector<std::string>& words) {
  const Flags of_run = flags_of(*find_command("run")), of_sweep = flags_of(*find_command("sweep"));
  std::vector<std::string> sweep{"sweep"}, files;
  for (std::size_t k = 1; k < words.size(); ++k) {
    const Flag* const flag = of_run.of_word(words[k]);
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(k);
    if (of_run.takes_next(words[k]) && k + 1 < words.size()) ++k;
    if (flag == nullptr || of_sweep.named(flag->name()) != nullptr)
      sweep.insert(sweep.end(), first, words.begin() + static_cast<std::ptrdiff_t>(k) + 1);
    if (flag == nullptr && !first->starts_with('-')) files.push_back(*first);
  }
  const std::string name = files.empty() ? "mine" : std::filesystem::path(files.front()).stem().string();
  sweep.insert(sweep.end(), {"--out", "results/" + name});
  return sweep;
}

}  // namespace

Command run_command() {
  return {.name = "run",
          .summary = "run an experiment and print its estimates",
          .places = Places{{.kinds = {Kind::experiment}}},
          .add_flags = add_run_flags,
          .run = do_run,
          .page = "commands",
          .keeping = sweep_words};
}

}  // namespace nowsim
