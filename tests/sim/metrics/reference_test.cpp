// Random programs, owners, machine failures and link profiles against references that know nothing of the engine.
#include <catch2/catch.hpp>
#include <algorithm>
#include <cmath>

#include "sim/owners/profile.hpp"
#include "tests/sim/run_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

constexpr double kLatency = 1e-3, kBandwidth = 1000;  // of machines()

/// When work begun at `begin` is done, along a path that began at 0.
double finish_along(Path& path, double begin, double work) {
  for (double t = 0;;) {
    const Step step = path.next();
    const double end = t + step.duration_s, from = std::max(t, begin);
    if (end > from) {
      if (step.value * (end - from) >= work) return from + work / step.value;
      work -= step.value * (end - from);
    }
    t = end;
  }
}

std::vector<OwnerPtr> some_owners() {
  return {
      dedicated_owner(),
      intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("uniform", 2, 3), "uniform"),
      intervals_owner(make_value_law("two-point", 0.5, 1), make_length_law("exponential", 1, 3), "two-point"),
      duty_cycle_owner(3, 0.3, true),
      duty_cycle_owner(2, 0.5, false),
      profile_of("PERIODICITY 4\n0 1\n1 0.25\n3 0\n"),
      profile_of("STOCHASTIC LOOP\nEXP 1 UNIF 0 1\n"),
      profile_of("6 0.5\n"),
  };
}

/// A random program's numbers, the same for program and reference: a draw per rank and step.
struct Plan {
  explicit Plan(std::uint64_t number) {
    Stream stream({number, 0, 0, Purpose::workload});
    ranks = 2 + static_cast<int>(4 * stream.uniform());
    steps = 1 + static_cast<int>(5 * stream.uniform());
    const auto all = some_owners();
    for (int r = 0; r < ranks; ++r) {
      owners.push_back(all[static_cast<std::size_t>(static_cast<double>(all.size()) * stream.uniform())]);
      for (int k = 0; k < steps; ++k) {
        const double u = stream.uniform();
        work.push_back(u < 0.2 ? 0 : 10 * u);
        bytes.push_back(std::floor(2000 * stream.uniform()));
      }
    }
  }
  [[nodiscard]] double work_of(int rank, int step) const { return work[static_cast<std::size_t>(rank * steps + step)]; }
  [[nodiscard]] double bytes_of(int rank, int step) const { return bytes[static_cast<std::size_t>(rank * steps + step)]; }
  [[nodiscard]] double computed(std::uint64_t replication, int rank, int step, double begin) const {
    const auto i = static_cast<std::size_t>(rank);
    const double amount = work_of(rank, step);
    return amount > 0 ? finish_along(*owners[i]->path({1, replication, i}), begin, amount) : begin;
  }
  [[nodiscard]] Scenario scenario_of(Program program) const {
    Scenario s = scenario(machines(static_cast<std::size_t>(ranks)), std::move(program));
    s.owners = owners;
    return s;
  }

  int ranks, steps;
  std::vector<OwnerPtr> owners;
  std::vector<double> work, bytes;
};

/// Runs each of these plans' program and compares every rank's finish time in every replication.
template <class PlanProgram, class Reference>
void compare(std::uint64_t first, std::uint64_t plans, const PlanProgram& program, const Reference& reference) {
  for (std::uint64_t number = first; number < first + plans; ++number) {
    const Plan plan(number);
    INFO("plan " << number);
    for (const auto& r : run(plan.scenario_of([&](Rank& self) { return program(plan, self); }), 12)) {
      const std::vector<double> expected = reference(plan, r.replication);
      for (std::size_t i = 0; i < expected.size(); ++i) CHECK(r[Quantity::finish_s][i] == near(expected[i]));
    }
  }
}

}  // namespace

TEST_CASE("Computing and barriers agree with a reference for random works and owners", "[computes][reference]") {
  const auto program = [](const Plan& plan, Rank& self) -> Process {
    for (int k = 0; k < plan.steps; ++k) {
      co_await self.compute(plan.work_of(self.index(), k));
      co_await self.barrier(0.25);
    }
  };
  compare(0, 12, program, [](const Plan& plan, std::uint64_t replication) {
    double t = 0;
    for (int k = 0; k < plan.steps; ++k) {
      double latest = t;
      for (int r = 0; r < plan.ranks; ++r) latest = std::max(latest, plan.computed(replication, r, k, t));
      t = latest + 0.25;
    }
    return std::vector<double>(static_cast<std::size_t>(plan.ranks), t);
  });
}

TEST_CASE("A pipeline of rendezvous agrees with a reference for random works, sizes and owners", "[reference]") {
  const auto program = [](const Plan& plan, Rank& self) -> Process {
    for (int k = 0; k < plan.steps; ++k) {
      if (self.index() > 0) co_await self.receive(self.index() - 1);
      co_await self.compute(plan.work_of(self.index(), k));
      if (self.index() + 1 < self.count()) co_await self.send(self.index() + 1, plan.bytes_of(self.index(), k));
    }
  };
  // No two transfers share a link: a rank's sending and receiving follow one another, and directions are separate.
  compare(100, 12, program, [](const Plan& plan, std::uint64_t replication) {
    std::vector<double> t(static_cast<std::size_t>(plan.ranks), 0.0);
    for (int k = 0; k < plan.steps; ++k)
      for (int r = 0; r < plan.ranks; ++r) {
        const auto i = static_cast<std::size_t>(r);
        if (r > 0) t[i] = t[i - 1] = std::max(t[i], t[i - 1]) + kLatency + plan.bytes_of(r - 1, k) / kBandwidth;
        t[i] = plan.computed(replication, r, k, t[i]);
      }
    return t;
  });
}

