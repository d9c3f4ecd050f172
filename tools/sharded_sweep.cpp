// Shards, rounds and what is told of them.
#include "tools/sharded_sweep.hpp"

#include <filesystem>
#include <iostream>

#include "experiments/driver/running/cost_estimate.hpp"
#include "experiments/driver/shards/sweep_identity.hpp"
#include "sim/base/error.hpp"
#include "sim/base/utf8.hpp"
#include "tools/command.hpp"
#include "tools/interruption.hpp"
#include "tools/parting.hpp"
#include "tools/prepare.hpp"
#include "tools/progress_line.hpp"
#include "tools/store_session.hpp"

namespace nowsim {
namespace {

/// With the answers of searches that are published; what is missing of them is searched for.
Experiment ready_for_shard(const ShardedSweep& sweep, const ShardFolder& folder, const Attempt& attempt) {
  MergedStore searches(folder, attempt, sweep.publish_every_s, MergedStore::Begins::with_copy);
  searches.take_in(true);
  searches.set_searching(true);
  ProgressLine line;
  ProgressLine* shown = sweep.quiet ? nullptr : &line;
  Experiment experiment = ready_to_run(sweep.described, &searches, shown_on(shown, sweep.jobs, sweep.most_s), shown, !sweep.quiet);
  searches.publish_pieces();
  return experiment;
}

bool is_searched_for(const Experiment& experiment) { return experiment.has_open_splits() || experiment.open_sizes() > 0; }

void tell_shard(const ShardOutcome& outcome, const ShardOrder& order) {
  std::cerr << order.experiment << ", shard " << order.shard << " of " << order.shards << ", round " << outcome.round + 1 << ": "
            << counted(outcome.batches, "batch") << " simulated";
  if (outcome.there > 0) std::cerr << ", " << outcome.there << " published before";
  if (outcome.failures > 0) std::cerr << ", " << outcome.failures << " failed";
  std::cerr << "; the same command without --shard takes in\n";
}

}  // namespace

void add_shard_flags(Flags& flags, const std::string& folder) {
  const std::string shard = "I/N: simulate the batches of one shard of N and publish them in " + folder +
                            ", for the same command without --shard to take in";
  flags.add({{"shard", kText, shard},
             {"next-round", kSwitch,
              "take in what shards have published, and say what the next round of shards simulates; nothing else"},
             {"publish-every",
              {.otherwise = "1min"},
              "how long a shard's batches wait to be published: what a kill may cost"}});
}

ShardRequest shard_request(const GivenFlags& flags) {
  ShardRequest request;
  if (const auto text = text_flag(flags, "shard")) request.shard = parse_shard(*text);
  request.is_next_round = flags.has("next-round");
  request.publish_every_s = positive_flag(flags, "publish-every", Dimension::time).value();
  if (request.shard && request.is_next_round) throw UsageError("--shard simulates, --next-round says what there is to simulate: not both at once");
  return request;
}

int run_shard_and_tell(const ShardedSweep& sweep, std::size_t shard, std::size_t shards) {
  const ShardFolder folder(sweep.out);
  folder.make();
  const ShardOrder order{sweep.name, shard, shards, sweep.publish_every_s};
  const InterruptionWatch watch;
  try {
    const Experiment experiment = is_searched_for(sweep.described)
                                      ? ready_for_shard(sweep, folder, this_attempt(sweep.name, shard, shards, 0))
                                      : without_costly_points(sweep.described, sweep.most_s);
    ProgressLine line;
    const ShardOutcome outcome = run_shard(folder, order, experiment, shown_on(sweep.quiet ? nullptr : &line, sweep.jobs));
    line.clear();
    if (!sweep.quiet) tell_shard(outcome, order);
    return 0;  // what failed is tried again, and told, by the sweep that takes in
  } catch (const Interrupted&) {
    throw Stopped("every batch that was complete is published in " + folder.path().string(), watch.exit_status());
  }
}

std::string told_next_round(const NextRound& next) {
  return next.batches > 0 ? "the next round has " + counted(next.batches, "batch") : "nothing is missing";
}

NextRound publish_next_round(const ShardedSweep& sweep) {
  StoreSession session(sweep.out, sweep.name, sweep.quiet, sweep.publish_every_s, true);
  BatchStore& store = session.store();
  ProgressLine line;
  ProgressLine* shown = sweep.quiet ? nullptr : &line;
  const Experiment experiment = session.ready(sweep.described, sweep.name, shown_on(shown, sweep.jobs, sweep.most_s), shown);
  line.clear();
  const ExecutionPlan execution = plan_execution(experiment);
  const auto stored = store.find_scenarios(execution);
  std::vector<std::uint64_t> lacking;
  for (const auto& series : execution.series) lacking.push_back(batches_of(series));
  RunOptions options;
  options.store = &store;
  options.stored = &stored;
  options.interrupted = interruption_requested;
  options.lacking = &lacking;
  execute(experiment, execution, options);
  const ShardFolder folder(sweep.out);
  const auto latest = published_rounds(folder, sweep.name, plan_hash(execution));
  if (latest)
    for (const auto& remark : latest->remarks) std::cerr << "note: " << shown_line(remark) << '\n';
  const Round round = next_round(latest ? latest->latest + 1 : 0, execution, stored, lacking);
  const NextRound next{batches_in(round, execution), seconds_in(round, execution)};
  if (next.batches > 0) publish_round(folder, sweep.name, round, execution);
  session.publish();
  return next;
}

int tell_next_round(const ShardedSweep& sweep) {
  const NextRound next = publish_next_round(sweep);
  if (!sweep.quiet) std::cerr << sweep.name << ": " << told_next_round(next) << '\n';
  return 0;
}

}  // namespace nowsim
