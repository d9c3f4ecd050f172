// What verify takes for agreement, for another order of simultaneous events, and for a difference: injected
// differences.
#include "sim/engines/engine_agreement.hpp"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "sim/engines/direct/engine.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

using Kind = Agreement::Kind;
using Change = std::function<void(RunResult& simgrid, RunResult& direct)>;

/// Three machines of unit speed that compute 10, 20 and 5; rank 1 sends two messages.
Process three_ranks(Rank& self) {
  const double work_flop[] = {10, 12, 5};
  co_await self.compute(work_flop[self.index()]);
  if (self.index() != 1) co_return;
  co_await self.isend(0, 7);
  co_await self.compute(8);
  co_await self.isend(2, 9);
}

/// The same as a job that ends with its first rank, which waits for the others.
Process three_ranks_and_the_end(Rank& self) {
  co_await three_ranks(self);
  if (self.index() == 0) co_await self.sleep_until(30);
}

/// As if another order had given the work and the messages of the second machine to the first one, and back.
void swap_first_two(RunResult& r) {
  for (const Quantity q : {Quantity::work_flop, Quantity::active_s, Quantity::finish_s, Quantity::messages,
                           Quantity::sent_bytes})
    std::swap(r[q][0], r[q][1]);
}

Agreement compared(const Scenario& s, const Change& change, std::uint64_t ties) {
  auto simgrid = run_batch_simgrid(s, {4, 1}), direct = run_batch_direct(s, {4, 1});
  direct[0].ties = ties;
  change(simgrid[0], direct[0]);
  return compare_results(s, simgrid, direct);
}

/// Called so only where events were simultaneous; a difference without.
void check_reordered(const Scenario& s, const Change& change) {
  const Agreement agreement = compared(s, change, 1);
  CHECK(agreement.kind == Kind::reordered);
  CHECK(agreement.reordered == 1);
  CHECK(compared(s, change, 0).kind == Kind::differ);
}

/// Whatever was simultaneous.
void check_differs(const Scenario& s, const Change& change, const std::string& where) {
  for (const std::uint64_t ties : {0, 5}) {
    const Agreement agreement = compared(s, change, ties);
    CHECK(agreement.kind == Kind::differ);
    CHECK(agreement.largest > kEngineTolerance);
    if (ties > 0) CHECK(agreement.where == where + " in replication 4");
  }
}

}  // namespace

TEST_CASE("Engines' equal results agree, with ties and without", "[computes][reads][agreement]") {
  const Scenario s = scenario(machines(3), three_ranks, profile_of("PERIODICITY 3\n0 1\n2 0.5\n"));
  for (const std::uint64_t ties : {0, 5})
    CHECK(compared(
              s, [](RunResult&, RunResult&) {}, ties)
              .kind == Kind::agree);
}

TEST_CASE("Another order of simultaneous events moves work, times and messages between workstations", "[agreement]") {
  const Scenario s = scenario(machines(3), three_ranks);
  check_reordered(s, [](RunResult&, RunResult& direct) { swap_first_two(direct); });
  check_reordered(s, [](RunResult&, RunResult& direct) { direct.makespan_s += 1; });
}

TEST_CASE("No order leaves all times equal while something else differs", "[agreement]") {
  const auto more_work = [](RunResult&, RunResult& direct) { direct[Quantity::work_flop][1] *= 1 - 1e-6; };
  const auto a_message = [](RunResult&, RunResult& direct) { direct[Quantity::messages][1] = 1; };
  const auto bytes = [](RunResult&, RunResult& direct) {
    std::swap(direct[Quantity::sent_bytes][0], direct[Quantity::sent_bytes][1]);
  };
  for (const Scenario& s :
       {scenario(machines(3), three_ranks), ending_with_first(machines(3), three_ranks_and_the_end)}) {
    check_differs(s, more_work, "work of workstation 2");
    check_differs(s, a_message, "number of messages of workstation 2");
    check_differs(s, bytes, "number of bytes of workstation 1");
  }
}

TEST_CASE("No order changes what all do together, but where the job ends with its first rank", "[agreement]") {
  const auto less_work = [](RunResult&, RunResult& direct) {
    swap_first_two(direct);
    direct[Quantity::work_flop][2] = direct[Quantity::active_s][2] = direct[Quantity::finish_s][2] = 4;
  };
  const auto one_more = [](RunResult&, RunResult& direct) {
    swap_first_two(direct);
    direct[Quantity::messages][2] += 1;
  };
  const auto more_bytes = [](RunResult&, RunResult& direct) {
    swap_first_two(direct);
    direct[Quantity::sent_bytes][2] += 1;
  };
  const Scenario s = scenario(machines(3), three_ranks);
  check_differs(s, less_work, "work of all workers");
  check_differs(s, one_more, "number of all messages");
  check_differs(s, more_bytes, "number of all bytes");
  for (const auto& change : {Change(less_work), Change(one_more), Change(more_bytes)})
    check_reordered(ending_with_first(machines(3), three_ranks_and_the_end), change);
}

TEST_CASE("No order changes an owner who does not feel the task while the makespan stays", "[agreement]") {
  const auto owner_s = [](RunResult&, RunResult& direct) {
    swap_first_two(direct);
    direct[Quantity::owner_s][2] += 1e-3;
  };
  check_differs(scenario(machines(3), three_ranks), owner_s, "owner's time of workstation 3");
  check_reordered(scenario(machines(3), three_ranks, regular_jobs(1000, 1, kDisciplines[0])), owner_s);
}

TEST_CASE("A result that cannot be is a difference although both engines give it", "[agreement]") {
  const Scenario s = scenario(machines(3), three_ranks);
  const auto on_both = [](const std::function<void(RunResult&)>& change) {
    return [change](RunResult& simgrid, RunResult& direct) {
      change(simgrid);
      change(direct);
    };
  };
  for (const std::uint64_t ties : {0, 1}) {
    const auto where = [&](const std::function<void(RunResult&)>& change) {
      const Agreement agreement = compared(s, on_both(change), ties);
      CHECK(agreement.kind == Kind::differ);
      return agreement.where;
    };
    CHECK(where([](RunResult& r) { r[Quantity::work_flop][1] = 25; }) ==
          "work beyond the computing time of workstation 2 on simgrid in replication 4");
    CHECK(where([](RunResult& r) { r[Quantity::work_flop][2] = 0; }) ==
          "computing time beyond work and owner's time of workstation 3 on simgrid in replication 4");
    CHECK(where([](RunResult& r) { r[Quantity::finish_s][0] = 9; }) ==
          "computing time beyond the finish time of workstation 1 on simgrid in replication 4");
    CHECK(where([](RunResult& r) { r[Quantity::finish_s][1] = 21; }) ==
          "finish time beyond the makespan of workstation 2 on simgrid in replication 4");
  }
}
