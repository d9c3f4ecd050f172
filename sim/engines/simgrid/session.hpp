// The process's one SimGrid engine with nowsim's settings, and a platform loaded into it, whose fat pipes are what their name
// says. For files that talk to SimGrid.
#pragma once

#include <simgrid/s4u.hpp>

#include <string>

#include "sim/platform/platform.hpp"

namespace nowsim {

/// Makes the engine (once per process) and loads XML text; `name` is the file that messages name.
/// @param precision_s the smallest time difference SimGrid tells apart (surf/precision).
/// @param stack_kib of each actor.
/// @throws InputError for XML that SimGrid does not accept, with the file and line.
simgrid::s4u::Engine& open_simgrid(const std::string& xml, const std::string& name, double precision_s,
                                    int stack_kib = 64);

/// Makes of each fat pipe (FATPIPE) of the platform that SimGrid has loaded what its name says: a flow has at most the
/// pipe's bandwidth, and takes nothing from others. SimGrid 3.32 by itself stops all flows on a fat pipe where the first
/// has all of it, so that one of twice the latency gets half, or else, by the last place of bandwidth times latency, all
/// (maxmin.cpp: a flow's own bound, which is the same number, is tried before or after the pipe). Pipes whose bandwidth
/// varies by a profile stay SimGrid's.
void open_fat_pipes(const Platform& platform);

}  // namespace nowsim
