// The direct engine: against plain integration, the same bits for every width of register, shared links, scale.
#include "sim/engines/direct/engine.hpp"

#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "sim/engines/direct/availability_lanes.hpp"
#include "sim/engines/direct/lane_kernels.hpp"
#include "sim/engines/engine_agreement.hpp"
#include "sim/owners/owner.hpp"
#include "sim/owners/owner_jobs.hpp"
#include "sim/program/supersteps.hpp"
#include "sim/statistics/user_laws.hpp"
#include "tests/sim/owner_jobs_fixture.hpp"
#include "tests/sim/run_fixture.hpp"
#include "tests/thrown.hpp"

using namespace nowsim;
using namespace nowsim::test;
using Catch::Contains;

namespace {

/// Of intervals with a mean of 3 s. TH of `constant` is 0.
OwnerPtr intervals(const std::string& value, double th, const std::string& length, double mean = 0.5) {
  if (value == "constant") th = 0;
  return intervals_owner(make_value_law(value, mean, th), make_length_law(length, 3, 3), value + length + std::to_string(th));
}

/// Phases of computing, uneven sleeping and waiting for all.
Process phases(Rank& self) {
  for (int k = 0; k < 4; ++k) {
    co_await self.compute(self.share() * (1 + k));
    if ((self.index() + k) % 3 == 0) co_await self.sleep_until(self.now() + 0.7 * k);
    co_await self.barrier(0.01);
  }
}

std::vector<RunResult> with_width(const Scenario& s, const Batch& batch, std::size_t width) {
  std::vector<RunResult> results(batch.count);
  DirectEngine engine;
  engine.use_width(width);
  engine.run(s, batch, [&](const RunResult& r) { results.at(r.replication - batch.first) = r; });
  return results;
}

bool same_bits(const std::vector<RunResult>& a, const std::vector<RunResult>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k].makespan_s != b[k].makespan_s || !std::ranges::equal(a[k].columns, b[k].columns)) return false;
  return true;
}

}  // namespace

TEST_CASE("A single workstation's time is that of a plain integration, step by step", "[computes][reads][direct]") {
  for (const auto& owner : {intervals("uniform", 0.5, "uniform"), intervals("two-point", 1, "constant"),
                            intervals("beta", 0.7, "exponential"), intervals("truncated-normal", 0.4, "pareto"),
                            duty_cycle_owner(3, 0.6, true), profile_of("PERIODICITY 4\n0 1\n1 0.25\n3 0\n")})
    for (const double work : {0.01, 1.0, 50.0, 3000.0}) {
      const auto results = run_batch_direct(computing(machines(1), work, owner), {0, 20});
      INFO(owner->describe() << ", " << work << " flop");
      for (const auto& r : results) {
        const double finish = naive_finish(*owner, 1, r.replication, 0, work, 1);
        CHECK(r.makespan_s == near(finish));
        CHECK(r[Quantity::owner_s][0] ==
              Approx(naive_owner_time(*owner, 1, r.replication, 0, finish)).epsilon(1e-9).margin(1e-9 * finish));
      }
    }
}

void check_widths(const Scenario& s) {
  const auto widths = AvailabilityLanes::widths_here();
  REQUIRE(widths.front() == 0);
  const auto one_by_one = with_width(s, {5, 30}, 0);
  for (const std::size_t width : widths) {
    INFO(s.size() << " workstations, registers of " << width << " bytes");
    CHECK(same_bits(with_width(s, {5, 30}, width), one_by_one));
  }
}

/// Phases on n machines of 2 flop/s; some work ends soon.
Scenario in_phases(std::size_t n, const OwnerPtr& owner) {
  Scenario s = scenario(machines(n, NetworkKind::none, 2), phases, owner);
  for (std::size_t i = 0; i < n; ++i) s.share_flop[i] = 11 + 3.0 * static_cast<double>(i);
  return s;
}

/// All kinds of owners that may stand beside one another; n of them.
std::vector<OwnerPtr> mixed_owners(std::size_t n) {
  const std::vector<OwnerPtr> kinds{dedicated_owner(),
                                    intervals("beta", 0.7, "uniform"),
                                    intervals("uniform", 0.5, "uniform"),
                                    duty_cycle_owner(3, 0.6, true),
                                    intervals("uniform", 0.3, "exponential"),
                                    intervals("beta", 0.2, "uniform"),
                                    intervals("two-point", 1, "pareto"),
                                    intervals("uniform", 0.1, "uniform")};
  std::vector<OwnerPtr> owners;
  for (std::size_t i = 0; i < n; ++i) owners.push_back(kinds[i % kinds.size()]);
  return owners;
}

