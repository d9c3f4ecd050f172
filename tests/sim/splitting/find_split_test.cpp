// Splits found by simulation: against scans of the same sample, theory, and the other policies.
#include "sim/splitting/split_task.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/owners/diurnal.hpp"
#include "sim/program/computing_time.hpp"
#include "sim/splitting/completion_time_model.hpp"
#include "sim/splitting/equalize.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/splitting/split_objective.hpp"
#include "sim/splitting/wide_search.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/sim/splitting/normal_tau.hpp"
#include "tests/workloads/job_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

using Shares = std::vector<double>;
using Kind = SplitObjective::Kind;

OwnerPtr uniform_owner(double th, double mean = 0.5) {
  const double half = std::sqrt(3.0) * th * mean;
  return intervals_owner(uniform(mean - half, mean + half), uniform(0, 20), "uniform " + std::to_string(th));
}

/// Machines that compute their shares and are done.
Scenario base_task(const std::vector<double>& speeds, std::vector<OwnerPtr> owners, double work_flop,
                   std::uint64_t seed = 1) {
  Scenario s;
  s.platform = machines(speeds, NetworkKind::none);
  s.owners = std::move(owners);
  s.workload = sharing({.work_flop = work_flop});
  s.seed = seed;
  s.share_flop = proportional_shares(work_flop, machine_views(s));
  return s;
}

SplitTask task_of(Scenario scenario, const std::string& policy) {
  SplitTask task;
  task.machines = machine_views(scenario);
  task.scenario = std::make_shared<const Scenario>(std::move(scenario));
  task.policy = builtin_policies().find(policy);
  task.is_guarded = task.policy->is_second_step;
  task.gap_samples = 0;
  return task;
}

/// What a split gives on the replications on which a task is decided.
double value_of(const SplitTask& task, const Shares& shares) {
  Pilot pilot(*task.scenario, task.engine);
  return objective_value(task.objective, pilot.run(shares, {kSearchReplications, task.replications}).makespan_s);
}

/// The least of all splits between two machines, in steps of such a part of the work.
double least_of_two(const SplitTask& task, double step) {
  const double work = task.scenario->workload->program().work_flop;
  double least = kInfinity;
  for (double part = 0; part <= 1; part += step)
    least = std::min(least, value_of(task, {part * work, (1 - part) * work}));
  return least;
}

/// Two machines with t = 100 s, sigma = 10 and 30 s, the second four times as fast; times normal.
Scenario steady_slow_and_unsteady_fast() {
  Scenario s = base_task({1, 4}, {dedicated_owner(), dedicated_owner()}, 500);
  s.workload = made("stochastic-time",
                    FixedParameters({{"work", 500}, {"sd_first", 10}, {"sd_last", 30}, {"sd_at", 100}, {"law", 1}}));
  return s;
}

}  // namespace

TEST_CASE("The optimum of two machines is that of a fine scan on the same random numbers", "[computes][optimal]") {
  SplitTask task = task_of(base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 200), "optimal");
  task.objective = GENERATE(SplitObjective{}, SplitObjective{Kind::risk, 225, 0},
                            SplitObjective{Kind::quantile, 0, 0.9});
  const SplitReport report = find_split(task);
  double least = kInfinity;
  for (double dx = -10; dx <= 30; dx += 0.25) least = std::min(least, value_of(task, {100 + dx, 100 - dx}));
  CHECK(report.search->found == value_of(task, report.share_flop));
  // What a quantile is smoothed by moves its minimum; RF is a count.
  const double margin = task.objective.kind == Kind::quantile ? 1e-3 * least : 1e-4 * least;
  CHECK(report.search->found <= least + (task.objective.kind == Kind::risk ? 0.002 : margin));
  CHECK(std::accumulate(report.share_flop.begin(), report.share_flop.end(), 0.0) == Approx(200));
}

