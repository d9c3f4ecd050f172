// Reading owner models: a table of creators by name, and which block describes which workstation or its link.
#include "experiments/driver/reading/owner_config.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "experiments/driver/reading/diurnal_config.hpp"
#include "experiments/driver/reading/load_formats.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/correlated_owner.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/platform/access_links.hpp"

namespace nowsim {
namespace {

/// A block that says of all workstations, or of some by name, what is available of something.
struct Block {
  std::string name;
  bool of_links;
  const char* example;  ///< said where the block is one value
  [[nodiscard]] std::string all() const { return name + "."; }
  [[nodiscard]] std::string by_name() const { return name + ".hosts."; }
};
const Block kOwner{"owner", false, "an owner is a block such as {model: dedicated}, not one value"};
const Block kBandwidth{"bandwidth", true, "a link's bandwidth is a block such as {model: dedicated}, not one value"};

/// What a creator needs besides its parameters.
struct Context {
  const Block& block;
  const std::string& host;
  std::size_t index;      ///< of the workstation
  std::size_t count;      ///< of workstations
  int cores;              ///< of the workstation
  bool spread;            ///< the block is for all workstations, so SH spreads TH over them
  OwnerCache& cache;
};

std::vector<std::string> names_of(const auto& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

OwnerPtr read_dedicated(Reader&, const Context&) { return dedicated_owner(); }

/// An infeasible point is not a mistake in the file: it gets its place here and is passed on.
template <class Make>
auto with_place(Reader& read, const std::string& key, const Make& make) {
  try {
    return make();
  } catch (const InfeasibleError& e) {
    if (!e.place().file.empty()) throw;
    throw InfeasibleError(read.place(key), e.what());
  }
}

OwnerPtr make_intervals(Reader& read, const std::string& value, double mean, double th, const std::string& length,
                        double interval, double shape, double correlation) {
  auto value_law = with_place(read, "TH", [&] { return make_value_law(value, mean, th); });
  auto length_law = make_length_law(length, interval, shape);
  std::string label = "intervals " + value + " mean=" + number_text(mean) + " TH=" + number_text(th) + " length=" + length +
                      " interval=" + number_text(interval) + "s";
  if (length == "pareto") label += " shape=" + number_text(shape);
  if (correlation > 0) label += " correlation=" + number_text(correlation);
  return correlated_owner(std::move(value_law), std::move(length_law), correlation, std::move(label));
}

/// The weight of what a workstation's owner has in common with others.
double read_correlation(Reader& read) {
  return read.quantity("correlation", Dimension::fraction, {0, 1}, 0.0);
}

/// The same where only a random start can have anything in common; 0 after a problem.
double read_correlation_of_start(Reader& read, const char* key, bool is_random) {
  const double correlation = read_correlation(read);
  if (is_random || correlation == 0) return correlation;
  read.problem("correlation", std::string("a correlation is one of random starts; it needs '") + key + ": random'");
  return 0;
}

OwnerPtr read_intervals(Reader& read, const Context& context) {
  static const auto values = names_of(value_laws());
  static const auto lengths = names_of(length_laws());
  const std::string value = values[read.choice("value", values, 0)];
  const std::string length = lengths[read.choice("length", lengths, 0)];
  const double mean = read.quantity("mean", Dimension::fraction, {0, 1, true}, 0.5);
  double th = read.quantity("TH", Dimension::fraction);
  const double sh = context.spread ? read.quantity("SH", Dimension::fraction, Bounds{}, 0.0) : 0.0;
  const double interval = read.quantity("interval", Dimension::time, kPositive, 10.0);
  const double shape = length == "pareto" ? read.quantity("shape", Dimension::number, {2, kNoBound, true}) : 3;
  const double correlation = read_correlation(read);
  if (sh > 0) {
    auto& spread = context.cache.spreads[{th, sh, context.count}];
    if (spread.empty())
      spread = with_place(read, "SH", [&] { return spread_temporal_heterogeneity(th, sh, context.count); });
    th = spread[context.index];
  }
  OwnerPtr& owner = context.cache.intervals[value + length + " " + number_text(mean) + " " + number_text(th) + " " +
                                            number_text(interval) + " " + number_text(shape) + " " +
                                            number_text(correlation)];
  if (!owner) owner = make_intervals(read, value, mean, th, length, interval, shape, correlation);
  return owner;
}

OwnerPtr read_duty_cycle(Reader& read, const Context&) {
  const double period = read.quantity("period", Dimension::time, kPositive, 10.0);
  const double busy = read.quantity("u", Dimension::fraction, {0, 1});
  const bool random = read.choice("phase", {"random", "aligned"}, 0) == 0;
  return duty_cycle_owner(period, busy, random, read_correlation_of_start(read, "phase", random));
}

/// The mean time between owner jobs, as given or from the utilisation of all cores; infinity for no jobs at all, 0
/// after a problem.
double read_interarrival(Reader& read, double demand_s, int cores) {
  const bool by_interval = read.has("interarrival");
  if (read.has("u") == by_interval) {
    read.problem("u", by_interval ? "u and interarrival say the same in two ways: give one of them"
                                  : "this key is missing, or in its place interarrival, the mean time between "
                                    "owner jobs");
    return 0;
  }
  const double core_s = demand_s / cores;  // how long a job keeps all cores: shorter intervals are too much for them
  if (by_interval) return read.quantity("interarrival", Dimension::time, {core_s, kNoBound, true});
  const double u = read.quantity("u", Dimension::fraction);
  if (u < 1) return core_s / u;
  read.problem("u", number_text(u) +
                        " is out of range: it must be less than 1, or owner jobs would pile up without end");
  return 0;
}

OwnerPtr make_jobs(const std::string& law, double demand_s, double shape, double interarrival_s, Discipline discipline,
                   const std::string& discipline_name, int cores) {
  std::string label = "jobs " + discipline_name + " interarrival=" + number_text(interarrival_s) + "s demand=" +
                      number_text(demand_s) + "s demand_law=" + law + " cores=" + std::to_string(cores);
  if (law == "pareto") label += " shape=" + number_text(shape);
  return std::make_shared<const OwnerJobs>(exponential(interarrival_s), make_length_law(law, demand_s, shape),
                                           discipline, cores, std::move(label));
}

OwnerPtr read_jobs(Reader& read, const Context& context) {
  static const auto laws = names_of(length_laws());
  static const auto exponential_law =
      static_cast<std::size_t>(std::find(laws.begin(), laws.end(), "exponential") - laws.begin());
  static const std::vector<std::string> disciplines{"processor-sharing", "preemptive-priority"};  // as in Discipline
  const double demand = read.quantity("demand", Dimension::time, kPositive);
  const std::string law = laws[read.choice("demand_law", laws, exponential_law)];
  const double shape = law == "pareto" ? read.quantity("shape", Dimension::number, {2, kNoBound, true}) : 3;
  const std::size_t discipline = read.choice("discipline", disciplines, 0);
  const double interarrival = read_interarrival(read, demand, context.cores);
  if (!(interarrival > 0) || !std::isfinite(interarrival) || !(demand > 0)) return dedicated_owner();
  OwnerPtr owner = make_jobs(law, demand, shape, interarrival, static_cast<Discipline>(discipline),
                             disciplines[discipline], context.cores);
  return context.cache.jobs.try_emplace(owner->identity(), owner).first->second;
}

/// `file`, in `folder` where one is given; {host} stands for the workstation's name. Empty after a problem.
std::string read_file_name(Reader& read, const Context& context) {
  const bool in_folder = read.has("folder");
  const std::string folder = in_folder ? read.path("folder") : "";
  std::string file = read.path("file");
  if (file.empty() || (in_folder && folder.empty())) return "";
  if (in_folder) file = (std::filesystem::path(folder) / read.text("file")).lexically_normal().string();
  const std::string pattern = "{host}";
  for (std::size_t at; (at = file.find(pattern)) != std::string::npos;) file.replace(at, pattern.size(), context.host);
  return file;
}

OwnerPtr read_profile_owner(Reader& read, const Context& context) {
  const std::string file = read_file_name(read, context);
  if (file.empty()) return dedicated_owner();
  auto& profile = context.cache.profiles[file];
  if (!profile) profile = std::make_shared<Profile>(read_profile(file, ProfileQuantity::fraction));
  return profile_owner(profile, "profile " + file);
}

/// @throws InputError where there is not so much memory.
void require_memory_for_trace(const std::string& file) {
  constexpr double kLarge = 1e8, kCopies = 4;  // its text, twice while it grows, and the numbers in it
  std::error_code error;
  const auto size = static_cast<double>(std::filesystem::file_size(file, error));
  if (!error && size > kLarge) require_memory(kCopies * size, "the trace " + file);
}

OwnerPtr read_trace_owner(Reader& read, const Context& context) {
  const std::string file = read_file_name(read, context);
  const std::string column = read.text("column", "value");
  const auto measures = static_cast<TraceMeasure>(read.choice("measures", trace_measure_names(), 0));
  const auto gaps = static_cast<GapRule>(read.choice("gaps", gap_rule_names(), 0));
  const auto start = static_cast<TraceStart>(read.choice("start", {"random", "common", "beginning"}, 0));
  const double correlation = read_correlation_of_start(read, "start", start == TraceStart::random);
  if (file.empty()) return dedicated_owner();
  auto& trace = context.cache.traces[file + "\n" + column + "\n" + std::to_string(static_cast<int>(measures)) +
                                     std::to_string(static_cast<int>(gaps))];
  if (!trace) {
    require_memory_for_trace(file);
    trace = std::make_shared<Trace>(read_trace(file, column, measures, gaps));
  }
  // Fractions taken for per cent would give an idle machine without a word.
  const double busiest = 1 - *std::min_element(trace->availability.begin(), trace->availability.end());
  if (!read.has("measures") && busiest <= 0.01)
    read.problem("measures", "no value in " + file + " is above 1: say whether they are per cent (measures: "
                             "utilisation-percent) or fractions (utilisation, availability)");
  return trace_owner(trace, start, "trace " + file, correlation);
}

/// Owner models by name; the lines for people stand in owner_models().
struct Creator {
  const char* name;
  OwnerPtr (*read)(Reader&, const Context&);
};
constexpr Creator kCreators[] = {
    {"dedicated", read_dedicated}, {"intervals", read_intervals},  {"duty-cycle", read_duty_cycle},
    {"jobs", read_jobs},           {"profile", read_profile_owner}, {"trace", read_trace_owner},
};

/// With what the block lays over the model, made once for all workstations with the same of both.
OwnerPtr with_pattern(Reader& read, const char* model, OwnerPtr owner, OwnerCache& cache) {
  const auto pattern = read_diurnal(read, model);
  if (!pattern) return owner;
  OwnerPtr& known = cache.diurnal[{owner, diurnal_text(*pattern)}];
  if (!known) known = diurnal_owner(std::move(owner), *pattern);
  return known;
}

std::vector<std::string> of_links_only(std::vector<std::string> names) {
  for (const auto& model : owner_models())
    if (!model.of_links) std::erase(names, model.name);
  return names;
}

const Creator& creator_named(const std::string& name) {
  return *std::ranges::find_if(kCreators, [&](const Creator& creator) { return creator.name == name; });
}

/// The owner that the block at these scopes describes. Problems are noted; then the machine counts as dedicated.
OwnerPtr read_owner(Reader& read, const Context& context) {
  static const auto all = names_of(kCreators), of_links = of_links_only(all);
  const auto& names = context.block.of_links ? of_links : all;
  const auto model = read.known_choice("model", names);
  if (!model) {
    read.excuse_all();
    return dedicated_owner();
  }
  try {
    const Creator& creator = creator_named(names[*model]);
    return with_pattern(read, creator.name, creator.read(read, context), context.cache);
  } catch (const InfeasibleError&) {
    throw;
  } catch (const InputError& e) {
    note_problem_of_file(read, read.has("file") ? "file" : "model", e);
    return dedicated_owner();
  }
}

/// The workstation that a key below owner.hosts is about, or "": names may hold dots, so the longest one that fits.
std::string host_of(const Block& block, const std::string& key, const std::set<std::string>& names) {
  const auto begin = block.by_name().size();
  for (auto end = key.size(); end != std::string::npos && end > begin; end = key.rfind('.', end - 1))
    if (std::string name = key.substr(begin, end - begin); names.contains(name)) return name;
  return "";
}

/// Whether the experiment describes all workstations: any key of the block that is not for one by name.
bool has_general_block(const Settings& settings, const Block& block) {
  return std::any_of(settings.lower_bound(block.all()), settings.end(), [&](const auto& entry) {
    return entry.first.rfind(block.all(), 0) == 0 && entry.first.rfind(block.by_name(), 0) != 0;
  });
}

/// Whether the general block says the same of every workstation: SH spreads TH over them, {host} stands for their
/// names, and owner jobs are for a number of cores.
bool says_the_same_of_all(const Settings& settings, const Platform& platform, const Block& block) {
  for (const auto& w : platform.workstations)
    if (w.cores != platform.workstations.front().cores) return false;
  const auto end = settings.lower_bound(block.name + "/");
  return std::none_of(settings.lower_bound(block.all()), end, [&](const auto& entry) {
    const auto& [key, setting] = entry;
    const auto names_host = [](const std::string& text) { return text.find("{host}") != std::string::npos; };
    return key == block.all() + "SH" || key.rfind(block.by_name(), 0) == 0 ||
           std::any_of(setting.texts.begin(), setting.texts.end(), names_host);
  });
}

/// The platform's property `owner` holds a block in YAML, read once for all points.
OwnerPtr owner_from_property(Reading& reading, const Platform& platform, const Workstation& w, const Context& context) {
  const std::string place = platform.source + " (property owner of " + w.name + ")";
  const std::string& text = w.properties.at("owner");
  OwnerPtr& known = context.cache.properties[place + "\n" + text + "\n" + std::to_string(context.index) + " of " +
                                             std::to_string(context.count)];
  if (known) return known;
  Settings settings;
  try {
    for (const auto& problem : flatten(parse_yaml(text, place), place, "owner", settings)) reading.problems.add(problem);
  } catch (const InputError& e) {
    reading.problems.add(e.what());
    return dedicated_owner();
  }
  std::set<std::string> asked;
  Reading own{settings, reading.problems, asked, reading.formulas, reading.variables};
  Reader read(own, {"owner"});
  if (const auto found = settings.find("owner"); found != settings.end()) {
    if (!found->second.broken) reading.problems.add(found->second.place, kOwner.example);
    return dedicated_owner();
  }
  // SH is a matter of all workstations, not of one's own property.
  OwnerPtr owner = read_owner(read, {kOwner, context.host, context.index, context.count, context.cores, false,
                                    context.cache});
  for (const auto& [key, setting] : settings)
    if (!asked.contains(key)) reading.problems.add(setting.place, "this key is not known here");
  return known = owner;
}

/// What the experiment's block says of a workstation; null where it says nothing. `own`: it has a block by name.
OwnerPtr model_in_block(Reading& reading, const Context& context, bool general, bool own) {
  const std::string& name = context.block.name;
  if (own) {
    const std::string scope = context.block.by_name() + context.host;
    // A block with a model stands for itself; without one it changes keys of the general block.
    const bool own_model = reading.settings.contains(scope + ".model") || !general;
    Reader read(reading, own_model ? std::vector{scope} : std::vector<std::string>{scope, name});
    const bool own_th = reading.settings.contains(scope + ".TH");
    return read_owner(read, {context.block, context.host, context.index, context.count, context.cores,
                             !own_model && !own_th, context.cache});
  }
  if (!general) return nullptr;
  Reader read(reading, {name});
  return read_owner(read, context);
}

/// The owner that the platform's file gives a workstation.
OwnerPtr owner_on_platform(Reading& reading, const Platform& platform, const Context& context) {
  const Workstation& w = platform.workstations[context.index];
  if (w.properties.contains("owner")) return owner_from_property(reading, platform, w, context);
  if (w.speed_profile) {
    OwnerPtr& owner = context.cache.speed_files[w.speed_profile];
    if (!owner) owner = profile_owner(w.speed_profile, "the platform's speed_file");
    return owner;
  }
  return dedicated_owner();
}

void note_unknown_host(Reading& reading, const Block& block, const std::string& key, const Setting& setting,
                       const std::set<std::string>& names) {
  const auto begin = block.by_name().size();
  const auto in_block = key.rfind(".diurnal.");
  const auto end = key.find('.', begin) == std::string::npos ? key.size()
                   : in_block != std::string::npos           ? in_block
                                                             : key.rfind('.');
  const std::string name = key.substr(begin, end - begin);
  const std::string near = nearest_name(name, {names.begin(), names.end()});
  reading.problems.add(setting.place, "there is no workstation '" + name + "' on this platform" +
                                          (near.empty() ? "" : "; did you mean '" + near + "'?"));
  reading.asked.insert(key);
}

/// The workstations that have a block by name. Notes blocks of workstations that are none.
std::set<std::string> described_hosts(Reading& reading, const Platform& platform, const Block& block) {
  const std::string by_name = block.by_name();
  std::set<std::string> described, names;
  for (auto it = reading.settings.lower_bound(by_name); it != reading.settings.end(); ++it) {
    const auto& [key, setting] = *it;
    if (key.rfind(by_name, 0) != 0) break;
    if (names.empty())
      for (const auto& w : platform.workstations) names.insert(w.name);
    const std::string name = host_of(block, key, names);
    if (name.empty()) {
      note_unknown_host(reading, block, key, setting, names);
    } else if (key.size() == by_name.size() + name.size()) {
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
    const std::string common = owners[i]->in_common();
    if (common.rfind("intervals", 0) != 0) continue;
    if (first == owners.size()) first = i;
    if (common == owners[first]->in_common()) continue;
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
std::vector<OwnerPtr> read_block(Reading& reading, const Platform& platform, const Block& block, OwnerCache& cache,
                                 const Otherwise& otherwise) {
  const auto described = described_hosts(reading, platform, block);
  const bool general = has_general_block(reading.settings, block);
  const bool once = general && says_the_same_of_all(reading.settings, platform, block);
  constexpr std::size_t kEnough = 100;  // problems: more are not listed
  const std::size_t problems = reading.problems.found();
  std::vector<OwnerPtr> models;
  for (std::size_t i = 0; i < platform.workstations.size(); ++i) {
    const Workstation& w = platform.workstations[i];
    if (reading.problems.found() >= problems + kEnough && !described.contains(w.name)) {
      models.push_back(dedicated_owner());
      continue;
    }
    const Context context{block, w.name, i, platform.workstations.size(), w.cores, true, cache};
    OwnerPtr model =
        once && i > 0 ? models.front() : model_in_block(reading, context, general, described.contains(w.name));
    models.push_back(model ? model : otherwise(context));
  }
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

}  // namespace

std::vector<OwnerPtr> read_owners(Reading& reading, const Platform& platform, OwnerCache& cache) {
  auto owners = read_block(reading, platform, kOwner, cache,
                           [&](const Context& context) { return owner_on_platform(reading, platform, context); });
  check_common_lengths(reading, platform, kOwner, owners);
  return owners;
}

std::vector<OwnerPtr> read_bandwidth(Reading& reading, const std::shared_ptr<const Platform>& platform,
                                     OwnerCache& cache, double limit_s) {
  auto models = read_block(reading, *platform, kBandwidth, cache, [](const Context&) { return dedicated_owner(); });
  if (std::ranges::all_of(models, [](const OwnerPtr& model) { return model->is_dedicated(); })) return {};
  check_some_is_left(reading, *platform, models);
  check_common_lengths(reading, *platform, kBandwidth, models);
  if (const std::string& why = why_links_cannot_vary(platform, cache, limit_s); !why.empty())
    Reader(reading, {kBandwidth.name}).problem("model", "the bandwidth cannot vary: " + why);
  return models;
}

}  // namespace nowsim
