// A scenario's workstations on SimGrid's clock: what their owners leave, by a profile fed one event at a time, or take,
// by owner jobs that compete with the task for a host's cores; when they are on; and links that vary, by timers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/engines/simgrid/session.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

/// Feeds one resource's SimGrid profile from the paths of successive replications.
class ProfileFeeder {
 public:
  using Open = std::function<std::unique_ptr<Path>(std::uint64_t replication)>;
  /// @param look_ahead_s the longest time between two events: it bounds how long the next replication has to wait.
  /// @param at_event called with the date of each announced event (may be empty).
  ProfileFeeder(Open open, const ClockOrigin* origin, double look_ahead_s, std::function<void(double)> at_event = {})
      : open_(std::move(open)), origin_(origin), look_ahead_s_(look_ahead_s), at_event_(std::move(at_event)) {}

  simgrid_version::Profile* make_profile(const std::string& name) {
    return simgrid_version::ProfileBuilder::from_callback(
        name, [this](std::vector<DatedValue>& events) { feed(events); }, -1);
  }
  /// The date of the event that is announced and has not happened yet.
  [[nodiscard]] double pending_s() const { return pending_s_; }
  void set_look_ahead(double seconds) { look_ahead_s_ = seconds; }
  /// Whether the step that is going on never ends, and has this value.
  [[nodiscard]] bool stays_for_ever(double value) const { return endless_ && value_ == value; }
  /// Whether the step that is going on began clearly before t.
  [[nodiscard]] bool begun_before(double t) const { return t > begun_s_ * (1 + 1e-9); }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  /// The integral of the value over [0, t] of the current replication; t at most one event ahead.
  [[nodiscard]] double integral(double t) const {
    return opening_ ? 0 : integral_ + std::max(0.0, t - since_s_) * value_;
  }

 private:
  using DatedValue = simgrid_version::DatedValue;
  /// Called once to begin with, and then whenever the announced event happens: announces the next one.
  void feed(std::vector<DatedValue>& events) {
    if (!events.empty()) happened();
    const bool behind = !path_ || current_ != origin_->replication;
    const double delay = behind ? reopen() : advance();
    events.emplace_back(delay, next_.value);
    events_ = events.size();
    if (at_event_) at_event_(pending_s_);
  }
  void happened() {
    if (opening_) {
      endless_ = false;
      integral_ = 0;
      opening_ = false;
    } else {
      integral_ += (next_date_s_ - since_s_) * value_;
    }
    since_s_ = next_date_s_;
    value_ = next_.value;
    if (!endless_) begun_s_ = since_s_;
    endless_ = std::isinf(next_.duration_s);
  }
  /// Begins the path of the replication that is due; returns the time until it starts.
  double reopen() {
    current_ = origin_->replication;
    path_ = open_(current_);
    next_ = path_->next();
    next_date_s_ = 0;
    opening_ = true;
    const double delay = origin_->date_s - pending_s_;
    pending_s_ += delay;  // as SimGrid adds it: to the bit, or timers at this date would miss the event
    return delay;
  }
  /// Goes on by the rest of the current step, or by a part of it where it is long: parts grow with the replication, so
  /// that one far longer than expected has few, and the next one still waits no longer than this one took.
  double advance() {
    const double delay = std::min(next_.duration_s, std::max(look_ahead_s_, next_date_s_));
    if (delay < next_.duration_s)
      next_.duration_s -= delay;
    else
      next_ = path_->next();
    next_date_s_ += delay;
    pending_s_ += delay;
    return delay;
  }

  Open open_;
  const ClockOrigin* origin_;
  double look_ahead_s_;
  std::function<void(double)> at_event_;
  std::unique_ptr<Path> path_;
  std::uint64_t current_ = 0;
  double pending_s_ = 0;      // clock date of the announced event
  double next_date_s_ = 0;    // the same, since the replication began
  Step next_{0, 1};           // what is left of the step that begins with the announced event
  bool opening_ = false;      // the announced event opens a replication
  double since_s_ = 0, value_ = 1, integral_ = 0;  // the step that is going on, and the integral before it
  bool endless_ = false;      // it never ends, but comes in parts
  double begun_s_ = 0;        // the first of them
  std::uint64_t events_ = 0;
};

