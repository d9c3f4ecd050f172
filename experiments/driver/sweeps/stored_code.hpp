// User code behind an experiment's results in a store that is not the code at hand.
#pragma once

#include <string>
#include <vector>

#include "experiments/driver/reading/registries.hpp"
#include "experiments/driver/running/batch_store.hpp"

namespace nowsim {

/// Sentences for people, none where all is as it was: metrics that nothing is known of here, so that what is stored of
/// them is left out; a workload or technique that was edited since. Of policies, owner models and metrics a store does
/// not know the code. Throws as BatchStore does.
std::vector<std::string> remarks_on_code(BatchStore& batches, const std::string& experiment, const Registries& known);

}  // namespace nowsim
