// Running a split, and keeping what searches and estimates need of it.
#include "sim/splitting/pilot.hpp"

#include <algorithm>

#include "sim/engines/simgrid/engine.hpp"

namespace nowsim {
namespace {

/// Finish times of about so many ranks are held at a time, to be reduced in the order of replications.
constexpr std::uint64_t kValues = 400'000;

/// Calls `run` for pieces of the replications, each small enough for its finish times to be held.
void in_pieces(const Batch& replications, std::size_t workstations, const auto& run) {
  const std::uint64_t end = replications.first + replications.count;
  const std::uint64_t most = std::max<std::uint64_t>(1, kValues / workstations);
  for (std::uint64_t first = replications.first; first < end; first += most)
    run(Batch{first, std::min(most, end - first)});
}

void add_in_order(std::vector<Moments>& to, const std::vector<double>& values) {
  for (std::size_t k = 0; k < values.size(); ++k) to[k % to.size()].add(values[k]);
}

/// T_i: behind a barrier all finish at once, but for rounding, and computing times alone tell who was late.
const std::vector<double>& own_times(const RunResult& result) {
  const auto [least, most] = std::ranges::minmax(result[Quantity::finish_s]);
  return result[most - least > 1e-9 * most ? Quantity::finish_s : Quantity::active_s];
}

}  // namespace

const PilotRun& Pilot::run(std::span<const double> share_flop, const Batch& replications, bool with_finish_times) {
  scenario_.share_flop.assign(share_flop.begin(), share_flop.end());
  run_.makespan_s.assign(replications.count, 0);
  run_.last.assign(replications.count, 0);
  ++runs_;
  if (engine_ == Engine::direct) run_direct(replications, with_finish_times);
  else run_simgrid(replications, with_finish_times);
  return run_;
}

void Pilot::run_direct(const Batch& replications, bool with_finish_times) {
  const std::size_t n = scenario_.size();
  run_.finish_s.assign(with_finish_times ? n : 0, {});
  in_pieces(replications, n, [&](const Batch& piece) {
    finish_s_.resize(with_finish_times ? piece.count * n : 0);
    direct_.run(scenario_, piece, [&](const RunResult& result) {
      record(result, replications.first);
      const auto at = static_cast<std::ptrdiff_t>((result.replication - piece.first) * n);
      if (with_finish_times) std::ranges::copy(own_times(result), finish_s_.begin() + at);
    });
    if (with_finish_times) add_in_order(run_.finish_s, finish_s_);
  });
}

void Pilot::run_simgrid(const Batch& replications, bool with_finish_times) {
  run_.finish_s.assign(with_finish_times ? scenario_.size() : 0, {});
  in_pieces(replications, scenario_.size(), [&](const Batch& piece) {
    for (const RunResult& result : run_batch_simgrid(scenario_, piece)) {
      record(result, replications.first);
      if (with_finish_times) add_in_order(run_.finish_s, own_times(result));
    }
  });
}

void Pilot::record(const RunResult& result, std::uint64_t first) {
  const std::uint64_t k = result.replication - first;
  run_.makespan_s[k] = result.makespan_s;
  const auto& times = own_times(result);
  const auto first_time = times.begin() + static_cast<std::ptrdiff_t>(first_worker(scenario_));
  run_.last[k] = static_cast<std::uint32_t>(std::max_element(first_time, times.end()) - times.begin());
}

}  // namespace nowsim
