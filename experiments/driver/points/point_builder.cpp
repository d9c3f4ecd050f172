// Building a point: platform, program, owners and split into a scenario, and what it is compared with.
#include "experiments/driver/points/point_builder.hpp"

#include <algorithm>
#include <boost/math/policies/error_handling.hpp>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "experiments/driver/points/blocks.hpp"
#include "experiments/driver/reading/owner_config.hpp"
#include "experiments/driver/reading/platform_config.hpp"
#include "experiments/driver/reading/reader.hpp"
#include "experiments/driver/text/name_lists.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/memory_limit.hpp"
#include "sim/base/text.hpp"
#include "sim/owners/owner_models.hpp"
#include "sim/program/variance_reduction.hpp"
#include "sim/splitting/equalize.hpp"
#include "sim/splitting/machine_views.hpp"

namespace nowsim {
namespace {

// ---- scenarios ----

/// Something read, with a number that nothing else read by the same memo has.
template <class T>
struct Remembered {
  T value;
  std::size_t number;
};

/// The results of one kind of reading, by the values of those keys that it asked for. What is asked for may depend on
/// values, but on nothing else: where the keys of an earlier reading have its values, the same would be read again.
template <class T>
class MemoisedBlocks {
 public:
  /// `varying`: the keys whose values are not the same at all points, and must have one at each.
  explicit MemoisedBlocks(const std::vector<std::string>& varying) : varying_(varying) {}

  /// What read(reading) gives. `inputs` says all that it depends on besides keys. What throws is not remembered, and
  /// what notes problems not for long.
  template <class Read>
  const Remembered<T>& get(Reading& reading, const std::string& inputs, const Read& read) {
    for (auto& kind : kinds_) {
      const auto known = kind.results.find(text_of(kind.keys, reading.settings, inputs));
      if (known != kind.results.end()) return known->second;
    }
    Asked asked{{}, reading.asked};
    Reading own{reading.settings, reading.problems, asked.keys, reading.formulas, reading.variables, {},
                reading.files,    reading.machines};
    const std::size_t problems = reading.problems.found();
    T value = read(own);
    if (reading.problems.found() > problems) return faulty_ = {std::move(value), count_++};
    Kind& kind = kind_of(asked.keys);
    if (kind.results.size() >= kMost) kind.results.clear();
    std::string text = text_of(kind.keys, reading.settings, inputs);
    return kind.results.insert_or_assign(std::move(text), Remembered<T>{std::move(value), count_++}).first->second;
  }

 private:
  static constexpr std::size_t kMost = 1000;  // of a kind: they are found again soon, or never

  /// Readings that asked for the same of the varying keys.
  struct Kind {
    std::vector<std::string> keys;
    std::unordered_map<std::string, Remembered<T>> results;
  };
  /// Keys that a reading asked for; the others learn of them at its end, however it ends.
  struct Asked {
    std::set<std::string> keys;
    std::set<std::string>& all;
    ~Asked() { all.insert(keys.begin(), keys.end()); }
  };

  static std::string text_of(const std::vector<std::string>& keys, const Settings& settings,
                             const std::string& inputs) {
    std::string text = inputs;
    for (const auto& key : keys) {
      const auto found = settings.find(key);
      text += found == settings.end() ? "\n-" : "\n=";
      if (found != settings.end())
        for (const auto& part : found->second.texts) text += part + "\n";
    }
    return text;
  }

  Kind& kind_of(const std::set<std::string>& asked) {
    std::vector<std::string> keys;
    for (const auto& key : varying_)
      if (asked.contains(key)) keys.push_back(key);
    for (auto& kind : kinds_)
      if (kind.keys == keys) return kind;
    return kinds_.emplace_back(std::move(keys), std::unordered_map<std::string, Remembered<T>>{});
  }