TEST_CASE("A pipeline of buffered messages agrees with a reference", "[reference]") {
  const auto program = [](const Plan& plan, Rank& self) -> Process {
    for (int k = 0; k < plan.steps; ++k) {
      if (self.index() > 0) co_await self.receive(self.index() - 1);
      co_await self.compute(plan.work_of(self.index(), k));
      if (self.index() + 1 < self.count()) co_await self.isend(self.index() + 1, 0);  // no bytes: no shared link
    }
  };
  compare(200, 8, program, [](const Plan& plan, std::uint64_t replication) {
    std::vector<double> sent(static_cast<std::size_t>(plan.steps), 0.0), t;
    for (int r = 0; r < plan.ranks; ++r) {
      double now = 0;
      for (int k = 0; k < plan.steps; ++k) {
        const auto step = static_cast<std::size_t>(k);
        if (r > 0) now = std::max(now, sent[step] + kLatency);
        sent[step] = now = plan.computed(replication, r, k, now);
      }
      t.push_back(now);
    }
    return t;
  });
}

TEST_CASE("A job on machines that fail at random takes the first spell of up-time that is long enough", "[reference][state]") {
  const auto state = std::make_shared<const Profile>(
      parse_profile("STOCHASTIC LOOP\nEXP 0.2 DET 0\nEXP 1 DET 1\n", "test", ProfileQuantity::state));
  const OwnerPtr owner = intervals_owner(make_value_law("uniform", 0.6, 0.3), make_length_law("uniform", 2, 3), "test");
  Platform platform = *machines(3);
  for (auto& w : platform.workstations) w.extras.edit().state_profile = state;
  const Scenario s = computing(std::make_shared<const Platform>(platform), 4, owner);
  int restarted = 0;
  for (const auto& r : run(s, 40, 3))
    for (std::uint64_t i = 0; i < 3; ++i) {
      const auto spells = profile_path(state, ProfileQuantity::state, 1, 0, {1, r.replication, i, Purpose::state});
      double t = 0, expected = HUGE_VAL;
      for (double finish = HUGE_VAL; finish == HUGE_VAL;) {
        const Step spell = spells->next();
        if (spell.value > 0) expected = finish_along(*owner->path({1, r.replication, i}), t, 4);
        t += spell.duration_s;
        if (spell.value > 0 && expected <= t) finish = expected;
        else ++restarted;
      }
      CHECK(r[Quantity::finish_s][i] == near(expected));
    }
  CHECK(restarted > 100);  // so that the test has something to show
}

TEST_CASE("A message over a link of random bandwidth follows the link's path", "[reference][link]") {
  const auto profile = std::make_shared<const Profile>(
      parse_profile("STOCHASTIC LOOP\nEXP 2 UNIF 0 1000\nUNIF 0 1 DET 250\n", "test", ProfileQuantity::bandwidth));
  GeneratedPlatform d{{"a", "b"}, {1, 1}, 1, NetworkKind::links, 1000, 0};
  Platform platform = generate_platform(d);
  platform.link_profiles.push_back({"b_link", ProfileQuantity::bandwidth, profile});
  const Scenario s = scenario(std::make_shared<const Platform>(platform), [](Rank& self) -> Process {
    if (self.index() == 0) {
      co_await self.compute(1.5);
      co_await self.send(1, 3000);
    } else {
      co_await self.receive(0);
    }
  });
  for (const auto& r : run(s, 40)) {
    const StreamKey key{1, r.replication, kAllWorkstations - 1, Purpose::bandwidth};  // the first link profile's stream
    const auto path = profile_path(profile, ProfileQuantity::bandwidth, 1000, kLeastAvailability * 1000, key);
    CHECK(r.makespan_s == near(finish_along(*path, 1.5, 3000)));
  }
}

TEST_CASE("Programs whose time their shares do not tell may take any time", "[reference]") {
  for (const double t : {1e-6, 1.0, 1e6, 1e12}) {
    const auto program = [t](Rank& self) -> Process {
      co_await self.sleep_until(t);
      if (self.index() == 0) co_await self.send(1, kBandwidth * t);
      else co_await self.receive(0);
      co_await self.compute(0.9137 * t);
    };
    Scenario s = scenario(machines(2), program);
    s.owners[1] = duty_cycle_owner(0.01 * t, 0.5, true);
    for (const auto& r : run(s, 10)) {
      const double begin = t + kLatency + std::round(kBandwidth * t) / kBandwidth;  // whole bytes
      CHECK(r[Quantity::finish_s][0] == near(begin + 0.9137 * t));
      CHECK(r[Quantity::finish_s][1] ==
            near(finish_along(*s.owners[1]->path({1, r.replication, 1}), begin, 0.9137 * t)));
    }
  }
}
