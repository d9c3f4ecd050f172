// How far an estimate follows parameters that were measured: replications run again with the same random numbers, a
// step of the parameters to either side.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace nowsim {

enum class MeasuredKind : std::uint8_t { mean, th, interval };

/// A parameter that was measured. Machines of which the same is said have it in common.
struct Measurement {
  std::uint64_t number = 0;  ///< the same for the same measurement
  MeasuredKind kind = MeasuredKind::mean;
  double freedom = 0;  ///< of Student's law, which its errors have
  double step = 1;     ///< how many of its standard errors a step is
  friend auto operator<=>(const Measurement&, const Measurement&) = default;
};

/// Replications come in blocks of eight. The first four of a block are run again twice, once with the parameters a step
/// up and once a step down: their results stand, in this order, where the block's eight replications would. Of the
/// replications behind the first so many, rounded up to a batch, none is run again: they would add nothing.
inline constexpr std::uint64_t kStepBlock = 8, kMostStepped = 4096;

/// A replication that is run again, and whether a step up or down.
struct SteppedRun {
  std::uint64_t replication;
  std::uint64_t block;
  bool is_up;
};
/// The one whose result stands at this place.
inline SteppedRun stepped_run(std::uint64_t place) {
  constexpr std::uint64_t kHalf = kStepBlock / 2;
  return {place / kStepBlock * kStepBlock + place % kHalf, place / kStepBlock, place % kStepBlock < kHalf};
}

/// Which way a step up in a block leads: 1 or -1; 0 where this is not moved. Four of eight blocks move means, three
/// intervals, whose effect is the noisiest, and one TH; half of each kind go all the same way, else measurements go
/// ways of their own.
int direction(const Measurement& of, std::uint64_t block);

/// What an estimate is moved by in each block; linear in estimates. Points of a sweep have the same steps.
class FitSteps {
 public:
  /// Of a mean: the replications' values, and those of the ones that were run again, one per entry of so many (1, 2,
  /// 4).
  FitSteps(std::shared_ptr<const std::vector<Measurement>> measurements, std::span<const double> values,
           std::span<const double> stepped, std::uint64_t span);

  [[nodiscard]] FitSteps times(double factor) const;
  /// The sum, of the blocks that both have.
  [[nodiscard]] FitSteps plus(const FitSteps& other) const;

  struct Pull {
    double variance = 0;  ///< of the estimate, by the measurements' errors
    double freedom = 0;   ///< of Student's law that goes with it
    double lean = 0;      ///< how much too high the estimate is at least: errors of means, and draws of them, raise it;
                          ///< by steps as long as these a third to a half is seen
  };
  /// By least squares on the steps, the squares without what chance adds to them. Nothing where there are too few
  /// blocks.
  [[nodiscard]] std::optional<Pull> pull() const;

 private:
  std::shared_ptr<const std::vector<Measurement>> measurements_;  ///< in order
  std::vector<double> slope_, bend_;  ///< per block: half the difference of both sides; their mean less the middle
};

}  // namespace nowsim