  const std::vector<std::string>& varying_;
  std::vector<Kind> kinds_;
  Remembered<T> faulty_{};  // the last that noted problems: others may want to note them too
  std::size_t count_ = 0;
};

/// A scenario, and how its split is to be found if its shares are provisional. None after a problem.
struct ReadScenario {
  std::shared_ptr<const Scenario> scenario;
  std::shared_ptr<const SplitTask> task;
};

/// Making a scenario took longer than the plan's time-out: the point fails.
class ReadingTooLong : public RunError {
  using RunError::RunError;
};

/// Whether others may do what a machine without availability has been given: it is handed out to who asks, and by who
/// has time-outs again. Whether such a job ends, its run tells.
bool is_handed_out(const ProgramDescription& program) { return !program.uses_shares || program.ends_with_first_rank; }

/// Work on a machine that its owner never leaves would never end.
void check_availability(Reading& reading, const Scenario& scenario) {
  std::optional<std::size_t> idle;
  bool has_other = false;
  for (std::size_t i = scenario.size(); i-- > 0;) {
    if (scenario.share_flop[i] == 0) continue;
    if (scenario.available_speed(i) > 0)
      has_other = true;
    else
      idle = i;
  }
  if (!idle || (has_other && is_handed_out(scenario.workload->program()))) return;
  Reader(reading, {"owner"})
      .problem("model", "workstation " + scenario.platform->workstations[*idle].name +
                            " gets work but has no availability: its owner never leaves it");
}

/// After a problem the scenario stays as it is.
void reduce(Reading& reading, const RunPlan& plan, Scenario& scenario) {
  try {
    reduce_variance(scenario, *plan.variance_reduction);
  } catch (const InputError& e) {
    Reader(reading, {"run"}).problem("variance_reduction", e.what());
  }
}

/// What owners, shares and their candidates take per workstation [bytes], while a scenario is made.
constexpr double kBytesPerRank = 150;
/// Fewer workstations take no memory to speak of, and are made faster than memory is asked for.
constexpr std::size_t kManyRanks = 10'000;

void require_memory_for_ranks(const Platform& platform) {
  const std::size_t count = platform.workstations.size();
  if (count >= kManyRanks)
    require_memory(kBytesPerRank * static_cast<double>(count), "a point of " + std::to_string(count) + " workstations");
}

/// One of a platform's machines, which does not fail: a job that begins again with its only machine says nothing.
Platform machine_that_stays(const Platform& platform, std::size_t i) {
  Platform alone = platform.with({i});
  alone.workstations.front().extras.edit().state_profile = nullptr;
  return alone;
}

/// All that a program with ranks of its own computes, by one rank: it would not be that program on one machine, but as
/// many ranks there, which share its cores and send each other messages.
class AllByOneRank final : public Workload {
 public:
  explicit AllByOneRank(double work_flop) : Workload({.work_flop = work_flop}) {}
  Process run(Rank& self) const override { co_await self.compute(program().work_flop); }
};

/// Expected time of the whole work on workstation i alone [s]; and what decides where that is the same, as
/// without work: the higher speed, as the smaller value.
std::pair<double, double> rank_alone(const Scenario& scenario, double work_flop, std::size_t i) {
  const double speed = scenario.available_speed(i), computing_s = work_flop > 0 ? work_flop / speed : 0;
  return {computing_s + scenario.workload->program().paging_alone_s(scenario.platform->workstations[i]), -speed};
}

/// How long a scenario may be in the making.
class Patience {
 public:
  explicit Patience(double timeout_s) : timeout_s_(timeout_s) {}
  /// Of a question to SimGrid.
  [[nodiscard]] double limit_s() const { return timeout_s_ > 0 ? timeout_s_ : kInfinity; }
  void check(const char* what) const {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    if (timeout_s_ > 0 && passed.count() > timeout_s_)
      throw ReadingTooLong(std::string("making ") + what + " took longer than " + short_number(timeout_s_) +
                           " s (run.timeout)");
  }

 private:
  double timeout_s_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Reads the blocks of which a scenario is made; keeps what points share.
class ScenarioBuilder {
 public:
  /// `varying`: the keys whose values differ between the settings that are read. Both must outlive it.
  ScenarioBuilder(const Registries& known, const std::vector<std::string>& varying)
      : known_(known), varying_(varying), owners_(known.owners) {}

  /// @throws InfeasibleError; ReadingTooLong, once a part has taken the time beyond the plan's time-out.
  ReadScenario read(Reading& reading, const RunPlan& plan) {
    Scenario scenario;
    scenario.seed = plan.seed;
    const Patience patience(plan.timeout_s);
    const auto parts = read_parts(reading, patience, scenario);
    if (!parts) return {};
    const WorkSplit& shares = known_shares_.get(reading, parts->numbers, [&](Reading& own) {
      WorkSplit made_now = split_work(own, *parts->split, scenario);
      scenario.share_flop = made_now.share_flop;
      check_availability(own, scenario);
      check_own_times(own, scenario);
      return made_now;
    }).value;
    scenario.share_flop = shares.share_flop;
    patience.check("its split");
    ReadScenario read;
    if (shares.is_provisional) read.task = split_task(reading, *parts->split, shares, scenario, plan);
    reduce(reading, plan, scenario);
    read.scenario = std::make_shared<const Scenario>(std::move(scenario));
    return read;
  }
  /// Sections read to their end at some point, whose keys are therefore all known.
  [[nodiscard]] const std::set<std::string>& complete() const { return complete_; }
  /// What is worth saying of owners that have been read, and of files that they are made from.
  [[nodiscard]] std::vector<std::string> owner_remarks() const {
    auto remarks = owners_.shared.notes();
    if (owners_.clock.is_said && !owners_.clock.counts)
      remarks.emplace_back("nobody here goes by the clock, so that it makes no difference when a run starts; owners that do "
                           "have hours ('nowsim help diurnal')");
    return remarks;
  }
  /// Whether there were scenarios, and none of them uses its shares.
  [[nodiscard]] bool shares_are_idle() const { return shares_are_idle_.value_or(false); }

