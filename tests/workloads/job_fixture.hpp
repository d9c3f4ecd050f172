// Shipped workloads made from a map of parameters, on small platforms, for tests.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/driver/reading/reader.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/statistics/random.hpp"
#include "tests/sim/scenario_fixture.hpp"
#include "workloads/built_in.hpp"

namespace nowsim::test {

/// What stands at keys, from maps, in SI; chunks of half of what remains where a formula says how large they are.
class FixedParameters final : public KeyReader {
 public:
  explicit FixedParameters(std::map<std::string, double> values,
                           std::map<std::string, std::string> texts = {{"chunk", "ceil(R/(2*P))"}}, KeyTable keys = {})
      : values_(std::move(values)), texts_(std::move(texts)), keys_(std::move(keys)) {}
  std::vector<std::string> list = {};     ///< at the key of texts
  std::vector<double> numbers = {1, 2};   ///< of a file
  std::set<std::string> asked = {};

  const Key& row(const std::string& name) const override { return *std::ranges::find(keys_, name, &Key::name); }
  std::optional<double> usual(const Key& key) const override { return fallback_of(key); }
  bool has(const std::string& name) override { return values_.contains(name) || texts_.contains(name); }
  double number_at(const Key& key, const Bounds&, std::optional<double> fallback) override {
    asked.insert(key.name);
    const auto it = values_.find(key.name);
    return it != values_.end() ? it->second : fallback.value();
  }
  std::int64_t whole_at(const Key& key, const Bounds& bounds, std::optional<double> fallback) override {
    return static_cast<std::int64_t>(number_at(key, bounds, fallback));
  }
  /// By its position or itself.
  std::size_t word_at(const Key& key) override {
    asked.insert(key.name);
    if (const auto it = values_.find(key.name); it != values_.end()) return static_cast<std::size_t>(it->second);
    if (!texts_.contains(key.name)) return usual_word(key).value();
    const auto word = std::ranges::find(key.words, texts_.at(key.name));
    REQUIRE(word != key.words.end());
    return static_cast<std::size_t>(word - key.words.begin());
  }
  WrittenFormula formula_at(const Key& key) override {
    return {text(key.name), std::make_shared<const Formula>(text(key.name))};
  }
  std::vector<double> values(const std::string& name) override { return {values_.at(name)}; }
  std::string text(const std::string& name) override { return texts_.at(*asked.insert(name).first); }
  std::vector<std::string> texts(const std::string& name) override { return asked.insert(name), list; }
  std::string path(const std::string& name) override { return text(name); }
  std::vector<double> numbers_of_file(const std::string& name) override { return asked.insert(name), numbers; }
  Place place(const std::string&) override { return {}; }
  void problem(const std::string&, const std::string& sentence) override { throw InputError(sentence); }

 private:
  std::map<std::string, double> values_;
  std::map<std::string, std::string> texts_;
  KeyTable keys_;
};

/// A workload of these.
inline std::shared_ptr<const Workload> made(const std::string& name, FixedParameters read,
                                            const WorkloadRegistry& workloads = builtin_workloads()) {
  return make_workload(*workloads.find(name), read).workload;
}

/// A shipped workload, split in equal parts.
inline Scenario job(const std::string& name, std::map<std::string, double> parameters,
                    std::shared_ptr<const Platform> platform) {
  Scenario s = scenario(std::move(platform), {});
  s.workload = made(name, FixedParameters(std::move(parameters)));
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

}  // namespace nowsim::test
