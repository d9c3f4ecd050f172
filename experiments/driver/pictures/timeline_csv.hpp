// A replication's timeline as CSV.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "sim/engines/timeline.hpp"

namespace nowsim {

/// One row per thing that happened, workstation by workstation: activities in the program's order, messages sent,
/// availability, owner jobs. Columns: workstation (1 .. N), name, what, begin_s, end_s, and where they mean something
/// peer (the other workstation), flop, bytes, availability, demand_s, chunk (from 1) and its tasks; of programs that have
/// calls also call (`allreduce`); then replication, seed, engine, version, variance_reduction (`none`, ...).
void write_timeline_csv(const Timeline& timeline, std::ostream& out);

/// Whether a file begins as write_timeline_csv() begins one.
bool is_timeline_csv(const std::string& file);

/// Whether there is a file that begins so.
bool begins_with(const std::string& file, std::string_view text);

}  // namespace nowsim
