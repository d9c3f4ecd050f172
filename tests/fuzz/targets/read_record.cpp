// A record among statistics: with each machine's times, and without.
#include "tests/fuzz/targets/read_record.hpp"

#include "sim/metrics/point_statistics.hpp"
#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

void read_record(const BatchRecord& record) {
  if (record.workstations > kMostWithMoments) return;  // it has no columns
  const Scenario s = scenario(machines(record.workstations), compute_share);
  for (const bool times : {true, false}) {
    Gathering gathering = kGatherAll;
    gathering.times = times;
    PointStatistics statistics(s, 1, gathering);
    statistics.add(record);
    for (const BatchRecord& stepped : record.stepped) statistics.add(stepped);
  }
}

}  // namespace nowsim::test