/// The owner jobs of one workstation, over the replications of a batch. A timer starts each when it comes, as an
/// execution of its own; SimGrid divides the cores. A job that runs when its machine is switched off is lost with the
/// CPU time it had, as the task's work is, and so is one that comes before the machine is back.
class SimGridOwnerJobs {
 public:
  /// @param go_on asked at every arrival, since arrivals never end and so hide a deadlock: whether to go on.
  SimGridOwnerJobs(const OwnerJobs& owner, simgrid::s4u::Host* host, double speed_flops, std::uint64_t seed,
                   std::uint64_t workstation, std::function<bool()> go_on);
  SimGridOwnerJobs(const SimGridOwnerJobs&) = delete;
  SimGridOwnerJobs& operator=(const SimGridOwnerJobs&) = delete;

  /// Begins a replication, with an empty machine.
  void start(const ClockOrigin& origin);
  /// Ends it: what is still running is cancelled. Also without a start.
  void stop();
  /// What they have had in this replication until now. Never waits, so nothing can happen meanwhile.
  [[nodiscard]] OwnerJobsOutcome outcome();
  /// Until the replication ends, owner jobs are remembered, for history().
  void keep_history() { keeps_history_ = true; }
  /// Those that have come and gone (or were lost) in this replication, and then those that are there now.
  [[nodiscard]] std::vector<OwnerJobRun> history();

 private:
  struct Running {
    simgrid::s4u::ExecPtr exec;
    double begun_s;  // on SimGrid's clock
    double demand_s;
  };
  void expect_next();
  void arrive();
  void launch(double demand_s);
  void collect_done();
  void lose_all();
  void remember(double begun_s, double end_s, double demand_s);
  [[nodiscard]] double cpu_s(const Running& job) const;

  const OwnerJobs& owner_;
  simgrid::s4u::Host* host_;
  double speed_flops_;
  StreamKey key_;
  std::function<bool()> go_on_;
  std::optional<OwnerJobStream> stream_;
  OwnerJob next_{0, 0};
  double origin_s_ = 0;
  SimGridTimer* timer_ = nullptr;
  std::vector<Running> running_;      // in the order in which they came
  std::vector<Running> ended_early_;  // kept, since SimGrid's kernel tells an execution of its end after the call
  OwnerJobsOutcome outcome_;          // of those that are gone
  bool keeps_history_ = false;
  std::vector<OwnerJobRun> gone_;
};

/// Changes a link at the dates of its path, by timers: SimGrid takes a link's profile only before its XML is sealed.
class LinkDriver {
 public:
  using Open = std::function<std::unique_ptr<Path>(std::uint64_t replication)>;
  using Apply = std::function<void(double value)>;
  LinkDriver(Open open, Apply apply, std::function<bool()> go_on)
      : open_(std::move(open)), apply_(std::move(apply)), go_on_(std::move(go_on)) {}
  void start(const ClockOrigin& origin);
  void stop();

 private:
  void step();

  Open open_;
  Apply apply_;
  std::function<bool()> go_on_;
  std::unique_ptr<Path> path_;
  double date_s_ = 0;
  SimGridTimer* timer_ = nullptr;
};

/// Each varying machine has one lazy SimGrid profile for the whole batch, which a feeder hands one event at a time.
class SimGridMachines {
 public:
  /// To be made when the platform has been loaded. The scenario and the clock outlive it.
  /// @param go_on asked at changes that may go on for ever and so hide a deadlock: whether to go on.
  /// @param switched a machine may have come back.
  /// @throws InputError where a link varies that there is not.
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

  /// Refuses to use a workstation's route to itself where its platform declares none. There has to be a network:
  /// without one SimGrid would abort at the first route. @throws InputError.
  void require_own_path(const simgrid::s4u::Host* host);

  /// Begins the clock's replication, and ends it.
  void start();
  void stop();
  /// Records what owner i had in [0, T]; to be asked at T or as soon as SimGrid's next event.
  void record_owner(std::size_t i, RunResult& result);
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
  void drive_own_path(std::size_t i);
  void drive_link(const LinkProfile& described, std::uint64_t who);
  ProfileFeeder& add_feeder(ProfileFeeder::Open open, std::function<void(double)> at_event);

  const Scenario& scenario_;
  ScenarioDraws draws_;
  const BatchClock& clock_;
  double look_ahead_s_;
  std::function<bool()> go_on_;
  std::function<void()> switched_;
  std::vector<simgrid::s4u::Host*> hosts_;
  std::deque<ProfileFeeder> feeders_;
  std::vector<ProfileFeeder*> owners_;                   // per workstation; null: no path
  std::vector<ProfileFeeder*> states_;                   // per workstation; null: always on
  std::vector<std::unique_ptr<SimGridOwnerJobs>> jobs_;  // per workstation; null: another model
  bool any_switches_ = false;
  std::deque<LinkDriver> links_;
  std::set<const simgrid::s4u::Host*> with_own_path_;
};

}  // namespace nowsim
