// The parts of `nowsim trace`, one file each.
#pragma once

#include "experiments/driver/reading/load_formats.hpp"
#include "tools/line/common_flags.hpp"

namespace nowsim {

Command trace_record();
Command trace_fit();
Command trace_convert();
Command trace_speed();
Command trace_mpi();

/// The flags that say how a load trace is read: --from, --column, --measures, --columns, --interval, --invalid,
/// --unpacked, --gaps.
void add_load_flags(Flags& flags);
/// @throws UsageError.
LoadReading load_reading(const Arguments& arguments);

}  // namespace nowsim
