// Every operation of a rank, and collectives, with times derived by hand: lambda = 1 ms, beta = 1000 B/s.
#include <catch2/catch.hpp>
#include <cmath>

#include "sim/base/error.hpp"
#include "sim/program/collectives.hpp"
#include "tests/sim/run_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// A rank's finish time is what it reports: programs sleep or compute nothing after the moment of interest.
std::vector<double> finish_times(std::shared_ptr<const Platform> platform, Program program) {
  return run(scenario(std::move(platform), std::move(program)))[0][Quantity::finish_s];
}

/// Fails the run where a condition inside a program does not hold: programs run in a child process.
void require(bool condition, const char* what) {
  if (!condition) throw std::runtime_error(what);
}

/// Each rank of an even number sends one message to the next.
Program pairs(double bytes) {
  return [bytes](Rank& self) -> Process {
    if (self.index() % 2 == 0) co_await self.send(self.index() + 1, bytes);
    else co_await self.receive(self.index() - 1);
  };
}

constexpr double kBytes = 1000;
constexpr double kMessage = 1.001;  // lambda + m/beta

double time_of(std::size_t ranks, Program program) {
  return run(scenario(machines(ranks), std::move(program)), 2)[1].makespan_s;
}

std::vector<std::any> numbers(int count) {
  std::vector<std::any> out;
  for (int i = 0; i < count; ++i) out.emplace_back(10 * i);
  return out;
}

}  // namespace

TEST_CASE("sleep_until waits until a date since the start, and not for one in the past", "[reads][rank]") {
  const auto program = [](Rank& self) -> Process {
    require(self.now() == 0, "a replication starts at 0");
    co_await self.sleep_until(3);
    co_await self.sleep_until(1);
    co_await self.compute(2);
  };
  const auto results = run(scenario(machines(2), program), 4);
  for (const auto& r : results) CHECK(r.makespan_s == near(5));
}

TEST_CASE("A barrier lets all go when the last has come, as often as it is called, at its cost", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    co_await self.sleep_until(1 + self.index());
    co_await self.barrier();
    require(std::abs(self.now() - 3) < 1e-9, "released when the third came");
    if (self.index() == 1) co_await self.compute(4);
    co_await self.barrier(0.5);
    require(std::abs(self.now() - 7.5) < 1e-9, "released at its cost");
    co_await self.barrier();
  };
  for (double t : finish_times(machines(3), program)) CHECK(t == near(7.5));
}

TEST_CASE("A rendezvous starts when both are ready, whoever comes first, and both return at its end", "[rank]") {
  for (const int late : {0, 1}) {
    const auto program = [late](Rank& self) -> Process {
      if (self.index() == late) co_await self.compute(5);
      if (self.index() == 0) co_await self.send(1, 2000);
      else co_await self.receive(0);
    };
    // 5 s + 1 ms + 2000 B / 1000 B/s
    for (double t : finish_times(machines(2), program)) CHECK(t == near(7.001));
  }
}

TEST_CASE("A buffered message travels while its sender computes, and one of the two waits for the other", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 2000);
      require(self.now() == 0, "isend returns at once");
      co_await self.compute(1);
    } else {
      co_await self.compute(5);
      co_await self.receive(0);
    }
  };
  const auto t = finish_times(machines(2), program);
  CHECK(t[0] == near(1));
  CHECK(t[1] == near(5));
  const auto early = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.isend(1, 500);
    else co_await self.receive(0);
  };
  CHECK(finish_times(machines(2), early)[1] == near(0.501));
}

TEST_CASE("Messages of one sender come in the order sent, with their contents and sizes", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 900, 1);  // the slower one first
      co_await self.isend(1, 0, 2);
      co_await self.send(1, 10, std::string("three"));
      co_return;
    }
    for (int expected : {1, 2}) {
      Message m = co_await self.receive(0);
      require(std::any_cast<int>(m.content) == expected, "in order");
      require(m.from == 0 && m.bytes == (expected == 1 ? 900 : 0), "sender and size");
    }
    Message last = co_await self.receive_any();
    require(std::any_cast<std::string>(last.content) == "three", "the rendezvous last");
  };
  CHECK_NOTHROW(run(scenario(machines(2), program), 3));
}

TEST_CASE("receive_any takes what is there first, and the lowest rank where several are", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 3) {
      co_await self.sleep_until(10);
      for (int expected : {1, 0, 2}) {
        Message m = co_await self.receive_any();
        require(m.from == expected, "order of availability");
      }
    } else if (self.index() == 1) {
      co_await self.sleep_until(1);
      co_await self.send(3, 0);
    } else {  // offered at the same moment, by the higher rank's actor as well
      co_await self.sleep_until(2);
      co_await self.send(3, 0);
    }
  };
  CHECK_NOTHROW(run(scenario(machines(4), program), 3));
}

