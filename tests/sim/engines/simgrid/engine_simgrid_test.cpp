// The SimGrid engine, with owners and owner jobs: times derived by hand, and plain integrations of the same paths.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/metrics/metrics.hpp"
#include "sim/owners/load_table.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/run_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

OwnerPtr uniform_owner(double th, double interval) {
  return intervals_owner(make_value_law("uniform", 0.5, th), make_length_law("uniform", interval, 3), "test");
}

double time_alone(OwnerPtr owner, double work, double speed = 1) {
  return run(computing(machines(1, NetworkKind::none, speed), work, std::move(owner)))[0].makespan_s;
}

constexpr Discipline kSharing = Discipline::processor_sharing, kPriority = Discipline::preemptive_priority;

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

TEST_CASE("A dedicated machine takes work over speed", "[computes][reads][engine]") {
  CHECK(time_alone(dedicated_owner(), 100) == near(100));
  CHECK(time_alone(dedicated_owner(), 1e12, 2.5e9) == near(400));
}

TEST_CASE("Constant intervals take work over speed and availability", "[engine]") {
  CHECK(time_alone(intervals_owner(constant(0.25), constant(7), "test"), 100) == near(400));
}

TEST_CASE("An aligned duty cycle gives the free part first, and nothing while the owner is busy", "[engine]") {
  // Free 6 s, busy 4 s: 15 flop = 6 + 6 + 3 -> two whole periods and 3 s.
  CHECK(time_alone(duty_cycle_owner(10, 0.4, false), 15) == near(23));
  // Work that ends exactly with the free part ends there.
  CHECK(time_alone(duty_cycle_owner(10, 0.4, false), 12) == near(16));
}

TEST_CASE("Deterministic profiles give the hand-derived time", "[engine]") {
  CHECK(time_alone(profile_of("0 0.5\n10 1\n"), 20) == near(25));                    // 5 in 10 s, then 15
  CHECK(time_alone(profile_of("5 0.5\n"), 20) == near(35));                          // 5 at full speed, then 15 / 0.5
  CHECK(time_alone(profile_of("PERIODICITY 10\n0 1\n5 0\n"), 12) == near(22));       // 5 per period, then 2
  // Events at 1, 3, 3 + 5 + 1, 11, ...: 1 and 1 and 6 and 1 by t = 11, then 1.
  CHECK(time_alone(profile_of("LOOPAFTER 5\n1 0.5\n3 1\n"), 10) == near(12));
}

TEST_CASE("A trace is played from its beginning and wraps at its end", "[engine]") {
  // Availability 1, 0.5, 0 for 10 s each, then again.
  const auto trace = std::make_shared<const LoadSeries>(
      LoadTable("time,load\n0,0\n10,50\n20,100\n", "load.csv", {.column = "load"}).series());
  CHECK(time_alone(trace_owner(trace, TraceStart::beginning, "test"), 20) == near(35));  // 10 + 5 + 0 + 5
}

TEST_CASE("A trace's common start is the same for all machines, a random one is not", "[engine]") {
  std::string text = "time,load\n";
  for (int k = 0; k < 50; ++k) text += std::to_string(10 * k) + "," + std::to_string(2 * k) + "\n";
  const auto trace = std::make_shared<const LoadSeries>(LoadTable(text, "load.csv", {.column = "load"}).series());
  const auto common = run(computing(machines(2), 50, trace_owner(trace, TraceStart::common, "test")), 5);
  const auto random = run(computing(machines(2), 50, trace_owner(trace, TraceStart::random, "test")), 5);
  for (const auto& r : common) CHECK(r[Quantity::finish_s][0] == near(r[Quantity::finish_s][1]));
  CHECK(common[0][Quantity::finish_s][0] != near(common[1][Quantity::finish_s][0]));
  CHECK(random[0][Quantity::finish_s][0] != near(random[0][Quantity::finish_s][1]));
}

