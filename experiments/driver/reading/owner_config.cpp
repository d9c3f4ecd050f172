// Which block describes which workstation or its link, in the experiment and on the platform; hours laid over a model.
#include "experiments/driver/reading/owner_config.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"
#include "sim/platform/network_shape.hpp"

namespace nowsim {
namespace {

// ---- hours of the day or week, laid over a model ---------------------------------------------------------------------

const std::string kDiurnalStart = "diurnal.start";

/// 24 means of a day, or 168 of a week where those will do too; empty after a problem.
std::vector<double> read_hours(Reader& read, const std::string& key, bool week_too = false) {
  const std::size_t problems = read.reading().problems.found();
  auto hours = read.values(key);
  if (read.reading().problems.found() > problems) return {};
  if (hours.size() == kHoursOfDay || (week_too && hours.size() == kHoursOfWeek)) return hours;
  const std::string found =
      hours.size() == 1 ? "there is 1 value" : "there are " + std::to_string(hours.size()) + " values";
  read.problem(key, found + "; a mean availability per hour is wanted, 24 of a day" +
                        (week_too ? " or 168 of a week from Monday on" : ""));
  return {};
}

/// Five weekdays, Saturday and Sunday; empty after a problem.
std::vector<double> read_days(Reader& read) {
  const auto weekdays = read_hours(read, "diurnal.weekdays");
  std::vector<double> week;
  bool complete = !weekdays.empty();
  for (int day = 0; day < 5; ++day) week.insert(week.end(), weekdays.begin(), weekdays.end());
  for (const std::string key : {"diurnal.saturday", "diurnal.sunday"}) {
    const auto hours = read.has(key) ? read_hours(read, key) : weekdays;
    complete &= !hours.empty();
    week.insert(week.end(), hours.begin(), hours.end());
  }
  return complete ? week : std::vector<double>{};
}

/// Who describes one day of the weekend has thought of the other, which counts as a weekday where it is not given.
std::string remark_on_weekend(Reader& read) {
  const bool has_saturday = read.has("diurnal.saturday"), has_sunday = read.has("diurnal.sunday");
  if (has_saturday == has_sunday) return "";
  const std::string given = has_saturday ? "saturday" : "sunday", other = has_saturday ? "sunday" : "saturday";
  return read.place("diurnal." + given).text() + ": there is no '" + other +
         "' beside it: that day then is as a weekday; give its 24 hours, the same again or those of weekdays";
}

/// The hours by either way of writing them; empty after a problem.
std::vector<double> read_pattern(Reader& read) {
  const bool by_day = read.has("diurnal.weekdays") || read.has("diurnal.saturday") || read.has("diurnal.sunday");
  if (!by_day && !read.has("diurnal.hours")) {
    read.problem("diurnal.hours",
                 "this key is missing: 24 mean availabilities, one per hour of the day, or 168 of the "
                 "week; or in its place weekdays, saturday and sunday, 24 each");
    return {};
  }
  if (!by_day) return read_hours(read, "diurnal.hours", true);
  if (!read.has("diurnal.hours")) return read_days(read);
  read.problem("diurnal.hours", "hours and weekdays, saturday, sunday say the same in two ways: give one of them");
  return {};
}

/// 0 for Monday; nothing for what is no day. Three letters are enough.
std::optional<int> day_number(std::string_view word) {
  static constexpr std::string_view kDays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                               "friday", "saturday", "sunday"};
  std::string low(word);
  std::transform(low.begin(), low.end(), low.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (int day = 0; day < 7; ++day)
    if (low.size() >= 3 && kDays[day].starts_with(low)) return day;
  return std::nullopt;
}

/// "18:00" as seconds since midnight; nothing for what is no time of day.
std::optional<double> time_of_day(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == text.npos || colon == 0 || colon > 2 || text.size() != colon + 3) return std::nullopt;
  const auto number = [](std::string_view digits) {
    int n = 0;
    for (const char c : digits) n = c >= '0' && c <= '9' ? 10 * n + (c - '0') : 1000;
    return n;
  };
  const int hours = number(text.substr(0, colon)), minutes = number(text.substr(colon + 1));
  if (hours > 23 || minutes > 59) return std::nullopt;
  return 3600.0 * hours + 60.0 * minutes;
}

/// A day, a time of day, or both; seconds since the pattern's beginning, or nothing after a problem.
std::optional<double> read_clock(Reader& read, std::string_view text, bool by_week) {
  const auto blank = text.find(' ');
  const auto time = time_of_day(blank == text.npos ? text : trimmed(text.substr(blank)));
  const auto day = blank == text.npos ? std::nullopt : day_number(text.substr(0, blank));
  if (!time || (blank != text.npos && !day)) {
    read.problem(kDiurnalStart, quoted(text) +
                             " is no time at which a job can start, such as '18:00', 'Mon 18:00' or random; "
                             "a day has 24 hours, from 00:00 to 23:59");
    return std::nullopt;
  }
  if (by_week && !day) {
    read.problem(kDiurnalStart, quoted(text) +
                             " leaves open which day: this pattern is one of a week, so it starts at, say, "
                             "'Mon " +
                             std::string(text) + "'");
    return std::nullopt;
  }
  return *time + (by_week ? 86400.0 * *day : 0.0);
}

/// @returns whether the start could be read.
bool read_start(Reader& read, DiurnalPattern& pattern) {
  const std::size_t problems = read.reading().problems.found();
  const std::string text = read.text(kDiurnalStart);
  const bool by_week = pattern.mean_by_hour.size() == kHoursOfWeek;
  if (text == "random" || read.reading().problems.found() > problems)
    return read.reading().problems.found() == problems;
  if (!text.starts_with('=') && text.find(':') != text.npos) {
    pattern.start_s = read_clock(read, text, by_week);
    return pattern.start_s.has_value();
  }
  if (const auto bare = to_number(text); bare && *bare != 0) {
    read.problem(kDiurnalStart, "is that " + text + ":00, " + text + "h, or seconds? Say it with a unit or as a time of day");
    return false;
  }
  const double period = kHour_s * static_cast<double>(pattern.mean_by_hour.size());
  const double start = read.quantity(kDiurnalStart, Dimension::time, {0, period});
  if (start >= period)
    read.problem(kDiurnalStart, "a job starts before the end of the pattern, which is as long as " +
                             number_text(period / kHour_s) + "h; its beginning is 0h");
  pattern.start_s = start;
  return read.reading().problems.found() == problems;
}

/// The pattern by hour of a block `diurnal:` within an owner's, or nothing where it is not there and after a problem, which
/// is noted; its keys are those of owner_patterns(). @param remark what is worth saying of it, or left as it is.
std::optional<DiurnalPattern> read_diurnal(Reader& read_block, std::string& remark) {
  if (!read_block.has_block("diurnal")) return std::nullopt;
  const KeyTable& keys = owner_patterns().front().keys;
  Reader read = read_block.with(keys);
  DiurnalPattern pattern{read_pattern(read), {}};
  if (pattern.mean_by_hour.empty()) {
    (void)read.has(kDiurnalStart);  // known, though nothing can be said of it
    return std::nullopt;
  }
  if (std::string weekend = remark_on_weekend(read); !weekend.empty()) remark = std::move(weekend);
  return read_start(read, pattern) ? std::optional(pattern) : std::nullopt;
}

// ---- whose block is whose ---------------------------------------------------------------------------------------------

constexpr std::size_t kEnough = 100;  // problems: more are not listed

/// A block that says of all workstations, or of some by name, what is available of something.
struct Block {
  std::string name;
  KeyTable OwnerCache::*keys;  ///< that choose its model
  const char* example;  ///< said where the block is one value
  [[nodiscard]] std::string by_name() const { return name + ".hosts."; }
  [[nodiscard]] auto settings_of_all(const Settings& settings) const { return settings_below(settings, name); }
  [[nodiscard]] auto settings_by_name(const Settings& settings) const { return settings_below(settings, name + ".hosts"); }
  /// Whether the experiment gives all workstations a model: any key of the block that is neither for one by name nor of
  /// the pattern, which lies over any model.
  [[nodiscard]] bool is_general(const Settings& settings) const {
    return std::ranges::any_of(settings_of_all(settings), [&](const auto& entry) {
      return !entry.first.starts_with(by_name()) && !entry.first.starts_with(name + ".diurnal.");
    });
  }
};
const Block kOwnerBlock{"owner", &OwnerCache::owner_keys, "an owner is a block such as {model: dedicated}, not one value"};
const Block kBandwidth{"bandwidth", &OwnerCache::bandwidth_keys, "a link's bandwidth is a block such as {model: dedicated}, not one value"};

/// Where a block within an owner's begins in a key; npos where there is none.
std::size_t block_in(const std::string& key) {
  for (const char* block : {".diurnal.", ".present."})
    if (const auto at = key.rfind(block); at != std::string::npos) return at;
  return std::string::npos;
}

/// The name of a workstation in a key below owner.hosts, as keys of a block are: names may hold dots.
std::string name_in(const std::string& below) {
  const auto in_block = block_in(below);
  return below.substr(0, in_block != std::string::npos ? in_block : below.rfind('.'));
}

/// Whether a key ends as one of some model does: then what is before it is a workstation's whole name.
bool ends_as_known(const OwnerCache& cache, const std::string& key) {
  const std::string last = key.substr(key.rfind('.') + 1);
  const auto has_it = [&](const OwnerModelInfo& model) { return std::ranges::count(model.keys, last, &Key::name) > 0; };
  return last == "model" || block_in(key) != std::string::npos || std::ranges::any_of(cache.models, has_it);
}

/// The workstation that a key below owner.hosts is about, or "". A key that no model knows may be below some block of
/// the workstation's: then it is the longest name that fits.
std::string host_of(const Block& block, const std::string& key, const std::set<std::string>& names,
                    const OwnerCache& cache) {
  const std::string below = key.substr(block.by_name().size());
  if (names.contains(below)) return below;
  std::string name = name_in(below);
  if (names.contains(name)) return name;
  if (ends_as_known(cache, key)) return "";
  for (auto end = name.rfind('.'); end != std::string::npos && end > 0; end = name.rfind('.')) {
    name.resize(end);
    if (names.contains(name)) return name;
  }
  return "";
}

/// "; did you mean 'x'?" of a name with a slip, or of the same host with or without its domain.
std::string meant_host(const std::string& name, const std::set<std::string>& names) {
  if (std::string near = did_you_mean(name, {names.begin(), names.end()}); !near.empty()) return near;
  const auto label = [](const std::string& host) { return host.substr(0, host.find('.')); };
  const auto same = std::ranges::find(names, label(name), label);
  return same == names.end() ? "" : did_you_mean(*same, {*same});
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
    const std::string name = host_of(block, key, names, cache), below = key.substr(block.by_name().size());
    if (!name.empty() && name != below) {
      described.insert(name);
      continue;
    }
    reading.asked.insert(key);
    if (!name.empty() && !setting.broken) reading.problems.add(setting.place, block.example);
    if (name.empty() && host_of(block, key, all_names, cache).empty()) {
      const std::string unknown = name_in(below);
      const bool is_listed = reading.problems.list().size() < kEnough;
      reading.problems.add(setting.place, "there is no workstation '" + unknown + "' on this platform" +
                                              (is_listed ? meant_host(unknown, names) : ""));
    }
  }
  return described;
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

// ---- models -----------------------------------------------------------------------------------------------------------

/// Workstations that lack what a key names, to be told in one sentence.
struct MissingOfHosts {
  Place place;
  std::string before, after;
  std::vector<std::string> hosts;
  std::set<std::string> known;  ///< the same
};

/// Has all of a model's keys count as known: after a problem it may not have asked for some.
void excuse_keys(Reader& read, const KeyTable& keys) {
  for (const Key& key : keys) static_cast<void>(read.has(key.name));
}

/// Reads what a block says of workstations.
class BlockReader {
 public:
  BlockReader(Reading& reading, const Block& block, OwnerCache& cache)
      : reading_(reading), block_(block), cache_(cache), is_general_(block.is_general(reading.settings)) {}

