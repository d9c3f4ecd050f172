// Which block describes which workstation or its link, in the experiment and on the platform.
#include "experiments/driver/reading/owner_config.hpp"

#include <algorithm>
#include <set>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/network_shape.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kEnough = 100;  // problems: more are not listed

/// A block that says of all workstations, or of some by name, what is available of something.
struct Block {
  std::string name;
  KeyTable OwnerCache::*keys;  ///< that choose its model
  const char* example;  ///< said where the block is one value
  [[nodiscard]] std::string by_name() const { return name + ".hosts."; }
  [[nodiscard]] auto settings_of_all(const Settings& settings) const { return settings_below(settings, name); }
  [[nodiscard]] auto settings_by_name(const Settings& settings) const { return settings_below(settings, name + ".hosts"); }
};
const Block kOwnerBlock{"owner", &OwnerCache::owner_keys, "an owner is a block such as {model: dedicated}, not one value"};
const Block kBandwidth{"bandwidth", &OwnerCache::bandwidth_keys, "a link's bandwidth is a block such as {model: dedicated}, not one value"};

/// Workstations that lack what a key names, to be told in one sentence.
struct MissingOfHosts {
  Place place;
  std::string before, after;
  std::vector<std::string> hosts;
  std::set<std::string> known;  ///< the same
};

/// What readers of a block know of the workstation.
struct Context {
  const Block& block;
  const OwnerContext& machine;
  OwnerCache& cache;
  std::vector<MissingOfHosts>& missing;
};

void gather_missing(const MissingOfHost& error, const Place& place, const Context& context) {
  const auto is_same = [&](const MissingOfHosts& known) {
    return known.place.text() == place.text() && known.before == error.before && known.after == error.after;
  };
  auto found = std::ranges::find_if(context.missing, is_same);
  if (found == context.missing.end())
    found = context.missing.insert(found, {place, error.before, error.after, {}, {}});
  if (found->known.insert(error.host).second) found->hosts.push_back(error.host);
}

void note_missing(Reading& reading, const std::vector<MissingOfHosts>& missing) {
  for (const auto& m : missing) reading.problems.add(m.place, m.before + " " + some_names(m.hosts) + m.after);
}

/// With what the block lays over the model, made once for all workstations with the same of both.
OwnerPtr with_pattern(Reader& read, OwnerPtr owner, OwnerCache& cache) {
  std::string remark;
  const auto pattern = read_diurnal(read, remark);
  if (!remark.empty()) cache.shared.note(NoteOn::weekends, remark);
  if (!pattern) return owner;
  OwnerPtr& known = cache.diurnal[{owner, diurnal_text(*pattern)}];
  if (!known) known = diurnal_owner(std::move(owner), *pattern);
  return known;
}

/// Has all of a model's keys count as known: after a problem it may not have asked for some.
void excuse_keys(Reader& read, const KeyTable& keys) {
  for (const Key& key : keys) static_cast<void>(read.has(key.name));
}

/// The owner that the block at these scopes describes. Problems are noted; then the machine counts as dedicated.
OwnerPtr read_owner(Reader read, const Context& context) {
  const KeyTable& keys = context.cache.*context.block.keys;
  const auto chosen = read.with(keys).known_word("model");
  if (!chosen) {
    read.excuse_all();
    return dedicated_owner();
  }
  const OwnerModelInfo& model = *context.cache.models.find(keys.front().words[*chosen]);
  Reader own = read.with(model.keys);
  const std::size_t problems = read.reading().problems.found();
  try {
    OwnerContext machine = context.machine;
    machine.by_hour = read.has_block("diurnal");
    OwnerPtr owner = with_pattern(read, model.make(own, machine), context.cache);
    if (read.reading().problems.found() > problems) excuse_keys(own, model.keys);
    return owner;
  } catch (const InfeasibleError& e) {  // its sentence has its place
    throw InfeasibleError(e.what() + read.written("TH") + read.written("SH") + read.written("mean"));
  } catch (const MissingOfHost& e) {
    excuse_keys(own, model.keys);
    gather_missing(e, own.place(e.key), context);
    return dedicated_owner();
  } catch (const InputError& e) {
    excuse_keys(own, model.keys);
    note_problem_of_file(read, read.has("file") ? "file" : "model", e);
    return dedicated_owner();
  }
}

