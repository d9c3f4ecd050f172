// Progress, interruption and last words of runs into a store.
#include "tools/store_session.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "experiments/driver/running/run_bounds.hpp"
#include "experiments/driver/shards/merged_store.hpp"
#include "experiments/driver/shards/sweep_identity.hpp"
#include "sim/base/utf8.hpp"
#include "tools/interruption.hpp"
#include "tools/parting.hpp"
#include "tools/prepare.hpp"
#include "tools/progress_line.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostFailuresShown = 20, kMostConflictsShown = 20;

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

void report_failures(const ResultTable& summary, const std::string& name, const std::string& folder) {
  std::size_t count = 0;
  for (const auto& row : summary.rows) {
    if (row.status != PointStatus::failed || ++count > kMostFailuresShown) continue;
    std::cerr << "failed: " << name << (summary.axes.empty() ? "" : ", point ") << point_text(summary, row) << ": "
              << row.reason << '\n';
  }
  if (count > kMostFailuresShown)
    std::cerr << "and " << count - kMostFailuresShown << " more; nowsim show " << folder << " --failed lists them\n";
}

std::string batch_text(const Conflict& c) {
  return "replications " + std::to_string(c.first) + " to " + std::to_string(c.first + c.replications - 1) + " of scenario " +
         c.scenario;
}

/// Tells of results of one batch that differ; whether there are any.
bool tell_conflicts(MergedStore& store) {
  const auto all = store.conflicts();
  for (std::size_t k = 0; k < std::min(all.size(), kMostConflictsShown); ++k)
    std::cerr << "error: " << batch_text(all[k]) << " are not the same on all machines: those of "
              << shown_line(all[k].kept_by) << " count, those of " << shown_line(all[k].other_by)
              << " are in quarantine\n";
  if (all.size() > kMostConflictsShown) std::cerr << "and " << all.size() - kMostConflictsShown << " more, in the store's table quarantine\n";
  return !all.empty();
}

/// Opens a folder's store with all that is published, and tells what was taken in.
std::unique_ptr<MergedStore> taken_in(const ShardFolder& folder, const std::string& name, bool quiet, double publish_every_s) {
  folder.make();
  folder.remove_leftovers();
  auto store = std::make_unique<MergedStore>(folder, this_attempt(name, 0, 0, 0), publish_every_s);
  const TakenIn taken = store->take_in();
  for (const auto& remark : taken.remarks) std::cerr << "note: " << shown_line(remark) << '\n';
  if (!quiet && taken.batches + taken.again > 0)
    std::cerr << "taken in: " << counted(taken.batches, "batch") << " from " << counted(taken.pieces, "piece")
              << (taken.again > 0 ? ", " + std::to_string(taken.again) + " of which were there already" : "") << '\n';
  return store;
}

}  // namespace

StoreSession::StoreSession(const std::string& folder, const std::string& name, bool quiet, double publish_every_s,
                           bool takes_shards) {
  const ShardFolder shards(folder);
  if (!takes_shards && !shards.exists()) {
    store_ = std::make_unique<BatchStore>(folder, BatchStore::Access::write);
    return;
  }
  auto merged = taken_in(shards, name, quiet, publish_every_s);
  merged_ = merged.get();
  store_ = std::move(merged);
}

Experiment StoreSession::ready(const Experiment& described, const std::string& name, const RunContext& context,
                               ProgressLine* line) {
  if (merged_ == nullptr) return ready_to_run(described, store_.get(), context, line, line != nullptr);
  merged_->set_searching(true);
  const Experiment experiment = ready_to_run(described, store_.get(), context, line, line != nullptr);
  merged_->set_searching(false);
  const std::string remark =
      publish_identity(ShardFolder(store_->folder()), name, identity_of(experiment, plan_execution(experiment)));
  if (!remark.empty()) std::cerr << "note: " << shown_line(remark) << '\n';
  return experiment;
}

Experiment StoreSession::ready(const Experiment& described, const std::string& name, int jobs, bool quiet) {
  ProgressLine line;
  ProgressLine* shown = quiet ? nullptr : &line;
  return ready(described, name, shown_on(shown, jobs), shown);
}

void StoreSession::publish() {
  if (merged_ == nullptr) store_->commit();
  else merged_->publish();
}

bool StoreSession::finish() {
  publish();
  return merged_ == nullptr || !tell_conflicts(*merged_);
}

int StoreSession::run(const std::function<int()>& work) {
  int status = 0;
  try {
    status = work();
  } catch (const Interrupted&) {
    publish();
    throw;
  }
  return finish() ? status : 1;
}

std::string counted(std::uint64_t n, const std::string& what) {
  const char* ending = what.back() == 'h' || what.back() == 's' ? "es" : "s";
  return std::to_string(n) + " " + what + (n == 1 ? "" : ending);
}

void refuse_before_store(const Experiment& described, const std::string& folder, int jobs) {
  std::error_code ignored;
  if (!ShardFolder(folder).exists() && !std::filesystem::exists(std::filesystem::path(folder) / kStoreFile, ignored))
    static_cast<void>(long_run_remark(described, jobs));
}

int run_into_store(const std::string& folder, const std::function<int()>& work) {
  const InterruptionWatch watch;
  try {
    return work();
  } catch (const Interrupted&) {
    throw Stopped("every batch that was complete is kept in " + folder, watch.exit_status());
  }
}

void report_outcome(const SweepOutcome& outcome, const std::string& name, const std::string& folder, bool quiet) {
  if (!quiet) std::cerr << outcome_line(outcome, name) << '\n';
  report_failures(outcome.summary, name, folder);  // errors are no chatter
}

void report_kept(const WrittenFile& file) {
  if (!file.kept.empty())
    std::cerr << "note: " << file.path << " had been changed since nowsim wrote it; that version is now " << file.kept << '\n';
}

}  // namespace nowsim
