// Costs that were measured on this machine, in a file of the user's cache: what is not there is measured again.
#pragma once

#include <map>
#include <string>

namespace nowsim {

/// Seconds by the name of a row.
using MeasuredCosts = std::map<std::string, double>;

/// What costs depend on: the program's version, the machine's processor, the width of its registers.
std::string machine_key();
/// Where costs of such a machine are kept: in $XDG_CACHE_HOME/nowsim, or ~/.cache/nowsim; "" where there is neither.
std::string cost_file(const std::string& key);
/// What the file has; nothing where it is missing, damaged, or of another machine.
MeasuredCosts read_costs(const std::string& file, const std::string& key);
/// Writes it as a whole. That it cannot is no error: the costs are then measured the next time too.
void write_costs(const std::string& file, const std::string& key, const MeasuredCosts& costs);

}  // namespace nowsim
