// Many replications of a program of supersteps side by side, step by step, their ranks on lanes; and what their messages
// come to: who sends what, and how long each rank waits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/engines/direct/supersteps_at_once.hpp"
#include "sim/program/collectives.hpp"
#include "sim/program/scenario.hpp"
#include "sim/program/supersteps.hpp"

namespace nowsim {

/// @throws std::invalid_argument for a root that does not exist, and for amounts that cannot be; std::logic_error for
/// work of another number of ranks, and for a step that has no message or barrier where the program broadcasts.
void check_step(const Superstep& step, std::size_t ranks, bool broadcasts);

/// Of the workstations.
std::vector<double> speeds_flops(const Scenario& scenario);

/// Messages that follow each other until a rank is free to compute.
inline int rounds_and_sends(const BroadcastPart& part) { return part.rounds + part.sends; }

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

/// The dates at which messages of a step end that follow each other, reckoned as they would be one by one.
class Rounds {
 public:
  Rounds(const UniformNetwork& network, const std::vector<BroadcastPart>& parts);
  void begin(double begin_s, double bytes);
  [[nodiscard]] double date_s(std::uint32_t after) const { return dates_s_[after]; }

 private:
  UniformNetwork network_;
  std::vector<double> dates_s_;
};

/// Of a block: how long ranks wait, and what they send.
struct StepMessages {
  StepMessages(const UniformNetwork& network, const std::vector<BroadcastPart>& parts);
  Rounds rounds;
  ByRoot<std::uint32_t> waits;  ///< in messages, until a rank computes
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
  /// Writes the rest of one of them.
  void write(std::size_t slot, RunResult& result);
  /// Steps of availability paths begun while ranks computed.
  [[nodiscard]] std::uint64_t task_steps() const { return task_steps_; }

 private:
  [[nodiscard]] std::size_t lanes() const { return count_ * n_; }
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
  std::uint64_t first_ = 0;
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

/// What is done of a batch.
struct SuperstepsDone {
  /// All, or those before one that has no end; none where ranks are asked for what cannot be. What is left is for events,
  /// which tell at what time which rank stops.
  std::uint64_t replications = 0;
  DirectCounts counts;
};
/// Runs a batch of a program of supersteps, many replications side by side and without ranks.
/// @param own_paths as paths_at_once() has them. @param width of registers [bytes], if given.
SuperstepsDone run_supersteps(const Scenario& scenario, std::span<const OwnPath> own_paths, const Batch& batch,
                              const ResultSink& sink, const std::optional<std::size_t>& width);

}  // namespace nowsim