TEST_CASE("Random owners agree with a plain integration of their paths over many replications", "[engine]") {
  const std::vector<OwnerPtr> owners{
      uniform_owner(0.5, 10),
      intervals_owner(make_value_law("two-point", 0.5, 1.0), make_length_law("exponential", 3, 3), "test"),  // 0 or 1
      intervals_owner(make_value_law("beta", 0.6, 0.4), make_length_law("pareto", 5, 2.1), "test"),
      duty_cycle_owner(7, 0.3, true),
      profile_of("STOCHASTIC LOOP\nEXP 0.2 UNIF 0 1\nUNIF 0 5 DET 0.5\n"),
  };
  for (const auto& owner : owners) {
    Scenario s = computing(machines(3), 40, owner);
    s.share_flop = {40, 4, 0.4};
    s.seed = 7;
    for (const std::uint64_t first : {0u, 60u}) {
      for (const auto& r : run(s, 60, first)) {
        for (std::size_t i = 0; i < 3; ++i) {
          CHECK(r[Quantity::finish_s][i] == near(naive_finish(*owner, 7, r.replication, i, s.share_flop[i], 1)));
          CHECK(r[Quantity::owner_s][i] ==
                Approx(naive_owner_time(*owner, 7, r.replication, i, r.makespan_s)).epsilon(1e-8).margin(1e-8));
          CHECK(r[Quantity::work_flop][i] == s.share_flop[i]);
          CHECK(r[Quantity::active_s][i] == near(r[Quantity::finish_s][i]));
        }
        CHECK(r.makespan_s == *std::max_element(r[Quantity::finish_s].begin(), r[Quantity::finish_s].end()));
      }
    }
  }
}

TEST_CASE("A batch may be cut anywhere", "[engine]") {
  const Scenario s = computing(machines(2), 100, uniform_owner(0.4, 10));
  const auto whole = run(s, 100);
  auto parts = run(s, 37);
  for (auto& r : run(s, 63, 37)) parts.push_back(r);
  REQUIRE(parts.size() == whole.size());
  for (std::size_t k = 0; k < whole.size(); ++k) {
    CHECK(parts[k].replication == whole[k].replication);
    CHECK(parts[k].makespan_s == near(whole[k].makespan_s));
  }
}

TEST_CASE("Jobs of microseconds and of months keep their accuracy, in batches that need several engines", "[engine]") {
  for (const double scale : {1e-6, 1.0, 1e7}) {
    const OwnerPtr owner = uniform_owner(0.5, 10 * scale);
    const Scenario s = computing(machines(2), 100 * scale, owner);
    for (const auto& r : run(s, 100))
      for (std::size_t i = 0; i < 2; ++i)
        CHECK(r[Quantity::finish_s][i] / scale ==
              near(naive_finish(*owner, 1, r.replication, i, 100 * scale, 1) / scale));
  }
}

TEST_CASE("A job far longer than expected is run again with a fitting clock", "[engine]") {
  // The share says 1e-3 s; the program computes 1e6 times as much.
  const OwnerPtr owner = uniform_owner(0.5, 10);
  Scenario s = scenario(machines(1), [](Rank& self) -> Process { co_await self.compute(1000); }, owner);
  s.share_flop = {1e-3};
  for (const auto& r : run(s, 20)) CHECK(r.makespan_s == near(naive_finish(*owner, 1, r.replication, 0, 1000, 1)));
}

TEST_CASE("Availability goes on evolving while a rank waits", "[engine]") {
  // Rank 0 works 2 s at full speed, waits at the barrier until rank 1 ends at 10 s, and then gets 0.5: 2 s more work = 4 s.
  Scenario s = scenario(machines(2), [](Rank& self) -> Process {
    co_await self.compute(self.index() == 0 ? 2 : 10);
    co_await self.barrier();
    if (self.index() == 0) co_await self.compute(2);
  });
  s.owners[0] = profile_of("0 1\n5 0.5\n");
  CHECK(run(s)[0][Quantity::finish_s][0] == near(14));
}

TEST_CASE("The owner's time counts the whole run, also after the task has ended", "[engine]") {
  Scenario s = computing(machines(2), 0, dedicated_owner());
  s.owners[0] = profile_of("0 0.5\n10 1\n20 0.25\n");
  s.share_flop = {5, 40};
  const auto r = run(s)[0];
  CHECK(r[Quantity::finish_s][0] == near(10));
  CHECK(r[Quantity::owner_s][0] == near(5 + 0 + 0.75 * 20));
  CHECK(r[Quantity::owner_s][1] == near(0));
}

