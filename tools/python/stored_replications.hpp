// Replications out of a store, as columns.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "experiments/driver/running/batch_store.hpp"
#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// A quantity of replications: a value each, or one per workstation, a replication's side by side.
struct ReplicationColumn {
  std::string name;  ///< as in write_replications(): T, effective, a total's; of workstations' values NAME_i
  std::size_t workstations = 0;  ///< 0: a value each
  std::shared_ptr<const std::vector<double>> values;
};

/// All that is recorded of the replications behind a complete row's estimates. @throws what BatchStore::load() throws.
std::vector<ReplicationColumn> stored_replications(BatchStore& store, const ResultRow& row);

}  // namespace nowsim
