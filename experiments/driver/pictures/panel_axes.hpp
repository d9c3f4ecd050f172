// gnuplot's commands for a panel's axes and what stands above it.
#pragma once

#include <string>

#include "experiments/driver/pictures/axes.hpp"
#include "experiments/driver/pictures/resolved_figure.hpp"
#include "experiments/driver/pictures/script.hpp"

namespace nowsim {

/// Name, scale, range and tics of an axis, "x" or "y"; `label` is the variable with its name, the others are what
/// gnuplot is told besides of name and tics. Where a room along it is given [pixels], there are no more tics than it
/// has room for.
void write_axis(Script& script, const std::string& axis, const ResolvedAxis& about, const std::string& label,
                const std::string& label_options = "", const std::string& tic_options = "", double room = 0);
/// "('a' 1, 'b' 2)", in enhanced mode or not.
std::string tic_list(const std::vector<AxisTic>& tics, bool is_enhanced);
/// "autofreq", or the step with which numbers on an axis of a panel's values do not touch.
std::string value_step(const ResolvedPanel& panel, double room);
/// The range of a panel's values: its own, gnuplot's choice, or where there is none any, and words that say so. `room`
/// as for an axis.
void write_value_range(Script& script, const ResolvedPanel& panel, double room = 0);

/// The number formats of a page's axes: each keeps its own until another panel wants the other.
class AxisFormats {
 public:
  /// Numbers, or powers of ten alone.
  void write(Script& script, const std::string& axis, bool powers) {
    bool& now = axis == "x" ? x_ : y_;
    if (powers != now) script.line("set format " + axis + (powers ? " '10^{%T}'" : " '%g'"));
    now = powers;
  }

 private:
  bool x_ = false, y_ = false;
};

}  // namespace nowsim
