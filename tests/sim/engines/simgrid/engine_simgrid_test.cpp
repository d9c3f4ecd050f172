// The SimGrid engine against times derived by hand and against a plain integration of the same paths.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/owners/load_table.hpp"
#include "tests/sim/run_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

OwnerPtr uniform_owner(double th, double interval) {
  return intervals_owner(make_value_law("uniform", 0.5, th), make_length_law("uniform", interval, 3), "test");
}

double time_alone(OwnerPtr owner, double work, double speed = 1) {
  return run(computing(machines(1, NetworkKind::none, speed), work, std::move(owner)))[0].makespan_s;
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

// ---- what ends a run -------------------------------------------------------------------------------------------------

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
