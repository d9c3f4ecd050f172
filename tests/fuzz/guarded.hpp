// Many inputs in a child process with bounds on time and memory, so that one that never ends or crashes is known and
// the rest goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nowsim::test {

/// What may be spent on one input. Generous: what is meant to be found are inputs that would never end.
struct InputBounds {
  double seconds = 60;                           ///< on the wall clock
  std::uint64_t bytes = std::uint64_t{3} << 30;  ///< resident
};

/// An input that something is wrong with.
struct Fault {
  std::size_t input = 0;
  std::string what;
};

/// Says of each input, given by its number, what is wrong ("": nothing); gathers what is, crashes and bounds that were
/// broken as well. Standard error of the children goes into the faults.
std::vector<Fault> faults_among(std::size_t inputs, const std::function<std::string(std::size_t)>& fault_of_input,
                                const InputBounds& bounds = {});

}  // namespace nowsim::test
