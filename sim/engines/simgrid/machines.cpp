// Giving SimGrid's hosts their profiles and owner jobs.
#include "sim/engines/simgrid/machines.hpp"

#include <algorithm>
#include <utility>

#include "sim/owners/profile.hpp"

namespace nowsim {

SimGridMachines::SimGridMachines(const Scenario& scenario, const BatchClock& clock, double look_ahead_s,
                                 std::function<bool()> go_on, std::function<void()> switched)
    : scenario_(scenario), draws_(scenario), clock_(clock), look_ahead_s_(look_ahead_s), go_on_(std::move(go_on)),
      switched_(std::move(switched)), owners_(scenario.size()), states_(scenario.size()), jobs_(scenario.size()) {
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    hosts_.push_back(simgrid::s4u::Host::by_name(scenario.platform->workstations[i].name));
    attach_owner(i);
    attach_state(i);
  }
}

ProfileFeeder& SimGridMachines::add_feeder(ProfileFeeder::Open open, std::function<void(double)> at_event) {
  feeders_.push_back(
      std::make_unique<ProfileFeeder>(std::move(open), &clock_.origin, look_ahead_s_, std::move(at_event)));
  return *feeders_.back();
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
  for (auto& jobs : jobs_)
    if (jobs) jobs->start(clock_.origin);
}

void SimGridMachines::stop() {
  for (auto& jobs : jobs_)
    if (jobs) jobs->stop();
}

void SimGridMachines::record_owner(std::size_t i, double t_s, PerQuantity<double>& recorded) {
  if (owners_[i] != nullptr) recorded[Quantity::owner_s] = std::max(0.0, t_s - owners_[i]->integral(t_s));
  if (!jobs_[i]) return;
  const OwnerJobsOutcome had = jobs_[i]->outcome();
  recorded[Quantity::owner_s] = had.cpu_s;
  recorded[Quantity::owner_jobs] = had.completed;
  recorded[Quantity::owner_slowdown] = had.slowdown_sum;
}

double SimGridMachines::announced_until_s() const {
  double latest_s = simgrid_clock_s();
  for (const auto& feeder : feeders_) latest_s = std::max(latest_s, feeder->pending_s());
  return latest_s;
}

void SimGridMachines::set_look_ahead(double seconds) {
  for (const auto& feeder : feeders_) feeder->set_look_ahead(seconds);
}

std::uint64_t SimGridMachines::events() const {
  std::uint64_t events = 0;
  for (const auto& feeder : feeders_) events += feeder->events();
  return events;
}

}  // namespace nowsim
