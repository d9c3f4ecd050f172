// Recording an MPI program: run under SMPI, corrected by what was noted, repeated, scaled, and left in a folder.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "experiments/driver/mpi/mpi_provenance.hpp"

namespace nowsim {

/// How a program is run.
struct MpiRun {
  std::string program;  ///< a file
  std::vector<std::string> arguments;
  std::size_t ranks = 1;
  double host_speed_flops = 1e9;  ///< flop per second of computing that was measured
  bool is_explicit = false;       ///< what the program states by smpi_execute_flops() counts alone
};

/// Takes what the program said, on both its streams.
using ShowOutput = std::function<void(const std::string&)>;

/// What is recorded, and what becomes of its computing.
struct MpiRecordingPlan {
  MpiRun run;
  std::size_t repetitions = 1;
  MpiRegions regions;                ///< flop of measured computing, first
  double flop_scale = 1;             ///< all flop times this,
  std::optional<double> total_flop;  ///< or scaled so that they are so many together
};

struct MpiRecording {
  MpiRanks ranks;
  MpiProvenance provenance;
};

/// Where a run is: the repetition, from 0.
using OnRepetition = std::function<void(std::size_t repetition)>;

/// @throws InputError for a program that SMPI cannot run, or regions that it does not have; RunError where it fails,
/// collectives are on other communicators than that of all ranks, which SMPI's traces cannot hold, or repetitions take
/// different courses.
MpiRecording record_mpi(const MpiRecordingPlan& plan, const ShowOutput& show, const OnRepetition& on_repetition = {});
/// Of what runs have left, corrected and put together: the ranks of each repetition. @throws as record_mpi().
MpiRecording recording_of(const MpiRecordingPlan& plan, std::vector<MpiRanks> repetitions);

/// Checks that a recording can be left there. @throws InputError where something has that name, or there is no folder
/// for it.
void check_mpi_folder(const std::filesystem::path& folder);
/// trace.txt, rank-N.txt and provenance.json; as a whole or not at all. @throws as check_mpi_folder(); RunError.
void write_mpi_folder(const std::filesystem::path& folder, const MpiRecording& recording);

}  // namespace nowsim
