// The NAS kernel EP: operations, messages and times against closed forms.
#include <cmath>

#include "tests/workloads/job_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

TEST_CASE("EP counts 26.68e9 operations for the pairs of class A", "[computes][workloads][ep]") {
  const Scenario s = job("ep", {{"size", std::ldexp(1.0, 28)}}, machines({1}, NetworkKind::none));
  CHECK(s.workload->program().work_flop == near(26.68e9));
}

TEST_CASE("EP's master sends orders in turn, works, and takes counts in turn", "[workloads][ep]") {
  // Orders of 16 B: 17 ms each; counts of 96 B: 97 ms each. 100 flop per rank, at 1, 1 and 2 flop/s.
  const std::map<std::string, double> parameters{{"size", 30}, {"work_per_pair", 10}};
  const auto bus = machines({1, 1, 2}, NetworkKind::bus);
  const RunResult r = run_on_both(job("ep", parameters, bus));
  const double works_from = 2 * 0.017;  // rank 0, when both have their orders
  CHECK(r[Quantity::finish_s][1] == near(works_from + 100 + 0.097));  // ready at 100.017, the master at 100.034
  CHECK(r[Quantity::finish_s][2] == near(works_from + 100 + 2 * 0.097));
  CHECK(r.makespan_s == near(works_from + 100 + 2 * 0.097));
  CHECK(r[Quantity::messages] == std::vector<double>{2, 1, 1});
  CHECK(r[Quantity::sent_bytes] == std::vector<double>{32, 96, 96});
}

TEST_CASE("EP begins when the tasks are started", "[workloads][ep]") {
  const auto pair = machines({1, 2}, NetworkKind::bus);
  const RunResult r =
      run_on_both(job("ep", {{"size", 30}, {"work_per_pair", 10}, {"spawn", 0.5}}, pair, {1, 2}));
  CHECK(r.makespan_s == near(0.5 + 0.017 + 100 + 0.097));
}

TEST_CASE("EP's operations are the job's and its messages constant for any split", "[workloads][ep][property]") {
  for (const std::size_t p : {2, 3, 5, 7, 8})
    for (const auto& split : splits_among(p)) {
      const Scenario s = job("ep", {{"size", 1001}, {"work_per_pair", 3}},
                             machines(rising_speeds(p), NetworkKind::bus), split);
      const RunResult r = run_on_both(s);
      CHECK(sum_of(r[Quantity::work_flop]) == near(3003));
      CHECK(s.workload->program().work_of(s.share_flop) == near(3003));
      const auto workers = static_cast<double>(p - 1);
      CHECK(sum_of(r[Quantity::messages]) == 2 * workers);
      CHECK(sum_of(r[Quantity::sent_bytes]) == (16 + 96) * workers);
      CHECK(r.makespan_s >= 3003 / sum_of(rising_speeds(p)));
    }
}

TEST_CASE("EP gives whole pairs, as near to the shares as they go", "[workloads][ep]") {
  const RunResult r = run_on_both(
      job("ep", {{"size", 10}, {"work_per_pair", 3}}, machines({1, 1, 1}, NetworkKind::bus), {1, 2, 0}));
  CHECK(r[Quantity::work_flop] == std::vector<double>{9, 21, 0});
}
