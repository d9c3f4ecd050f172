// The file that a trace is compiled into: a header, the actions, their counts, and what is known about them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "workloads/mpi/file_handle.hpp"
#include "workloads/mpi/mapped_file.hpp"
#include "workloads/mpi/mpi_trace_checks.hpp"
#include "workloads/mpi/mpi_trace_files.hpp"

namespace nowsim {

/// A file of text that a binary was made of, the list too.
struct MpiTraceSource {
  std::string name;  ///< as the list has it, so that a folder may be moved; of the list ""
  FileStamp stamp;
  std::string hash;
};

/// A compiled trace in memory.
struct MpiTraceBinary {
  std::unique_ptr<const MappedFile> mapped;
  std::vector<std::span<const MpiAction>> actions;  ///< of each rank
  std::span<const double> counts;
  std::string hash;
  std::vector<MpiTraceSource> sources;
  MpiTraceFacts facts;
  std::int64_t begun_ns = 0;  ///< when it was begun to be made, since 1970
};

/// Compiles and checks a trace. `file` and `aside` are empty and open for reading and writing; the second holds the
/// counts meanwhile. @throws InputError where the text is refused, std::system_error where the file cannot be written.
void compile_mpi_trace(const MpiTraceFiles& files, int file, int aside);

/// What compile_mpi_trace() made of a file; nothing where it is of another version of nowsim or another kind of
/// machine, damaged, or cut short. Reads it as a whole, once.
std::optional<MpiTraceBinary> map_mpi_trace(int file);

/// Whether the binary is of these files as they are now: by their sizes and times if all are older than it, else by
/// what they hold. @throws InputError where one cannot be read.
bool is_current(const MpiTraceBinary& binary, const MpiTraceFiles& files);

}  // namespace nowsim
