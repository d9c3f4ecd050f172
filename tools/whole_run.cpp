// Adding shares up.
#include "tools/whole_run.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/duration_text.hpp"

namespace nowsim {
namespace {

constexpr double kSearch = 0.5;    // of a part that searches
constexpr double kTelling = 0.01;  // the least share of the whole that tells how fast it goes

std::string percent(double share) { return std::to_string(static_cast<int>(100 * share)) + " %"; }

/// No more precise than it is.
std::string time_left(double seconds) {
  const double unit = seconds < 55 ? 10 : seconds < 3300 ? 60 : 600;
  return duration_text(std::max(1.0, std::round(seconds / unit)) * unit);
}

}  // namespace

WholeRun::WholeRun(std::vector<Part> parts) : parts_(std::move(parts)) {
  for (const auto& part : parts_) total_ += part.weight;
}

void WholeRun::begin(std::size_t part) {
  for (; part_ < part; ++part_) {
    before_ += parts_[part_].weight;
    simulated_before_ += parts_[part_].weight * simulated_;
    share_ = simulated_ = 0;
  }
}

void WholeRun::searched(double share) { share_ = simulated_ = kSearch * share; }

void WholeRun::ran(double share, double simulated) {
  const double begins = parts_[part_].searches ? kSearch : 0;
  share_ = begins + (1 - begins) * share;
  simulated_ = begins + (1 - begins) * simulated;
}

std::string WholeRun::text(double elapsed_s) const {
  const Part& part = parts_[part_];
  const double whole = (before_ + part.weight * share_) / total_;
  const double simulated = (simulated_before_ + part.weight * simulated_) / total_;
  std::string text = "experiment " + std::to_string(part_ + 1) + " of " + std::to_string(parts_.size()) + ", " +
                     part.name + ": " + percent(share_) + "; whole: " + percent(whole);
  if (simulated < kTelling) return text;
  return text + ", about " + time_left(elapsed_s / simulated * (1 - whole)) + " left";
}

}  // namespace nowsim
