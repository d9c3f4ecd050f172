// What workloads share: laws of costs, whole parts of a total, what messages cost processors at their ends, and paging.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/base/error.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "workloads/parts/cost_law.hpp"
#include "workloads/parts/master.hpp"
#include "workloads/parts/whole_parts.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

DistributionPtr law(double which, double cv, double mean = 8) {
  FixedParameters read({{"law", which}, {"cv", cv}}, {}, {cost_law_key(), cv_key()});
  return read_cost_law(read, "cost", mean);
}

using Parts = std::vector<std::int64_t>;
constexpr std::int64_t kLarge = std::int64_t{1} << 60;  // doubles around it are multiples of 256 above, 128 below

using Parameters = std::map<std::string, double>;

/// The five programs that have it, small, with every way that messages go.
const std::vector<std::pair<std::string, Parameters>> kPrograms{
    {"ep", {{"size", 30}, {"work_per_pair", 10}}},
    {"edge-detection", {{"size", 24}, {"passes", 3}}},
    {"merge-sort", {{"size", 100}}},
    {"matrix-multiply", {{"size", 12}}},
    {"matrix-multiply", {{"size", 12}, {"distribute", 1}}},
    {"matrix-multiply", {{"size", 12}, {"distribute", 2}}},
    {"cholesky", {{"size", 24}, {"block", 4}}},
    {"cholesky", {{"size", 24}, {"block", 4}, {"broadcast", 1}}},
};

Parameters with_cost(Parameters parameters, double per_message_flop, double per_byte_flop) {
  parameters["work_per_message"] = per_message_flop;
  parameters["work_per_byte"] = per_byte_flop;
  return parameters;
}

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

TEST_CASE("Laws of costs have the mean and the coefficient of variation that they are given", "[reads][cost_law]") {
  for (const double cv : {0.0, 0.1, 0.3, 0.57}) {
    for (const double which : {0, 1, 2, 3}) CHECK(law(which, cv)->mean() == Approx(8));
    for (const double which : {1, 2}) CHECK(law(which, cv)->variance() == Approx(8 * cv * 8 * cv).margin(1e-12));
    for (const double which : {0, 1, 2, 3}) CHECK(law(which, cv)->lower() >= 0);
    CHECK(law(0, cv)->variance() == 0);
    CHECK(law(3, cv)->variance() == Approx(64));
  }
}

TEST_CASE("A law of costs that cannot be is refused", "[cost_law][error]") {
  CHECK_THROWS_AS(law(0, 0.3, 0), InputError);
  CHECK_THROWS_AS(law(1, 0.58), InfeasibleError);
  CHECK(law(1, 0.57735026919)->lower() == 0);  // 1/sqrt(3) as it is printed
  CHECK_THROWS_AS(law(2, 1), InfeasibleError);
}

TEST_CASE("What quotas leave goes to the largest remainders, of equal ones to the first", "[workloads][whole_parts]") {
  CHECK(whole_parts(10, std::vector<double>{1, 1, 1}) == Parts{4, 3, 3});
  CHECK(whole_parts(10, std::vector<double>{1, 2, 3}) == Parts{2, 3, 5});
  CHECK(whole_parts(2, std::vector<double>{1, 0, 1, 1}) == Parts{1, 0, 1, 0});
}

TEST_CASE("Without any positive share everything goes to the first", "[workloads][whole_parts]") {
  CHECK(whole_parts(7, std::vector<double>{0, 0}) == Parts{7, 0});
  CHECK(whole_parts(7, std::vector<double>{}).empty());
}

TEST_CASE("Parts add up to totals that are rounded as doubles, up or down, and none goes where there is no share",
          "[workloads][whole_parts]") {
  for (const std::int64_t total : {kLarge - 65, kLarge - 63, kLarge - 1, kLarge + 1, kLarge + 127, kLarge + 129,
                                   kLarge + 255})
    for (const auto& shares : std::vector<std::vector<double>>{
             {1}, {1, 1}, {0, 1}, {1, 0}, {1, 2, 3}, {0.1, 0.2, 0.7}, {0, 3, 0, 1e-30, 5}, {1, 1, 1, 1, 1, 1, 1}}) {
      const Parts parts = whole_parts(total, shares);
      CHECK(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}) == total);
      const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
      for (std::size_t i = 0; i < shares.size(); ++i) {
        CHECK(parts[i] >= 0);
        CHECK((shares[i] > 0 || parts[i] == 0));
        CHECK(std::abs(static_cast<double>(parts[i]) - static_cast<double>(kLarge) * shares[i] / sum) <= 1024);
      }
    }
}

