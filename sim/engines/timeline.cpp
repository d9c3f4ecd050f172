// Listening to ranks, running a replication under observation, and adding what can be drawn again: the owners' availability.
#include "sim/engines/timeline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "sim/base/serialization.hpp"
#include "sim/engines/ranks/diagnostics.hpp"
#include "sim/engines/ranks/whole_restarts.hpp"
#include "sim/engines/simgrid/engine.hpp"
#include "sim/owners/path.hpp"
#include "sim/owners/profile.hpp"
#include "sim/platform/simgrid_module.hpp"
#include "sim/platform/worker_process.hpp"

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

Scenario recorded(const Scenario& scenario, TimelineRecorder& recorder) {
  Scenario out = scenario;
  out.workload = std::make_shared<const RecordedWorkload>(scenario.workload, recorder);
  return out;
}

namespace {

/// In a child process, as every batch on SimGrid, of a scenario that the recorder listens to. It may have to be run again
/// with a better idea of its length.
RunResult run_simgrid_alone(const Scenario& watched, std::uint64_t replication, TimelineRecorder& told) {
  const auto run = simgrid_module().run;
  BatchPart part;
  while (part.results.empty()) {
    told = TimelineRecorder(rank_machines(watched).size());
    const std::string bytes = in_child_process([&] {
      std::string results = run(watched, {replication, 1}, part.typical_time_s);
      return packed(results, told);
    });
    Deserializer in(bytes);
    part.add(in.get<std::string>());
    in.get_into(told);
  }
  return part.results.front();
}

class TimelineBuilder {
 public:
  TimelineBuilder(Engine engine, const Scenario& scenario, const RunResult& result, TimelineRecorder& told)
      : engine_(engine), scenario_(scenario), result_(result), told_(told), replication_(result.replication),
        makespan_s_(result.makespan_s), machine_of_(rank_machines(scenario)) {}

  Timeline timeline() {
    Timeline out{engine_, scenario_.seed, replication_, scenario_.variance_reduction, makespan_s_, {}};
    for (std::size_t rank = 0; rank < machine_of_.size(); ++rank) out.workstations.push_back(workstation(rank));
    for (const auto& message : told_.messages)
      if (!ends_with_first() || message.end_s <= makespan_s_)
        out.workstations[static_cast<std::size_t>(message.from)].messages.push_back(message);
    if (is_placed()) out.machine_of = machine_of_;
    for (auto& w : out.workstations)
      std::ranges::stable_sort(w.messages, {},
                               [](const TimelineMessage& m) { return std::tuple(m.begin_s, m.to, m.end_s); });
    return out;
  }

 private:
  WorkstationTimeline workstation(std::size_t rank) {
    const auto i = index_of(machine_of_[rank]);
    const Owner& owner = *scenario_.owners[i];
    std::string name = scenario_.platform->workstations[i].name;
    if (is_placed()) name = "rank " + std::to_string(rank) + " on " + name;
    WorkstationTimeline out{std::move(name), activities(rank), {}, {}, {}, {}};
    if (const OwnerJobs* jobs = owner.jobs()) {
      out.owner_jobs = owner_jobs(*jobs, rank, out.activities);
      out.availability = left_by(*jobs, out.owner_jobs);
    } else {
      out.availability = drawn(owner.path({scenario_.seed, replication_, i}));
    }
    if (!scenario_.bandwidth.empty())
      out.bandwidth = drawn(scenario_.bandwidth[i]->path({scenario_.seed, replication_, i, Purpose::bandwidth}));
    return out;
  }

  // ---- activities ----

  /// The program's own, those that its machine cut short, and what follows the program's end.
  std::vector<TimelineActivity> activities(std::size_t rank) {
    auto all = std::move(told_.activities[rank]);
    const auto i = index_of(machine_of_[rank]);
    const double finish_s = is_placed() ? (all.empty() ? 0 : all.back().end_s) : result_[Quantity::finish_s][i];
    if (ends_with_a_machine()) {  // what failed attempts did is not kept: until then there was no job
      const double begin_s = all.empty() ? finish_s : all.front().begin_s;
      if (begin_s > 0) all.insert(all.begin(), {Activity::off, 0, begin_s});
    } else {
      add_off_times(i, finish_s, all);
    }
    if (ends_with_first()) std::erase_if(all, [&](const TimelineActivity& a) { return a.begin_s >= latest_begin_s(); });
    for (auto& activity : all)
      if (!(activity.end_s <= finish_s)) end_early(activity, finish_s);  // it threw or was stopped
    all.push_back({Activity::idle, finish_s, makespan_s_});
    return all;
  }
  void add_off_times(std::size_t i, double finish_s, std::vector<TimelineActivity>& all) const {
    const auto& profile = scenario_.platform->workstations[i].extras->state_profile;
    if (!profile) return;
    const StreamKey key{scenario_.seed, replication_, i, Purpose::state};
    PathCursor state(profile_path(profile, ProfileQuantity::state, 1, 0, key));
    while (state.end_s() < finish_s) {
      state.next_step();
      if (state.value() > 0) continue;
      cut_short(all, state.position_s());
      all.push_back({Activity::off, state.position_s(), std::min(state.end_s(), finish_s)});
    }
    std::ranges::stable_sort(all, {}, &TimelineActivity::begin_s);
  }
  /// What had begun before its machine was switched off and has no end of its own.
  static void cut_short(std::vector<TimelineActivity>& all, double off_s) {
    for (auto& activity : all)
      if (std::isnan(activity.end_s) && activity.begin_s <= off_s) end_early(activity, off_s);
  }
  /// A compute that did not end has done nothing that counts.
  static void end_early(TimelineActivity& activity, double end_s) {
    activity.end_s = end_s;
    if (activity.what == Activity::compute) activity.amount = 0;
  }
  [[nodiscard]] bool ends_with_a_machine() const { return scenario_.workload->program().ends_with_a_machine; }
  /// Others are stopped then; of what comes at that very moment they may have told.
  [[nodiscard]] bool ends_with_first() const { return scenario_.workload->program().ends_with_first_rank; }

