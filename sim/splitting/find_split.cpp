// The three kinds of tasks: a closed form that wants a sigma, a second step under guard, and an optimum.
#include "sim/splitting/split_task.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "sim/base/error.hpp"
#include "sim/program/computing_time.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/splitting/wide_search.hpp"

namespace nowsim {
namespace {

using Shares = std::vector<double>;
using Makespans = std::vector<double>;

class SplitFinder {
 public:
  explicit SplitFinder(const SplitTask& task)
      : task_(task), machines_(task.machines), step1_(task.scenario->share_flop),
        pilot_(*task.scenario, task.engine) {}

  SplitReport find() {
    report_.policy = task_.policy->name;
    report_.objective = task_.objective;
    report_.step1_flop = step1_;
    report_.confidence = task_.confidence;
    if (task_.policy->split == nullptr) find_optimum();
    else if (task_.is_guarded) try_second_step();
    else report_.share_flop = closed_form(*task_.policy, task_.parameters);
    report_.engine = pilot_.engine();
    return std::move(report_);
  }

 private:
  [[nodiscard]] double work() const { return task_.scenario->workload->program().work_flop; }

  Shares closed_form(const Policy& policy, const KeyValues& parameters) {
    if (reads_sigma(policy, parameters)) know_sigmas();
    return shares_by(policy, work(), machines_, parameters);
  }

  /// What theory does not tell of sigma_Ti a pilot of step (1) does. Of an equal share, as policies want: sigma grows
  /// with the root of the work (HL 3, 11).
  void know_sigmas() {
    const auto is_open = [](const MachineView& c) { return std::isnan(c.sigma_s); };
    if (std::ranges::none_of(machines_, is_open)) return;
    const double equal = work() / static_cast<double>(std::ranges::count_if(machines_, &MachineView::takes_part));
    report_.sigma_s.assign(step1_.size(), kNotKnown);
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      if (!is_open(machines_[i])) continue;
      const double share = step1_[i];
      machines_[i].sigma_s = share > 0 ? sampled_sigma_s(i) * std::sqrt(equal / share) : 0;
      report_.sigma_s[i] = machines_[i].sigma_s;
    }
  }

  /// sigma_Ti of step (1), of the owner rather than of the program: at a barrier all finish at once, whatever their T_i
  /// are. What owners do that feel the task, and machines that switch off, only a run can tell.
  double sampled_sigma_s(std::size_t i) {
    const Batch batch{kSigmaReplications, kSigmaPilot};
    if (task_.scenario->owners[i]->jobs() == nullptr &&
        !task_.scenario->platform->workstations[i].extras->state_profile)
      return computing_time(*task_.scenario, i, step1_[i], batch).sd();
    if (!sigma_run_) sigma_run_ = pilot_.run(step1_, batch, true);
    Moments times;
    for (std::size_t k = i; k < sigma_run_->times_s.size(); k += step1_.size()) times.add(sigma_run_->times_s[k]);
    return times.sd();
  }

  /// Theory first: of step (1), as the search begins there.
  double sigma_s(std::size_t i) {
    if (!(step1_[i] > 0)) return 0;
    const auto time = theoretical_time(*task_.scenario, i, step1_[i]);
    return time && std::isfinite(time->sd_s) ? time->sd_s : sampled_sigma_s(i);
  }

  Makespans sample(const Shares& shares, std::uint64_t first) {
    return pilot_.run(shares, {first, task_.replications}).makespan_s;
  }

  void compare(const Makespans& before, const Makespans& after) {
    report_.replications = task_.replications;
    report_.before = objective_estimate(task_.objective, before, task_.confidence);
    report_.after = objective_estimate(task_.objective, after, task_.confidence);
    report_.reduction = paired_difference(task_.objective, before, after, task_.confidence);
  }

  // ---- second steps ----------------------------------------------------------------------------------------------

  /// The decision is between two splits, whose difference is known well: the replications that decide also tell the
  /// difference. (Of two splits that do not differ, the better half is shown; its interval holds 0.)
  void try_second_step() {
    SecondStep step;
    step.share_flop = closed_form(*task_.policy, task_.parameters);
    compare(sample(step1_, kSearchReplications), sample(step.share_flop, kSearchReplications));
    step.slope_s = slope_towards(step.share_flop);
    step.is_kept_out = report_.reduction.value < 0;
    report_.share_flop = step.is_kept_out ? step1_ : step.share_flop;
    report_.second_step = std::move(step);
  }

