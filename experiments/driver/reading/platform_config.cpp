#include "experiments/driver/reading/platform_config.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "sim/base/infinity.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/generate_platform.hpp"

namespace nowsim {
namespace {

using PlatformPtr = std::shared_ptr<const Platform>;

std::string numbered_name(std::size_t i) { return "ws" + std::to_string(i + 1); }

/// What the cache is keyed by: the description, exactly. Short where machines are alike: it is kept as long as they
/// are.
std::string cache_key(const GeneratedPlatform& d) {
  std::string key = std::to_string(d.names.size()) + " " + std::to_string(static_cast<int>(d.network)) + " " +
                    std::to_string(d.cores);
  for (double x : {d.bandwidth_Bps, d.latency_s}) key += " " + number_text(x);
  for (std::size_t i = 0; i < d.names.size(); ++i) {
    key += '\n';
    if (d.names[i] != numbered_name(i)) key += d.names[i];
    if (i == 0 || d.speed_flops[i] != d.speed_flops[i - 1]) key += ' ' + number_text(d.speed_flops[i]);
  }
  return key;
}

std::vector<std::string> numbered_names(std::size_t count) {
  std::vector<std::string> names;
  names.reserve(count);
  for (std::size_t i = 0; i < count; ++i) names.push_back(numbered_name(i));
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
    speeds[k] = read.value("speed");
  }
  read.reading().variables.erase("i");
  return speeds;
}

/// s_i linear in i, from the first workstation's to speed_ratio times as much at the last (HL Fig. 21).
std::vector<double> rising_speeds(Reader& read, std::size_t count) {
  const double first = read.value("speed");
  const double ratio = read.value("speed_ratio");
  if (count == 1 && ratio != 1) read.problem("speed_ratio", "one workstation has no other to be faster or slower than");
  std::vector<double> speeds(count, first);
  for (std::size_t i = 1; i < count; ++i)
    speeds[i] = first * (1 + (ratio - 1) * static_cast<double>(i) / static_cast<double>(count - 1));
  return speeds;
}

/// One value in place of the block, which the keys below it would be read past without a word.
void refuse_drawn_value(Reader& read) {
  const auto found = read.reading().settings.find("platform.drawn");
  if (found == read.reading().settings.end() || !found->second.broken)
    read.problem("drawn", "this block is a map, such as {fastest: 2Gf, slowest: 1Gf, d_conf: 0.5}");
  read.excuse("drawn");
}

/// Drawn at random behind the first so many, which have `speed`. Up to the first problem.
std::vector<double> drawn_speeds(Reader& read, std::size_t count) {
  for (const char* other : {"speeds", "speed_ratio"})
    if (read.has(other)) read.problem(other, "it does not go with drawn, which says what the speeds are");
  if (read.has("drawn")) {
    refuse_drawn_value(read);
    return std::vector<double>(count, 1.0);
  }
  const auto problems = read.reading().problems.found();
  const auto spared = static_cast<std::size_t>(read.whole("drawn.spared"));
  std::vector<double> speeds(count, 1.0);
  if (spared > 0 || read.has("speed")) std::ranges::fill(speeds, read.value("speed"));
  if (read.has("speed") && spared == 0) read.problem("speed", "it is that of spared machines, and none is");
  if (!read.has("speed") && spared > 0)
    read.problem("drawn.spared", "machines that are spared have `speed`, which is not given, in place of a drawn one");
  if (spared >= count)
    read.problem("drawn.spared", "of " + std::to_string(count) + " workstations at most " + std::to_string(count - 1) +
                                     " can be spared, not " + std::to_string(spared));
  if (read.reading().problems.found() > problems) {
    read.excuse("drawn");
    return speeds;
  }
  DrawnSpeeds asked;
  asked.machines = count - spared;
  asked.distinct = static_cast<std::size_t>(
      read.whole_or("drawn.distinct", static_cast<std::int64_t>(asked.machines)));
  asked.fastest_flops = read.value("drawn.fastest");
  asked.slowest_flops = read.value("drawn.slowest");
  asked.d_conf = read.value("drawn.d_conf");
  asked.number = static_cast<std::uint64_t>(read.whole("drawn.number"));
  if (read.reading().problems.found() > problems) return speeds;
  try {
    std::ranges::copy(draw_speeds(asked), speeds.begin() + static_cast<std::ptrdiff_t>(spared));
  } catch (const InputError& e) {
    read.problem("drawn.d_conf", e.what());
  }
  return speeds;
}

std::vector<double> read_speeds(Reader& read, std::size_t count) {
  if (read.has_block("drawn")) return drawn_speeds(read, count);
  if (!read.has("speeds"))
    return read.depends_on("speed", "i") ? speeds_by_formula(read, count) : rising_speeds(read, count);
  if (read.has("speed_ratio"))
    read.problem("speed_ratio", "it goes with speed (of the first workstation), not with speeds (a list)");
  auto speeds = read.values("speeds");
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
      read.whole_or("workstations", static_cast<std::int64_t>(std::max<std::size_t>(listed, 1))));
  if (d.names.empty()) require_memory_for(count, read.has("network"));
  if (d.names.empty()) d.names = numbered_names(count);
  if (d.names.size() > count) d.names.resize(count);
  if (d.names.size() < count)
    read.problem("names", "there are " + std::to_string(d.names.size()) + " names for " + std::to_string(count) + " workstations");
  d.speed_flops = read_speeds(read, d.names.size());
  d.cores = static_cast<int>(read.whole("cores"));
  d.network = static_cast<NetworkKind>(read.word("network"));
  if (d.network != NetworkKind::none) {
    d.bandwidth_Bps = read.value("bandwidth");
    d.latency_s = read.value("latency");
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

struct Failures {
  double rate_per_s = 0;  ///< while it is on
  double repair_s = 0;    ///< mean
  std::size_t spared = 1; ///< the first machines, which never fail
};

/// Whether the rate is written as so many by a unit of time, which no number is; that is a problem.
bool has_unit(Reader& read) {
  const std::string text = read.has("failures.rate") ? read.text("failures.rate", {}) : "";
  const auto slash = text.find('/');
  if (slash == std::string::npos || text.front() == '=') return false;
  read.problem("failures.rate", quoted(text) +
                                    " is not a number: the rate is in failures per second, written without a "
                                    "unit; '= 1/3600' is one an hour");
  return true;
}

Failures read_block(Reader& read) {
  Failures f;
  if (has_unit(read)) {
    read.excuse("failures");
    return f;
  }
  f.rate_per_s = read.value("failures.rate");
  // Where nothing fails nothing is repaired: a sweep of the rate may begin at 0.
  const bool fails = f.rate_per_s > 0;
  f.repair_s = read.quantity("failures.repair", Dimension::time, fails ? kPositive : Bounds{},
                             fails ? std::optional<double>() : 0);
  f.spared = static_cast<std::size_t>(read.whole("failures.spared"));
  return f;
}

/// On for EXP(rate), off for EXP(1/repair), and so on.
Profile profile_of(const Failures& f) {
  const auto exponential = [](double rate_per_s) { return ProfileLaw{ProfileLaw::Kind::exponential, rate_per_s, 0}; };
  const auto fixed = [](double value) { return ProfileLaw{ProfileLaw::Kind::fixed, value, 0}; };
  Profile profile;
  profile.stochastic = profile.loop = true;
  profile.events = {{exponential(f.rate_per_s), fixed(0)}, {exponential(1 / f.repair_s), fixed(1)}};
  return profile;
}

/// Whether any machine is left to fail; a job on one machine has nobody but the first. Else that is a problem.
bool some_may_fail(Reader& read, const Platform& platform, const Failures& f) {
  const std::size_t n = platform.workstations.size();
  if (n == 1 || f.rate_per_s == 0 || f.spared < n) return true;
  read.problem("failures.spared", std::to_string(f.spared) + " of " + std::to_string(n) +
                                      " workstations are spared, so none ever fails; 'rate: 0' says so");
  return false;
}

/// Whether the machines that are to fail do not switch off and on by a file of their own; else that is a problem.
bool can_fail(Reader& read, const Platform& platform, const Failures& f) {
  for (std::size_t i = f.spared; i < platform.workstations.size(); ++i)
    if (const Workstation& w = platform.workstations[i]; w.extras->state_profile) {
      read.problem("failures.rate", "workstation '" + w.name + "' has a state_file of its own in " + platform.source +
                                        ", which says when it is off; it cannot fail by this rate as well");
      return false;
    }
  return true;
}

Platform failing(Platform platform, const Failures& f) {
  const auto profile = std::make_shared<const Profile>(profile_of(f));
  for (std::size_t i = f.spared; i < platform.workstations.size(); ++i)
    platform.workstations[i].extras.edit().state_profile = profile;
  return platform;
}

/// The cache keeps its platforms, so that an address stands for one.
std::string key_of(const Platform* platform, const Failures& f) {
  return "failures of " + std::to_string(reinterpret_cast<std::uintptr_t>(platform)) + " " + number_text(f.rate_per_s) +
         " " + number_text(f.repair_s) + " " + std::to_string(f.spared);
}

/// With what the block `failures:` says: every workstation but the first `spared` stays on for exponential times of rate
/// `rate` [1/s] and then off for exponential times of mean `repair` [s], each from its own stream. Without the block, with
/// rate 0 or of one machine that is spared, the platform (one of the cache's; may be null) itself. Problems are noted:
/// among them machines that have a state profile already, and that all are spared.
PlatformPtr with_failures(Reader& read, PlatformPtr platform, PlatformCache& cache) {
  if (!read.has_block("failures")) return platform;
  const auto problems = read.reading().problems.found();
  if (read.has("failures")) return platform;  // not a block, which is noted elsewhere
  const Failures f = read_block(read);
  if (!platform || read.reading().problems.found() > problems) return platform;
  if (!some_may_fail(read, *platform, f) || !can_fail(read, *platform, f)) return platform;
  if (f.rate_per_s == 0 || f.spared >= platform->workstations.size()) return platform;
  return cached(cache, key_of(platform.get(), f), [&] { return failing(*platform, f); });
}

}  // namespace

const KeyTable& platform_keys() {
  constexpr double kMostCores = std::numeric_limits<int>::max();
  const std::string file = "a platform file", made = "generated workstations",
                    network = "a network of bus, switch or links";
  static const KeyTable keys{
      {"workstations", KeyType::count, "", "how many; of a file the first so many. All where it is not given, or 1", {1}},
      {"file", KeyType::path, "", "a SimGrid platform", {}, {}, false, file},
      {"hosts", KeyType::text, "", "its machines that take part, in this order; fast-[0-15]", {}, {}, true, file},
      {"set", KeyType::text, "", "or a set of them", {}, {}, false, file},
      {"sets", KeyType::block, "", "sets by name, each a list of hosts", {}, {}, false, file},
      {"weights", KeyType::text, "", "a program: speeds are speed times the property weight:PROGRAM", {}, {}, false, file},
      {"links", KeyType::block, "", "by link: a bandwidth, a latency in place of the file's", {}, {}, false, file},
      {"speed", KeyType::speed, "1f", "of each, or a formula in i; with weights of a machine of weight 1", kPositive, {},
       false, made + ", power weights (platform.weights)"},
      {"speed_ratio", KeyType::number, "1", "on a line, from speed to so many times as much", kPositive, {}, false, made},
      {"speeds", KeyType::speed, "", "or one by one", kPositive, {}, true, made},
      {"drawn.distinct", KeyType::count, "", "or drawn: how many different ones; all differ where it is not given", {1},
       {}, false, made},
      {"drawn.fastest", KeyType::speed, kMustBeGiven, "the greatest of them", kPositive, {}, false, made},
      {"drawn.slowest", KeyType::speed, kMustBeGiven, "the least", kPositive, {}, false, made},
      {"drawn.d_conf", KeyType::number, kMustBeGiven, "their diversity, (max - mean)/mean (BZ 10), which is exact", {},
       {}, false, made},
      {"drawn.number", KeyType::count, "1", "which draw: each gives the same machines always", {}, {}, false, made},
      {"drawn.spared", KeyType::count, "0", "the first so many have speed in place of a drawn one", {}, {}, false, made},
      {"names", KeyType::text, "", "ws1, ws2, ... where they are not given", {}, {}, true, made},
      {"cores", KeyType::count, "1", "of each", {1, kMostCores}, {}, false, made},
      {"network", KeyType::word, "none", "between them", {}, {"none", "bus", "switch", "links"}, false, made},
      {"bandwidth", KeyType::bandwidth, kMustBeGiven, "of the network", kPositive, {}, false, network},
      {"latency", KeyType::time, "0s", "from one to another; half of it on each one's link", {}, {}, false, network},
      {"failures.rate", KeyType::number, kMustBeGiven, "failures per second of being on"},
      {"failures.repair", KeyType::time, kMustBeGiven, "mean time of being off"},
      {"failures.spared", KeyType::count, "1", "the first so many never fail"}};
  return keys;
}

PlatformPtr read_platform(Reading& reading, PlatformCache& cache) {
  Reader read(reading, {"platform"}, platform_keys());
  if (reading.settings.contains("platform")) return nullptr;  // not a section, which is noted elsewhere
  const double timeout_s = Reader(reading, {"run"}).quantity("timeout", Dimension::time, Bounds{}, 0.0);
  const double limit_s = timeout_s > 0 ? timeout_s : kInfinity;
  return with_failures(read, read_machines(read, cache, limit_s), cache);
}

}  // namespace nowsim
