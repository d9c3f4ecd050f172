// What jobs with a server need of ranks: sends that give up, a job that ends with rank 0, work that is kept.
#include <catch2/catch.hpp>

#include <stdexcept>

#include "sim/engines/direct/engine.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/run_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

TEST_CASE("A send that nobody receives in time is given up, and the message is never received", "[computes][reads][send]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      const bool is_delivered = co_await self.send_within(5, 1, 1000);  // not within CHECK, which writes it twice
      CHECK_FALSE(is_delivered);
      CHECK(self.now() == near(5));
      co_await self.send(1, 2000);
    } else {
      co_await self.sleep_until(7);
      const Message message = co_await self.receive(0);
      CHECK(message.bytes == 2000);
      const auto none = co_await self.receive(0, 1);
      CHECK_FALSE(none);
    }
  };
  for (const auto& r : run(scenario(machines(2), program), 3)) CHECK(r[Quantity::finish_s][0] == near(7 + 1e-3 + 2));
}

TEST_CASE("A send whose receiver is ready in time ends with the transfer, however long that takes", "[send]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      const bool is_delivered = co_await self.send_within(5, 1, 4000);
      CHECK(is_delivered);
    } else {
      co_await self.sleep_until(4);
      co_await self.receive_any();
    }
  };
  for (const auto& r : run(scenario(machines(2), program), 3)) CHECK(r[Quantity::finish_s][0] == near(4 + 1e-3 + 4));
}

TEST_CASE("An offer for no time is taken by who waits for any message", "[send][receive]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.sleep_until(10);
      const bool is_delivered = co_await self.send_within(0, 1, 1000);
      CHECK(is_delivered);
      CHECK(self.now() == near(11.001));
    } else {
      co_await self.sleep_until(9);
      const auto message = co_await self.receive_any(5);
      CHECK(message);
    }
  };
  for (const auto& r : run(scenario(machines(2), program), 3)) CHECK(r.makespan_s == near(11.001));
}

TEST_CASE("An offer for no time is taken by who begins to receive at that moment", "[send][receive]") {
  for (const double timeout_s : {5.0, 0.0}) {
    const auto program = [timeout_s](Rank& self) -> Process {
      co_await self.sleep_until(10);
      if (self.index() == 0) {
        const bool is_delivered = co_await self.send_within(0, 1, 1000);
        CHECK(is_delivered);
      } else {
        const auto message = co_await self.receive_any(timeout_s);
        CHECK(message);
      }
    };
    for (const auto& r : run(scenario(machines(2), program), 3)) CHECK(r.makespan_s == near(11.001));
  }
}

TEST_CASE("Who receives goes on at its deadline when the offer it saw is withdrawn", "[send][receive]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.sleep_until(10);
      const bool is_delivered = co_await self.send_within(0, 1, 1000);
      CHECK_FALSE(is_delivered);
      CHECK(self.now() == near(10));
    } else {
      co_await self.sleep_until(10 + 5e-9);  // of the same moment, for who receives from any rank
      const auto message = co_await self.receive_any(4);
      CHECK_FALSE(message);
      CHECK(self.now() == near(14));
    }
  };
  for (const auto& r : run(scenario(machines(2), program), 3)) CHECK(r.makespan_s == near(14));
}

TEST_CASE("A job that ends with rank 0 stops the others and does not count what they have not ended", "[server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.receive(1);
    if (self.index() == 1) {
      co_await self.compute(2);
      co_await self.send(0, 1000);
      co_await self.compute(100);
    }
    if (self.index() == 2) co_await self.receive(0);
    if (self.index() == 3) {
      co_await self.compute(1);
      co_await self.compute(1);
      co_await self.compute(50);
      co_await self.send(0, 10);
    }
  };
  const double end_s = 3.001;
  for (const auto& r : run(ending_with_first(machines(4), program), 3)) {
    CHECK(r.makespan_s == near(end_s));
    CHECK(r[Quantity::work_flop] == std::vector<double>{0, 2, 0, 2});
    for (const double finish_s : r[Quantity::finish_s]) CHECK(finish_s == near(end_s));
    CHECK(r[Quantity::active_s][3] == near(2));
  }
}

