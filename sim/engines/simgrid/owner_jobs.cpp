// Starting, counting and cancelling owner jobs on SimGrid's clock.
#include "sim/engines/simgrid/owner_jobs.hpp"

#include <algorithm>
#include <utility>

#include "sim/engines/simgrid/simgrid_version.hpp"

namespace nowsim {
namespace {

namespace s4u = simgrid::s4u;

/// Against the task's 1: it leaves the task 1e-12 of a core where owner jobs need all, no more than what other models'
/// availability 0 does.
constexpr double kPreemptive = 1e12;

bool is_done(const s4u::ExecPtr& exec) { return exec->get_state() == s4u::Activity::State::FINISHED; }

}  // namespace

SimGridOwnerJobs::SimGridOwnerJobs(const OwnerJobs& owner, s4u::Host* host, double speed_flops, std::uint64_t seed,
                                   std::uint64_t workstation, std::function<bool()> go_on)
    : owner_(owner), host_(host), speed_flops_(speed_flops), key_{seed, 0, workstation, Purpose::owner},
      go_on_(std::move(go_on)) {
  simgrid_version::on_host_switched([this](const s4u::Host& changed) {
    if (&changed == host_ && !changed.is_on()) lose_all();
  });
}

void SimGridOwnerJobs::start(const ClockOrigin& origin) {
  key_.replication = origin.replication;
  origin_s_ = origin.date_s;
  stream_.emplace(owner_, key_);
  outcome_ = {};
  ended_early_.clear();
  keeps_history_ = false;
  gone_.clear();
  expect_next();
}

void SimGridOwnerJobs::stop() {
  if (timer_ != nullptr) timer_->remove();
  timer_ = nullptr;
  collect_done();  // cancelling one that is done would count it as failed
  for (Running& job : std::exchange(running_, {})) {
    ended_early_.push_back(job);
    job.exec->cancel();
  }
}

OwnerJobsOutcome SimGridOwnerJobs::outcome() {
  collect_done();
  OwnerJobsOutcome now = outcome_;
  for (const Running& job : running_) now.cpu_s += cpu_s(job);
  return now;
}

/// Dates are SimGrid's.
void SimGridOwnerJobs::remember(double begun_s, double end_s, double demand_s) {
  if (keeps_history_) gone_.push_back({begun_s - origin_s_, end_s - origin_s_, demand_s});
}

std::vector<OwnerJobRun> SimGridOwnerJobs::history() {
  collect_done();
  std::vector<OwnerJobRun> all = gone_;
  for (const Running& job : running_)
    all.push_back({job.begun_s - origin_s_, s4u::Engine::get_clock() - origin_s_, job.demand_s});
  return all;
}

void SimGridOwnerJobs::expect_next() {
  next_ = stream_->next();
  timer_ = SimGridTimer::set(origin_s_ + next_.arrival_s, [this] { arrive(); });
}

void SimGridOwnerJobs::arrive() {
  timer_ = nullptr;
  if (!go_on_()) return;
  collect_done();
  if (host_->is_on()) launch(next_.demand_s);
  expect_next();
}

void SimGridOwnerJobs::launch(double demand_s) {
  const double now_s = s4u::Engine::get_clock();
  if (demand_s == 0) {
    remember(now_s, now_s, 0);
    return outcome_.complete(0, 0);
  }
  auto exec = s4u::Exec::init()->set_flops_amount(demand_s * speed_flops_)->set_host(host_);
  if (owner_.discipline() == Discipline::preemptive_priority) exec->set_priority(kPreemptive);
  exec->start();
  running_.push_back({exec, now_s, demand_s});
}

/// Nobody waits for these executions: SimGrid itself notes the end of what a timer started.
void SimGridOwnerJobs::collect_done() {
  std::erase_if(running_, [this](const Running& job) {
    if (!is_done(job.exec)) return false;
    outcome_.cpu_s += job.demand_s;
    outcome_.complete(job.demand_s, job.exec->get_finish_time() - job.begun_s);
    remember(job.begun_s, job.exec->get_finish_time(), job.demand_s);
    return true;
  });
}

void SimGridOwnerJobs::lose_all() {
  collect_done();
  for (Running& job : std::exchange(running_, {})) {
    remember(job.begun_s, s4u::Engine::get_clock(), job.demand_s);
    ended_early_.push_back(std::move(job));
  }
}

double SimGridOwnerJobs::cpu_s(const Running& job) const {
  // Exec's own get_remaining would hand over to SimGrid's kernel and let other actors run meanwhile.
  return std::max(0.0, job.demand_s - job.exec->s4u::Activity::get_remaining() / speed_flops_);
}

}  // namespace nowsim
