// In each step rank i computes from t0 + (rounds + sends)·T_M on, and the next step's t0 is the latest end.
#include "sim/supersteps_at_once.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>

#include "sim/rank_checks.hpp"

namespace nowsim {
namespace {

std::vector<double> zeros(std::size_t n) { return std::vector<double>(n, 0.0); }

std::vector<double> speeds_flops(const Scenario& scenario) {
  std::vector<double> speeds;
  for (const auto& workstation : scenario.platform->workstations) speeds.push_back(workstation.speed_flops);
  return speeds;
}

void check_step(const Superstep& step, std::size_t ranks) {
  if (step.root < 0 || static_cast<std::size_t>(step.root) >= ranks || step.work_flop.size() != ranks)
    throw std::invalid_argument("a superstep of " + std::to_string(step.work_flop.size()) + " ranks names " +
                                rank_text(step.root) + " as its root: there are ranks 0 to " + std::to_string(ranks - 1));
  check_bytes(step.root, step.bytes, "send");
}

/// What all ranks send, by roots.
class Posted {
 public:
  explicit Posted(const std::vector<BroadcastPart>& parts) : parts_(parts), steps_(zeros(parts.size())), bytes_(steps_) {}
  void add(const Superstep& step) {
    steps_[static_cast<std::size_t>(step.root)] += 1;
    bytes_[static_cast<std::size_t>(step.root)] += whole_bytes(step.bytes);
  }
  void write(SuperstepOutcome& outcome) const {
    const std::size_t n = parts_.size();
    outcome.messages = outcome.sent_bytes = zeros(n);
    for (std::size_t root = 0; root < n; ++root)
      for (std::size_t r = 0; steps_[root] > 0 && r < n; ++r) {
        const auto sends = static_cast<double>(parts_[r].sends);
        outcome.messages[(root + r) % n] += sends * steps_[root];
        outcome.sent_bytes[(root + r) % n] += sends * bytes_[root];
      }
  }

 private:
  const std::vector<BroadcastPart>& parts_;
  std::vector<double> steps_, bytes_;
};

/// Numbers per relative rank, twice side by side: those of ranks 0, 1, .. with some root are a stretch of it.
template <class T>
class ByRoot {
 public:
  template <class Number>
  ByRoot(const std::vector<BroadcastPart>& parts, Number number) : n_(parts.size()), numbers_(2 * parts.size()) {
    for (std::size_t k = 0; k < numbers_.size(); ++k) numbers_[k] = number(parts[k % n_]);
  }
  [[nodiscard]] const T* from(int root) const { return numbers_.data() + (n_ - static_cast<std::size_t>(root)) % n_; }

 private:
  std::size_t n_;
  std::vector<T> numbers_;
};

int rounds_and_sends(const BroadcastPart& part) { return part.rounds + part.sends; }

// ---- dedicated machines -------------------------------------------------------------------------------------------

/// A sum of many terms, with what rounding took from it (Neumaier 1974): equal terms would be rounded the same way
/// millions of times.
class ExactSum {
 public:
  explicit ExactSum(double first) : sum_(first) {}
  void add(double term) {
    const double sum = sum_ + term;
    lost_ += sum_ >= term ? (sum_ - sum) + term : (term - sum) + sum_;
    sum_ = sum;
  }
  [[nodiscard]] double value() const { return sum_ + lost_; }

 private:
  double sum_, lost_ = 0;
};

/// The steps' lengths do not depend on when they are, so those of one root that repeat are as long.
class DedicatedSteps {
 public:
  DedicatedSteps(const Scenario& scenario, const std::vector<BroadcastPart>& parts)
      : network_(*scenario.network),
        waits_(parts, [](const BroadcastPart& p) { return static_cast<double>(rounds_and_sends(p)); }),
        work_(zeros(parts.size())), work_flop_(work_), per_flop_s_(speeds_flops(scenario)) {
    known_s_.assign(parts.size(), kUnknown);
    for (double& speed : per_flop_s_) speed = 1 / speed;
  }

  /// From t0 to the latest end [s].
  double length_s(const Superstep& step) {
    if (!step.repeats) begin_anew(step);
    ++count_;
    double& known = known_s_[static_cast<std::size_t>(step.root)];
    if (known < 0) {
      known = latest_s(step);
      known_roots_.push_back(step.root);
    }
    return known;
  }
  void write(SuperstepOutcome& outcome) {
    count_work();
    outcome.work_flop = work_flop_;
    for (std::size_t i = 0; i < work_flop_.size(); ++i) outcome.active_s.push_back(work_flop_[i] * per_flop_s_[i]);
  }

 private:
  static constexpr double kUnknown = -1;

  void begin_anew(const Superstep& step) {
    count_work();
    message_s_ = network_.message_s(whole_bytes(step.bytes));
    for (const int root : known_roots_) known_s_[static_cast<std::size_t>(root)] = kUnknown;
    known_roots_.clear();
    std::ranges::copy(step.work_flop, work_.begin());
  }
  /// Of the steps that repeated.
  void count_work() {
    for (std::size_t i = 0; i < work_.size(); ++i) work_flop_[i] += count_ * work_[i];
    count_ = 0;
  }
  /// Several maxima side by side, as registers hold them.
  [[nodiscard]] double latest_s(const Superstep& step) const {
    constexpr std::size_t kSide = 8;
    const double *waits = waits_.from(step.root), *work = work_.data(), *per_flop_s = per_flop_s_.data();
    std::array<double, kSide> latest{};
    const std::size_t n = work_.size(), whole = n - n % kSide;
    const auto take = [&](std::size_t i, double& most) {
      const double end_s = waits[i] * message_s_ + work[i] * per_flop_s[i];
      most = most < end_s ? end_s : most;
    };
    for (std::size_t i = 0; i < whole; i += kSide)
      for (std::size_t k = 0; k < kSide; ++k) take(i + k, latest[k]);
    for (std::size_t i = whole; i < n; ++i) take(i, latest[0]);
    return *std::ranges::max_element(latest);
  }

  UniformNetwork network_;
  ByRoot<double> waits_;         // in messages, until a rank computes
  std::vector<double> known_s_;  // per root, of the steps that repeat
  std::vector<int> known_roots_;
  std::vector<double> work_, work_flop_, per_flop_s_;
  double count_ = 0, message_s_ = 0;
};

// ---- owners -------------------------------------------------------------------------------------------------------

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

SuperstepOutcome run_on_dedicated(const Scenario& scenario, const Supersteps& program, double begin_s) {
  const std::vector<BroadcastPart> parts = broadcast_parts(program.tree(), static_cast<int>(scenario.size()));
  DedicatedSteps steps(scenario, parts);
  Posted posted(parts);
  ExactSum now_s(begin_s);
  const auto sequence = program.begin(scenario.share_flop);
  while (const Superstep* step = sequence->next()) {
    check_step(*step, scenario.size());
    posted.add(*step);
    now_s.add(steps.length_s(*step));
  }
  SuperstepOutcome outcome;
  steps.write(outcome);
  posted.write(outcome);
  outcome.now_s.assign(scenario.size(), now_s.value());
  outcome.is_stuck.assign(scenario.size(), false);
  return outcome;
}

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
