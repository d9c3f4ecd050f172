// Adding messages up by roots, and refusing steps that cannot be.
#include "sim/engines/direct/superstep_messages.hpp"

#include <stdexcept>
#include <string>

#include "sim/engines/ranks/operation_checks.hpp"

namespace nowsim {

void check_step(const Superstep& step, std::size_t ranks, bool broadcasts) {
  const bool has_root = step.root != Superstep::kNobody;
  if (step.work_flop.size() != ranks)
    throw std::logic_error("a superstep of " + std::to_string(step.work_flop.size()) + " ranks in a program of " +
                           std::to_string(ranks));
  if (ranks > 1 && (has_root != broadcasts || (broadcasts && !step.meets)))
    throw std::logic_error("supersteps have a root each, and a barrier, where the program broadcasts, else no root");
  if (has_root && (step.root < 0 || index_of(step.root) >= ranks))
    throw std::invalid_argument("a superstep names " + rank_text(step.root) + " as its root: there are ranks 0 to " +
                                std::to_string(ranks - 1));
  check_bytes(step.root, step.bytes, "send");
  for (std::size_t i = 0; i < ranks; ++i) check_amount(static_cast<int>(i), step.work_of(i), "compute");
  check_bytes(0, step.own_bytes, "transfer");
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

void Posted::clear() {
  steps_.assign(parts_.size(), 0.0);
  bytes_.assign(parts_.size(), 0.0);
}

void Posted::write(std::vector<double>& messages, std::vector<double>& sent_bytes) const {
  const std::size_t n = parts_.size();
  messages.assign(n, 0.0);
  sent_bytes.assign(n, 0.0);
  for (std::size_t root = 0; root < n; ++root)
    for (std::size_t r = 0; steps_[root] > 0 && r < n; ++r) {
      const auto sends = static_cast<double>(parts_[r].sends);
      messages[(root + r) % n] += sends * steps_[root];
      sent_bytes[(root + r) % n] += sends * bytes_[root];
    }
}

Rounds::Rounds(const UniformNetwork& network, const std::vector<BroadcastPart>& parts) : network_(network) {
  int most = 0;
  for (const auto& part : parts) most = std::max(most, rounds_and_sends(part));
  dates_s_.resize(static_cast<std::size_t>(most) + 1);
}

void Rounds::begin(double begin_s, double bytes) {
  const double on_way_s = whole_bytes(bytes) / network_.bandwidth_Bps;
  dates_s_[0] = begin_s;
  for (std::size_t k = 1; k < dates_s_.size(); ++k) dates_s_[k] = (dates_s_[k - 1] + network_.latency_s) + on_way_s;
}

StepMessages::StepMessages(const UniformNetwork& network, const std::vector<BroadcastPart>& parts)
    : rounds(network, parts),
      waits(parts, [](const BroadcastPart& p) { return static_cast<std::uint32_t>(rounds_and_sends(p)); }),
      posted(parts) {}

}  // namespace nowsim
