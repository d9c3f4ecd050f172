// Why estimates have no intervals: what `± ?` means, where a table has it.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/running/result_table.hpp"

namespace nowsim {

/// Whether there is a value of which it is not known how sure it is.
bool lacks_interval(const Estimate& estimate);

/// Whether a row's estimates lack intervals since it has one replication, or one pair of replications.
bool is_single(const ResultRow& row);

/// Why others lack them, a sentence each: "± ?: on more than 32 workstations T_i has no intervals".
std::vector<std::string> unknown_interval_reasons(const ResultTable& summary);

}  // namespace nowsim
