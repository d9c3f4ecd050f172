// Loading an experiment: the file and the flags into settings, every point's settings into a scenario; registries
// joined.
#include "experiments/driver/points/experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <set>
#include <utility>

#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/points/point_builder.hpp"
#include "experiments/driver/reading/machine_time.hpp"
#include "experiments/driver/reading/owner_config.hpp"
#include "sim/base/error.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/program/scenario.hpp"

namespace nowsim {
namespace {

constexpr std::size_t kMostProblems = 20;        // more are counted, not listed

/// A figure in the file has to fit the file; what flags leave of it is drawn if it can be.
void add_figure(const ExperimentDocument& document, FigureKinds kinds, Experiment& experiment, Problems& problems) {
  if (!document.figure || !document.sweep.broken.empty()) return;
  const Sweep& sweep = document.sweep;
  Figure figure = as_swept(document.reshaped ? reduced_figure(*document.figure, sweep, experiment.metrics, kinds)
                                             : *document.figure,
                           sweep);
  Problems found;
  check_figure(figure, sweep, experiment.metrics, found);
  if (found.empty()) experiment.figure = std::move(figure);
  else if (document.reshaped) experiment.no_figure = found.list().front().text();
  else problems.add_all(found.list());
}

[[noreturn]] void give_up(const Problems& problems) {
  auto list = problems.list();
  if (list.size() > kMostProblems) {
    const std::size_t more = list.size() - kMostProblems;
    list.resize(kMostProblems);
    list.push_back({{}, "... and " + std::to_string(more) + " more problems"});
  }
  throw InputError(list);
}

/// On platforms and programs: each once, however many points have them.
void add_remarks(Experiment& experiment) {
  std::set<std::shared_ptr<const void>> seen;
  const auto add = [&](const std::shared_ptr<const void>& of, const std::vector<std::string>& remarks) {
    if (!seen.insert(of).second) return;
    for (const auto& remark : remarks)
      if (std::ranges::count(experiment.remarks, remark) == 0) experiment.remarks.push_back(remark);
  };
  for (const auto& point : experiment.points) {
    const auto scenario = point.scenario();
    if (!scenario) continue;
    add(scenario->platform, scenario->platform->remarks);
    const ProgramDescription& program = scenario->workload->program();
    add(scenario->workload, program.remarks);
    if (!program.about_settings) continue;
    const auto& [source, settings] = std::tie(scenario->platform->source, scenario->platform->settings);
    if (const std::string said = program.about_settings(settings); !said.empty())
      add(std::make_shared<int>(), {InputError(Place{source, 0, ""}, said).what()});
  }
}

/// The point's text of `job.work`, and where it was written; null where there is none.
const std::string* written_work(const ExperimentDocument& document, const Point& point, Place& place) {
  if (const Axis* axis = document.sweep.axis_of(kWorkKey)) {
    const Words swept = document.sweep.keys();
    place = {axis->place.file, axis->place.line, kWorkKey};
    return &point.values[static_cast<std::size_t>(std::ranges::find(swept, kWorkKey) - swept.begin())];
  }
  const auto setting = document.settings.find(kWorkKey);
  if (setting == document.settings.end() || setting->second.is_list || is_formula(setting->second)) return nullptr;
  return place = setting->second.place, &setting->second.texts.front();
}

/// What work that is told as time on a machine comes to.
void add_work_remarks(const ExperimentDocument& document, Experiment& experiment) {
  constexpr std::size_t kMost = 3;
  std::set<std::string> told;
  for (const auto& point : experiment.points) {
    if (told.size() == kMost) return;
    Place place;
    const std::string* text = written_work(document, point, place);
    const auto scenario = point.scenario();
    if (text == nullptr || !scenario || text->starts_with('=')) continue;
    const auto time = machine_time_of(*text);
    if (!time) continue;
    const std::string remark = InputError(place, *text + " is " + machine_time_text(*time, *scenario->platform)).what();
    if (told.insert(remark).second) experiment.remarks.push_back(remark);
  }
}

/// Machines that a fit, say, has forgotten: once of all points.
void add_owner_remark(const ExperimentDocument& document, Experiment& experiment) {
  Settings settings = document.settings;
  for (const auto& axis : document.sweep.axes)
    for (const auto& key : axis.keys) settings.try_emplace(key, Setting{{}, false, false, axis.place});
  const auto first = settings.lower_bound("owner.hosts.");
  std::set<std::shared_ptr<const Platform>> seen;
  std::set<std::string> told;
  std::vector<std::string> names;
  for (const auto& point : experiment.points) {
    const auto scenario = point.scenario();
    if (!scenario || !seen.insert(scenario->platform).second) continue;
    for (const auto& name : hosts_without_owner(settings, *scenario->platform))
      if (told.insert(name).second) names.push_back(name);
  }
  if (names.empty()) return;
  const Place place{first->second.place.file, first->second.place.line, "owner.hosts"};
  const bool one = names.size() == 1;
  experiment.remarks.emplace_back(
      InputError(place, "nothing is said of " + some_names(names) + (one ? ", which counts" : ", which count") +
                            " as dedicated; owner.model is for all that are not named here").what());
}

/// What a point takes [bytes] beside what its workstations take, and for each key that is swept.
constexpr double kBytesPerPoint = 1000, kBytesPerKey = 40;
constexpr std::size_t kManyPoints = 10'000;

/// One after the other; an experiment whose points need more memory than there is has none.
void read_points(const ExperimentDocument& document, const LoadProgress& watch, PointBuilder& builder,
                 Experiment& experiment) {
  const std::size_t points = document.sweep.size();
  const std::size_t keys = document.sweep.keys().size();
  if (points >= kManyPoints / (1 + keys))
    require_memory((kBytesPerPoint + kBytesPerKey * static_cast<double>(keys)) * static_cast<double>(points),
                   "a sweep of " + std::to_string(points) + " points");
  for (std::size_t i = 0; i < points; ++i) try {
      if (watch) watch(i, points);
      experiment.points.push_back(builder.build(i, experiment.metrics));
    } catch (const std::bad_alloc&) {
      throw RunError("memory ended while point " + std::to_string(i + 1) + " of " + std::to_string(points) + " of " +
                     experiment.file + " was read; fewer workstations, or a smaller sweep, need less");
    }
}

template <class Thing>
void add_foreign(const char* kind, const Registry<Thing>& known, const Registry<Thing>& own,
                 const std::set<std::string>& values, std::vector<std::string>& found) {
  for (const Thing& thing : known)
    if (own.find(thing.name) == nullptr && values.contains(thing.name))
      found.push_back(std::string(kind) + " " + quoted(thing.name));
}

/// Of the things that these settings and axes name those that are none of nowsim's own, in words.
std::vector<std::string> user_code_in(const Settings& settings, const Sweep& sweep, const Registries& registries) {
  std::set<std::string> values;
  for (const auto& [key, setting] : settings) values.insert(setting.texts.begin(), setting.texts.end());
  for (const auto& axis : sweep.axes)
    for (const auto& step : axis.values) values.insert(step.begin(), step.end());
  std::vector<std::string> found;
  add_foreign("workload", registries.workloads, builtin_workloads(), values, found);
  add_foreign("technique", registries.techniques, builtin_techniques(), values, found);
  add_foreign("policy", registries.policies, builtin_policies(), values, found);
  add_foreign("owner model", registries.owners, builtin_owner_models(), values, found);
  add_foreign("metric", registries.metrics, builtin_metrics(), values, found);
  return found;
}

/// What it is read from; files are noted while it is read. Nothing of whose text there is a file is known whole by that.
Origin beginning_origin(const LoadOptions& options, bool is_of_file) {
  std::error_code ignored;
  Origin origin{is_of_file, options.overrides, std::filesystem::current_path(ignored), nullptr, {}, {}};
  origin.read_at = std::filesystem::file_time_type::clock::now();
  return origin;
}

Experiment load_document(YamlNode root, const std::string& file, LoadOptions options, const Registries& registries,
                         const LoadProgress& watch, bool is_of_file) {
  Problems problems;
  Origin origin = beginning_origin(options, is_of_file);
  origin.files = options.files.noted = std::make_shared<FilesNoted>();
  const auto source = std::make_shared<const ExperimentSource>(
      read_document(std::move(root), file, options, registries, problems), registries);
  const ExperimentDocument& document = source->document;
  Experiment experiment;
  if (!document.sought.empty()) experiment.source = source;
  experiment.remarks = document.remarks;
  origin.user_code = user_code_in(document.settings, document.sweep, registries);
  experiment.origin = std::move(origin);
  experiment.file = file;
  experiment.axes = document.sweep.keys();
  PointBuilder builder(*source, problems);
  builder.read_experiment(experiment);
  experiment.claims = document.claims;
  if (options.overrides.empty())  // they are about the experiment as the file has it; a flag may take away what they need
    validate_claims(document.claims, document.sweep, experiment.metrics, registries.metrics, problems);
  add_figure(document, registries.figures, experiment, problems);
  if (experiment.figure) experiment.figure->changes = flag_changes(options);
  try {
    read_points(document, watch, builder, experiment);
    add_remarks(experiment);
    add_owner_remark(document, experiment);
    std::ranges::copy(builder.owner_remarks(), std::back_inserter(experiment.remarks));
    if (problems.empty()) add_work_remarks(document, experiment);
    builder.report_unknown_keys(experiment);
  } catch (const InputError& e) {
    problems.add(e);
  }
  if (!problems.empty()) give_up(problems);
  return experiment;
}

template <class Thing>
bool is_taken(const std::string& name, const Registry<Thing>& known) {
  return known.find(name) != nullptr;
}
/// T_q is a quantile for any q, and what looks like one is a mistake.
bool is_taken(const std::string& name, const Registry<Metric>& known) {
  return find_metric(name, known) != nullptr || !quantile_name_problem(name).empty();
}

template <class Thing>
Registry<Thing> registry_of(const char* kind, Registry<Thing> all, const std::vector<Thing>& more) {
  for (const Thing& thing : more) {
    if (is_taken(thing.name, all))
      throw InputError("there is already a " + std::string(kind) + " " + quoted(thing.name) +
                       ": one's own needs another name");
    all.add(thing);
  }
  return all;
}

}  // namespace

Registries::Registries(const Additions& additions, std::span<const CheckKind> check_kinds, FigureKinds figure_kinds)
    : owners(registry_of("model of owners", builtin_owner_models(), additions.owners)),
      policies(registry_of("policy", builtin_policies(), additions.policies)),
      metrics(registry_of("metric", builtin_metrics(), additions.metrics)),
      techniques(registry_of("technique", builtin_techniques(), additions.techniques)),
      workloads(registry_of("workload", builtin_workloads(techniques), additions.workloads)), checks(check_kinds),
      figures(std::move(figure_kinds)) {}

Registries Registries::with(const Technique& technique) const {
  Registries all = *this;
  all.techniques = registry_of("technique", techniques, {technique});
  all.workloads = builtin_workloads(all.techniques);
  for (const WorkloadInfo& workload : workloads)
    if (all.workloads.find(workload.name) == nullptr) all.workloads.add(workload);
  return all;
}

bool Experiment::has_open_splits() const {
  return std::ranges::any_of(points, [](const Point& p) { return p.as<OpenSplit>() != nullptr; });
}

std::size_t Experiment::open_sizes() const {
  const auto is_open = [](const Point& p) { return p.as<OpenSize>() != nullptr; };
  return static_cast<std::size_t>(std::ranges::count_if(points, is_open));
}

YamlNode document_of(const std::string& file, const LoadOptions& options) {
  return options.description ? *options.description : read_yaml(file);
}

Experiment load_experiment(const std::string& file, const LoadOptions& options, const Registries& registries,
                           const LoadProgress& watch) {
  return load_document(document_of(file, options), file, options, registries, watch, !options.description);
}

Experiment load_experiment(YamlNode document, const std::string& file, const LoadOptions& options,
                           const Registries& registries, const LoadProgress& watch) {
  return load_document(std::move(document), file, options, registries, watch, false);
}

std::uint64_t batch_size(const Scenario& scenario) {
  constexpr std::uint64_t kMost = 100, kResults = 200'000;
  const std::uint64_t size = std::clamp<std::uint64_t>(kResults / scenario.size(), 1, kMost),
                      unit = dependent_replications(scenario);
  return std::max(unit, size - size % unit);
}

const char* version() { return NOWSIM_VERSION; }

}  // namespace nowsim
