// Building a point: platform, program, owners and split into a scenario, and what it is compared with.
#include "experiments/point_builder.hpp"

#include <algorithm>

#include "experiments/metric_choice.hpp"
#include "experiments/solve_config.hpp"
#include "experiments/unknown_keys.hpp"
#include "experiments/words.hpp"
#include "sim/candidates.hpp"
#include "sim/control_variates.hpp"
#include "sim/owner_jobs.hpp"
#include "sim/text.hpp"

namespace nowsim {
namespace {

constexpr int kFormat = 1;  // of the YAML: its first key

/// Variables that figures and claims tell points apart by: those have a use, even if no formula does.
std::set<std::string> variables_in_use(const ExperimentDocument& document) {
  std::set<std::string> keys;
  if (const auto& figure = document.figure) {
    for (const auto* axis : {&figure->x, &figure->y, &figure->series}) keys.insert(axis->key);
    for (const auto& panel : figure->panels)
      for (const auto& condition : panel.where) keys.insert(condition.key);
  }
  for (const auto& claim : document.claims) {
    keys.insert({claim.along, claim.across});
    for (const auto& [key, values] : claim.where) keys.insert(key);
  }
  std::erase_if(keys, [](const std::string& key) { return key.rfind("let.", 0) != 0; });
  return keys;
}

}  // namespace

PointBuilder::PointBuilder(const ExperimentSource& source, Problems& problems)
    : source_(source), document_(source.document), workloads_(source.workloads), problems_(problems),
      varying_(document_.sweep.keys()), settings_(document_.settings) {
  varying_.emplace_back(kCount);  // of a baseline with one workstation
  if (!document_.sought.empty()) {
    varying_.push_back(document_.sought);
    sought_ = &settings_[document_.sought].texts.front();
  }
  for (const auto& axis : document_.sweep.axes)
    for (const auto& key : axis.keys) {
      settings_[key] = Setting{{""}, false, false, {axis.place.file, axis.place.line, key}};
      swept_.push_back(&settings_[key].texts.front());
    }
}

PointBuilder::~PointBuilder() = default;

void PointBuilder::check_sections() {
  static const std::map<std::string, std::string> sections{
      {"platform", "{workstations: 4}"}, {"job", "{workload: base-task, work: 100f}"}, {"split", "{policy: equal}"},
      {"owner", "{model: dedicated}"},   {"owner.hosts", "{ws1: {model: dedicated}}"}, {"run", "{replications: 100}"},
      {"bandwidth", "{model: dedicated}"}, {"bandwidth.hosts", "{ws1: {model: dedicated}}"},
      {"platform.links", "{ethernet: {bandwidth: 500kBps}}"}, {"platform.sets", "{fast: [ws1, ws2]}"},
      {"let", "{x: 3}"}, {"solve", "{key: job.work, metric: tau, equals: 200s, from: 1f, to: 1Gf}"}};
  static const std::set<std::string> common{"nowsim", "title", "description", "metrics", "run.infeasible",
                                            "solve.key", "solve.metric", "solve.goal"};
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
  auto names = read.texts("metrics");
  if (names.empty()) names = {"tau", "sigma_T", "sigma_T/tau"};
  for (const auto& name : names) {
    if (const Metric* metric = find_metric(name)) {
      auto& all = experiment.metrics;
      if (std::find(all.begin(), all.end(), metric) != all.end()) read.problem("metrics", "the metric '" + name + "' is given twice");
      else all.push_back(metric);
      continue;
    }
    read.problem("metrics", no_metric(name, metric_names()));
  }
  skip_infeasible_ = Reader(reading, {"run"}).choice("infeasible", {"error", "skip"}, 0) == 1;
}

IdentifiedWorkload PointBuilder::read_workload(Reading& reading, const Platform& platform) {
  Reader read(reading, {"job"});
  std::vector<std::string> names;
  for (const auto& info : workloads_.all()) names.push_back(info.name);
  const auto chosen = read.known_choice("workload", names);
  if (!chosen) return {};
  const std::string& name = names[*chosen];
  const std::size_t problems = reading.problems.found();
  IdentifiedWorkload made;
  try {
    made = make_workload(*workloads_.find(name), read);
  } catch (const InputError& e) {
    if (reading.problems.found() == problems) read.problem("workload", e.what());  // else it is about a stand-in value
    return {};
  }
  const auto& workload = made.workload;
  if (static_cast<std::size_t>(workload->least_ranks()) > platform.workstations.size())
    read.problem("workload", "'" + name + "' needs at least " + std::to_string(workload->least_ranks()) +
                                 " workstations; there are " + std::to_string(platform.workstations.size()));
  return made;
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

/// Owners of a program that prescribes its times would be there for nothing, or slow it down once more.
void PointBuilder::check_own_times(Reading& reading, const Scenario& scenario) {
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const RankShare rank = rank_share(scenario, i, scenario.share_flop[i]);
    try {
      scenario.workload->check_share(rank);
    } catch (const InfeasibleError& e) {
      throw InfeasibleError(Reader(reading, {"job"}).place("workload"), e.what());
    }
    if (!scenario.workload->own_time(rank) || scenario.owners[i]->is_dedicated()) continue;
    Reader(reading, {"owner"}).problem(
        "model", "this workload prescribes its execution times, so every owner must be 'dedicated'; workstation " +
                     rank.host.name + " has " + scenario.owners[i]->describe());
    return;
  }
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
    one = read_scenario(alone, plan).scenario;  // it gets all the work, by any policy
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

ReadScenario PointBuilder::read_scenario(Reading& reading, const RunPlan& plan) {
  Scenario scenario;
  scenario.seed = plan.seed;
  const auto& platform =
      known_platforms_.get(reading, "", [&](Reading& own) { return read_platform(own, platforms_); });
  scenario.platform = platform.value;
  if (!scenario.platform) return {};
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
  if (!scenario.workload) return {};
  std::string all = on;
  for (const auto part : {made.number, split.number, owners.number}) all += " " + std::to_string(part);
  const WorkSplit& shares = known_shares_.get(reading, all, [&](Reading& own) {
    WorkSplit made_now = split_work(own, split.value, scenario);
    scenario.share_flop = made_now.share_flop;
    check_availability(own, scenario);
    check_own_times(own, scenario);
    return made_now;
  }).value;
  scenario.share_flop = shares.share_flop;
  ReadScenario read;
  if (shares.is_provisional) read.task = split_task(reading, split.value, shares, scenario, plan);
  reduce(reading, plan, scenario);
  read.scenario = std::make_shared<const Scenario>(std::move(scenario));
  return read;
}

/// None, after a problem, where the key is not swept; without one where a flag may have fixed it.
std::optional<std::size_t> PointBuilder::reference_of(Reading& reading, const std::string& key, std::size_t index) {
  const auto reference = document_.sweep.first_along(key, index);
  Reader read(reading, {"run"});
  const bool is_broken =
      std::ranges::any_of(document_.sweep.broken, [&](const Setting& s) { return s.place.key == key; });
  const bool may_be_fixed = document_.reshaped && read.place("reference").file != kOverridePlace;
  if (!reference && !is_broken && !may_be_fixed)
    read.problem("reference", "'" + key + "' is not swept" + did_you_mean(key, document_.sweep.keys()) +
                                  "; points are compared with the one that has the first value of a swept key");
  return reference;
}

void PointBuilder::set_swept(const std::vector<std::string>& values) {
  for (std::size_t k = 0; k < swept_.size(); ++k) *swept_[k] = values[k];
}

Point PointBuilder::build(std::size_t index, const std::vector<const Metric*>& metrics) {
  if (document_.lacks_sought) return unread_point(index);
  if (sought_ != nullptr) return open_point(index, metrics);
  Point point = read_point(index, metrics);
  if (!point.infeasible.empty() && !skip_infeasible_)
    problems_.add(point.infeasible + " ('run.infeasible: skip' leaves such points blank)");
  return point;
}

Point PointBuilder::build_at(std::size_t index, const std::string& size, const std::vector<const Metric*>& metrics) {
  *sought_ = size;
  return read_point(index, metrics);
}

/// After a problem with what is solved for: of keys that only reading the point would ask for nothing can be said.
Point PointBuilder::unread_point(std::size_t index) {
  Reading reading{settings_, problems_, asked_, formulas_, {}};
  for (const char* block : {"run", "let"}) Reader(reading, {block}).excuse_all();
  Point point;
  point.values = document_.sweep.at(index);
  return point;
}

/// Whatever is infeasible at some size is told when it is tried.
Point PointBuilder::open_point(std::size_t index, std::vector<const Metric*> metrics) {
  set_swept(document_.sweep.at(index));
  Reading reading{settings_, problems_, asked_, formulas_, {}};
  const auto task = read_size_task(reading, document_.sought);
  if (!task) return unread_point(index);
  metrics.push_back(task->metric);
  const std::size_t problems = problems_.found();
  Point point = build_at(index, task->size_text(task->from), metrics);
  if (!point.scenario) point = build_at(index, task->size_text(task->to), metrics);
  point.infeasible.clear();
  point.size_task = task;
  if (point.split_task)
    Reader(reading, {"split"})
        .problem("policy", "such a split is found by simulation, for one size; with 'solve:' a policy is wanted that "
                           "needs none (for 'equalize', guard: false)");
  if (problems_.found() > problems) return point;
  check_units(reading, index, *task);
  if (!task->whole) check_whole(reading, index, *task);
  return point;
}

/// Another builder, for points that are only made to see what is wrong with them. Its caches serve all of them.
struct PointBuilder::Rehearsal {
  Problems problems;
  PointBuilder builder;

  explicit Rehearsal(const ExperimentSource& source) : builder(source, problems) {}
};

/// What is wrong with a point at a size that is written so.
const std::vector<std::string>& PointBuilder::problems_at(std::size_t index, const std::string& size) {
  if (!rehearsal_) rehearsal_ = std::make_unique<Rehearsal>(source_);
  rehearsal_->problems = {};
  static_cast<void>(rehearsal_->builder.build_at(index, size, {}));
  return rehearsal_->problems.list();
}

/// Ends of the range may be written in units that the key itself takes.
void PointBuilder::check_units(Reading& reading, std::size_t index, const SizeTask& task) {
  Reader read(reading, {"solve"});
  const std::string key = settings_.at(task.key).place.text() + ": ";
  for (const char* end : {"from", "to"}) {
    const std::string size = in_unit_of(reading, std::string("solve.") + end, task.from);
    if (size.empty()) continue;
    const auto& found = problems_at(index, size);
    const auto about_key = std::ranges::find_if(found, [&](const std::string& p) { return p.starts_with(key); });
    if (about_key != found.end())
      read.problem(end, "'" + task.key + "' takes no such unit: " + about_key->substr(key.size()));
  }
}

/// A key that counts something takes no other numbers.
void PointBuilder::check_whole(Reading& reading, std::size_t index, const SizeTask& task) {
  constexpr double kPart = 0.381966;  // of a step: no whole number from any that people write
  const double size = task.from + kPart * std::min(1.0, task.to - task.from);
  const auto& found = problems_at(index, task.size_text(size));
  if (!found.empty())
    Reader(reading, {"solve"})
        .problem("whole", "'" + task.key + "' cannot be any number (" + found.front() + "); leave this out");
}

Point PointBuilder::read_point(std::size_t index, const std::vector<const Metric*>& metrics) {
  Point point;
  point.values = document_.sweep.at(index);
  set_swept(point.values);
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
    if (!run.reference.empty()) point.reference = reference_of(reading, run.reference, index);
    else if (needs(&Metric::needs_reference))
      Reader(reading, {"run"}).problem("reference", "the metrics compare points with a reference, the first one along a "
                                                    "swept key (run.reference: platform.workstations, say)");
    const ReadScenario read = read_scenario(reading, point.plan);
    point.scenario = read.scenario;
    point.split_task = read.task;
    if (point.scenario && with_baseline && point.scenario->workload->least_ranks() == 1)
      point.baseline =
          run.baseline_is_first ? first_alone(reading, point.plan, *point.scenario) : fastest_alone(*point.scenario, alone_);
    if (point.scenario && needs(&Metric::needs_step1)) point.step1 = step1_of(*point.scenario);
  } catch (const InfeasibleError& e) {
    point.infeasible = e.what();
    point.scenario = nullptr;
  }
  return point;
}

void PointBuilder::report_unknown_keys(Experiment& experiment) {
  asked_.merge(variables_in_use(document_));
  const KeyUse use{document_.settings, document_.sweep, asked_, complete_};
  for (const auto& remark : judge_unasked_keys(use, workloads_)) {
    if (remark.is_error) problems_.add(remark.place, remark.sentence);
    else experiment.remarks.push_back(InputError(remark.place, remark.sentence).what());
  }
}

}  // namespace nowsim
