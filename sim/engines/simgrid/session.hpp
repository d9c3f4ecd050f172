// The process's one SimGrid engine with nowsim's settings, and a platform loaded into it. For files that talk to SimGrid.
#pragma once

#include <simgrid/s4u.hpp>

#include <string>

namespace nowsim {

/// Makes the engine (once per process) and loads XML text; `name` is the file that messages name.
/// @param precision_s the smallest time difference SimGrid tells apart (surf/precision).
/// @param stack_kib of each actor.
/// @throws InputError for XML that SimGrid does not accept, with the file and line.
simgrid::s4u::Engine& open_simgrid(const std::string& xml, const std::string& name, double precision_s,
                                    int stack_kib = 64);

}  // namespace nowsim
