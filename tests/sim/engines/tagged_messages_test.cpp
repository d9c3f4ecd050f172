// Messages with tags: when they travel, who waits for them, and which receive takes which, on both engines.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/base/error.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/statistics/laws.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

// 1000 B/s and 1 ms: a message of b bytes that is alone takes 0.001 + b/1000 s.
constexpr double kLatency_s = 1e-3;

/// Two machines, of which rank 0 does one thing and rank 1 another.
template <class First, class Second>
RunResult two(First first, Second second) {
  return run(scenario(machines(2), [=](Rank& self) -> Process {
           if (self.index() == 0) co_await first(self);
           else co_await second(self);
         })).front();
}

// (GCC 12 runs a co_await inside of CHECK twice.)

/// When each rank ends [s].
std::vector<double> ends(const RunResult& r) { return r[Quantity::finish_s]; }

}  // namespace

TEST_CASE("A rendezvous with a tag travels when both are ready, and both end then", "[computes][reads][requests]") {
  const RunResult r = two([](Rank& self) -> Task<> { co_await self.send_tagged(1, 7, 2000, SendMode::rendezvous); },
                          [](Rank& self) -> Task<> {
                            co_await self.sleep_until(5);
                            const Exchanged got = co_await self.receive_tagged(0, 7);
                            CHECK((got.peer == 0 && got.tag == 7 && got.bytes == 2000));
                          });
  CHECK(ends(r)[0] == Approx(7 + kLatency_s).epsilon(1e-12));
  CHECK(ends(r)[1] == Approx(7 + kLatency_s).epsilon(1e-12));
  CHECK(r[Quantity::messages] == std::vector<double>{1, 0});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{2000, 0});
}

TEST_CASE("A detached message travels when it is received, an eager one at once; neither keeps its sender", "[requests]") {
  for (const SendMode mode : {SendMode::detached, SendMode::eager}) {
    const RunResult r = two([mode](Rank& self) -> Task<> { co_await self.send_tagged(1, 0, 2000, mode); },
                            [](Rank& self) -> Task<> {
                              co_await self.sleep_until(5);
                              co_await self.receive_tagged(0, 0);
                            });
    CHECK(ends(r)[0] == 0);
    CHECK(ends(r)[1] == Approx(mode == SendMode::eager ? 5 : 7 + kLatency_s).epsilon(1e-12));
  }
}

TEST_CASE("An eager message whose receiver waits ends its wait when it arrives", "[requests]") {
  const RunResult r = two([](Rank& self) -> Task<> {
                            co_await self.sleep_until(3);
                            co_await self.send_tagged(1, 0, 1000, SendMode::eager);
                          },
                          [](Rank& self) -> Task<> { co_await self.receive_tagged(0, 0); });
  CHECK(ends(r)[1] == Approx(4 + kLatency_s).epsilon(1e-12));
}

TEST_CASE("What is posted early travels while its ranks compute", "[requests]") {
  const auto work = [](Rank& self, RequestId request) -> Task<> {
    co_await self.compute(10);
    co_await self.finish(request);
  };
  const RunResult r = two([work](Rank& self) -> Task<> {
                            const RequestId sent = co_await self.post_send(1, 0, 4000, SendMode::rendezvous);
                            co_await work(self, sent);
                          },
                          [work](Rank& self) -> Task<> {
                            const RequestId received = co_await self.post_receive(0, 0);
                            co_await work(self, received);
                          });
  CHECK(ends(r)[0] == Approx(10).epsilon(1e-12));
  CHECK(ends(r)[1] == Approx(10).epsilon(1e-12));
}

TEST_CASE("A receive takes the first message of its tag, and any tag none below 0", "[requests]") {
  two([](Rank& self) -> Task<> {
        const std::vector<int> tags{-5, 3, 4, 3};
        for (const int tag : tags) co_await self.send_tagged(1, tag, 100 * (tag + 6), SendMode::eager);
      },
      [](Rank& self) -> Task<> {
        co_await self.sleep_until(10);
        const Exchanged four = co_await self.receive_tagged(0, 4);
        const Exchanged any_tag = co_await self.receive_tagged(0, kAnyTag);
        const Exchanged any = co_await self.receive_tagged(Rank::kAnyRank, kAnyTag);
        const Exchanged negative = co_await self.receive_tagged(0, -5);
        CHECK(four.bytes == 1000);
        CHECK((any_tag.tag == 3 && any.tag == 3));
        CHECK(negative.bytes == 100);
      });
}

TEST_CASE("Of receives that would take a message the first that was posted does", "[requests]") {
  two([](Rank& self) -> Task<> {
        co_await self.sleep_until(1);
        const std::vector<double> sizes{10, 20, 30};
        for (const double bytes : sizes) co_await self.send_tagged(1, 2, bytes, SendMode::detached);
      },
      [](Rank& self) -> Task<> {
        const RequestId any = co_await self.post_receive(Rank::kAnyRank, kAnyTag);
        const RequestId other = co_await self.post_receive(0, 9);
        const RequestId tag = co_await self.post_receive(0, 2);
        const Exchanged second = co_await self.finish(tag);
        const Exchanged first = co_await self.finish(any);
        const bool is_over = (co_await self.test(other)).has_value();
        const Exchanged third = co_await self.receive_tagged(0, 2);
        CHECK((first.bytes == 10 && second.bytes == 20 && third.bytes == 30));
        CHECK_FALSE(is_over);
      });
}

