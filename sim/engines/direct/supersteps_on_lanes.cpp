// The same with ends that lanes tell: those that one step of a path suffices for at once, the others served together.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "sim/engines/direct/superstep_messages.hpp"
#include "sim/engines/direct/supersteps_at_once.hpp"
#include "sim/engines/ranks/operation_checks.hpp"

namespace nowsim {
namespace {

std::vector<double> zeros(std::size_t n) { return std::vector<double>(n, 0.0); }

/// The dates at which messages of a step end that follow each other, reckoned as they would be one by one.
class Rounds {
 public:
  Rounds(const UniformNetwork& network, const std::vector<BroadcastPart>& parts) : network_(network) {
    int most = 0;
    for (const auto& part : parts) most = std::max(most, rounds_and_sends(part));
    dates_s_ = zeros(static_cast<std::size_t>(most) + 1);
  }
  void begin(double begin_s, double bytes) {
    const double on_way_s = whole_bytes(bytes) / network_.bandwidth_Bps;
    dates_s_[0] = begin_s;
    for (std::size_t k = 1; k < dates_s_.size(); ++k) dates_s_[k] = (dates_s_[k - 1] + network_.latency_s) + on_way_s;
  }
  [[nodiscard]] double date_s(std::uint32_t after) const { return dates_s_[after]; }

 private:
  UniformNetwork network_;
  std::vector<double> dates_s_;
};

class StepsOnLanes {
 public:
  StepsOnLanes(const Scenario& scenario, const std::vector<BroadcastPart>& parts, AvailabilityLanes& lanes,
               std::size_t first_lane)
      : rounds_(*scenario.network, parts),
        waits_(parts, [](const BroadcastPart& p) { return static_cast<std::uint32_t>(rounds_and_sends(p)); }),
        lanes_(lanes), first_lane_(first_lane), speed_flops_(speeds_flops(scenario)) {
    out_.work_flop = out_.active_s = out_.now_s = zeros(scenario.size());
    out_.is_stuck.assign(scenario.size(), false);
  }

  /// The latest end [s]; infinity where a rank computes for ever.
  double end_s(const Superstep& step, double begin_s) {
    rounds_.begin(begin_s, step.bytes);
    const std::uint32_t* waits = waits_.from(step.root);
    double latest_s = begin_s;
    asked_.clear();
    for (std::size_t i = 0; i < speed_flops_.size(); ++i)
      latest_s = std::max(latest_s, begin_compute(i, rounds_.date_s(waits[i]), step.work_flop[i]));
    lanes_.serve(asked_);
    for (const std::uint32_t lane : asked_) latest_s = std::max(latest_s, end_compute(lane));
    return latest_s;
  }
  [[nodiscard]] SuperstepOutcome take() { return std::move(out_); }

 private:
  /// When the rank has computed; when it begins where its lane has to be served first.
  double begin_compute(std::size_t i, double begin_s, double flop) {
    out_.now_s[i] = begin_s;
    const double work_s = flop / speed_flops_[i];
    out_.work_flop[i] += flop;
    if (!(work_s > 0)) return begin_s;  // none, or it underflows
    const std::size_t lane = first_lane_ + i;
    if (lanes_.compute_at_once(lane, begin_s, work_s)) return end_at(i, lanes_.position_s(lane));
    lanes_.ask(lane, begin_s, work_s);
    asked_.push_back(static_cast<std::uint32_t>(lane));
    return begin_s;
  }
  double end_compute(std::size_t lane) {
    const double end_s = lanes_.position_s(lane);
    if (end_s < kForever) return end_at(lane - first_lane_, end_s);
    out_.is_stuck[lane - first_lane_] = true;
    return end_s;
  }
  double end_at(std::size_t i, double end_s) {
    out_.active_s[i] += end_s - out_.now_s[i];
    return out_.now_s[i] = end_s;
  }

  Rounds rounds_;
  ByRoot<std::uint32_t> waits_;  // in messages, until a rank computes
  AvailabilityLanes& lanes_;
  std::size_t first_lane_;
  std::vector<double> speed_flops_;
  std::vector<std::uint32_t> asked_;
  SuperstepOutcome out_;
};

}  // namespace

SuperstepOutcome run_on_lanes(const Scenario& scenario, const Supersteps& program, double begin_s,
                              AvailabilityLanes& lanes, std::size_t first_lane) {
  const std::vector<BroadcastPart> parts = broadcast_parts(program.tree(), static_cast<int>(scenario.size()));
  StepsOnLanes steps(scenario, parts, lanes, first_lane);
  Posted posted(parts);
  double now_s = begin_s;
  const auto sequence = program.begin(scenario.share_flop);
  for (const Superstep* step = sequence->next(); step != nullptr && now_s < kForever; step = sequence->next()) {
    check_step(*step, scenario.size());
    posted.add(*step);
    now_s = steps.end_s(*step, now_s);
  }
  SuperstepOutcome outcome = steps.take();
  posted.write(outcome);
  if (now_s < kForever) outcome.now_s.assign(scenario.size(), now_s);
  return outcome;
}

}  // namespace nowsim