/// Where the name of a workstation ends in a key below owner.hosts, as keys of a block are: names may hold dots.
std::size_t end_of_name(const Block& block, const std::string& key) {
  const auto begin = block.by_name().size();
  if (const auto in_block = key.rfind(".diurnal."); in_block != std::string::npos && in_block >= begin) return in_block;
  const auto dot = key.rfind('.');
  return dot == std::string::npos || dot < begin ? key.size() : dot;
}

/// Whether a key ends as one of some model does: then what is before it is a workstation's whole name.
bool ends_as_known(const OwnerCache& cache, const std::string& key) {
  const std::string last = key.substr(key.rfind('.') + 1);
  const auto has_it = [&](const KeyTable& keys) { return std::ranges::count(keys, last, &Key::name) > 0; };
  return last == "model" || key.find(".diurnal.") != std::string::npos ||
         std::ranges::any_of(cache.models, [&](const OwnerModelInfo& model) { return has_it(model.keys); });
}

/// The workstation that a key below owner.hosts is about, or "". A key that no model knows may be below some block of
/// the workstation's: then it is the longest name that fits.
std::string host_of(const Block& block, const std::string& key, const std::set<std::string>& names,
                    const OwnerCache& cache) {
  const auto begin = block.by_name().size();
  if (names.contains(key.substr(begin))) return key.substr(begin);
  auto end = end_of_name(block, key);
  if (std::string name = key.substr(begin, end - begin); names.contains(name) || ends_as_known(cache, key))
    return names.contains(name) ? name : "";
  while ((end = key.rfind('.', end - 1)) != std::string::npos && end > begin)
    if (std::string name = key.substr(begin, end - begin); names.contains(name)) return name;
  return "";
}

/// Whether the experiment describes all workstations: any key of the block that is not for one by name.
bool has_general_block(const Settings& settings, const Block& block) {
  return std::ranges::any_of(block.settings_of_all(settings),
                             [&](const auto& entry) { return !entry.first.starts_with(block.by_name()); });
}

/// Whether the general block says the same of every workstation: SH spreads TH over them, {host} stands for their
/// names, and owner jobs are for a number of cores.
bool says_the_same_of_all(const Settings& settings, const Platform& platform, const Block& block) {
  for (const auto& w : platform.workstations)
    if (w.cores != platform.workstations.front().cores) return false;
  return std::ranges::none_of(block.settings_of_all(settings), [&](const auto& entry) {
    const auto& [key, setting] = entry;
    const auto names_host = [](const std::string& text) { return text.find("{host}") != std::string::npos; };
    return key == block.name + ".SH" || key.starts_with(block.by_name()) ||
           std::ranges::any_of(setting.texts, names_host);
  });
}

/// The platform's property `owner` holds a block in YAML, read once for all points.
OwnerPtr owner_from_property(Reading& reading, const Platform& platform, const Workstation& w, const Context& context) {
  const std::string place = platform.source + " (property owner of " + w.name + ")";
  const std::string& text = w.extras->properties.at("owner");
  OwnerContext machine = context.machine;
  machine.spread = false;  // SH is a matter of all workstations, not of one's own property
  OwnerPtr& known = context.cache.properties[place + "\n" + text + "\n" + std::to_string(machine.index) + " of " +
                                             std::to_string(machine.count)];
  if (known) return known;
  Settings settings;
  try {
    flatten(parse_yaml(text, place), place, "owner", settings, reading.problems);
  } catch (const InputError& e) {
    reading.problems.add(e.what());
    return dedicated_owner();
  }
  std::set<std::string> asked;
  Reading own{settings, reading.problems, asked, reading.formulas, reading.variables, {}, reading.files};
  Reader read(own, {"owner"});
  std::vector<MissingOfHosts> missing;
  if (const auto found = settings.find("owner"); found != settings.end()) {
    if (!found->second.broken) reading.problems.add(found->second.place, kOwnerBlock.example);
    return dedicated_owner();
  }
  OwnerPtr owner = read_owner(read, {kOwnerBlock, machine, context.cache, missing});
  note_missing(own, missing);
  for (const auto& [key, setting] : settings)
    if (!asked.contains(key)) reading.problems.add(setting.place, "this key is not known here");
  return known = owner;
}

