// What Slurm is given: a script for each shard and one for the sweep that takes in, to be read and kept.
#pragma once

#include <string>
#include <vector>

namespace nowsim {

/// A sweep as scripts call it.
struct ScriptedSweep {
  std::string program;             ///< the executable's path
  std::string folder;              ///< from where paths count
  std::string name;                ///< of the scripts and jobs
  std::string command;             ///< sweep, or reproduce
  std::vector<std::string> words;  ///< the experiments and their flags, behind the command
  std::string out;
  std::size_t shards = 1;
};

/// Its array task I of 1 to `shards` is shard I.
std::string shard_script(const ScriptedSweep& sweep);
/// Takes in; `goes_on`: and publishes the next round, simulating nothing.
std::string merge_script(const ScriptedSweep& sweep, bool goes_on);

}  // namespace nowsim
