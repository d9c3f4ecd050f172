// Comparisons written: as tables and sentences for people, as CSV or as JSON.
#pragma once

#include <iosfwd>

#include "experiments/driver/studies/contrast_report.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// The table is for people: a metric after the other. CSV: a row per metric, cell and value, estimates with _low and
/// _high; behind them the points that are compared nowhere, with their reasons. JSON: all of it, nested.
void write_contrasts(const ContrastReport& report, Format format, std::ostream& out);

}  // namespace nowsim