TEST_CASE("The optimum is never worse than any other policy on the same random numbers", "[optimal][property]") {
  Stream draw({5, 0, 0, Purpose::workload});
  for (int trial = 0; trial < 9; ++trial) {
    const auto n = static_cast<std::size_t>(2 + 5 * draw.uniform());
    std::vector<double> speeds;
    std::vector<OwnerPtr> owners;
    for (std::size_t i = 0; i < n; ++i) {
      speeds.push_back(0.5 + 3 * draw.uniform());
      owners.push_back(uniform_owner(0.55 * draw.uniform()));
    }
    const double work = 100.0 * static_cast<double>(n);
    SplitTask task = task_of(base_task(speeds, owners, work, 100 + static_cast<std::uint64_t>(trial)), "optimal");
    task.replications = 200;
    task.objective.kind = static_cast<Kind>(trial % 3);
    task.objective.deadline_s = 130;
    task.objective.level = 0.9;
    const SplitReport report = find_split(task);
    CHECK(report.search->found == value_of(task, report.share_flop));
    for (const char* other : {"equal", "proportional", "equalize", "equalize-linear"}) {
      INFO("trial " << trial << ", " << n << " machines, " << other);
      CHECK(report.search->found <= value_of(task, builtin_policies().find(other)->split(work, task.machines, {})));
    }
    CHECK(report.search->found <= report.search->other_found);
  }
}

TEST_CASE("The optimum of normal times is that of theory", "[optimal][statistical]") {
  SplitTask task = task_of(steady_slow_and_unsteady_fast(), "optimal");
  task.replications = 4000;
  const SplitReport report = find_split(task);
  double least = kInfinity;
  for (double dx = 0; dx < 60; dx += 0.5)
    least = std::min(least, normal_tau(500, task.machines, Shares{100 - dx, 400 + dx}));
  CHECK(normal_tau(500, task.machines, report.share_flop) == Approx(least).epsilon(0.003));  // tau is flat there
  CHECK(report.share_flop[0] < 90);  // the fast machine gets more, though it is the unsteady one
}

TEST_CASE("Where equalising lengthens tau step 1 is kept, and the numbers say by how much", "[guard][statistical]") {
  SplitTask task = task_of(steady_slow_and_unsteady_fast(), "equalize");
  task.replications = 20000;
  const SplitReport report = find_split(task);
  REQUIRE(report.second_step);
  CHECK(report.second_step->is_kept_out);
  CHECK(report.share_flop == report.step1_flop);
  CHECK(report.second_step->share_flop[0] > 110);  // the steady machine would have got more
  CHECK(report.reduction.value / report.before.value == Approx(-0.068).margin(0.004));
  CHECK(report.second_step->slope_s.low > 0);
  // The same work moved the other way.
  const Shares& step2 = report.second_step->share_flop;
  const Shares back{200 - step2[0], 800 - step2[1]};
  CHECK(1 - value_of(task, back) / value_of(task, {100, 400}) == Approx(0.032).margin(0.004));
}

TEST_CASE("Where equalising shortens tau it is done, and tau falls from step 1 on", "[guard]") {
  const SplitTask task =
      task_of(base_task({1, 1, 1, 1, 1}, {uniform_owner(0.1), uniform_owner(0.2), uniform_owner(0.3),
                                          uniform_owner(0.4), uniform_owner(0.5)}, 500), "equalize");
  const SplitReport report = find_split(task);
  CHECK_FALSE(report.second_step->is_kept_out);
  CHECK(report.share_flop == equalized_shares(500, task.machines));
  CHECK(report.reduction.low > 0);
  CHECK(report.second_step->slope_s.high < 0);
  CHECK(report.reduction.value == Approx(report.before.value - report.after.value));
}

TEST_CASE("A pilot tells the sigma that theory does not, scaled to an equal share", "[pilot][statistical]") {
  SplitTask task = task_of(base_task({1, 3}, {uniform_owner(0.2), uniform_owner(0.5)}, 4000), "equalize-linear");
  task.is_guarded = false;
  const Shares by_theory = builtin_policies().find("equalize-linear")->split(4000, task.machines, {});
  const double sigma = task.machines[1].sigma_s;
  task.machines[1].sigma_s = std::numeric_limits<double>::quiet_NaN();
  const SplitReport report = find_split(task);
  CHECK(report.sigma_s[1] == Approx(sigma).epsilon(0.15));  // 400 replications: 3.5 %, four times that
  CHECK(std::isnan(report.sigma_s[0]));
  CHECK(report.share_flop[0] - 1000 == Approx(by_theory[0] - 1000).epsilon(0.2));
  CHECK(report.replications == 0);  // nothing was compared
}

