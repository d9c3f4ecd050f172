// Running a split, and keeping what searches and estimates need of it.
#include "sim/splitting/pilot.hpp"

#include <algorithm>

#include "sim/engines/simgrid/engine.hpp"

namespace nowsim {
namespace {

/// SimGrid's results of about so many ranks are held at a time.
constexpr std::uint64_t kRanks = 400'000;

/// T_i: behind a barrier all finish at once, but for rounding, and computing times alone tell who was late.
const std::vector<double>& own_times(const RunResult& result) {
  const auto [least, most] = std::ranges::minmax(result[Quantity::finish_s]);
  return result[most - least > 1e-9 * most ? Quantity::finish_s : Quantity::active_s];
}

}  // namespace

const PilotRun& Pilot::run(std::span<const double> share_flop, const Batch& replications, bool with_times) {
  scenario_.share_flop.assign(share_flop.begin(), share_flop.end());
  run_.makespan_s.assign(replications.count, 0);
  run_.last.assign(replications.count, 0);
  run_.times_s.assign(with_times ? replications.count * scenario_.size() : 0, 0);
  ++runs_;
  if (engine_ == Engine::direct)
    direct_.run(scenario_, replications, [&](const RunResult& result) { record(result, replications.first); });
  else
    run_simgrid(replications);
  return run_;
}

void Pilot::run_simgrid(const Batch& replications) {
  const std::uint64_t end = replications.first + replications.count;
  const std::uint64_t most = std::max<std::uint64_t>(1, kRanks / scenario_.size());
  for (std::uint64_t first = replications.first; first < end; first += most)
    for (const RunResult& result : run_batch_simgrid(scenario_, {first, std::min(most, end - first)}))
      record(result, replications.first);
}

void Pilot::record(const RunResult& result, std::uint64_t first) {
  const std::uint64_t k = result.replication - first;
  run_.makespan_s[k] = result.makespan_s;
  const auto& times = own_times(result);
  const auto first_time = times.begin() + static_cast<std::ptrdiff_t>(first_worker(scenario_));
  run_.last[k] = static_cast<std::uint32_t>(std::max_element(first_time, times.end()) - times.begin());
  if (!run_.times_s.empty())
    std::ranges::copy(times, run_.times_s.begin() + static_cast<std::ptrdiff_t>(k * times.size()));
}

}  // namespace nowsim
