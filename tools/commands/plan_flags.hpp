// The flags of `nowsim plan` that make up its question.
#pragma once

#include "experiments/driver/studies/plan_request.hpp"
#include "tools/command.hpp"

namespace nowsim {

/// --work, --deadline, --risk, --policies, --phases, --bytes, --owner; and those that are read elsewhere.
void add_plan_flags(boost::program_options::options_description& description);
/// The question; its platform is the first word. @throws UsageError naming the flag.
PlanRequest plan_request(const ParsedFlags& parsed);

}  // namespace nowsim