namespace {

/// Five phases with a barrier behind each, so that all ranks finish at once.
Process five_phases(Rank& self) {
  for (int phase = 0; phase < 5; ++phase) {
    co_await self.compute(self.share() / 5);
    co_await self.barrier();
  }
}

Scenario phases_of_two() {
  Scenario s = base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 400);
  s.workload = std::make_shared<const LambdaWorkload>(five_phases, 400);
  return s;
}

}  // namespace

TEST_CASE("A barrier hides neither sigma nor who is late", "[pilot][statistical]") {
  SplitTask task = task_of(phases_of_two(), "equalize");
  task.is_guarded = false;
  const double sigma = task.machines[1].sigma_s;
  for (auto& machine : task.machines) machine.sigma_s = std::numeric_limits<double>::quiet_NaN();
  const SplitReport report = find_split(task);
  CHECK(report.sigma_s[1] == Approx(sigma).epsilon(0.15));
  CHECK(report.sigma_s[0] < 0.5 * report.sigma_s[1]);
  CHECK(report.share_flop[0] > 205);
}

TEST_CASE("A barrier at a program's end changes nothing of its optimum", "[optimal]") {
  const std::vector<OwnerPtr> owners{uniform_owner(0.1), uniform_owner(0.5)};
  Scenario s = base_task({1, 1}, owners, 200);
  const SplitReport without = find_split(task_of(s, "optimal"));
  s.workload = std::make_shared<const LambdaWorkload>([](Rank& self) -> Process {
    co_await self.compute(self.share());
    co_await self.barrier();
  }, 200);
  const SplitReport with = find_split(task_of(s, "optimal"));
  CHECK(with.share_flop[0] == Approx(without.share_flop[0]).epsilon(1e-3));
  CHECK(with.after.value == Approx(without.after.value).epsilon(1e-4));
}

TEST_CASE("The least risk of machines whose availability stays is the closed form", "[optimal][statistical]") {
  // T_i = X_i/A_i, A_i uniform from h_i - 1/2 to h_i: the product of P[T_i <= d] = 2·(h_i - X_i/d) is greatest where its
  // factors are equal, X_i = d·(h_i - c), with c such that they sum to X.
  const std::vector<double> most{0.7, 0.8, 0.95};
  std::vector<OwnerPtr> owners;
  for (const double high : most)
    owners.push_back(intervals_owner(uniform(high - 0.5, high), uniform(1e6, 1.1e6), "stays " + std::to_string(high)));
  const double work = 110, deadline = 100, c = (0.7 + 0.8 + 0.95 - work / deadline) / 3;
  SplitTask task = task_of(base_task({1, 1, 1}, owners, work), "optimal");
  task.objective = {Kind::risk, deadline, 0};
  task.replications = 10000;
  const SplitReport report = find_split(task);
  const double least = 1 - std::pow(2 * c, 3);
  double met = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(report.share_flop[i] == Approx(deadline * (most[i] - c)).epsilon(0.15));  // RF is flat there
    met *= 2 * (most[i] - report.share_flop[i] / deadline);
  }
  CHECK(1 - met <= least + 0.002);  // step 1 is above it by 0.007
  CHECK(report.after.low <= least);
  CHECK(report.after.high >= least);
}