 private:
  /// How the work is to be split, and the numbers of what that depends on.
  struct Parts {
    const SplitChoice* split;
    std::string numbers;
  };
  /// All but the shares. Nothing after a problem.
  std::optional<Parts> read_parts(Reading& reading, const Patience& patience, Scenario& scenario) {
    const auto& platform =
        known_platforms_.get(reading, "", [&](Reading& own) { return read_platform(own, platforms_); });
    scenario.platform = platform.value;
    if (!scenario.platform) return std::nullopt;
    complete_.insert("platform");
    patience.check("its platform");
    require_memory_for_ranks(*scenario.platform);
    reading.variables["N"] = static_cast<double>(scenario.size());
    reading.machines = scenario.platform.get();
    const std::string on = std::to_string(platform.number);
    const auto& made = known_workloads_.get(
        reading, on, [&](Reading& own) { return read_workload(own, *scenario.platform, known_.workloads); });
    scenario.workload = made.value.workload;
    scenario.workload_identity = made.value.identity;
    if (scenario.workload) complete_.insert("job");
    const auto& split = known_splits_.get(reading, on, [&](Reading& own) { return read_split(own, known_.policies); });
    complete_.insert("split");
    const Platform* whole = whole_platform(platforms_, *scenario.platform);
    const auto& owners = known_owners_.get(
        reading, on, [&](Reading& own) { return read_owners(own, *scenario.platform, owners_, whole); });
    complete_.insert("owner");
    patience.check("its owners");
    const auto& links = known_bandwidths_.get(reading, on, [&](Reading& own) {
      return read_bandwidth(own, scenario.platform, owners_, patience.limit_s(), whole);
    });
    complete_.insert("bandwidth");
    replay(owners.value, links.value, scenario);
    if (!scenario.workload) return std::nullopt;
    scenario.network = network_of(reading, scenario, patience.limit_s());
    shares_are_idle_ = shares_are_idle_.value_or(true) && !scenario.workload->program().uses_shares;
    std::string all = on;
    for (const auto part : {made.number, split.number, owners.number, links.number}) all += " " + std::to_string(part);
    return Parts{&split.value, all};
  }
  /// Owners and links of a scenario, those that replay recordings beginning with others (replayed_together()).
  void replay(const std::vector<OwnerPtr>& owners, const std::vector<OwnerPtr>& links, Scenario& scenario) {
    const auto name = [&](std::size_t i) { return scenario.platform->workstations[i].name; };
    Replays replays = replayed_together(owners, links, name, owners_.shared);
    scenario.owners = std::move(replays.owners);
    scenario.bandwidth = std::move(replays.links);
    for (const auto& remark : replays.remarks) owners_.shared.note(NoteOn::replays, remark);
  }
  /// Looked for once per platform: SimGrid has to load it.
  std::optional<UniformNetwork> network_of(Reading& reading, const Scenario& scenario, double limit_s) {
    if (scenario.size() < 2 || scenario.workload->program().overhead_model == nullptr) return std::nullopt;
    const auto known = known_networks_.find(scenario.platform);
    if (known != known_networks_.end()) return known->second;
    auto& network = known_networks_[scenario.platform];
    try {
      network = uniform_network(*scenario.platform, limit_s);
    } catch (const InputError& e) {
      Reader(reading, {"platform"}).problem("file", e.what());
    }
    return network;
  }