TEST_CASE("With availability 1 a random owner model gives the dedicated time", "[engine][property]") {
  const OwnerPtr free = intervals_owner(constant(1), make_length_law("exponential", 3, 3), "test");
  CHECK(time_alone(free, 123.4) == near(123.4));
}

TEST_CASE("Scaling work and speed together changes nothing", "[engine][property]") {
  const OwnerPtr owner = uniform_owner(0.56, 10);
  const auto base = run(computing(machines(3), 100, owner), 30);
  for (const double scale : {1e-3, 1e6, 1e9, 3.7e9}) {
    const auto scaled = run(computing(machines(3, NetworkKind::none, scale), 100 * scale, owner), 30);
    for (std::size_t k = 0; k < base.size(); ++k) CHECK(scaled[k].makespan_s == near(base[k].makespan_s));
  }
}

TEST_CASE("Permuting workstations permutes what they yield", "[engine][property]") {
  const std::vector<OwnerPtr> owners{duty_cycle_owner(10, 0.4, false), profile_of("0 0.3\n"), dedicated_owner()};
  const std::vector<double> shares{10, 20, 70};
  Scenario s = computing(machines(3), 0, dedicated_owner());
  s.owners = owners;
  s.share_flop = shares;
  const auto straight = run(s)[0];
  s.owners = {owners[2], owners[0], owners[1]};
  s.share_flop = {shares[2], shares[0], shares[1]};
  const auto permuted = run(s)[0];
  CHECK(permuted.makespan_s == near(straight.makespan_s));
  const auto& in_order = straight[Quantity::finish_s];
  CHECK(permuted[Quantity::finish_s] == std::vector<double>{in_order[2], in_order[0], in_order[1]});
}

TEST_CASE("The same seed gives the same run, another one another", "[engine]") {
  Scenario s = computing(machines(2), 100, uniform_owner(0.4, 10));
  const auto a = run(s, 3), b = run(s, 3);
  s.seed = 2;
  const auto c = run(s, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(a[k].makespan_s == b[k].makespan_s);
    CHECK(a[k].makespan_s != near(c[k].makespan_s));
  }
}

TEST_CASE("A task uses one core of its machine", "[engine]") {
  const auto platform = machines({2.0}, NetworkKind::none, 1000, 1e-3, 4);
  CHECK(run(computing(platform, 100, profile_of("0 0.5\n")))[0].makespan_s == near(100));
}

TEST_CASE("A program that does nothing takes no time, any number of times", "[engine]") {
  const Scenario s = scenario(machines(4), [](Rank&) -> Process { co_return; }, uniform_owner(0.4, 10));
  const auto results = run(s, 50);
  REQUIRE(results.size() == 50);
  for (const auto& r : results) CHECK(r.makespan_s == 0);
}

TEST_CASE("Two hundred machines run, and ranks without work end at once", "[engine]") {
  Scenario s = computing(machines(200, NetworkKind::none), 0, uniform_owner(0.4, 10));
  s.share_flop[17] = 50;
  const auto r = run(s, 2)[1];
  CHECK(r[Quantity::finish_s][16] == 0);
  CHECK(r.makespan_s == near(naive_finish(*s.owners[17], 1, 1, 17, 50, 1)));
}

TEST_CASE("A program that waits for ever is reported with who waits for what", "[engine][error]") {
  const auto waits = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.receive(1);
    else co_await self.barrier();
  };
  for (const OwnerPtr& owner : {dedicated_owner(), uniform_owner(0.4, 10)}) {  // the second's profiles never end
    CHECK_THROWS_WITH(run(scenario(machines(2), waits, owner)),
                      Catch::Contains("cannot end") && Catch::Contains("rank 0 on ws1 waits for a message from rank 1") &&
                          Catch::Contains("rank 1 on ws2 waits at a barrier"));
  }
}

TEST_CASE("A program's exception names the rank, its machine and the time", "[engine][error]") {
  const auto fails = [](Rank& self) -> Process {
    co_await self.compute(5);
    if (self.index() == 1) throw std::runtime_error("no more data");
  };
  CHECK_THROWS_AS(run(scenario(machines(2), fails)), RunError);
  CHECK_THROWS_WITH(run(scenario(machines(2), fails)),
                    Catch::Contains("rank 1 on ws2 stopped at t = 5 s: no more data"));
}