TEST_CASE("Ten machines take some ten runs per search, whatever is minimised", "[optimal]") {
  std::vector<double> speeds;
  std::vector<OwnerPtr> owners;
  for (int i = 0; i < 10; ++i) {
    speeds.push_back(1 + 0.3 * i);
    owners.push_back(uniform_owner(0.05 + 0.05 * i));
  }
  SplitTask task = task_of(base_task(speeds, owners, 2000), "optimal");
  task.objective = GENERATE(SplitObjective{}, SplitObjective{Kind::risk, 200, 0}, SplitObjective{Kind::quantile, 0, 0.95});
  task.replications = 300;
  const SplitReport report = find_split(task);
  CHECK(report.search->end == SearchEnd::converged);
  CHECK(report.search->evaluations <= 25 + 20);  // BOBYQA took 150; 20 of shares of all sizes
}

TEST_CASE("A risk that no replication shows is not bounded by 0", "[optimal]") {
  SplitTask task = task_of(base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 200), "optimal");
  task.objective = {Kind::risk, 1e6, 0};
  task.replications = 100;
  task.gap_samples = 3;
  const SplitBound bound = *find_split(task).search->bound;
  CHECK(bound.low == 0);
  CHECK(bound.gap == Approx(1 - std::pow(0.025, 1.0 / 300)));  // Clopper-Pearson, of two bounds
}

TEST_CASE("Machines that their owners never leave get no work", "[optimal]") {
  const SplitTask task = task_of(
      base_task({1, 1, 1}, {uniform_owner(0.1), duty_cycle_owner(10, 1, false), uniform_owner(0.5)}, 200), "optimal");
  const SplitReport report = find_split(task);
  CHECK(report.share_flop[1] == 0);
  CHECK(report.share_flop[0] > report.share_flop[2]);
}

TEST_CASE("Without any chance the best split is in proportion, and nothing is above it", "[optimal]") {
  SplitTask task = task_of(base_task({1, 2, 4}, std::vector<OwnerPtr>(3, dedicated_owner()), 700), "optimal");
  task.gap_samples = 3;
  const SplitReport report = find_split(task);
  for (std::size_t i = 0; i < 3; ++i) CHECK(report.share_flop[i] == Approx(report.step1_flop[i]).epsilon(1e-3));
  CHECK(report.after.value == Approx(100).epsilon(1e-3));
  CHECK(report.search->bound->gap < 0.1);
}

TEST_CASE("No split is below the bound, and the one that was found no more than the gap above the best",
          "[optimal][statistical]") {
  // Against brute force, on far more replications than the bound has seen.
  const Kind kind = GENERATE(Kind::tau, Kind::risk, Kind::quantile);
  Stream draw({9, 0, 0, Purpose::workload});
  for (int trial = 0; trial < 8; ++trial) {
    const double th[] = {0.55 * draw.uniform(), 0.55 * draw.uniform()}, speed = 0.5 + 3 * draw.uniform();
    SplitTask task = task_of(base_task({1, speed}, {uniform_owner(th[0]), uniform_owner(th[1])}, 100 * (1 + speed),
                                       static_cast<std::uint64_t>(trial)),
                             "optimal");
    task.replications = 200;
    task.gap_samples = 5;
    task.objective = {kind, 215, 0.9};
    const SplitReport report = find_split(task);
    REQUIRE(report.search->bound);
    const SplitBound& bound = *report.search->bound;
    SplitTask many = task;
    many.replications = 4000;
    const double least = least_of_two(many, 0.0025);
    INFO("trial " << trial << ", TH " << th[0] << " and " << th[1] << ", speed " << speed);
    CHECK(bound.low <= least);
    CHECK(value_of(many, report.share_flop) - least <= bound.gap);
    CHECK(bound.gap_mean <= bound.gap);
  }
}

TEST_CASE("Of any split no machine that computes alone is done before all have done the work together",
          "[optimal][property]") {
  Scenario s = base_task({1, 2, 4}, {uniform_owner(0.5), duty_cycle_owner(7, 0.3, true), uniform_owner(0.2)}, 700);
  const std::vector<double> together_s = times_together(s, {0, 50});
  Stream draw({11, 0, 0, Purpose::workload});
  for (int trial = 0; trial < 20; ++trial) {
    Shares shares{draw.uniform(), draw.uniform(), draw.uniform()};
    const double sum = shares[0] + shares[1] + shares[2];
    for (double& share : shares) share *= 700 / sum;
    const auto makespan_s = Pilot(s, Engine::direct).run(shares, {0, 50}).makespan_s;
    for (std::size_t k = 0; k < makespan_s.size(); ++k) CHECK(together_s[k] <= makespan_s[k] * (1 + 1e-12));
  }
}

