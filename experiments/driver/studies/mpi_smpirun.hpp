// Running an MPI program under SMPI, and taking what it leaves: its traces, and what was noted beside them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace nowsim {

/// How a program is run.
struct MpiRun {
  std::string program;  ///< a file
  std::vector<std::string> arguments;
  std::size_t ranks = 1;
  double host_speed_flops = 1e9;  ///< flop per second of computing that was measured
  bool is_explicit = false;       ///< what the program states by smpi_execute_flops() counts alone
};

/// What a run leaves.
struct MpiRawRecording {
  std::vector<std::string> traces;  ///< of each rank
  std::string notes;
};

/// Takes what the program said, on both its streams.
using ShowOutput = std::function<void(const std::string&)>;

/// SimGrid's version: "3.32". @throws RunError where there is no smpirun.
std::string smpirun_version();
/// The library that takes the notes, beside the program or in lib/nowsim. @throws RunError where it is missing.
std::filesystem::path mpi_notes_library();

/// @throws InputError where the program is missing, is none that SMPI's compilers made, or has arguments that smpirun
/// would take apart.
void check_mpi_program(const MpiRun& run);

/// smpirun's words; `files` is a folder for what goes in and comes out.
std::vector<std::string> smpirun_words(const MpiRun& run, const std::filesystem::path& files);
/// The same for people, without paths of this machine.
std::string smpirun_command(const MpiRun& run);

/// The network of the recording is plain and fast; it matters only to calls whose outcome depends on timing.
/// @throws InputError where the program is none that SMPI's compilers made, RunError where it fails or leaves no trace.
MpiRawRecording run_smpirun(const MpiRun& run, const ShowOutput& show);

}  // namespace nowsim
