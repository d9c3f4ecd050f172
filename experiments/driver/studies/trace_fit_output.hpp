// Fits of traces as a table for people, and as CSV and JSON.
#pragma once

#include <iosfwd>
#include <vector>

#include "experiments/driver/points/fitted_owner.hpp"
#include "experiments/driver/running/result_table.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// A row per trace; below a table what a reader should know: gaps, laws that cannot hold a TH, traces that are short
/// beside their memory or too coarse for it, and day patterns.
void write_trace_fits(const std::vector<FittedHost>& hosts, Format format, double confidence, std::ostream& out);

}  // namespace nowsim
