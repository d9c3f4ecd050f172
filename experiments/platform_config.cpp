// Reading the `platform:` block, with a cache over points.
#include "experiments/platform_config.hpp"

#include <algorithm>

#include "sim/platform_xml.hpp"
#include "sim/text.hpp"

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
  if (!read.has("speeds")) return rising_speeds(read, count);
  if (read.has("speed_ratio"))
    read.problem("speed_ratio", "it goes with speed (of the first workstation), not with speeds (a list)");
  auto speeds = read.quantities("speeds", Dimension::speed, kPositive);
  if (read.has("speed")) read.problem("speed", "give either speed (the same for all) or speeds (a list)");
  if (speeds.size() < count)
    read.problem("speeds", "there are " + std::to_string(speeds.size()) + " speeds for " + std::to_string(count) + " workstations");
  speeds.resize(count, 1.0);  // the first so many, as of a platform's file
  return speeds;
}

GeneratedPlatform read_description(Reader& read) {
  GeneratedPlatform d;
  d.names = read.texts("names");
  const auto listed = std::max(d.names.size(), read.texts("speeds").size());
  const auto count = static_cast<std::size_t>(
      read.count("workstations", static_cast<std::int64_t>(std::max<std::size_t>(listed, 1)), 1));
  if (d.names.empty()) d.names = numbered_names(count);
  if (d.names.size() > count) d.names.resize(count);
  if (d.names.size() < count)
    read.problem("names", "there are " + std::to_string(d.names.size()) + " names for " + std::to_string(count) + " workstations");
  d.speed_flops = read_speeds(read, d.names.size());
  d.cores = static_cast<int>(read.count("cores", 1, 1));
  d.network = static_cast<NetworkKind>(read.choice("network", {"none", "bus", "switch", "links"}, 0));
  if (d.network != NetworkKind::none) {
    d.bandwidth_Bps = read.quantity("bandwidth", Dimension::bandwidth, kPositive);
    d.latency_s = read.quantity("latency", Dimension::time, {}, 0.0);
  }
  return d;
}

/// Which of a file's workstations take part: those named, or the first so many.
std::vector<std::size_t> chosen(Reader& read, const Platform& platform) {
  std::vector<std::size_t> out;
  bool count_is_sure = true;
  const auto& all = platform.workstations;
  for (const auto& name : read.texts("hosts")) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Workstation& w) { return w.name == name; });
    if (found == all.end()) {
      std::vector<std::string> known;
      for (const auto& w : all) known.push_back(w.name);
      const std::string near = nearest_name(name, known);
      read.problem("hosts", "there is no workstation '" + name + "' in " + platform.source +
                                (near.empty() ? "" : "; did you mean '" + near + "'?"));
      count_is_sure = false;
      continue;
    }
    const auto index = static_cast<std::size_t>(found - all.begin());
    if (std::find(out.begin(), out.end(), index) == out.end()) {
      out.push_back(index);
    } else {
      read.problem("hosts", "the workstation '" + name + "' is named twice");
      count_is_sure = false;
    }
  }
  if (out.empty())
    for (std::size_t i = 0; i < all.size(); ++i) out.push_back(i);
  const auto count = read.count("workstations", static_cast<std::int64_t>(out.size()), 1);
  if (static_cast<std::size_t>(count) <= out.size()) out.resize(static_cast<std::size_t>(count));
  else if (count_is_sure)
    read.problem("workstations", std::to_string(count) + " workstations are more than the " + std::to_string(out.size()) + " there are");
  return out;
}

PlatformPtr cached(PlatformCache& cache, const std::string& key, const auto& make) {
  auto& entry = cache[key];
  if (!entry) entry = std::make_shared<Platform>(make());
  return entry;
}

PlatformPtr from_file(Reader& read, PlatformCache& cache) {
  const std::string file = read.path("file");
  if (file.empty()) return nullptr;
  const auto whole = cached(cache, "file " + file, [&] { return load_platform(file); });
  const auto indices = chosen(read, *whole);
  if (indices.size() == whole->workstations.size() && std::is_sorted(indices.begin(), indices.end())) return whole;
  std::string key = "part of " + file;
  for (auto i : indices) key += " " + std::to_string(i);
  return cached(cache, key, [&] { return whole->with(indices); });
}

}  // namespace

PlatformPtr read_platform(Reading& reading, PlatformCache& cache) {
  Reader read(reading, {"platform"});
  if (reading.settings.contains("platform")) return nullptr;  // not a section, which is noted elsewhere
  const std::string culprit = read.has("file") ? "file" : read.has("names") ? "names" : "workstations";
  try {
    if (read.has("file")) return from_file(read, cache);
    const GeneratedPlatform description = read_description(read);
    return cached(cache, cache_key(description), [&] { return generate_platform(description); });
  } catch (const InputError& e) {
    note_problem_of_file(read, culprit, e);
    return nullptr;
  }
}

}  // namespace nowsim
