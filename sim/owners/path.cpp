// Paths made of a value, or of other paths.
#include "sim/owners/path.hpp"

#include <utility>

#include "sim/base/infinity.hpp"

namespace nowsim {

std::unique_ptr<Path> constant_path(double value) {
  return drawn_path([value] { return Step{kInfinity, value}; });
}

std::unique_ptr<Path> later_path(std::unique_ptr<Path> path, double seconds) {
  return drawn_path([path = std::move(path), skip_s = seconds]() mutable {
    Step step = path->next();
    for (; step.duration_s <= skip_s; step = path->next()) skip_s -= step.duration_s;
    step.duration_s -= std::exchange(skip_s, 0.0);
    return step;
  });
}

std::unique_ptr<Path> path_behind(Step first, std::unique_ptr<Path> path) {
  return drawn_path([first, path = std::move(path), has_begun = false]() mutable {
    return std::exchange(has_begun, true) ? path->next() : first;
  });
}

}  // namespace nowsim
