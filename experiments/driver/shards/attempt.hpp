// Who simulated what a piece holds: one run of the program, on one machine.
#pragma once

#include <cstddef>
#include <string>

namespace nowsim {

/// One process that simulates batches of a sweep. What it simulates does not depend on any of this.
struct Attempt {
  std::string id;             ///< no other attempt's
  std::string experiment;     ///< its name
  std::size_t shard = 0, shards = 0;  ///< from 1; 0: the sweep that takes in what shards have published
  int round = 0;
  std::string host, processor;
  std::string program;        ///< the beginning of the executable's SHA-256
  std::string version;        ///< of the program
  std::string job;            ///< what a scheduler calls it; "": none
  std::string began;          ///< UTC, by the machine's own clock
};

/// This process, now.
Attempt this_attempt(const std::string& experiment, std::size_t shard, std::size_t shards, int round);

/// Of the executable that runs.
std::string program_hash();
/// "2026-01-31T23:59:59Z", by the machine's clock.
std::string utc_now();

/// "shard 3 of 64 on node7 (Intel Xeon ..., nowsim 0.1.0, program 0123abcd)".
std::string told_attempt(const Attempt& attempt);

}  // namespace nowsim
