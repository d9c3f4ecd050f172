// SimGrid's own replay of a trace, for tests to compare with: smpirun -replay with every setting pinned.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/sim/scenario_fixture.hpp"

namespace nowsim::test {

/// Lines of each rank's file, without its number, "init" and "finalize".
using MpiProgram = std::vector<std::vector<std::string>>;

/// Writes them and a list into a folder. Gives the list's path.
std::string write_trace(const Folder& folder, const MpiProgram& program);

/// Whether smpirun is installed.
bool has_smpirun();

/// How long SMPI's replay takes [s], with rank i on the i-th of these hosts.
/// @param settings further ones, as smpirun has them without --cfg=.
double smpi_replay_s(const Folder& folder, const std::string& trace, const std::string& platform_file,
                     const std::vector<std::string>& hosts, const std::vector<std::string>& settings = {});

/// The trace on a platform under owners; `words` are its keys that choose, `numbers` the others, in SI.
Scenario mpi_scenario(const std::string& trace, std::shared_ptr<const Platform> platform,
                      const std::map<std::string, std::string>& words = {}, const std::map<std::string, double>& numbers = {},
                      const std::vector<std::string>& placement = {}, OwnerPtr owner = dedicated_owner());

}  // namespace nowsim::test
