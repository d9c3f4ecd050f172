// The block `diurnal:` within an owner's block: a pattern by hour over its model.
#pragma once

#include <optional>
#include <string>

#include "experiments/driver/reading/reader.hpp"
#include "sim/owners/diurnal.hpp"

namespace nowsim {

/// The pattern, or nothing where the block is not there and after a problem, which is noted; its keys are those of
/// owner_patterns(). @param model the name of the model that it is laid over, which cannot be `jobs`.
std::optional<DiurnalPattern> read_diurnal(Reader& read_block, const std::string& model);

/// All of a pattern, exactly.
std::string diurnal_text(const DiurnalPattern& pattern);

}  // namespace nowsim
