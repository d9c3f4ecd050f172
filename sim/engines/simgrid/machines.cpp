// Giving SimGrid's hosts their profiles and owner jobs; starting, counting and cancelling these on SimGrid's clock; and
// how SimGrid's links are changed while flows are on their way.
#include "sim/engines/simgrid/machines.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sim/base/error.hpp"
#include "sim/engines/ranks/diagnostics.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {

namespace s4u = simgrid::s4u;

SimGridMachines::SimGridMachines(const Scenario& scenario, const BatchClock& clock, double look_ahead_s,
                                 std::function<bool()> go_on, std::function<void()> switched)
    : scenario_(scenario), draws_(scenario), clock_(clock), look_ahead_s_(look_ahead_s), go_on_(std::move(go_on)),
      switched_(std::move(switched)), owners_(scenario.size()), states_(scenario.size()), jobs_(scenario.size()) {
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    hosts_.push_back(s4u::Host::by_name(scenario.platform->workstations[i].name));
    attach_owner(i);
    attach_state(i);
  }
  for (std::size_t i = 0; i < scenario.bandwidth.size(); ++i)
    if (!scenario.bandwidth[i]->is_dedicated()) drive_own_path(i);
  // Links have streams of their own, counted from the far end of the workstations' numbers.
  std::uint64_t who = kAllWorkstations;
  for (const LinkProfile& described : scenario.platform->link_profiles) drive_link(described, --who);
}

ProfileFeeder& SimGridMachines::add_feeder(ProfileFeeder::Open open, std::function<void(double)> at_event) {
  return feeders_.emplace_back(std::move(open), &clock_.origin, look_ahead_s_, std::move(at_event));
}

void SimGridMachines::attach_owner(std::size_t i) {
  const Owner& owner = *scenario_.owners[i];
  if (owner.is_dedicated()) return;
  if (const OwnerJobs* jobs = owner.jobs()) {
    jobs_[i] = std::make_unique<SimGridOwnerJobs>(*jobs, hosts_[i], scenario_.platform->workstations[i].speed_flops,
                                                  scenario_.seed, i, go_on_);
    return;
  }
  ProfileFeeder& feeder = add_feeder(
      [this, i](std::uint64_t replication) {
        return draws_.of(replication).owners[i]->path({scenario_.seed, replication, i});
      },
      [this, i](double date) {  // what is left of the work would take 1e12 times as long: no result, but a mistake
        if (!clock_.over && owners_[i] != nullptr && owners_[i]->stays_for_ever(kLeastAvailability))
          SimGridTimer::set(date, [this] { go_on_(); });
      });
  owners_[i] = &feeder;
  hosts_[i]->set_speed_profile(feeder.make_profile("owner of " + hosts_[i]->get_name()));
}

/// Off and on. A timer at each change lets the clock stop there even when nothing else happens.
void SimGridMachines::attach_state(std::size_t i) {
  const auto profile = scenario_.platform->workstations[i].extras->state_profile;
  if (!profile) return;
  any_switches_ = true;
  ProfileFeeder& feeder = add_feeder(
      [profile, seed = scenario_.seed, i](std::uint64_t replication) {
        return profile_path(profile, ProfileQuantity::state, 1, 0, {seed, replication, i, Purpose::state});
      },
      [this](double date) {
        if (!clock_.over) SimGridTimer::set(date, [this] {
          if (go_on_()) switched_();
        });
      });
  states_[i] = &feeder;
  hosts_[i]->set_state_profile(feeder.make_profile("state of " + hosts_[i]->get_name()));
}

bool SimGridMachines::stays_off(std::size_t i) const { return states_[i] != nullptr && states_[i]->stays_for_ever(0); }

bool SimGridMachines::gets_nothing(std::size_t i, double now_s) const {
  return owners_[i] != nullptr && owners_[i]->stays_for_ever(kLeastAvailability) && owners_[i]->begun_before(now_s);
}

void SimGridMachines::start() {
  for (LinkDriver& link : links_) link.start(clock_.origin);
  for (auto& jobs : jobs_)
    if (jobs) jobs->start(clock_.origin);
}

void SimGridMachines::stop() {
  for (LinkDriver& link : links_) link.stop();
  for (auto& jobs : jobs_)
    if (jobs) jobs->stop();
}

void SimGridMachines::record_owner(std::size_t i, RunResult& result) {
  const double t_s = result.makespan_s;
  if (owners_[i] != nullptr) result[Quantity::owner_s][i] = std::max(0.0, t_s - owners_[i]->integral(t_s));
  if (!jobs_[i]) return;
  const OwnerJobsOutcome had = jobs_[i]->outcome();
  result[Quantity::owner_s][i] = had.cpu_s;
  result[Quantity::owner_jobs][i] = had.completed;
  result[Quantity::owner_slowdown][i] = had.slowdown_sum;
}

double SimGridMachines::announced_until_s() const {
  double latest_s = simgrid_clock_s();
  for (const auto& feeder : feeders_) latest_s = std::max(latest_s, feeder.pending_s());
  return latest_s;
}

void SimGridMachines::set_look_ahead(double seconds) {
  for (ProfileFeeder& feeder : feeders_) feeder.set_look_ahead(seconds);
}

