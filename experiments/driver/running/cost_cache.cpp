// A text file: the key, then a row per line.
#include "experiments/driver/running/cost_cache.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "experiments/driver/points/experiment.hpp"
#include "experiments/driver/running/cost_table.hpp"
#include "experiments/driver/text/checksum.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/direct/availability_lanes.hpp"

namespace nowsim {
namespace fs = std::filesystem;
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// A path that is not absolute is ignored, as the XDG Base Directory Specification says.
fs::path cache_folder() {
  if (const fs::path folder = environment("XDG_CACHE_HOME"); folder.is_absolute()) return folder;
  const fs::path home = environment("HOME");
  return home.is_absolute() ? home / ".cache" : fs::path();
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 1);
  return " unknown";
}

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
  return std::string("nowsim ") + version() + kCalibrations + processor() + " " +
         std::to_string(std::ranges::max(AvailabilityLanes::widths_here()));
}

std::string cost_file(const std::string& key) {
  const fs::path folder = cache_folder();
  return folder.empty() ? "" : (folder / "nowsim" / ("costs-" + std::to_string(static_cast<std::uint64_t>(checksum(key))) + ".txt")).string();
}

MeasuredCosts read_costs(const std::string& file, const std::string& key) {
  std::ifstream in(file);
  std::string line;
  if (!std::getline(in, line) || line != key) return {};
  MeasuredCosts costs;
  for (std::string name; in >> name;) {
    double seconds = 0;
    if (!(in >> seconds) || !is_credible(name, seconds)) return {};
    costs[name] = seconds;
  }
  return costs;
}

void write_costs(const std::string& file, const std::string& key, const MeasuredCosts& costs) {
  if (file.empty()) return;
  std::error_code ignored;
  fs::create_directories(fs::path(file).parent_path(), ignored);
  const std::string made = file + "." + std::to_string(getpid());
  std::ofstream out(made);
  out << key << '\n';
  for (const auto& [name, seconds] : costs) out << name << ' ' << number_text(seconds) << '\n';
  out.close();
  if (out) fs::rename(made, file, ignored);
  if (!out || ignored) fs::remove(made, ignored);
}

}  // namespace nowsim
