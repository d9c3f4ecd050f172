// Where the time of a replication went, for people, as CSV and as JSON.
#pragma once

#include <iosfwd>
#include <string>

#include "experiments/driver/pictures/waits.hpp"
#include "experiments/driver/text/document.hpp"

namespace nowsim {

/// For people a line per rank with the parts of T, then the calls and the pairs of ranks that waiting costs most. CSV
/// has a row per rank, kind of time, call and partner: workstation (1 .. N), name, what, call, peer, peer_name, time_s,
/// share (of T), operations, then T_s, replication, seed, engine, version, variance_reduction. JSON has all of it.
void write_waits(const Timeline& timeline, const Waits& waits, Format format, std::ostream& out);

/// Whether a file begins as the CSV of write_waits() does.
bool is_waits_csv(const std::string& file);

}  // namespace nowsim
