// Shipped workloads made from a map of parameters, on small platforms, for tests.
#pragma once

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "sim/engines/direct/engine.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "workloads/built_in.hpp"

namespace nowsim::test {

/// Parameters from maps, in SI; chunks of half of what remains where a formula says how large they are.
class FixedParameters final : public ParameterReader {
 public:
  explicit FixedParameters(std::map<std::string, double> values,
                           std::map<std::string, std::string> formulas = {{"chunk", "ceil(R/(2*P))"}})
      : values_(std::move(values)), formulas_(std::move(formulas)) {}
  double work(const std::string& n, std::optional<double> f) override { return get(n, f); }
  double bytes(const std::string& n, std::optional<double> f) override { return get(n, f); }
  double time(const std::string& n, std::optional<double> f) override { return get(n, f); }
  std::int64_t count(const std::string& n, std::optional<std::int64_t> f, std::int64_t) override {
    return static_cast<std::int64_t>(get(n, f ? std::optional<double>(static_cast<double>(*f)) : std::nullopt));
  }
  std::size_t choice(const std::string& n, const std::vector<std::string>&, std::optional<std::size_t> f) override {
    return static_cast<std::size_t>(get(n, f ? std::optional<double>(static_cast<double>(*f)) : std::nullopt));
  }
  double number(const std::string& n, std::optional<double> f, double, double) override { return get(n, f); }
  std::vector<double> numbers_of_file(const std::string& n) override { return {values_.at(n)}; }
  WrittenFormula formula(const std::string& n, const std::vector<std::string>&, bool must_be_given) override {
    const auto it = formulas_.find(n);
    if (it == formulas_.end() && !must_be_given) return {};
    return {formulas_.at(n), std::make_shared<const Formula>(formulas_.at(n))};
  }

 private:
  double get(const std::string& name, std::optional<double> fallback) {
    const auto it = values_.find(name);
    return it != values_.end() ? it->second : fallback.value();
  }
  std::map<std::string, double> values_;
  std::map<std::string, std::string> formulas_;
};

/// A shipped workload, split in equal parts.
inline Scenario job(const std::string& name, std::map<std::string, double> parameters,
                    std::shared_ptr<const Platform> platform) {
  FixedParameters read(std::move(parameters));
  Scenario s = scenario(std::move(platform), {});
  s.workload = builtin_workloads().find(name)->make(read);
  s.share_flop.assign(s.size(), s.workload->program().work_flop / static_cast<double>(s.size()));
  return s;
}

/// The same with shares in these proportions.
inline Scenario job(const std::string& name, std::map<std::string, double> parameters,
                    std::shared_ptr<const Platform> platform, const std::vector<double>& proportions) {
  Scenario s = job(name, std::move(parameters), std::move(platform));
  const double sum = std::accumulate(proportions.begin(), proportions.end(), 0.0);
  for (std::size_t i = 0; i < s.size(); ++i) s.share_flop[i] *= proportions[i] / sum * static_cast<double>(s.size());
  return s;
}

inline Approx near(double expected) { return Approx(expected).epsilon(1e-9); }

/// The same machines with these memories; none: not given.
inline std::shared_ptr<const Platform> with_memory(Platform platform,
                                                   const std::vector<std::optional<double>>& memory_bytes) {
  for (std::size_t i = 0; i < memory_bytes.size(); ++i)
    platform.workstations.at(i).extras.edit().memory_bytes = memory_bytes[i];
  return std::make_shared<const Platform>(std::move(platform));
}

/// A replication that both engines run, and on which they agree: no two messages meet.
inline RunResult run_on_both(const Scenario& s) {
  CHECK_NOTHROW(run_batch_direct(s, {0, 1}));
  return run(s)[0];
}

inline double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// 1, 2, .. p flop/s.
inline std::vector<double> rising_speeds(std::size_t p) {
  std::vector<double> speeds_flops(p);
  std::iota(speeds_flops.begin(), speeds_flops.end(), 1.0);
  return speeds_flops;
}

/// Splits that are equal, rising, with idle ranks among them, and with all the work on the last of p >= 2 ranks.
inline std::vector<std::vector<double>> splits_among(std::size_t p) {
  std::vector<std::vector<double>> splits(4, std::vector<double>(p, 1));
  for (std::size_t i = 0; i < p; ++i) {
    splits[1][i] = static_cast<double>(i + 1);
    splits[2][i] = i % 2 == 0 ? 0 : 1 / static_cast<double>(i);
    splits[3][i] = i + 1 == p ? 1 : 0;
  }
  return splits;
}

/// Equal and unequal shares, and ranks without any, the first among them.
inline const std::vector<std::vector<double>> kShares{
    {1, 1}, {3, 1, 2}, {0, 1, 1}, {5, 0, 1, 1}, {0.1, 0.2, 0.3, 0.4, 10}, {1, 1, 1, 1, 1, 1, 1, 1}, {2, 0}};

/// 20 times: shares of 2 to 6 ranks, each uniform on (0, 1), and the stream to draw the rest from (seed 1).
inline void with_random_shares(const std::function<void(const std::vector<double>& shares, Stream& random)>& check) {
  Stream random = Stream::Family(1, 0).stream(0, Purpose::workload);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> shares(2 + static_cast<std::size_t>(random.uniform() * 5));
    for (auto& share : shares) share = random.uniform();
    check(shares, random);
  }
}

}  // namespace nowsim::test
