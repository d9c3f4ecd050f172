// The keys at the top of an experiment's file.
#pragma once

#include "sim/base/keys.hpp"

namespace nowsim {

const KeyTable& experiment_keys();

}  // namespace nowsim
