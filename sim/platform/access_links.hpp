// Whether the bandwidth of each workstation's own link can vary by itself, as a scenario's `bandwidth` says it does.
#pragma once


#include "sim/base/infinity.hpp"
#include "sim/platform/platform.hpp"

namespace nowsim {

/// The links of a workstation's own path (its route to itself, Rank::transfer) are to vary together, and with nothing
/// else. @throws InputError, a sentence for the user, where a workstation has no path of its own, or where one of its
/// links is another workstation's too, gives every flow its whole bandwidth (FATPIPE: such a link cannot change while a
/// flow is on its way), or has a bandwidth profile in the platform's file.
/// RunError where SimGrid takes longer than so many seconds to tell the paths.
void check_own_links(const Platform& platform, double limit_s = kInfinity);

}  // namespace nowsim
