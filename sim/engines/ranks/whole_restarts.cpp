// Walking along machines' states, from one date at which all are on to the next.
#include "sim/engines/ranks/whole_restarts.hpp"

#include <algorithm>
#include <string>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/engines/ranks/diagnostics.hpp"
#include "sim/owners/path.hpp"
#include "sim/owners/profile.hpp"

namespace nowsim {
namespace {

/// What another workload does, begun at a date.
class BegunAt final : public Workload {
 public:
  BegunAt(std::shared_ptr<const Workload> inner, double date_s)
      : Workload(inner->program()), inner_(std::move(inner)), date_s_(date_s) {}
  Process run(Rank& self) const override {
    co_await self.sleep_until(date_s_);
    Process inner = inner_->run(self);
    co_await inner;
  }
  void check_ended() const override { inner_->check_ended(); }

 private:
  std::shared_ptr<const Workload> inner_;
  double date_s_;
};

/// When a machine is on, in one replication. Asked for dates that do not go back.
class OnTimes {
 public:
  OnTimes(const Workstation& machine, const StreamKey& key) {
    const auto& state = machine.extras->state_profile;
    state_ = PathCursor(state ? profile_path(state, ProfileQuantity::state, 1, 0, key) : constant_path(1));
  }
  /// From a date on, when it is next on: that date, or a later one; infinite where it is off for ever.
  double on_from_s(double date_s) {
    state_.go_to(date_s);
    return state_.next_where([](double value) { return value > 0; });
  }
  /// From a date on at which it is on, when it goes off; infinite where it never does.
  double off_from_s(double date_s) {
    if (date_s < off_s_) return off_s_;  // another machine went off before
    state_.go_to(date_s);
    return off_s_ = state_.next_where([](double value) { return value <= 0; });
  }

 private:
  PathCursor state_;
  double off_s_ = -kInfinity;  ///< as it was last told
};

}  // namespace

bool restarts_as_a_whole(const Scenario& scenario) {
  return scenario.workload->program().ends_with_a_machine && scenario.platform->has_state_profiles();
}

WholeRestarts::WholeRestarts(const Scenario& scenario) : scenario_(scenario), steady_(scenario) {
  Platform steady = *scenario.platform;
  for (Workstation& machine : steady.workstations)
    if (machine.extras->state_profile) machine.extras.edit().state_profile = nullptr;
  steady_.platform = std::make_shared<const Platform>(std::move(steady));
  std::vector<bool> has_ranks(scenario.size());
  for (const int machine : rank_machines(scenario)) has_ranks[index_of(machine)] = true;
  for (std::size_t i = 0; i < has_ranks.size(); ++i)
    if (has_ranks[i]) used_.push_back(i);
}

RunResult WholeRestarts::run(std::uint64_t replication, const RunAlone& run) const {
  const auto& machines = scenario_.platform->workstations;
  const auto states = [&] {
    std::vector<OnTimes> of;
    for (const std::size_t i : used_)
      of.emplace_back(machines[i], StreamKey{scenario_.seed, replication, i, Purpose::state});
    return of;
  };
  std::vector<OnTimes> on = states(), off = states();  // dates go on in each of them
  double begin_s = 0;
  for (int attempts = 0; attempts < kMostRestarts; ++attempts) {
    for (bool is_settled = false; !is_settled;) {  // until all are on at the same time
      is_settled = true;
      for (std::size_t k = 0; k < used_.size(); ++k) {
        const double on_s = on[k].on_from_s(begin_s);
        if (on_s == kInfinity)
          throw RunError("in replication " + std::to_string(replication) + " the job cannot begin again: workstation " +
                         machines[used_[k]].name + " is switched off for ever");
        if (on_s > begin_s) begin_s = on_s, is_settled = false;
      }
    }
    Scenario attempt = steady_;
    attempt.workload = std::make_shared<const BegunAt>(scenario_.workload, begin_s);
    RunResult result = run(attempt, replication);
    double fails_s = kInfinity;
    for (std::size_t k = 0; k < used_.size(); ++k) {
      const double off_s = off[k].off_from_s(begin_s);
      constexpr double kRounding = 1e-9;  // what ends as the machine goes off has ended, on either engine
      if (off_s < result[Quantity::finish_s][used_[k]] * (1 - kRounding)) fails_s = std::min(fails_s, off_s);
    }
    if (fails_s == kInfinity) return result;
    begin_s = fails_s;
  }
  throw RunError("in replication " + std::to_string(replication) + " a machine was switched off " +
                 std::to_string(kMostRestarts) + " times before the job could end; it may never fit between");
}

}  // namespace nowsim
