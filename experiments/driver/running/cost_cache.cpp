// A row per line.
#include "experiments/driver/running/cost_cache.hpp"

#include <algorithm>
#include <sstream>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/cost_table.hpp"
#include "experiments/driver/text/user_cache.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/direct/availability_lanes.hpp"

namespace nowsim {
namespace {

/// No machine is a thousand times faster or slower than the one that nowsim's own table was measured on.
bool is_credible(const std::string& name, double seconds) {
  constexpr double kMost = 1000;
  for (std::size_t k = 0; k < kCosts; ++k)
    if (const CostRow& row = cost_row(static_cast<Cost>(k)); row.name == name)
      return seconds > row.shipped_s / kMost && seconds < row.shipped_s * kMost;
  return false;
}

}  // namespace

std::string machine_key() {
  constexpr const char* kCalibrations = ", costs 3,";  // to be raised where a row is measured in another way
  return std::string("nowsim ") + version() + kCalibrations + " " + processor_name() + " " +
         std::to_string(std::ranges::max(AvailabilityLanes::widths_here()));
}

std::string cost_file(const std::string& key) { return cache_file("costs", key); }

MeasuredCosts read_costs(const std::string& file, const std::string& key) {
  std::istringstream in(read_cached(file, key));
  MeasuredCosts costs;
  for (std::string name; in >> name;) {
    double seconds = 0;
    if (!(in >> seconds) || !is_credible(name, seconds)) return {};
    costs[name] = seconds;
  }
  return costs;
}

void write_costs(const std::string& file, const std::string& key, const MeasuredCosts& costs) {
  std::string text;
  for (const auto& [name, seconds] : costs) text += name + " " + number_text(seconds) + "\n";
  write_cached(file, key, text);
}

}  // namespace nowsim
