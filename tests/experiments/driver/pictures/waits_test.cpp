// Where a replication's time goes: programs whose times are derived by hand, and what is written of them.
#include <catch2/catch.hpp>
#include <sstream>

#include "experiments/driver/pictures/waits.hpp"
#include "experiments/driver/points/experiment.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "workloads/mpi/mpi_action.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

constexpr int kAllreduce = static_cast<int>(MpiCall::allreduce);

/// A message in a call, a barrier, and a message to whoever takes it.
Process exchange(Rank& self) {
  if (self.index() == 0) {
    co_await self.compute(3);
    note_next(self, {.call = kAllreduce});
    co_await self.send(1, 1000);
    co_await self.barrier(0);
    co_await self.isend(1, 500);
  } else {
    co_await self.compute(2);
    note_next(self, {.call = kAllreduce});
    co_await self.receive(0);
    co_await self.compute(1);
    co_await self.barrier(0);
    co_await self.receive_any();
  }
}

/// On two machines of 1 flop/s, 1000 B/s and 1 ms: the first one's owner leaves it from 0 to 2, 4 to 6, ... Rank 0
/// computes until 5, its message takes until 6.001, rank 1 computes until 7.001, and the second message takes until
/// T = 7.502.
Scenario exchange_under_owner() {
  Scenario s = scenario(machines(2), exchange);
  s.owners[0] = duty_cycle_owner(4, 0.5, false);
  return s;
}

Waits waits_of(const Scenario& s, Engine engine) { return waits_of(record_timeline(engine, s, 0), rank_speeds(s)); }

std::string text_of(const SpentTime& spent) {
  std::ostringstream out;
  out << time_uses()[static_cast<std::size_t>(spent.use)].name << (spent.call.empty() ? "" : " in ") << spent.call;
  if (spent.peer >= 0) out << " for " << spent.peer;
  out << ' ' << spent.time_s;
  return out.str();
}
std::vector<std::string> texts_of(const RankTimes& rank) {
  std::vector<std::string> out;
  for (const auto& spent : rank.spent) out.push_back(text_of(spent));
  return out;
}

/// One rank that does this.
Waits alone(const std::vector<TimelineActivity>& activities, double makespan_s) {
  Timeline t;
  t.makespan_s = makespan_s;
  t.workstations.push_back({"ws1", activities, {}, {}, {}, {}});
  return waits_of(t, std::vector<double>{2});
}

std::string written(Format format) {
  const Scenario s = exchange_under_owner();
  const Timeline t = record_timeline(Engine::direct, s, 0);
  std::ostringstream out;
  write_waits(t, waits_of(t, rank_speeds(s)), format, out);
  return out.str();
}

}  // namespace

TEST_CASE("Every second of a rank is told once: by kind, call and partner, on both engines",
          "[reads][waits][engines]") {
  for (const Engine engine : {Engine::direct, Engine::simgrid}) {
    const Waits waits = waits_of(exchange_under_owner(), engine);
    CHECK(waits.makespan_s == Approx(7.502));
    REQUIRE(waits.ranks.size() == 2);
    CHECK(texts_of(waits.ranks[0]) == std::vector<std::string>{"compute 3", "taken 2", "wait in barrier 1",
                                                               "under-way in allreduce for 1 1.001", "idle 0.501"});
    CHECK(texts_of(waits.ranks[1]) == std::vector<std::string>{"compute 3", "wait in allreduce for 0 3",
                                                               "under-way in allreduce for 0 1.001",
                                                               "under-way in receive for 0 0.501"});
    CHECK(waits.ranks[1].spent[0].operations == 2);
  }
}

TEST_CASE("Calls and pairs of ranks are added up, what costs most first", "[waits]") {
  const Waits waits = waits_of(exchange_under_owner(), Engine::direct);
  REQUIRE(waits.calls.size() == 3);
  CHECK(waits.calls[0].call == "allreduce");
  CHECK(waits.calls[0].wait_s == Approx(3));
  CHECK(waits.calls[0].under_way_s == Approx(2.002));
  CHECK(waits.calls[1].call == "barrier");
  CHECK(waits.calls[2].call == "receive");
  REQUIRE(waits.pairs.size() == 2);  // nobody in particular is waited for at a barrier
  CHECK((waits.pairs[0].rank == 1 && waits.pairs[0].peer == 0 && waits.pairs[0].call == "allreduce"));
  CHECK(waits.pairs[0].wait_s == Approx(3));
  CHECK(waits.pairs[0].under_way_s == Approx(1.502));
  CHECK((waits.pairs[1].rank == 0 && waits.pairs[1].peer == 1));
}

