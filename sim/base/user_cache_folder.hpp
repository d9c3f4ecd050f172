// The folder in which nowsim keeps what it can make again.
#pragma once

#include <string>

namespace nowsim {

/// $XDG_CACHE_HOME/nowsim, or ~/.cache/nowsim; "" where there is neither. It need not exist yet.
std::string user_cache_folder();

}  // namespace nowsim
