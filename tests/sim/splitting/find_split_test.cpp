// Splits found by simulation: against scans of the same sample, theory, and the other policies.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/splitting/equalize.hpp"
#include "sim/splitting/find_split.hpp"
#include "sim/splitting/machine_views.hpp"
#include "sim/splitting/optimality_gap.hpp"
#include "sim/splitting/pilot.hpp"
#include "sim/splitting/split_objective.hpp"
#include "sim/statistics/closed_forms.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "tests/sim/splitting/normal_tau.hpp"
#include "workloads/built_in.hpp"

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

std::shared_ptr<const Platform> machines_of(const std::vector<double>& speeds) {
  GeneratedPlatform d;
  for (std::size_t i = 0; i < speeds.size(); ++i) d.names.push_back("ws" + std::to_string(i + 1));
  d.speed_flops = speeds;
  return std::make_shared<const Platform>(generate_platform(d));
}

/// Machines that compute their shares and are done.
Scenario base_task(const std::vector<double>& speeds, std::vector<OwnerPtr> owners, double work_flop,
                   std::uint64_t seed = 1) {
  Scenario s;
  s.platform = machines_of(speeds);
  s.owners = std::move(owners);
  s.workload = std::make_shared<const LambdaWorkload>(compute_share, work_flop);
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

/// A parameter reader for the one workload that prescribes its times.
class FixedParameters final : public ParameterReader {
 public:
  explicit FixedParameters(std::map<std::string, double> values) : values_(std::move(values)) {}
  double work(const std::string& name, std::optional<double>) override { return values_.at(name); }
  double bytes(const std::string& name, std::optional<double>) override { return values_.at(name); }
  double time(const std::string& name, std::optional<double>) override { return values_.at(name); }
  std::int64_t count(const std::string& name, std::optional<std::int64_t>, std::int64_t) override {
    return static_cast<std::int64_t>(values_.at(name));
  }
  std::size_t choice(const std::string& name, const std::vector<std::string>&, std::optional<std::size_t>) override {
    return static_cast<std::size_t>(values_.at(name));
  }
  double number(const std::string& n, std::optional<double>, double, double) override { return values_.at(n); }
  std::vector<double> numbers_of_file(const std::string& n) override { return {values_.at(n)}; }
  WrittenFormula formula(const std::string&, const std::vector<std::string>&, bool) override { return {}; }

 private:
  std::map<std::string, double> values_;
};

/// Two machines with t = 100 s, sigma = 10 and 30 s, the second four times as fast; times normal.
Scenario steady_slow_and_unsteady_fast() {
  FixedParameters parameters({{"work", 500}, {"sd_first", 10}, {"sd_last", 30}, {"sd_at", 100}, {"law", 1}});
  Scenario s = base_task({1, 4}, {dedicated_owner(), dedicated_owner()}, 500);
  s.workload = builtin_workloads().find("stochastic-time")->make(parameters);
  return s;
}

}  // namespace

TEST_CASE("The optimum of two machines is that of a fine scan on the same random numbers", "[computes][optimal]") {
  SplitTask task = task_of(base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 200), "optimal");
  task.objective = GENERATE(SplitObjective{}, SplitObjective{Kind::risk, 225, 0},
                            SplitObjective{Kind::quantile, 0, 0.9});
  const SplitReport report = find_split(task);
  double least = std::numeric_limits<double>::infinity();
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
  double least = std::numeric_limits<double>::infinity();
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
  CHECK(report.search->evaluations <= 25);  // BOBYQA took 150
  Pilot pilot(*task.scenario, task.engine);
  SearchSpace space;
  for (const auto& machine : task.machines) {
    space.speed_flops.push_back(machine.available_speed());
    space.sigma_s.push_back(machine.sigma_s);
  }
  const auto gap = optimality_gap(pilot, task.objective, space, report.share_flop, 5, 300, 160, 0.95);
  CHECK(gap.bound >= gap.mean);
  CHECK(pilot.runs() <= 5 * 20);
}

TEST_CASE("A risk that no replication shows is not bounded by 0", "[optimal]") {
  SplitTask task = task_of(base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 200), "optimal");
  task.objective = {Kind::risk, 1e6, 0};
  task.replications = 100;
  task.gap_samples = 3;
  CHECK(*find_split(task).search->gap == Approx(1 - std::pow(0.05, 1.0 / 300)));
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
  CHECK(*report.search->gap < 0.1);
}

TEST_CASE("What is above the best split is bounded from independent samples", "[optimal][statistical]") {
  SplitTask task = task_of(base_task({1, 1}, {uniform_owner(0.1), uniform_owner(0.5)}, 200), "optimal");
  task.gap_samples = 10;
  const SplitReport report = find_split(task);
  CHECK(report.search->gap_mean >= 0);
  CHECK(*report.search->gap >= report.search->gap_mean);
  // Against the truth, from far more replications than the bound has seen.
  SplitTask many = task;
  many.replications = 20000;
  double least = std::numeric_limits<double>::infinity();
  for (double dx = 0; dx <= 12; dx += 1) least = std::min(least, value_of(many, {100 + dx, 100 - dx}));
  CHECK(value_of(many, report.share_flop) - least <= *report.search->gap);
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
