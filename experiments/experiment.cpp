// Loading an experiment: the file and the flags into settings, every point's settings into a scenario.
#include "experiments/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "experiments/owner_config.hpp"
#include "experiments/platform_config.hpp"
#include "experiments/reader.hpp"
#include "experiments/reading_memo.hpp"
#include "experiments/sweep.hpp"
#include "experiments/unknown_keys.hpp"
#include "sim/control_variates.hpp"
#include "sim/owner_jobs.hpp"
#include "sim/partition.hpp"
#include "sim/text.hpp"
#include "sim/theory.hpp"

namespace nowsim {
namespace {

constexpr int kFormat = 1;                       // of the YAML: its first key
constexpr std::size_t kMostProblems = 20;        // more are counted, not listed

/// The file with the flags applied; settings apart from the sweep.
struct Document {
  Settings settings;
  Sweep sweep;
  std::vector<Claim> claims;
  std::optional<Figure> figure;
  bool reshaped = false;  ///< by flags: not all is swept or measured that the file says, or other things are
};

/// What is not an experiment at all is thrown; other problems are noted, and reading goes on.
Document read_document(const std::string& file, const LoadOptions& options, Problems& problems) {
  YamlNode root = read_yaml(file);
  if (root.kind == YamlNode::Kind::null) throw InputError(Place{file, 0, ""}, "the file is empty");
  if (root.kind != YamlNode::Kind::map)
    throw InputError(Place{file, root.line, ""}, "an experiment is a map of keys and values, beginning with 'nowsim: 1'");
  if (root.entries.empty() || root.entries.front().first != "nowsim")
    throw InputError(Place{file, root.line, ""}, "the first key must be 'nowsim: 1', the version of the format");
  std::vector<Override> overrides;
  for (const auto& text : options.overrides) {
    try {
      overrides.push_back(parse_override(text));
    } catch (const InputError& e) {
      problems.add(e.what());
    }
  }
  for (const auto& override : overrides) apply_override(root, override);
  Document document;
  std::vector<std::string> found;
  for (const auto& [key, node] : root.entries) {
    if (key == "sweep") document.sweep = read_sweep(node, file, found);
    else if (key == "claims") document.claims = read_claims(node, file, found);
    else if (key == "figure") document.figure = read_figure(node, file, found);
    else
      for (auto& problem : flatten(node, file, key, document.settings)) found.push_back(std::move(problem));
  }
  for (const auto& problem : found) problems.add(problem);
  for (const auto& setting : document.sweep.broken) document.settings[setting.place.key] = setting;
  // A flag fixes what the file sweeps; one that gives a whole block fixes every key in it.
  const std::size_t swept = document.sweep.keys().size();
  for (const auto& override : overrides) {
    document.sweep.drop(override.key);
    Settings fixed;
    if (override.key.rfind("sweep", 0) != 0) flatten(override.value, file, override.key, fixed);
    for (const auto& [key, setting] : fixed) document.sweep.drop(key);
    document.reshaped |= override.key.rfind("sweep", 0) == 0 || override.key == "metrics";
  }
  document.reshaped |= document.sweep.keys().size() < swept;
  return document;
}

/// The `split:` block: a policy (null after a problem), its parameters, and the key to blame for what it refuses.
struct SplitChoice {
  const Policy* policy;
  PolicyParameters parameters;
  std::string culprit;
};

/// The `run:` block, but for its seed: that alone often differs between points.
struct RunBlock {
  RunPlan plan;
  bool baseline_is_first;
};

/// Makes points out of settings; keeps what they share.
class PointBuilder {
 public:
  PointBuilder(const Document& document, const WorkloadRegistry& workloads, Problems& problems)
      : document_(document), workloads_(workloads), problems_(problems), varying_(document.sweep.keys()),
        settings_(document.settings) {
    varying_.emplace_back(kCount);  // of a baseline with one workstation
    for (const auto& axis : document.sweep.axes)
      for (const auto& key : axis.keys) {
        settings_[key] = Setting{{""}, false, false, {axis.place.file, axis.place.line, key}};
        swept_.push_back(&settings_[key].texts.front());
      }
  }

