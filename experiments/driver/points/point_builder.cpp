// Building a point: platform, program, owners and split into a scenario, and what it is compared with.
#include "experiments/driver/points/point_builder.hpp"

#include <algorithm>
#include <boost/math/policies/error_handling.hpp>
#include <cmath>
#include <stdexcept>

#include "experiments/driver/points/blocks.hpp"
#include "experiments/driver/points/experiment_document.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/text.hpp"

namespace nowsim {
namespace {

/// What Boost.Math throws where it has no answer: of the kinds that are nobody's mistake in the program.
bool is_about_numbers(const std::exception& e) {
  return dynamic_cast<const std::domain_error*>(&e) != nullptr ||
         dynamic_cast<const std::overflow_error*>(&e) != nullptr ||
         dynamic_cast<const std::underflow_error*>(&e) != nullptr ||
         dynamic_cast<const boost::math::evaluation_error*>(&e) != nullptr ||
         dynamic_cast<const boost::math::rounding_error*>(&e) != nullptr;
}

const std::string kBeyondNumbers = "some number is too large or too small beside others to be computed with";

}  // namespace

/// Another builder, for points that are only made to see what is wrong with them. Its caches serve all of them.
struct PointBuilder::Rehearsal {
  Problems problems;
  PointBuilder builder;

  explicit Rehearsal(const ExperimentSource& source) : builder(source, problems) {}
};

/// What metrics need, and a stopping rule that looks at one.
struct PointBuilder::Needs {
  bool baseline, step1, reference;
  const Metric* deadline = nullptr;  ///< a metric that needs one