TEST_CASE("All machines together do the work at the sum of their speeds", "[computes][optimal]") {
  // 3 flop/s for 3 of 5 seconds and 1 flop/s for 2: 11 flop a period, and 3 in the first second of one.
  const Scenario s = base_task({1, 2}, {dedicated_owner(), duty_cycle_owner(5, 0.4, false)}, 22 + 3);
  CHECK(times_together(s, {0, 1}).front() == Approx(11));
}

// ---- by the clock -------------------------------------------------------------------------------------------------

namespace {

/// Leaves most by day, or by night; starts at such an hour. TH = 0.2 within an hour.
OwnerPtr by_hours(std::vector<double> mean_by_hour, double start_hour) {
  return diurnal_owner(
      intervals_owner(uniform(0.5 - 0.1 * std::sqrt(3.0), 0.5 + 0.1 * std::sqrt(3.0)), uniform(0, 2400), "an hour's"),
      {std::move(mean_by_hour), start_hour * 3600});
}
OwnerPtr free_from_8_to(double hour, double free, double taken) {
  std::vector<double> mean_by_hour(24, taken);
  for (double h = 8; h < hour; ++h) mean_by_hour[static_cast<std::size_t>(h)] = free;
  return by_hours(mean_by_hour, 20);
}

/// One is free from 20:00 to 8:00, when the job begins, the other from 8:00 to 20:00; 8 machine-hours.
Scenario opposite_days() {
  return base_task({1e9, 1e9}, {free_from_8_to(20, 0.95, 0.1), free_from_8_to(20, 0.1, 0.95)}, 8 * 3600e9);
}

}  // namespace

TEST_CASE("Policies are told what owners leave during the run, not at all times", "[computes][clock]") {
  // Together they leave 1.05 machines: 8 machine-hours are done after 8/1.05 = 7.62 h, before the clock strikes 8.
  const auto views = machine_views(opposite_days());
  CHECK(views[0].mean_availability == Approx(0.1));
  CHECK(views[1].mean_availability == Approx(0.95));
  const Shares shares = proportional_shares(1, views);
  CHECK(shares[0] == Approx(0.1 / 1.05));
  // Of 16 machine-hours 12.6 are done until 8:00, when they change places, and the rest at the same speed: until 15.24
  // h the first leaves 1.2 + 3.238·0.95 h, the other 11.4 + 3.238·0.1 h.
  Scenario twice = opposite_days();
  twice.workload = std::make_shared<const LambdaWorkload>(compute_share, 16 * 3600e9);
  const auto longer = machine_views(twice);
  CHECK(longer[0].mean_availability * 16 / 1.05 == Approx(1.2 + (16 / 1.05 - 12) * 0.95));
  CHECK(longer[1].mean_availability * 16 / 1.05 == Approx(11.4 + (16 / 1.05 - 12) * 0.1));
}

TEST_CASE("Of owners that go by no clock policies are told the mean, to the last bit", "[clock]") {
  const Scenario s = base_task({1, 2}, {uniform_owner(0.3, 0.37), duty_cycle_owner(10, 0.3, false)}, 5);
  CHECK(machine_views(s)[0].mean_availability == s.owners[0]->mean());
  CHECK(machine_views(s)[1].mean_availability == Approx(1));  // free for 7 s, and the job is done before
  const Scenario random = base_task({1, 2}, {uniform_owner(0.3), duty_cycle_owner(10, 0.3, true)}, 5);
  CHECK(machine_views(random)[1].mean_availability == random.owners[1]->mean());
}

