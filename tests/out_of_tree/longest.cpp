// A metric of one's own: the longest replication, which is what it is, so that its interval has no width.
#include "additions.hpp"

#include <algorithm>

nowsim::Metric longest() {
  return {.name = "T_longest",
          .unit = "s",
          .summary = "the longest replication's T",
          .estimate = [](const nowsim::MetricContext&, const nowsim::PointStatistics& s) -> nowsim::Estimates {
            return {nowsim::exactly(*std::ranges::max_element(s.makespans_s))};
          },
          .gathers = {.makespans = true},
          .better = nowsim::Better::lower};
}
