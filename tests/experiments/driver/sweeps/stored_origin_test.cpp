// What is stored of the files that an experiment was read from.
#include "experiments/driver/sweeps/stored_origin.hpp"

#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using namespace nowsim::test;

TEST_CASE("A platform that came through a pipe is not read again", "[reads][stored_origin]") {
  const Folder folder;
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[1]);  // all has been read
  const std::string piped = "/dev/fd/" + std::to_string(ends[0]);
  FilesNoted noted;
  noted.platforms.insert(piped);
  Experiment experiment;
  experiment.file = folder.file("e.yaml", "nowsim: 1\n");
  experiment.origin.is_of_file = true;
  experiment.origin.files = std::make_shared<const FilesNoted>(noted);
  const StoredOrigin stored = origin_to_store(experiment);
  REQUIRE(stored.files.size() == 2);
  CHECK(stored.files[1].path == piped);
  CHECK_FALSE(stored.files[1].checksum);
  close(ends[0]);
}
