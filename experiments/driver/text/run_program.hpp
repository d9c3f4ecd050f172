// Running another program without a shell, and reading what it says.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace nowsim {

/// How a program ended, and what it said on both its streams.
struct ProgramEnd {
  int status = 0;  ///< as waitpid gives it
  std::string said;
};

/// Whether there is a program of this name along PATH.
bool is_program(const std::string& name);

/// What a program reads.
enum class ProgramInput {
  none,
  own,  ///< what this process would
};

/// Runs a program, found along PATH, in a folder, with the signals' defaults, and waits for it. It does not see the environment's variables whose names begin with one of `hidden`.
/// @throws RunError where it cannot be started; `if_missing` is the sentence where there is no such program.
ProgramEnd run_program(const std::filesystem::path& folder, std::vector<std::string> words,
                       const std::string& if_missing, std::span<const char* const> hidden,
                       ProgramInput input = ProgramInput::none);

/// "failed with status 1", "was ended by a signal: Killed".
std::string ending_of(int status);

}  // namespace nowsim