TEST_CASE("What its owner never lets a rank end is no work done", "[server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.receive_any(30);
      const auto more = co_await self.receive_any(30);
      CHECK_FALSE(more);
    } else {
      co_await self.compute(15);
      co_await self.send(0, 1000);
      co_await self.compute(5);
    }
  };
  Scenario s = ending_with_first(machines(2), program);
  for (const char* until_nothing : {"0 1\n16 0\n", "0 1\n18 0\n", "0 1\n16.001 0\n"}) {
    s.owners[1] = profile_of(until_nothing);
    for (const auto& r : run(s, 8)) {
      CHECK(r.makespan_s == near(46.001));
      CHECK(r[Quantity::work_flop] == std::vector<double>{0, 15});
      CHECK(r[Quantity::active_s][1] == near(15));
    }
    CHECK(run_batch_direct(s, {0, 1})[0].ties == 0);
  }
}

TEST_CASE("What ends at the very moment at which the job ends has ended", "[server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0)
      co_await self.sleep_until(20);
    else
      for (int k = 0; k < 5; ++k) co_await self.compute(self.index() == 1 ? 10 : 8);
  };
  const Scenario s = ending_with_first(machines(3), program);
  for (const auto& r : run(s, 3)) CHECK(r[Quantity::work_flop] == std::vector<double>{0, 20, 16});
  CHECK(run_batch_direct(s, {0, 1})[0].ties > 0);  // another engine's rounding may have it otherwise
}

TEST_CASE("What others would do after the job's end they do not do", "[server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      const auto message = co_await self.receive_any(30);  // of rank 4, which goes further than is gone ahead at once
      CHECK(message->from == 4);
      const auto more = co_await self.receive_any(10);
      CHECK_FALSE(more);
      co_return;
    }
    while (self.index() == 1) co_await self.compute(1);
    while (self.index() == 2) co_await self.sleep_until(self.now() + 1);
    if (self.index() == 3) {
      co_await self.compute(50);
      throw std::runtime_error("too late to be of interest");
    }
    for (int k = 0; k < 25'000; ++k) co_await self.compute(0.001);
    co_await self.send(0, 10);
  };
  const Scenario s = ending_with_first(machines(5), program);
  for (const auto& r : run(s, 3)) {
    CHECK(r.makespan_s == near(35.011));
    CHECK(r[Quantity::work_flop][1] == 35);
    CHECK(r[Quantity::work_flop][3] == 0);
    CHECK(r[Quantity::work_flop][4] == near(25));
  }
}

TEST_CASE("What goes wrong before the job ends fails it, whichever rank has gone ahead", "[server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.receive_any(30);
    if (self.index() == 1) co_await self.compute(20);
    if (self.index() == 1) throw std::runtime_error("in time");
    while (true) co_await self.compute(1);
  };
  CHECK_THROWS_WITH(run(ending_with_first(machines(3), program)),
                    Catch::Contains("rank 1 on ") && Catch::Contains("stopped at t = 20 s: in time"));
}

TEST_CASE("Work that is taken back leaves what was done before to the last bit", "[server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0)
      co_await self.sleep_until(2);
    else {
      co_await self.compute(0.1);
      co_await self.compute(0.2);
      co_await self.compute(1e17);
    }
  };
  for (const auto& r : run_batch_direct(ending_with_first(machines(2), program), {0, 2})) {
    CHECK(r[Quantity::work_flop][1] == 0.1 + 0.2);
    CHECK(r[Quantity::active_s][1] > 0.299);
  }
}

TEST_CASE("Owners' times of a job that ends with rank 0 go as far as the job", "[server]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.compute(10);
    else co_await self.compute(1000);
  };
  const auto owner = profile_of("PERIODICITY 8\n0 1\n6 0.5\n");
  for (const auto& r : run(ending_with_first(machines(2), program, owner), 3)) {
    CHECK(r.makespan_s == near(11));
    for (const double owner_s : r[Quantity::owner_s]) CHECK(owner_s == near(1));
    CHECK(r[Quantity::work_flop][1] == 0);
  }
}