  /// A model per workstation: what the block says of it, else what `otherwise` does.
  template <class Otherwise>
  std::vector<OwnerPtr> models(const Platform& platform, const Platform* whole, const Otherwise& otherwise) {
    const auto described = described_hosts(reading_, platform, whole, block_, cache_);
    const bool once = is_general_ && says_the_same_of_all(reading_.settings, platform, block_);
    const std::size_t problems = reading_.problems.found();
    std::vector<OwnerPtr> models;
    models.reserve(platform.workstations.size());
    for (std::size_t i = 0; i < platform.workstations.size(); ++i) {
      const Workstation& w = platform.workstations[i];
      const bool own = described.contains(w.name);
      if (reading_.problems.found() >= problems + kEnough && !own) {
        models.push_back(dedicated_owner());
        continue;
      }
      const OwnerContext machine{w.name, i, platform.workstations.size(), w.cores, true, cache_.shared};
      OwnerPtr model = once && i > 0 ? models.front() : of_machine(machine, own);
      if (!model) model = otherwise(machine);
      const bool has_own = own && !std::ranges::empty(settings_below(reading_.settings, block_.by_name() + w.name + ".diurnal"));
      models.push_back(is_general_ || has_own ? model : under_pattern(model));
    }
    note_missing();
    return models;
  }

