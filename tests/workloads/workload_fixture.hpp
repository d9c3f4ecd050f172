// Shipped workloads for tests: made by name from parameters in a map.
#pragma once

#include <catch2/catch.hpp>
#include <map>

#include "tests/sim/scenario_fixture.hpp"
#include "workloads/registry.hpp"

namespace nowsim::test {

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

/// A workload by name on a platform, its work shared equally, owners dedicated.
inline Scenario job(const std::string& name, std::map<std::string, double> parameters,
                    std::shared_ptr<const Platform> platform) {
  FixedParameters read(std::move(parameters));
  Scenario s = scenario(std::move(platform), {});
  s.workload = builtin_workloads().find(name)->make(read);
  s.share_flop.assign(s.size(), s.workload->work_flop() / static_cast<double>(s.size()));
  return s;
}

inline Approx near(double expected) { return Approx(expected).epsilon(1e-9); }

}  // namespace nowsim::test
