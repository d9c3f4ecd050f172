// Which block describes which workstation or its link, in the experiment and on the platform; hours laid over a model.
#include "experiments/driver/reading/owner_config.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "experiments/driver/reading/run_start.hpp"
#include "sim/base/clock_text.hpp"
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

/// Since the pattern's beginning.
double start_in_pattern_s(const ClockMoment& start, bool by_week) {
  return start.of_day_s + (by_week ? 86400.0 * start.weekday.value_or(0) : 0.0);
}

/// A time of day, perhaps of a weekday or of a date; seconds since the pattern's beginning, or nothing after a problem.
std::optional<double> read_clock(Reader& read, const std::string& text, bool by_week) {
  try {
    const ClockMoment start = lasting_moment(read_clock_text(text), text);
    if (!by_week || start.weekday) return start_in_pattern_s(start, by_week);
    read.problem(kDiurnalStart, quoted(text) +
                                    " leaves open which day: this pattern is one of a week, so it starts at, say, "
                                    "'Mon " +
                                    text + "'");
  } catch (const InputError& e) {
    read.problem(kDiurnalStart, e.sentence());
  }
  return std::nullopt;
}

/// What the block itself says. @returns whether it could be read.
bool read_own_start(Reader& read, DiurnalPattern& pattern, bool by_week) {
  const std::size_t problems = read.reading().problems.found();
  const std::string text = read.text(kDiurnalStart);
  if (text == "random" || read.reading().problems.found() > problems)
    return read.reading().problems.found() == problems;
  if (!text.starts_with('=') && is_about_clock(text)) {
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

/// Where the block says none, the run's. @returns whether it could be read.
bool read_start(Reader& read, DiurnalPattern& pattern, const std::optional<ClockMoment>& of_run) {
  const bool by_week = pattern.mean_by_hour.size() == kHoursOfWeek, is_given = read.has(kDiurnalStart);
  if (!of_run) return read_own_start(read, pattern, by_week);
  const std::string run_start = "run.start, '" + clock_moment_text(*of_run) + "',";
  if (by_week && !of_run->weekday) {
    read.problem(kDiurnalStart, run_start + " leaves open which day: this pattern is one of a week, so a run starts at, say, "
                                            "'Mon " + clock_moment_text(*of_run) + "'");
    return false;
  }
  const double start_s = start_in_pattern_s(*of_run, by_week);
  if (is_given && !read_own_start(read, pattern, by_week)) return false;
  if (is_given && pattern.start_s != start_s) {
    read.problem(kDiurnalStart, quoted(read.text(kDiurnalStart)) + " is another moment than " + run_start +
                                    " which says it of the whole run: leave one of them out");
    return false;
  }
  pattern.start_s = start_s;
  return true;
}

/// The pattern by hour of a block `diurnal:` within an owner's, or nothing where it is not there and after a problem, which
/// is noted; its keys are those of owner_patterns(). @param of_run when the run starts, where that is said. @param remark what is worth saying of it, or left as it is.
std::optional<DiurnalPattern> read_diurnal(Reader& read_block, const std::optional<ClockMoment>& of_run, std::string& remark) {
  if (!read_block.has_block("diurnal")) return std::nullopt;
  const KeyTable& keys = owner_patterns().front().keys;
  Reader read = read_block.with(keys);
  DiurnalPattern pattern{read_pattern(read), {}};
  if (pattern.mean_by_hour.empty()) {
    (void)read.has(kDiurnalStart);  // known, though nothing can be said of it
    return std::nullopt;
  }
  if (std::string weekend = remark_on_weekend(read); !weekend.empty()) remark = std::move(weekend);
  return read_start(read, pattern, of_run) ? std::optional(pattern) : std::nullopt;
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
  for (const char* block : {".diurnal.", ".present.", ".comes.", ".left."})
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
      const std::string idle = about_idle_host(platform, unknown);
      reading.problems.add(setting.place, !idle.empty() ? idle
                                                        : "there is no workstation '" + unknown + "' on this platform" +
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
  /// @param start when the run starts.
  BlockReader(Reading& reading, const Block& block, OwnerCache& cache, const std::optional<ClockMoment>& start)
      : reading_(reading), block_(block), cache_(cache), start_(start), is_general_(block.is_general(reading.settings)) {}

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
      const OwnerContext machine{w.name, i, platform.workstations.size(), w.cores, true, cache_.shared, false, start_};
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
      OwnerPtr owner = with_pattern(read, model.make(own, machine), machine.start);
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
    return read.has_block("diurnal") ? with_pattern(read, std::move(owner), start_) : owner;
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
  OwnerPtr with_pattern(Reader& read, OwnerPtr owner, const std::optional<ClockMoment>& start) {
    std::string remark;
    const auto pattern = read_diurnal(read, start, remark);
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
  std::optional<ClockMoment> start_;
  const bool is_general_;
  std::vector<MissingOfHosts> missing_;
};

/// The platform's property `owner` holds a block in YAML, read once for all points.
OwnerPtr owner_from_property(Reading& reading, const Platform& platform, OwnerContext machine, OwnerCache& cache) {
  const std::string place = platform.source + " (property owner of " + machine.host + ")";
  const std::string& text = platform.workstations[machine.index].extras->properties.at("owner");
  machine.spread = false;  // SH is a matter of all workstations, not of one's own property
  const std::string start = machine.start ? " at " + clock_moment_text(*machine.start) : "";
  OwnerPtr& known = cache.properties[place + "\n" + text + "\n" + std::to_string(machine.index) + " of " +
                                     std::to_string(machine.count) + start];
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
  BlockReader block(own, kOwnerBlock, cache, machine.start);
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

/// Another time of another day.
ClockMoment another(ClockMoment start) {
  constexpr double kLater_s = 5 * 3600;
  start.of_day_s = start.of_day_s < kLater_s ? start.of_day_s + kLater_s : start.of_day_s - kLater_s;
  if (start.weekday) start.weekday = (*start.weekday + 3) % 7;
  if (start.day) *start.day += 3;
  return start;
}

/// The models of workstations where the run starts then; a block's, by its reader and what else there is.
using ModelsAt = std::function<std::vector<OwnerPtr>(Reading&, OwnerCache&, const std::optional<ClockMoment>&)>;

/// Whether some of them go by the clock: they would be others, or refused, were the run to start at another time.
bool go_by_clock(Reading& reading, const OwnerCache& cache, const ClockMoment& start, const std::vector<OwnerPtr>& models,
                 const ModelsAt& models_at) {
  Problems problems;
  std::set<std::string> asked;
  Reading again{reading.settings,  problems,      asked,         reading.formulas, reading.variables,
                reading.block, reading.files, reading.machines};
  OwnerCache own = cache;  // its remarks are not about this run
  try {
    const auto others = models_at(again, own, another(start));
    return !problems.empty() || !std::ranges::equal(models, others, [](const OwnerPtr& a, const OwnerPtr& b) {
      return a == b || a->identity() == b->identity();
    });
  } catch (const InputError&) {
    return true;
  }
}

/// The models where the run starts as it says; and notes whether they go by the clock.
std::vector<OwnerPtr> models_at_start(Reading& reading, OwnerCache& cache, const ModelsAt& models_at) {
  const std::size_t problems = reading.problems.found();
  const auto start = read_run_start(reading);
  auto models = models_at(reading, cache, start);
  if (!start || reading.problems.found() > problems) return models;
  cache.clock.is_said = true;
  cache.clock.counts = cache.clock.counts || go_by_clock(reading, cache, *start, models, models_at);
  return models;
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
  const auto models_at = [&](Reading& at, OwnerCache& own, const std::optional<ClockMoment>& start) {
    return BlockReader(at, kOwnerBlock, own, start).models(platform, whole, [&](const OwnerContext& machine) {
      return owner_on_platform(at, platform, machine, own);
    });
  };
  auto owners = models_at_start(reading, cache, models_at);
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
  auto models = models_at_start(reading, cache, [&](Reading& at, OwnerCache& own, const std::optional<ClockMoment>& start) {
    return BlockReader(at, kBandwidth, own, start).models(*platform, whole, [](const OwnerContext&) {
      return dedicated_owner();
    });
  });
  if (std::ranges::all_of(models, &Owner::is_dedicated)) return {};
  check_some_is_left(reading, *platform, models);
  check_common_lengths(reading, *platform, kBandwidth, models);
  if (const std::string& why = why_links_cannot_vary(platform, cache, limit_s); !why.empty())
    Reader(reading, {kBandwidth.name}).problem("model", "the bandwidth cannot vary: " + why);
  return models;
}

}  // namespace nowsim
