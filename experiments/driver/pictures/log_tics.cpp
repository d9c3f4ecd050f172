// Trying steps from coarse to fine.
#include "experiments/driver/pictures/log_tics.hpp"

#include <cmath>

namespace nowsim {
namespace {

std::vector<double> within(double least, double most, const std::vector<int>& digits) {
  std::vector<double> tics;
  for (double power = std::floor(std::log10(least)); power <= std::log10(most); ++power)
    for (const int digit : digits)
      if (const double tic = digit * std::pow(10, power); tic >= least && tic <= most) tics.push_back(tic);
  return tics;
}

}  // namespace

std::vector<double> log_tics(double least, double most) {
  auto tics = within(least, most, {1, 2, 5});
  if (tics.size() < 3) tics = within(least, most, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  return tics.size() < 2 ? std::vector<double>{least, most} : tics;
}

}  // namespace nowsim