  void check_sections();
  void read_experiment(Experiment& experiment);
  Point build(std::size_t index, const std::vector<const Metric*>& metrics);
  void report_unknown_keys(Experiment& experiment);
  [[nodiscard]] bool skips_infeasible() const { return skip_infeasible_; }

 private:
  static constexpr const char* kCount = "platform.workstations";

  RunBlock read_run(Reading& reading);
  IdentifiedWorkload read_workload(Reading& reading, const Platform& platform);
  SplitChoice read_split(Reading& reading);
  std::vector<double> split_work(Reading& reading, const SplitChoice& choice, const Scenario& scenario);
  void check_availability(Reading& reading, const Scenario& scenario);
  std::shared_ptr<const Scenario> read_scenario(Reading& reading, const RunPlan& plan);
  void reduce(Reading& reading, const RunPlan& plan, Scenario& scenario);
  std::shared_ptr<const Scenario> fastest_alone(const Scenario& scenario);
  std::shared_ptr<const Scenario> first_alone(Reading& reading, const RunPlan& plan, const Scenario& scenario);

  const Document& document_;
  const WorkloadRegistry& workloads_;
  Problems& problems_;
  std::set<std::string> asked_{"nowsim", "title", "description"};
  FormulaCache formulas_;
  PlatformCache platforms_;
  OwnerCache owners_;
  std::vector<std::string> varying_;       // keys whose values differ between the settings that are read
  Settings settings_;                      // of the point that is being built
  std::vector<std::string*> swept_;        // the swept values in them, in the order of the sweep's keys
  ReadingMemo<RunBlock> known_runs_{varying_};
  ReadingMemo<std::shared_ptr<const Platform>> known_platforms_{varying_};
  ReadingMemo<IdentifiedWorkload> known_workloads_{varying_};
  ReadingMemo<SplitChoice> known_splits_{varying_};
  ReadingMemo<std::vector<OwnerPtr>> known_owners_{varying_};
  ReadingMemo<std::vector<OwnerPtr>> known_bandwidths_{varying_};
  ReadingMemo<std::vector<double>> known_shares_{varying_};
  std::map<std::pair<const Platform*, std::size_t>, std::shared_ptr<const Platform>> alone_;  // for baselines
  std::set<std::string> complete_;  // sections read to their end at some point, whose keys are therefore all known
  bool skip_infeasible_ = false;
};

/// Sections hold keys, not values; and what holds for the whole experiment cannot differ between its points.
void PointBuilder::check_sections() {
  static const std::map<std::string, std::string> sections{
      {"platform", "{workstations: 4}"}, {"job", "{workload: base-task, work: 100f}"}, {"split", "{policy: equal}"},
      {"owner", "{model: dedicated}"},   {"owner.hosts", "{ws1: {model: dedicated}}"}, {"run", "{replications: 100}"},
      {"bandwidth", "{model: dedicated}"}, {"bandwidth.hosts", "{ws1: {model: dedicated}}"},
      {"let", "{x: 3}"}};
  static const std::set<std::string> common{"nowsim", "title", "description", "metrics", "run.infeasible"};
  for (const auto& [section, example] : sections) {
    const auto found = document_.settings.find(section);
    if (found == document_.settings.end()) continue;
    asked_.insert(section);
    if (!found->second.broken) problems_.add(found->second.place, "this section is a map of keys and values, such as " + example);
  }
  for (const auto& axis : document_.sweep.axes)
    for (const auto& key : axis.keys) {
      const Place place{axis.place.file, axis.place.line, "sweep." + key};
      if (sections.contains(key)) {
        problems_.add(place, "a section cannot be swept, but each of its keys can");
        asked_.insert(key);
      }
      if (common.contains(key)) problems_.add(place, "this key holds for the whole experiment and cannot be swept");
    }
}

void PointBuilder::read_experiment(Experiment& experiment) {
  Reading reading{document_.settings, problems_, asked_, formulas_, {}};
  Reader read(reading, {""});
  if (read.count("nowsim", kFormat) != kFormat)
    read.problem("nowsim", "this program reads format 1 of experiments; a newer program may be needed");
  experiment.title = read.text("title", experiment.file);
  read.text("description", "");
  std::vector<std::string> known;
  for (const auto& metric : metrics()) known.push_back(metric.name);
  auto names = read.texts("metrics");
  if (names.empty()) names = {"tau", "sigma_T", "sigma_T/tau"};
  for (const auto& name : names) {
    if (const Metric* metric = find_metric(name)) {
      auto& all = experiment.metrics;
      if (std::find(all.begin(), all.end(), metric) != all.end()) read.problem("metrics", "the metric '" + name + "' is given twice");
      else all.push_back(metric);
      continue;
    }
    const std::string near = nearest_name(name, known);
    read.problem("metrics", "there is no metric '" + name + "'" +
                                (near.empty() ? "; 'nowsim list metrics' names them" : "; did you mean '" + near + "'?"));
  }
  skip_infeasible_ = Reader(reading, {"run"}).choice("infeasible", {"error", "skip"}, 0) == 1;
}

/// The metric whose interval a stopping rule looks at: one number per point. tau after a problem.
const Metric* read_precision_metric(Reader& read) {
  const std::string name = read.text("precision_of", "tau");
  const Metric* metric = find_metric(name);
  if (metric != nullptr && !metric->per_workstation) return metric;
  std::vector<std::string> known;
  for (const auto& m : metrics())
    if (!m.per_workstation) known.push_back(m.name);
  const std::string near = metric == nullptr ? nearest_name(name, known) : "";
  read.problem("precision_of", metric != nullptr ? "'" + name + "' is a metric of each workstation; one of the whole run is wanted, such as tau"
               : "there is no metric '" + name + "'" + (near.empty() ? "; 'nowsim list metrics' names them" : "; did you mean '" + near + "'?"));
  return find_metric("tau");
}

/// In the order of EngineChoice.
const std::vector<std::string> kEngineNames{"auto", "direct", "simgrid"};

std::vector<std::string> variance_reduction_names() {
  std::vector<std::string> names;
  for (const auto& way : kVarianceReductions) names.emplace_back(way.name);
  return names;
}

RunBlock PointBuilder::read_run(Reading& reading) {
  Reader read(reading, {"run"});
  RunPlan plan;
  plan.replications = static_cast<std::uint64_t>(read.count("replications", 1000, 1));
  plan.precision = read.quantity("precision", Dimension::fraction, Bounds{}, 0.0);
  plan.precision_of = read_precision_metric(read);
  plan.least = static_cast<std::uint64_t>(read.count("min_replications", 100, 2));
  plan.confidence = read.quantity("confidence", Dimension::fraction, {0.5, 0.999999}, 0.95);
  plan.deadline_s = read.quantity("deadline", Dimension::time, Bounds{}, 0.0);
  plan.timeout_s = read.quantity("timeout", Dimension::time, Bounds{}, 0.0);
  plan.engine = static_cast<EngineChoice>(read.choice("engine", kEngineNames, 0));
  plan.variance_reduction = &kVarianceReductions[read.choice("variance_reduction", variance_reduction_names(), 0)];
  if (plan.replications % plan.variance_reduction->unit() != 0)
    read.problem("replications", "'" + std::string(plan.variance_reduction->name) +
                                     "' takes replications in pairs: an even number is wanted, not " +
                                     std::to_string(plan.replications));
  return {plan, read.choice("baseline", {"fastest", "one"}, 0) == 1};
}

IdentifiedWorkload PointBuilder::read_workload(Reading& reading, const Platform& platform) {
  Reader read(reading, {"job"});
  std::vector<std::string> names;
  for (const auto& info : workloads_.all()) names.push_back(info.name);
  const auto chosen = read.known_choice("workload", names);
  if (!chosen) return {};
  const std::string& name = names[*chosen];
  auto made = make_workload(*workloads_.find(name), read);
  const auto& workload = made.workload;
  if (static_cast<std::size_t>(workload->least_ranks()) > platform.workstations.size())
    read.problem("workload", "'" + name + "' needs at least " + std::to_string(workload->least_ranks()) +
                                 " workstations; there are " + std::to_string(platform.workstations.size()));
  return made;
}

/// sigma_Ti of an equal share, HL (3) with the interval's length; 0 for owners that are no renewal process.
double sigma_of(const Scenario& scenario, std::size_t i) {
  const auto model = scenario.owners[i]->intervals();
  const double share = scenario.workload->work_flop() / static_cast<double>(scenario.size());
  return model ? std::sqrt(renewal_var_time(*model, share, scenario.platform->workstations[i].speed_flops)) : 0;
}

SplitChoice PointBuilder::read_split(Reading& reading) {
  Reader read(reading, {"split"});
  std::vector<std::string> names;
  for (const auto& policy : policies()) names.push_back(policy.name);
  const auto chosen = read.known_choice("policy", names, 0);
  if (!chosen) {
    read.excuse_all();
    return {nullptr, {}, "policy"};
  }
  SplitChoice choice{&policies()[*chosen], {}, "policy"};
  if (choice.policy->name == "linear-slope") {
    choice.parameters.slope_flop = read.quantity("slope", Dimension::work, kAnyNumber);
    choice.culprit = "slope";
  }
  if (choice.policy->name == "formula") {
    choice.culprit = "weight";
    try {
      std::string text = read.text("weight");
      if (!read.has("weight")) return {nullptr, {}, "weight"};  // missing, which is noted
      if (!text.empty() && text.front() == '=') text.erase(0, 1);
      choice.parameters.formula = std::make_shared<const Formula>(text);
    } catch (const InputError& e) {
      read.problem("weight", e.what());
      choice.policy = nullptr;
    }
  }
  return choice;
}

std::vector<Candidate> candidates_of(const Scenario& scenario) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const Workstation& w = scenario.platform->workstations[i];
    const OwnerModel& owner = *scenario.owners[i];
    candidates.push_back({w.speed_flops, owner.mean(), owner.temporal_heterogeneity(), sigma_of(scenario, i),
                          w.memory_bytes.value_or(0)});
  }
  return candidates;
}