TEST_CASE("Every width of register gives the same bits as one lane at a time", "[direct]") {
  for (const auto& value : {"uniform", "two-point", "constant", "truncated-normal", "beta"})
    for (const auto& length : {"uniform", "constant", "exponential", "pareto"}) {
      INFO(value << ' ' << length);
      const OwnerPtr owner = intervals(value, 0.4, length), other = intervals(value, 0.1, length);
      for (const std::size_t n : {1, 3, 8, 13}) {
        Scenario s = in_phases(n, owner);
        if (n > 3) s.owners[2] = other;  // a law of its own
        check_widths(s);
      }
      Scenario pairs = in_phases(8, antithetic_owner(owner));
      pairs.owners[3] = antithetic_owner(other);
      check_widths(pairs);
      check_widths(in_phases(8, mirrored(*owner)));
    }
}

TEST_CASE("Laws of data and formulas have the same bits in registers as one by one", "[direct]") {
  const auto law = [](const std::string& formula, double most) {
    return formula_law({formula, std::make_shared<const Formula>(formula)}, {0, most, "a value"});
  };
  const auto data = empirical({0.2, 0.9, 0.5, 0, 0.9}), lengths = empirical({1, 2, 6});
  const OwnerPtr all[] = {intervals_owner(data, make_length_law("uniform", 3, 0), "data"),
                          intervals_owner(law("1-u^3", 1), make_length_law("lognormal", 3, 2), "formula"),
                          intervals_owner(histogram({{0.1, 0.4, 1}, {0.7, 1, 2}}), lengths, "bins"),
                          intervals_owner(make_value_law("beta", 0.5, 0.4), law("-3*ln(1-u)", kInfinity), "lengths")};
  for (const OwnerPtr& owner : all) {
    INFO(owner->describe());
    for (const std::size_t n : {3, 8, 13}) check_widths(in_phases(n, owner));
    check_widths(in_phases(8, antithetic_owner(owner)));
    const auto once = run_batch_direct(computing(machines(1), 50, owner), {0, 10});
    for (const auto& r : once) CHECK(r.makespan_s == near(naive_finish(*owner, 1, r.replication, 0, 50, 1)));
  }
  Scenario mixed = in_phases(12, all[0]);
  for (std::size_t i = 0; i < 12; ++i) mixed.owners[i] = i % 5 == 4 ? intervals("beta", 0.4, "uniform") : all[i % 5];
  check_widths(mixed);
}

TEST_CASE("The width of registers that the engine takes is one of this machine's", "[direct]") {
  const lane_kernels::Kernels* fastest = lane_kernels::fastest_here();
  if (fastest == nullptr) return;
  CHECK(std::ranges::count(AvailabilityLanes::widths_here(), fastest->register_bytes) == 1);
  CHECK(lane_kernels::fastest_here() == fastest);  // measured once
}

TEST_CASE("Steep laws, and owners of all kinds beside one another, have the same bits in registers", "[direct]") {
  for (const double th : {0.02, 0.95}) {  // at mean 0.5: a narrow beta law, and one that is mostly near 0 and near 1
    INFO("TH " << th);
    check_widths(in_phases(8, intervals("beta", th, "exponential")));
    check_widths(in_phases(8, intervals("beta", th, "uniform", 0.05)));
  }
  for (const std::size_t n : {4, 8, 40}) {
    Scenario s = in_phases(n, dedicated_owner());
    s.owners = mixed_owners(n);
    check_widths(s);
  }
}

/// An owner whose path has to be asked for each step.
class StepByStep final : public UserOwner {
 public:
  explicit StepByStep(OwnerPtr owner) : owner_(std::move(owner)) {}
  std::unique_ptr<Path> path(const StreamKey& key) const override { return owner_->path(key); }
  OwnerMoments moments() const override { return owner_->moments(); }
  std::string describe() const override { return owner_->describe(); }

 private:
  OwnerPtr owner_;
};

TEST_CASE("Owners who come and go by the clock have the bits of their paths, in registers of every width", "[direct]") {
  for (const std::size_t n : {1, 8, 21}) {
    Scenario s = in_phases(n, duty_cycle_owner(3, 0.6, true));
    if (n > 1) {
      s.owners[1] = duty_cycle_owner(3, 0, true);
      s.owners[2] = duty_cycle_owner(0.25, 0.1, false);
      s.owners[3] = dedicated_owner();
      s.owners[6] = intervals("beta", 0.7, "uniform");
    }
    check_widths(s);
    Scenario asked = s;
    for (OwnerPtr& owner : asked.owners) owner = owner->is_dedicated() ? owner : user_owner(std::make_shared<StepByStep>(owner));
    CHECK(same_bits(run_batch_direct(s, {5, 30}), run_batch_direct(asked, {5, 30})));
  }
}

