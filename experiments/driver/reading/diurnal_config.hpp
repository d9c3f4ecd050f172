// The block `diurnal:` within an owner's block: a pattern by hour over its model.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/reading/reader.hpp"
#include "sim/owners/diurnal.hpp"

namespace nowsim {

/// The pattern, or nothing where the block is not there and after a problem, which is noted; its keys are those of
/// owner_patterns(). @param remark what is worth saying of it, or left as it is.
std::optional<DiurnalPattern> read_diurnal(Reader& read_block, std::string& remark);

}  // namespace nowsim
