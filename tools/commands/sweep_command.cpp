// `nowsim sweep`: an experiment into a store, from where it stopped the last time.
#include <filesystem>
#include <ostream>
#include <memory>
#include <sstream>

#include "experiments/driver/running/result_output.hpp"
#include "experiments/driver/running/written_files.hpp"
#include "experiments/driver/sweeps/stored_sweep.hpp"
#include "experiments/driver/text/units.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/prepare.hpp"
#include "tools/running/store_session.hpp"
#include "tools/running/watched_reading.hpp"
#include "tools/shipped/shipped_experiments.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostRowsShown = 60;

void print_forecast(const SweepForecast& f, const std::string& name, int jobs, Session& session) {
  const std::uint64_t missing = f.batches - f.batches_stored;
  session.out << name << ": " << counted(f.points, "point");
  if (f.infeasible > 0) session.out << ", of which " << f.infeasible << " infeasible";
  session.out << "\n" << counted(f.scenarios, "scenario") << " (points and baselines, each once), "
            << (f.may_stop_earlier ? "at most " : "") << counted(f.batches, "batch") << " with " << counted(f.replications, "replication")
            << (f.open.splits > 0 ? "\nsplits:       " + f.open.splits_text() : "")
            << (f.open.sizes > 0 ? "\nsizes:        " + f.open.sizes_text() : "")
            << "\nin the store: " << counted(f.batches_stored, "batch") << " with " << counted(f.replications_stored, "replication")
            << "\nto simulate:  " << (f.may_stop_earlier ? "at most " : "") << counted(missing, "batch") << " with "
            << counted(f.replications - f.replications_stored, "replication");
  if (missing > 0)
    session.out << ", about " << format_quantity(f.seconds(machine_costs(session.known)) / jobs, Dimension::time) << " with " << counted(static_cast<std::uint64_t>(jobs), "process");
  session.out << "\nnothing was run\n";
}

/// A store that is there already, for looking into it, with what shards have published; nothing where there is none.
std::unique_ptr<BatchStore> store_to_look_into(const std::string& folder) {
  if (const ShardFolder shards(folder); shards.exists()) {
    auto store = std::make_unique<StoreCopy>(shards);
    take_in(*store, shards, Pieces::stay);
    return store;
  }
  std::error_code ignored;
  if (!fs::exists(fs::path(folder) / kStoreFile, ignored)) return nullptr;
  return std::make_unique<BatchStore>(folder, BatchStore::Access::read);
}

void add_sweep_flags(Flags& flags) {
  add_experiment_flags(flags);
  add_jobs_flag(flags);
  flags.add({{"out,o", taking(Kind::folder).needed(),
              "the folder of the store; made where it is missing, continued where it is there"}});
  add_format_flag(flags);
  add_splits_flag(flags);
  add_shard_flags(flags, "DIR/shards");
  flags.add({{"dry-run,n", kSwitch, "say what would be simulated and how long it would take, and do nothing"},
             {"quiet,q", kSwitch, "no progress on the error stream, no table; only what went wrong"}});
}

/// What is run and written; whether a point failed.
bool sweep_and_write(Session& session, StoreSession& stored, const ShardedSweep& sweep, const Arguments& arguments, Format format) {
  BatchStore& store = stored.store();
  const Experiment experiment = ready_to_run(sweep.described, &store, sweep.jobs, sweep.quiet);
  ProgressLine line;
  const SweepOutcome outcome =
      stored.run(sweep.name, experiment, shown_on(sweep.quiet ? nullptr : &line, sweep.jobs));
  line.clear();
  const WrittenFile csv = write_results(store, sweep.name, outcome.summary);
  const bool shows_table = format == Format::table && !sweep.quiet && outcome.summary.rows.size() <= kMostRowsShown;
  if (format != Format::table || shows_table) write_summary(outcome.summary, format, session.out);
  if (shows_table) write_found_splits(outcome.summary, asks_for_splits(arguments), session.out);
  report_outcome(session, outcome, sweep.name, sweep.out, sweep.quiet);
  if (!sweep.quiet) session.error << "results: " << csv.path << " and " << sweep.out << "/" << kStoreFile << '\n';
  report_kept(session, csv);
  if (has_found_splits(outcome.summary)) report_kept(session, write_splits(store, sweep.name, outcome.summary));
  store.commit();
  return outcome.summary.has_failures();
}

int do_sweep(const Arguments& arguments, Session& session) {
  const Format format = format_of(arguments);
  const int jobs = jobs_of(arguments);
  const bool quiet = arguments.has("quiet");
  const std::string folder = arguments.text("out");
  const std::string file = find_experiment(arguments.words.front());
  const std::string name = fs::path(file).stem().string();
  check_stored_name(name, file);
  const Experiment described = read_experiment(file, load_options(arguments), session.known, quiet);
  print_remarks(described);
  const ShardRequest request = shard_request(arguments);
  if (arguments.has("dry-run")) {
    if (request.shard) throw UsageError("--dry-run tells of the whole sweep, not of --shard");
    const auto store = store_to_look_into(folder);
    print_forecast(forecast_sweep(store.get(), described), name, jobs, session);
    return 0;
  }
  const ShardedSweep sweep{described, name, folder, jobs, quiet, request.publish_every_s};
  if (request.shard) return run_shard_and_tell(session, sweep, request.shard->first, request.shard->second);
  refuse_before_store(described, folder, jobs);
  return run_into_store(folder, [&] {
    StoreSession stored(folder);
    report_taken_in(session, stored, quiet);
    return sweep_and_write(session, stored, sweep, arguments, format) ? 1 : 0;
  });
}

}  // namespace

Command sweep_command() {
  return {.name = "sweep",
          .summary = "run an experiment into a store, resume it, extend it",
          .places = Places{{.kinds = {Kind::experiment}}},
          .main = {"out"},
          .add_flags = add_sweep_flags,
          .run = do_sweep,
          .page = "store"};
}

}  // namespace nowsim
