// How a resource varies on SimGrid's clock over the replications of a batch: a profile fed one event at a time.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/engines/simgrid/clock.hpp"
#include "sim/engines/simgrid/simgrid_version.hpp"
#include "sim/owners/owner.hpp"

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

}  // namespace nowsim
