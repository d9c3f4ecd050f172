// Comparing number by number.
#include "sim/engines/engine_agreement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "sim/base/error.hpp"
#include "sim/base/infinity.hpp"
#include "sim/base/text.hpp"
#include "sim/engines/direct/engine.hpp"
#include "sim/engines/simgrid/engine.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {
namespace {

/// What SimGrid by itself makes of a platform that both engines here do otherwise; "" of most.
std::string capped_by_simgrid(const Platform& platform) {
  const auto link = link_whose_bandwidth_rises(platform);
  return link ? "the bandwidth of link " + quoted(*link) +
                    " rises by a profile: SimGrid itself would keep a flow under way to the bandwidth of its start"
              : "";
}

double relative(double a, double b, double scale) {
  if (a == b) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return kInfinity;
  return std::abs(a - b) / std::max({std::abs(a), std::abs(b), scale});
}

/// A difference, and where it is: the largest of those that are added.
struct Difference {
  double relative = 0;
  std::string where;
  void add(double difference, const std::string& at) {
    if (difference > relative) *this = {difference, at};
  }
};

std::string of_workstation(const std::string& what, std::size_t i) {
  return what + " of workstation " + std::to_string(i + 1);
}

/// Over those quantities that are times, or those that are not.
void add_columns(bool are_times, const RunResult& a, const RunResult& b, Difference& largest) {
  for (const Quantity q : kAllQuantities)
    if (const QuantityKind& kind = quantity_kind(q); kind.is_time() == are_times)
      for (std::size_t i = 0; i < a[q].size(); ++i)
        largest.add(relative(a[q][i], b[q][i], are_times ? a.makespan_s : 0), of_workstation(kind.name, i));
}

Difference times_apart(const RunResult& a, const RunResult& b) {
  Difference largest;
  largest.add(relative(a.makespan_s, b.makespan_s, 0), "makespan");
  add_columns(true, a, b, largest);
  return largest;
}

Difference apart(const RunResult& a, const RunResult& b) {
  Difference largest = times_apart(a, b);
  add_columns(false, a, b, largest);
  return largest;
}

/// What no order of simultaneous events explains: see compare_results().
Difference apart_in_any_order(const Scenario& scenario, const RunResult& a, const RunResult& b) {
  if (times_apart(a, b).relative <= kEngineTolerance) return apart(a, b);
  Difference largest;
  if (relative(a.makespan_s, b.makespan_s, 0) <= kEngineTolerance)
    for (std::size_t i = 0; i < scenario.size(); ++i)
      if (scenario.owners[i]->jobs() == nullptr)
        largest.add(relative(a[Quantity::owner_s][i], b[Quantity::owner_s][i], a.makespan_s),
                    of_workstation(quantity_kind(Quantity::owner_s).name, i));
  if (scenario.workload->program().ends_with_first_rank) return largest;
  const auto add_sum = [&](Quantity q, const char* what) {
    const auto sum = [&](const std::vector<double>& of) {
      return std::accumulate(of.begin() + static_cast<std::ptrdiff_t>(first_worker(scenario)), of.end(), 0.0);
    };
    largest.add(relative(sum(a[q]), sum(b[q]), 0), what);
  };
  add_sum(Quantity::work_flop, "work of all workers");
  if (first_worker(scenario) > 0) return largest;
  add_sum(Quantity::messages, "number of all messages");
  add_sum(Quantity::sent_bytes, "number of all bytes");
  return largest;
}

/// By how much of the makespan a result cannot be.
Difference impossible(const Scenario& scenario, const RunResult& r, const std::string& engine) {
  Difference largest;
  const auto at_most = [&](double less_s, double more_s, const char* what, std::size_t i) {
    if (less_s > more_s) largest.add((less_s - more_s) / r.makespan_s, of_workstation(what, i) + " on " + engine);
  };
  std::vector<int> ranks_on(scenario.size());
  for (const int machine : rank_machines(scenario)) ++ranks_on[index_of(machine)];
  for (std::size_t i = 0; i < scenario.size(); ++i) {
    const Workstation& host = scenario.platform->workstations[i];
    const double effective_s = r[Quantity::work_flop][i] / host.speed_flops;
    at_most(r[Quantity::finish_s][i], r.makespan_s, "finish time beyond the makespan", i);
    if (ranks_on[i] > 1) {  // the ranks' times add up
      at_most(effective_s, host.cores * r[Quantity::finish_s][i], "work beyond what its cores can do", i);
      continue;
    }
    const double active_s = r[Quantity::active_s][i], finish_s = r[Quantity::finish_s][i];
    at_most(effective_s, active_s, "work beyond the computing time", i);
    at_most(active_s, effective_s + r[Quantity::owner_s][i], "computing time beyond work and owner's time", i);
    at_most(active_s, finish_s, "computing time beyond the finish time", i);
  }
  return largest;
}

/// Of the batch's longest replication: what takes a smaller part of it than this feels the precision of its clock.
constexpr double kFarShorter = 0.1;

/// Runs by themselves what differs and is far shorter than others; returns how many.
std::uint64_t run_short_ones_alone(const Scenario& scenario, std::span<RunResult> simgrid,
                                   std::span<const RunResult> direct) {
  double longest_s = 0;
  for (const RunResult& result : simgrid) longest_s = std::max(longest_s, result.makespan_s);
  std::uint64_t alone = 0;
  for (std::size_t k = 0; k < simgrid.size(); ++k) {
    const double own_s = direct[k].makespan_s;
    if (own_s >= kFarShorter * longest_s || apart(simgrid[k], direct[k]).relative <= kEngineTolerance) continue;
    simgrid[k] = run_batch_simgrid(scenario, {simgrid[k].replication, 1}, own_s).front();
    ++alone;
  }
  return alone;
}

}  // namespace