/// What the experiment's block says of a workstation; null where it says nothing. `own`: it has a block by name.
OwnerPtr model_in_block(Reading& reading, const Context& context, bool general, bool own) {
  const std::string& name = context.block.name;
  if (!own) return general ? read_owner(Reader(reading, {name}), context) : nullptr;
  const std::string scope = context.block.by_name() + context.machine.host;
  // A block with a model stands for itself; without one it changes keys of the general block.
  const bool own_model = reading.settings.contains(scope + ".model") || !general;
  OwnerContext machine = context.machine;
  machine.spread = !own_model && !reading.settings.contains(scope + ".TH");
  return read_owner(Reader(reading, own_model ? std::vector{scope} : std::vector<std::string>{scope, name}),
                    {context.block, machine, context.cache, context.missing});
}

/// The owner that the platform's file gives a workstation.
OwnerPtr owner_on_platform(Reading& reading, const Platform& platform, const Context& context) {
  const Workstation& w = platform.workstations[context.machine.index];
  if (w.extras->properties.contains("owner")) return owner_from_property(reading, platform, w, context);
  if (w.extras->speed_profile) {
    OwnerPtr& owner = context.cache.speed_files[w.extras->speed_profile];
    if (!owner) owner = profile_owner(w.extras->speed_profile, "the platform's speed_file");
    return owner;
  }
  return dedicated_owner();
}

/// "; did you mean 'x'?" of a name with a slip, or of the same host with or without its domain.
std::string meant_host(const std::string& name, const std::set<std::string>& names) {
  if (std::string near = did_you_mean(name, {names.begin(), names.end()}); !near.empty()) return near;
  const auto label = [](const std::string& host) { return host.substr(0, host.find('.')); };
  const auto same = std::ranges::find(names, label(name), label);
  return same == names.end() ? "" : did_you_mean(*same, {*same});
}

void note_unknown_host(Reading& reading, const Block& block, const std::string& key, const Setting& setting,
                       const std::set<std::string>& names) {
  const auto begin = block.by_name().size();
  const std::string name = key.substr(begin, end_of_name(block, key) - begin);
  reading.problems.add(setting.place, "there is no workstation '" + name + "' on this platform" +
                                          (reading.problems.list().size() < kEnough ? meant_host(name, names) : ""));
}

std::set<std::string> names_of(const Platform& platform) {
  std::set<std::string> names;
  for (const auto& w : platform.workstations) names.insert(w.name);
  return names;
}

/// The workstations that have a block by name. Notes blocks of workstations that are none, also on `whole`, the
/// platform that this one is some machines of (null where there is no other).
std::set<std::string> described_hosts(Reading& reading, const Platform& platform, const Platform* whole,
                                      const Block& block, const OwnerCache& cache) {
  std::set<std::string> described, names, all_names;
  for (const auto& [key, setting] : block.settings_by_name(reading.settings)) {
    if (names.empty()) {
      names = names_of(platform);
      if (whole != nullptr) all_names = names_of(*whole);
    }
    const std::string name = host_of(block, key, names, cache);
    if (name.empty()) {
      if (host_of(block, key, all_names, cache).empty()) note_unknown_host(reading, block, key, setting, names);
      reading.asked.insert(key);
    } else if (key.size() == block.by_name().size() + name.size()) {
      if (!setting.broken) reading.problems.add(setting.place, block.example);
      reading.asked.insert(key);
    } else {
      described.insert(name);
    }
  }
  return described;
}

/// What correlated intervals share is one process: their lengths need one law.
void check_common_lengths(Reading& reading, const Platform& platform, const Block& block,
                          const std::vector<OwnerPtr>& owners) {
  std::size_t first = owners.size();
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (i > 0 && owners[i] == owners[i - 1]) continue;
    const Dependence common = owners[i]->dependence();
    if (common.kind != Dependence::Kind::intervals) continue;
    if (first == owners.size()) first = i;
    if (common == owners[first]->dependence()) continue;
    Reader(reading, {block.name})
        .problem("correlation", "workstations " + platform.workstations[first].name + " and " +
                                                          platform.workstations[i].name +
                                                          " are correlated, but their intervals have lengths of two "
                                                          "laws: give both the same interval, length and shape, or one "
                                                          "of them correlation: 0");
    return;
  }
}