  const Registries& known_;
  const std::vector<std::string>& varying_;
  PlatformCache platforms_;
  OwnerCache owners_;
  MemoisedBlocks<std::shared_ptr<const Platform>> known_platforms_{varying_};
  MemoisedBlocks<IdentifiedWorkload> known_workloads_{varying_};
  MemoisedBlocks<SplitChoice> known_splits_{varying_};
  MemoisedBlocks<std::vector<OwnerPtr>> known_owners_{varying_};
  MemoisedBlocks<std::vector<OwnerPtr>> known_bandwidths_{varying_};
  MemoisedBlocks<WorkSplit> known_shares_{varying_};
  std::map<std::shared_ptr<const Platform>, std::optional<UniformNetwork>> known_networks_;
  std::set<std::string> complete_;
  std::optional<bool> shares_are_idle_;
};

// ---- points ----

/// What Boost.Math throws where it has no answer: of the kinds that are nobody's mistake in the program.
bool is_about_numbers(const std::exception& e) {
  return dynamic_cast<const std::domain_error*>(&e) != nullptr ||
         dynamic_cast<const std::overflow_error*>(&e) != nullptr ||
         dynamic_cast<const std::underflow_error*>(&e) != nullptr ||
         dynamic_cast<const boost::math::evaluation_error*>(&e) != nullptr ||
         dynamic_cast<const boost::math::rounding_error*>(&e) != nullptr;
}

const std::string kBeyondNumbers = "some number is too large or too small beside others to be computed with";

/// Another builder, for points that are only made to see what is wrong with them. Its caches serve all of them.
struct Rehearsal {
  Problems problems;
  PointBuilder builder;

