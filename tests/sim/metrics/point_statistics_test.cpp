// What a batch's record needs for statistics: the columns that are left out have no part in them.
#include "sim/metrics/point_statistics.hpp"

#include <catch2/catch.hpp>
#include <cstring>

#include "sim/engines/engine.hpp"
#include "sim/owners/owner_models.hpp"
#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

namespace {

bool is_same(const Moments& a, const Moments& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

Scenario varied(std::size_t n, const VarianceReduction& how) {
  Scenario s = computing(machines(n, NetworkKind::none), 100,
                         intervals_owner(make_value_law("uniform", 0.5, 0.3), make_length_law("uniform", 10, 3), "u"));
  s.workload = std::make_shared<const LambdaWorkload>(compute_share, 100 * static_cast<double>(n));
  reduce_variance(s, how);
  return s;
}

}  // namespace

TEST_CASE("Statistics of a record with the columns that they need are those of a whole record",
          "[computes][point_statistics]") {
  for (const std::size_t n : {1, 3, 40})
    for (const VarianceReduction* how : {&kNoVarianceReduction, &kVarianceReductions[1], &kVarianceReductions[3]}) {
      const Scenario s = varied(n, *how);
      for (int which = 0; which < 16; ++which) {
        const Gathering gathering{(which & 1) != 0, (which & 2) != 0, (which & 4) != 0, (which & 8) != 0};
        CAPTURE(n, how->name, which);
        PointStatistics whole(s, 210, gathering), needed(s, 210, gathering);
        for (const Batch& batch : {Batch{0, 20}, Batch{20, 20}}) {
          whole.add(statistics_of(BatchRunner().run(Engine::direct, s, batch), s, 210, gathering));
          needed.add(statistics_of(BatchRunner().run(Engine::direct, s, batch, gathering), s, 210, gathering));
        }
        CHECK(is_same(whole.makespan_s, needed.makespan_s));
        for (const Share share : {kDedication, kOwnerShare, kOverheadShare}) {
          CHECK(is_same(whole.shares[share], needed.shares[share]));
          CHECK(whole.shares[share].count() == (gathering.shares ? 40 : 0));
        }
        CHECK(whole.late == needed.late);
        CHECK(whole.makespans_s == needed.makespans_s);
        REQUIRE(whole.finish_s.size() == needed.finish_s.size());
        for (std::size_t i = 0; i < whole.finish_s.size(); ++i) CHECK(is_same(whole.finish_s[i], needed.finish_s[i]));
        CHECK(whole.times.sums().count() == needed.times.sums().count());
        if (gathering.times)
          for (std::size_t k = 0; k < TimeBreakdown::kSums; ++k) {
            const double a = whole.times.sums().mean(k), b = needed.times.sums().mean(k);
            CHECK(std::memcmp(&a, &b, sizeof a) == 0);
          }
      }
    }
}

TEST_CASE("A record without what statistics do not need is small", "[point_statistics]") {
  const Scenario s = varied(3, kNoVarianceReduction);
  BatchRunner batches;
  const BatchRecord& record = batches.run(Engine::direct, s, {0, 5}, Gathering{});
  CHECK(record.makespan_s.size() == 5);
  CHECK(record.effective_s.empty());
  for (const Quantity q : kAllQuantities) {
    CHECK(record.totals[q].empty());
    CHECK(record.of(q).values.empty());
    CHECK(record.of(q).moments.empty());
  }
}