TEST_CASE("Of several requests the first that is over ends the wait, and a test tells without waiting", "[requests]") {
  const RunResult r = run(scenario(machines(3), [](Rank& self) -> Process {
                        if (self.index() > 0) {
                          co_await self.sleep_until(self.index() == 1 ? 4 : 2);
                          co_await self.send_tagged(0, self.index(), 1000, SendMode::rendezvous);
                          co_return;
                        }
                        std::vector<RequestId> both;
                        both.push_back(co_await self.post_receive(1, 1));
                        both.push_back(co_await self.post_receive(2, 2));
                        const bool at_first = (co_await self.test(both[1])).has_value();
                        const std::size_t first = (co_await self.finish_any(both)).place;
                        CHECK(first == 1);
                        CHECK(self.now() == Approx(3 + kLatency_s).epsilon(1e-12));
                        const bool then = (co_await self.test(both[0])).has_value();
                        co_await self.sleep_until(6);
                        const bool at_last = (co_await self.test(both[0])).has_value();
                        CHECK((!at_first && !then && at_last));
                      })).front();
  CHECK(ends(r)[0] == Approx(6).epsilon(1e-12));
}

TEST_CASE("A rank that waits for ever is told of with what it waits for", "[requests][error]") {
  const Scenario s = scenario(machines(2), [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.receive_tagged(1, 3);
  });
  CHECK_THROWS_WITH(run(s), Catch::Contains("rank 0 on ws1 waits for a message from rank 1 (tag 3)"));
}

// ---- ranks that share machines -----------------------------------------------------------------------------------

namespace {

/// One machine of so many cores with 1 flop/s each, and one beside it, with ranks on the first.
Scenario sharing(int cores, int ranks, Program program, OwnerPtr owner = dedicated_owner()) {
  Scenario s =
      scenario(machines({1, 1}, NetworkKind::network_switch, 1000, kLatency_s, cores), {}, std::move(owner));
  s.workload = std::make_shared<const LambdaWorkload>(
      std::move(program), ProgramDescription{.placement = [ranks](std::span<const Workstation>) {
        return std::vector<int>(static_cast<std::size_t>(ranks), 0);
      }});
  return s;
}

}  // namespace

TEST_CASE("Ranks of one machine share its cores while they compute at the same time", "[requests][placement]") {
  const auto program = [](Rank& self) -> Process { co_await self.compute(self.index() == 0 ? 2 : 6); };
  // One core: 2 each until t = 4 (three ranks: 2 each until 6), then the longer ones go on.
  CHECK(run(sharing(1, 2, program)).front().makespan_s == Approx(8).epsilon(1e-12));
  CHECK(run(sharing(2, 2, program)).front().makespan_s == Approx(6).epsilon(1e-12));
  // Two cores, three ranks at 2/3 of a core: the first ends at 3, when the others have done 2 of 6.
  const RunResult three = run(sharing(2, 3, program)).front();
  CHECK(three.makespan_s == Approx(7).epsilon(1e-12));
  CHECK(three[Quantity::work_flop] == std::vector<double>{14, 0});
  CHECK(three[Quantity::finish_s] == std::vector<double>{three.makespan_s, 0});
}

TEST_CASE("A rank that begins to compute later takes its part of what the owner leaves from then on", "[requests][placement]") {
  const auto program = [](Rank& self) -> Process {
    if (self.index() == 1) co_await self.sleep_until(2);
    co_await self.compute(self.index() == 0 ? 4 : 1);
  };
  // The owner leaves all until 3, nothing until 5, then all. Rank 0 has done 2 at t = 2, 2.5 at 3; both go on at 5:
  // rank 1 has done 0.5 and ends at 6, rank 0 has 1 left then.
  const Scenario s = sharing(1, 2, program, profile_of("0 1\n3 0\n5 1\n"));
  const RunResult r = run(s).front();
  CHECK(r.makespan_s == Approx(7).epsilon(1e-9));
  CHECK(r[Quantity::owner_s][0] == Approx(2).epsilon(1e-9));
}

TEST_CASE("Ranks of one machine send each other messages over its path to itself", "[requests][placement]") {
  const Scenario s = sharing(2, 2, [](Rank& self) -> Process {
    if (self.index() == 0) co_await self.send_tagged(1, 0, 1000, SendMode::rendezvous);
    else co_await self.receive_tagged(0, 0);
  });
  const RunResult r = run(s).front();
  CHECK(r.makespan_s > 0);
  CHECK(r[Quantity::messages] == std::vector<double>{1, 0});
}

TEST_CASE("An owner whose jobs compete with a rank is refused where several ranks share his machine", "[requests][placement][error]") {
  const Scenario s = sharing(1, 2, [](Rank& self) -> Process { co_await self.compute(1); },
                             jobs_owner(constant(9.0), constant(1.0), Discipline::processor_sharing, 1, "jobs"));
  CHECK_THROWS_WITH(run(s), Catch::Contains("several ranks share the cores of 'ws1'"));
}
