// Reading the `platform:` block, with a cache over points.
#include "experiments/driver/reading/platform_config.hpp"

#include <algorithm>
#include <limits>

#include "experiments/driver/reading/failures_config.hpp"
#include "experiments/driver/reading/platform_file_config.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/generate_platform.hpp"

namespace nowsim {
namespace {

using PlatformPtr = std::shared_ptr<const Platform>;

/// What the cache is keyed by: the description, exactly.
std::string cache_key(const GeneratedPlatform& d) {
  std::string key = std::to_string(static_cast<int>(d.network)) + " " + std::to_string(d.cores);
  for (double x : {d.bandwidth_Bps, d.latency_s}) key += " " + number_text(x);
  for (std::size_t i = 0; i < d.names.size(); ++i) key += "\n" + d.names[i] + " " + number_text(d.speed_flops[i]);
  return key;
}

std::vector<std::string> numbered_names(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i <= count; ++i) names.push_back("ws" + std::to_string(i));
  return names;
}

/// s_i by a formula in i, which counts the workstations from 1; up to the first problem.
std::vector<double> speeds_by_formula(Reader& read, std::size_t count) {
  if (read.has("speed_ratio")) read.problem("speed_ratio", "it goes with one speed, not with a formula in i");
  std::vector<double> speeds(count, 1.0);
  auto& i = read.reading().variables["i"];
  const auto problems = read.reading().problems.found();
  for (std::size_t k = 0; k < count && read.reading().problems.found() == problems; ++k) {
    i = static_cast<double>(k + 1);
    speeds[k] = read.quantity("speed", Dimension::speed, kPositive);
  }
  read.reading().variables.erase("i");
  return speeds;
}

/// s_i linear in i, from the first workstation's to speed_ratio times as much at the last (HL Fig. 21).
std::vector<double> rising_speeds(Reader& read, std::size_t count) {
  const double first = read.quantity("speed", Dimension::speed, kPositive, 1.0);
  const double ratio = read.quantity("speed_ratio", Dimension::number, kPositive, 1.0);
  if (count == 1 && ratio != 1) read.problem("speed_ratio", "one workstation has no other to be faster or slower than");
  std::vector<double> speeds(count, first);
  for (std::size_t i = 1; i < count; ++i)
    speeds[i] = first * (1 + (ratio - 1) * static_cast<double>(i) / static_cast<double>(count - 1));
  return speeds;
}

std::vector<double> read_speeds(Reader& read, std::size_t count) {
  if (!read.has("speeds"))
    return read.depends_on("speed", "i") ? speeds_by_formula(read, count) : rising_speeds(read, count);
  if (read.has("speed_ratio"))
    read.problem("speed_ratio", "it goes with speed (of the first workstation), not with speeds (a list)");
  auto speeds = read.quantities("speeds", Dimension::speed, kPositive);
  if (read.has("speed")) read.problem("speed", "give either speed (the same for all) or speeds (a list)");
  if (speeds.size() < count)
    read.problem("speeds", "there are " + std::to_string(speeds.size()) + " speeds for " + std::to_string(count) + " workstations");
  speeds.resize(count, 1.0);  // the first so many, as of a platform's file
  return speeds;
}

/// What a generated workstation takes [bytes]: described, made, kept, and as a line of XML; and its link.
constexpr double kBytesPerWorkstation = 500, kBytesPerLink = 500;

/// @throws InputError where there is not so much memory.
void require_memory_for(std::size_t workstations, bool has_links) {
  constexpr std::size_t kMany = 10'000;
  if (workstations < kMany) return;
  require_memory((kBytesPerWorkstation + (has_links ? kBytesPerLink : 0)) * static_cast<double>(workstations),
                 "a platform of " + std::to_string(workstations) + " workstations");
  if (workstations > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw InputError("there can be at most " + std::to_string(std::numeric_limits<int>::max()) + " workstations");
}

GeneratedPlatform read_description(Reader& read) {
  GeneratedPlatform d;
  d.names = read.texts("names");
  const auto listed = std::max(d.names.size(), read.texts("speeds").size());
  const auto count = static_cast<std::size_t>(
      read.count("workstations", static_cast<std::int64_t>(std::max<std::size_t>(listed, 1)), 1));
  if (d.names.empty()) require_memory_for(count, read.has("network"));
  if (d.names.empty()) d.names = numbered_names(count);
  if (d.names.size() > count) d.names.resize(count);
  if (d.names.size() < count)
    read.problem("names", "there are " + std::to_string(d.names.size()) + " names for " + std::to_string(count) + " workstations");
  d.speed_flops = read_speeds(read, d.names.size());
  d.cores = read.int_count("cores", 1, 1);
  d.network = static_cast<NetworkKind>(read.choice("network", {"none", "bus", "switch", "links"}, 0));
  if (d.network != NetworkKind::none) {
    d.bandwidth_Bps = read.quantity("bandwidth", Dimension::bandwidth, kPositive);
    d.latency_s = read.quantity("latency", Dimension::time, {}, 0.0);
  }
  return d;
}

/// As a file or a description says, whatever may fail.
PlatformPtr read_machines(Reader& read, PlatformCache& cache, double limit_s) {
  const std::string culprit = read.has("file") ? "file" : read.has("names") ? "names" : "workstations";
  try {
    if (read.has("file")) return read_platform_file(read, cache, limit_s);
    const GeneratedPlatform description = read_description(read);
    return cached(cache, cache_key(description), [&] { return generate_platform(description); });
  } catch (const InputError& e) {
    note_problem_of_file(read, culprit, e);
    return nullptr;
  }
}

}  // namespace

PlatformPtr read_platform(Reading& reading, PlatformCache& cache) {
  Reader read(reading, {"platform"});
  if (reading.settings.contains("platform")) return nullptr;  // not a section, which is noted elsewhere
  const double timeout_s = Reader(reading, {"run"}).quantity("timeout", Dimension::time, Bounds{}, 0.0);
  const double limit_s = timeout_s > 0 ? timeout_s : std::numeric_limits<double>::infinity();
  return with_failures(read, read_machines(read, cache, limit_s), cache);
}

}  // namespace nowsim
