// The server first.
#include "sim/metrics/worker_estimates.hpp"

namespace nowsim {

std::vector<Estimate> behind_server(const Scenario& scenario, double of_server, const std::vector<Estimate>& workers) {
  std::vector<Estimate> out(first_worker(scenario), exactly(of_server));
  out.insert(out.end(), workers.begin(), workers.end());
  return out;
}

}  // namespace nowsim
