// Costs of this machine: measured where they are needed, kept, and found again.
#include "experiments/driver/sweeps/cost_measurement.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "experiments/driver/running/cost_cache.hpp"
#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

/// An empty cache of the user's, for a while.
class EmptyCache {
 public:
  EmptyCache() {
    if (const char* now = std::getenv("XDG_CACHE_HOME")) before_ = now;
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  ~EmptyCache() {
    if (before_) setenv("XDG_CACHE_HOME", before_->c_str(), 1);
    else unsetenv("XDG_CACHE_HOME");
  }

 private:
  Folder folder_;
  std::optional<std::string> before_;
};

const Registries& known_words() {
  static const Registries registries({}, builtin_checks(), builtin_figures());
  return registries;
}

}  // namespace

TEST_CASE("Costs that are needed are measured once, and others are as shipped", "[reads][costs]") {
  const EmptyCache cache;
  WorkCounts work{};
  work[Cost::table] = 1;
  const CostTable first = machine_costs(work, known_words());
  CHECK(first[Cost::table] > 1e-5);
  CHECK(first[Cost::message] == shipped_costs()[Cost::message]);
  const std::string key = machine_key();
  CHECK(read_costs(cost_file(key), key).at("table") == first[Cost::table]);
  CHECK(machine_costs(work, known_words())[Cost::table] == first[Cost::table]);
}

TEST_CASE("What the cache says is believed, until it is to be measured again", "[costs]") {
  const EmptyCache cache;
  const std::string key = machine_key();
  write_costs(cost_file(key), key, {{"replication", 7e-6}});
  WorkCounts work{};
  work[Cost::replication] = 1;
  CHECK(machine_costs(work, known_words())[Cost::replication] == 7e-6);
  CHECK(machine_costs(work, known_words(), true)[Cost::replication] < 1e-6);
}
