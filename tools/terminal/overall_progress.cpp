// Adding shares up.
#include "tools/terminal/overall_progress.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/driver/text/duration_text.hpp"

namespace nowsim {
namespace {

constexpr double kTelling = 0.01;  // the least share of the whole that tells how fast it goes

std::string percent(double share) { return std::to_string(static_cast<int>(100 * share)) + " %"; }

}  // namespace

std::string time_left_text(double seconds) {
  const double unit = seconds < 55 ? 10 : seconds < 3300 ? 60 : 600;
  return duration_text(std::max(1.0, std::round(seconds / unit)) * unit);
}

OverallProgress::OverallProgress(std::vector<Part> parts) : parts_(std::move(parts)) {
  for (const auto& part : parts_) total_ += part.weight;
}

void OverallProgress::begin(std::size_t part) {
  for (; part_ < part; ++part_) {
    before_ += parts_[part_].weight;
    simulated_before_ += parts_[part_].weight * simulated_of_part();
    simulated_stages_ = share_ = simulated_ = 0;
    stage_ = {};
  }
  stage_ = stage(0);
}

void OverallProgress::searched(Search search, double share, double simulated) {
  const auto& searches = parts_[part_].searches;
  const auto found = std::ranges::find(searches, search);
  if (found == searches.end()) return;  // it was not expected, and has no share
  be_in(static_cast<std::size_t>(found - searches.begin()), share, simulated);
}

void OverallProgress::ran(double share, double simulated) { be_in(parts_[part_].searches.size(), share, simulated); }

void OverallProgress::end(double simulated) {
  simulated_stages_ = simulated;
  share_ = simulated_ = 0;
}

OverallProgress::Stage OverallProgress::stage(std::size_t index) const {
  const std::size_t count = parts_[part_].searches.size();
  const double each = count > 0 ? parts_[part_].searching / static_cast<double>(count) : 0;
  const double begins = each * static_cast<double>(index);
  return {index, begins, index < count ? each : 1 - begins};
}

void OverallProgress::be_in(std::size_t index, double share, double simulated) {
  if (index != stage_.index) {
    simulated_stages_ += simulated_of_stage();
    stage_ = stage(index);
  }
  share_ = share;
  simulated_ = simulated;
}

/// A stage may end before its expected end; what was simulated of it is then that much more of all.
double OverallProgress::simulated_of_stage() const { return share_ > 0 ? stage_.size * simulated_ / share_ : 0; }

std::string OverallProgress::text(double elapsed_s) const {
  const Part& part = parts_[part_];
  const double of_part = stage_.begins + stage_.size * share_;
  const double whole = (before_ + part.weight * of_part) / total_;
  const double simulated =
      (simulated_before_ + part.weight * (simulated_stages_ + stage_.size * simulated_)) / total_;
  std::string text = "experiment " + std::to_string(part_ + 1) + " of " + std::to_string(parts_.size()) + ", " +
                     part.name + ": " + percent(of_part) + "; whole: " + percent(whole);
  if (simulated < kTelling) return text;
  return text + ", about " + time_left_text(elapsed_s / simulated * (1 - whole)) + " left";
}

}  // namespace nowsim
