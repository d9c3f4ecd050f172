// Comparing number by number.
#include "sim/engine_agreement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/engine_direct.hpp"
#include "sim/engine_simgrid.hpp"
#include "sim/error.hpp"

namespace nowsim {
namespace {

struct Column {
  std::vector<double> RunResult::*values;
  const char* name;
  bool is_time;  ///< then it is measured against the makespan, too
};
constexpr std::array<Column, 8> kColumns{{{&RunResult::finish_s, "finish time", true},
                                          {&RunResult::active_s, "computing time", true},
                                          {&RunResult::owner_s, "owner's time", true},
                                          {&RunResult::work_flop, "work", false},
                                          {&RunResult::messages, "number of messages", false},
                                          {&RunResult::sent_bytes, "number of bytes", false},
                                          {&RunResult::owner_jobs, "number of owner jobs", false},
                                          {&RunResult::owner_slowdown, "owner jobs' slowdowns", false}}};

double relative(double a, double b, double scale) {
  if (a == b) return 0;
  if (!std::isfinite(a) || !std::isfinite(b)) return std::numeric_limits<double>::infinity();
  return std::abs(a - b) / std::max({std::abs(a), std::abs(b), scale});
}

/// The largest difference of one replication, and where it is.
struct Difference {
  double relative = 0;
  std::string where;
};

Difference compare(const RunResult& a, const RunResult& b) {
  Difference largest{relative(a.makespan_s, b.makespan_s, 0), "makespan"};
  for (const auto& column : kColumns)
    for (std::size_t i = 0; i < a.finish_s.size(); ++i) {
      const double d = relative((a.*column.values)[i], (b.*column.values)[i], column.is_time ? a.makespan_s : 0);
      if (d > largest.relative) largest = {d, std::string(column.name) + " of workstation " + std::to_string(i + 1)};
    }
  largest.where += " in replication " + std::to_string(a.replication);
  return largest;
}

}  // namespace

Agreement compare_engines(const Scenario& scenario, const Batch& batch) {
  Agreement agreement;
  agreement.replications = batch.count;
  if (const auto obstacle = DirectEngine::obstacle(scenario)) {
    agreement.kind = Agreement::Kind::obstacle;
    agreement.where = *obstacle;
    return agreement;
  }
  std::vector<RunResult> direct, simgrid;
  try {
    direct = run_batch_direct(scenario, batch);
    simgrid = run_batch_simgrid(scenario, batch);
  } catch (const Contended& e) {
    agreement.kind = Agreement::Kind::contended;
    agreement.where = e.what();
    return agreement;
  } catch (const RunError& e) {
    agreement.kind = Agreement::Kind::failed;
    agreement.where = e.what();
    return agreement;
  }
  for (std::size_t k = 0; k < simgrid.size(); ++k) {
    const Difference d = compare(simgrid[k], direct[k]);
    const bool is_order = d.relative > kEngineTolerance && direct[k].ties > 0;
    if (is_order) {
      ++agreement.reordered;
      agreement.largest_reordered = std::max(agreement.largest_reordered, d.relative);
    }
    if (is_order || d.relative <= agreement.largest) continue;
    agreement.largest = d.relative;
    agreement.where = d.where;
  }
  if (agreement.largest > kEngineTolerance) agreement.kind = Agreement::Kind::differ;
  else if (agreement.reordered > 0) agreement.kind = Agreement::Kind::reordered;
  return agreement;
}

void merge(Agreement& into, const Agreement& more) {
  const auto severity = [](Agreement::Kind kind) {  // a difference is the worst; contention says that nothing is known
    switch (kind) {
      case Agreement::Kind::agree: return 0;
      case Agreement::Kind::reordered: return 1;
      case Agreement::Kind::obstacle:
      case Agreement::Kind::contended: return 2;
      case Agreement::Kind::failed: return 3;
      case Agreement::Kind::differ: break;
    }
    return 4;
  };
  const bool is_worse = severity(more.kind) > severity(into.kind);
  const bool is_larger = severity(more.kind) == severity(into.kind) && more.largest > into.largest;
  if (is_worse || is_larger) into.where = more.where;
  if (is_worse) into.kind = more.kind;
  into.replications += more.replications;
  into.reordered += more.reordered;
  into.largest = std::max(into.largest, more.largest);
  into.largest_reordered = std::max(into.largest_reordered, more.largest_reordered);
}

const char* agreement_name(Agreement::Kind kind) {
  constexpr std::array<const char*, 6> kNames{"agree", "reordered", "differ", "contended", "obstacle", "failed"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace nowsim
