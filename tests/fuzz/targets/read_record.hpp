// What reads a batch's record, once it is unpacked.
#pragma once

#include "sim/engines/batch_record.hpp"

namespace nowsim::test {

/// Gathers all statistics of it, as of a plain scenario.
void read_record(const BatchRecord& record);

}  // namespace nowsim::test
