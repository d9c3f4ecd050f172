// The flags of `nowsim isoefficiency` that make up its question.
#pragma once

#include "experiments/driver/studies/isoefficiency_request.hpp"
#include "tools/command.hpp"

namespace nowsim {

/// --efficiency, --metric, --size, --from, --to, --tolerance, --sweep, --along.
void add_isoefficiency_flags(boost::program_options::options_description& description);
/// The question; its experiment is the first word. @throws UsageError, InputError naming the flag.
IsoefficiencyRequest isoefficiency_request(const ParsedFlags& parsed);

}  // namespace nowsim
