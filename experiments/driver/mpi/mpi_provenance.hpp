// Where a recorded trace comes from: provenance.json in its folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/driver/mpi/mpi_ranks.hpp"

namespace nowsim {

/// How a recording was made, and what of it may be otherwise on another machine.
struct MpiProvenance {
  std::string program;         ///< its name
  std::string program_sha256;  ///< of its file
  std::vector<std::string> arguments;
  std::uint64_t ranks = 0;
  double host_speed_flops = 0;  ///< flop per second of computing that was measured
  bool is_explicit = false;     ///< the program stated its computing; else it was measured
  std::uint64_t repetitions = 1;
  MpiSpread spread;                         ///< how far these differ
  double flop_scale = 1;                    ///< what all flop were multiplied by
  MpiRegions regions;                       ///< computing whose flop was given, before that
  MpiTimingCounts timing;                   ///< calls whose outcome is as it was in the recording
  std::uint64_t messages_among_others = 0;  ///< sent and received on communicators of other ranks than all
  std::string simgrid;                      ///< the version that recorded it
  std::string nowsim;                       ///< likewise
  std::string command;                      ///< of smpirun, without paths

  /// What of it timing decided, for people: "12 receives from any source, 3 tests (1 found nothing)"; "" for nothing.
  [[nodiscard]] std::string timing_text() const;
};

/// The name of its file.
inline constexpr const char* kMpiProvenanceFile = "provenance.json";

std::string json_of(const MpiProvenance& provenance);
/// That of a trace's folder; nothing where it has none. @throws InputError where it is damaged.
std::optional<MpiProvenance> read_mpi_provenance(const std::filesystem::path& folder);

}  // namespace nowsim
