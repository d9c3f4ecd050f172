// Owner jobs on the SimGrid engine: against times derived by hand, and against the exact course without an engine.
#include <algorithm>
#include <catch2/catch.hpp>

#include "sim/metrics/metrics.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

constexpr Discipline kSharing = Discipline::processor_sharing, kPriority = Discipline::preemptive_priority;

Approx near(double expected) { return Approx(expected).epsilon(1e-9).margin(1e-9); }

std::shared_ptr<const Platform> machines_with_cores(std::size_t n, int cores, double speed_flops) {
  return machines(std::vector<double>(n, speed_flops), NetworkKind::none, 1000, 1e-3, cores);
}

/// Rank r computes for work(r, k) in step k, then sleeps or waits for the others.
struct Plan {
  explicit Plan(std::uint64_t number) {
    Stream stream({number, 0, 0, Purpose::workload});
    ranks = 1 + static_cast<int>(4 * stream.uniform());
    steps = 1 + static_cast<int>(6 * stream.uniform());
    cores = 1 + static_cast<int>(3 * stream.uniform());
    speed_flops = number % 2 == 0 ? 1 : 2.5e9;
    const char* const laws[] = {"exponential", "constant", "uniform", "pareto"};
    for (int r = 0; r < ranks; ++r) {
      const double u = 0.05 + 0.85 * stream.uniform();
      const auto law = laws[static_cast<std::size_t>(4 * stream.uniform())];
      owners.push_back(poisson_jobs(u, make_length_law(law, 0.5 + 3 * stream.uniform(), 2.5),
                                    stream.uniform() < 0.5 ? kSharing : kPriority, cores));
      for (int k = 0; k < steps; ++k) work_s.push_back(stream.uniform() < 0.2 ? 0 : 10 * stream.uniform());
    }
  }
  [[nodiscard]] double work(int rank, int step) const { return work_s[static_cast<std::size_t>(rank * steps + step)]; }
  [[nodiscard]] static double pause(int rank, int step) { return 0.37 * (1 + (rank + 2 * step) % 3); }

  int ranks, steps, cores;
  double speed_flops;
  std::vector<OwnerPtr> owners;
  std::vector<double> work_s;
};

std::vector<OwnerJobsClock> clocks_of(const Plan& plan, std::uint64_t seed, std::uint64_t replication) {
  std::vector<OwnerJobsClock> clocks;
  for (std::size_t i = 0; i < plan.owners.size(); ++i)
    clocks.emplace_back(*plan.owners[i]->jobs(), StreamKey{seed, replication, i, Purpose::owner});
  return clocks;
}

/// The plan's course without an engine: each machine's finish time; then all are brought to the end of the run.
std::vector<double> finish_times(const Plan& plan, std::vector<OwnerJobsClock>& clocks) {
  double t = 0;
  for (int k = 0; k < plan.steps; ++k) {
    double latest = t;
    for (int r = 0; r < plan.ranks; ++r)
      latest = std::max(latest, clocks[static_cast<std::size_t>(r)].finish(t, plan.work(r, k)) + Plan::pause(r, k));
    t = latest + 0.25;
  }
  for (auto& clock : clocks) clock.idle_until(t);
  return std::vector<double>(clocks.size(), t);
}

}  // namespace

TEST_CASE("Owner jobs share a SimGrid host with the task", "[computes][reads][owner_jobs][engine]") {
  const auto r = run(computing(machines(1), 10, regular_jobs(4, 3, kSharing)))[0];
  CHECK(r.makespan_s == near(19 + 2. / 3));  // as without an engine
  CHECK(r[Quantity::owner_s][0] == near(9 + 2. / 3));
  CHECK(r[Quantity::owner_jobs][0] == 2);
  CHECK(r[Quantity::owner_slowdown][0] == near((7 + 8 + 2. / 3) / 3));
  CHECK(run(computing(machines_with_cores(1, 2, 1), 5, regular_jobs(1, 1.5, kSharing, 2)))[0].makespan_s ==
        near(6 + 14. / 27 + 0.125));
}

