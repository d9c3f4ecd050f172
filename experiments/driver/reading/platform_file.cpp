// The `platform:` block over a SimGrid file: machines by list, set or number, and what the experiment changes of them.
#include "experiments/driver/reading/platform_config.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/error.hpp"
#include "sim/base/host_patterns.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/read_platform.hpp"

namespace nowsim {
namespace {

using PlatformPtr = std::shared_ptr<const Platform>;
using Indices = std::vector<std::size_t>;

/// "; did you mean 'x'?", else what there is, as far as it goes.
std::string advice(const std::string& name, const Words& known) {
  constexpr std::size_t kMost = 20;
  if (const std::string near = did_you_mean(name, known); !near.empty()) return near;
  const Words first(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(std::min(known.size(), kMost)));
  return known.empty() ? "" : "; there are: " + joined(first) + (known.size() > kMost ? ", ..." : "");
}

// ---- which machines ----

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
void read_speeds(Reader& read, const Platform& platform, PlatformChanges& changes) {
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

}  // namespace

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
  read_speeds(read, *part, changes);
  read_links(read, *part, changes);
  if (changes.empty()) return part;
  return cached(cache, "changed " + key + key_of(changes), [&] { return changed(*part, changes); });
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
  return "there is no workstation '" + first + "' in " + platform_.source +
         (first == word ? did_you_mean(first, known) : and_more(unknown, word));
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
