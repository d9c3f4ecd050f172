// What an experiment's points need, each scenario once; baselines; and what may be asked of a run's plan.
#include "experiments/driver/points/execution_plan.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "experiments/driver/running/runner.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

const std::string kBase =
    "nowsim: 1\n"
    "platform: {workstations: 3, speed: 1f}\n"
    "job: {workload: base-task, work: 90f}\n"
    "owner: {model: intervals, TH: 0.4}\n"
    "metrics: [tau, speedup]\n"
    "run: {replications: 250}\n";

std::size_t scenarios(const ExecutionPlan& execution) {
  std::set<std::string> keys;
  for (const auto& series : execution.series) keys.insert(series.key);
  return keys.size();
}

ExecutionPlan planned(const std::string& yaml, const std::vector<std::string>& flags = {}) { return plan_execution(loaded(yaml, flags)); }

/// The points' outcomes, with an experiment that lives as long as they need it.
std::vector<PointOutcome> outcomes(const Experiment& e, int jobs = 2) { return run_experiment(e, {jobs}); }

}  // namespace

TEST_CASE("A point without a baseline needs one series, with one two, and an infeasible one none",
          "[reads][execution]") {
  const ExecutionPlan plain = planned(kBase, {"metrics=[tau]"});
  REQUIRE(plain.points.size() == 1);
  CHECK(plain.series.size() == 1);
  CHECK(plain.points[0].series);
  CHECK_FALSE(plain.points[0].baseline);
  const ExecutionPlan two = planned(kBase);
  CHECK(two.series.size() == 2);
  CHECK(two.points[0].baseline);
  CHECK(two.points[0].series != two.points[0].baseline);
  const ExecutionPlan gap = planned(kBase, {"sweep.owner.TH=[0.1, 0.9]", "run.infeasible=skip"});
  CHECK(gap.series.size() == 2);
  CHECK_FALSE(gap.points[1].series);
  CHECK_FALSE(gap.points[1].baseline);
}

TEST_CASE("Points that have the same baseline share it", "[execution]") {
  // The fastest machine alone is the same one however many there are beside it, and however the work is split.
  const ExecutionPlan execution = planned(kBase, {"sweep.platform.workstations=[2, 3, 5, 8]", "sweep.split.policy=[equal, formula]", "split.weight=i"});
  CHECK(execution.points.size() == 8);
  CHECK(execution.series.size() == 9);
  for (const auto& needs : execution.points) CHECK(needs.baseline == execution.points[0].baseline);
  CHECK(planned(kBase, {"sweep.owner.TH=[0.1, 0.2, 0.3]"}).series.size() == 6);  // another owner, another baseline
}

TEST_CASE("A point with one workstation is its own baseline", "[execution]") {
  const ExecutionPlan execution = planned(kBase, {"platform.workstations=1"});
  CHECK(execution.series.size() == 1);
  CHECK(execution.points[0].series == execution.points[0].baseline);
  const auto outcome = outcomes(loaded(kBase, {"platform.workstations=1"}));
  CHECK(outcome[0].baseline_s->mean() == outcome[0].statistics->makespan_s.mean());
}

TEST_CASE("A split that is compared with step 1 needs its series too, which is that of a proportional point",
          "[execution]") {
  const std::string yaml =
      "nowsim: 1\nplatform: {speeds: [1f, 3f]}\njob: {workload: base-task, work: 90f}\n"
      "owner: {model: intervals, TH: 0.4, hosts: {ws2: {TH: 0.1}}}\nmetrics: [tau, reduction]\nrun: {replications: "
      "250}\nsplit: {guard: false}\nsweep: {split.policy: [equal, proportional, equalize]}\n";
  const ExecutionPlan execution = planned(yaml);
  CHECK(execution.series.size() == 3);
  for (const auto& needs : execution.points) CHECK(needs.step1 == execution.points[1].series);
  for (const std::string way : {"none", "both"}) {
    const Experiment e = loaded(yaml, {"run.variance_reduction=" + way});
    const ResultTable summary = summarise(e, outcomes(e));
    const auto reduction = [&](std::size_t p) { return summary.rows[p].estimates[1][0]; };
    CHECK(reduction(1).value == 0);
    CHECK(reduction(1).half_width() == 0);
    CHECK(reduction(0).value < 0);  // 45 flop on the slower one
    CHECK(reduction(0).high < 0);
    CHECK(reduction(2).half_width() > 0);
    // Plain means: without control variates those of the table.
    if (way == "none")
      CHECK(reduction(2).value ==
            Approx(100 * (1 - summary.rows[2].estimates[0][0].value / summary.rows[1].estimates[0][0].value)));
  }
}

