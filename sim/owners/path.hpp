// Paths of what owners leave: steps in time, drawn one by one.
#pragma once

#include <memory>
#include <utility>

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

}  // namespace nowsim
