// A scenario's workstations on SimGrid's clock: what their owners leave or take, and when they are switched on.
#pragma once

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/engines/simgrid/clock.hpp"
#include "sim/engines/simgrid/owner_jobs.hpp"
#include "sim/engines/simgrid/profile_feeder.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Each varying resource has one lazy SimGrid profile for the whole batch, which a feeder hands one event at a time.
class SimGridMachines {
 public:
  /// To be made when the platform has been loaded. The scenario and the clock outlive it.
  /// @param go_on asked at changes that may go on for ever and so hide a deadlock: whether to go on.
  /// @param switched a machine may have come back.
  SimGridMachines(const Scenario& scenario, const BatchClock& clock, double look_ahead_s, std::function<bool()> go_on,
                  std::function<void()> switched);

  [[nodiscard]] const std::vector<simgrid::s4u::Host*>& hosts() const { return hosts_; }
  /// Whether any machine switches off: actors die with it.
  [[nodiscard]] bool any_switches() const { return any_switches_; }
  /// Whether the machine, now off, is never on again.
  [[nodiscard]] bool stays_off(std::size_t i) const;
  [[nodiscard]] bool switches(std::size_t i) const { return states_[i] != nullptr; }
  /// Whether the owner keeps the machine for ever, `now_s` into the replication. Work that ends as that begins may not
  /// have been told so yet.
  [[nodiscard]] bool gets_nothing(std::size_t i, double now_s) const;

  /// Begins the clock's replication, and ends it.
  void start();
  void stop();
  /// What owner i had in [0, t]; to be asked at t or as soon as SimGrid's next event.
  void record_owner(std::size_t i, double t_s, PerQuantity<double>& recorded);
  /// Owner jobs of a machine; null: another model.
  [[nodiscard]] SimGridOwnerJobs* jobs(std::size_t i) { return jobs_[i].get(); }

  /// The latest date that any profile has already announced, or the clock's: when the next replication can begin.
  [[nodiscard]] double announced_until_s() const;
  void set_look_ahead(double seconds);
  /// Of all profiles so far: SimGrid keeps them all.
  [[nodiscard]] std::uint64_t events() const;

 private:
  void attach_owner(std::size_t i);
  void attach_state(std::size_t i);
  ProfileFeeder& add_feeder(ProfileFeeder::Open open, std::function<void(double)> at_event);

  const Scenario& scenario_;
  ScenarioDraws draws_;
  const BatchClock& clock_;
  double look_ahead_s_;
  std::function<bool()> go_on_;
  std::function<void()> switched_;
  std::vector<simgrid::s4u::Host*> hosts_;
  std::vector<std::unique_ptr<ProfileFeeder>> feeders_;
  std::vector<ProfileFeeder*> owners_;                   // per workstation; null: no path
  std::vector<ProfileFeeder*> states_;                   // per workstation; null: always on
  std::vector<std::unique_ptr<SimGridOwnerJobs>> jobs_;  // per workstation; null: another model
  bool any_switches_ = false;
};

}  // namespace nowsim
