// Compiling a trace's text into a file: a header, all ranks' actions one behind another, the counts of those that have
// several, and where they are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workloads/mpi/file_bytes.hpp"
#include "workloads/mpi/mpi_action.hpp"
#include "workloads/mpi/mpi_trace_files.hpp"

namespace nowsim {

inline constexpr std::uint64_t kMpiTraceHeaderBytes = 4096;  ///< a page: actions begin at one

/// What such a file begins with. The hash covers all that comes behind it, so that whatever is damaged shows.
struct MpiTraceHeader {
  std::array<char, 8> magic{'n', 'o', 'w', 's', 'i', 'm', 'T', 'I'};
  std::uint32_t version = 3;  ///< one more whenever MpiAction, its parser, its checks, or what stands below changes
  std::uint32_t byte_order = 0x01020304;
  std::uint32_t action_bytes = sizeof(MpiAction);
  std::uint32_t size_bytes = sizeof(std::size_t);
  std::uint64_t about_begin = 0;        ///< where the layout begins; it goes to the end
  std::array<char, 32> hash_of_rest{};  ///< of the bytes behind the header
};
/// Piece by piece, so that memory does not depend on the file's length.
std::array<char, 32> hash_of_rest(const MappedFile& file);

/// Where in the file things stand, in bytes from its beginning.
struct MpiTraceLayout {
  struct Rank {
    std::uint64_t begin = 0;
    std::uint64_t actions = 0;
  };
  std::string key;  ///< names what the text holds; "": it is not kept
  /// XXH3 of all ranks' lines, in hexadecimal: the same for a trace in one file or several, packed or not.
  std::string hash;
  std::uint64_t counts_begin = 0;
  std::uint64_t counts = 0;
  std::vector<Rank> ranks;
  std::uint64_t end = 0;  ///< where this begins

  template <class All>
  void fields(All& all) {
    all(key, hash, counts_begin, counts, ranks);
  }
};

/// Compiles a trace, whose files hold what `key` names (or whose binary is not kept: ""). `file` and `aside` are empty
/// and open for reading and writing; the second holds the counts meanwhile. Memory is a MiB, of a shared file 40 MiB at
/// most and 1 KiB for each rank, and the longest line. @throws InputError where the text is refused, std::system_error
/// where the file cannot be written.
void compile_mpi_trace(const MpiTraceFiles& files, const std::string& key, int file, int aside);
/// Its last step: the header's hash of what stands behind it. @pre the file has kMpiTraceHeaderBytes.
/// @throws std::system_error
void seal_mpi_trace(int file);

/// All of them at that place of the file. @throws std::system_error
void write_at(int file, const char* bytes, std::size_t size, std::uint64_t at);

}  // namespace nowsim
