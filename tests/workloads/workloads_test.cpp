// The shipped workloads: parameters, and times derived by hand.
#include <catch2/catch.hpp>
#include <map>

#include "tests/sim/scenario_fixture.hpp"
#include "workloads/registry.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// Parameters from a map, in SI.
class FixedParameters final : public ParameterReader {
 public:
  explicit FixedParameters(std::map<std::string, double> values) : values_(std::move(values)) {}
  double work(const std::string& n, std::optional<double> f) override { return get(n, f); }
  double bytes(const std::string& n, std::optional<double> f) override { return get(n, f); }
  double time(const std::string& n, std::optional<double> f) override { return get(n, f); }
  std::int64_t count(const std::string& n, std::optional<std::int64_t> f, std::int64_t) override {
    return static_cast<std::int64_t>(get(n, f ? std::optional<double>(static_cast<double>(*f)) : std::nullopt));
  }
  std::size_t choice(const std::string& n, const std::vector<std::string>&, std::optional<std::size_t> f) override {
    return static_cast<std::size_t>(get(n, f ? std::optional<double>(static_cast<double>(*f)) : std::nullopt));
  }

 private:
  double get(const std::string& name, std::optional<double> fallback) {
    const auto it = values_.find(name);
    return it != values_.end() ? it->second : fallback.value();
  }
  std::map<std::string, double> values_;
};

Scenario job(const std::string& name, std::map<std::string, double> parameters, std::shared_ptr<const Platform> platform) {
  FixedParameters read(std::move(parameters));
  Scenario s = scenario(std::move(platform), {});
  s.workload = builtin_workloads().find(name)->make(read);
  s.share_flop.assign(s.size(), s.workload->work_flop() / static_cast<double>(s.size()));
  return s;
}

Approx near(double expected) { return Approx(expected).epsilon(1e-9); }

}  // namespace

TEST_CASE("The base task ends when the slowest share does", "[workloads]") {
  Scenario s = job("base-task", {{"work", 90}}, machines(3));
  s.owners[1] = profile_of("0 0.5\n");
  const auto r = run(s)[0];
  CHECK(r.makespan_s == near(60));
  CHECK(r.finish_s[0] == near(30));
}

TEST_CASE("The augmented task waits for the slowest in every phase", "[workloads]") {
  // Two phases of 10 flop each per rank. Rank 0 gets 0.5 during the first 20 s, rank 1 after 20 s: 20 s each phase.
  Scenario s = job("augmented-task", {{"work", 40}, {"phases", 2}}, machines(2));
  s.owners[0] = profile_of("0 0.5\n20 1\n");
  s.owners[1] = profile_of("0 1\n20 0.5\n");
  CHECK(run(s)[0].makespan_s == near(40));
  // Without synchronisation each would need 30 s.
  Scenario base = job("base-task", {{"work", 40}}, machines(2));
  base.owners = s.owners;
  CHECK(run(base)[0].makespan_s == near(30));
}

TEST_CASE("Synchronising before communicating as well costs another barrier", "[workloads]") {
  const auto time = [](double both) {
    return run(job("augmented-task", {{"work", 20}, {"phases", 5}, {"synchronise", both}, {"barrier_cost", 0.5}},
                   machines(2)))[0].makespan_s;
  };
  CHECK(time(0) == near(10 + 5 * 0.5));
  CHECK(time(1) == near(10 + 5 * 2 * 0.5));
}

TEST_CASE("The augmented task moves its bytes in every phase, over each workstation's own link", "[workloads]") {
  // Two phases: 10 s, 0.5 ms, and 2000 B at 1000 B/s, or at 500 B/s on the other link.
  const auto time = [](double both) {
    Scenario s = job("augmented-task", {{"work", 40}, {"phases", 2}, {"bytes", 2000}, {"synchronise", both}},
                     machines(2, NetworkKind::links));
    s.owners[0] = profile_of("0 0.8\n");  // 12.5 s
    s.bandwidth = {dedicated_owner(), profile_of("0 0.5\n")};
    return run(s)[0].makespan_s;
  };
  CHECK(time(0) == near(2 * std::max(12.5 + 2.0005, 10 + 4.0005)));
  CHECK(time(1) == near(2 * (12.5 + 4.0005)));
  CHECK_THROWS_WITH(run(job("augmented-task", {{"work", 40}, {"phases", 2}, {"bytes", 1}}, machines(2, NetworkKind::none))),
                    Catch::Contains("need a network"));
}

TEST_CASE("Ping-pong takes two messages per round and peer", "[workloads]") {
  const auto r = run(job("ping-pong", {{"rounds", 3}, {"bytes", 500}}, machines(3)))[0];
  CHECK(r.makespan_s == near(3 * 2 * 2 * 0.501));
  CHECK(r.messages == std::vector<double>{6, 3, 3});
  CHECK(builtin_workloads().find("ping-pong") != nullptr);
}

TEST_CASE("All-to-all shares each machine's own link, or the one bus", "[workloads]") {
  const std::map<std::string, double> parameters{{"rounds", 1}, {"bytes", 1000}};
  CHECK(run(job("all-to-all", parameters, machines(4)))[0].makespan_s == near(1e-3 + 3));
  CHECK(run(job("all-to-all", parameters, machines(4, NetworkKind::bus)))[0].makespan_s == near(1e-3 + 12));
}

TEST_CASE("Scaling work and speed together changes nothing for any workload", "[workloads][property]") {
  for (const char* name : {"base-task", "augmented-task"}) {
    const OwnerPtr owner = intervals_owner(make_value_law("uniform", 0.5, 0.5), make_length_law("uniform", 5, 3), "test");
    Scenario small = job(name, {{"work", 100}, {"phases", 4}}, machines(2, NetworkKind::none, 1));
    Scenario large = job(name, {{"work", 1e11}, {"phases", 4}}, machines(2, NetworkKind::none, 1e9));
    small.owners.assign(2, owner);
    large.owners.assign(2, owner);
    const auto a = run(small, 10), b = run(large, 10);
    for (std::size_t k = 0; k < a.size(); ++k) CHECK(a[k].makespan_s == near(b[k].makespan_s));
  }
}

TEST_CASE("Names in a registry are unique", "[workloads]") {
  WorkloadRegistry registry = builtin_workloads();
  CHECK(registry.find("no-such") == nullptr);
  CHECK_THROWS_AS(registry.add(*registry.find("base-task")), std::invalid_argument);
}