  /// d tau/d lambda of step1 + lambda·(shares - step1) at 0, from both sides.
  Estimate slope_towards(const Shares& shares) {
    double lambda = 0.05;  // so far that replications change, so near that the slope does not
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (const double by = shares[i] - step1_[i]; by > 0) lambda = std::min(lambda, step1_[i] / by);
    if (!(lambda > 0)) return exactly(kNotKnown);  // a machine gets work that has none to give
    const auto at = [&](double l) {
      Shares there = step1_;
      for (std::size_t i = 0; i < there.size(); ++i)
        there[i] = std::max(0.0, there[i] + l * (shares[i] - step1_[i]));
      return sample(there, kSearchReplications);
    };
    const Estimate d = paired_difference(task_.objective, at(lambda), at(-lambda), task_.confidence);
    return {d.value / (2 * lambda), d.low / (2 * lambda), d.high / (2 * lambda)};
  }

  // ---- the optimum -----------------------------------------------------------------------------------------------

  struct NamedSplit {
    std::string policy;
    Shares share_flop;
  };

  /// What the policies that need no parameters make of the job; step (1) first.
  std::vector<NamedSplit> other_splits() {
    std::vector<NamedSplit> others{{"proportional", step1_}};
    for (const Policy& policy : builtin_policies()) {
      if (policy.split == nullptr || policy.needs_parameters() || policy.name == others.front().policy) continue;
      try {
        Shares shares = closed_form(policy, {});
        const auto is_known = [&](const NamedSplit& other) { return other.share_flop == shares; };
        if (can_end(shares) && std::ranges::none_of(others, is_known))
          others.push_back({policy.name, std::move(shares)});
      } catch (const InputError&) {  // it has no answer for these machines
      }
    }
    return others;
  }

  /// Machines without capacity would never end.
  [[nodiscard]] bool can_end(const Shares& shares) const {
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (shares[i] > 0 && !(task_.scenario->available_speed(i) > 0)) return false;
    return true;
  }

  SearchSpace space() {
    SearchSpace space;
    for (std::size_t i = 0; i < machines_.size(); ++i) {
      space.speed_flops.push_back(machines_[i].available_speed());
      space.sigma_s.push_back(sigma_s(i));
    }
    return space;
  }

  [[nodiscard]] Shares alone(std::size_t i) const {
    Shares shares(step1_.size(), 0.0);
    shares[i] = work();
    return shares;
  }
  /// What a machine is expected to do in a time, no more than all the work; of one that does little, a little all the
  /// same.
  [[nodiscard]] double most_of(std::size_t i, double seconds) const {
    if (!machines_[i].takes_part || !(task_.scenario->available_speed(i) > 0)) return 0;
    const Owner& owner = *task_.scenario->owners[i];
    const double left_s = owner.expected_left_s(seconds).value_or(owner.mean() * seconds);
    constexpr double kLeast = 1e-4;
    return std::clamp(machines_[i].speed_flops * left_s, kLeast * work(), work());
  }
  /// Those that could do all the work alone in such a time, the fastest first.
  [[nodiscard]] std::vector<std::size_t> able_alone(double seconds) const {
    std::vector<std::size_t> able;
    for (std::size_t i = 0; i < machines_.size(); ++i)
      if (most_of(i, seconds) >= work()) able.push_back(i);
    std::ranges::stable_sort(able, std::greater{}, [&](std::size_t i) { return machines_[i].available_speed(); });
    if (able.size() > kMostAlone) able.resize(kMostAlone);
    return able;
  }

  void find_optimum() {
    const SearchSpace space = this->space();
    const Batch sample{kSearchReplications, task_.replications};
    SplitTrials trials(pilot_, task_.objective, sample);
    SearchRecord& record = report_.search.emplace();
    NamedSplit best;
    std::vector<NamedSplit> others = other_splits();
    for (const auto& other : others) {
      trials.run(other.share_flop);
      if (trials.best().share_flop == other.share_flop) best = other;
    }
    record.best_other = best.policy;
    record.other_found = trials.best().value;
    const std::size_t n = step1_.size();
    if (!trials.curves())
      for (const std::size_t i : able_alone(mean_of_values(trials.best().run.makespan_s))) trials.run(alone(i));
    record.end = search_split(trials, space, step1_, 200 + 30 * n);
    record.evaluations = trials.evaluations();
    const Shares levelled = look_everywhere(trials, space, sample, others, record);
    record.found = trials.best().value;
    report_.share_flop = trials.best().share_flop;
    judge(best.share_flop, record);
    record.is_bounded = task_.gap_samples > 0;
    if (record.is_bounded)
      record.bound = split_bound(pilot_, task_.objective, report_.share_flop, levelled,
                                 {kGapReplications, task_.gap_samples * task_.replications}, task_.confidence);
  }

