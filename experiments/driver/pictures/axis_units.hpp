// In which unit an axis tells its times: seconds, or where they are long minutes, hours or days, or as a figure asks.
#pragma once

#include <string>

#include "experiments/driver/pictures/label.hpp"
#include "experiments/driver/text/duration_text.hpp"
#include "experiments/driver/text/told_times.hpp"

namespace nowsim {

struct Figure;
struct ResolvedFigure;
struct ResultTable;

/// Whether an axis shows times by its label, "time [s]".
bool tells_seconds(const Label& label);

/// The unit of an axis of times: the one that the figure asks for; else the fitting one, where the label says "[s]" and
/// so can say another; else seconds.
ColumnUnit axis_unit(const std::string& asked, const Label& label, const ColumnUnit& fitting);

/// A label with the unit in place of its "[s]", or behind it where it tells none: "time" in hours is "time [h]".
Label in_unit(Label label, const ColumnUnit& unit);
/// The same of a label as it is written.
std::string in_unit(std::string label, const ColumnUnit& unit);

/// Turns the panels' axes of metrics, and what lies along them, into the units that suit them, alike where panels show
/// the same metric; what is not in seconds stays. Levels that are called by their numbers are called by those.
void tell_times(const Figure& figure, const ResultTable& summary, ResolvedFigure& out);

}  // namespace nowsim