  /// The owner that the block at these scopes describes. Problems are noted; then the machine counts as dedicated.
  OwnerPtr read_owner(Reader read, OwnerContext machine) {
    const KeyTable& keys = cache_.*block_.keys;
    const auto chosen = read.with(keys).known_word("model");
    if (!chosen) {
      read.excuse_all();
      return dedicated_owner();
    }
    const OwnerModelInfo& model = *cache_.models.find(keys.front().words[*chosen]);
    Reader own = read.with(model.keys);
    const std::size_t problems = reading_.problems.found();
    try {
      machine.by_hour = read.has_block("diurnal");
      OwnerPtr owner = with_pattern(read, model.make(own, machine));
      if (reading_.problems.found() > problems) excuse_keys(own, model.keys);
      return owner;
    } catch (const InfeasibleError& e) {
      throw InfeasibleError(e.place(), e.sentence() + read.written("TH") + read.written("SH") + read.written("mean"));
    } catch (const MissingOfHost& e) {
      gather_missing(e, own.place(e.key));
    } catch (const InputError& e) {
      note_problem_of_file(read, read.has("file") ? "file" : "model", e);
    }
    excuse_keys(own, model.keys);
    return dedicated_owner();
  }
  void note_missing() const {
    for (const auto& m : missing_) reading_.problems.add(m.place, m.before + " " + some_names(m.hosts) + m.after);
  }