TEST_CASE("Machines with opposite days get what the best of all splits gives them", "[optimal][clock]") {
  SplitTask task = task_of(opposite_days(), "optimal");
  task.replications = 400;
  task.gap_samples = 5;
  const bool begins_badly = GENERATE(false, true);
  if (begins_badly) {  // as by the mean of the week
    for (auto& view : task.machines) view.mean_availability = 0.525;
    Scenario s = *task.scenario;
    s.share_flop.assign(2, 4 * 3600e9);
    task.scenario = std::make_shared<const Scenario>(std::move(s));
  }
  const SplitReport report = find_split(task);
  const double least = least_of_two(task, 0.005);
  CHECK(report.search->found <= 1.002 * least);
  CHECK(report.search->found / 3600 == Approx(7.7).margin(0.1));
  REQUIRE(report.search->bound);
  CHECK(report.search->bound->low / 3600 < 7.65);  // 8/1.05 = 7.62
  CHECK(report.search->bound->low / 3600 > 7.55);
  CHECK(report.search->bound->gap < 0.03 * report.after.value);
}

TEST_CASE("Whatever the hours the search finds what is best of all splits, or next to it",
          "[optimal][clock][property]") {
  Stream draw({17, 0, 0, Purpose::workload});
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<OwnerPtr> owners;
    for (int i = 0; i < 2; ++i) {
      std::vector<double> hours;
      for (int h = 0; h < 24; ++h) hours.push_back(draw.uniform() < 0.5 ? 0.02 : 0.2 + 0.75 * draw.uniform());
      owners.push_back(by_hours(hours, std::floor(24 * draw.uniform())));
    }
    const double work = 1e9 * 3600 * (1 + 9 * draw.uniform());
    SplitTask task = task_of(base_task({1e9, 1e9 * (0.5 + draw.uniform())}, owners, work), "optimal");
    task.replications = 100;
    task.gap_samples = 5;
    const SplitReport report = find_split(task);
    const double least = least_of_two(task, 0.01);
    INFO("trial " << trial);
    CHECK(report.search->found <= 1.01 * least);
    CHECK(report.search->bound->low <= least * 1.01);  // on replications of its own
  }
}

TEST_CASE("A task has one answer", "[optimal]") {
  const std::vector<OwnerPtr> owners{uniform_owner(0.1), uniform_owner(0.5), uniform_owner(0.3)};
  const SplitTask task = task_of(base_task({1, 2, 1}, owners, 400), "optimal");
  CHECK(pack(find_split(task)) == pack(find_split(task)));
}

TEST_CASE("Splits are judged on replications that they were not chosen on", "[optimal]") {
  const SplitTask task = task_of(base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 200), "optimal");
  const SplitReport report = find_split(task);
  Pilot pilot(*task.scenario, Engine::direct);
  const auto judged = pilot.run(report.share_flop, {kJudgeReplications, task.replications}).makespan_s;
  CHECK(report.after.value == Approx(objective_value(task.objective, judged)).epsilon(1e-12));
  CHECK(report.after.value != Approx(report.search->found).epsilon(1e-6));
}

TEST_CASE("Reports come back from bytes as they were, and damaged bytes are refused", "[split]") {
  SplitTask task = task_of(base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 200), "optimal");
  task.gap_samples = 2;
  for (const char* policy : {"optimal", "equalize"}) {
    task.policy = builtin_policies().find(policy);
    task.is_guarded = task.policy->is_second_step;
    const std::string bytes = pack(find_split(task));
    CHECK(pack(unpack_split_report(bytes)) == bytes);
    CHECK_THROWS(unpack_split_report(bytes.substr(0, bytes.size() - 1)));
    CHECK_THROWS(unpack_split_report(bytes + "x"));
  }
}

TEST_CASE("Tasks that have other answers have other identities", "[split]") {
  const SplitTask task = task_of(base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 200), "optimal");
  std::vector<SplitTask> others(6, task);
  others[0].policy = builtin_policies().find("equalize");
  others[1].objective = {Kind::risk, 200, 0};
  others[2].objective = {Kind::quantile, 0, 0.9};
  others[3].replications = 2000;
  others[4].gap_samples = 10;
  others[5].confidence = 0.9;
  for (const auto& other : others) CHECK(other.identity() != task.identity());
}