std::vector<double> PointBuilder::split_work(Reading& reading, const SplitChoice& choice, const Scenario& scenario) {
  Reader read(reading, {"split"});
  const std::vector<double> nothing(scenario.size(), 0.0);
  const double work = scenario.workload->work_flop();
  if (choice.policy == nullptr || work == 0) return nothing;
  const bool uses_sigma = choice.parameters.formula && std::ranges::count(choice.parameters.formula->variables(), "sigma") > 0;
  for (const auto& owner : scenario.owners)
    if (uses_sigma && !owner->intervals()) {
      read.problem(choice.culprit, "sigma is known for the owner models dedicated and intervals only, not for: " + owner->describe());
      return nothing;
    }
  try {
    return choice.policy->split(work, candidates_of(scenario), choice.parameters);
  } catch (const InfeasibleError& e) {
    throw InfeasibleError(read.place(choice.culprit), e.what());
  } catch (const InputError& e) {
    read.problem(choice.culprit, e.what());
    return nothing;
  }
}

/// Work on a machine that its owner never leaves would never end.
void PointBuilder::check_availability(Reading& reading, const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    if (scenario.share_flop[i] == 0 || scenario.available_speed(i) > 0) continue;
    Reader(reading, {"owner"}).problem("model", "workstation " + scenario.platform->workstations[i].name +
                                                    " gets work but has no availability: its owner never leaves it");
    return;
  }
}