std::uint64_t SimGridMachines::events() const {
  std::uint64_t events = 0;
  for (const auto& feeder : feeders_) events += feeder.events();
  return events;
}

namespace {

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

// ---- links that vary -----------------------------------------------------------------------------------------------

namespace {

/// Of a workstation's route to itself.
std::vector<s4u::Link*> links_to_itself(const s4u::Host* host) {
  std::vector<s4u::Link*> links;
  double latency_s = 0;
  host->route_to(host, links, &latency_s);
  return links;
}

/// A link's name, or those of both directions where it is split.
std::vector<s4u::Link*> links_named(const std::string& name) {
  if (auto* link = s4u::Link::by_name_or_null(name)) return {link};
  return {s4u::Link::by_name(name + "_UP"), s4u::Link::by_name(name + "_DOWN")};
}

/// Bandwidth that can rise while a flow is on its way. SimGrid bounds a flow by the links' bandwidth at its start, so
/// the link itself gets a bandwidth beyond all bounds, and its capacity comes from a callback. A FATPIPE link cannot
/// have one: there a flow keeps at most the bandwidth it started with.
void vary_bandwidth(s4u::Link* link, const std::shared_ptr<double>& capacity_Bps) {
  constexpr double kBeyondBounds = 1e30;
  if (link->get_sharing_policy() == s4u::Link::SharingPolicy::FATPIPE) {
    link->set_bandwidth(*capacity_Bps);
    return;
  }
  if (link->get_sharing_policy() != s4u::Link::SharingPolicy::NONLINEAR)
    link->set_sharing_policy(s4u::Link::SharingPolicy::NONLINEAR, [capacity_Bps](double, int) { return *capacity_Bps; });
  link->set_bandwidth(kBeyondBounds);  // also makes SimGrid ask the callback again
}

/// What varies of a link: its nominal value, the least it may become, its stream, and how it is changed.
struct LinkAspect {
  double initial, least;
  Purpose purpose;
  LinkDriver::Apply apply;
};
LinkAspect aspect_of(ProfileQuantity quantity, const std::vector<s4u::Link*>& links) {
  const auto each = [links](auto change) {
    return [links, change](double value) {
      for (auto* link : links) change(link, value);
    };
  };
  if (quantity == ProfileQuantity::latency)
    return {links.front()->get_latency(), 0, Purpose::latency, each([](s4u::Link* l, double v) { l->set_latency(v); })};
  if (quantity == ProfileQuantity::state)
    return {1, 0, Purpose::state, each([](s4u::Link* l, double v) { v > 0 ? l->turn_on() : l->turn_off(); })};
  const double nominal = links.front()->get_bandwidth();
  return {nominal, kLeastAvailability * nominal, Purpose::bandwidth,
          each([capacity = std::make_shared<double>(nominal)](s4u::Link* l, double v) {
            *capacity = v;
            vary_bandwidth(l, capacity);
          })};
}

}  // namespace

void SimGridMachines::require_own_path(const s4u::Host* host) {
  if (with_own_path_.contains(host)) return;
  const auto links = links_to_itself(host);
  if (links.empty() || links.front()->get_name() == "__loopback__")
    throw InputError(no_own_path_text(host->get_name()));
  with_own_path_.insert(host);
}

/// What is left of the links of a workstation's own path: of each the same part.
void SimGridMachines::drive_own_path(std::size_t i) {
  check_network(*scenario_.platform);
  require_own_path(hosts_[i]);
  std::vector<LinkDriver::Apply> changes;
  for (s4u::Link* link : links_to_itself(hosts_[i]))
    changes.push_back([link, nominal = link->get_bandwidth(), capacity = std::make_shared<double>()](double part) {
      *capacity = part * nominal;
      vary_bandwidth(link, capacity);
    });
  links_.emplace_back(
      [this, i](std::uint64_t replication) {
        return draws_.of(replication).bandwidth[i]->path({scenario_.seed, replication, i, Purpose::bandwidth});
      },
      [changes](double part) {
        for (const auto& change : changes) change(part);
      },
      go_on_);
}

void SimGridMachines::drive_link(const LinkProfile& described, std::uint64_t who) {
  const LinkAspect aspect = aspect_of(described.quantity, links_named(described.link));
  links_.emplace_back(
      [this, &described, who, initial = aspect.initial, least = aspect.least,
       purpose = aspect.purpose](std::uint64_t replication) {
        const StreamKey key{scenario_.seed, replication, who, purpose};
        return profile_path(described.profile, described.quantity, initial, least, key);
      },
      aspect.apply, go_on_);
}

void LinkDriver::start(const ClockOrigin& origin) {
  path_ = open_(origin.replication);
  date_s_ = origin.date_s;
  step();
}

void LinkDriver::stop() {
  if (timer_ != nullptr) timer_->remove();
  timer_ = nullptr;
}

void LinkDriver::step() {
  const Step now = path_->next();
  apply_(now.value);
  if (std::isinf(now.duration_s)) return;
  date_s_ += now.duration_s;
  timer_ = SimGridTimer::set(date_s_, [this] {
    timer_ = nullptr;
    if (go_on_()) step();
  });
}

}  // namespace nowsim