 private:
  /// Under the pattern that the block has of all workstations, whatever their models.
  OwnerPtr under_pattern(OwnerPtr owner) {
    Reader read(reading_, {block_.name});
    return read.has_block("diurnal") ? with_pattern(read, std::move(owner)) : owner;
  }
  /// What the block says of a workstation; null where it says nothing. `own`: it has a block by name.
  OwnerPtr of_machine(OwnerContext machine, bool own) {
    const std::string& name = block_.name;
    if (!own) return is_general_ ? read_owner(Reader(reading_, {name}), machine) : nullptr;
    const std::string scope = block_.by_name() + machine.host;
    // A block with a model stands for itself; without one it changes keys of the general block.
    const bool own_model = reading_.settings.contains(scope + ".model") || !is_general_;
    machine.spread = !own_model && !reading_.settings.contains(scope + ".TH");
    return read_owner(Reader(reading_, own_model ? std::vector{scope} : std::vector<std::string>{scope, name}), machine);
  }
  /// With what the block lays over the model, made once for all workstations with the same of both.
  OwnerPtr with_pattern(Reader& read, OwnerPtr owner) {
    std::string remark;
    const auto pattern = read_diurnal(read, remark);
    if (!remark.empty()) cache_.shared.note(NoteOn::weekends, remark);
    if (!pattern) return owner;
    OwnerPtr& known = cache_.diurnal[{owner, diurnal_text(*pattern)}];
    if (!known) known = diurnal_owner(std::move(owner), *pattern);
    return known;
  }
  void gather_missing(const MissingOfHost& error, const Place& place) {
    const auto is_same = [&](const MissingOfHosts& known) {
      return known.place.text() == place.text() && known.before == error.before && known.after == error.after;
    };
    auto found = std::ranges::find_if(missing_, is_same);
    if (found == missing_.end()) found = missing_.insert(found, {place, error.before, error.after, {}, {}});
    if (found->known.insert(error.host).second) found->hosts.push_back(error.host);
  }

