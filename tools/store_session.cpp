// Progress, interruption and last words of runs into a store.
#include "tools/store_session.hpp"

#include <iostream>

#include "tools/interruption.hpp"
#include "tools/parting.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostFailuresShown = 20;

std::string outcome_line(const SweepOutcome& outcome, const std::string& name) {
  const Summary& s = outcome.summary;
  const std::size_t infeasible = s.count(PointStatus::infeasible), failed = s.count(PointStatus::failed);
  std::string line = name + ": " + counted(s.rows.size(), "point") + ", ";
  line += std::to_string(s.count(PointStatus::ok)) + " complete";
  if (infeasible > 0) line += ", " + std::to_string(infeasible) + " infeasible";
  if (failed > 0) line += ", " + std::to_string(failed) + " failed";
  return line + "; " + counted(outcome.progress.replications_done, "replication") + " simulated, " +
         std::to_string(outcome.progress.replications_stored) + " taken from the store";
}

void report_failures(const Summary& summary, const std::string& name, const std::string& folder) {
  std::size_t count = 0;
  for (const auto& row : summary.rows) {
    if (row.status != PointStatus::failed || ++count > kMostFailuresShown) continue;
    std::cerr << "failed: " << name << (summary.axes.empty() ? "" : ", point ") << point_text(summary, row) << ": "
              << row.reason << '\n';
  }
  if (count > kMostFailuresShown)
    std::cerr << "and " << count - kMostFailuresShown << " more; nowsim show " << folder << " --failed lists them\n";
}

}  // namespace

std::string counted(std::uint64_t n, const std::string& what) {
  const char* ending = what.back() == 'h' || what.back() == 's' ? "es" : "s";
  return std::to_string(n) + " " + what + (n == 1 ? "" : ending);
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
