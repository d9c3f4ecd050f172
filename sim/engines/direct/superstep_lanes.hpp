// When programs of supersteps need no events: who begins when follows from the step, and from its latest end. Then many
// replications go side by side, step by step, their ranks on lanes; what messages come to follows from the step too.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/engines/direct/route_table.hpp"
#include "sim/program/collectives.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/supersteps.hpp"

namespace nowsim {

/// Whether a scenario's program is one of supersteps, and machines and network such that these can be computed at once.
/// Machines that switch off and on, owners that feel the job, and jobs that end before all ranks have, are cases for
/// events.
bool can_go_at_once(const Scenario& scenario);

/// How bytes travel over a workstation's own path.
struct OwnPath {
  double latency_s, bandwidth_Bps;
};
/// The own paths of all workstations of a scenario that can go at once: none where its program moves no bytes over them.
/// Nothing where it cannot, or where some links are shared, or vary while they are not the whole path.
std::optional<std::vector<OwnPath>> paths_at_once(const Scenario& scenario, RouteTable& routes);

/// @throws std::invalid_argument for a root that does not exist, and for amounts that cannot be; std::logic_error for
/// work of another number of ranks, and for a step that has no message or barrier where the program broadcasts.
void check_step(const Superstep& step, std::size_t ranks, bool broadcasts);

/// Of the workstations.
std::vector<double> speeds_flops(const Scenario& scenario);

/// The largest of so many numbers, several side by side, as registers hold them.
template <class At>
double largest(std::size_t count, At at) {
  constexpr std::size_t kSide = 8;
  const auto larger = [](double a, double b) { return a < b ? b : a; };
  std::array<double, kSide> most;
  most.fill(at(0));
  std::size_t i = 0;
  for (; i + kSide <= count; i += kSide)
    for (std::size_t k = 0; k < kSide; ++k) most[k] = larger(most[k], at(i + k));
  for (; i < count; ++i) most[0] = larger(most[0], at(i));
  for (std::size_t side = kSide / 2; side > 0; side /= 2)
    for (std::size_t k = 0; k < side; ++k) most[k] = larger(most[k], most[k + side]);
  return most[0];
}

/// What all ranks send, by roots.
class Posted {
 public:
  explicit Posted(std::vector<BroadcastPart> parts) : parts_(std::move(parts)) { clear(); }
  void clear();
  void add(const Superstep& step);
  /// Per rank.
  void write(std::vector<double>& messages, std::vector<double>& sent_bytes) const;

 private:
  std::vector<BroadcastPart> parts_;
  std::vector<double> steps_, bytes_;
};

/// How many messages follow each other until a rank is free to compute: of relative ranks, twice side by side, as those
/// of ranks 0, 1, .. with some root are a stretch of it.
template <class Number>
class Waits {
 public:
  explicit Waits(const std::vector<BroadcastPart>& parts) : n_(parts.size()), messages_(2 * parts.size()) {
    for (std::size_t k = 0; k < messages_.size(); ++k)
      messages_[k] = static_cast<Number>(parts[k % n_].rounds + parts[k % n_].sends);
  }
  [[nodiscard]] const Number* from(int root) const {
    return messages_.data() + (n_ - static_cast<std::size_t>(root)) % n_;
  }
  [[nodiscard]] Number most() const { return std::ranges::max(messages_); }

 private:
  std::size_t n_;
  std::vector<Number> messages_;
};

/// Of a block: how long ranks wait, and what they send.
struct StepMessages {
  StepMessages(const UniformNetwork& uniform, const std::vector<BroadcastPart>& parts)
      : network(uniform), waits(parts), dates_s(waits.most() + 1), posted(parts) {}
  void begin(double begin_s, double bytes);

  UniformNetwork network;
  Waits<std::uint32_t> waits;
  std::vector<double> dates_s;  ///< at which messages end that follow each other, reckoned as they would be one by one
  Posted posted;
};

/// Runs replications in blocks. Everything is to the bit what messages, computes and barriers come to one by one, but
/// for bytes over links that vary, which are within rounding of it.
class SuperstepLanes {
 public:
  /// @param own_paths of all workstations where the program moves bytes over them, else none.
  /// @param most_slots replications that a block has at most.
  /// All arguments outlive it. @throws std::invalid_argument for roots that do not exist, and amounts that cannot be.
  SuperstepLanes(const Scenario& scenario, std::span<const OwnPath> own_paths, std::size_t most_slots,
                 std::optional<std::size_t> register_bytes);

  /// Runs so many replications, at most a block's; false where one has no end, as an owner leaves a rank nothing for
  /// ever, which is for events to tell.
  bool run(std::uint64_t first, std::size_t count);
  /// Writes what the replications just run have in common: of all columns those that depend on the program alone.
  void write_common(RunResult& result) const;
  /// Writes the rest of one of them, but for its number.
  void write(std::size_t slot, RunResult& result);
  /// Steps of availability paths begun while ranks computed.
  [[nodiscard]] std::uint64_t task_steps() const { return task_steps_; }

 private:
  [[nodiscard]] std::size_t lanes() const { return count_ * n_; }
  /// Of the clocks of so many lanes from one on.
  [[nodiscard]] double latest_s(std::size_t first, std::size_t count) const {
    return largest(count, [now_s = &now_s_[first]](std::size_t i) { return now_s[i]; });
  }
  [[nodiscard]] const Supersteps& program() const;
  void open(std::uint64_t first, std::size_t count);
  bool run_steps();
  void take_up(const Superstep& step);
  void broadcast(const Superstep& step);
  void compute();
  void move(double bytes);
  void meet(double cost_s);
  bool conclude();
  [[nodiscard]] bool is_stuck_on(const AvailabilityLanes& paths) const;

  const Scenario* scenario_;
  std::span<const OwnPath> own_paths_;
  std::size_t n_, count_ = 0;                             // ranks; replications in the block at hand
  AvailabilityLanes machines_;
  std::optional<AvailabilityLanes> links_;                // where own paths vary
  std::vector<AvailabilityLanes::Opening> openings_;
  std::optional<StepMessages> messages_;                  // where steps have any
  std::vector<double> speed_flops_, step_flop_, work_s_;  // per rank; the latter two of the step at hand
  std::vector<double> work_flop_;                         // per rank, so far
  std::vector<char> has_owner_;                           // per rank
  std::vector<double> now_s_, active_s_;                  // per lane
  std::vector<double> met_s_;                             // per slot, where its ranks met last; then its makespan
  std::vector<std::uint32_t> all_, some_;                 // lanes: all; those that the step gives work
  std::span<const std::uint32_t> asked_;
  std::uint64_t task_steps_ = 0;
};

struct SuperstepsDone {
  /// All, or those before one that has no end; none where ranks are asked for what cannot be. What is left is for events,
  /// which tell at what time which rank stops.
  std::uint64_t replications = 0;
  std::uint64_t task_steps = 0;  ///< as DirectEngine::run returns them
};
/// Runs a batch of a program of supersteps, many replications side by side and without ranks.
/// @param own_paths as paths_at_once() has them. @param width of registers [bytes], if given.
SuperstepsDone run_supersteps(const Scenario& scenario, std::span<const OwnPath> own_paths, const Batch& batch,
                              const ResultSink& sink, const std::optional<std::size_t>& width);

}  // namespace nowsim
