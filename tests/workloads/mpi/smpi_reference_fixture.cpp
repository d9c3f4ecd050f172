// Running smpirun, and reading what it says.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tests/workloads/job_fixture.hpp"
#include "tests/workloads/mpi/smpi_reference.hpp"

namespace nowsim::test {
namespace {

/// What smpirun would choose of its own. SimGrid's default models of the network and of small messages would change
/// times; the last of these say that none of SMPI's calls costs anything by itself.
const std::vector<std::string> kPinned{
    "network/model:CM02", "network/crosstraffic:0", "network/TCP-gamma:1e300", "surf/precision:1e-12", "network/optim:Full", "maxmin/precision:1e-7",
    "smpi/host-speed:1Gf", "smpi/async-small-thresh:0", "smpi/send-is-detached-thresh:65536", "smpi/os:0:0:0:0:0",
    "smpi/ois:0:0:0:0:0", "smpi/or:0:0:0:0:0", "smpi/test:0", "smpi/iprobe:0", "smpi/init:0", "smpi/finalization-barrier:no",
    "smpi/coll-selector:default"};

std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string out;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  if (pclose(pipe) != 0) throw std::runtime_error(command + "\n" + out);
  return out;
}

}  // namespace

std::string write_trace(const Folder& folder, const MpiProgram& program) {
  std::string list;
  for (std::size_t rank = 0; rank < program.size(); ++rank) {
    const std::string number = std::to_string(rank), name = "rank-" + number + ".txt";
    std::string text = number + " init\n";
    for (const auto& line : program[rank]) text += number + " " + line + "\n";
    folder.file(name, text + number + " finalize\n");
    list += name + "\n";
  }
  return folder.file("trace.txt", list);
}

bool has_smpirun() { return std::system("command -v smpirun >/dev/null") == 0; }

double smpi_replay_s(const Folder& folder, const std::string& trace, const std::string& platform_file,
                     const std::vector<std::string>& hosts, const std::vector<std::string>& settings) {
  std::string list;
  for (const auto& host : hosts) list += host + "\n";
  std::string command = "cd " + std::filesystem::path(trace).parent_path().string() + " && smpirun -np " +
                        std::to_string(hosts.size()) + " -platform " + platform_file + " -hostfile " +
                        folder.file("hosts", list) + " -replay " + trace + " '--log=root.fmt:%.15r_%m%n'";
  for (const auto& setting : kPinned) command += " --cfg=" + setting;
  for (const auto& setting : settings) command += " --cfg=" + setting;
  const std::string out = output_of(command + " 2>&1");
  const auto end = out.find("_Simulation time");
  INFO(out);
  REQUIRE(end != out.npos);
  return std::stod(out.substr(out.rfind('\n', end) + 1));
}

Scenario mpi_scenario(const std::string& trace, std::shared_ptr<const Platform> platform,
                      const std::map<std::string, std::string>& words, const std::map<std::string, double>& numbers,
                      const std::vector<std::string>& placement, OwnerPtr owner) {
  std::map<std::string, std::string> texts = words;
  texts["trace"] = trace;
  FixedParameters read(numbers, texts);
  read.list = placement;
  Scenario s = scenario(std::move(platform), {}, std::move(owner));
  s.workload = made("mpi-trace", read);
  return s;
}

}  // namespace nowsim::test