  Needs(const std::vector<const Metric*>& metrics, const RunPlan& plan) {
    const auto some = [&](auto flag) {
      return std::ranges::any_of(metrics, [&](const Metric* m) { return m->*flag; });
    };
    const Metric* stop = plan.precision > 0 ? plan.precision_of : nullptr;
    baseline = some(&Metric::needs_baseline) || (stop != nullptr && stop->needs_baseline);
    std::vector<const Metric*> asked = metrics;
    if (stop != nullptr) asked.push_back(stop);
    if (plan.decides()) asked.push_back(plan.decide_by);
    const auto needing = std::ranges::find_if(asked, [](const Metric* m) { return m->needs_deadline; });
    if (needing != asked.end()) deadline = *needing;
    step1 = some(&Metric::needs_step1);
    reference = some(&Metric::needs_reference);
  }
};

PointBuilder::PointBuilder(const ExperimentSource& source, Problems& problems)
    : source_(source), document_(source.document), problems_(problems), varying_(document_.sweep.keys()),
      settings_(document_.settings), scenarios_(source.registries, varying_) {
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

void PointBuilder::read_experiment(Experiment& experiment) {
  check_sections(document_, problems_, asked_);
  Reading reading{document_.settings, problems_, asked_, formulas_, {}, {}, &document_.files};
  nowsim::read_experiment(reading, source_.registries.metrics, experiment);
  Reader run(reading, {"run"}, run_keys());
  skip_infeasible_ = run.word("infeasible") == 1;
  read_decided(run, experiment);
}

/// The key whose best value is to be told. None, after a problem, where it has no two values; with a remark where a flag
/// has fixed it.
void PointBuilder::read_decided(Reader& read, Experiment& experiment) {
  const std::string key = read.text("decide");
  if (key.empty()) return;
  const auto& axes = document_.sweep.axes;
  const auto axis = std::ranges::find_if(axes, [&](const Axis& a) { return contains(a.keys, key); });
  const Place place = read.place("decide");
  if (!document_.sought.empty())
    read.problem("decide", "the best value of a swept key is not told where 'solve:' seeks a size for each");
  else if (axis != axes.end() && axis->values.size() > 1) experiment.decided = decided_ = key;
  else if (axis != axes.end())
    read.problem("decide", "'" + key + "' has one value only: there is nothing to decide");
  else if (document_.reshaped && place.file != kOverridePlace)
    experiment.remarks.push_back(InputError(place, "'" + key + "' is not swept any more: nothing is decided, and points "
                                                   "get all replications").what());
  else if (document_.sweep.broken.empty())
    read.problem("decide", document_.sweep.not_swept(key) + "; what can be told is which value of a swept key is best");
}

void PointBuilder::report_unknown_keys(Experiment& experiment) const {
  nowsim::report_unknown_keys(document_, source_.registries,
                              {asked_, scenarios_.complete(), scenarios_.shares_are_idle()}, problems_, experiment);
}

/// The same point with one workstation, as it would stand in the sweep itself: tau(1) of HL 5.2.2.
std::shared_ptr<const Scenario> PointBuilder::first_alone(Reading& reading, const RunPlan& plan,
                                                          const Scenario& scenario) {
  Reader blame(reading, {"run"});
  if (first_worker(scenario) > 0) {
    blame.problem("baseline", "'one' takes the first workstation, '" + scenario.platform->workstations.front().name +
                                  "', which is the server here and does none of the work; 'fastest' takes the fastest "
                                  "of the others");
    return nullptr;
  }
  Settings settings = reading.settings;
  const Place place{kOverridePlace, 0, "run.baseline"};
  settings[kCount] = Setting{{"1"}, false, false, place};
  Problems problems;
  Reading alone{settings, problems, asked_, formulas_, {}, {}, &document_.files};
  std::shared_ptr<const Scenario> one;
  try {
    one = scenarios_.read(alone, plan).scenario;  // it gets all the work, by any policy
  } catch (const InfeasibleError& e) {
    problems.add(e.what());
  }
  if (!problems.empty()) {
    blame.problem("baseline", "the point with one workstation cannot be made (" + problems.list().front() +
                                  "); 'fastest' takes one of the point's own");
    return nullptr;
  }
  if (one && one->workload->program().work_flop != scenario.workload->program().work_flop) {
    blame.problem("baseline", "with one workstation the job's work is " + short_number(one->workload->program().work_flop) +
                                  " flop, not " + short_number(scenario.workload->program().work_flop) +
                                  ": a speedup compares the same job; 'fastest' takes one of the point's own "
                                  "workstations");
    return nullptr;
  }
  return one;
}

/// None, after a problem, where the key is not swept; without one where a flag may have fixed it.
std::optional<std::size_t> PointBuilder::reference_of(Reading& reading, const std::string& key, std::size_t index) {
  const auto reference = document_.sweep.first_along(key, index);
  Reader read(reading, {"run"});
  const bool may_be_fixed = document_.reshaped && read.place("reference").file != kOverridePlace;
  if (!reference && !document_.sweep.is_broken(key) && !may_be_fixed)
    read.problem("reference", document_.sweep.not_swept(key) +
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
  if (const auto* no = point.as<InfeasiblePoint>(); no != nullptr && !skip_infeasible_)
    problems_.add(no->reason + " ('run.infeasible: skip' leaves such points blank)");
  return point;
}

Point PointBuilder::build_at(std::size_t index, const std::string& size, const std::vector<const Metric*>& metrics) {
  *sought_ = size;
  Point point = read_point(index, metrics);
  if (point.as<FailedPoint>() != nullptr) point.state = InfeasiblePoint{point.reason()};  // there is no such size
  return point;
}

/// After a problem with what is solved for: of keys that only reading the point would ask for nothing can be said.
Point PointBuilder::unread_point(std::size_t index) {
  Reading reading{settings_, problems_, asked_, formulas_, {}, {}, &document_.files};
  for (const char* block : {"run", "let"}) Reader(reading, {block}).excuse_all();
  Point point;
  point.values = document_.sweep.at(index);
  return point;
}

/// Whatever is infeasible at some size is told when it is tried.
Point PointBuilder::open_point(std::size_t index, std::vector<const Metric*> metrics) {
  set_swept(document_.sweep.at(index));
  Reading reading{settings_, problems_, asked_, formulas_, {}, {}, &document_.files};
  const auto task = read_size_task(reading, document_.sought, source_.registries.metrics);
  if (!task) return unread_point(index);
  metrics.push_back(task->metric);
  const std::size_t problems = problems_.found();
  Point point = build_at(index, task->size_text(task->from), metrics);
  if (point.simulated() == nullptr) point = build_at(index, task->size_text(task->to), metrics);
  if (point.as<OpenSplit>() != nullptr)
    Reader(reading, {"split"})
        .problem("policy", "such a split is found by simulation, for one size; with 'solve:' a policy is wanted that "
                           "needs none (for 'equalize', guard: false)");
  const PointScenarios* first = point.simulated();
  point.state = OpenSize{first != nullptr ? std::optional(*first) : std::nullopt, task};
  if (problems_.found() > problems) {
    check_first_size(reading, index, *task);
    return point;
  }
  check_units(reading, index, *task);
  if (!task->whole) check_whole(reading, index, *task);
  return point;
}

/// What is wrong with a point at a size that is written so.
const std::vector<std::string>& PointBuilder::problems_at(std::size_t index, const std::string& size) {
  if (!rehearsal_) rehearsal_ = std::make_unique<Rehearsal>(source_);
  rehearsal_->problems = {};
  static_cast<void>(rehearsal_->builder.build_at(index, size, {}));
  return rehearsal_->problems.list();
}

/// Said of a problem that the key has at the smallest size and not at the largest: whoever wrote the key did not write
/// that size. A part of a whole number is another problem.
void PointBuilder::check_first_size(Reading& reading, std::size_t index, const SizeTask& task) {
  if (task.from != std::floor(task.from) || problems_at(index, task.size_text(task.from)).empty()) return;
  if (!problems_at(index, task.size_text(task.to)).empty()) return;
  Reader(reading, {"solve"})
      .problem("from", "sizes begin at " + task.key + " = " + task.size_text(task.from) +
                           ", with which the experiment is refused; begin with a larger one");
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

/// What metrics need of the run's block. A deadline whose formula failed is not missing.
void PointBuilder::read_needs(Reading& reading, const RunBlock& run, std::size_t index, const Needs& needs,
                              Point& point) {
  Reader read(reading, {"run"});
  const auto written = settings_.find("run.deadline");
  const bool is_told = written != settings_.end() && is_formula(written->second) && reading.problems.found() > 0;
  if (needs.deadline != nullptr && point.plan.deadline_s == 0 && !is_told)
    read.problem("deadline", "the metric " + needs.deadline->name + " needs a deadline (run.deadline: 250s, say)");
  if (!run.reference.empty()) point.reference = reference_of(reading, run.reference, index);
  else if (needs.reference)
    read.problem("reference", "the metrics compare points with a reference, the first one along a swept key "
                              "(run.reference: platform.workstations, say)");
}

/// The scenario and those that it is compared with. @throws InfeasibleError.
void PointBuilder::read_scenarios(Reading& reading, const RunBlock& run, const Needs& needs, Point& point) {
  const ReadScenario read = scenarios_.read(reading, point.plan);
  if (!read.scenario) return;
  PointScenarios all{read.scenario, nullptr, nullptr};
  if (needs.baseline && read.scenario->workload->program().least_ranks == 1)
    all.baseline = run.baseline_is_first ? first_alone(reading, point.plan, *read.scenario)
                                         : fastest_alone(*read.scenario, alone_);
  if (needs.step1) all.step1 = step1_of(*read.scenario);
  if (read.task) point.state = OpenSplit{all, read.task};
  else point.state = ReadyPoint{all};
  if (Reader(reading, {"run"}, run_keys()).has("timeout")) return;
  point.plan.timeout_s = read.scenario->workload->program().user_code.timeout_s;  // as the program wants it
  point.plan.timeout_was_asked = false;
}

Point PointBuilder::read_point(std::size_t index, const std::vector<const Metric*>& metrics) {
  Point point;
  point.values = document_.sweep.at(index);
  set_swept(point.values);
  Reading reading{settings_, problems_, asked_, formulas_, {}, {}, &document_.files};
  try {
    const RunBlock& run = known_runs_.get(reading, "", [&](Reading& own) { return read_run(own, source_.registries.metrics); }).value;
    point.plan = run.plan;
    point.plan.seed = static_cast<std::uint64_t>(Reader(reading, {"run"}, run_keys()).whole("seed"));
    if (decided_.empty()) point.plan.indifference = 0;
    else point.cell = document_.sweep.first_along(decided_, index);
    const Needs needs(metrics, point.plan);
    read_needs(reading, run, index, needs, point);
    read_scenarios(reading, run, needs, point);
  } catch (const InfeasibleError& e) {
    point.state = InfeasiblePoint{e.what()};
  } catch (const InputError& e) {
    problems_.add(e.what());
  } catch (const ReadingTooLong& e) {
    point.state = FailedPoint{e.what()};
  } catch (const std::exception& e) {
    if (!is_about_numbers(e)) throw;
    problems_.add(document_.settings.empty() ? Place{} : Place{document_.settings.begin()->second.place.file, 0, ""},
                  kBeyondNumbers + (point.values.empty() ? "" : " at the point " + joined(point.values)));
  }
  return point;
}

}  // namespace nowsim
