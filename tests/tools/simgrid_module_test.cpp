// SimGrid is loaded where a command needs it, and nowhere else.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;

namespace {

/// Whether the dynamic linker loads SimGrid's library for it, or for a child.
bool loads_simgrid(const std::vector<std::string>& arguments, const std::string& folder = "") {
  const Folder told;
  setenv("LD_DEBUG", "files", 1);
  setenv("LD_DEBUG_OUTPUT", (told.path() + "/pid").c_str(), 1);
  const ProgramRun run = start_program(arguments, folder);
  unsetenv("LD_DEBUG");
  unsetenv("LD_DEBUG_OUTPUT");
  CHECK(run.status == 0);
  std::string files;
  for (const auto& entry : std::filesystem::directory_iterator(told.path())) files += content_of(entry.path().string());
  CHECK(files.find("calling init") != std::string::npos);
  return files.find("libsimgrid") != std::string::npos;
}

}  // namespace

TEST_CASE("SimGrid is loaded by the commands that need it, and by no others", "[computes][simgrid_module]") {
  CHECK_FALSE(loads_simgrid({"list", "owners"}));
  CHECK_FALSE(loads_simgrid({"check", "huang-lee-2007/fig05"}));
  CHECK_FALSE(loads_simgrid({"complete", "run", "huang-lee-2007/fig05", "--set", "owner."}));
  CHECK(loads_simgrid({"--version"}));  // it says which one that is
  CHECK(loads_simgrid({"platform", "show", source_folder() + "/platforms/lab-now.xml"}));
  const Folder folder;
  for (const std::string network : {"switch", "links"}) {
    folder.file("e.yaml", "nowsim: 1\ntitle: messages\nplatform: {workstations: 3, network: " + network +
                              ", bandwidth: 1kBps, latency: 1ms}\n"
                              "job: {workload: ping-pong, bytes: 1kB}\nowner: {model: dedicated}\n"
                              "run: {replications: 2}\nmetrics: [tau]\n");
    CHECK_FALSE(loads_simgrid({"run", "e.yaml"}, folder.path()));
    CHECK(loads_simgrid({"run", "e.yaml", "--engine", "simgrid"}, folder.path()));
  }
}