TEST_CASE("Computing is told apart: what it is for, what was taken, and what was cut short", "[waits]") {
  const Waits waits = alone({{Activity::sleep, 0, 1, -1, 0, {Meant::spawn}},
                             {Activity::compute, 1, 3, -1, 2},  // 1 s of 2
                             {Activity::compute, 3, 5, -1, 4, {Meant::message_work}},
                             {Activity::compute, 5, 6, -1, 0},
                             {Activity::off, 6, 8},
                             {Activity::transfer, 8, 8.5},
                             {Activity::sleep, 8.5, 9},
                             {Activity::receive, 9, 9.5, -1},  // from nobody: stopped
                             {Activity::idle, 9.5, 10}},
                            10);
  CHECK(texts_of(waits.ranks[0]) == std::vector<std::string>{"compute 1", "message-work 2", "taken 1", "cut-short 1",
                                                             "wait in receive 0.5", "transfer 0.5", "sleep 0.5",
                                                             "spawn 1", "off 2", "idle 0.5"});
  CHECK(waits.pairs.empty());
}

TEST_CASE("What takes no time, or rounding, is no wait", "[waits]") {
  CHECK(alone({{Activity::idle, 0, 0}}, 0).ranks[0].spent.empty());
  const Waits waits = alone({{Activity::barrier, 0, 1e-10}, {Activity::compute, 1e-10, 1, -1, 2}}, 1);
  CHECK(texts_of(waits.ranks[0]) == std::vector<std::string>{"compute 1"});
  CHECK(waits.calls.empty());
}

TEST_CASE("Waits are written for people", "[waits]") {
  const std::string text = written(Format::table);
  CHECK_THAT(text, Contains("where the time went in replication 0, T = 7.502 s, in % of T\n\n"
                            "  rank  computes  taken  waits  message under way  has finished\n"
                            "  ----  --------  -----  -----  -----------------  ------------\n"
                            "  ws1       40.0   26.7   13.3               13.3           6.7\n"
                            "  ws2       40.0    0.0   40.0               20.0           0.0\n"
                            "  mean      40.0   13.3   26.7               16.7           3.3\n"));
  CHECK_THAT(text, Contains("  allreduce       3.00                   2.00                  33.3\n"));
  CHECK_THAT(text, Contains("  ws2  ws1            3.00                   1.50    60.0  allreduce\n"));
  CHECK_THAT(text, Contains("seed 1, engine direct, nowsim " + std::string(version())));
}

TEST_CASE("Waits are written for programs, each second once", "[waits]") {
  const std::string csv = written(Format::csv);
  CHECK_THAT(csv, Catch::StartsWith("workstation,name,what,call,peer,peer_name,time_s,share,operations,T_s,replication,"
                                    "seed,engine,version,variance_reduction\n1,ws1,compute,,,,3,"));
  CHECK_THAT(csv, Contains("\n2,ws2,wait,allreduce,1,ws1,"));
  const std::string json = written(Format::json);
  CHECK_THAT(json, Contains("{\"what\": \"wait\", \"call\": \"allreduce\", \"peer\": 1, \"peer_name\": \"ws1\", ") &&
                       Contains("\"peer\": null"));
  CHECK_THAT(json, Contains("\"calls\": [\n") && Contains("\"most_in\": \"allreduce\""));
  const Folder folder;
  CHECK(is_waits_csv(folder.file("w.csv", csv)));
  CHECK_FALSE(is_waits_csv(folder.file("t.csv", "workstation,name,what,begin_s,end_s,peer\n")));
  CHECK_FALSE(is_waits_csv(folder.path() + "/none.csv"));
}

TEST_CASE("A trace names the calls of programs that have some, and is as it was of others", "[waits][timeline]") {
  const auto csv_of = [](const Program& program) {
    const Timeline t = record_timeline(Engine::direct, scenario(machines(2), program), 0);
    std::ostringstream out;
    write_timeline_csv(t, out);
    return out.str();
  };
  const std::string with_calls = csv_of(exchange);
  CHECK_THAT(with_calls, Contains(",chunk,tasks,call,replication,"));
  CHECK_THAT(with_calls, Contains("\n1,ws1,compute,0,3,,3,,,,,,,0,1,direct,"));
  CHECK_THAT(with_calls, Contains(",2,,1000,,,,,allreduce,0,1,direct,"));
  const std::string without = csv_of([](Rank& self) -> Process { co_await self.compute(1); });
  CHECK_THAT(without, Contains(",chunk,tasks,replication,"));
}
