// Trial runs of a split, what they tell of when each machine would be done with another share, in every replication of
// a sample, and coordinates of splits that are of the same size whatever the machines are.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/engines/engine.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {

struct PilotRun {
  std::vector<double> makespan_s;           ///< T, per replication
  std::vector<std::uint32_t> last;          ///< whose T_i was longest, per replication (of several: the first); servers apart
  std::vector<double> times_s;              ///< T_i, a replication's side by side; only where asked for
  // T_i is when a rank finished; where all finish at once, as behind a barrier, for how long it computed.
};

/// Runs splits of one scenario, all on the same replications (common random numbers). Splits are deterministic: equal
/// shares give equal results.
class Pilot {
 public:
  /// `scenario`'s own shares do not matter.
  Pilot(Scenario scenario, Engine engine) : scenario_(std::move(scenario)), engine_(engine) {}

  /// The result is there until the next run. @throws RunError, InputError.
  const PilotRun& run(std::span<const double> share_flop, const Batch& replications, bool with_times = false);

  [[nodiscard]] const Scenario& scenario() const { return scenario_; }
  [[nodiscard]] Engine engine() const { return engine_; }
  [[nodiscard]] std::uint64_t runs() const { return runs_; }
  /// That it remembers.
  DrawnOwners& drawn_owners() { return engines_.drawn_owners(); }

 private:
  Scenario scenario_;
  Engine engine_;
  EngineRunner engines_;
  PilotRun run_;
  std::uint64_t runs_ = 0;
};

struct CurvePoint {
  std::vector<double> makespan_s;   ///< T, per replication
  std::vector<std::uint32_t> last;  ///< whose T_i is longest
  std::vector<double> slope_s;      ///< dT/dX of the last one's share [s/flop]
};

/// T_i(X_i) of machines that compute their shares without waiting for one another, so that T is the longest T_i: exact
/// at the shares that were run, linear between them and, beyond, in proportion to the share. One run tells of all
/// machines at once, so that a few runs tell what a thousand splits would come to on the same random numbers.
class CompletionTimeModel {
 public:
  static constexpr std::size_t kSharesNearby = 10;
  /// Whether curves of so many machines are held in memory.
  static bool can_hold(std::size_t machines, std::uint64_t replications, std::size_t most_shares = kSharesNearby);
  /// @param most_shares of each machine that are remembered, those nearest to the last one: a search comes closer step
  /// by step.
  CompletionTimeModel(std::size_t machines, std::uint64_t replications, std::size_t most_shares = kSharesNearby)
      : replications_(replications), most_shares_(most_shares), machines_(machines) {}

  /// Learns from a run, with its T_i, of a split. False where its makespan is not the longest T_i, or some T_i is not
  /// between those of a smaller and of a larger share: then machines do wait for one another.
  bool learn(std::span<const double> share_flop, const PilotRun& run);

  /// What a split would come to; there must be a run at least.
  [[nodiscard]] CurvePoint read(std::span<const double> share_flop) const;

 private:
  struct Node {
    double share_flop;
    std::vector<double> time_s;  ///< per replication
  };
  using Curve = std::vector<Node>;  ///< by share
  bool add(Curve& curve, Node node) const;

  std::uint64_t replications_;
  std::size_t most_shares_;
  std::vector<Curve> machines_;
};

struct SearchSpace {
  std::vector<double> speed_flops;  ///< s_i, mean available speeds; machines with 0 get no work
  std::vector<double> sigma_s;      ///< sigma_Ti near the splits of interest
};

double sum_of(std::span<const double> values);
/// No share below 0, and all the work given out.
std::vector<double> made_feasible(std::vector<double> share_flop, double work_flop);
double mean_by_speed(const SearchSpace& space, std::span<const double> values);
/// The machines' time scale: how much moving work is worth looking at. Without any chance, a share of the time itself.
double time_scale_s(const SearchSpace& space, std::span<const double> share_flop);

/// Changes of the machines' times, in units of the time scale, as coordinates of the splits around one; the machine with
/// the most work has none, and all shares are scaled to the whole work.
class SplitCoordinates {
 public:
  SplitCoordinates(const SearchSpace& space, std::span<const double> around_flop, double scale_s);
  [[nodiscard]] std::size_t size() const { return machines_.size(); }
  /// Of each, where its machine has no work left.
  [[nodiscard]] std::vector<double> least() const;
  [[nodiscard]] std::vector<double> shares_at(std::span<const double> change) const;
  /// Writes d/d change_k of what has the gradient `by_share` [1/flop] at shares_at(change).
  void chain(std::span<const double> change, std::span<const double> by_share, std::span<double> by_change) const;

 private:
  std::vector<double> around_flop_;
  double work_flop_;
  std::vector<std::size_t> machines_;
  std::vector<double> unit_flop_;  // per coordinate
};

}  // namespace nowsim