/// The whole work on the workstation with the highest mean available speed, under the same owner.
std::shared_ptr<const Scenario> PointBuilder::fastest_alone(const Scenario& scenario) {
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < scenario.size(); ++i)
    if (scenario.available_speed(i) > scenario.available_speed(fastest)) fastest = i;
  Scenario alone = scenario;
  auto& platform = alone_[{scenario.platform.get(), fastest}];
  if (!platform) platform = std::make_shared<Platform>(scenario.platform->with({fastest}));
  alone.platform = platform;
  alone.owners = {scenario.owners[fastest]};
  if (!scenario.bandwidth.empty()) alone.bandwidth = {scenario.bandwidth[fastest]};
  alone.share_flop = {scenario.workload->work_flop()};
  if (scenario.controls) alone.controls = std::make_shared<const ControlVariates>(alone);
  return std::make_shared<const Scenario>(std::move(alone));
}

/// The same point with one workstation, as it would stand in the sweep itself: tau(1) of HL 5.2.2.
std::shared_ptr<const Scenario> PointBuilder::first_alone(Reading& reading, const RunPlan& plan, const Scenario& scenario) {
  Settings settings = reading.settings;
  const Place place{kOverridePlace, 0, "run.baseline"};
  settings[kCount] = Setting{{"1"}, false, false, place};
  Problems problems;
  Reading alone{settings, problems, asked_, formulas_, {}};
  std::shared_ptr<const Scenario> one;
  try {
    one = read_scenario(alone, plan);
  } catch (const InfeasibleError& e) {
    problems.add(e.what());
  }
  Reader blame(reading, {"run"});
  if (!problems.empty()) {
    blame.problem("baseline", "the point with one workstation cannot be made (" + problems.list().front() + "); 'fastest' takes one of the point's own");
    return nullptr;
  }
  if (one && one->workload->work_flop() != scenario.workload->work_flop()) {
    blame.problem("baseline", "with one workstation the job's work is " + short_number(one->workload->work_flop()) + " flop, not " +
                                  short_number(scenario.workload->work_flop()) + ": a speedup compares the same job; 'fastest' takes one of the point's own workstations");
    return nullptr;
  }
  return one;
}

