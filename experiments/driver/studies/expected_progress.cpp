// Simulated beginnings, machine by machine.
#include "experiments/driver/studies/expected_progress.hpp"

#include <algorithm>
#include <numeric>

#include "sim/program/computing_time.hpp"

namespace nowsim {
namespace {

constexpr std::uint64_t kBeginnings = 1000;

ExpectedShare share_of(std::vector<double> done_flop, double part_flop) {
  std::ranges::sort(done_flop);
  const auto at = [&](double q) {
    return done_flop[static_cast<std::size_t>(q * static_cast<double>(done_flop.size() - 1))] / part_flop;
  };
  const double sum = std::accumulate(done_flop.begin(), done_flop.end(), 0.0);
  constexpr double kTail = 0.05;
  return {at(kTail), sum / static_cast<double>(done_flop.size()) / part_flop, at(1 - kTail), at(0), at(1)};
}

}  // namespace

std::optional<ExpectedProgress> expected_progress(const Scenario& planned, const JobProgress& progress) {
  const ProgramDescription& program = planned.workload->program();
  if (program.phases != 1 || program.communicates) return std::nullopt;
  ExpectedProgress out{kBeginnings, {}, std::vector<std::optional<ExpectedShare>>(planned.size())};
  std::vector<double> whole_flop(kBeginnings, 0.0);
  bool is_whole = true;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    const double part = progress.machines[i].part_flop, speed = planned.platform->workstations[i].speed_flops;
    if (part == 0) continue;
    if (planned.owners[i]->jobs() != nullptr) {
      is_whole = false;
      continue;
    }
    std::vector<double> done_flop = available_time(planned, i, progress.elapsed_s, {0, kBeginnings});
    for (std::size_t k = 0; k < done_flop.size(); ++k) {
      done_flop[k] = std::min(part, speed * done_flop[k]);
      whole_flop[k] += done_flop[k];
    }
    out.machines[i] = share_of(std::move(done_flop), part);
  }
  if (is_whole) out.whole = share_of(std::move(whole_flop), progress.part_flop());
  return out;
}

}  // namespace nowsim
