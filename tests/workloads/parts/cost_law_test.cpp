// Laws of costs by name: their means, spreads and limits.
#include <catch2/catch.hpp>

#include "sim/base/error.hpp"
#include "tests/workloads/job_fixture.hpp"
#include "workloads/parts/cost_law.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

DistributionPtr law(double which, double cv, double mean = 8) {
  FixedParameters read({{"law", which}, {"cv", cv}}, {}, {cost_law_key(), cv_key()});
  return read_cost_law(read, "cost", mean);
}

}  // namespace

TEST_CASE("Laws of costs have the mean and the coefficient of variation that they are given", "[reads][cost_law]") {
  for (const double cv : {0.0, 0.1, 0.3, 0.57}) {
    for (const double which : {0, 1, 2, 3}) CHECK(law(which, cv)->mean() == Approx(8));
    for (const double which : {1, 2}) CHECK(law(which, cv)->variance() == Approx(8 * cv * 8 * cv).margin(1e-12));
    for (const double which : {0, 1, 2, 3}) CHECK(law(which, cv)->lower() >= 0);
    CHECK(law(0, cv)->variance() == 0);
    CHECK(law(3, cv)->variance() == Approx(64));
  }
}

TEST_CASE("A law of costs that cannot be is refused", "[cost_law][error]") {
  CHECK_THROWS_AS(law(0, 0.3, 0), InputError);
  CHECK_THROWS_AS(law(1, 0.58), InfeasibleError);
  CHECK(law(1, 0.57735026919)->lower() == 0);  // 1/sqrt(3) as it is printed
  CHECK_THROWS_AS(law(2, 1), InfeasibleError);
}
