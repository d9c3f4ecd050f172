// Links of which every flow may have the whole bandwidth, in SimGrid.
#pragma once

#include "sim/platform/platform.hpp"

namespace nowsim {

/// Makes of each fat pipe (FATPIPE) of the platform that SimGrid has loaded what its name says: a flow has at most the
/// pipe's bandwidth, and takes nothing from others. SimGrid 3.32 by itself stops all flows on a fat pipe where the first
/// has all of it, so that one of twice the latency gets half, or else, by the last place of bandwidth times latency, all
/// (maxmin.cpp: a flow's own bound, which is the same number, is tried before or after the pipe). Pipes whose bandwidth
/// varies by a profile stay SimGrid's.
void open_fat_pipes(const Platform& platform);

}  // namespace nowsim
