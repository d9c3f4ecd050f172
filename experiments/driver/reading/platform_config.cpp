#include "experiments/driver/reading/platform_config.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <sstream>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/host_patterns.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/base/utf8.hpp"
#include "sim/platform/generate_platform.hpp"
#include "sim/platform/read_platform.hpp"

namespace nowsim {
namespace {

using PlatformPtr = std::shared_ptr<const Platform>;

/// The platform of this key, made when it is first asked for. What make() throws is passed on.
template <class Make>
PlatformPtr cached(PlatformCache& cache, const std::string& key, const Make& make) {
  auto& entry = cache[key];
  if (!entry) entry = std::make_shared<const Platform>(make());
  return entry;
}

using Indices = std::vector<std::size_t>;

/// "; did you mean 'x'?", else what there is, as far as it goes.
std::string advice(const std::string& name, const Words& known) {
  constexpr std::size_t kMost = 20;
  if (const std::string near = did_you_mean(name, known); !near.empty()) return near;
  const Words first(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(std::min(known.size(), kMost)));
  return known.empty() ? "" : "; there are: " + joined(first) + (known.size() > kMost ? ", ..." : "");
}

// ---- which machines of a file ----

/// The machines that the list at `key` names, in its order.
HostList named(Reader& read, const std::string& key, const HostLists& hosts) {
  return hosts.find(read.texts(key), [&](const std::string& sentence) { read.problem(key, sentence); });
}

/// One sentence for all names of a pattern; "" for a name that stands there itself.
std::string and_more(const Words& names, const std::string& word) {
  if (names.front() == word) return "";
  const std::string more = names.size() > 1 ? "; " + std::to_string(names.size() - 1) + " more like it" : "";
  return " (from '" + word + "'" + more + ")";
}

bool is_broken(Reader& read, const std::string& key) {
  const auto found = read.reading().settings.find("platform." + key);
  return found != read.reading().settings.end() && found->second.broken;
}

/// The experiment's sets.
std::map<std::string, HostList> own_sets(Reader& read, const HostLists& hosts) {
  std::map<std::string, HostList> sets;
  for (const auto& name : read.names_below("sets")) {
    const std::string key = "sets." + name;
    HostList set = named(read, key, hosts);
    if (set.machines.empty() && set.is_sure && !is_broken(read, key))
      read.problem(key, "a set has at least one workstation");
    sets[name] = std::move(set);
  }
  return sets;
}

/// Adds the sets of the platform's file, but for those that the experiment defines itself.
void add_sets_of_file(Reader& read, const Platform& platform, const HostLists& hosts,
                      std::map<std::string, HostList>& sets) {
  for (const auto& [name, set] : platform.sets) {
    const auto [place, is_new] = sets.try_emplace(name);
    if (!is_new) continue;
    const Place in_file{platform.source, set.line, "set " + name};
    place->second =
        hosts.find({set.hosts}, [&](const std::string& sentence) { read.reading().problems.add(in_file, sentence); });
  }
}

/// The machines of the set that is chosen. All sets are looked at: a wrong one would be found late, in some sweep.
HostList of_set(Reader& read, const Platform& platform, const HostLists& hosts) {
  std::map<std::string, HostList> sets = own_sets(read, hosts);
  add_sets_of_file(read, platform, hosts, sets);
  Words known;
  for (const auto& [name, set] : sets) known.push_back(name);
  if (!read.has("set")) {
    read.problem("set", "this key is missing: it says which set takes part" + advice("", known));
    return {{}, false};
  }
  const std::string name = read.name_or_number("set");
  if (const auto found = sets.find(name); found != sets.end()) return found->second;
  if (known.empty()) read.problem("set", "there are no sets: platform.sets lists the workstations of each");
  else if (!name.empty()) read.problem("set", "there is no set '" + name + "'" + advice(name, known));
  return {{}, false};
}

/// Which of a file's workstations take part: those named, those of a set, or all; of these the first so many.
Indices chosen(Reader& read, const Platform& platform) {
  const bool by_set = read.has("set") || read.has_block("sets");
  if (by_set && read.has("hosts")) read.problem("hosts", "give either hosts or a set (platform.set)");
  const HostLists hosts(platform);
  HostList out = by_set ? of_set(read, platform, hosts) : named(read, "hosts", hosts);
  if (out.machines.empty())
    for (std::size_t i = 0; i < platform.workstations.size(); ++i) out.machines.push_back(i);
  const auto all = out.machines.size();
  const auto count = static_cast<std::size_t>(read.whole_or("workstations", static_cast<std::int64_t>(all)));
  if (count <= all) out.machines.resize(count);
  else if (out.is_sure)
    read.problem("workstations",
                 std::to_string(count) + " workstations are more than the " + std::to_string(all) + " there are");
  return out.machines;
}

// ---- what is changed of them ----

/// The programs for which any machine has a power weight.
Words weighed_programs(const Platform& platform) {
  std::set<std::string> programs;
  for (const auto& w : platform.workstations)
    for (const auto& [property, value] : w.extras->properties)
      if (property.starts_with(kWeightProperty)) programs.insert(property.substr(std::strlen(kWeightProperty)));
  return {programs.begin(), programs.end()};
}

/// W_i of ZY's Definition 1: a program's speed here against its speed on a machine of weight 1. 1 after a problem.
double read_weight(Reader& read, const Workstation& w, const std::string& property, const Platform& platform) {
  const std::string& text = w.extras->properties.at(property);
  const auto weight = to_number(trimmed(text));
  if (weight && *weight > 0) return *weight;
  read.problem("weights", property + "=" + quoted(text) + " of workstation '" + w.name + "' in " + platform.source +
                              " is not a power weight, a number more than 0");
  return 1;
}

/// The speeds of a program on machines with power weights.
void read_weighed_speeds(Reader& read, const Platform& platform, PlatformChanges& changes) {
  if (!read.has_block("weights")) return;
  const auto problems = read.reading().problems.found();
  const std::string program = read.text("weights", {});
  if (read.reading().problems.found() > problems) return;
  if (!read.has("speed"))
    return read.problem("speed",
                        "this key is missing: with weights it is the speed of a machine of weight 1, such as 4.5Mf");
  const double speed = read.value("speed");
  for (const auto& w : platform.workstations) {
    const std::string property = kWeightProperty + program;
    if (!w.extras->properties.contains(property)) {
      const Words known = weighed_programs(platform);
      const std::string missing =
          "workstation '" + w.name + "' in " + platform.source + " has no property '" + property + "'";
      return read.problem("weights", missing + (contains(known, program) ? "" : advice(program, known)));
    }
    changes.speed_flops[w.name] = speed * read_weight(read, w, property, platform);
  }
}

bool varies(const Platform& platform, const std::string& link) {
  return std::ranges::any_of(platform.link_profiles, [&](const LinkProfile& p) {
    return p.link == link && p.quantity != ProfileQuantity::state;
  });
}

/// Whether the link's figures may be given; if not, why is noted at `key`.
bool can_change(Reader& read, const std::string& key, const std::string& link, const Words& known,
                const Platform& platform) {
  if (!contains(known, link))
    read.problem(key, "there is no link '" + link + "' in " + platform.source + advice(link, known));
  else if (varies(platform, link))
    read.problem(key, "the link '" + link + "' has a bandwidth or latency profile in " + platform.source +
                          ", which would count, not this");
  else return true;
  return false;
}

void read_links(Reader& read, const Platform& platform, PlatformChanges& changes) {
  const Words keys = read.names_below("links");
  if (keys.empty()) return;
  const Words known = changeable_links(platform);
  for (const auto& name : keys) {
    const std::string key = "links." + name;
    const auto dot = name.rfind('.');
    const std::string link = name.substr(0, dot), figure = dot == std::string::npos ? "" : name.substr(dot + 1);
    if (figure.empty() && !is_broken(read, key))
      read.problem(key, "a link's figures are a block such as {bandwidth: 500kBps, latency: 1ms}, not one value");
    if ((figure != "bandwidth" && figure != "latency") || !can_change(read, key, link, known, platform)) continue;
    if (figure == "latency") changes.links[link].latency_s = read.quantity(key, Dimension::time);
    else changes.links[link].bandwidth_Bps = read.quantity(key, Dimension::bandwidth, kPositive);
  }
}

/// Begins the cache's keys of whole files.
constexpr const char* kWhole = "file ";

std::string key_of(const PlatformChanges& changes) {
  std::string key;
  const auto figure = [](const std::optional<double>& value) { return value ? number_text(*value) : "-"; };
  for (const auto& [name, speed] : changes.speed_flops) key += "\n" + name + " " + number_text(speed);
  for (const auto& [name, link] : changes.links)
    key += "\nlink " + name + " " + figure(link.bandwidth_Bps) + " " + figure(link.latency_s);
  return key;
}

/// How machines are joined where no file says it.
struct NetworkKeys {
  NetworkKind kind = NetworkKind::none;
  double bandwidth_Bps = 1e9, latency_s = 0;
};

NetworkKeys read_network(Reader& read) {
  NetworkKeys keys{static_cast<NetworkKind>(read.word("network"))};
  if (keys.kind == NetworkKind::none) return keys;
  keys.bandwidth_Bps = read.value("bandwidth");
  keys.latency_s = read.value("latency");
  return keys;
}

/// A file's machines on the network that is asked for, if any is. Null after a problem.
PlatformPtr on_network(Reader& read, PlatformPtr machines, const std::string& key, PlatformCache& cache) {
  const auto problems = read.reading().problems.found();
  const NetworkKeys network = read_network(read);
  if (network.kind != NetworkKind::none && machines->has_network())
    read.problem("network", machines->source + " has a network of its own; only machines that have none can be given one");
  if (network.kind == NetworkKind::none || read.reading().problems.found() > problems) return machines;
  std::string joined = "joined " + std::to_string(static_cast<int>(network.kind));
  for (const double x : {network.bandwidth_Bps, network.latency_s}) joined += " " + number_text(x);
  return cached(cache, joined + " " + key,
                [&] { return with_network(*machines, network.kind, network.bandwidth_Bps, network.latency_s); });
}

/// The part of it that is over a SimGrid file: file, hosts or set, workstations, weights with speed, links, and a network
/// where the file has none. Null after a problem with the file's name, which is noted. @throws InputError about the file, RunError where SimGrid takes longer to
/// read it than so many seconds.
PlatformPtr read_platform_file(Reader& read, PlatformCache& cache, double limit_s) {
  const auto [file, remark] = read.platform_file("file");
  if (file.empty()) return nullptr;
  const auto whole = cached(cache, kWhole + file + "\n" + remark, [limit_s, &path = file, &said = remark] {
    Platform platform = load_platform(path, limit_s);
    if (!said.empty()) platform.remarks.push_back(said);
    return platform;
  });
  const Indices machines = chosen(read, *whole);
  const bool all = machines.size() == whole->workstations.size() && std::ranges::is_sorted(machines);
  std::string key = "part of " + file;
  for (auto i : machines) key += " " + std::to_string(i);
  auto part = all ? whole : cached(cache, key, [&] { return whole->with(machines); });
  PlatformChanges changes;
  read_weighed_speeds(read, *part, changes);
  read_links(read, *part, changes);
  if (!changes.empty()) {
    key = "changed " + key + key_of(changes);
    part = cached(cache, key, [&] { return changed(*part, changes); });
  }
  return on_network(read, part, key, cache);
}

// ---- machines that are generated ----

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
  if (!is_broken(read, "drawn"))
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
  const NetworkKeys network = read_network(read);
  d.network = network.kind;
  d.bandwidth_Bps = network.bandwidth_Bps;
  d.latency_s = network.latency_s;
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

// ---- machines that fail ----

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

/// Each on for EXP(rate), off for EXP(1/repair), and so on.
Platform failing(Platform platform, const Failures& f) {
  const auto exponential = [](double rate_per_s) { return ProfileLaw{ProfileLaw::Kind::exponential, rate_per_s, 0}; };
  const auto fixed = [](double value) { return ProfileLaw{ProfileLaw::Kind::fixed, value, 0}; };
  Profile profile;
  profile.stochastic = profile.loop = true;
  profile.events = {{exponential(f.rate_per_s), fixed(0)}, {exponential(1 / f.repair_s), fixed(1)}};
  const auto shared = std::make_shared<const Profile>(profile);
  for (std::size_t i = f.spared; i < platform.workstations.size(); ++i)
    platform.workstations[i].extras.edit().state_profile = shared;
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
      {"network", KeyType::word, "none", "between them", {}, {"none", "bus", "switch", "links"}, false,
       made + ", a file that has none"},
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

const Platform* whole_platform(const PlatformCache& cache, const Platform& part) {
  if (part.is_generated) return nullptr;
  for (auto it = cache.lower_bound(kWhole); it != cache.end() && it->first.starts_with(kWhole); ++it)
    if (it->second && it->second->source == part.source) return it->second.get();
  return nullptr;
}

HostLists::HostLists(const Platform& platform) : platform_(platform) {
  for (std::size_t i = 0; i < platform.workstations.size(); ++i) places_.emplace(platform.workstations[i].name, i);
}

std::string HostLists::about_unknown(const Words& unknown, const std::string& word) const {
  constexpr std::size_t kEnough = 100;  // more are not listed: they need no names that may be meant
  Words known;
  if (unknown_++ < kEnough)
    for (const auto& w : platform_.workstations) known.push_back(w.name);
  const std::string& first = unknown.front();
  const auto is_idle = std::ranges::find_if(unknown, [&](const auto& n) { return !about_idle_host(platform_, n).empty(); });
  if (is_idle != unknown.end()) return about_idle_host(platform_, *is_idle) + and_more({*is_idle}, word);
  return "there is no workstation '" + first + "' in " + platform_.source +
         (first == word ? did_you_mean(first, known) : and_more(unknown, word) + lookalike_hint(word));
}

HostList HostLists::find(const std::vector<std::string>& items,
                         const std::function<void(const std::string&)>& fail) const {
  HostList list;
  std::vector<bool> is_in(places_.size(), false);
  const auto note = [&](const std::string& sentence) {
    list.is_sure = false;
    fail(sentence);
  };
  const auto names_of = [&](const std::string& word) -> Words {
    if (places_.contains(word)) return {word};
    try {
      return expand_host_pattern(word);
    } catch (const InputError& e) {
      note(e.what());
      return {};
    }
  };
  const auto add = [&](const std::string& word) {
    Words unknown, again;
    for (const auto& name : names_of(word)) {
      const auto place = places_.find(name);
      if (place == places_.end()) unknown.push_back(name);
      else if (is_in[place->second]) again.push_back(name);
      else {
        is_in[place->second] = true;
        list.machines.push_back(place->second);
      }
    }
    if (!unknown.empty()) note(about_unknown(unknown, word));
    if (!again.empty()) note("the workstation '" + again.front() + "' is named twice" + and_more(again, word));
  };
  for (const auto& item : items) {
    if (places_.contains(item)) {
      add(item);
      continue;
    }
    std::istringstream words(item);
    if ((words >> std::ws).eof()) note("a name is missing: '" + item + "' names no workstation");
    for (std::string word; words >> word;) add(word);
  }
  return list;
}

}  // namespace nowsim
