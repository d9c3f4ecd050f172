// The way to a process of a student's code: its descriptors, its limits, and what it becomes.
#pragma once

#include <sys/types.h>

#include <string>

#include "experiments/driver/labs/confinement.hpp"
#include "sim/base/plain_file.hpp"

namespace nowsim {

/// A process that has begun to run kConfinedScript.
struct StartedCode {
  pid_t pid;
  FileHandle channel;  ///< a socket that keeps messages apart
  FileHandle log;      ///< a file in memory of what it prints
};

/// Starts it for a file of this name and text: within bubblewrap, or with limits alone. @throws RunError
StartedCode start_code(const std::string& name, const std::string& source, const CodeLimits& limits, bool is_confined);

}  // namespace nowsim