TEST_CASE("Amounts that are negative or no numbers are refused", "[engine][error]") {
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    CHECK_THROWS_WITH(run(scenario(machines(2), [bad](Rank& self) -> Process { co_await self.compute(bad); })),
                      Catch::Contains("rank 0 asks to compute"));
    CHECK_THROWS_WITH(run(scenario(machines(2), [bad](Rank& self) -> Process { co_await self.isend(1, bad); })),
                      Catch::Contains("asks to send"));
  }
}

TEST_CASE("Replications after one another on the clock do not disturb one another", "[engine]") {
  // An infinite last step, whose end no replication waits for.
  const Scenario s = computing(machines(2), 20, profile_of("0 0.5\n10 1\n"));
  for (const auto& r : run(s, 25)) CHECK(r.makespan_s == near(25));
}

TEST_CASE("The owner's time is that of [0, T] although a message is still on its way at T", "[engine]") {
  // A = 0.5, 1, 0.5, ... for 1 s each; T = 2 s; the message takes 50 s.
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.isend(1, 50'000);
    co_await self.sleep_until(2);
  };
  for (const auto& r : run(scenario(machines(2), program, profile_of("PERIODICITY 2\n0 0.5\n1 1\n")), 5)) {
    CHECK(r.makespan_s == near(2));
    CHECK(r[Quantity::owner_s][0] == near(0.5));
  }
}

TEST_CASE("An owner who keeps the machine for ever is an error, not an endless run", "[engine][error]") {
  const auto busy = std::make_shared<const LoadSeries>(
      LoadTable("t,u\n0,1\n10,1\n", "load.csv", {.column = "u", .measure = LoadMeasure::utilisation}).series());
  for (const auto& owner :
       {profile_of("5 0\n"), profile_of("PERIODICITY 20\n5 0\n"), duty_cycle_owner(10, 1, false),
        intervals_owner(constant(0), constant(3), "test"), trace_owner(busy, TraceStart::random, "test")}) {
    INFO(owner->describe());
    CHECK_THROWS_WITH(run(computing(machines(2), 10, owner)),
                      Catch::Contains("rank 0 on ws1 computes, but its owner leaves it nothing for ever"));
  }
  // Work that is done before, and a machine without work, are no errors.
  CHECK(time_alone(profile_of("5 0\n"), 4) == near(4));
  CHECK(time_alone(profile_of("5 0\n"), 5) == near(5));
  Scenario s = computing(machines(2), 10, dedicated_owner());
  s.owners[0] = profile_of("5 0\n");
  s.share_flop[0] = 0;
  CHECK(run(s, 3)[2].makespan_s == near(10));
  // While the others go on it may yet be killed for good reason, but not before its machine is left nothing.
  Scenario late = computing(machines(2), 10, dedicated_owner());
  late.owners[0] = profile_of("PERIODICITY 100\n0 1\n1 0\n50 1\n");
  CHECK(run(late, 3)[2].makespan_s == near(59));
}

TEST_CASE("An exception that is no std::exception ends the run as well", "[engine][error]") {
  const auto fails = [](Rank& self) -> Process {
    co_await self.compute(5);
    throw 42;
  };
  CHECK_THROWS_AS(run(scenario(machines(2), fails)), RunError);
  CHECK_THROWS_WITH(run(scenario(machines(2), fails)), Catch::Contains("rank 0 on ws1 stopped at t = 5 s"));
}

TEST_CASE("A program that fails while others wait and transfer ends the run with its own sentence", "[engine][error]") {
  const auto program = [](Rank& self) -> Process {
    switch (self.index()) {
      case 0: co_await self.send(1, 5000); break;
      case 1: co_await self.receive(0); break;
      case 2: co_await self.receive(0, 50.0); break;
      default:
        co_await self.isend(2, 100'000);
        co_await self.compute(1);
        throw std::runtime_error("no more data");
    }
  };
  CHECK_THROWS_WITH(run(scenario(machines(4), program), 3), Catch::Contains("rank 3 on ws4 stopped at t = 1 s: no more data"));
}

TEST_CASE("Owner jobs share a SimGrid host with the task", "[owner_jobs][engine]") {
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