TEST_CASE("A receive gives up exactly at its time-out, and a later message still arrives", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.sleep_until(8);
      co_await self.send(1, 1000);
      co_return;
    }
    auto nothing = co_await self.receive(0, 3.0);
    require(!nothing && std::abs(self.now() - 3) < 1e-9, "gave up at 3");
    nothing = co_await self.receive_any(0.0);
    require(!nothing && std::abs(self.now() - 3) < 1e-9, "no time to wait");
    auto message = co_await self.receive_any(100.0);
    require(message && std::abs(self.now() - 9.001) < 1e-9, "came later");
  };
  CHECK(finish_times(machines(2), program)[1] == near(9.001));
}

TEST_CASE("A transfer that started within the time-out is completed", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.sleep_until(1);
      co_await self.send(1, 5000);
      co_return;
    }
    auto message = co_await self.receive(0, 2.0);
    require(message.has_value(), "taken");
  };
  CHECK(finish_times(machines(2), program)[1] == near(6.001));
}

TEST_CASE("transfer moves bytes over the workstation's own link", "[rank]") {
  const auto program = [](Rank& self) -> Process { co_await self.transfer(1000.0 * (1 + self.index())); };
  const auto t = finish_times(machines(2, NetworkKind::links), program);
  CHECK(t[0] == near(1.0005));  // its own half of the latency
  CHECK(t[1] == near(2.0005));
  CHECK_THROWS_WITH(run(scenario(machines(2, NetworkKind::none), program)), Catch::Contains("need a network"));
}

TEST_CASE("A message to oneself is received", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    co_await self.isend(self.index(), 100, 5);
    Message m = co_await self.receive(self.index());
    require(std::any_cast<int>(m.content) == 5, "the content");
  };
  CHECK_NOTHROW(run(scenario(machines(2, NetworkKind::links), program)));
}

TEST_CASE("Ranks know their place, their machine, their share, and have streams of their own", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    require(self.count() == 2 && self.host().name == "ws" + std::to_string(self.index() + 1), "place");
    require(self.share() == 10 + self.index(), "share");
    co_await self.compute(self.random().uniform());
    Stream again = self.random(), common = self.common_random();
    co_await self.compute(again.uniform() + (self.index() == 0 ? 0 : 0) + common.uniform());
  };
  Scenario s = scenario(machines(2), program);
  s.share_flop = {10, 11};
  const auto r = run(s, 2);
  for (std::uint64_t k = 0; k < 2; ++k)
    for (std::uint64_t i = 0; i < 2; ++i) {
      const double own = Stream({1, k, i, Purpose::workload}).uniform();
      const double common = Stream({1, k, kAllWorkstations, Purpose::workload}).uniform();
      CHECK(r[k][Quantity::finish_s][i] == near(2 * own + common));
    }
}

TEST_CASE("Messages and bytes are counted at their sender, anew in each replication", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.isend(1, 100);
      co_await self.send(1, 50.4);  // whole bytes
    } else {
      co_await self.receive(0);
      co_await self.receive(0);
    }
  };
  for (const auto& r : run(scenario(machines(2), program), 3)) {
    CHECK(r[Quantity::messages] == std::vector<double>{2, 0});
    CHECK(r[Quantity::sent_bytes] == std::vector<double>{150, 0});
  }
}

TEST_CASE("A message that nobody receives ends with its replication", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.isend(1, 50'000);  // 50 s: far beyond the ranks' end
    co_await self.compute(1);
  };
  for (const auto& r : run(scenario(machines(2), program), 5)) CHECK(r.makespan_s == near(1));
}

TEST_CASE("What no rank can do is refused", "[rank][error]") {
  const std::pair<Program, const char*> table[] = {
      {[](Rank& self) -> Process { co_await self.send(2, 1); }, "there are ranks 0 to 1"},
      {[](Rank& self) -> Process { co_await self.receive(7); }, "there are ranks 0 to 1"},
      {[](Rank& self) -> Process { co_await self.send(self.index(), 1); }, "use isend"},  // it would wait for ever
      {[](Rank& self) -> Process { co_await self.sleep_until(kInfinity); }, "rank 0 asks to sleep until inf"},
      {[](Rank& self) -> Process { co_await self.isend(0, 1e19); }, "rank 0 asks to send 1e+19 bytes"}};
  for (const auto& [program, sentence] : table)
    CHECK_THROWS_WITH(run(scenario(machines(2), program)), Catch::Contains(sentence));
  const auto to_the_other = [](Rank& self) -> Process { co_await self.isend(1 - self.index(), 1); };
  CHECK_THROWS_WITH(run(scenario(machines(2, NetworkKind::none), to_the_other)),
                    Catch::Contains("no") && Catch::Contains("network"));
}