/// After a problem the scenario stays as it is.
void PointBuilder::reduce(Reading& reading, const RunPlan& plan, Scenario& scenario) {
  try {
    reduce_variance(scenario, *plan.variance_reduction);
  } catch (const InputError& e) {
    Reader(reading, {"run"}).problem("variance_reduction", e.what());
  }
}

std::shared_ptr<const Scenario> PointBuilder::read_scenario(Reading& reading, const RunPlan& plan) {
  Scenario scenario;
  scenario.seed = plan.seed;
  const auto& platform =
      known_platforms_.get(reading, "", [&](Reading& own) { return read_platform(own, platforms_); });
  scenario.platform = platform.value;
  if (!scenario.platform) return nullptr;
  complete_.insert("platform");
  reading.variables["N"] = static_cast<double>(scenario.size());
  const std::string on = std::to_string(platform.number);
  const auto& made =
      known_workloads_.get(reading, on, [&](Reading& own) { return read_workload(own, *scenario.platform); });
  scenario.workload = made.value.workload;
  scenario.workload_identity = made.value.identity;
  if (scenario.workload) complete_.insert("job");
  const auto& split = known_splits_.get(reading, on, [&](Reading& own) { return read_split(own); });
  complete_.insert("split");
  const auto& owners =
      known_owners_.get(reading, on, [&](Reading& own) { return read_owners(own, *scenario.platform, owners_); });
  scenario.owners = owners.value;
  complete_.insert("owner");
  scenario.bandwidth =
      known_bandwidths_.get(reading, on, [&](Reading& own) { return read_bandwidth(own, scenario.platform, owners_); })
          .value;
  complete_.insert("bandwidth");
  if (!scenario.workload) return nullptr;
  std::string all = on;
  for (const auto part : {made.number, split.number, owners.number}) all += " " + std::to_string(part);
  scenario.share_flop = known_shares_.get(reading, all, [&](Reading& own) {
    scenario.share_flop = split_work(own, split.value, scenario);
    check_availability(own, scenario);
    return scenario.share_flop;
  }).value;
  reduce(reading, plan, scenario);
  return std::make_shared<const Scenario>(std::move(scenario));
}