/// The same program, operation by operation.
Scenario one_by_one(Scenario s) {
  const auto program = s.workload;
  ProgramDescription description = program->program();
  description.supersteps = nullptr;
  s.workload = std::make_shared<const LambdaWorkload>([program](Rank& self) { return program->run(self); }, description);
  return s;
}

/// Steps on machines of 1 flop/s with links of their own.
Scenario in_steps(const Superstep& step, const OwnerPtr& owner, std::size_t n = 3, std::int64_t steps = 3) {
  Scenario s = scenario(machines(n, NetworkKind::links), {}, owner);
  s.workload = std::make_shared<const Workload>(
      ProgramDescription{.communicates = true, .supersteps = std::make_shared<RepeatedStep>(step, steps)});
  s.share_flop.assign(n, 9);
  return s;
}

TEST_CASE("Supersteps side by side are to the bit what ranks do one by one", "[direct][supersteps]") {
  for (const bool last_meets : {false, true})
    for (const bool first_meets : {false, true})
      for (const std::int64_t steps : {1, 3})
        for (const double bytes : {0.0, 700.0}) {
          if (!last_meets && steps > 1) continue;
          INFO("steps " << steps << ", bytes " << bytes << ", barriers " << first_meets << last_meets);
          const Superstep step{.own_bytes = bytes, .meets_before_moving = first_meets, .meets = last_meets,
                               .barrier_cost_s = 0.25};
          for (const std::size_t n : {1, 8, 11}) {
            Scenario s = in_steps(step, intervals("uniform", 0.5, "uniform"), n, steps);
            for (std::size_t i = 0; i < n; ++i) s.share_flop[i] = static_cast<double>(i % 5) * 7;  // some have nothing to do
            for (const auto& owners : {s.owners, mixed_owners(n), std::vector<OwnerPtr>(n, dedicated_owner())}) {
              s.owners = owners;
              CHECK(same_bits(run_batch_direct(s, {3, 70}), run_batch_direct(one_by_one(s), {3, 70})));
            }
          }
        }
}

TEST_CASE("Supersteps over links that vary take as long as on SimGrid", "[direct][supersteps]") {
  Scenario s = in_steps({.own_bytes = 900, .barrier_cost_s = 0.1}, intervals("uniform", 0.5, "uniform"), 5, 4);
  s.bandwidth.assign(5, intervals("beta", 0.6, "exponential"));
  s.bandwidth[1] = dedicated_owner();
  run(s, 20);  // compares both engines
}

TEST_CASE("A link of which nothing is left passes its bytes ever so slowly, in supersteps as rank by rank",
          "[direct][supersteps]") {
  Scenario s = in_steps({.own_bytes = 900}, dedicated_owner());
  s.bandwidth.assign(3, dedicated_owner());
  s.bandwidth[1] = profile_of("0 1\n5 0\n");
  const double makespan_s = run_batch_direct(s, {0, 1})[0].makespan_s;
  CHECK(makespan_s == near(run_batch_direct(one_by_one(s), {0, 1})[0].makespan_s));
  CHECK(makespan_s > 1e10);
}

TEST_CASE("What stops a rank in a superstep is told in the words of the rank", "[direct][supersteps][error]") {
  const auto failure = [](const Scenario& s) {
    return sentence_of<std::exception>([&] { run_batch_direct(s, {0, 2}); });
  };
  for (const auto& owner : {dedicated_owner(), intervals("uniform", 0.5, "uniform")}) {
    const Scenario s = in_steps({.own_bytes = 1e19}, owner);
    CHECK_THAT(failure(s), Contains("rank 0 on ws1 stopped at t = ") && Contains("cannot be counted"));
    CHECK(failure(s) == failure(one_by_one(s)));
  }
  const Scenario for_ever = in_steps({.barrier_cost_s = 1e308}, dedicated_owner());
  CHECK_THAT(failure(for_ever), Contains("the program cannot end"));
  CHECK(failure(for_ever) == failure(one_by_one(for_ever)));
}