Agreement compare_results(const Scenario& scenario, std::span<const RunResult> simgrid,
                          std::span<const RunResult> direct) {
  Agreement agreement;
  agreement.replications = simgrid.size();
  for (std::size_t k = 0; k < simgrid.size(); ++k) {
    const auto note = [&](const Difference& d) {
      if (d.relative <= agreement.largest) return;
      agreement.largest = d.relative;
      agreement.where = d.where + " in replication " + std::to_string(simgrid[k].replication);
    };
    const Difference d = apart(simgrid[k], direct[k]);
    const bool is_order = d.relative > kEngineTolerance && direct[k].ties > 0;
    note(is_order ? apart_in_any_order(scenario, simgrid[k], direct[k]) : d);
    for (const auto& [result, engine] : {std::pair(&simgrid[k], "simgrid"), std::pair(&direct[k], "direct")})
      if (const Difference i = impossible(scenario, *result, engine); i.relative > kEngineTolerance) note(i);
    if (!is_order) continue;
    ++agreement.reordered;
    agreement.largest_reordered = std::max(agreement.largest_reordered, d.relative);
  }
  if (agreement.largest > kEngineTolerance)
    agreement.kind = Agreement::Kind::differ;
  else if (agreement.reordered > 0)
    agreement.kind = Agreement::Kind::reordered;
  return agreement;
}

Agreement compare_engines(const Scenario& scenario, const Batch& batch) {
  using enum Agreement::Kind;
  const std::string apart_from_simgrid = capped_by_simgrid(*scenario.platform);
  const auto none = [&](Agreement::Kind kind, const std::string& why) {
    return Agreement{.kind = kind, .replications = batch.count, .where = why, .apart_from_simgrid = apart_from_simgrid};
  };
  if (const auto reason = DirectEngine::unsupported_reason(scenario)) return none(unsupported, *reason);
  try {
    const auto direct = run_batch_direct(scenario, batch);
    auto simgrid = run_batch_simgrid(scenario, batch);
    const std::uint64_t alone = run_short_ones_alone(scenario, simgrid, direct);
    Agreement compared = compare_results(scenario, simgrid, direct);
    compared.alone = alone;
    compared.apart_from_simgrid = apart_from_simgrid;
    return compared;
  } catch (const RunError& e) {
    return none(failed, e.what());
  }
}

void merge(Agreement& into, const Agreement& more) {
  if (more.kind > into.kind || (more.kind == into.kind && more.largest > into.largest)) into.where = more.where;
  into.kind = std::max(into.kind, more.kind);
  into.replications += more.replications;
  into.reordered += more.reordered;
  into.alone += more.alone;
  if (into.apart_from_simgrid.empty()) into.apart_from_simgrid = more.apart_from_simgrid;
  into.largest = std::max(into.largest, more.largest);
  into.largest_reordered = std::max(into.largest_reordered, more.largest_reordered);
}

const char* agreement_name(Agreement::Kind kind) {
  constexpr std::array<const char*, 5> kNames{"agree", "reordered", "obstacle", "failed", "differ"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace nowsim