  Reading& reading_;
  const Block& block_;
  OwnerCache& cache_;
  const bool is_general_;
  std::vector<MissingOfHosts> missing_;
};

/// The platform's property `owner` holds a block in YAML, read once for all points.
OwnerPtr owner_from_property(Reading& reading, const Platform& platform, OwnerContext machine, OwnerCache& cache) {
  const std::string place = platform.source + " (property owner of " + machine.host + ")";
  const std::string& text = platform.workstations[machine.index].extras->properties.at("owner");
  machine.spread = false;  // SH is a matter of all workstations, not of one's own property
  OwnerPtr& known = cache.properties[place + "\n" + text + "\n" + std::to_string(machine.index) + " of " +
                                     std::to_string(machine.count)];
  if (known) return known;
  Settings settings;
  try {
    flatten(parse_yaml(text, place), place, "owner", settings, reading.problems);
  } catch (const InputError& e) {
    reading.problems.add(e);
    return dedicated_owner();
  }
  if (const auto found = settings.find("owner"); found != settings.end()) {
    if (!found->second.broken) reading.problems.add(found->second.place, kOwnerBlock.example);
    return dedicated_owner();
  }
  std::set<std::string> asked;
  Reading own{settings, reading.problems, asked, reading.formulas, reading.variables, {}, reading.files};
  BlockReader block(own, kOwnerBlock, cache);
  OwnerPtr owner = block.read_owner(Reader(own, {"owner"}), machine);
  block.note_missing();
  for (const auto& [key, setting] : settings)
    if (!asked.contains(key)) reading.problems.add(setting.place, "this key is not known here");
  return known = owner;
}

/// The owner that the platform's file gives a workstation.
OwnerPtr owner_on_platform(Reading& reading, const Platform& platform, const OwnerContext& machine, OwnerCache& cache) {
  const auto& extras = platform.workstations[machine.index].extras;
  if (extras->properties.contains("owner")) return owner_from_property(reading, platform, machine, cache);
  if (!extras->speed_profile) return dedicated_owner();
  OwnerPtr& owner = cache.speed_files[extras->speed_profile];
  if (!owner) owner = profile_owner(extras->speed_profile, "the platform's speed_file");
  return owner;
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
                                    " are correlated, but their intervals have lengths of two laws: give both the same "
                                    "interval, length and shape, or one of them correlation: 0");
    return;
  }
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
  auto owners = BlockReader(reading, kOwnerBlock, cache).models(platform, whole, [&](const OwnerContext& machine) {
    return owner_on_platform(reading, platform, machine, cache);
  });
  check_common_lengths(reading, platform, kOwnerBlock, owners);
  return owners;
}

std::vector<std::string> hosts_without_owner(const Settings& settings, const Platform& platform) {
  std::set<std::string> described;
  const auto begin = kOwnerBlock.by_name().size();
  for (const auto& [key, setting] : kOwnerBlock.settings_by_name(settings)) described.insert(name_in(key.substr(begin)));
  std::vector<std::string> names;
  if (described.empty() || kOwnerBlock.is_general(settings)) return names;
  for (const auto& w : platform.workstations)
    if (!described.contains(w.name) && !w.extras->properties.contains("owner") && !w.extras->speed_profile)
      names.push_back(w.name);
  return names;
}

std::vector<OwnerPtr> read_bandwidth(Reading& reading, const std::shared_ptr<const Platform>& platform,
                                     OwnerCache& cache, double limit_s, const Platform* whole) {
  auto models = BlockReader(reading, kBandwidth, cache).models(*platform, whole, [](const OwnerContext&) {
    return dedicated_owner();
  });
  if (std::ranges::all_of(models, &Owner::is_dedicated)) return {};
  check_some_is_left(reading, *platform, models);
  check_common_lengths(reading, *platform, kBandwidth, models);
  if (const std::string& why = why_links_cannot_vary(platform, cache, limit_s); !why.empty())
    Reader(reading, {kBandwidth.name}).problem("model", "the bandwidth cannot vary: " + why);
  return models;
}

}  // namespace nowsim