/// A model per workstation: what the block says of it, else what `otherwise` does.
template <class Otherwise>
std::vector<OwnerPtr> read_block(Reading& reading, const Platform& platform, const Platform* whole, const Block& block,
                                 OwnerCache& cache, const Otherwise& otherwise) {
  const auto described = described_hosts(reading, platform, whole, block, cache);
  const bool general = has_general_block(reading.settings, block);
  const bool once = general && says_the_same_of_all(reading.settings, platform, block);
  const std::size_t problems = reading.problems.found();
  std::vector<OwnerPtr> models;
  models.reserve(platform.workstations.size());
  std::vector<MissingOfHosts> missing;
  for (std::size_t i = 0; i < platform.workstations.size(); ++i) {
    const Workstation& w = platform.workstations[i];
    if (reading.problems.found() >= problems + kEnough && !described.contains(w.name)) {
      models.push_back(dedicated_owner());
      continue;
    }
    const OwnerContext machine{w.name, i, platform.workstations.size(), w.cores, true, cache.shared};
    const Context context{block, machine, cache, missing};
    OwnerPtr model =
        once && i > 0 ? models.front() : model_in_block(reading, context, general, described.contains(w.name));
    models.push_back(model ? model : otherwise(context));
  }
  note_missing(reading, missing);
  return models;
}

/// "" where the workstations' own links can vary.
const std::string& why_links_cannot_vary(const std::shared_ptr<const Platform>& platform, OwnerCache& cache,
                                         double limit_s) {
  const auto [known, is_new] = cache.access_links.try_emplace(platform);
  try {
    if (is_new) check_own_links(*platform, limit_s);
  } catch (const InputError& e) {
    known->second = e.what();
  }
  return known->second;
}

/// A transfer over a link of which nothing is ever left would never end.
void check_some_is_left(Reading& reading, const Platform& platform, const std::vector<OwnerPtr>& models) {
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i]->mean() > 0) continue;
    Reader(reading, {kBandwidth.name})
        .problem("model", "nothing is ever left of the link of workstation " + platform.workstations[i].name);
    return;
  }
}

KeyTable keys_with(std::vector<std::string> models) {
  return {{"model", KeyType::word, kMustBeGiven, "which owner model; it has keys of its own", {}, std::move(models)},
          {"hosts", KeyType::block, "", "by workstation: keys that differ there, or a model of its own"}};
}

}  // namespace

KeyTable owner_keys(const Registry<OwnerModelInfo>& models) { return keys_with(words_in(models)); }

KeyTable bandwidth_keys(const Registry<OwnerModelInfo>& models) {
  std::vector<std::string> names;
  for (const auto& model : models)
    if (model.of_links) names.push_back(model.name);
  return keys_with(std::move(names));
}

OwnerCache::OwnerCache(const Registry<OwnerModelInfo>& known)
    : models(known), owner_keys(nowsim::owner_keys(known)), bandwidth_keys(nowsim::bandwidth_keys(known)) {}

std::vector<OwnerPtr> read_owners(Reading& reading, const Platform& platform, OwnerCache& cache,
                                  const Platform* whole) {
  auto owners = read_block(reading, platform, whole, kOwnerBlock, cache,
                           [&](const Context& context) { return owner_on_platform(reading, platform, context); });
  check_common_lengths(reading, platform, kOwnerBlock, owners);
  return owners;
}

std::vector<std::string> hosts_without_owner(const Settings& settings, const Platform& platform) {
  std::set<std::string> described;
  const auto begin = kOwnerBlock.by_name().size();
  for (const auto& [key, setting] : kOwnerBlock.settings_by_name(settings))
    described.insert(key.substr(begin, end_of_name(kOwnerBlock, key) - begin));
  std::vector<std::string> names;
  if (described.empty() || has_general_block(settings, kOwnerBlock)) return names;
  for (const auto& w : platform.workstations)
    if (!described.contains(w.name) && !w.extras->properties.contains("owner") && !w.extras->speed_profile)
      names.push_back(w.name);
  return names;
}

std::vector<OwnerPtr> read_bandwidth(Reading& reading, const std::shared_ptr<const Platform>& platform,
                                     OwnerCache& cache, double limit_s, const Platform* whole) {
  auto models = read_block(reading, *platform, whole, kBandwidth, cache,
                           [](const Context&) { return dedicated_owner(); });
  if (std::ranges::all_of(models, &Owner::is_dedicated)) return {};
  check_some_is_left(reading, *platform, models);
  check_common_lengths(reading, *platform, kBandwidth, models);
  if (const std::string& why = why_links_cannot_vary(platform, cache, limit_s); !why.empty())
    Reader(reading, {kBandwidth.name}).problem("model", "the bandwidth cannot vary: " + why);
  return models;
}

}  // namespace nowsim