  explicit Rehearsal(const ExperimentSource& source) : builder(source, problems) {}
};

/// What metrics need, and a stopping rule that looks at one.
struct Needs {
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

}  // namespace

/// The settings of the point that is being built, and what it shares with others.
struct PointBuilder::Impl {
  Impl(const ExperimentSource& source, Problems& problems)
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
  void read_experiment(Experiment& experiment) {
    check_sections(document_, problems_, asked_);
    Reading reading{document_.settings, problems_, asked_, formulas_, {}, {}, &document_.files};
    nowsim::read_experiment(reading, source_.registries.metrics, experiment);
    Reader run(reading, {"run"}, run_keys());
    skip_infeasible_ = run.word("infeasible") == 1;
    read_decided(run, experiment);
  }
  /// The key whose best value is to be told. None, after a problem, where it has no two values; with a remark where a flag
  /// has fixed it.
  void read_decided(Reader& read, Experiment& experiment) {
    const std::string key = read.text("decide");
    if (key.empty()) return;
    const Axis* axis = document_.sweep.axis_of(key);
    const Place place = read.place("decide");
    if (!document_.sought.empty())
      read.problem("decide", "the best value of a swept key is not told where 'solve:' seeks a size for each");
    else if (axis != nullptr && axis->values.size() > 1) experiment.decided = decided_ = key;
    else if (axis != nullptr)
      read.problem("decide", "'" + key + "' has one value only: there is nothing to decide");
    else if (document_.reshaped && place.file != kOverridePlace)
      experiment.remarks.push_back(InputError(place, "'" + key + "' is not swept any more: nothing is decided, and points "
                                                     "get all replications").what());
    else if (document_.sweep.broken.empty())
      read.problem("decide", document_.sweep.not_swept(key) + "; what can be told is which value of a swept key is best");
  }
  /// The same point with one workstation, as it would stand in the sweep itself: tau(1) of HL 5.2.2.
  std::shared_ptr<const Scenario> first_alone(Reading& reading, const RunPlan& plan, const Scenario& scenario) {
    const auto refuse = [&](const std::string& why) {
      Reader(reading, {"run"}).problem("baseline", why);
      return std::shared_ptr<const Scenario>();
    };
    if (first_worker(scenario) > 0)
      return refuse("'one' takes the first workstation, '" + scenario.platform->workstations.front().name +
                    "', which is the server here and does none of the work; 'fastest' takes the fastest of the others");
    Settings settings = reading.settings;
    settings[kCount] = Setting{{"1"}, false, false, {kOverridePlace, 0, "run.baseline"}};
    Problems problems;
    Reading alone{settings, problems, asked_, formulas_, {}, {}, &document_.files};
    std::shared_ptr<const Scenario> one;
    try {
      one = scenarios_.read(alone, plan).scenario;  // it gets all the work, by any policy
    } catch (const InfeasibleError& e) {
      problems.add(e);
    }
    if (!problems.empty())
      return refuse("the point with one workstation cannot be made (" + problems.list().front().text() +
                    "); 'fastest' takes one of the point's own");
    const double work_flop = scenario.workload->program().work_flop;
    if (one && one->workload->program().work_flop != work_flop)
      return refuse("with one workstation the job's work is " + short_number(one->workload->program().work_flop) +
                    " flop, not " + short_number(work_flop) +
                    ": a speedup compares the same job; 'fastest' takes one of the point's own workstations");
    return one;
  }
  /// None, after a problem, where the key is not swept; without one where a flag may have fixed it.
  std::optional<std::size_t> reference_of(Reading& reading, const std::string& key, std::size_t index) {
    const auto reference = document_.sweep.first_along(key, index);
    Reader read(reading, {"run"});
    const bool may_be_fixed = document_.reshaped && read.place("reference").file != kOverridePlace;
    if (!reference && !document_.sweep.is_broken(key) && !may_be_fixed)
      read.problem("reference", document_.sweep.not_swept(key) +
                                    "; points are compared with the one that has the first value of a swept key");
    return reference;
  }
  void set_swept(const std::vector<std::string>& values) {
    for (std::size_t k = 0; k < swept_.size(); ++k) *swept_[k] = values[k];
  }
  Point build(std::size_t index, const std::vector<const Metric*>& metrics) {
    if (document_.lacks_sought) return unread_point(index);
    if (sought_ != nullptr) return open_point(index, metrics);
    return read_point(index, metrics, !skip_infeasible_);
  }
  Point build_at(std::size_t index, const std::string& size, const std::vector<const Metric*>& metrics) {
    *sought_ = size;
    Point point = read_point(index, metrics, false);
    if (point.as<FailedPoint>() != nullptr) point.state = InfeasiblePoint{point.reason()};  // there is no such size
    return point;
  }
  /// After a problem with what is solved for: of keys that only reading the point would ask for nothing can be said.
  Point unread_point(std::size_t index) {
    Reading reading{settings_, problems_, asked_, formulas_, {}, {}, &document_.files};
    for (const char* block : {"run", "let"}) Reader(reading, {block}).excuse_all();
    Point point;
    point.values = document_.sweep.at(index);
    return point;
  }
  /// Whatever is infeasible at some size is told when it is tried.
  Point open_point(std::size_t index, std::vector<const Metric*> metrics) {
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
  const std::vector<InputProblem>& problems_at(std::size_t index, const std::string& size) {
    if (!rehearsal_) rehearsal_ = std::make_unique<Rehearsal>(source_);
    rehearsal_->problems = {};
    static_cast<void>(rehearsal_->builder.build_at(index, size, {}));
    return rehearsal_->problems.list();
  }
  /// Said of a problem that the key has at the smallest size and not at the largest: whoever wrote the key did not write
  /// that size. A part of a whole number is another problem.
  void check_first_size(Reading& reading, std::size_t index, const SizeTask& task) {
    if (task.from != std::floor(task.from) || problems_at(index, task.size_text(task.from)).empty()) return;
    if (!problems_at(index, task.size_text(task.to)).empty()) return;
    Reader(reading, {"solve"})
        .problem("from", "sizes begin at " + task.key + " = " + task.size_text(task.from) +
                             ", with which the experiment is refused; begin with a larger one");
  }
  /// Ends of the range may be written in units that the key itself takes.
  void check_units(Reading& reading, std::size_t index, const SizeTask& task) {
    Reader read(reading, {"solve"});
    const Place& key = settings_.at(task.key).place;
    for (const char* end : {"from", "to"}) {
      const std::string size = in_unit_of(reading, std::string("solve.") + end, task.from);
      if (size.empty()) continue;
      const auto& found = problems_at(index, size);
      const auto about_key = std::ranges::find(found, key, &InputProblem::place);
      if (about_key != found.end())
        read.problem(end, "'" + task.key + "' takes no such unit: " + about_key->sentence);
    }
  }
  /// A key that counts something takes no other numbers.
  void check_whole(Reading& reading, std::size_t index, const SizeTask& task) {
    constexpr double kPart = 0.381966;  // of a step: no whole number from any that people write
    const double size = task.from + kPart * std::min(1.0, task.to - task.from);
    const auto& found = problems_at(index, task.size_text(size));
    if (!found.empty())
      Reader(reading, {"solve"})
          .problem("whole", "'" + task.key + "' cannot be any number (" + found.front().text() + "); leave this out");
  }
  /// What metrics need of the run's block. A deadline whose formula failed is not missing.
  void read_needs(Reading& reading, const RunBlock& run, std::size_t index, const Needs& needs, Point& point) {
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
  void read_scenarios(Reading& reading, const RunBlock& run, const Needs& needs, Point& point) {
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
  /// That it is infeasible is a problem, or not.
  Point read_point(std::size_t index, const std::vector<const Metric*>& metrics, bool must_be_feasible) {
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
      if (must_be_feasible)
        problems_.add(e.place(), e.sentence() + " ('run.infeasible: skip' leaves such points blank)");
    } catch (const InputError& e) {
      problems_.add(e);
    } catch (const ReadingTooLong& e) {
      point.state = FailedPoint{e.what()};
    } catch (const std::exception& e) {
      if (!is_about_numbers(e)) throw;
      problems_.add(document_.settings.empty() ? Place{} : Place{document_.settings.begin()->second.place.file, 0, ""},
                    kBeyondNumbers + (point.values.empty() ? "" : " at the point " + joined(point.values)));
    }
    return point;
  }

  static constexpr const char* kCount = "platform.workstations";

  const ExperimentSource& source_;
  const ExperimentDocument& document_;
  Problems& problems_;
  std::set<std::string> asked_{"nowsim", "title", "description"};
  FormulaCache formulas_;
  std::vector<std::string> varying_;       // keys whose values differ between the settings that are read
  Settings settings_;                      // of the point that is being built
  std::vector<std::string*> swept_;        // the swept values in them, in the order of the sweep's keys
  std::string* sought_ = nullptr;          // the value in them of the key that is solved for
  MemoisedBlocks<RunBlock> known_runs_{varying_};
  ScenarioBuilder scenarios_;
  AlonePlatforms alone_;                   // for baselines
  std::string decided_;                    // the swept key whose best value is to be told
  bool skip_infeasible_ = false;
  std::unique_ptr<Rehearsal> rehearsal_;  // where a key is solved for
};

PointBuilder::PointBuilder(const ExperimentSource& source, Problems& problems)
    : impl_(std::make_unique<Impl>(source, problems)) {}

PointBuilder::~PointBuilder() = default;

void PointBuilder::read_experiment(Experiment& experiment) { impl_->read_experiment(experiment); }

Point PointBuilder::build(std::size_t index, const std::vector<const Metric*>& metrics) {
  return impl_->build(index, metrics);
}

Point PointBuilder::build_at(std::size_t index, const std::string& size, const std::vector<const Metric*>& metrics) {
  return impl_->build_at(index, size, metrics);
}

std::vector<std::string> PointBuilder::owner_remarks() const { return impl_->scenarios_.owner_remarks(); }

void PointBuilder::report_unknown_keys(Experiment& experiment) const {
  const ScenarioBuilder& scenarios = impl_->scenarios_;
  nowsim::report_unknown_keys(impl_->document_, impl_->source_.registries,
                              {impl_->asked_, scenarios.complete(), scenarios.shares_are_idle()}, impl_->problems_,
                              experiment);
}

std::shared_ptr<const Scenario> fastest_alone(const Scenario& scenario, AlonePlatforms& platforms) {
  const double work = scenario.workload->program().work_of(scenario.share_flop);
  std::size_t fastest = first_worker(scenario);
  for (std::size_t i = fastest + 1; i < scenario.size(); ++i)
    if (rank_alone(scenario, work, i) < rank_alone(scenario, work, fastest)) fastest = i;
  Scenario alone = scenario;
  auto& platform = platforms[{scenario.platform.get(), fastest}];
  if (!platform) platform = std::make_shared<const Platform>(machine_that_stays(*scenario.platform, fastest));
  alone.platform = platform;
  alone.network.reset();
  alone.owners = {scenario.owners[fastest]};
  if (!scenario.bandwidth.empty()) alone.bandwidth = {scenario.bandwidth[fastest]};
  alone.share_flop = {work};
  if (scenario.workload->program().placement) {
    alone.workload = std::make_shared<const AllByOneRank>(work);
    alone.workload_identity += " by one rank";
  }
  if (scenario.controls) alone.controls = std::make_shared<const ControlVariates>(alone);
  return std::make_shared<const Scenario>(std::move(alone));
}

std::shared_ptr<const Scenario> step1_of(const Scenario& scenario) {
  const double work = scenario.workload->program().work_flop;
  if (work == 0 || !scenario.workload->program().uses_shares) return nullptr;
  Scenario step1 = scenario;
  step1.share_flop = proportional_shares(work, machine_views(scenario));
  if (scenario.controls) step1.controls = std::make_shared<const ControlVariates>(step1);
  return std::make_shared<const Scenario>(std::move(step1));
}

}  // namespace nowsim