TEST_CASE("A message that comes at exactly the time-out is taken, buffered or offered, whoever's actor runs first", "[rank]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 1) {
      co_await self.isend(0, 500);
      co_await self.isend(2, 500);
      co_await self.compute(2);
      co_await self.send(0, 0);
      co_await self.compute(1);
      co_await self.send(2, 0);
      co_return;
    }
    auto message = co_await self.receive(1, 1.001);
    require(message.has_value(), "arrives at 1 ms + 2 x 500 B / 1000 B/s, for the two share the sender's link");
    if (self.index() == 2) co_await self.sleep_until(3.001);
    message = co_await self.receive(1, self.index() == 0 ? 2 - self.now() : 0.0);
    require(message.has_value(), "offered at 2 s, and at 2.001 + 1 s to one who asks at that moment");
  };
  // With an owner, replications begin anywhere on the clock.
  Scenario s = scenario(machines(3), program);
  CHECK_NOTHROW(run(s, 5));
  s.owners[2] = intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("uniform", 3, 3), "test");
  CHECK_NOTHROW(run(s, 20));
}

TEST_CASE("receive_any takes the lowest rank of those that come at one moment, however much they did at it", "[rank]") {
  for (const bool buffered : {false, true}) {
    const auto program = [buffered](Rank& self) -> Process {
      if (self.index() == 3) {
        for (int expected : {0, 1, 2}) {
          const Message m = co_await self.receive_any();
          require(m.from == expected, "the lowest rank first");
        }
        co_return;
      }
      co_await self.compute(1);
      for (int k = self.index(); k < 2; ++k) co_await self.isend(self.index(), 0);  // the lower, the more it does
      if (buffered) co_await self.isend(3, 100);
      else co_await self.send(3, 100);
    };
    CHECK_NOTHROW(run(scenario(machines(4), program), 3));
  }
}

TEST_CASE("One message takes lambda + m/beta to the last places", "[network]") {
  const auto platform = machines({1, 1}, NetworkKind::network_switch, 187.5e6, 5e-6);
  for (const double bytes : {0.0, 1.0, 1000.0, 1e9})
    CHECK(finish_times(platform, pairs(bytes))[1] == Approx(5e-6 + bytes / 187.5e6).epsilon(1e-12));
}

TEST_CASE("No window limits a flow over a long and fat path", "[network]") {
  const auto platform = machines({1, 1}, NetworkKind::network_switch, 1e10, 0.1);
  CHECK(finish_times(platform, pairs(1e10))[1] == Approx(1.1).epsilon(1e-12));
}

TEST_CASE("k flows on a bus end together at lambda + k·m/beta", "[network]") {
  for (const std::size_t flows : {1, 2, 5})
    for (double t : finish_times(machines(2 * flows, NetworkKind::bus), pairs(1000)))
      CHECK(t == near(1e-3 + static_cast<double>(flows)));
}

TEST_CASE("On a switch disjoint pairs do not disturb one another, and a receiver's link is shared", "[network]") {
  for (double t : finish_times(machines(6), pairs(1000))) CHECK(t == near(1.001));
  const auto incast = [](Rank& self) -> Process {
    if (self.index() > 0) {
      co_await self.isend(0, 1000);
      co_return;
    }
    for (int from = 1; from < self.count(); ++from) co_await self.receive(from);
  };
  CHECK(finish_times(machines(4), incast)[0] == near(3.001));
}

TEST_CASE("Both directions of a switch's link run at once, those of a half-duplex link share it", "[network]") {
  const auto exchange = [](Rank& self) -> Process {
    co_await self.isend(1 - self.index(), 1000);
    co_await self.receive(1 - self.index());
  };
  CHECK(finish_times(machines(2, NetworkKind::network_switch), exchange)[0] == near(1.001));
  CHECK(finish_times(machines(2, NetworkKind::links), exchange)[0] == near(2.001));
}

