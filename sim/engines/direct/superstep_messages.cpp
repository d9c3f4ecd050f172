// Adding messages up by roots, and refusing steps that cannot be.
#include "sim/engines/direct/superstep_messages.hpp"

#include <stdexcept>
#include <string>

#include "sim/engines/ranks/operation_checks.hpp"

namespace nowsim {

void check_step(const Superstep& step, std::size_t ranks) {
  if (step.root < 0 || static_cast<std::size_t>(step.root) >= ranks || step.work_flop.size() != ranks)
    throw std::invalid_argument("a superstep of " + std::to_string(step.work_flop.size()) + " ranks names " +
                                rank_text(step.root) + " as its root: there are ranks 0 to " +
                                std::to_string(ranks - 1));
  check_bytes(step.root, step.bytes, "send");
}

std::vector<double> speeds_flops(const Scenario& scenario) {
  std::vector<double> speeds;
  for (const auto& workstation : scenario.platform->workstations) speeds.push_back(workstation.speed_flops);
  return speeds;
}

void Posted::add(const Superstep& step) {
  steps_[static_cast<std::size_t>(step.root)] += 1;
  bytes_[static_cast<std::size_t>(step.root)] += whole_bytes(step.bytes);
}

void Posted::write(SuperstepOutcome& outcome) const {
  const std::size_t n = parts_.size();
  outcome.messages.assign(n, 0.0);
  outcome.sent_bytes.assign(n, 0.0);
  for (std::size_t root = 0; root < n; ++root)
    for (std::size_t r = 0; steps_[root] > 0 && r < n; ++r) {
      const auto sends = static_cast<double>(parts_[r].sends);
      outcome.messages[(root + r) % n] += sends * steps_[root];
      outcome.sent_bytes[(root + r) % n] += sends * bytes_[root];
    }
}

}  // namespace nowsim
