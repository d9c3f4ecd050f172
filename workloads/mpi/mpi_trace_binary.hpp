// The file that a trace is compiled into: a header, the actions, their counts, and what is known about them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/plain_file.hpp"
#include "workloads/mpi/mapped_file.hpp"
#include "workloads/mpi/mpi_trace_checks.hpp"
#include "workloads/mpi/mpi_trace_files.hpp"

namespace nowsim {

/// A compiled trace in memory.
struct MpiTraceBinary {
  std::unique_ptr<const MappedFile> mapped;
  std::vector<std::span<const MpiAction>> actions;  ///< of each rank
  std::span<const double> counts;
  std::string hash;
  MpiTraceFacts facts;
};

inline constexpr std::uint64_t kMpiTraceHeaderBytes = 4096;  ///< a page: actions begin at one

/// Compiles a trace, whose files hold what `key` names (or whose binary is not kept: ""). `file` and `aside` are empty
/// and open for reading and writing; the second holds the counts meanwhile. @throws InputError where the text is
/// refused, std::system_error where the file cannot be written.
void compile_mpi_trace(const MpiTraceFiles& files, const std::string& key, int file, int aside);
/// Its last step: the header's hash of what stands behind it. @pre the file has kMpiTraceHeaderBytes.
/// @throws std::system_error
void seal_mpi_trace(int file);

/// What compile_mpi_trace() made into a file of these files under this key; nothing where it is of another text,
/// another version of nowsim or another kind of machine, damaged, or cut short. Nothing in it is believed: what is read
/// lies in the file, all actions are checked and what can be told of them is counted again. Reads it as a whole, twice.
/// @throws InputError where ranks do what no program's can: so does the text, or others wrote the file.
std::optional<MpiTraceBinary> map_mpi_trace(const MpiTraceFiles& files, const std::string& key, int file);

}  // namespace nowsim