TEST_CASE("A replication does not depend on those that run beside it", "[direct]") {
  Scenario s = scenario(machines(5, NetworkKind::none), phases, intervals("uniform", 0.5, "uniform"));
  s.share_flop.assign(5, 20);
  const auto all = run_batch_direct(s, {0, 40});
  for (const std::uint64_t k : {0u, 17u, 39u}) CHECK(same_bits({all[k]}, run_batch_direct(s, {k, 1})));
}

TEST_CASE("Transfers share a link from when the second begins to flow, or follow one another on it", "[direct]") {
  struct Case {
    double begins_s, first_s, second_s;
  };
  // A half alone, then half the rate; or one behind the other.
  for (const auto& [begins_s, first_s, second_s] : {Case{0.5, 0.001 + 0.5 + 2 * 0.5, 2.001}, Case{1, 1.001, 2.001}}) {
    INFO("the second begins at " << begins_s);
    std::vector<double> received_s;
    const auto talk = [&, begins_s = begins_s](Rank& self) -> Process {  // both others send to rank 0
      if (self.index() == 0) {
        for (const int from : {1, 2}) {
          co_await self.receive(from);
          received_s.push_back(self.now());
        }
      } else {
        co_await self.sleep_until(self.index() == 2 ? begins_s : 0);
        co_await self.isend(0, 1000);
      }
    };
    const Scenario s = scenario(machines(3), talk);
    CHECK(run_batch_direct(s, {0, 1})[0].makespan_s == near(second_s));
    CHECK(received_s[0] == Approx(first_s).epsilon(1e-12));
    CHECK(received_s[1] == Approx(second_s).epsilon(1e-12));
    const Agreement agreement = compare_engines(s, {0, 1});
    INFO(agreement.where);
    CHECK(agreement.kind == Agreement::Kind::agree);
  }
}

TEST_CASE("Transfers that meet late in a replication share as well, however short they are", "[direct]") {
  const auto talk = [](Rank& self) -> Process {
    co_await self.sleep_until(1e6);
    if (self.index() > 0) co_await self.isend(0, 1);  // a millisecond
    else for (const int from : {1, 2}) co_await self.receive(from);
  };
  const Scenario s = scenario(machines(3), talk);
  CHECK(run_batch_direct(s, {0, 1})[0].makespan_s - 1e6 == Approx(0.003).epsilon(1e-6));
}

