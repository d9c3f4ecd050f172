// Paging beyond a machine's memory: ZY 4.3's times of a product of matrices of order 1500, and where there is none.
#include "workloads/parts/master.hpp"

#include "tests/workloads/job_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

constexpr double kMiB = 1024 * 1024;
constexpr double kPageWait = 23.05e-6;  // [s]: its derivation stands in workloads/matrices/matrix_multiply.cpp
constexpr double kFlop = 2. * 1500 * 1500 * 1500, kFootprint = 3. * 1500 * 1500 * 4;

/// How long a product of order 1500 takes on one dedicated machine [s].
double alone_s(double speed_flops, std::optional<double> memory_bytes, double page_wait_s = kPageWait) {
  const Scenario s = job("matrix-multiply", {{"size", 1500}, {"page_wait", page_wait_s}},
                         with_memory(*machines({speed_flops}, NetworkKind::network_switch), {memory_bytes}));
  const RunResult r = run_on_both(s);
  CHECK(r[Quantity::messages][0] == 0);
  CHECK(r[Quantity::work_flop][0] == near(kFlop));
  CHECK(s.workload->program().paging_alone_s(s.platform->workstations[0]) ==
        Approx(r.makespan_s - kFlop / speed_flops).margin(1e-6));
  return r.makespan_s;
}

}  // namespace

TEST_CASE("A product of order 1500 takes half an hour in memory, and 17 hours on machines of 16 MiB",
          "[reads][workloads][paging]") {
  CHECK(alone_s(3.75e6, 32 * kMiB) == near(1800));
  const double quick = alone_s(4.518e6, 16 * kMiB), slow = alone_s(2.169e6, 16 * kMiB);
  const double wait = kPageWait * kFlop * (1 - 16 * kMiB / kFootprint);
  CHECK(quick == near(kFlop / 4.518e6 + wait));
  CHECK(slow == near(kFlop / 2.169e6 + wait));
  CHECK((quick + slow) / 2 == Approx(17 * 3600).epsilon(5e-4));  // as exact as the four digits of page_wait
  CHECK(1800 * 2 / (quick + slow) == Approx(0.03).margin(0.001));  // the power weight of ZY 4.3
}

TEST_CASE("Nobody waits for pages where memory is unknown, or holds everything, or pages cost nothing",
          "[workloads][paging]") {
  CHECK(alone_s(4.5e6, std::nullopt) == near(1500));
  CHECK(alone_s(4.5e6, kFootprint) == near(1500));
  CHECK(alone_s(4.5e6, kMiB, 0) == near(1500));
  CHECK(alone_s(4.5e6, kFootprint - 1) > 1500);
}

TEST_CASE("Waiting for pages is no work: an owner does not lengthen it", "[workloads][paging]") {
  Scenario s = job("matrix-multiply", {{"size", 100}, {"page_wait", 1e-5}},
                   with_memory(*machines({1e5}, NetworkKind::network_switch), {60000}));
  s.owners[0] = profile_of("0 0.5\n");
  // 2e6 flop at half of 1e5 flop/s; half of the 120000 bytes are in memory.
  CHECK(run_on_both(s).makespan_s == near(40 + 1e-5 * 2e6 * 0.5));
}

TEST_CASE("A task of a product pages by its own footprint, which is smaller where B rotates", "[workloads][paging]") {
  const auto time = [](double distribute, double memory_bytes) {
    // Order 10, 4 bytes: a task's (2·5·10 + 100)·4 = 800 bytes, with rotating B (2·5·10 + 5·10)·4 = 600 bytes.
    const Scenario s = job("matrix-multiply", {{"size", 10}, {"distribute", distribute}, {"page_wait", 0.01}},
                           with_memory(*machines(2), {std::nullopt, memory_bytes}));
    return run_on_both(s)[Quantity::finish_s][1];
  };
  constexpr double kInPlace = 3, kRotate = 2;
  const double in_memory = time(kInPlace, 800);
  CHECK(time(kInPlace, 1e9) == near(in_memory));
  CHECK(time(kInPlace, 200) == near(in_memory + 0.01 * 1000 * 0.75));
  CHECK(time(kRotate, 600) == near(time(kRotate, 1e9)));
  // The other's rows of B, 200 bytes, have come while it waited in the first step.
  CHECK(time(kRotate, 300) == near(time(kRotate, 600) + 0.01 * 1000 * 0.5 - 0.201));
}

TEST_CASE("A task of Cholesky's factorisation holds its columns and the largest panel", "[workloads][paging]") {
  const auto scenario_of = [](const std::vector<std::optional<double>>& memory_bytes) {
    return job("cholesky", {{"size", 4}, {"block", 2}, {"element", 100}, {"page_wait", 0.1}},
               with_memory(*machines(memory_bytes.size()), memory_bytes));
  };
  // Rank 0 has the right block of 3 elements, rank 1 the left one of 7, with 13 operations before anybody else's.
  const double in_memory = run(scenario_of({std::nullopt, 1400.}))[0].makespan_s;
  CHECK(run(scenario_of({1000., 1e9}))[0].makespan_s == near(in_memory));
  CHECK(run(scenario_of({1000., 350.}))[0].makespan_s == near(in_memory + 0.1 * 13 * 0.75));
  CHECK(run(scenario_of({500., 1400.}))[0].makespan_s == near(in_memory + 0.1 * (12 + 5) * 0.5));
  // Alone the triangle's 10 elements.
  CHECK(run(scenario_of({250.}))[0].makespan_s == near(30 + 0.1 * 30 * 0.75));
  const Scenario alone = scenario_of({250.});
  CHECK(alone.workload->program().paging_alone_s(alone.platform->workstations[0]) == near(0.1 * 30 * 0.75));
}
