// The parts of `nowsim trace`, one file each.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/load_formats.hpp"
#include "tools/command.hpp"

namespace nowsim {

/// Each gets the words behind `trace record` and so on, and returns the exit status.
int trace_record(const std::vector<std::string>& words, const Registries&);
int trace_fit(const std::vector<std::string>& words, const Registries&);
int trace_convert(const std::vector<std::string>& words, const Registries&);

/// The flags that say how a load trace is read: --from, --column, --measures, --gaps.
void add_load_flags(boost::program_options::options_description& description);
/// @throws UsageError.
LoadReading load_reading(const boost::program_options::variables_map& flags);

}  // namespace nowsim
