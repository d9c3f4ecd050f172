// Listening to ranks.
#include "sim/engines/timeline_recorder.hpp"

#include <limits>
#include <utility>

#include "sim/engines/ranks/diagnostics.hpp"

namespace nowsim {
namespace {

constexpr double kNoEnd = std::numeric_limits<double>::quiet_NaN();

/// Of a program whose ranks are watched: operation by operation.
ProgramDescription without_supersteps(ProgramDescription program) {
  program.supersteps = nullptr;
  return program;
}

/// Does what another workload does, and has each rank observed from its start.
class RecordedWorkload final : public Workload {
 public:
  RecordedWorkload(std::shared_ptr<const Workload> inner, TimelineRecorder& recorder)
      : Workload(without_supersteps(inner->program())), inner_(std::move(inner)), recorder_(&recorder) {}
  Process run(Rank& self) const override {
    self.observe(recorder_);
    if (program().ends_with_a_machine) recorder_->forget(self.index());  // an attempt that did not count
    recorder_->starts(self.index());
    return inner_->run(self);
  }

 private:
  std::shared_ptr<const Workload> inner_;
  TimelineRecorder* recorder_;
};

}  // namespace

void TimelineRecorder::close(int rank, double end_s) {
  const auto at = static_cast<std::size_t>(rank);
  if (is_open_[at]) activities[at].back().end_s = end_s;
  is_open_[at] = false;
}

void TimelineRecorder::forget(int rank) {
  activities[static_cast<std::size_t>(rank)].clear();
  is_open_[static_cast<std::size_t>(rank)] = false;
  if (rank == 0) messages.clear();  // ranks begin together, and no message has arrived by then
}

void TimelineRecorder::starts(int rank) {
  close(rank, kNoEnd);
  notes_[static_cast<std::size_t>(rank)] = {};
}

void TimelineRecorder::next_is(int rank, const OperationNote& note) { notes_[static_cast<std::size_t>(rank)] = note; }

/// What is still open has thrown, and is over.
void TimelineRecorder::begins(int rank, double now_s, const Awaited& operation) {
  close(rank, now_s);
  const auto at = static_cast<std::size_t>(rank);
  const OperationNote note = std::exchange(notes_[at], {});
  if (operation.what == Activity::isend) return;
  const double amount = operation.what == Activity::compute ? operation.amount : whole_bytes(operation.amount);
  activities[at].push_back({operation.what, now_s, kNoEnd, operation.peer, amount, note});
  is_open_[at] = true;
}

void TimelineRecorder::ends(int rank, double now_s) { close(rank, now_s); }

void TimelineRecorder::carries(int from, int to, double bytes, double begin_s, double end_s) {
  messages.push_back({from, to, bytes, begin_s, end_s});
}

void TimelineRecorder::has_owner_jobs(int rank, std::vector<OwnerJobRun> jobs) {
  owner_jobs[static_cast<std::size_t>(rank)] = std::move(jobs);
}

Scenario recorded(const Scenario& scenario, TimelineRecorder& recorder) {
  Scenario out = scenario;
  out.workload = std::make_shared<const RecordedWorkload>(scenario.workload, recorder);
  return out;
}

}  // namespace nowsim