Point PointBuilder::build(std::size_t index, const std::vector<const Metric*>& metrics) {
  Point point;
  point.values = document_.sweep.at(index);
  for (std::size_t k = 0; k < swept_.size(); ++k) *swept_[k] = point.values[k];
  Reading reading{settings_, problems_, asked_, formulas_, {}};
  const auto needs = [&](auto flag) {
    return std::any_of(metrics.begin(), metrics.end(), [&](const Metric* m) { return m->*flag; });
  };
  try {
    const RunBlock& run = known_runs_.get(reading, "", [&](Reading& own) { return read_run(own); }).value;
    point.plan = run.plan;
    point.plan.seed = static_cast<std::uint64_t>(Reader(reading, {"run"}).count("seed", 1));
    const Metric* stop = point.plan.precision > 0 ? point.plan.precision_of : nullptr;
    const bool with_baseline = needs(&Metric::needs_baseline) || (stop != nullptr && stop->needs_baseline);
    if ((needs(&Metric::needs_deadline) || (stop != nullptr && stop->needs_deadline)) && point.plan.deadline_s == 0)
      Reader(reading, {"run"}).problem("deadline", "the metric RF needs a deadline (run.deadline: 250s, say)");
    point.scenario = read_scenario(reading, point.plan);
    if (point.scenario && with_baseline && point.scenario->workload->least_ranks() == 1)
      point.baseline =
          run.baseline_is_first ? first_alone(reading, point.plan, *point.scenario) : fastest_alone(*point.scenario);
  } catch (const InfeasibleError& e) {
    point.infeasible = e.what();
    point.scenario = nullptr;
    if (!skip_infeasible_) problems_.add(std::string(e.what()) + " ('run.infeasible: skip' leaves such points blank)");
  }
  return point;
}

void PointBuilder::report_unknown_keys(Experiment& experiment) {
  const KeyUse use{document_.settings, document_.sweep, asked_, complete_};
  for (const auto& remark : judge_unasked_keys(use, workloads_)) {
    if (remark.is_error) problems_.add(remark.place, remark.sentence);
    else experiment.remarks.push_back(InputError(remark.place, remark.sentence).what());
  }
}

/// Claims are about the experiment as the file has it; a flag may take away what they need.
void check_claims_fit(const Document& document, const Experiment& experiment, Problems& problems) {
  std::vector<std::string> found;
  validate_claims(document.claims, document.sweep, experiment.metrics, found);
  for (const auto& problem : found) problems.add(problem);
}

/// A figure in the file has to fit the file; what flags leave of it is drawn if it can be.
void add_figure(const Document& document, Experiment& experiment, Problems& problems) {
  if (!document.figure || !document.sweep.broken.empty()) return;
  const Sweep& sweep = document.sweep;
  Figure figure = document.reshaped ? reduced_figure(*document.figure, sweep, experiment.metrics) : *document.figure;
  std::vector<std::string> found;
  check_figure(figure, sweep, experiment.metrics, found);
  if (found.empty()) experiment.figure = std::move(figure);
  else if (document.reshaped) experiment.no_figure = found.front();
  else
    for (const auto& problem : found) problems.add(problem);
}

[[noreturn]] void give_up(const Problems& problems) {
  auto list = problems.list();
  if (list.size() > kMostProblems) {
    const std::size_t more = list.size() - kMostProblems;
    list.resize(kMostProblems);
    list.push_back("... and " + std::to_string(more) + " more problems");
  }
  throw InputErrors(list);
}

}  // namespace

Experiment load_experiment(const std::string& file, const LoadOptions& options, const WorkloadRegistry& workloads) {
  Problems problems;
  const Document document = read_document(file, options, problems);
  Experiment experiment;
  experiment.file = file;
  experiment.axes = document.sweep.keys();
  PointBuilder builder(document, workloads, problems);
  builder.check_sections();
  builder.read_experiment(experiment);
  experiment.claims = document.claims;
  if (options.overrides.empty()) check_claims_fit(document, experiment, problems);
  add_figure(document, experiment, problems);
  for (std::size_t i = 0; i < document.sweep.size(); ++i)
    experiment.points.push_back(builder.build(i, experiment.metrics));
  builder.report_unknown_keys(experiment);
  if (!problems.empty()) give_up(problems);
  return experiment;
}

std::uint64_t batch_size(const Scenario& scenario) {
  constexpr std::uint64_t kMost = 100, kResults = 200'000;
  const std::uint64_t size = std::clamp<std::uint64_t>(kResults / scenario.size(), 1, kMost),
                      unit = scenario.variance_reduction->unit();
  return std::max(unit, size - size % unit);
}

const char* engine_name(EngineChoice choice) { return kEngineNames[static_cast<std::size_t>(choice)].c_str(); }

const char* version() { return NOWSIM_VERSION; }

}  // namespace nowsim
