// Progress, interruption and last words of runs into a store.
#include "tools/running/store_session.hpp"

#include <filesystem>
#include <ostream>
#include <vector>

#include "experiments/driver/points/execution_plan.hpp"
#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/running/run_bounds.hpp"
#include "experiments/driver/shards/shard_run.hpp"
#include "sim/base/utf8.hpp"
#include "tools/line/common_flags.hpp"
#include "tools/running/prepare.hpp"
#include "tools/terminal/interruption.hpp"
#include "tools/terminal/parting.hpp"
#include "tools/terminal/progress_line.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostFailuresShown = 20;

std::string outcome_line(const SweepOutcome& outcome, const std::string& name) {
  const ResultTable& s = outcome.summary;
  const std::size_t infeasible = s.count(PointStatus::infeasible), failed = s.count(PointStatus::failed);
  std::string line = name + ": " + counted(s.rows.size(), "point") + ", ";
  line += std::to_string(s.count(PointStatus::ok)) + " complete";
  if (infeasible > 0) line += ", " + std::to_string(infeasible) + " infeasible";
  if (failed > 0) line += ", " + std::to_string(failed) + " failed";
  return line + "; " + counted(outcome.progress.replications_done, "replication") + " simulated, " +
         std::to_string(outcome.progress.replications_stored) + " taken from the store";
}

void report_failures(Session& session, const ResultTable& summary, const std::string& name, const std::string& folder) {
  std::size_t count = 0;
  for (const auto& row : summary.rows) {
    if (row.status != PointStatus::failed || ++count > kMostFailuresShown) continue;
    session.error << "failed: " << name << (summary.axes.empty() ? "" : ", point ") << point_text(summary, row) << ": "
              << row.reason << '\n';
  }
  if (count > kMostFailuresShown)
    session.error << "and " << count - kMostFailuresShown << " more; nowsim show " << folder << " --failed lists them\n";
}

/// With the answers of searches that the store has; what is missing of them is searched for.
Experiment ready_for_shard(const ShardedSweep& sweep, BatchStore& store) {
  const bool is_searched_for = sweep.described.has_open_splits() || sweep.described.open_sizes() > 0;
  if (!is_searched_for) return without_costly_points(sweep.described, sweep.most_s);
  ProgressLine line;
  ProgressLine* shown = sweep.quiet ? nullptr : &line;
  return ready_to_run(sweep.described, &store, shown_on(shown, sweep.jobs, sweep.most_s), shown, !sweep.quiet);
}

void tell_shard(Session& session, const ShardOutcome& outcome, const ShardOrder& order) {
  session.error << order.experiment << ", shard " << order.shard << " of " << order.shards << ": "
            << counted(outcome.batches, "batch") << " simulated";
  if (outcome.there > 0) session.error << ", " << outcome.there << " published before";
  if (outcome.failures > 0) session.error << ", " << outcome.failures << " failed";
  session.error << "; the same command without --shard takes in\n";
}

}  // namespace

std::string counted(std::uint64_t n, const std::string& what) {
  const char* ending = what.back() == 'h' || what.back() == 's' ? "es" : "s";
  return std::to_string(n) + " " + what + (n == 1 ? "" : ending);
}

void refuse_before_store(const Experiment& described, const std::string& folder, int jobs) {
  std::error_code ignored;
  if (!ShardFolder(folder).exists() && !std::filesystem::exists(std::filesystem::path(folder) / kStoreFile, ignored))
    static_cast<void>(long_run_remark(described, jobs));
}

int run_into_store(const std::string& folder, const std::function<int()>& work, const std::string& but) {
  const InterruptionWatch watch;
  try {
    return work();
  } catch (const Interrupted&) {
    std::error_code ignored;
    if (!std::filesystem::exists(folder, ignored)) throw Stopped(kNothingKept, watch.exit_status(), false);
    throw Stopped("every batch that was complete is kept in " + folder + but, watch.exit_status());
  }
}

void report_taken_in(Session& session, const StoreSession& stored, bool quiet) {
  const TakenIn& taken = stored.taken_in();
  for (const auto& remark : taken.remarks) session.error << "note: " << shown_line(remark) << '\n';
  if (!quiet && taken.batches + taken.again > 0)
    session.error << "taken in: " << counted(taken.batches + taken.again, "batch") << " from " << counted(taken.pieces, "piece")
              << (taken.again > 0 ? ", " + std::to_string(taken.again) + " of which were there already" : "") << '\n';
}

void report_outcome(Session& session, const SweepOutcome& outcome, const std::string& name, const std::string& folder, bool quiet) {
  if (!quiet) session.error << outcome_line(outcome, name) << '\n';
  report_failures(session, outcome.summary, name, folder);  // errors are no chatter
}

void report_kept(Session& session, const WrittenFile& file) {
  if (!file.kept.empty())
    session.error << "note: " << file.path << " had been changed since nowsim wrote it; that version is now " << file.kept << '\n';
}

void add_shard_flags(Flags& flags, const std::string& folder) {
  const std::string shard = "simulate the batches of shard I of N and publish them in " + folder +
                            ", for the same command without --shard to take in";
  flags.add({{"shard", taking(Kind::text).called("I/N"), shard},
             {"publish-every", quantity(Dimension::time).or_else("1min"),
              "how long a shard's batches wait to be published: what a kill may cost"}});
}

ShardRequest shard_request(const Arguments& arguments) {
  ShardRequest request;
  if (arguments.has("shard")) request.shard = parse_shard(arguments.text("shard"));
  request.publish_every_s = *arguments.quantity("publish-every");
  return request;
}

ShardRequest shard_request(const Arguments& arguments, const std::string& folder) {
  ShardRequest request = shard_request(arguments);
  if (folder.empty() && request.shard) throw UsageError("--out DIR is missing: the folder in which shards publish");
  return request;
}

int run_shard_and_tell(Session& session, const ShardedSweep& sweep, std::size_t shard, std::size_t shards) {
  const ShardFolder folder(sweep.out);
  folder.make();
  const ShardOrder order{sweep.name, shard, shards, sweep.publish_every_s};
  const InterruptionWatch watch;
  try {
    StoreCopy store(folder);
    const Experiment experiment = ready_for_shard(sweep, store);
    ProgressLine line;
    const ShardOutcome outcome =
        run_shard(folder, store, order, experiment, shown_on(sweep.quiet ? nullptr : &line, sweep.jobs));
    line.clear();
    if (!sweep.quiet) tell_shard(session, outcome, order);
    return 0;  // what failed is tried again, and told, by the sweep that takes in
  } catch (const Interrupted&) {
    throw Stopped("every batch that was complete is published in " + folder.path().string(), watch.exit_status());
  }
}

MissingWork missing_work(Session& session, const ShardedSweep& sweep) {
  StoreSession stored(sweep.out);
  report_taken_in(session, stored, sweep.quiet);
  ProgressLine line;
  ProgressLine* shown = sweep.quiet ? nullptr : &line;
  const Experiment experiment =
      ready_to_run(sweep.described, &stored.store(), shown_on(shown, sweep.jobs, sweep.most_s), shown, !sweep.quiet);
  const ExecutionPlan execution = plan_execution(experiment);
  const auto tasks = missing_batches(known_batches(execution), stored.store().find_scenarios(execution));
  return {tasks.size(), seconds_of(tasks, execution)};
}

}  // namespace nowsim
