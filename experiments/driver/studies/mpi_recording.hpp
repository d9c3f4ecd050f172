// Recording an MPI program: run, corrected by what was noted, repeated, scaled, and left in a folder.
#pragma once

#include "experiments/driver/studies/mpi_provenance.hpp"
#include "experiments/driver/studies/mpi_smpirun.hpp"

namespace nowsim {

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
