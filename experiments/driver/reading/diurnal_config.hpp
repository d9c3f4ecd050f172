// The block `diurnal:` within an owner's block: a pattern by hour over its model.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/reading/reader.hpp"
#include "sim/owners/diurnal.hpp"

namespace nowsim {

/// The pattern, or nothing where the block is not there and after a problem, which is noted. Keys below `diurnal`:
/// `hours`, 24 mean availabilities from midnight or 168 from midnight before Monday; or `weekdays` (24), with
/// `saturday` and `sunday` (24 each; as on weekdays by default); and `start`: `random` (default), a time of day
/// ("18:00"), with its day for a pattern by week ("Mon 18:00"), or the time since the pattern's beginning (18h). @param
/// model the name of the model that it is laid over, which cannot be `jobs`.
std::optional<DiurnalPattern> read_diurnal(Reader& read, const std::string& model);

/// All of a pattern, exactly.
std::string diurnal_text(const DiurnalPattern& pattern);

}  // namespace nowsim