TEST_CASE("Owners' jobs feel a task as long as the job lasts that ends with rank 0", "[server][owner_jobs]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.compute(20);
    else
      for (int k = 0; k < 100; ++k) co_await self.compute(self.index() == 1 ? 7 : 300);
  };
  for (const Discipline discipline : kDisciplines) {
    const Scenario s = ending_with_first(machines(3), program, poisson_jobs(0.4, exponential(3), discipline));
    REQUIRE_FALSE(DirectEngine::unsupported_reason(s));
    const auto simgrid = run(s, 30), direct = run_batch_direct(s, {0, 30});
    for (std::size_t k = 0; k < 30; ++k) {
      CHECK(direct[k][Quantity::owner_jobs] == simgrid[k][Quantity::owner_jobs]);
      for (std::size_t i = 0; i < 3; ++i)
        CHECK(direct[k][Quantity::owner_slowdown][i] == near(simgrid[k][Quantity::owner_slowdown][i]));
    }
  }
}

TEST_CASE("What computes beyond the job's end by rounding, while rank 0 looks whether messages come together, is stopped there",
          "[server][owner_jobs]") {
  constexpr double kEnd_s = 1 + 1e-3, kBeyond = 1e-9;
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.receive_any();
    } else if (self.index() == 1) {
      co_await self.isend(0, 1000);
    } else {
      co_await self.compute(kEnd_s * (1 + kBeyond));
      if (self.index() == 2) co_await self.compute(5);
    }
  };
  const auto owner = regular_jobs(1000, 1, Discipline::processor_sharing);
  for (const auto& r : run_batch_direct(ending_with_first(machines(4), program, owner), {0, 2}))
    CHECK(r.makespan_s == near(kEnd_s));
}

TEST_CASE("A rank that keeps work gets on, however often its machine goes off", "[server][state][slow]") {
  const auto platform = with_states(*machines(1), {{0, "PERIODICITY 4\n0 1\n3 0\n"}});
  const auto kept = std::make_shared<int>(0);  // as a server would know
  const auto program = [kept](Rank& self) -> Process {
    while (*kept < 12'000) {
      co_await self.compute(2);
      self.keep_work();
      ++*kept;
    }
    *kept = 0;
  };
  for (const auto& r : run(scenario(platform, program), 1))
    CHECK(r[Quantity::work_flop][0] == near(24'000));
}

// ---- turns at a desk -----------------------------------------------------------------------------------------------

TEST_CASE("Ranks have their turns at the desk by time, at one moment by index, in each replication anew", "[computes][reads][turn]") {
  const auto program = [](Rank& self) -> Process {
    for (const double date_s : {0.0, 4.0 - self.index(), 5.0}) {
      co_await self.sleep_until(date_s);
      std::any& kept = co_await self.turn();
      if (!kept.has_value()) kept = std::vector<int>();
      std::any_cast<std::vector<int>>(kept).push_back(self.index());
      if (std::any_cast<std::vector<int>>(kept).size() == 9)
        CHECK(std::any_cast<std::vector<int>>(kept) == std::vector<int>{0, 1, 2, 2, 1, 0, 0, 1, 2});
      CHECK(self.now() == near(date_s));
    }
  };
  const Scenario s = scenario(machines(3, NetworkKind::none), program);
  for (const auto& r : run(s, 3)) CHECK(r.makespan_s == near(5));
  for (const auto& r : run_batch_direct(s, {0, 3})) CHECK(r.makespan_s == near(5));
}

TEST_CASE("There are no turns at a desk where machines switch off", "[turn]") {
  const auto program = [](Rank& self) -> Process { co_await self.turn(); };
  const Scenario s = scenario(with_states(*machines(2), {{1, "PERIODICITY 9\n0 1\n5 0\n"}}), program);
  CHECK_THROWS_WITH(run(s), Catch::Contains("waits for its turn at a desk"));
  CHECK_THROWS_WITH(run_batch_direct(s, {0, 1}), Catch::Contains("waits for its turn at a desk"));
}