TEST_CASE("With 'run.baseline: one' tau of one workstation is the sweep's own point", "[execution]") {
  // The machine that is first is not the fastest one, nor the one with the least owner.
  const std::string yaml =
      "nowsim: 1\nplatform: {speeds: [1f, 4f, 2f]}\njob: {workload: base-task, work: 90f}\n"
      "owner: {model: intervals, TH: 0.1, hosts: {ws1: {TH: 0.5}}}\nmetrics: [tau, speedup]\n"
      "run: {replications: 150, baseline: one}\nsweep: {platform.workstations: [3, 1, 2]}\n";
  const ExecutionPlan execution = planned(yaml);
  CHECK(execution.series.size() == 3);
  for (const auto& needs : execution.points) CHECK(needs.baseline == execution.points[1].series);
  const Experiment e = loaded(yaml);
  const auto all = outcomes(e);
  for (const auto& outcome : all) CHECK(outcome.baseline_s->mean() == all[1].statistics->makespan_s.mean());
  const ExecutionPlan fastest = planned(yaml, {"run.baseline=fastest"});
  CHECK(fastest.points[0].baseline != fastest.points[1].series);
}

TEST_CASE("Series of one scenario with other plans stay apart, those with equal plans are one", "[execution]") {
  const auto series = [](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"metrics=[tau]"};
    all.insert(all.end(), flags.begin(), flags.end());
    const ExecutionPlan execution = planned(kBase, all);
    CHECK(scenarios(execution) == 1);
    return execution.series.size();
  };
  CHECK(series({"sweep.run.replications=[100, 200]"}) == 2);
  CHECK(series({"sweep={zip: {run.replications: [100, 200, 100]}}"}) == 2);
  CHECK(series({"sweep.run.deadline=[10s, 20s]"}) == 2);
  CHECK(series({"sweep.run.timeout=[1h, 2h]"}) == 2);
  CHECK(series({"sweep.run.precision=[0, 1%, 2%]"}) == 3);
  CHECK(series({"run.precision=1%", "sweep.run.precision_of=[tau, sigma_T]"}) == 2);
  CHECK(series({"run.precision=1%", "sweep.run.confidence=[90%, 95%]"}) == 2);
  CHECK(series({"run.precision=1%", "sweep.run.min_replications=[100, 200]"}) == 2);
  // Without a stopping rule these decide nothing.
  CHECK(series({"sweep.run.precision_of=[tau, sigma_T]"}) == 1);
  CHECK(series({"sweep.run.confidence=[90%, 95%]"}) == 1);
  CHECK(series({"sweep.run.min_replications=[100, 200]"}) == 1);
}

TEST_CASE("Points of one scenario with other plans each get what they asked for", "[execution]") {
  const Experiment e = loaded(kBase, {"metrics=[tau]", "sweep.run.replications=[150, 300, 1000]"});
  const auto all = outcomes(e);
  CHECK(all[0].statistics->makespan_s.count() == 150);
  CHECK(all[1].statistics->makespan_s.count() == 300);
  CHECK(all[2].statistics->makespan_s.count() == 1000);
}

TEST_CASE("Batches are whole but for the last one, and small where there are many workstations", "[execution]") {
  const auto series = [](const std::string& n, const std::string& replications) {
    return planned(kBase, {"metrics=[tau]", "platform.workstations=" + n, "run.replications=" + replications}).series.at(0);
  };
  const Series s = series("3", "250");
  CHECK(batches_of(s) == 3);
  CHECK(batch_of(s, 0).first == 0);
  CHECK(batch_of(s, 0).count == 100);
  CHECK(batch_of(s, 2).first == 200);
  CHECK(batch_of(s, 2).count == 50);
  CHECK(batches_of(series("3", "200")) == 2);
  CHECK(batch_of(series("3", "200"), 1).count == 100);
  CHECK(batches_of(series("3", "1")) == 1);
  CHECK(batch_of(series("3", "1"), 0).count == 1);
  CHECK(batch_of(series("4000", "200"), 0).count == 50);
}

TEST_CASE("A stopping rule can be about any metric of the whole run, the speedup too", "[execution][runner]") {
  const auto count = [](const std::string& metric, const std::string& precision) {
    const Experiment e = loaded(kBase, {"run.replications=20000", "run.deadline=80s", "run.precision_of=" + metric, "run.precision=" + precision});
    const auto all = outcomes(e);
    REQUIRE(all[0].failure.empty());
    // The rule holds at the end, and did not one batch before: it stopped neither too early nor late.
    const auto n = all[0].statistics->makespan_s.count();
    const auto half_width = [&](std::uint64_t replications) {
      const Experiment fixed = loaded(kBase, {"run.deadline=80s", "run.replications=" + std::to_string(replications)});
      const auto fixed_outcome = outcomes(fixed);
      const Sample baseline = *all[0].baseline_s;  // the rule's own
      const MetricContext context{fixed.points[0].scenario().get(), 80, 0.95, &baseline};
      const Estimate e1 = find_metric(metric)->estimate(context, *fixed_outcome[0].statistics).front();
      return e1.half_width() / e1.value;
    };
    const double wanted = std::stod(precision) / 100;
    INFO(metric << " " << n);
    CHECK(half_width(n) <= wanted);
    if (n > 100) CHECK(half_width(n - 100) > wanted);
    return n;
  };
  for (const auto& [metric, precision] : {std::pair{"tau", "1%"}, {"sigma_T", "5%"}, {"speedup", "2%"}}) CHECK(count(metric, precision) > 100);
  CHECK(count("RF", "10%") > 100);
}