TEST_CASE("A link is the one that is called so, whatever another one's directions are called", "[direct]") {
  const Folder folder;
  const auto platform = std::make_shared<const Platform>(load_platform(folder.file("p.xml", R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1f"/><host id="b" speed="1f"/><host id="c" speed="1f"/>
<link id="x" bandwidth="1kBps" latency="0" sharing_policy="FATPIPE"/>
<link id="x_UP" bandwidth="1kBps" latency="0" sharing_policy="SHARED"/>
<route src="a" dst="b"><link_ctn id="x_UP"/></route>
<route src="a" dst="c"><link_ctn id="x_UP"/></route>
</zone></platform>)")));
  const auto talk = [](Rank& self) -> Process {
    if (self.index() > 0) co_await self.receive(0);
    else for (const int to : {1, 2}) co_await self.isend(to, 1000);
  };
  CHECK(run_batch_direct(scenario(platform, talk), {0, 1})[0].makespan_s == Approx(2).epsilon(1e-12));
}

TEST_CASE("Of messages within a moment the lowest sender's is taken, but not before it is sent", "[direct]") {
  double sent_s = 0, after_s = 0, received_s = 0;
  const auto talk = [&](Rank& self) -> Process {
    if (self.index() == 2) {
      co_await self.receive_any();
      received_s = self.now();
      co_await self.receive_any();
    } else {
      co_await self.sleep_until(self.index() == 1 ? 1e6 : 1e6 + 4e-4);
      if (self.index() == 0) sent_s = self.now();
      co_await self.send(2, 0);
      if (self.index() == 0) after_s = self.now();
    }
  };
  const Scenario s = scenario(machines(3), talk);
  const auto results = run_batch_direct(s, {0, 1});
  CHECK(results[0].ties > 0);
  CHECK(sent_s <= received_s);
  CHECK(sent_s <= after_s);
}

TEST_CASE("A message that comes at a receive's deadline is a tie; one that comes before or after is none", "[direct]") {
  const auto ties = [](double sent_s) {
    const auto talk = [=](Rank& self) -> Process {
      if (self.index() == 0) {
        if (!co_await self.receive(1, 1.0)) co_await self.receive(1);
      } else {
        co_await self.sleep_until(sent_s);
        co_await self.send(0, 10);
      }
    };
    return run_batch_direct(scenario(machines(2), talk), {0, 1})[0].ties;
  };
  CHECK(ties(0.9) == 0);
  CHECK(ties(1 - 5e-10) == 1);
  CHECK(ties(1) == 1);
  CHECK(ties(1 + 5e-10) == 1);
  CHECK(ties(1.1) == 0);
}

TEST_CASE("Work too small for its time to be told from 0 takes none", "[direct]") {
  const auto program = [](Rank& self) -> Process {
    for (int k = 0; k < 3; ++k) {
      co_await self.compute(1e-315);
      co_await self.barrier(1);
    }
  };
  CHECK(run(scenario(machines(2, NetworkKind::none, 1e9), program, intervals("uniform", 0.3, "uniform")))[0].makespan_s ==
        near(3));
}

TEST_CASE("Ranks that ask for barriers of different cost are told so, on either engine", "[direct][error]") {
  const auto program = [](Rank& self) -> Process { co_await self.barrier(1 + self.index()); };
  const Scenario s = scenario(machines(2), program);
  CHECK_THROWS_WITH(run(s), Contains("others for one of 1 s: all must ask for the same"));
  CHECK_THROWS_WITH(run_batch_direct(s, {0, 1}), Contains("others for one of 1 s: all must ask for the same"));
}

TEST_CASE("An engine in which a program threw, or transfers met, computes the next batch like a new one", "[direct]") {
  const auto program = [](Rank& self) -> Process {
    co_await self.compute(self.share());
    if (self.index() == 1) throw std::runtime_error("no more");
    co_await self.barrier();
  };
  Scenario bad = computing(machines(5), 20, intervals("uniform", 0.5, "uniform")), good = bad;
  bad.workload = std::make_shared<const LambdaWorkload>(program);
  DirectEngine engine;
  const auto nothing = [](const RunResult&) {};
  CHECK_THROWS_WITH(engine.run(bad, {0, 20}, nothing), Contains("rank 1 on ws2 stopped") && Contains("no more"));
  std::vector<RunResult> results(30);
  engine.run(good, {0, 30}, [&](const RunResult& r) { results.at(r.replication) = r; });
  CHECK(same_bits(results, run_batch_direct(good, {0, 30})));
}

TEST_CASE("Messages over a switch agree on both engines where no link is shared", "[direct]") {
  const auto program = [](Rank& self) -> Process {
    co_await self.compute(self.share());
    if (self.index() == 0) co_await self.send(1, 500);
    if (self.index() == 1) co_await self.receive_any();
    co_await self.barrier();
    if (self.index() == 1) co_await self.send(2, 200);
    if (self.index() == 2) co_await self.receive_any(3.5);
  };
  Scenario s = scenario(machines(3), program, duty_cycle_owner(2, 0.4, true));
  s.share_flop = {5, 9, 13};
  CHECK_FALSE(DirectEngine::unsupported_reason(s));
  run(s, 20);  // compares both engines
}

TEST_CASE("What the direct engine cannot run is said", "[direct][error]") {
  const auto platform = with_states(*machines(2), {{1, "PERIODICITY 9\n0 1\n5 0\n"}});
  CHECK_FALSE(DirectEngine::unsupported_reason(scenario(platform, compute_share)));
  const Scenario s = scenario(platform, compute_share, regular_jobs(3, 1, Discipline::processor_sharing, 1));
  REQUIRE(DirectEngine::unsupported_reason(s));
  CHECK_THAT(*DirectEngine::unsupported_reason(s), Contains("switch off"));
  CHECK_THROWS_AS(run_batch_direct(s, {0, 1}), InputError);
  CHECK(compare_engines(s, {0, 1}).kind == Agreement::Kind::unsupported);
}

TEST_CASE("A hundred thousand workstations are a replication like any other", "[direct]") {
  const std::size_t n = 100'000;
  const auto owner = intervals("uniform", 0.5, "uniform");
  Scenario s = computing(machines(n, NetworkKind::none), 10, owner);
  const auto results = run_batch_direct(s, {3, 1});
  for (const std::size_t i : {std::size_t{0}, n / 2, n - 1})
    CHECK(results[0][Quantity::finish_s][i] == near(naive_finish(*owner, 1, 3, i, 10, 1)));
  CHECK(results[0].makespan_s ==
        *std::max_element(results[0][Quantity::finish_s].begin(), results[0][Quantity::finish_s].end()));
}
