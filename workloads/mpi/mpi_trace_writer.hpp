// Compiling a trace's text: all ranks' actions one behind another in a file, then the counts of those that have
// several.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/mpi/mpi_trace_files.hpp"

namespace nowsim {

/// Where in the file things stand, in bytes from its beginning.
struct MpiTraceLayout {
  struct Rank {
    std::uint64_t begin = 0;
    std::uint64_t actions = 0;
  };
  std::vector<Rank> ranks;
  std::uint64_t counts_begin = 0;
  std::uint64_t counts = 0;
  std::uint64_t end = 0;
  /// XXH3 of all ranks' lines, in hexadecimal: the same for a trace in one file or several, packed or not.
  std::string hash;
};

/// Writes an empty file from `begin` on (a multiple of 8). `aside` is another, for the counts meanwhile. Memory is a
/// MiB, of a shared file 40 MiB at most and 1 KiB for each rank, and the longest line. @throws InputError where the
/// text is refused, std::system_error where the file cannot be written.
MpiTraceLayout write_mpi_trace(const MpiTraceFiles& files, int file, int aside, std::uint64_t begin);

/// All of them at that place of the file. @throws std::system_error
void write_at(int file, const char* bytes, std::size_t size, std::uint64_t at);

}  // namespace nowsim
