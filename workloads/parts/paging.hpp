// What computing costs where a task's data do not fit the machine's memory: waiting for pages.
#pragma once

#include "sim/base/keys.hpp"
#include "sim/program/process.hpp"
#include "sim/program/rank.hpp"
#include "sim/program/workload.hpp"

namespace nowsim {

/// A task of footprint F on a machine of memory M < F waits page_wait·(1 - M/F) per operation for pages, whatever the
/// machine's speed and owner: the part of its data that is not in memory, times what a miss costs. ZY 4.3: a product of
/// matrices of order 1500 (27 MB) takes 17 hours on 16 MB machines, be they fast or slow, and 30 minutes where it fits.
/// (Of the 17 hours a tenth is said to be computing; at the 30 minutes' rate it is 2 to 5 %.)
struct Paging {
  double page_wait_s = 0;  ///< per operation none of whose data are in memory [s/flop]; 0: no paging

  /// Time spent waiting [s] while computing `flop` on data of `footprint_bytes`; 0 where the platform gives no memory.
  [[nodiscard]] double wait_s(const Workstation& host, double flop, double footprint_bytes) const;
};
/// What its time is read from.
inline Key page_wait_key() { return {"page_wait", KeyType::time, "0s", "of an operation none of whose data are in memory"}; }

/// Computes `flop`, then waits for the pages that it took.
Process compute_in_memory(Rank& self, double flop, double footprint_bytes, Paging paging);
/// What speedups are measured against: a parallel program on one machine, without messages. Computes the share of a rank
/// that is alone, and waits for pages as long as the program says that the whole job does there (paging_alone_s):
/// however much of the share is operations that only splitting costs (split_work_flop), the data are the job's.
Process compute_alone(Rank& self, const ProgramDescription& program);

}  // namespace nowsim
