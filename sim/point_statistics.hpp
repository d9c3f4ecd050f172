// What the replications of a point leave behind for its metrics, gathered batch by batch, where a batch was computed.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/batch_record.hpp"
#include "sim/scenario.hpp"
#include "sim/statistics.hpp"

namespace nowsim {

/// What is gathered besides the makespans: it costs more than they do, and few metrics read it.
struct Gathering {
  bool finish = false;  ///< each workstation's finish times
  bool shares = false;  ///< shares of the machines' time

  Gathering& operator|=(const Gathering& o) {
    finish |= o.finish;
    shares |= o.shares;
    return *this;
  }
};
inline constexpr Gathering kGatherAll{true, true};

/// A batch's contribution to its point's statistics.
struct BatchStatistics {
  Moments makespan_s;
  Moments dedication, owner_share, overhead_share;  ///< as in PointStatistics; empty where not gathered
  std::vector<Moments> finish_s;                    ///< one per workstation; none where not gathered or not kept
  std::vector<double> owner_jobs, owner_slowdown;   ///< of each replication, as in the record
  std::uint64_t late = 0;
};

/// Gathers from a batch; the deadline [s] is what late runs are late by.
BatchStatistics statistics_of(const BatchRecord& batch, double deadline_s, const Gathering& gathering);

/// The replications of one point, in memory that does not grow with their number.
class PointStatistics {
 public:
  explicit PointStatistics(const Scenario& scenario, double deadline_s, const Gathering& gathering = kGatherAll);
  /// Adds a batch; to be called in the order of replications, since sums depend on it.
  void add(const BatchStatistics& batch);
  void add(const BatchRecord& batch) { add(statistics_of(batch, deadline_s_, gathering_)); }

  Moments makespan_s;
  std::vector<Moments> finish_s;     ///< T_i per workstation; empty moments beyond kMostWithMoments workstations
  Moments dedication;                ///< P_deg of each run: sum of effective times / T
  Moments owner_share;               ///< mean owner time / T
  Moments overhead_share;            ///< mean (T - owner - effective) / T
  Moments owner_jobs;                ///< owner jobs completed in each run, and the sum of their slowdowns
  Moments owner_slowdown;
  std::uint64_t late = 0;            ///< replications with T > deadline

 private:
  double deadline_s_;
  Gathering gathering_;
};

}  // namespace nowsim
