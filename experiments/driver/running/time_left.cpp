// Sums that are kept up to date, as there may be many series and batches.
#include "experiments/driver/running/time_left.hpp"

#include <algorithm>

namespace nowsim {

void TimeLeft::change(std::size_t series, const auto& how) {
  if (series >= parts_.size()) parts_.resize(series + 1);
  Part& part = parts_[series];
  const auto sum = [&]() -> double& { return part.done > 0 ? left_measured_s_ : left_estimated_s_; };
  sum() -= part.left_s();
  how(part);
  part.to_come = std::max(part.to_come, 0.0);
  sum() += part.left_s();
}

void TimeLeft::expect(std::size_t series, double replications, double each_s) {
  change(series, [&](Part& part) {
    part.to_come += replications;
    part.estimated_s = each_s;
  });
}

void TimeLeft::simulated(std::size_t series, double replications, double seconds) {
  change(series, [&](Part& part) {
    part.to_come -= replications;
    part.done += replications;
    part.took_s += seconds;
    measured_s_ += seconds;
    measured_as_estimated_s_ += replications * part.estimated_s;
  });
}

void TimeLeft::spared(std::size_t series, double replications) {
  change(series, [&](Part& part) { part.to_come -= replications; });
}

double TimeLeft::left_s() const {
  const double factor = measured_as_estimated_s_ > 0 ? measured_s_ / measured_as_estimated_s_ : 1;
  return std::max(0.0, left_measured_s_ + factor * left_estimated_s_);
}

}  // namespace nowsim
