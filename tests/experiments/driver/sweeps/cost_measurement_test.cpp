// Costs of this machine: the shipped ones, all by one factor.
#include "experiments/driver/sweeps/cost_measurement.hpp"

#include <catch2/catch.hpp>

#include "tests/experiments/driver/experiment_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

TEST_CASE("Costs here are the shipped ones by one factor", "[reads][costs]") {
  const Registries registries({}, builtin_checks(), builtin_figures());
  const CostTable costs = machine_costs(registries);
  const double factor = costs[Cost::interval] / shipped_costs()[Cost::interval];
  CHECK(factor > 0.01);
  CHECK(factor < 1000);
  for (std::size_t k = 0; k < kCosts; ++k) CHECK(costs.at(k) == Approx(factor * shipped_costs().at(k)));
}
