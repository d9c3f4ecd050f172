// Sorting and thinning out; an arrow without a head, and words above it.
#include "experiments/driver/pictures/survival.hpp"

#include <algorithm>

#include "experiments/driver/pictures/script.hpp"
#include "experiments/driver/text/duration_text.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostSteps = 2000;    // of a curve, but for its ends; finer ones cannot be seen
constexpr std::size_t kPartOfTheRest = 100;  // of what is left towards an end, which no step takes more of

}  // namespace

std::vector<SurvivalStep> survival_steps(std::vector<double> times_s) {
  std::ranges::sort(times_s);
  const std::size_t n = times_s.size();
  std::vector<SurvivalStep> steps;
  std::size_t taken = 0;  // times behind the last step
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t nearest_end = std::min(k + 1, n - 1 - k);
    const std::size_t wide = std::min(n / kMostSteps, nearest_end / kPartOfTheRest) + 1;
    if (k + 1 - taken < wide) continue;
    taken = k + 1;
    steps.push_back({times_s[k], n - taken});
  }
  return steps;
}

std::string deadline_mark(double deadline_s, const std::string& x, double part, int arrow, int label) {
  const std::string colour = std::string(" rgb '") + kDeadlineColour + "'";
  return "set arrow " + std::to_string(arrow) + " from first " + x + ", graph 0 to first " + x +
         ", graph 1 nohead back linewidth 1.6 linecolor" + colour + "\nset label " + std::to_string(label) + " " +
         script_string("deadline " + duration_text(deadline_s)) + " at first " + x + ", graph 1 offset 0,0.6 " +
         (part > 0.8 ? "right" : "center") + " noenhanced textcolor" + colour;
}

}  // namespace nowsim