TEST_CASE("A rule about the speedup runs the baseline first, twice as precise, and not about tau", "[execution]") {
  const ExecutionPlan speedup = planned(kBase, {"run.precision=2%", "run.precision_of=speedup"});
  REQUIRE(speedup.series.size() == 2);
  const std::size_t baseline = *speedup.points[0].baseline, own = *speedup.points[0].series;
  CHECK(speedup.series[own].baseline == baseline);
  CHECK(baseline < own);
  CHECK(speedup.series[baseline].plan.precision == 0.01);
  CHECK(speedup.series[baseline].plan.precision_of == find_metric("tau"));
  const ExecutionPlan tau = planned(kBase, {"run.precision=2%"});
  CHECK_FALSE(tau.series[*tau.points[0].series].baseline);
  CHECK(tau.series[*tau.points[0].baseline].plan.precision == 0.02);
  // A rule about the speedup needs the baseline even where no metric does.
  CHECK(planned(kBase, {"metrics=[tau]", "run.precision=2%", "run.precision_of=speedup"}).points[0].baseline);
  CHECK_FALSE(planned(kBase, {"metrics=[tau]", "run.precision_of=speedup"}).points[0].baseline);
}

TEST_CASE("The metric of a stopping rule must be known, and one of the whole run", "[execution][error]") {
  CHECK(problems_of(kBase, {"run.precision_of=taw"}) == "--set: run.precision_of: there is no metric 'taw'; did you mean 'tau'?\n");
  CHECK_THAT(problems_of(kBase, {"run.precision_of=zzzzzz"}), Contains("there is no metric 'zzzzzz'; 'nowsim list metrics' names them"));
  CHECK(problems_of(kBase, {"run.precision_of=T_i"}) ==
        "--set: run.precision_of: 'T_i' is a metric of each workstation; one of the whole run is wanted, such as tau\n");
  CHECK_THAT(problems_of(kBase, {"run.precision_of=RF", "run.precision=1%"}), Contains("run.deadline: the metric RF needs a deadline"));
  CHECK(problems_of(kBase, {"run.precision_of=RF"}).empty());  // no rule, no deadline
}

TEST_CASE("A baseline of one workstation must be the same job, and possible", "[execution][error]") {
  CHECK(problems_of(kBase, {"run.baseline=both"}) == "--set: run.baseline: 'both' is not one of: fastest, one\n");
  CHECK(problems_of(kBase, {"run.baseline=one", "job.work== 30 * N"}) ==
        "--set: run.baseline: with one workstation the job's work is 30 flop, not 90: a speedup compares the same job; "
        "'fastest' takes one of the point's own workstations\n");
  CHECK_THAT(problems_of(kBase, {"run.baseline=one", "owner.SH=0.1"}),
             Contains("run.baseline: the point with one workstation cannot be made (") && Contains("SH = 0.1 needs at least two workstations") &&
                 Contains("'fastest' takes one of the point's own"));
  CHECK(problems_of(kBase, {"owner.SH=0.1"}).empty());
  CHECK(problems_of(kBase, {"run.baseline=one", "metrics=[tau]", "job.work== 30 * N"}).empty());  // no speedup, no baseline
}

TEST_CASE("A time-out is a time, and nothing else", "[execution][error]") {
  CHECK(loaded(kBase, {"run.timeout=2min"}).points[0].plan.timeout_s == 120);
  CHECK(loaded(kBase).points[0].plan.timeout_s == 0);
  for (const char* bad : {"-1s", "soon", "3MB", "1e999"}) CHECK_THAT(problems_of(kBase, {std::string("run.timeout=") + bad}), Contains("run.timeout: "));
}

TEST_CASE("A batch that takes longer than the time-out fails its point, and no other", "[execution][runner]") {
  // Only the point that never ends has a limit: a machine that is held up for a while must not fail the others.
  const Experiment e =
      loaded(kBase, {"metrics=[tau]", "sweep={zip: {job.work: [90f, 2e11f, 80f], run.timeout: [0, 300ms, 0]}}"});
  for (const int jobs : {1, 3}) {
    const auto all = outcomes(e, jobs);
    CHECK(all[0].failure.empty());
    CHECK(all[1].failure == "a batch of 100 replications took longer than 0.3 s (run.timeout)");
    CHECK(all[2].failure.empty());
    CHECK(all[2].statistics->makespan_s.count() == 250);
  }
}
