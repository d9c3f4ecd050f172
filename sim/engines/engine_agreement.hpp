// Whether the two engines give the same results for the same replications.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/program/scenario.hpp"

namespace nowsim {

/// How far two engines' results are apart that should differ by rounding alone: of the larger number, or for times of
/// the makespan.
inline constexpr double kEngineTolerance = 1e-9;

/// What comparing a scenario's replications on both engines gave.
struct Agreement {
  /// The worst last.
  enum class Kind {
    agree,        ///< every number of every replication, within the tolerance
    reordered,    ///< those replications that differ had simultaneous events, whose order the engines chose differently
    unsupported,  ///< the direct engine cannot run it at all
    failed,       ///< the program cannot end, or throws
    differ,       ///< others too, or in what no order can change
  };
  Kind kind = Kind::agree;
  std::uint64_t replications = 0;
  std::uint64_t reordered = 0;   ///< replications that differ in the order of simultaneous events
  double largest_reordered = 0;  ///< relative difference of these
  double largest = 0;            ///< relative difference of the others, and of what no order changes
  std::uint64_t alone = 0;       ///< replications that were compared on a clock of their own: see compare_engines()
  std::string where;             ///< of that: "finish time of workstation 3 in replication 7"; or why there is none
  std::string apart_from_simgrid = {};  ///< where SimGrid by itself would give another answer than both; "" where not

  template <class All>
  void fields(All& all) {
    all(kind, replications, reordered, largest_reordered, largest, alone, where, apart_from_simgrid);
  }
};

/// Compares the results of the same replications, number by number. Where a replication has ties, the other order of
/// simultaneous events may have decided who does what, and when: then times may differ, and single workstations' work,
/// messages and bytes. But no order
/// - leaves all times as they are while something else differs;
/// - changes the time of an owner who does not feel the task, while T is the same;
/// - changes what all workers compute together, but where the job ends with its first rank: a program that goes on
///   without what comes too late has it done again;
/// - changes how many messages and bytes there are, but with such a program, or with a server: it may hand out the more
///   at a time the earlier it is asked.
/// Nor is any result right, with ties or without, in which a workstation's T_eff = work/speed is more than the time it
/// computed, that more than T_i, or that more than T; or in which it computed longer than T_eff and its owner's time.
Agreement compare_results(const Scenario& scenario, std::span<const RunResult> simgrid,
                          std::span<const RunResult> direct);

/// Runs replications of a scenario on both engines, and compares makespans and all results of each workstation.
/// Replications of a batch follow one another on SimGrid's clock, whose precision is that of the longest so far: about
/// 1e-13 of it, at each event (simgrid/replication.cpp). To one that is far shorter that may be more than the tolerance. So what
/// differs, and takes less than a tenth of the longest, is run once more by itself, from 0 and with the precision of
/// its own time, and has to agree so.
Agreement compare_engines(const Scenario& scenario, const Batch& batch);

/// Adds another batch's.
void merge(Agreement& into, const Agreement& more);

/// "agree", "reordered", ...
const char* agreement_name(Agreement::Kind kind);

}  // namespace nowsim
