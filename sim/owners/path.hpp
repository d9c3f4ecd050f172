// Paths of what owners leave: steps in time, drawn one by one; where those start that wrap around; moments by drawing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/statistics/laws.hpp"
#include "sim/statistics/random.hpp"

namespace nowsim {

/// Availability 0 as the engines see it, a fraction of the nominal value. Exactly 0 is silently wrong in SimGrid's
/// default CPU model (a running task keeps its former rate), and 1e-12 is right to 1e-16.
inline constexpr double kLeastAvailability = 1e-12;

/// A piece of a path: a value and how long it lasts [s] (infinity: for ever).
struct Step {
  double duration_s;
  double value;
};

/// A path, drawn step by step; the first step starts at t = 0. Values are at least `least`.
class Path {
 public:
  explicit Path(double least) : least_(least) {}
  virtual ~Path() = default;
  Step next() {
    Step step = draw();
    if (step.value < least_) step.value = least_;
    return step;
  }

 private:
  virtual Step draw() = 0;
  double least_;
};

/// A value that stays. Models whose availability is 0 for ever say so in one step: an engine can tell such a machine
/// from one whose owner is only busy for the moment.
std::unique_ptr<Path> constant_path(double value);

/// A path from so many seconds on.
std::unique_ptr<Path> later_path(std::unique_ptr<Path> path, double seconds);
/// A step, and then the path.
std::unique_ptr<Path> path_behind(Step first, std::unique_ptr<Path> path);

/// A path whose steps come from a callable.
template <class Draw>
class DrawnPath final : public Path {
 public:
  DrawnPath(double least, Draw draw) : Path(least), draw_(std::move(draw)) {}

 private:
  Step draw() override { return draw_(); }
  Draw draw_;
};

template <class Draw>
std::unique_ptr<Path> drawn_path(Draw draw, double least = kLeastAvailability) {
  return std::make_unique<DrawnPath<Draw>>(least, std::move(draw));
}

/// Where a recorded series starts: at a random moment of each replication, which machines that were recorded together
/// have in common (replayed_together()), or each machine has of its own; at one common to all, whatever they replay; or
/// at its beginning.
enum class TraceStart { random, independent, common, beginning };
/// Their names in YAML.
const std::vector<std::string>& trace_start_names();

/// Where a path starts: a number in [0, 1). With owners it has a stream of its own. No model draws more from the key's
/// stream besides.
double drawn_start(StreamKey key);

/// A moment that workstations have in common whose owners and links are of the set of this number, likewise.
double drawn_start_of_set(const StreamKey& key, std::uint64_t set);

/// A moment that is random where paths start, as a fraction of what they wrap around. With a correlation the moments of
/// workstations follow a common factor of that weight (CommonFactor).
class RandomMoment {
 public:
  /// @throws InputError unless 0 <= correlation <= 1, and 0 where the start is not random.
  RandomMoment(double correlation, bool is_random);
  [[nodiscard]] double draw(const StreamKey& key) const;
  [[nodiscard]] bool is_correlated() const { return factor_.weight() > 0; }
  /// " correlation=0.4", or "" where there is none.
  [[nodiscard]] std::string text() const;

 private:
  CommonFactor factor_;
};

/// Of the availability over time, with their standard errors.
struct SampledMoments {
  double mean, sd;
  double mean_error = 0, sd_error = 0;
};

/// From the first `steps` steps of the paths of replications 0 .. `paths` - 1, as ratios to their time. Where paths end
/// in a step that lasts for ever each is that value, and all paths count alike.
SampledMoments sampled_moments(const std::function<std::unique_ptr<Path>(std::uint64_t replication)>& path, int paths,
                               int steps);

/// Owner::expected_left_s() by an owner's paths. With fixed random numbers, so that owners that are alike leave
/// the same; of 400 paths, or fewer where they are long: some 400,000 steps in all. `is_one`: all paths are the same.
double sampled_left_s(const std::function<std::unique_ptr<Path>(const StreamKey&)>& path, double seconds,
                      bool is_one = false);

}  // namespace nowsim
