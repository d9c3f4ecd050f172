// The table of metrics, joined, and looking up in it.
#include "sim/metrics/metrics.hpp"

#include <algorithm>

#include "sim/metrics/bazterra_metrics.hpp"
#include "sim/metrics/bosque_metrics.hpp"
#include "sim/metrics/huang_lee_metrics.hpp"
#include "sim/metrics/theory_metrics.hpp"
#include "sim/metrics/time_share_metrics.hpp"
#include "sim/metrics/zhang_yan_metrics.hpp"

namespace nowsim {
namespace {

std::vector<Metric> joined() {
  std::vector<Metric> all;
  for (const auto& part :
       {huang_lee_metrics(), time_share_metrics(), theory_metrics(), zhang_yan_metrics(), bazterra_metrics(),
        bosque_metrics()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::span<const Metric> metrics() {
  static const std::vector<Metric> all = joined();
  return all;
}

const Metric* find_metric(const std::string& name) {
  const auto found = std::ranges::find(metrics(), name, &Metric::name);
  return found == metrics().end() ? nullptr : &*found;
}

}  // namespace nowsim
