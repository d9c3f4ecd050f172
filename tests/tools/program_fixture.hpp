// Runs the program nowsim as a user would: arguments, a folder to stand in, its two streams and its exit status.
#pragma once

#include <string>
#include <vector>

namespace nowsim::test {

struct ProgramRun {
  int status = -1;  ///< exit status; 128 + n where signal n ended it
  std::string out;
  std::string error;
};

/// Runs it without a shell. `folder` is where it stands; "" for here.
ProgramRun run_program(const std::vector<std::string>& arguments, const std::string& folder = "");

}  // namespace nowsim::test