TEST_CASE("Owner jobs take a SimGrid host from the task under preemptive priority", "[owner_jobs][engine]") {
  CHECK(run(computing(machines(1), 10.5, regular_jobs(4, 3, kPriority)))[0].makespan_s == near(31.5));
  const auto r = run(computing(machines_with_cores(1, 2, 1e9), 5.5e9, regular_jobs(2, 3, kPriority, 2)))[0];
  CHECK(r.makespan_s == near(7.5));
  CHECK(r[Quantity::owner_s][0] == near(3 + 3 + 1.5));
  CHECK(r[Quantity::owner_jobs][0] == 2);
  CHECK(r[Quantity::owner_slowdown][0] == near(2));
}

TEST_CASE("Every replication begins without owner jobs of the one before", "[owner_jobs][engine]") {
  // A job comes at 10 and is not done when the task is; of demands like these nothing is left for the next replication.
  for (const auto& r : run(computing(machines(2), 10.5, regular_jobs(10, 9.5, kSharing)), 25)) {
    CHECK(r.makespan_s == near(11));
    CHECK(r[Quantity::owner_s][0] == near(0.5));
    CHECK(r[Quantity::owner_jobs][0] == 0);
  }
}

TEST_CASE("Owner jobs on SimGrid agree with their exact course over random programs", "[owner_jobs][reference]") {
  for (std::uint64_t number = 0; number < 24; ++number) {
    const Plan plan(number);
    INFO("plan " << number);
    const std::uint64_t seed = 1 + number % 5;
    const auto platform = machines_with_cores(plan.owners.size(), plan.cores, plan.speed_flops);
    Scenario s = scenario(platform, [&plan](Rank& self) -> Process {
      for (int k = 0; k < plan.steps; ++k) {
        co_await self.compute(plan.work(self.index(), k) * plan.speed_flops);
        co_await self.sleep_until(self.now() + Plan::pause(self.index(), k));
        co_await self.barrier(0.25);
      }
    });
    s.owners.assign(plan.owners.begin(), plan.owners.end());
    s.seed = seed;
    for (const auto& r : run(s, 15, 7)) {
      auto clocks = clocks_of(plan, seed, r.replication);
      const std::vector<double> expected = finish_times(plan, clocks);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        INFO("replication " << r.replication << ", rank " << i);
        CHECK(r[Quantity::finish_s][i] == near(expected[i]));
        CHECK(r[Quantity::owner_s][i] == near(clocks[i].outcome().cpu_s));
        CHECK(r[Quantity::owner_jobs][i] == clocks[i].outcome().completed);
        CHECK(r[Quantity::owner_slowdown][i] == Approx(clocks[i].outcome().slowdown_sum).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("Owner jobs work beside messages that outlive the ranks, and beside other models", "[owner_jobs][engine]") {
  Scenario s = scenario(machines(2), [](Rank& self) -> Process {
    co_await self.compute(self.index() == 0 ? 12 : 12.5);
    if (self.index() == 0) co_await self.isend(1, 50'000);  // 50 s under way, and nobody waits for it
  });
  s.owners = {regular_jobs(10, 4, kSharing), profile_of("0 0.5\n")};
  for (const auto& r : run(s, 3)) {
    CHECK(r[Quantity::finish_s][0] == near(14));
    CHECK(r.makespan_s == near(25));
    CHECK(r[Quantity::owner_s][0] == near(8));  // the jobs of 10 and 20; that of 30 comes after T
    CHECK(r[Quantity::owner_jobs][0] == 2);
    CHECK(r[Quantity::owner_s][1] == near(12.5));
    CHECK(r[Quantity::owner_jobs][1] == 0);
  }
}

TEST_CASE("Owner jobs are lost with their machine, and those that come while it is off", "[owner_jobs][state]") {
  // Jobs at 10, 20, ...; off from 12 to 25. The jobs of 10 and 20 are lost. The task begins again at 25:
  // 5 by 30, then 4 in 8 s beside a job and 2 in the 2 s before the next one: 29 by 70, and 1 more by 72.
  const auto shared = with_states(*machines(1), {{0, "0 1\n12 0\n25 1\n"}});
  for (const auto& r : run(computing(shared, 30, regular_jobs(10, 4, kSharing)), 3)) {
    CHECK(r.makespan_s == near(72));
    CHECK(r[Quantity::owner_s][0] == near(4 * 4 + 1));
    CHECK(r[Quantity::owner_jobs][0] == 4);
    CHECK(r[Quantity::owner_slowdown][0] == near(4 * 2));
  }
}

TEST_CASE("Owner jobs do not hide that a program cannot end", "[owner_jobs][engine][error]") {
  const auto waits = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.receive(1);
    else co_await self.barrier();
  };
  for (const Discipline discipline : kDisciplines)
    CHECK_THROWS_WITH(run(scenario(machines(2), waits, regular_jobs(10, 4, discipline))),
                      Catch::Contains("cannot end") && Catch::Contains("rank 1 on ws2 waits at a barrier"));
}

TEST_CASE("A program that throws beside owner jobs is reported", "[owner_jobs][engine][error]") {
  const auto fails = [](Rank& self) -> Process {
    co_await self.compute(25);
    throw std::runtime_error("no more");
  };
  CHECK_THROWS_WITH(run(scenario(machines(2), fails, regular_jobs(10, 4, kSharing))), Catch::Contains("no more"));
}

TEST_CASE("A batch with owner jobs may be cut anywhere", "[owner_jobs][engine]") {
  const Scenario s = computing(machines(2), 30, poisson_jobs(0.5, exponential(2), kSharing));
  const auto whole = run(s, 20);
  auto parts = run(s, 7);
  for (auto& r : run(s, 13, 7)) parts.push_back(r);
  for (std::size_t k = 0; k < whole.size(); ++k) {
    CHECK(parts[k].makespan_s == near(whole[k].makespan_s));
    CHECK(parts[k][Quantity::owner_s][1] == near(whole[k][Quantity::owner_s][1]));
  }
}

TEST_CASE("The slowdown of owner jobs is kept in a batch's record and estimated", "[owner_jobs][metrics]") {
  // Each of the jobs at 10, 20, 30 and 40 shares the core for its 8 s; the task is done at 49.5.
  const Scenario s = computing(machines(2), 33.5, regular_jobs(10, 4, kSharing));
  const Batch range{0, 3};
  const BatchRecord record = unpack_record(pack(make_record(s, range, run(s, 3))), range, 2);
  CHECK(record.totals[Quantity::owner_jobs] == std::vector<double>(3, 8));
  PointStatistics statistics(s, 0);
  statistics.add(record);
  const Estimate estimate = find_metric("owner_slowdown")->estimate({&s, 0, 0.95, nullptr}, statistics).front();
  CHECK(estimate.value == near(2));
  CHECK(estimate.half_width() < 1e-6);
  const Scenario alone = computing(machines(1), 10, dedicated_owner());
  CHECK(make_record(alone, {0, 1}, run(alone)).totals[Quantity::owner_jobs].empty());
}

TEST_CASE("Owner jobs with preemptive priority stretch a long task by 1/(1 - u)", "[owner_jobs][statistical]") {
  for (const double u : {0.1, 0.3, 0.6}) {
    double total = 0;
    const auto results = run(computing(machines(1), 2000, poisson_jobs(u, exponential(1), kPriority)), 40);
    for (const auto& r : results) total += r.makespan_s;
    CHECK(total / 40 / 2000 == Approx(1 / (1 - u)).epsilon(0.03));
  }
}