  /// Where what was found is only the best of those near it, the trials become those of a better one elsewhere. Returns
  /// the split that levels the machines; nothing where machines wait for one another.
  Shares look_everywhere(SplitTrials& trials, const SearchSpace& space, const Batch& sample,
                         const std::vector<NamedSplit>& others, SearchRecord& record) {
    constexpr double kBeyond = 1.3;
    constexpr double kWorthIt = 10;  // a tenth of half the objective's interval
    if (!trials.curves()) return {};
    const double until_s = kBeyond * mean_of_values(trials.best().run.makespan_s);
    Shares most;
    for (std::size_t i = 0; i < step1_.size(); ++i) most.push_back(most_of(i, until_s));
    const std::uint64_t before = pilot_.runs();
    const SmoothObjective smooth = trials.smooth();
    const auto wide = wide_curves(pilot_, sample, most, smooth, work());
    if (!wide) return {};
    std::vector<Shares> starts{trials.best().share_flop};
    for (const auto& other : others) starts.push_back(other.share_flop);
    if (!wide->levelled_flop.empty()) starts.insert(starts.begin(), wide->levelled_flop);
    for (const std::size_t i : able_alone(until_s)) starts.push_back(alone(i));
    if (step1_.size() > kMostForLocalSearch) starts.resize(2);  // downhill takes as the cube of the machines
    const Shares there = best_from(starts, wide->curves, smooth, space);
    const double worth = kWorthIt * search_tolerance(trials);
    const auto promises = [&](const Shares& shares) { return read_objective(wide->curves, smooth, shares); };
    if (promises(there) < promises(trials.best().share_flop) - worth) {
      SplitTrials elsewhere(pilot_, task_.objective, sample);
      elsewhere.run(there);
      const SearchEnd end = search_nearby(elsewhere, space, 200 + 30 * step1_.size());
      const double value = smooth.value(elsewhere.best().run.makespan_s);
      if (value < smooth.value(trials.best().run.makespan_s) - worth && elsewhere.best().value <= trials.best().value) {
        trials = std::move(elsewhere);
        record.end = end;
      }
    }
    record.evaluations += pilot_.runs() - before;
    return wide->levelled_flop;
  }

  void judge(const Shares& best_other, SearchRecord& record) {
    const Makespans optimum = sample(report_.share_flop, kJudgeReplications);
    compare(sample(step1_, kJudgeReplications), optimum);
    const Makespans other = sample(best_other, kJudgeReplications);
    record.other = objective_estimate(task_.objective, other, task_.confidence);
    record.improvement = paired_difference(task_.objective, other, optimum, task_.confidence);
  }

  static constexpr std::size_t kMostAlone = 16;

  const SplitTask& task_;
  std::vector<MachineView> machines_;
  Shares step1_;
  Pilot pilot_;
  std::optional<PilotRun> sigma_run_;  // of step (1)
  SplitReport report_;
};

void read_optimal(KeyReader& read, SplitChoice& choice) {
  using Objective = SplitObjective::Kind;
  choice.objective.kind = static_cast<Objective>(read.word("objective"));
  choice.replications = read_replications(read);
  choice.gap_samples = static_cast<std::uint64_t>(read.whole("gap_samples"));
  if (choice.objective.kind == Objective::quantile) {
    const double least = 1 / static_cast<double>(choice.replications);
    choice.objective.level = read.value_within("quantile", {least, 1 - least});
  } else if (read.has("quantile")) {
    read.problem("quantile", "this is for 'objective: quantile'; the objective is " +
                                 objective_names()[static_cast<std::size_t>(choice.objective.kind)]);
  }
}

}  // namespace

Policy optimal_policy() {
  return {.name = "optimal",
          .summary = "minimises tau, RF at run.deadline or a quantile of T, by simulation",
          .keys = {{"objective", KeyType::word, objective_names().front(), "what is minimised", {}, objective_names()},
                   {"quantile", KeyType::share, "95%", "with objective: quantile", {0, 1}},
                   replications_key(),
                   {"gap_samples", KeyType::count, "5", "samples for the bound of any split; 0: no bound"}},
          .read_search = read_optimal,
          .split = nullptr};
}

SplitReport find_split(const SplitTask& task) { return SplitFinder(task).find(); }

}  // namespace nowsim
