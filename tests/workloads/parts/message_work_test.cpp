// What messages cost the processors at their ends: times derived by hand, on both engines, with and without owners.
#include "workloads/parts/master.hpp"

#include "tests/workloads/job_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

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

}  // namespace

TEST_CASE("Sender and receiver compute for a message, each at its own speed", "[reads][workloads][message-work]") {
  // EP on two machines of 1 and 2 flop/s, 100 and 200 flop; orders of 16 B in 17 ms, counts of 96 B in 97 ms. A message
  // of b bytes costs 3 + b/8 flop: 5 of an order, 15 of counts.
  const auto pair = machines({1, 2}, NetworkKind::bus);
  const RunResult r =
      run_on_both(job("ep", with_cost({{"size", 30}, {"work_per_pair", 10}}, 3, 0.125), pair, {1, 2}));
  const double sent = 5 + 0.017;                      // rank 0 packs the order, then both see it through
  const double packed = sent + 2.5 + 100 + 7.5;       // rank 1 unpacks, computes, packs; rank 0 is ready at sent + 100
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
