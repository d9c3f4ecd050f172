// Platforms that come with nowsim: found by name where no file of the user's is meant.
#include "experiments/driver/reading/shipped_files.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;
namespace fs = std::filesystem;

TEST_CASE("A platform is found by its name, also where a folder has that name, and not where a file has",
          "[reads][named_files]") {
  const Folder folder;
  fs::create_directories(folder.path() + "/shipped");
  const std::string shipped = folder.file("shipped/lab-now.xml", ""), mine = folder.path() + "/lab-now";
  const NamedFiles files{.platforms = folder.path() + "/shipped"};
  CHECK(files.shipped_platform("lab-now", mine) == shipped);
  fs::create_directory(mine);
  CHECK(files.shipped_platform("lab-now", mine) == shipped);
  CHECK(files.shipped_platform(mine, mine).empty());  // the folder is named as such
  CHECK(files.shipped_platform("lab-now.xml", folder.file("lab-now.xml", "")).empty());
}
