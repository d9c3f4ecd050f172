// Files of the user's cache: plain ones of the user's own, or as if there were none.
#include "experiments/driver/text/user_cache.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>

#include "tests/sim/scenario_fixture.hpp"

using namespace nowsim;
using nowsim::test::content_of;
using nowsim::test::Folder;
namespace fs = std::filesystem;

TEST_CASE("A pipe, a link, a folder and what is too large are no files of a cache, and are replaced",
          "[reads][costs]") {
  const Folder folder;
  const std::string real = folder.file("real", "k\ntext\n"), place = folder.path() + "/place";
  CHECK(read_cached(real, "k") == "text\n");
  CHECK(read_cached(real, "").empty());
  CHECK(read_cached(folder.file("empty", ""), "k").empty());
  CHECK(read_cached(folder.file("other", "kk\ntext"), "k").empty());
  CHECK(read_cached(folder.file("large", "k\n" + std::string(1 << 20, 'x')), "k").empty());
  CHECK(read_cached("/dev/zero", "k").empty());
  fs::create_directory(folder.path() + "/folder");
  CHECK(read_cached(folder.path() + "/folder", "k").empty());
  SECTION("a pipe that nobody writes into") { REQUIRE(mkfifo(place.c_str(), 0600) == 0); }
  SECTION("a link") { fs::create_symlink(real, place); }
  CHECK(read_cached(place, "k").empty());
  CHECK(write_cached(place, "k", "new"));
  CHECK(read_cached(place, "k") == "new");
  CHECK(content_of(real) == "k\ntext\n");
}

TEST_CASE("What a process that was killed has left beside a file of a cache goes after a day", "[costs]") {
  const Folder folder;
  const std::string file = folder.path() + "/file.txt", old = folder.file("file.txt.a1b2c3", "k\n"),
                    young = folder.file("file.txt.d4e5f6", "k\n"), other = folder.file("other.txt.a1b2c3", "k\n");
  for (const std::string& left : {old, other})
    fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(48));
  CHECK(write_cached(file, "k", "text"));
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(young));
  CHECK(fs::exists(other));
}

TEST_CASE("What another user has put into a cache is not read", "[costs]") {
  const Folder folder;
  const std::string file = folder.file("file", "k\ntext");
  if (geteuid() != 0) return;  // only root may give a file away
  REQUIRE(chown(file.c_str(), 65534, 65534) == 0);
  CHECK(read_cached(file, "k").empty());
}
