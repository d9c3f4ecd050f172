// Paths of what owners leave: steps in time, drawn one by one; where one stands on them; where those start that wrap
// around; moments by drawing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/infinity.hpp"
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

/// Mean and standard deviation of what an owner leaves, or of a profile's value, over time; on intervals, of the values
/// as drawn.
struct OwnerMoments {
  double mean = 1, sd = 0;
  bool are_exact = true;  ///< known, not estimated
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
std::unique_ptr<Path> drawn_path(Draw draw, double least = kLeastAvailability) {
  struct Drawn final : Path {
    Drawn(Draw&& steps, double at_least) : Path(at_least), draw_(std::move(steps)) {}
    Step draw() override { return draw_(); }
    Draw draw_;
  };
  return std::make_unique<Drawn>(std::move(draw), least);
}

/// Paths that are followed again and again: the steps that the first to come so far has drawn are kept for the others,
/// as long as there is room for them. Not for several threads at a time.
class RememberedPaths {
 public:
  using Make = std::function<std::unique_ptr<Path>(const StreamKey&)>;
  /// @param room of how many steps, for all that share it.
  RememberedPaths(Make make, std::shared_ptr<std::size_t> room) : make_(std::move(make)), room_(std::move(room)) {}
  /// As `make` makes it.
  std::unique_ptr<Path> path(const StreamKey& key);

 private:
  struct Kept;
  class Follower;
  Make make_;
  std::shared_ptr<std::size_t> room_;
  std::vector<std::shared_ptr<Kept>> kept_;
};

/// Walks forward along a path. Before the first step it stands as if in one of length 0 in which all is available. Dates
/// [s] are sums of the steps' lengths in their order.
class PathCursor {
 public:
  /// Stands nowhere until a path is given to it.
  PathCursor() = default;
  explicit PathCursor(std::unique_ptr<Path> path) : path_(std::move(path)) {}

  [[nodiscard]] bool has_path() const { return path_ != nullptr; }
  [[nodiscard]] double position_s() const { return position_s_; }
  /// When the step ends; infinite where it holds for ever.
  [[nodiscard]] double end_s() const { return end_s_; }
  [[nodiscard]] double value() const { return value_; }
  /// Whether nothing is left for ever.
  [[nodiscard]] bool is_stuck() const { return value_ <= kLeastAvailability && end_s_ == kInfinity; }

  /// To the end of the step, and into the one that begins there; returns how long that lasts.
  double next_step() {
    const Step step = path_->next();
    position_s_ = end_s_;
    end_s_ += step.duration_s;
    value_ = step.value;
    return step.duration_s;
  }
  /// To a date, and into the step that holds from there on.
  void go_to(double date_s) {
    while (end_s_ <= date_s) next_step();
    position_s_ = date_s;
  }
  /// To a date within the step, its end included.
  void wait_within(double date_s) { position_s_ = date_s; }
  /// To where the value is as asked for: here, or where a later step begins; never (infinite) where a million steps have
  /// changed nothing.
  template <class Is>
  double next_where(Is is) {
    constexpr int kMostSteps = 1'000'000;
    for (int steps = 0; !is(value_); ++steps) {
      if (end_s_ == kInfinity || steps == kMostSteps) return kInfinity;
      next_step();
    }
    return position_s_;
  }
  /// When so much work ends that begins here, at the value's rate, if it does before a date; else infinite, and the
  /// position is at the last step that begins before it.
  double finish(double work_s, double before_s) {
    for (; position_s_ < before_s; go_to(end_s_)) {
      const double room_s = value_ * (end_s_ - position_s_);
      if (const double done_s = position_s_ + work_s / value_; work_s <= room_s && done_s < before_s)
        return is_stuck() ? kInfinity : done_s;
      if (work_s <= room_s || end_s_ >= before_s) break;
      work_s -= room_s;
    }
    return kInfinity;
  }

 private:
  std::unique_ptr<Path> path_;
  double position_s_ = 0, end_s_ = 0, value_ = 1;
};

/// The integral of a path from its beginning over so many seconds [s], and the steps that it took.
struct PathIntegral {
  double sum_s = 0;
  std::uint64_t steps = 0;
};
inline PathIntegral integral_of(Path& path, double seconds) {
  PathIntegral all;
  for (; seconds > 0; ++all.steps) {
    const Step step = path.next();
    all.sum_s += step.value * std::min(step.duration_s, seconds);
    seconds -= step.duration_s;
  }
  return all;
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