TEST_CASE("A broadcast reaches all ranks from any root", "[collectives]") {
  for (const Tree tree : {Tree::linear, Tree::binomial})
    for (const int count : {1, 2, 3, 5, 8})
      for (const int root : {0, count - 1, count / 2}) {
        const auto program = [=](Rank& self) -> Process {
          std::any mine;
          if (self.index() == root) mine = 42;
          std::any got = co_await broadcast(self, root, kBytes, mine, tree);
          require(std::any_cast<int>(got) == 42, "the root's content");
        };
        const double rounds = tree == Tree::linear ? count - 1 : std::ceil(std::log2(count));
        CHECK(time_of(static_cast<std::size_t>(count), program) == Approx(rounds * kMessage).epsilon(1e-9).margin(1e-12));
      }
}

TEST_CASE("A scatter gives each rank its part", "[collectives]") {
  for (const Tree tree : {Tree::linear, Tree::binomial})
    for (const int count : {1, 2, 3, 5, 8}) {
      const int root = count / 2;
      const auto program = [=](Rank& self) -> Process {
        std::vector<std::any> all;
        if (self.index() == root) all = numbers(self.count());
        std::any got = co_await scatter(self, root, kBytes, all, tree);
        require(std::any_cast<int>(got) == 10 * self.index(), "its part");
      };
      CHECK_NOTHROW(time_of(static_cast<std::size_t>(count), program));
    }
  // A binomial one over 4 ranks sends half, then quarters.
  const auto of_four = [](Rank& self) -> Process { co_await scatter(self, 0, kBytes, numbers(4)); };
  CHECK(time_of(4, of_four) == Approx((0.001 + 2) + (0.001 + 1)));
}

TEST_CASE("A gather brings all contents to the root in the order of ranks", "[collectives]") {
  for (const Tree tree : {Tree::linear, Tree::binomial})
    for (const int count : {1, 2, 3, 5, 8})
      for (const int root : {0, count - 1}) {
        const auto program = [=](Rank& self) -> Process {
          std::vector<std::any> got = co_await gather(self, root, kBytes, std::any(7 * self.index()), tree);
          require(got.size() == (self.index() == root ? static_cast<std::size_t>(count) : 0), "only the root");
          for (std::size_t i = 0; i < got.size(); ++i)
            require(std::any_cast<int>(got[i]) == 7 * static_cast<int>(i), "in order");
        };
        CHECK_NOTHROW(time_of(static_cast<std::size_t>(count), program));
      }
}

TEST_CASE("A reduction combines all contents at the root, at its cost", "[collectives]") {
  for (const Tree tree : {Tree::linear, Tree::binomial})
    for (const int count : {1, 2, 3, 5, 8}) {
      const auto program = [=](Rank& self) -> Process {
        std::any sum = co_await reduce(
            self, 0, kBytes, std::any(1 << self.index()),
            [](std::any a, std::any b) { return std::any(std::any_cast<int>(a) + std::any_cast<int>(b)); }, 2, tree);
        if (self.index() == 0) require(std::any_cast<int>(sum) == (1 << self.count()) - 1, "everyone once");
      };
      const double time = time_of(static_cast<std::size_t>(count), program);
      if (tree == Tree::binomial)
        CHECK(time == Approx(std::ceil(std::log2(count)) * (kMessage + 2)).epsilon(1e-9).margin(1e-12));
    }
}

TEST_CASE("Trees are known by name", "[collectives]") {
  CHECK(tree_named("linear") == Tree::linear);
  CHECK(tree_named("binomial") == Tree::binomial);
  CHECK_FALSE(tree_named("chain"));
}

TEST_CASE("A linear gather takes the ranks in turn, from the lowest", "[collectives]") {
  // Rank 3 is late: by then the others' two messages are in.
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 3) co_await self.sleep_until(10);
    co_await gather(self, 0, kBytes, std::any(), Tree::linear);
  };
  CHECK(time_of(4, program) == Approx(10 + kMessage).epsilon(1e-9));
}

TEST_CASE("A root that does not exist is refused by every collective", "[collectives][error]") {
  const auto fails = [](Program program) {
    CHECK_THROWS_WITH(time_of(3, std::move(program)), Catch::Contains("as a root: there are ranks 0 to 2"));
  };
  fails([](Rank& self) -> Process { co_await broadcast(self, 3, 1, {}); });
  fails([](Rank& self) -> Process { co_await scatter(self, -1, 1, {}); });
  fails([](Rank& self) -> Process { co_await gather(self, 7, 1, {}); });
  fails([](Rank& self) -> Process { co_await reduce(self, 3, 1, {}, [](std::any a, std::any) { return a; }); });
}