TEST_CASE("Sender and receiver compute for a message, each at its own speed", "[workloads][message-work]") {
  // EP on two machines of 1 and 2 flop/s, 100 and 200 flop; orders of 16 B in 17 ms, counts of 96 B in 97 ms. A message
  // of b bytes costs 3 + b/8 flop: 5 of an order, 15 of counts.
  const auto pair = machines({1, 2}, NetworkKind::bus);
  const RunResult r = run_on_both(job("ep", with_cost({{"size", 30}, {"work_per_pair", 10}}, 3, 0.125), pair, {1, 2}));
  const double sent = 5 + 0.017;                 // rank 0 packs the order, then both see it through
  const double packed = sent + 2.5 + 100 + 7.5;  // rank 1 unpacks, computes, packs; rank 0 is ready at sent + 100
  CHECK(r[Quantity::finish_s][1] == near(packed + 0.097));
  CHECK(r.makespan_s == near(packed + 0.097 + 15));   // and unpacks
  CHECK(r[Quantity::work_flop][0] == near(5 + 100 + 15));
  CHECK(r[Quantity::work_flop][1] == near(5 + 200 + 15));
}

TEST_CASE("An owner slows down what a message costs a processor, but not the message", "[workloads][message-work]") {
  Scenario s = job("ep", with_cost({{"size", 30}, {"work_per_pair", 10}}, 3, 0.125), machines({1, 2}, NetworkKind::bus),
                   {1, 2});
  s.owners[0] = profile_of("0 0.5\n");
  // Rank 0 packs for 10 s and computes for 200 s; rank 1, through at 10 + 0.017 + 110, waits for it.
  CHECK(run_on_both(s).makespan_s == near(10 + 0.017 + 200 + 0.097 + 30));
}

TEST_CASE("On a merge's way up a rank unpacks before it merges", "[workloads][message-work]") {
  // Four elements of 4 bytes on two machines of 1 flop/s: 2·log2(2)·5 = 10 flop of sorting each, 4·5 of the merge; two
  // messages of 8 bytes, 9 ms, that cost 7 + 8 = 15 flop.
  const RunResult r = run_on_both(
      job("merge-sort", with_cost({{"size", 4}}, 7, 1), machines(std::size_t{2}, NetworkKind::bus)));
  CHECK(r.makespan_s == near(15 + 0.009 + 15 + 10 + 15 + 0.009 + 15 + 20));
}

TEST_CASE("Every message of a program costs both its ends the same work, and it is none of the job's",
          "[workloads][message-work]") {
  for (const auto& [name, parameters] : kPrograms)
    for (const std::size_t p : {2, 3, 5}) {
      INFO(name << ' ' << p);
      const auto run_with = [&, n = name](const Parameters& given) { return run(job(n, given, machines(p)))[0]; };
      const RunResult free = run_with(parameters), costly = run_with(with_cost(parameters, 2, 0.25));
      CHECK(costly[Quantity::messages] == free[Quantity::messages]);
      const double messages = sum_of(free[Quantity::messages]), bytes = sum_of(free[Quantity::sent_bytes]);
      CHECK(sum_of(costly[Quantity::work_flop]) ==
            Approx(sum_of(free[Quantity::work_flop]) + 2 * (2 * messages + 0.25 * bytes)).epsilon(1e-12));
      CHECK(costly.makespan_s > free.makespan_s);
      const Scenario s = job(name, with_cost(parameters, 2, 0.25), machines(p));
      CHECK(s.workload->program().work_of(s.share_flop) ==
            job(name, parameters, machines(p)).workload->program().work_of(s.share_flop));
    }
}

TEST_CASE("Alone there are no messages to pay for", "[workloads][message-work]") {
  for (const auto& [name, parameters] : kPrograms) {
    INFO(name);
    const auto alone_s = [&, n = name](const Parameters& given) {
      return run_on_both(job(n, given, machines({3}, NetworkKind::none))).makespan_s;
    };
    CHECK(alone_s(with_cost(parameters, 1e6, 1e6)) == alone_s(parameters));
  }
}

TEST_CASE("A product of order 1500 takes half an hour in memory, and 17 hours on machines of 16 MiB",
          "[workloads][paging]") {
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