  // ---- owners ----

  /// As the engine has told them. The direct engine, whose clock of owner jobs is exact, tells nothing: run again, the
  /// clock gives the same bits.
  std::vector<OwnerJobRun> owner_jobs(const OwnerJobs& owner, std::size_t rank,
                                      const std::vector<TimelineActivity>& task) {
    auto all = engine_ == Engine::direct ? run_again(owner, index_of(machine_of_[rank]), task)
                                         : std::move(told_.owner_jobs[rank]);
    std::erase_if(all, [&](const OwnerJobRun& job) { return job.arrival_s >= latest_begin_s(); });
    std::ranges::stable_sort(all, {}, [](const OwnerJobRun& job) { return std::tuple(job.arrival_s, job.demand_s); });
    return all;
  }
  std::vector<OwnerJobRun> run_again(const OwnerJobs& owner, std::size_t i,
                                     const std::vector<TimelineActivity>& task) const {
    OwnerJobsClock clock(owner, {scenario_.seed, replication_, i, Purpose::owner});
    clock.keep_history();
    for (const auto& activity : task)
      if (activity.what == Activity::compute && activity.amount > 0)
        clock.finish(activity.begin_s, activity.amount / scenario_.platform->workstations[i].speed_flops);
      else if (activity.what == Activity::compute && activity.end_s > activity.begin_s)
        clock.compete(activity.begin_s, activity.end_s);
    clock.idle_until(std::max(makespan_s_, clock.now_s()));
    return clock.history();
  }

  /// What owner jobs leave the task, from their comings and goings.
  [[nodiscard]] std::vector<TimelineAvailability> left_by(const OwnerJobs& owner,
                                                          const std::vector<OwnerJobRun>& jobs) const {
    std::vector<std::pair<double, int>> changes;
    for (const auto& job : jobs) {
      changes.emplace_back(job.arrival_s, 1);
      changes.emplace_back(job.end_s, -1);
    }
    std::ranges::stable_sort(changes, {}, &std::pair<double, int>::first);  // a job comes before it goes
    std::vector<TimelineAvailability> out;
    std::size_t present = 0;
    for (const auto& [date_s, change] : changes) {
      if (date_s >= latest_begin_s()) break;
      last_until(date_s, owner.shares(present, true).task, out);
      present = change > 0 ? present + 1 : present - 1;
    }
    last_until(makespan_s_, owner.shares(present, true).task, out);
    return out;
  }
  /// A value until a date, from where the last piece ends.
  static void last_until(double date_s, double value, std::vector<TimelineAvailability>& out) {
    const double since_s = out.empty() ? 0 : out.back().end_s;
    if (date_s <= since_s) return;
    if (!out.empty() && out.back().value == value)
      out.back().end_s = date_s;
    else
      out.push_back({since_s, date_s, value});
  }

  /// A path's steps, each by itself.
  [[nodiscard]] std::vector<TimelineAvailability> drawn(std::unique_ptr<Path> path) const {
    std::vector<TimelineAvailability> out;
    for (PathCursor at(std::move(path)); at.end_s() < latest_begin_s();) {
      at.next_step();
      const double end_s = at.end_s() < latest_begin_s() ? at.end_s() : makespan_s_;
      if (end_s > at.position_s()) out.push_back({at.position_s(), end_s, at.value() <= kLeastAvailability ? 0 : at.value()});
    }
    return out;
  }

  /// Ranks have names of their own, and end when they have done their last.
  [[nodiscard]] bool is_placed() const { return static_cast<bool>(scenario_.workload->program().placement); }

  /// What would begin from here on begins at T or after it, but for rounding.
  [[nodiscard]] double latest_begin_s() const { return makespan_s_ * (1 - 1e-9); }

  Engine engine_;
  const Scenario& scenario_;
  const RunResult& result_;
  TimelineRecorder& told_;
  std::uint64_t replication_;
  double makespan_s_;
  std::vector<int> machine_of_;  ///< per rank
};

}  // namespace

const char* activity_name(Activity activity, Meant meant) {
  constexpr std::array<const char*, 9> kNames{"compute", "barrier",  "receive", "send", "isend",
                                              "sleep",   "transfer", "idle",    "off"};
  if (meant == Meant::message_work) return "message-work";
  if (meant == Meant::spawn) return "spawn";
  return kNames[static_cast<std::size_t>(activity)];
}

Timeline record_timeline(Engine engine, const Scenario& scenario, std::uint64_t replication) {
  TimelineRecorder told(rank_machines(scenario).size());
  const Scenario watched = recorded(scenario, told);
  const auto alone = [&](const Scenario& attempt, std::uint64_t k) { return run_simgrid_alone(attempt, k, told); };
  const RunResult result = engine == Engine::direct       ? run_batch_direct(watched, {replication, 1}).front()
                           : restarts_as_a_whole(watched) ? WholeRestarts(watched).run(replication, alone)
                                                          : alone(watched, replication);
  return TimelineBuilder(engine, scenario, result, told).timeline();
}

}  // namespace nowsim
