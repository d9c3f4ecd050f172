// Measured costs in a file: read back, of this machine alone, and never a reason to fail.
#include "experiments/driver/running/cost_cache.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using nowsim::test::Folder;
namespace fs = std::filesystem;

TEST_CASE("Costs come back as they were written, for the machine that they were measured on", "[reads][costs]") {
  const Folder folder;
  const std::string file = folder.path() + "/new/costs.txt";
  const MeasuredCosts costs{{"message", 1.0 / 3e6}, {"table", 1e-3}};
  write_costs(file, "this machine", costs);
  CHECK(read_costs(file, "this machine") == costs);
  CHECK(read_costs(file, "another").empty());
  CHECK(std::distance(fs::directory_iterator(folder.path() + "/new"), {}) == 1);  // nothing is left beside it
}

TEST_CASE("A file of costs that is missing, damaged or cannot be written is no error", "[costs]") {
  const Folder folder;
  CHECK(read_costs(folder.path() + "/none", "k").empty());
  CHECK(read_costs(folder.file("words", "k\nmessage soon\n"), "k").empty());
  CHECK(read_costs(folder.file("negative", "k\nmessage -1\n"), "k").empty());
  CHECK(read_costs(folder.file("absurd", "k\nmessage 1e300\n"), "k").empty());
  CHECK(read_costs(folder.file("nothing of ours", "k\nsandwich 1e-6\n"), "k").empty());
  write_costs("", "k", {{"message", 1}});
  write_costs(folder.file("a-file", "") + "/costs.txt", "k", {{"message", 1}});
  CHECK(read_costs(folder.path() + "/a-file", "k").empty());
}

TEST_CASE("Costs are kept where the user's caches are, a file per kind of machine", "[costs]") {
  const Folder folder;
  const char* before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before != nullptr ? before : "";
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  CHECK_THAT(cost_file("a"), Catch::StartsWith(folder.path() + "/nowsim/costs-"));
  CHECK(cost_file("a") != cost_file("b"));
  setenv("XDG_CACHE_HOME", "not/absolute", 1);
  CHECK_THAT(cost_file("a"), !Catch::Contains("not/absolute"));
  if (before != nullptr) setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  else unsetenv("XDG_CACHE_HOME");
}
