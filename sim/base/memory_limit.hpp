// How much memory there is, and refusing what is estimated to need more before any of it is taken.
#pragma once

#include <cstdint>
#include <string>

namespace nowsim {

/// Bytes this process may still take: the least of what the machine has available, what the control groups it runs in
/// leave and what its limits on address space (`ulimit -v`) and data leave. Read anew on each call (some 50 us).
std::uint64_t available_memory_bytes();

/// From now on this process can take what there is now and no more: beyond it there is a std::bad_alloc. Not under sanitizers,
/// whose shadows take terabytes of address space.
void limit_memory();

/// Only where so many bytes are to be had. `what` begins the sentence: "a platform of 10^12 workstations".
/// @throws InputError "WHAT would need about 3 TB of memory; this machine has 20 GB free".
void require_memory(double bytes, const std::string& what);

}  // namespace nowsim
