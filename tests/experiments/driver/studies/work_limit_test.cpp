// The most work that fits a deadline, for jobs whose time is known in closed form.
#include "experiments/driver/studies/alternatives.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "sim/statistics/random.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// T = overhead + work·E, E exponential with mean 1: replication k of a seed has the same E for every amount of work.
struct ExponentialJob {
  double overhead_s = 0;
  mutable int runs = 0;

  Point point(double work_flop, std::uint64_t seed, const RunPlan& plan) const {
    Scenario s = computing(machines(1, NetworkKind::none), work_flop, dedicated_owner());
    s.seed = seed;
    Point p;
    p.plan = plan;
    p.state = ReadyPoint{{std::make_shared<const Scenario>(std::move(s)), nullptr, nullptr}};
    return p;
  }
  std::shared_ptr<const PointStatistics> run(const Point& p) const {
    ++runs;
    auto statistics = std::make_shared<PointStatistics>(*p.scenario(), p.plan.deadline_s);
    BatchStatistics batch;
    for (std::uint64_t k = 0; k < p.plan.replications; ++k) {
      Stream stream({p.scenario()->seed, k, 0, Purpose::workload});
      const double t = overhead_s - p.scenario()->share_flop.front() * std::log1p(-stream.uniform());
      batch.makespans_s.push_back(t);
      batch.makespan_s.add(t);
      batch.late += t > p.plan.deadline_s;
    }
    statistics->add(batch);
    return statistics;
  }
  WorkLimit limit(const RunPlan& plan, double risk, double known_flop = 1) const {
    return most_work([&](double work, std::uint64_t seed) { return point(work, seed, plan); },
                     [&](const Point& p) { return run(p); }, known_flop, risk, plan);
  }
};

RunPlan plan_of(double deadline_s, std::uint64_t replications, std::uint64_t seed = 1) {
  RunPlan plan;
  plan.deadline_s = deadline_s;
  plan.replications = replications;
  plan.seed = seed;
  return plan;
}

}  // namespace

TEST_CASE("The most work is found wherever the search begins", "[computes][plan]") {
  const ExponentialJob job{5};
  const RunPlan plan = plan_of(65, 1000);
  const WorkLimit from_below = job.limit(plan, 0.05, 0.01), from_above = job.limit(plan, 0.05, 1e5);
  CHECK(from_below.work_flop.value == Approx(from_above.work_flop.value).epsilon(2e-4));
  CHECK(from_below.work_flop.value == Approx(60 / -std::log(0.05)).epsilon(0.15));
  CHECK(from_below.work_flop.low < from_below.work_flop.value);
  CHECK(from_below.work_flop.high > from_below.work_flop.value);
  CHECK(from_below.late.low < 0.05);  // of less work than the limit
  CHECK(job.runs <= 30);  // for both
}

TEST_CASE("The interval of the most work covers as often as it says", "[plan][statistics]") {
  const double truth = 60 / -std::log(0.1);
  const ExponentialJob job;
  int covered = 0;
  for (std::uint64_t run = 0; run < 400; ++run) {
    const Estimate e = job.limit(plan_of(60, 100, 1000 + 10 * run), 0.1).work_flop;
    covered += e.low <= truth && truth <= e.high ? 1 : 0;
  }
  CHECK(covered >= 367);  // 95 % is 380, give or take 4.4
}

TEST_CASE("The most work is found where times jump with the work", "[plan]") {
  // T = work + 10·floor(work/10): 100 s allow for work up to 50.
  int runs = 0;
  const ExponentialJob job;
  const RunPlan plan = plan_of(99.5, 200);
  const WorkLimit limit = most_work(
      [&](double work, std::uint64_t seed) { return job.point(work, seed, plan); },
      [&](const Point& p) {
        ++runs;
        const double work = p.scenario()->share_flop.front();
        auto statistics = std::make_shared<PointStatistics>(*p.scenario(), p.plan.deadline_s);
        BatchStatistics batch;
        for (std::uint64_t k = 0; k < p.plan.replications; ++k) {
          const double t = work + 10 * std::floor(work / 10);
          batch.makespans_s.push_back(t);
          batch.makespan_s.add(t);
        }
        statistics->add(batch);
        return statistics;
      },
      1, 0.05, plan);
  CHECK(limit.work_flop.value == Approx(50).epsilon(2e-4));
  CHECK(limit.work_flop.value < 50);
  CHECK(runs <= 40);
}

TEST_CASE("No work is told to fit where replications are too few or the deadline too short", "[plan]") {
  const WorkLimit few = ExponentialJob{}.limit(plan_of(60, 50), 0.01);
  CHECK(few.work_flop.low == 0);
  CHECK(std::isnan(few.late.value));
  const WorkLimit none = ExponentialJob{100}.limit(plan_of(60, 1000), 0.05);
  CHECK(none.work_flop.value == 0);
  CHECK(none.work_flop.high == 0);
}
