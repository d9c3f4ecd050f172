// Shipped platforms by name: shown, listed, planned on and named in experiments.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/paths.hpp"
#include "tests/tools/program_fixture.hpp"

using namespace nowsim::test;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const std::string kPlatforms = source_folder() + "/platforms/";

std::string experiment_on(const std::string& file) {
  return "nowsim: 1\nplatform: {file: " + file +
         "}\njob: {workload: base-task, work: 1Tf}\nrun: {replications: 20}\nmetrics: [tau]\n";
}

}  // namespace

TEST_CASE("A shipped platform is shown by its name as by its file, from anywhere",
          "[computes][cli][platform][shipped]") {
  const Folder folder;
  const ProgramRun by_file = run_program({"platform", "show", kPlatforms + "campus.xml"});
  REQUIRE(by_file.status == 0);
  for (const char* name : {"campus", "campus.xml", "platforms/campus.xml"}) {
    const ProgramRun by_name = run_program({"platform", "show", name}, folder.path());
    INFO(name << by_name.error);
    CHECK(by_name.status == 0);
    CHECK(by_name.out == by_file.out);
  }
}

TEST_CASE("list platforms names all that are shipped, each with what its file says of it", "[cli][platform][shipped]") {
  const ProgramRun list = run_program({"list", "platforms"});
  CHECK(list.status == 0);
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(kPlatforms))
    if (entry.path().extension() == ".xml") {
      ++count;
      CHECK_THAT(list.out, Contains(entry.path().stem().string() + "  "));
    }
  CHECK(std::count(list.out.begin(), list.out.end(), '\n') == static_cast<std::ptrdiff_t>(count));
  CHECK_THAT(list.out, Contains("Four machines on one Ethernet, of which other traffic leaves more or less\n"));
  CHECK_THAT(list.out, Contains("Bazterra et al. used it") && !Contains("<!--") && !Contains("  \n"));
}

TEST_CASE("Plans and experiments take a shipped platform by name, and one's own file of that name first",
          "[cli][platform][shipped]") {
  const Folder folder;
  const std::vector<std::string> rest{"--work", "1Tf", "--replications", "20", "--format", "csv", "--quiet"};
  const auto plan_on = [&](const std::string& platform) {
    std::vector<std::string> words{"plan", platform};
    words.insert(words.end(), rest.begin(), rest.end());
    return run_program(words, folder.path());
  };
  const ProgramRun by_name = plan_on("lab-now");
  INFO(by_name.error);
  CHECK(by_name.status == 0);
  CHECK_THAT(by_name.error, Contains("of the 48 cores"));
  CHECK(by_name.out == plan_on(kPlatforms + "lab-now.xml").out);

  folder.file("name.yaml", experiment_on("lab-now"));
  folder.file("file.yaml", experiment_on(kPlatforms + "lab-now.xml"));
  const ProgramRun named = run_program({"run", "name.yaml", "-f", "csv"}, folder.path());
  CHECK(named.status == 0);
  CHECK(without_progress(named.error).empty());
  CHECK(named.out == run_program({"run", "file.yaml", "-f", "csv"}, folder.path()).out);
  CHECK(run_program({"run", "file.yaml", "--set", "platform.file=lab-now", "-f", "csv"}, folder.path()).out == named.out);

  fs::copy_file(kPlatforms + "campus.xml", folder.path() + "/lab-now");
  const ProgramRun own = run_program({"run", "name.yaml", "-f", "csv"}, folder.path());
  CHECK(own.status == 0);
  CHECK(own.out != named.out);
}
