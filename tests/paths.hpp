// Where the tests find the sources and the program, and how long they may take: known to one file, so that the others
// compile alike everywhere.
#pragma once

#include <string>

namespace nowsim::test {

/// The folder of the sources, with platforms/ and experiments/ in it.
std::string source_folder();
/// The program under test.
std::string program_file();
/// A program of SimGrid's alone, that prints a route: sim/platform/print_route.cpp.
std::string print_route_file();
/// A library to be preloaded, which ends a program before a call that changes files: shards/end_at_call.cpp.
std::string end_at_call_file();
/// Whether this is a long test, for which tools/test sets NOWSIM_LONG: what otherwise tries some tries all.
bool is_long_run();

}  // namespace nowsim::test
