// Replications one by one, out of a store, as CSV for others' tools.
#pragma once

#include <functional>
#include <iosfwd>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// Writes a row per replication behind the estimates of those rows of a summary that are complete, in their order; the
/// rows' `stored_scenario` says where they are. Columns: the axes, `replication` (from 0), `seed`, the makespan `T`, the
/// sums over the workstations `effective` and those of quantity_kind(), and where a point has values of its
/// workstations each quantity's, NAME_1 to NAME_m, as workstations are numbered elsewhere; `engine`, `version` of the
/// program, and `variance_reduction` where some row has one. What a point has not is blank. Never more than a batch is
/// in memory. @throws Interrupted once `interrupted` says so; what BatchStore::load() throws.
void write_replications(BatchStore& store, const ResultTable& summary, std::ostream& out,
                        const std::function<bool()>& interrupted = nullptr);

/// Reads the makespans of complete rows (ResultRow::makespans_s).
void read_makespans(BatchStore& store, ResultTable& summary);

/// The batches that hold the first so many replications of a scenario, in their order; the last may hold more. Of two
/// that begin alike the one that was simulated for so many. One that is not there is named, so that loading it says so.
std::vector<Batch> batches_of_first(const StoredScenario& scenario, std::uint64_t replications);

}  // namespace nowsim
